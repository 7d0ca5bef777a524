/**
 * Arrows: the forces in a frame are all that acts on a strand from outside but gravity. At rest they carry its weight,
 *     Σ f_contact + Σ f_constraint = − m g
 * and in a step of implicit Euler without E-nodes they change its momentum,   p₁ − p₀ = h (Σ f + m g),   to rounding.
 */
import type { ForceFrame, Frame, World } from 'heddle';
import { describe, expect, test } from 'vitest';
import { createCrossingWorld, pin } from './crossing-scenes.ts';
import { createWorld, distance, readVector, run } from './measure.ts';
import { computeDepth, countEdges, G, RADIUS, ROPE, type StrandInput, strandOf } from './touch-scenes.ts';

const sum = (frame: Frame, kind?: ForceFrame['kind']): number[] => {
  const total = [0, 0, 0];
  for (const { kind: own, f } of frame.forces)
    if ((kind ?? own) === own) for (let k = 0; k < f.length; k++) total[k % 3] += f[k];
  return total;
};

const momentum = (world: World): number[] => {
  const out = new Float64Array(6);
  strandOf(world).addMomentum(out);
  return [...out.subarray(0, 3)];
};

const rope = (points: [number, number, number][], more: Partial<StrandInput> = {}): StrandInput => ({
  type: 'strand',
  id: 'rope',
  material: ROPE,
  points,
  nodes: 41,
  damping: { mass: 5, stiffness: 1e-3 },
  ...more,
});

/** A table whose top is y = 0 and whose edge is x = 0; the rope lies on it and hangs over the edge. */
const TABLE = { id: 'table', shape: { type: 'box' as const, size: [2, 1, 2] as [number, number, number] }, position: [-1, -0.5, 0] as [number, number, number] }; // biome-ignore format: one line
const OVER_EDGE: [number, number, number][] = [
  [-0.5, RADIUS, 0],
  [0, RADIUS, 0],
  [RADIUS, 0, 0],
  [RADIUS, -0.4, 0],
];

const weigh = (world: World): number => {
  const { chain, restLength } = strandOf(world).state;
  return chain.material.linearDensity * restLength * G;
};

test('two pins carry the weight of a hanging strand, each along the strand', () => {
  const world = createWorld({
    objects: [rope([[0, 0, 0], [0.4, -0.5, 0], [1, 0.2, 0]])], // biome-ignore format: points
    drivers: [pin('rope', 'start'), pin('rope', 'end')],
    time: { step: 5e-3, duration: 20 },
  });
  run(world, 2000);
  const frame = world.frame();
  expect(frame.forces.map(({ kind, id }) => [kind, id])).toEqual([['constraint', 'rope']]);
  expect(distance(sum(frame), [0, weigh(world), 0])).toBeLessThan(1e-9);
  const [{ x, f }] = frame.forces;
  const [curve] = frame.objects;
  const last = curve.x.length - 3;
  expect([...x]).toEqual([...curve.x.subarray(0, 3), ...curve.x.subarray(last)]);
  // a strand without bending pulls along its last segment; the pin pulls back
  for (const [at, end, next] of [
    [0, 0, 3],
    [3, last, last - 3],
  ]) {
    // biome-ignore format: pairs
    const along = [0, 1, 2].map((k) => curve.x[end + k] - curve.x[next + k]);
    // but for the weight of half a segment, which the end bears itself
    const force = [0, 1, 2].map((k) => f[at + k] - (k === 1 ? weigh(world) / 80 : 0));
    const cosine = along.reduce((s, a, k) => s + a * force[k], 0) / Math.hypot(...along) / Math.hypot(...force);
    expect(cosine).toBeGreaterThan(1 - 1e-9);
  }
});

describe('a rope pinned on a table and hanging over its edge, at rest', () => {
  for (const [
    name,
    mode,
    friction,
  ] of [['sliding', 'eol', 0], ['rough', 'eol', 0.4], ['Lagrangian', 'lagrangian', 0]] as const) // biome-ignore format: one line
    test(`${name}: contacts and pin carry its weight, contacts are what the table's probe says`, () => {
      const world = createWorld({
        objects: [rope(OVER_EDGE, { mode, material: { ...ROPE, friction } })],
        bodies: [TABLE],
        drivers: [pin('rope', 'start')],
        probes: [
          { id: 'table', type: 'contactForce', body: 'table' },
          { id: 'pin', type: 'constraintForce', on: { object: 'rope', at: 'start' } },
        ],
        time: { step: 5e-3, duration: 20 },
      });
      run(world, 3000);
      const frame = world.frame();
      const table = readVector(world, 'table');
      expect(distance(sum(frame), [0, weigh(world), 0])).toBeLessThan(1e-6);
      expect(Math.hypot(...table)).toBeGreaterThan(0.1);
      expect(distance(sum(frame, 'contact'), table.map((x) => -x))).toBeLessThan(1e-12); // biome-ignore format: one line
      expect(distance(sum(frame, 'constraint'), readVector(world, 'pin'))).toBeLessThan(1e-12);
      if (mode !== 'eol') return;
      // the arrow at the edge: up and away from the corner, as large as what hangs there asks
      expect(countEdges(world)).toBe(1);
      const { x, f } = frame.forces.find(({ kind }) => kind === 'contact')!;
      const at = 3 * Array.from({ length: x.length / 3 }, (_, i) => i).find((i) => Math.abs(x[3 * i]) < 2 * RADIUS)!;
      expect(Math.abs(x[at + 1])).toBeLessThan(2 * RADIUS);
      expect(f[at]).toBeGreaterThan(0);
      expect(f[at + 1]).toBeGreaterThan(0.5 * ROPE.linearDensity * 0.4 * G);
      expect(computeDepth(world)).toBeLessThan(1e-9);
    });
});

describe('every step changes the momentum by h (Σ f + m g)', () => {
  for (const [name, friction, motion] of [
    ['slides down a smooth slope', 0, 'static'],
    ['slides down a rough slope', 0.2, 'static'],
    ['falls on a free plate', 0.2, 'dynamic'],
  ] as const)
    test(`and so it does for a rope that ${name}`, () => {
      const angle = motion === 'static' ? 30 : 0;
      const [s, c] = [Math.sin((angle * Math.PI) / 180), Math.cos((angle * Math.PI) / 180)];
      // points along z on the slope, which falls towards −x
      const place = (z: number): [number, number, number] => [-0.1 * c - (RADIUS + 1e-3) * s, -0.1 * s + (RADIUS + 1e-3) * c, z]; // biome-ignore format: one line
      const world = createWorld({
        objects: [rope([place(-0.3), place(0.3)], { nodes: 11, material: { ...ROPE, friction }, damping: { mass: 0, stiffness: 0 } })], // biome-ignore format: one line
        bodies: [
          {
            id: 'slope',
            shape: { type: 'box', size: [20, 1, 2] },
            position: [0.5 * s, -0.5 * c, 0],
            rotation: { axis: [0, 0, 1], angle },
            motion,
            ...(motion === 'dynamic' ? { mass: 3, velocity: [0.3, 0.2, 0] } : {}),
          },
        ],
        time: { step: 2e-3, duration: 20 },
      });
      const m = ROPE.linearDensity * 0.6;
      const h = 2e-3;
      let [largest, off] = [0, 0];
      for (let n = 0; n < 150; n++) {
        const before = momentum(world);
        world.step();
        const after = momentum(world);
        const f = sum(world.frame());
        largest = Math.max(largest, Math.hypot(...f));
        off = Math.max(off, distance(after, before.map((p, k) => p + h * (f[k] - (k === 1 ? m * G : 0))))); // biome-ignore format: one line
      }
      expect(largest).toBeGreaterThan(0.5 * m * G);
      expect(off).toBeLessThan(1e-9 * m);
    });
});

test('a tie pulls a strand down by the weight that hangs on it, and the pin bears both', () => {
  const world = createWorld({
    objects: [rope([[0, 0, 0], [0, -0.5, 0]], { nodes: 11 })], // biome-ignore format: points
    bodies: [{ id: 'load', shape: { type: 'box', size: [0.1, 0.1, 0.1] }, motion: 'dynamic', mass: 0.3, position: [0, -0.55, 0] }], // biome-ignore format: one line
    drivers: [pin('rope', 'start'), { type: 'tie', on: { object: 'rope', at: 'end' }, body: 'load' }],
    time: { step: 5e-3, duration: 20 },
  });
  run(world, 1500);
  const { forces } = world.frame();
  expect(forces.map(({ kind }) => kind)).toEqual(['constraint']);
  expect(forces[0].f.length).toBe(6);
  expect(distance([...forces[0].f.subarray(0, 3)], [0, weigh(world) + 0.3 * G, 0])).toBeLessThan(1e-6);
  expect(distance([...forces[0].f.subarray(3)], [0, -0.3 * G, 0])).toBeLessThan(1e-6);
});

test('strands that cross push each other with equal and opposite forces, at the crossing', () => {
  const { world } = createCrossingWorld({
    objects: [
      rope([[-0.5, 0, 0], [0.5, 0, 0]], { id: 'below', nodes: 11 }),
      rope([[0, 0.1, -0.5], [0, 0.1, 0.5]], { id: 'above', nodes: 11 }),
    ], // biome-ignore format: points
    drivers: [pin('below', 'start'), pin('below', 'end')],
    time: { step: 2e-3, duration: 20 },
  });
  run(world, 100);
  const frame = world.frame();
  const below = frame.forces.filter(({ kind, id }) => kind === 'contact' && id === 'below');
  const above = frame.forces.filter(({ kind, id }) => kind === 'contact' && id === 'above');
  expect(below.length).toBe(1);
  expect([...below[0].f]).toEqual([...above[0].f].map((f) => -f));
  expect(above[0].f[1]).toBeGreaterThan(0);
  expect(distance([...below[0].x.subarray(0, 3)], [...above[0].x.subarray(0, 3)])).toBeLessThan(2.01 * RADIUS);
});

test('a saved world shows the same forces', () => {
  const create = () =>
    createWorld({
      objects: [rope(OVER_EDGE, { material: { ...ROPE, friction: 0.3 } })],
      bodies: [TABLE],
      drivers: [pin('rope', 'start')],
      time: { step: 5e-3, duration: 20 },
    });
  const world = create();
  run(world, 100);
  const other = create();
  other.load(world.save());
  expect(world.frame().forces.length).toBe(2);
  expect(other.frame().forces).toEqual(world.frame().forces);
});
