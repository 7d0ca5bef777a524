/** The linear system of one Newton iteration of a fabric: all terms, and coordinates that are not free. */
import type { CompiledAssembly } from './compiled-assembly.ts';
import { addSegments } from './segments.ts';
import type { FabricStage, FabricSystem } from './stage.ts';
import type { FabricState } from './state.ts';
import type { Stencils } from './stencils.ts';
import type { FabricTerms } from './terms.ts';
import type { FabricTouch } from './touch.ts';

/** Overwrites the system with that of the present iterate. */
export function writeSystem(
  state: FabricState,
  stencils: Stencils,
  terms: FabricTerms,
  touch: FabricTouch,
  stage: FabricStage,
  system: FabricSystem,
  compiled: CompiledAssembly | undefined,
): void {
  const { push, count } = state;
  const { values, rhs, sideForce } = system;
  const hasPlain = compiled?.write(state, stage, system) ?? false;
  if (!hasPlain) {
    values?.fill(0);
    rhs.fill(0);
    sideForce?.fill(0);
    addSegments(state, stencils, stage, values, rhs, sideForce);
  }
  terms.add(state, stencils, stage, system, hasPlain);
  touch.add(stencils, stage, system);
  for (let i = 0; i < count; i++)
    for (let k = 0; k < 3; k++) if (push[3 * i + k] !== 0) rhs[5 * i + k] += stage.h * push[3 * i + k];
}

/** Unit rows and columns, zero right-hand sides, for coordinates that are not free. */
export function cancelHeld(
  { cancelled }: FabricState,
  { pattern }: Stencils,
  values: Float64Array,
  rhs: Float64Array,
): void {
  const { columnStart, rows, n } = pattern;
  for (let j = 0; j < n; j++) {
    const own = cancelled[j];
    for (let slot = columnStart[j]; slot < columnStart[j + 1]; slot++) {
      const other = cancelled[rows[slot]];
      if (own === 0 && other === 0) continue;
      const at = 25 * slot;
      for (let k = 0; k < 5; k++) {
        if (other & (1 << k)) for (let c = 0; c < 5; c++) values[at + 5 * k + c] = 0;
        if (own & (1 << k)) for (let r = 0; r < 5; r++) values[at + 5 * r + k] = 0;
      }
    }
    if (own === 0) continue;
    const D = 25 * columnStart[j];
    for (let k = 0; k < 5; k++)
      if (own & (1 << k)) {
        values[D + 6 * k] = 1;
        rhs[5 * j + k] = 0;
      }
  }
}
