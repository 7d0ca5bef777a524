/**
 * A rope of 1 m and 20 g with ten times its mass at the tip, held at the other end and let go from horizontal. What it
 * stretches is the tension of a pendulum over EA, however many nodes it has:
 *
 *   T̄ = M (g cos φ + v²/L) + m (g cos φ/2 + v²/(3L)),   ΔL/L = T̄/EA        mean over the rope, at the angle φ
 *
 *   M, m  mass at the tip, of the rope [kg]     L  length [m]     v  speed of the tip [m/s]     EA  stretch stiffness [N]
 *
 * Looked at is the swing: down, through the bottom and up to where the rope would go slack on the far side. When it is
 * caught from there it jerks, as a real one does, and T̄ is no longer the law.
 */
import type { World } from 'heddle';
import { MATERIAL_PRESETS } from 'heddle/model';
import { expect, test } from 'vitest';
import { createWorld, readVector } from './measure.ts';

const [L, M, m, g] = [1, 0.2, 0.02, 9.81];
const RADIUS = 1e-3;

/** The pendulum turns back on the far side at 2 × 0.587 s. */
const SWING = 1.15;

interface Method {
  readonly step: number;
  readonly integrator: 'euler' | 'sdirk2';
  readonly newtonIterations?: 'default';
}

/** Damps the jingling of the tip on the rope's spring (45 Hz at 5 GPa) within a few steps. */
const STIFF: Method = { step: 1 / 240, integrator: 'euler' };

/** Keeps it, and the energy. */
const TRUE: Method = { step: 1 / 1000, integrator: 'sdirk2' };

function createRope(nodes: number, youngsModulus: number, method: Method): World {
  const { step, integrator, newtonIterations = 20 } = method;
  return createWorld({
    gravity: [0, -g, 0],
    objects: [
      {
        type: 'strand',
        id: 'rope',
        material: { radius: RADIUS, linearDensity: m / L, youngsModulus, bendingStiffness: 0 },
        points: [
          [0, 0, 0],
          [L, 0, 0],
        ],
        nodes,
        masses: [{ at: 'end', mass: M }],
      },
    ],
    drivers: [{ type: 'pin', on: { object: 'rope', at: 'start' } }],
    probes: [
      { id: 'tip', type: 'position', on: { object: 'rope', at: 'end' } },
      { id: 'speed', type: 'velocity', on: { object: 'rope', at: 'end' } },
    ],
    time: { step, duration: SWING, integrator },
    solver: newtonIterations === 'default' ? {} : { newtonIterations },
  });
}

function computeLengthStrain(world: World): number {
  const { x } = world.frame().objects[0];
  let length = 0;
  for (let i = 3; i < x.length; i += 3) length += Math.hypot(x[i] - x[i - 3], x[i + 1] - x[i - 2], x[i + 2] - x[i - 1]);
  return length / L - 1;
}

interface Swing {
  readonly lengthStrain: number;
  /** Of any segment in any step. */
  readonly segmentStrain: number;
  /** Length strain over T̄/EA, both averaged while the tip is within 45° of the bottom. */
  readonly overPendulum: number;
  /** Speed of the tip when it passes the bottom, and when [s]. */
  readonly speed: number;
  readonly time: number;
  /** Over that at the start: largest gain, and the loss in the end [J]. */
  readonly gain: number;
  readonly loss: number;
}

function swing(world: World, EA: number): Swing {
  const start = world.energy().total;
  let [lengthStrain, segmentStrain, gain, speed, time] = [0, 0, -Infinity, 0, 0];
  let [measured, predicted] = [0, 0];
  let before = { x: L, speed: 0, time: 0 };
  while (world.time < SWING) {
    world.step();
    const strain = computeLengthStrain(world);
    lengthStrain = Math.max(lengthStrain, strain);
    segmentStrain = Math.max(segmentStrain, world.maxStrain());
    gain = Math.max(gain, world.energy().total - start);
    const [x, y] = readVector(world, 'tip');
    const v = Math.hypot(...readVector(world, 'speed'));
    const cosine = -y / Math.hypot(x, y);
    if (cosine > Math.SQRT1_2) {
      measured += strain;
      predicted += (M * (g * cosine + v ** 2 / L) + m * ((g * cosine) / 2 + v ** 2 / (3 * L))) / EA;
    }
    if (before.x > 0 && x <= 0) {
      const share = before.x / (before.x - x);
      speed = before.speed + share * (v - before.speed);
      time = before.time + share * (world.time - before.time);
    }
    before = { x, speed: v, time: world.time };
  }
  const loss = start - world.energy().total;
  return { lengthStrain, segmentStrain, overPendulum: measured / predicted, speed, time, gain, loss };
}

const moduli = [
  ['2 mm nylon cord', MATERIAL_PRESETS.find(({ name }) => name === 'nylon-cord-2mm')!.youngsModulus!],
  ['2 mm cord, 5 GPa', 5e9],
  ['2 mm wire rope', MATERIAL_PRESETS.find(({ name }) => name === 'steel-wire-rope-4mm')!.youngsModulus!],
] as const;

for (const nodes of [64, 256]) {
  test.each(moduli)(`a rope that swings ten times its mass stretches by T/EA: ${nodes} nodes, %s`, (_, modulus) => {
    const EA = modulus * Math.PI * RADIUS ** 2;
    const { lengthStrain, segmentStrain, overPendulum, speed } = swing(createRope(nodes, modulus, STIFF), EA);
    // measured 0.9991 to 1.0006, and nothing in it depends on the nodes; a stiffness 1 % off does not pass
    expect(Math.abs(overPendulum - 1)).toBeLessThan(3e-3);
    // its largest value belongs to the bottom, where the held end bears the whole rope as well; the waves that run
    // along the rope add their share of m/M
    const bottom = (M * (g + speed ** 2 / L) + m * (g / 2 + speed ** 2 / (3 * L))) / EA;
    const top = (M * (g + speed ** 2 / L) + m * (g + speed ** 2 / (2 * L))) / EA;
    expect(Math.abs(lengthStrain / bottom - 1)).toBeLessThan(m / M);
    expect(Math.abs(segmentStrain / top - 1)).toBeLessThan(m / M);
  });

  test.each([
    ['implicit Euler at 60 Hz', { step: 1 / 60, integrator: 'euler' }],
    ['implicit Euler at 240 Hz', STIFF],
    ['SDIRK2 at 1 kHz', TRUE],
  ] as const)(
    `a 2 mm cord of 5 GPa that swings ten times its mass stretches by less than 1e-3: ${nodes} nodes, %s`,
    (_, method) => {
      const { lengthStrain, segmentStrain } = swing(createRope(nodes, 5e9, method), 5e9 * Math.PI * RADIUS ** 2);
      expect(lengthStrain).toBeGreaterThan(3e-4);
      expect(segmentStrain).toBeGreaterThan(lengthStrain);
      expect(segmentStrain).toBeLessThan(1e-3);
    },
  );

  // the linearised step adds 3e-4 by turning, in the mean over the rope and 1e-3 to a segment, or it is iterated away
  test.each([30, 60, 90, 120, 150, 180, 240, 1000])(
    `a 2 mm cord of 5 GPa that swings ten times its mass stretches by less than 7.5e-4 with the default Newton iterations: ${nodes} nodes, %i steps a second`,
    (rate) => {
      const method: Method = { step: 1 / rate, integrator: 'euler', newtonIterations: 'default' };
      const { lengthStrain, segmentStrain } = swing(createRope(nodes, 5e9, method), 5e9 * Math.PI * RADIUS ** 2);
      expect(lengthStrain).toBeGreaterThan(3e-4);
      expect(lengthStrain).toBeLessThan(7.5e-4);
      expect(segmentStrain).toBeLessThan(1.4e-3);
    },
  );

  test(`a rope that swings ten times its mass keeps its energy and a pendulum's time and speed: ${nodes} nodes`, () => {
    const { speed, time, gain, loss } = swing(createRope(nodes, 5e9, TRUE), 5e9 * Math.PI * RADIUS ** 2);
    // an L-stable method takes energy from waves shorter than its step can show, and never adds any
    expect(gain).toBeLessThan(1e-9);
    expect(loss).toBeLessThan(1e-3 * M * g * L);
    // rigid: v² = 2gL (M + m/2)/(M + m/3); of that the rope has the share (m/3)/(M + m/3) = 3.2 %, and what a flexible
    // one takes of it the tip lacks: v changes by at most half of that share
    const rigid = Math.sqrt((2 * g * L * (M + m / 2)) / (M + m / 3));
    expect(Math.abs(speed / rigid - 1)).toBeLessThan(m / 3 / (M + m / 3) / 2);
    // quarter of a period from 90°: K(sin 45°) √(L'/g), L' = L (M + m/3)/(M + m/2); −4.6e-4 at both numbers
    // of nodes is what the bow of the rope does, m/M times bow over L
    const quarter = 1.8540746773013719 * Math.sqrt((L * (M + m / 3)) / (M + m / 2) / g);
    expect(Math.abs(time / quarter - 1)).toBeLessThan(2e-3);
  });
}

test('a slack rope that catches a load jerks: ΔL/L = T₀/EA + √((T₀/EA)² + Δv² M/(EA L)), T₀ = M g', () => {
  // two legs of 0.5 m; the load falls freely by 1 − 0.8 m, the rope weighs a thousandth of it
  const [EA, drop] = [5e9 * Math.PI * RADIUS ** 2, 0.2];
  const world = createWorld({
    gravity: [0, -g, 0],
    objects: [
      {
        type: 'strand',
        id: 'rope',
        material: { radius: RADIUS, linearDensity: (1e-3 * M) / L, stretchStiffness: EA, bendingStiffness: 0 },
        points: [
          [0, 0, 0],
          [0.3, -0.4, 0],
          [0, -0.8, 0],
        ],
        nodes: 21,
        masses: [{ at: 'end', mass: M }],
      },
    ],
    drivers: [{ type: 'pin', on: { object: 'rope', at: 'start' } }],
    time: { step: 2e-4, duration: 1, integrator: 'sdirk2' },
  });
  let strain = 0;
  while (world.time < 0.23) {
    world.step();
    strain = Math.max(strain, computeLengthStrain(world));
  }
  const rest = (M * g) / EA;
  const law = rest + Math.sqrt(rest ** 2 + (2 * g * drop * M) / (EA * L));
  expect(Math.abs(strain / law - 1)).toBeLessThan(0.02);
});
