/**
 * Ropes over guides: Atwood's machine, pulleys with inertia, friction at edges and rounds with true sticking [theory/curves#friction-at-a-corner].
 */

import type { Vec3 } from 'heddle/math';
import type { Strand } from 'heddle/strand';
import { measureDrop, RUN_IN } from 'heddle/validate';
import { expect, test } from 'vitest';
import { createWorld, readProbe } from './measure.ts';

const G = 9.81;

for (const [m1, m2] of [
  [0.2, 0.3],
  [0.25, 0.26],
  [0.1, 0.5],
] as const)
  test(`weights on a rope over a frictionless guide accelerate with g (m₂ − m₁)/(m₁ + m₂), ${m1} and ${m2} kg`, () => {
    const { acceleration } = measureDrop({ masses: [m1, m2], guides: [{ point: [0, 0, 0] }] }, 0.15);
    expect(acceleration / ((G * (m2 - m1)) / (m1 + m2))).toBeCloseTo(1, 2);
  });

for (const inertia of [0.001, 0.004])
  test(`weights on a rope over a pulley accelerate with g (m₂ − m₁)/(m₁ + m₂ + I/R²), I = ${inertia} kg m²`, () => {
    const [m1, m2, radius] = [0.2, 0.35, 0.1];
    const { acceleration } = measureDrop({
      masses: [m1, m2],
      guides: [{ point: [0, 0, 0], pulley: { radius, inertia } }],
    });
    const predicted = (G * (m2 - m1)) / (m1 + m2 + inertia / radius ** 2);
    expect(Math.abs(acceleration / predicted - 1)).toBeLessThan(5e-3);
  });

for (const inertia of [0, 0.004])
  test(`weights on a heavy rope over a pulley move as x = Δm/(2ρA) (cosh κt − 1), κ² = 2 ρA g/M, M with I/R², I = ${inertia} kg m²`, () => {
    const [m1, m2, rhoA, radius] = [0.2, 0.25, 0.4, 0.1];
    const total = m1 + m2 + rhoA * 1.2 + inertia / radius ** 2;
    const kappa = Math.sqrt((2 * rhoA * G) / total);
    const guide = { point: [0, 0, 0] as Vec3, ...(inertia > 0 && { pulley: { radius, inertia } }) };
    const { drop } = measureDrop({ masses: [m1, m2], linearDensity: rhoA, guides: [guide], step: 2.5e-4 });
    const predicted = ((m2 - m1) / (2 * rhoA)) * (Math.cosh(kappa * (RUN_IN + 0.25)) - 1);
    expect(Math.abs(drop / predicted - 1)).toBeLessThan(0.01);
  });

for (const mu of [0.1, 0.2, 0.3])
  for (const side of [0.9, 1.1, 1.5])
    test(`a rope round half a post sticks below T₂/T₁ = exp(μπ) and slips above, μ = ${mu}, load ${side} × the limit`, () => {
      const ratio = Math.exp(mu * Math.PI);
      const [m1, m2] = [0.1, 0.1 * ratio * side];
      const machine = {
        masses: [m1, m2] as const,
        guides: [{ point: [0, 0, 0] as Vec3, friction: mu, law: 'round' as const }],
      };
      const { slid, acceleration } = measureDrop(machine);
      if (side < 1) expect(slid).toBe(0);
      else expect(acceleration / ((G * (m2 - ratio * m1)) / (m2 + ratio * m1))).toBeCloseTo(1, 1.7);
    });

for (const mu of [0.1, 0.3, 0.6])
  for (const side of [0.9, 1.1, 1.5])
    test(`a rope sticks below T₂/T₁ = (cos ½d + μ sin ½d)/(cos ½d − μ sin ½d) at each of two edges and slips above, μ = ${mu}, load ${side} × the limit`, () => {
      const ratio = ((1 + mu) / (1 - mu)) ** 2;
      const [m1, m2] = [0.1, 0.1 * ratio * side];
      const machine = {
        masses: [m1, m2] as const,
        guides: [
          { point: [0, 0, 0] as Vec3, friction: mu },
          { point: [0.4, 0, 0] as Vec3, friction: mu },
        ],
      };
      const { slid, acceleration } = measureDrop(machine);
      if (side < 1) expect(slid).toBe(0);
      else expect(acceleration / ((G * (m2 - ratio * m1)) / (m2 + ratio * m1))).toBeCloseTo(1, 1.7);
    });

test('many small corners tend to the capstan law', () => {
  const mu = 0.25;
  const threshold = (corners: number) => {
    // the load at which the rope just slips, by bisection on sticking
    let [low, high] = [1, 6];
    for (let k = 0; k < 7; k++) {
      const middle = (low + high) / 2;
      const guides = Array.from({ length: corners }, (_, i) => {
        const angle = (Math.PI * (i + 0.5)) / corners;
        return { point: [-0.1 * Math.cos(angle), 0.1 * Math.sin(angle), 0] as Vec3, friction: mu };
      });
      const { slid } = measureDrop({ masses: [0.1, 0.1 * middle], guides }, 0.1);
      if (slid === 0) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  };
  const capstan = Math.exp(mu * Math.PI);
  const [few, many] = [threshold(3), threshold(8)];
  expect(Math.abs(many / capstan - 1)).toBeLessThan(0.04);
  expect(Math.abs(many / capstan - 1)).toBeLessThan(Math.abs(few / capstan - 1));
});

test('a rope that slips over an edge sticks when the turn grows until μ tan ½d ≥ 1', () => {
  const world = createWorld({
    objects: [
      {
        type: 'strand',
        id: 'rope',
        material: { radius: 0.002, linearDensity: 0.01, stretchStiffness: 1e4, bendingStiffness: 0 },
        points: [
          [-0.4, -0.3, 0],
          [0, 0, 0],
          [0.5, -0.4, 0],
        ],
        nodes: 12,
        guides: [{ id: 'edge', point: [0, 0, 0], friction: 0.25 }],
        masses: [
          { at: 'start', mass: 0.1 },
          { at: 'end', mass: 2 },
        ],
        damping: { mass: 1, stiffness: 3e-3 },
      },
    ],
    probes: [{ id: 'slide', type: 'materialSpeed', on: { object: 'rope', guide: 'edge' } }],
    time: { step: 2e-3, duration: 1 },
  });
  const { state } = world.models[0] as Strand;
  const computeTurn = () => {
    const { q } = state.chain;
    const at = 4 * state.indexOf(state.guides[0].label);
    const [before, behind] = [at - 4, at].map((from) => [0, 1, 2].map((k) => q[from + 4 + k] - q[from + k]));
    const cosine =
      before.reduce((sum, x, k) => sum + x * behind[k], 0) / (Math.hypot(...before) * Math.hypot(...behind));
    return Math.acos(cosine);
  };
  // both sides swing as pendulums, through the vertical and on: tan ½d passes 4 at d = 152°, on the way there and back
  let [fastest, last, stuck] = [0, 0, 0];
  for (let n = 0; n < 200; n++) {
    world.step();
    const grip = 0.25 * Math.tan(computeTurn() / 2);
    if (Math.min(last, grip) >= 1) {
      expect(readProbe(world, 'slide')).toBe(0);
      stuck++;
    } else if (stuck === 0) fastest = Math.max(fastest, Math.abs(readProbe(world, 'slide')));
    last = grip;
  }
  expect(fastest).toBeGreaterThan(1);
  expect(stuck).toBeGreaterThan(15);
});
