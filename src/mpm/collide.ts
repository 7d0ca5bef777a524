/**
 * Bodies hold the grid: nodes inside one get the velocity that it allows.   [anisotropic-mpm-2017, §5; Stomakhin et al. 2013, §8]
 *
 *     v_rel = v̂ − v_body,  vₙ = v_rel · n,  n away from the body
 *     sticky      v_rel = 0
 *     slip        v_rel −= vₙ n
 *     separate    vₙ ≥ 0: free;  else v_rel −= vₙ n, and what is left loses μ |vₙ| (Coulomb), at most all of it
 *
 * What the body gives to the nodes, m δv, it gets back as an impulse: `impulse`, 6 a body, linear and about the origin.
 */
import type { Body } from '../bodies/index.ts';
import { BLOCK_NODES, BLOCK_SIDE, type BlockGrid } from './grid.ts';

export const BODY_CONDITIONS = ['sticky', 'slip', 'separate'] as const;
export type BodyCondition = (typeof BODY_CONDITIONS)[number];

export interface PointObstacle {
  readonly body: Body;
  /** Default separate. */
  readonly condition?: BodyCondition | undefined;
  /** μ [1] of `separate`. Default the body's, or 0. */
  readonly friction?: number | undefined;
}

export class ObstacleSet {
  readonly obstacles: readonly PointObstacle[];
  /** Impulse on each body in the last step: linear [N s], then angular about the origin [N m s]. */
  readonly impulse: Float64Array;
  readonly #place = new Float64Array(3);
  readonly #surface = new Float64Array(4);
  readonly #velocity = new Float64Array(3);

  constructor(obstacles: readonly PointObstacle[]) {
    this.obstacles = obstacles;
    this.impulse = new Float64Array(6 * obstacles.length);
  }

  /** Corrects `moved` of all nodes with mass. */
  apply(grid: BlockGrid): void {
    this.impulse.fill(0);
    for (let index = 0; index < this.obstacles.length; index++)
      for (let slot = 0; slot < grid.blockCount; slot++)
        if (this.#isNear(grid, slot, this.obstacles[index].body)) this.#applyToBlock(grid, slot, index);
  }

  /** Whether a node of a block may be inside a body. */
  #isNear(grid: BlockGrid, slot: number, body: Body): boolean {
    const half = 0.5 * (BLOCK_SIDE - 1);
    for (let k = 0; k < 3; k++) this.#place[k] = (BLOCK_SIDE * grid.block[3 * slot + k] + half) * grid.spacing;
    body.writeSignedDistance(this.#place, this.#surface);
    return this.#surface[0] < Math.sqrt(3) * half * grid.spacing;
  }

  #applyToBlock(grid: BlockGrid, slot: number, index: number): void {
    const { body } = this.obstacles[index];
    const { spacing, block, node, moved } = grid;
    const place = this.#place;
    for (let n = 0; n < BLOCK_NODES; n++) {
      const at = 4 * (BLOCK_NODES * slot + n);
      if (!(node[at] > 0)) continue;
      place[0] = (BLOCK_SIDE * block[3 * slot] + (n >> 4)) * spacing;
      place[1] = (BLOCK_SIDE * block[3 * slot + 1] + ((n >> 2) & 3)) * spacing;
      place[2] = (BLOCK_SIDE * block[3 * slot + 2] + (n & 3)) * spacing;
      body.writeSignedDistance(place, this.#surface);
      if (!(this.#surface[0] < 0)) continue;
      body.writePointVelocity(place, this.#velocity);
      this.#correct(moved, at, node[at], index);
    }
  }

  /** The velocity at one node, and the impulse on the body. */
  #correct(moved: Float64Array, at: number, mass: number, index: number): void {
    const { body, condition = 'separate', friction = body.friction ?? 0 } = this.obstacles[index];
    const n = this.#surface;
    const u = this.#velocity;
    const place = this.#place;
    const x = moved[at] - u[0];
    const y = moved[at + 1] - u[1];
    const z = moved[at + 2] - u[2];
    const normal = x * n[1] + y * n[2] + z * n[3];
    if (condition === 'separate' && normal >= 0) return;
    const tx = x - normal * n[1];
    const ty = y - normal * n[2];
    const tz = z - normal * n[3];
    let kept = condition === 'sticky' ? 0 : 1;
    if (condition === 'separate') {
      const speed = Math.sqrt(tx * tx + ty * ty + tz * tz);
      kept = speed > 0 ? Math.max(0, 1 + (friction * normal) / speed) : 0;
    }
    const jx = mass * (x - kept * tx);
    const jy = mass * (y - kept * ty);
    const jz = mass * (z - kept * tz);
    moved[at] = u[0] + kept * tx;
    moved[at + 1] = u[1] + kept * ty;
    moved[at + 2] = u[2] + kept * tz;
    const { impulse } = this;
    impulse[6 * index] += jx;
    impulse[6 * index + 1] += jy;
    impulse[6 * index + 2] += jz;
    impulse[6 * index + 3] += place[1] * jz - place[2] * jy;
    impulse[6 * index + 4] += place[2] * jx - place[0] * jz;
    impulse[6 * index + 5] += place[0] * jy - place[1] * jx;
  }
}
