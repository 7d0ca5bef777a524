/**
 * Acceleration and jerk of a step, from which the next one starts:
 *
 *     v = v̂ + h (a + h j)        a = (v − v̂)/h        j = s (a − a')/h        s = 1 − (1 − σ)²,  σ = max(0, 2 a·a'/(a² + a'²))
 *
 * a' is that of the step before. Where cloth chatters on a body a turns round from step to step, and a guess that carries its change on would keep it going: there s is 0. It is 1 where a hardly changes
 * (0.96 where it doubles), has no jump, which would break symmetries, and does not depend on the frame: x, u and v have one each.
 */
import type { FabricState } from './state.ts';

/** `rate`: 1/h. `isSmooth`: whether the step went where the last ones led; where it did not there is no jerk. */
export function writeRates(state: FabricState, rate: number, isSmooth: boolean): void {
  const { v, vStart, acceleration, jerk, count } = state;
  for (let i = 0; i < count; i++)
    for (let from = 5 * i, to = from + 3; from < 5 * i + 5; from = to++) {
      let product = 0;
      let squares = 0;
      for (let k = from; k < to; k++) {
        const last = acceleration[k];
        const now = rate * (v[k] - vStart[k]);
        acceleration[k] = now;
        jerk[k] = now - last;
        product += now * last;
        squares += now * now + last * last;
      }
      const off = squares > 0 ? 1 - Math.max(0, (2 * product) / squares) : 1;
      const share = isSmooth ? rate * (1 - off * off) : 0;
      for (let k = from; k < to; k++) jerk[k] *= share;
    }
}
