/**
 * A cloth of 1 × 1 m drawn over the edge of a box at a constant speed, its rear side held back by a constant force, and what is read off it:
 * for laws and tables of sheets on edges.
 */
import { createForce, createVelocity, World } from 'heddle/world';
import { DENSITY, HALF, layOver } from './lay-over.ts';
import { SheetWatch } from './sheet-watch.ts';

const STRIDE = 5;
/** [m/s²] */
const GRAVITY = 0.5;
/** Speed [m/s], force that holds back [N], length that hangs at the start [m], weight of a metre of it [N/m]. */
export const SPEED = 0.4;
export const LOAD = 2;
export const HANGING = 0.37;
export const WEIGHT = DENSITY * GRAVITY;

export interface Run {
  /** Force that draws, at each step [N]. */
  readonly pull: number[];
  readonly depth: number;
  /** Largest distance of an E-vertex that is on it from the edge's line [m]. */
  readonly off: number;
  /** Of a triangle in the material [°]; negative where one is inverted. */
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
  const { sheet, box, rear, front } = layOver(n, n, 1, hanging, stiffness, GRAVITY, 0, 2e-3, { mode, remesher });
  const { state } = sheet;
  for (let i = 0; i < state.count; i++) {
    const isHanging = state.q[STRIDE * i + 3] > 1 - hanging;
    state.v[STRIDE * i + (isHanging ? 1 : 0)] = isHanging ? -SPEED : SPEED;
  }
  const drivers = front.flatMap((ahead, r) => {
    const share = (r === 0 || r === n ? 0.5 : 1) / n;
    return [
      createVelocity({ model: sheet, label: ahead }, [0, -SPEED, 0]),
      createForce({ model: sheet, label: rear[r] }, [-LOAD * share, 0, 0]),
    ];
  });
  const world = new World({ models: [sheet], bodies: [box], drivers, timeStep: step });
  const pull: number[] = [];
  const watch = new SheetWatch([sheet]);
  let [off, rejected, rescues, fallbacks] = [0, 0, 0, 0];
  for (let k = 0; k < steps; k++) {
    const report = world.step();
    rejected += report.rejected;
    rescues += report.rescues;
    fallbacks += report.fallbacks;
    if (!Number.isFinite(world.energy().total)) throw new Error(`not finite after step ${k + 1}`);
    pull.push(front.reduce((sum, label) => sum - sheet.holds.reaction[STRIDE * state.indexOf(label) + 1], 0));
    watch.look();
    for (let i = 0; i < state.count; i++)
      if (state.isOnSite(i))
        off = Math.max(off, Math.hypot(state.q[STRIDE * i] - HALF, state.q[STRIDE * i + 1] - HALF));
  }
  const area = state.area.reduce((sum, one) => sum + one, 0);
  const { deepest: depth, sharpest: smallestAngle } = watch;
  return { pull, depth, off, smallestAngle, area, remeshings: state.remeshings, rejected, rescues, fallbacks };
}
