/**
 * What bodies allow the velocities of E-vertices to be, as rows: on an edge ẋ across it is that of the body and Ẋ along the crease
 * zero; at a corner ẋ is that of the body.   [eol-cloth-2017, Algorithm 3; as `creases.ts` holds them]
 */
import { NODE_LAGRANGIAN } from '../model/index.ts';
import type { SheetCreases } from './creases.ts';
import { SheetHolds } from './holds.ts';
import { HOLD_U, type SheetState, STRIDE } from './state.ts';
import { NO_ROWS, type VelocityRows } from './transfer.ts';

export function collectCreaseRows(state: SheetState, creases: SheetCreases): VelocityRows {
  if (!state.kind.some((kind) => kind !== NODE_LAGRANGIAN)) return NO_ROWS;
  const holds = new SheetHolds();
  holds.clear(state.count);
  // directions only: gaps do not count
  creases.addFrames(state, holds, 1, 1);
  const [start, columns, values, target]: [number[], number[], number[], number[]] = [[0], [], [], []];
  const speed = new Float64Array(3);
  for (let i = 0; i < state.count; i++) {
    if (state.kind[i] === NODE_LAGRANGIAN) continue;
    const { frames, bits, materialAxis } = holds;
    const frame = frames.find(i);
    creases.touch.bodies[state.siteBody[i]].writePointVelocity(state.q.subarray(STRIDE * i, STRIDE * i + 3), speed);
    for (let c = 0; c < frames.rank[frame]; c++) {
      let aim = 0;
      for (let k = 0; k < 3; k++) {
        const share = frames.axes[9 * frame + 3 * c + k];
        columns.push(STRIDE * i + k);
        values.push(share);
        aim += share * speed[k];
      }
      target.push(aim);
      start.push(columns.length);
    }
    if (!(bits[i] & HOLD_U)) continue;
    columns.push(STRIDE * i + 3, STRIDE * i + 4);
    values.push(materialAxis[2 * i], materialAxis[2 * i + 1]);
    target.push(0);
    start.push(columns.length);
  }
  const count = target.length;
  return {
    count,
    start: Int32Array.from(start),
    columns: Int32Array.from(columns),
    values: Float64Array.from(values),
    target: Float64Array.from(target),
    lower: new Float64Array(count).fill(Number.NEGATIVE_INFINITY),
    upper: new Float64Array(count).fill(Number.POSITIVE_INFINITY),
  };
}
