/**
 * A cloth of 1 × 1 m drawn over the edge of a box at a constant speed, its rear side held back by a constant force, and what is read off it:
 * for laws and tables of sheets on edges.
 */
import { Body, BoxShape } from 'heddle/bodies';
import { createGridMesh } from 'heddle/geometry';
import { Sheet } from 'heddle/sheet';
import { createForce, createVelocity, World } from 'heddle/world';

const STRIDE = 5;
/** Speed [m/s], force that holds back [N], length that hangs at the start [m], weight of a metre of it [N/m], half the thickness [m]. */
export const SPEED = 0.4;
export const LOAD = 2;
export const HANGING = 0.37;
export const WEIGHT = 0.2 * 0.5;
const HALF = 5e-4;

export interface Run {
  /** Force that draws, at each step [N]. */
  readonly pull: number[];
  readonly depth: number;
  /** Largest distance of an E-vertex that is on it from the edge's line [m]. */
  readonly off: number;
  readonly smallestAngle: number;
  readonly area: number;
  readonly remeshings: number;
  readonly rejected: number;
  readonly rescues: number;
  readonly fallbacks: number;
}

export interface PullOptions {
  readonly mode?: 'eol' | 'lagrangian';
  readonly remesher?: 'local' | 'global' | 'adaptive';
  readonly steps: number;
  /** Length of a step [s]. */
  readonly step?: number;
  /** Of the membrane [N/m]. */
  readonly stiffness?: number;
  /** What hangs at the start [m]. */
  readonly hanging?: number;
}

/** Draws a cloth of n × n cells. */
export function pullOver(n: number, options: PullOptions): Run {
  const { mode = 'eol', remesher = 'local', steps, step = 0.005, stiffness = 1000, hanging = HANGING } = options;
  const grid = createGridMesh(1, 1, n, n);
  const count = (n + 1) * (n + 1);
  const X = grid.points.slice(0, 2 * count);
  const x: number[] = [];
  for (let i = 0; i < count; i++) {
    const s = X[2 * i] - (1 - hanging);
    x.push(s < 0 ? s + HALF : HALF, s < 0 ? HALF : HALF - s, 0.5 - X[2 * i + 1]);
  }
  const box = new Body({ id: 'box', shape: new BoxShape([2, 1, 2]), position: [-1, -0.5, 0] });
  const sheet = new Sheet({
    id: 'cloth',
    material: {
      arealDensity: 0.2,
      membrane: [stiffness, stiffness, 0.1 * stiffness, 0.3 * stiffness],
      bending: [1e-5, 1e-5, 0, 5e-6],
      thickness: 2 * HALF,
      friction: 0,
    },
    x,
    X,
    triangles: grid.corners.slice(0, 3 * grid.triangleCount),
    obstacles: [box],
    damping: { mass: 0, stiffness: 2e-3 },
    mode,
    remesher,
    gravity: [0, -0.5, 0],
  });
  for (let i = 0; i < count; i++) {
    const isHanging = X[2 * i] > 1 - hanging;
    sheet.state.v[STRIDE * i + (isHanging ? 1 : 0)] = isHanging ? -SPEED : SPEED;
  }
  const front: number[] = [];
  const drivers = [];
  for (let r = 0; r <= n; r++) {
    const [rear, ahead] = [(n + 1) * r, (n + 1) * r + n];
    front.push(ahead);
    sheet.state.kept[rear] = sheet.state.kept[ahead] = 1;
    drivers.push(createVelocity({ model: sheet, label: ahead }, [0, -SPEED, 0]));
    const share = (r === 0 || r === n ? 0.5 : 1) / n;
    drivers.push(createForce({ model: sheet, label: rear }, [-LOAD * share, 0, 0]));
  }
  const world = new World({ models: [sheet], bodies: [box], drivers, timeStep: step });
  const pull: number[] = [];
  let [depth, off, smallestAngle, rejected] = [0, 0, Number.POSITIVE_INFINITY, 0];
  let [rescues, fallbacks] = [0, 0];
  const { state } = sheet;
  for (let k = 0; k < steps; k++) {
    const report = world.step();
    rejected += report.rejected;
    rescues += report.rescues;
    fallbacks += report.fallbacks;
    if (!Number.isFinite(world.energy().total)) throw new Error(`not finite after step ${k + 1}`);
    pull.push(front.reduce((sum, label) => sum - sheet.holds.reaction[STRIDE * state.indexOf(label) + 1], 0));
    depth = Math.max(depth, sheet.touch!.computeDepth(state));
    for (let i = 0; i < state.count; i++)
      if (state.isOnSite(i))
        off = Math.max(off, Math.hypot(state.q[STRIDE * i] - HALF, state.q[STRIDE * i + 1] - HALF));
    for (let t = 0; t < state.mesh.triangleCount; t++)
      smallestAngle = Math.min(smallestAngle, computeSmallestAngle(sheet, t));
  }
  const area = state.area.reduce((sum, one) => sum + one, 0);
  return { pull, depth, off, smallestAngle, area, remeshings: state.remeshings, rejected, rescues, fallbacks };
}

/** Of a triangle in material space [rad]; negative where it is inverted. */
function computeSmallestAngle({ state: { q, mesh } }: Sheet, t: number): number {
  const corners = [0, 1, 2].map((k) => STRIDE * mesh.triangles[3 * t + k] + 3);
  let smallest = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 3; k++) {
    const [a, b, c] = [corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]];
    const [ux, uy, vx, vy] = [q[b] - q[a], q[b + 1] - q[a + 1], q[c] - q[a], q[c + 1] - q[a + 1]];
    smallest = Math.min(smallest, Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy));
  }
  return smallest;
}
