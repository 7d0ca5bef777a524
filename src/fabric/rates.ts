/**
 * Acceleration and jerk of a step, and where they lead the next one:
 *
 *     v = v̂ + h b        b = a + s h j        a = (v − v̂)/h        j = (a − a')/h        s = 1 − (1 − σ)²,  σ = max(0, 2 j·j'/(j² + j'²))
 *
 * a' and j' are those of the step before. Where cloth chatters, on a body or along its own yarns, j turns round from step to step, and a guess that carries it on would keep that going: there s is 0. It is 1
 * where j hardly changes (0.96 where it doubles), has no jump, which would break symmetries, and does not depend on the frame: x, u and v have one each.
 */
import type { FabricState } from './state.ts';

/** `isSmooth`: whether the step of length h went where the last ones led; where it did not there is no jerk. */
export function writeRates(state: FabricState, h: number, isSmooth: boolean): void {
  const { v, vStart, acceleration, jerk, lead, count } = state;
  const rate = 1 / h;
  for (let i = 0; i < count; i++)
    for (let from = 5 * i, to = from + 3; from < 5 * i + 5; from = to++) {
      let product = 0;
      let squares = 0;
      for (let k = from; k < to; k++) {
        const now = rate * (v[k] - vStart[k]);
        const change = isSmooth ? rate * (now - acceleration[k]) : 0;
        product += change * jerk[k];
        squares += change * change + jerk[k] * jerk[k];
        acceleration[k] = now;
        jerk[k] = change;
      }
      const off = squares > 0 ? 1 - Math.max(0, (2 * product) / squares) : 1;
      const share = h * (1 - off * off);
      for (let k = from; k < to; k++) lead[k] = acceleration[k] + share * jerk[k];
    }
}
