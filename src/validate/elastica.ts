/** The planar elastica, by shooting: what rods and strips that bend under weight and load are compared with. It shares nothing with the engine. */

/** A planar elastica from its free end: turned φ from the direction of the load, and how far along and across it, at even distances. */
export interface Elastica {
  readonly phi: Float64Array;
  readonly along: Float64Array;
  readonly across: Float64Array;
}

/**
 * φ″ = (Γ t + P) sin φ, φ′(0) = 0, φ(1) = `end`: a rod of length 1 and EI = 1 with weight Γ and tip load P in one direction, t from the tip,
 * φ from that direction. Runge–Kutta of fourth order; φ(0) is found by bisection of its logarithm.
 */
export function shootElastica(weight: number, load: number, end: number, steps = 4000): Elastica {
  let [low, high] = [Math.log(1e-18), Math.log(end)];
  for (let n = 0; n < 200; n++) {
    const middle = 0.5 * (low + high);
    const { phi } = integrateElastica(weight, load, Math.exp(middle), steps, end + 1);
    if (phi[steps] > end) high = middle;
    else low = middle;
  }
  return integrateElastica(weight, load, Math.exp(0.5 * (low + high)), steps, 10);
}

function integrateElastica(weight: number, load: number, tip: number, steps: number, most: number): Elastica {
  const phi = new Float64Array(steps + 1);
  const along = new Float64Array(steps + 1);
  const across = new Float64Array(steps + 1);
  phi[0] = tip;
  const h = 1 / steps;
  let rate = 0;
  for (let n = 0; n < steps; n++) {
    const t = n * h;
    const pull = (time: number, angle: number) => (weight * time + load) * Math.sin(angle);
    const [p0, r0] = [phi[n], rate];
    const k1 = pull(t, p0);
    const [p1, r1] = [p0 + 0.5 * h * r0, r0 + 0.5 * h * k1];
    const k2 = pull(t + 0.5 * h, p1);
    const [p2, r2] = [p0 + 0.5 * h * r1, r0 + 0.5 * h * k2];
    const k3 = pull(t + 0.5 * h, p2);
    const [p3, r3] = [p0 + h * r2, r0 + h * k3];
    phi[n + 1] = p0 + (h / 6) * (r0 + 2 * r1 + 2 * r2 + r3);
    rate += (h / 6) * (k1 + 2 * k2 + 2 * k3 + pull(t + h, p3));
    const between = (p0 + phi[n + 1]) / 2 + (h / 8) * (r0 - rate);
    along[n + 1] = along[n] + (h / 6) * (Math.cos(p0) + 4 * Math.cos(between) + Math.cos(phi[n + 1]));
    across[n + 1] = across[n] + (h / 6) * (Math.sin(p0) + 4 * Math.sin(between) + Math.sin(phi[n + 1]));
    if (phi[n + 1] > most) {
      phi.fill(most, n + 1);
      break;
    }
  }
  return { phi, along, across };
}

/** Tip seen from the clamp: along the load and across it. */
export const measureTip = ({ along, across }: Elastica): [number, number] => [
  along[along.length - 1],
  across[across.length - 1],
];
