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
import { grow } from '../math/index.ts';
import { BLOCK_NODES, BLOCK_SIDE } from './grid.ts';

export const BODY_CONDITIONS = ['sticky', 'slip', 'separate'] as const;
export type BodyCondition = (typeof BODY_CONDITIONS)[number];

export interface PointObstacle {
  readonly body: Body;
  /** Default separate. */
  readonly condition?: BodyCondition | undefined;
  /** μ [1] of `separate`. Default the body's, or 0. */
  readonly friction?: number | undefined;
}

/** What bodies need of a grid: mass at `node`[at], velocity at `moved`[at…], at = 4 (64 slot + node). */
export interface NodeField {
  readonly spacing: number;
  readonly blockCount: number;
  /** Block coordinates, 3 a slot. */
  readonly block: Int32Array;
  readonly node: Float64Array | Float32Array;
  readonly moved: Float64Array | Float32Array;
}

export class ObstacleSet {
  readonly obstacles: readonly PointObstacle[];
  /** Impulse on each body in the last step: linear [N s], then angular about the origin [N m s]. */
  readonly impulse: Float64Array;
  /** Nodes inside bodies, by body: how many, place in the grid's arrays, index of the body; normal, body's velocity and place of the node, 3 each. */
  count = 0;
  node = new Int32Array(0);
  body = new Int32Array(0);
  normal = new Float64Array(0);
  velocity = new Float64Array(0);
  place = new Float64Array(0);
  readonly #place = new Float64Array(3);
  readonly #surface = new Float64Array(4);
  readonly #velocity = new Float64Array(3);

  constructor(obstacles: readonly PointObstacle[]) {
    this.obstacles = obstacles;
    this.impulse = new Float64Array(6 * obstacles.length);
  }

  /** What a body does to the nodes inside it. */
  conditionOf(index: number): BodyCondition {
    return this.obstacles[index].condition ?? 'separate';
  }

  frictionOf(index: number): number {
    return this.obstacles[index].friction ?? this.obstacles[index].body.friction ?? 0;
  }

  /** Finds all nodes with mass that are inside bodies. */
  find(grid: NodeField): void {
    this.count = 0;
    for (let index = 0; index < this.obstacles.length; index++)
      for (let slot = 0; slot < grid.blockCount; slot++)
        if (this.#isNear(grid, slot, this.obstacles[index].body)) this.#findInBlock(grid, slot, index);
  }

  /** Corrects `moved` of all nodes with mass, as an explicit step does. */
  apply(grid: NodeField): void {
    this.find(grid);
    this.impulse.fill(0);
    for (let c = 0; c < this.count; c++) this.#correct(grid.moved, grid.node[this.node[c]], c);
  }

  /** What the node of a contact got, its body loses. */
  addImpulse(c: number, x: number, y: number, z: number): void {
    const { impulse, place } = this;
    const at = 6 * this.body[c];
    impulse[at] -= x;
    impulse[at + 1] -= y;
    impulse[at + 2] -= z;
    impulse[at + 3] -= place[3 * c + 1] * z - place[3 * c + 2] * y;
    impulse[at + 4] -= place[3 * c + 2] * x - place[3 * c] * z;
    impulse[at + 5] -= place[3 * c] * y - place[3 * c + 1] * x;
  }

  /** Whether a node of a block may be inside a body. */
  #isNear(grid: NodeField, slot: number, body: Body): boolean {
    const half = 0.5 * (BLOCK_SIDE - 1);
    for (let k = 0; k < 3; k++) this.#place[k] = (BLOCK_SIDE * grid.block[3 * slot + k] + half) * grid.spacing;
    body.writeSignedDistance(this.#place, this.#surface);
    return this.#surface[0] < Math.sqrt(3) * half * grid.spacing;
  }

  #findInBlock(grid: NodeField, slot: number, index: number): void {
    const { body } = this.obstacles[index];
    const { spacing, block, node } = grid;
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
      this.#add(at, index);
    }
  }

  #add(at: number, index: number): void {
    if (this.count === this.node.length) {
      const room = Math.max(64, 2 * this.count);
      this.node = grow(this.node, room);
      this.body = grow(this.body, room);
      this.normal = grow(this.normal, 3 * room);
      this.velocity = grow(this.velocity, 3 * room);
      this.place = grow(this.place, 3 * room);
    }
    const c = this.count++;
    this.node[c] = at;
    this.body[c] = index;
    for (let k = 0; k < 3; k++) {
      this.normal[3 * c + k] = this.#surface[1 + k];
      this.velocity[3 * c + k] = this.#velocity[k];
      this.place[3 * c + k] = this.#place[k];
    }
  }

  /** The velocity at one node, and the impulse on the body. */
  #correct(moved: NodeField['moved'], mass: number, c: number): void {
    const { node, body, normal: n, velocity: u } = this;
    const at = node[c];
    const condition = this.conditionOf(body[c]);
    const x = moved[at] - u[3 * c];
    const y = moved[at + 1] - u[3 * c + 1];
    const z = moved[at + 2] - u[3 * c + 2];
    const normal = x * n[3 * c] + y * n[3 * c + 1] + z * n[3 * c + 2];
    if (condition === 'separate' && normal >= 0) return;
    const tx = x - normal * n[3 * c];
    const ty = y - normal * n[3 * c + 1];
    const tz = z - normal * n[3 * c + 2];
    let kept = condition === 'sticky' ? 0 : 1;
    if (condition === 'separate') {
      const speed = Math.sqrt(tx * tx + ty * ty + tz * tz);
      kept = speed > 0 ? Math.max(0, 1 + (this.frictionOf(body[c]) * normal) / speed) : 0;
    }
    moved[at] = u[3 * c] + kept * tx;
    moved[at + 1] = u[3 * c + 1] + kept * ty;
    moved[at + 2] = u[3 * c + 2] + kept * tz;
    this.addImpulse(c, mass * (kept * tx - x), mass * (kept * ty - y), mass * (kept * tz - z));
  }
}
