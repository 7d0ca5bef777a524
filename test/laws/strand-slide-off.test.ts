/**
 * A rope of length L lies on a box without friction, x₀ of it over the edge, and starts from rest. Its tension moves all of it,
 *     ẍ = g x/L,   x = x₀ cosh(√(g/L) t)
 * At the edge the tension T = ρA g x (L − x)/L turns the momentum ρA v² round the corner. Where that takes more than T the
 * edge would have to pull, which it cannot:  T = ρA v²,  v² = (g/L)(x² − x₀²)   ⇒   x₁ = (L + √(L² + 8 x₀²))/4
 * There the rope leaves the edge and flies on: nothing pushes it sideways any more, so its horizontal momentum stays above
 * or at that of this moment, p₁ = ρA (L − x₁) v₁. (A rope that a guide holds would follow the law of cosh until its end is
 * through, and lose all of p.)
 */
import { Strand } from 'heddle/strand';
import { describe, expect, test } from 'vitest';
import { createWorld, readProbe } from './measure.ts';

const R = 0.004;
const RHO = 0.05;
const G = 9.81;
const L = 1;

function slideOff(nodes: number, h: number, x0: number) {
  const world = createWorld({
    objects: [
      {
        type: 'strand',
        id: 'rope',
        material: { radius: R, linearDensity: RHO, stretchStiffness: 2e4, bendingStiffness: 0, friction: 0 },
        points: [
          [R - (L - x0), R, 0],
          [R, R, 0],
          [R, R - x0, 0],
        ],
        nodes,
      },
    ],
    bodies: [{ id: 'box', shape: { type: 'box', size: [2, 3, 0.3] }, position: [-1, -1.5, 0] }],
    probes: [
      { id: 'p', type: 'momentum' },
      { id: 'count', type: 'counts' },
    ],
    time: { step: h, duration: 1, integrator: 'sdirk2' },
  });
  const { state } = world.models.find((model) => model instanceof Strand)!;
  /** Length over the edge, as the E-node says. */
  const overhang = (): number => L - state.chain.q[4 * state.indexOf(state.guides[0].label) + 3];
  return { world, state, overhang };
}

const CASES = [0.2, 0.3].flatMap((x0) => [6, 21, 81].flatMap((nodes) => [0.004, 0.002].map((h) => ({ x0, nodes, h }))));

describe.each(CASES)('a rope sliding off an edge, $x0 m over it, $nodes nodes, step $h s', ({ x0, nodes, h }) => {
  const k = Math.sqrt(G / L);
  const x1 = (L + Math.sqrt(L * L + 8 * x0 * x0)) / 4;
  const p1 = RHO * (L - x1) * k * Math.sqrt(x1 * x1 - x0 * x0);

  test('follows x = x₀ cosh(√(g/L) t), leaves where the edge would have to pull, and flies on', () => {
    const { world, state, overhang } = slideOff(nodes, h, x0);
    const energy = world.energy().total;
    // what it gains by falling its own length; the release costs a few times more than the 2 % that no step may add
    const drop = RHO * G * L * 0.5 * L;
    let left = Number.NaN;
    for (let n = 0; n < Math.round(0.9 / h); n++) {
      const before = state.guides.length > 0 ? overhang() : Number.NaN;
      world.step();
      expect(world.energy().total - energy).toBeLessThan(0.02 * drop);
      if (Number.isNaN(left) && state.guides.length === 0) left = before;
      if (!Number.isNaN(left) || state.guides.length === 0) continue;
      const predicted = x0 * Math.cosh(k * world.time);
      // second order in h, and the strain ρA g x/EA of a rope that stretches: 2e-5
      if (predicted < x1) expect(Math.abs(overhang() / predicted - 1)).toBeLessThan(1e-4);
    }
    // not before it must; later by what the bend needs to grow to the size of a segment
    expect(left).toBeGreaterThan(0.995 * x1);
    expect(left).toBeLessThan(x1 + Math.max(0.06, 0.5 / (nodes - 1)));
    expect(readProbe(world, 'count.eulerian')).toBe(0);
    expect(readProbe(world, 'p.x')).toBeGreaterThan(0.9 * p1);
    // its end is off the box
    expect(state.chain.q[0]).toBeGreaterThan(0);
  });
});
