/**
 * Closed strands. A loop has no end and no beginning: where its chain of nodes is cut (the seam) and which point comes first
 * must not be seen in anything, and E-nodes pass the seam as they pass any other place.
 */
import { Strand } from 'heddle/strand';
import type { World } from 'heddle/world';
import { describe, expect, test } from 'vitest';
import { createWorld, distance, readProbe, readVector, run } from './measure.ts';

type Point = [number, number, number];
const RHO_A = 0.2;
const EA = 2000;
const material = (bendingStiffness: number) => ({
  radius: 0.004,
  linearDensity: RHO_A,
  stretchStiffness: EA,
  bendingStiffness,
});

/** n points of a circle of radius 1, the first `turn` of them put last. */
const circle = (n: number, turn = 0): Point[] =>
  Array.from({ length: n }, (_, i) => {
    const a = (2 * Math.PI * (i + turn)) / n;
    return [Math.cos(a), Math.sin(a), 0];
  });

/** The same points, begun with another one. */
const begin = <T>(values: readonly T[], first: number): T[] => [...values.slice(first), ...values.slice(0, first)];

test('a closed strand falls freely as a point does, its shape unchanged', () => {
  const points: Point[] = [
    [0, 0, 0],
    [1, 0.2, 0.1],
    [0.7, 0.9, -0.2],
    [0.1, 0.8, 0.3],
  ];
  // nodes at the corners, so that no segment starts compressed
  const arc = [0];
  for (let i = 0; i < 4; i++) arc.push(arc[i] + distance(points[i], points[(i + 1) % 4]));
  const nodes = arc.map((s) => s / arc[4]);
  const world = createWorld({
    objects: [
      { type: 'strand', id: 'loop', material: material(0), closed: true, points, nodes, velocity: [0.3, 1, 0] },
    ],
    probes: [
      { id: 'P', type: 'momentum' },
      { id: 'a', type: 'position', on: { object: 'loop', at: 0 } },
      { id: 'b', type: 'position', on: { object: 'loop', at: nodes[2] } },
      { id: 'E', type: 'energy' },
    ],
    time: { step: 0.002, duration: 1, integrator: 'sdirk2' },
  });
  const apart = distance(readVector(world, 'a'), readVector(world, 'b'));
  const [start, energy] = [readVector(world, 'a'), readProbe(world, 'E.total')];
  const mass = readVector(world, 'P')[0] / 0.3;
  run(world, 250);
  // v = v₀ + g t, x = x₀ + v₀ t + ½ g t²
  expect(distance(readVector(world, 'P'), [0.3 * mass, (1 - 9.81 / 2) * mass, 0])).toBeLessThan(1e-12);
  expect(distance(readVector(world, 'a'), [start[0] + 0.15, start[1] + 0.5 - 9.81 / 8, start[2]])).toBeLessThan(1e-12);
  expect(Math.abs(distance(readVector(world, 'a'), readVector(world, 'b')) - apart)).toBeLessThan(1e-12);
  expect(Math.abs(readProbe(world, 'E.total') - energy)).toBeLessThan(1e-12 * mass * 9.81);
});

describe('a spinning hoop', () => {
  const [n, spin] = [60, 3];
  /** A hoop that spins in balance: the polygon's stretch carries its corners' inertia. */
  function createHoop(first: number, bendingStiffness: number): World {
    const points = begin(circle(n), first);
    const half = Math.PI / n;
    const chord = 2 * Math.sin(half);
    // m_i a_i = 2 T sin ½ϑ, and the consistent mass gives m a = ρA Δu ω² (2 + cos ϑ)/3 at each corner
    const inertia = (RHO_A * spin ** 2 * (2 + Math.cos(2 * half))) / 3 / (2 * Math.sin(half));
    // T = EA (chord/Δu − 1) = inertia Δu
    const du = (-EA + Math.sqrt(EA ** 2 + 4 * inertia * EA * chord)) / (2 * inertia);
    return createWorld({
      gravity: [0, 0, 0],
      objects: [
        {
          type: 'strand',
          id: 'hoop',
          material: material(bendingStiffness),
          closed: true,
          points,
          nodes: n,
          restLength: n * du,
          velocity: points.map(([x, y]): Point => [-spin * y, spin * x, 0]),
        },
      ],
      probes: [
        { id: 'L', type: 'angularMomentum' },
        { id: 'E', type: 'energy' },
        { id: 'T', type: 'tension', on: { object: 'hoop', at: 0.31 } },
        { id: 'seam', type: 'tension', on: { object: 'hoop', at: 'start' } },
        { id: 'x', type: 'position', on: { object: 'hoop', at: 'end' } },
      ],
      time: { step: 0.001, duration: 1, integrator: 'sdirk2' },
      // of the strand and its integrator alone: what the world gives back depends on rounding where vibrations are as small as that
      solver: { newtonIterations: 20, tolerance: 1e-12, keepsAngularMomentum: false },
    });
  }

  test('keeps its angular momentum and carries T = ρA (ωR)²', () => {
    const world = createHoop(0, 0);
    const [L, E] = [readProbe(world, 'L.z'), readProbe(world, 'E.total')];
    run(world, 1000);
    // SDIRK2 loses energy at the rate ω⁴ h³
    expect(Math.abs(readProbe(world, 'L.z') / L - 1)).toBeLessThan(1e-6);
    expect(Math.abs(readProbe(world, 'E.total') / E - 1)).toBeLessThan(3e-6);
    const law = RHO_A * spin ** 2;
    // a polygon of 60 corners is within ϑ²/4 of the circle
    expect(Math.abs(readProbe(world, 'T') / law - 1)).toBeLessThan(((2 * Math.PI) / n) ** 2 / 4);
    expect(Math.abs(readProbe(world, 'seam') / readProbe(world, 'T') - 1)).toBeLessThan(1e-8);
    expect(Math.hypot(...readVector(world, 'x')) - 1).toBeLessThan(1e-5);
  });

  test('does not know which of its points came first, with or without bending', () => {
    for (const EI of [0, 0.02]) {
      const [a, b] = [createHoop(0, EI), createHoop(17, EI)];
      for (const world of [a, b]) run(world, 300);
      for (const column of ['L.z', 'E.total', 'E.bending', 'T'])
        expect(Math.abs(readProbe(a, column) - readProbe(b, column))).toBeLessThan(1e-9);
      const turned = a.frame().objects[0].x.slice(51);
      const other = b.frame().objects[0].x;
      for (let k = 0; k < turned.length; k++) expect(Math.abs(turned[k] - other[k])).toBeLessThan(1e-9);
    }
  });
});

describe('a ring of naturally straight rod', () => {
  /** A ring at rest that is let go, damped. */
  function createRing(n: number, points: Point[], mass = 0): World {
    return createWorld({
      gravity: [0, 0, 0],
      objects: [
        {
          type: 'strand',
          id: 'ring',
          material: material(0.05),
          closed: true,
          points,
          nodes: n,
          damping: { mass, stiffness: 0 },
        },
      ],
      probes: [
        { id: 'E', type: 'energy' },
        { id: 'start', type: 'curvature', on: { object: 'ring', at: 'start' } },
        { id: 'k', type: 'curvature', on: { object: 'ring', at: 0.25 } },
      ],
      time: { step: 0.005, duration: 1 },
      solver: { newtonIterations: 30 },
    });
  }

  test('stores π EI/R, to second order in the spacing, and stays a circle', () => {
    const errorOf = (n: number) => readProbe(createRing(n, circle(n)), 'E.bending') / (Math.PI * 0.05) - 1;
    const [coarse, fine] = [errorOf(24), errorOf(48)];
    expect(Math.abs(coarse)).toBeLessThan(0.02);
    expect(Math.log2(coarse / fine)).toBeGreaterThan(1.9);
    expect(Math.log2(coarse / fine)).toBeLessThan(2.1);
    const world = createRing(48, circle(48));
    run(world, 200);
    const { x } = world.frame().objects[0];
    const radii = Array.from({ length: 48 }, (_, i) => Math.hypot(x[3 * i], x[3 * i + 1]));
    expect(Math.max(...radii) - Math.min(...radii)).toBeLessThan(1e-9);
    // a bend is measured along the material, so that stretching the ring would not relieve it
    expect(Math.abs(radii[0] - 1)).toBeLessThan(1e-9);
    expect(Math.abs(readProbe(world, 'start') / readProbe(world, 'k') - 1)).toBeLessThan(1e-9);
  });

  test('becomes a circle again from an oval, wherever it is cut', () => {
    const oval = circle(40).map(([x, y]): Point => [1.3 * x, 0.75 * y, 0]);
    for (const first of [0, 7, 13]) {
      const world = createRing(40, begin(oval, first), 2);
      run(world, 6000);
      expect(Math.abs(readProbe(world, 'start') / readProbe(world, 'k') - 1)).toBeLessThan(1e-3);
    }
  });
});

const TRIANGLE: Point[] = [
  [-0.5, 0, 0],
  [0.5, 0, 0],
  [0.1, 0.6, 0],
];
const PERIMETER = 1 + Math.hypot(0.4, 0.6) + Math.hypot(0.6, 0.6);

/** A belt round three fixed guides, running at `slide` of its material a second. */
function createBelt(slide: number, nodes: number, first = 0, restLength = 2.1): World {
  return createWorld({
    gravity: [0, 0, 0],
    objects: [
      {
        type: 'strand',
        id: 'belt',
        material: material(0),
        closed: true,
        points: begin(TRIANGLE, first),
        nodes,
        restLength,
        slide,
        guides: TRIANGLE.map((point, k) => ({ id: `g${k}`, point })),
      },
    ],
    probes: [
      { id: 'E', type: 'energy' },
      { id: 'P', type: 'momentum' },
      { id: 'L', type: 'angularMomentum' },
      { id: 'T', type: 'tension', on: { object: 'belt', at: 0.4 } },
      { id: 'F', type: 'constraintForce', on: { object: 'belt', guide: 'g0' } },
      { id: 'u', type: 'materialCoordinate', on: { object: 'belt', guide: 'g0' } },
      { id: 'w', type: 'materialSpeed', on: { object: 'belt', guide: 'g0' } },
      { id: 'n', type: 'counts' },
    ],
    time: { step: 0.002, duration: 1, integrator: 'sdirk2' },
    solver: { newtonIterations: 20 },
  });
}

/** Length of the path of all nodes. */
function measurePath(world: World): number {
  const { x } = world.frame().objects[0];
  let sum = 0;
  for (let i = 0; i < x.length; i += 3) {
    const j = (i + 3) % x.length;
    sum += Math.hypot(x[j] - x[i], x[j + 1] - x[i + 1], x[j + 2] - x[i + 2]);
  }
  return sum;
}

describe('a belt running round three guides', () => {
  // few nodes: guides stand between all of them, and seams have to be put in
  for (const [nodes, slide] of [
    [40, 2],
    [40, -2],
    [7, 2],
    [4, -2],
  ])
    test(`passes its seam many times with energy, momentum and length unchanged: ${nodes} nodes at ${slide} m/s`, () => {
      const world = createBelt(slide, nodes);
      run(world, 1);
      const [E, L] = [readProbe(world, 'E.total'), readProbe(world, 'L.z')];
      let passes = 0;
      let before = readProbe(world, 'u');
      for (let n = 0; n < 4000; n++) {
        world.step();
        const u = readProbe(world, 'u');
        expect(u).toBeGreaterThanOrEqual(0);
        expect(u).toBeLessThan(2.1);
        if (Math.abs(u - before) > 1) passes++;
        before = u;
      }
      expect(passes).toBeGreaterThanOrEqual(7);
      expect(Math.abs(readProbe(world, 'E.total') / E - 1)).toBeLessThan(1e-9);
      expect(Math.abs(readProbe(world, 'L.z') / L - 1)).toBeLessThan(1e-9);
      expect(Math.hypot(...readVector(world, 'P'))).toBeLessThan(1e-9);
      expect(Math.abs(measurePath(world) / PERIMETER - 1)).toBeLessThan(1e-9);
      expect(Math.abs(readProbe(world, 'w') / slide - 1)).toBeLessThan(1e-9);
    });

  test('presses on them with T − ρA λ u̇² only, where T is the same at any speed', () => {
    // the corner at g0: unit vectors to its two neighbours
    const a = [1, 0];
    const b = [0.6 / Math.hypot(0.6, 0.6), 0.6 / Math.hypot(0.6, 0.6)];
    const stretch = PERIMETER / 2.1;
    for (const slide of [0, 5, 20]) {
      const world = createBelt(slide, 40);
      run(world, 20);
      const T = readProbe(world, 'T');
      expect(Math.abs(T / (EA * (stretch - 1)) - 1)).toBeLessThan(1e-9);
      const pull = T - RHO_A * stretch * slide ** 2;
      const F = readVector(world, 'F');
      expect(Math.abs(F[0] / (-pull * (a[0] + b[0])) - 1)).toBeLessThan(1e-6);
      expect(Math.abs(F[1] / (-pull * (a[1] + b[1])) - 1)).toBeLessThan(1e-6);
    }
  });

  test('does not know which of its points came first', () => {
    const worlds = [0, 1, 2].map((first) => createBelt(1.5, 31, first));
    for (const world of worlds) run(world, 1500);
    for (const column of ['E.total', 'L.z', 'T', 'F.x', 'F.y', 'w'])
      for (const world of worlds)
        expect(Math.abs(readProbe(world, column) / readProbe(worlds[0], column) - 1)).toBeLessThan(1e-9);
  });
});

test('guides so dense that no node is left between them pass the seam: energy, momentum and length unchanged', () => {
  const points = Array.from({ length: 12 }, (_, i): Point => {
    const a = (2 * Math.PI * (i + 0.2 * Math.sin(7 * i))) / 12;
    return [Math.cos(a), Math.sin(a), 0.1 * Math.sin(3 * a)];
  });
  const world = createWorld({
    gravity: [0, 0, 0],
    objects: [
      {
        type: 'strand',
        id: 'belt',
        material: material(0),
        closed: true,
        points,
        nodes: 5,
        slide: -2,
        restLength: 5.9,
        guides: points.map((point, k) => ({ id: `g${k}`, point })),
      },
    ],
    probes: [
      { id: 'E', type: 'energy' },
      { id: 'L', type: 'angularMomentum' },
      { id: 'w', type: 'materialSpeed', on: { object: 'belt', guide: 'g3' } },
      { id: 'n', type: 'counts' },
    ],
    time: { step: 0.004, duration: 1, integrator: 'sdirk2' },
  });
  run(world, 1);
  const [E, L, path] = [readProbe(world, 'E.total'), readProbe(world, 'L.z'), measurePath(world)];
  for (let n = 0; n < 1500; n++) {
    world.step();
    expect(readProbe(world, 'n.lagrangian')).toBeGreaterThan(0);
  }
  expect(Math.abs(readProbe(world, 'E.total') / E - 1)).toBeLessThan(1e-9);
  expect(Math.abs(readProbe(world, 'L.z') / L - 1)).toBeLessThan(1e-9);
  expect(Math.abs(measurePath(world) / path - 1)).toBeLessThan(1e-9);
  expect(Math.abs(readProbe(world, 'w') / -2 - 1)).toBeLessThan(1e-9);
});

test('a belt round a pulley that hangs in it: T rises by ρA V², the load on the upper pulley does not', () => {
  const [mass, V] = [3, 4];
  const read = (slide: number) => {
    const world = createWorld({
      objects: [
        {
          type: 'strand',
          id: 'belt',
          material: { ...material(0), stretchStiffness: 2e5 },
          closed: true,
          points: [
            [0, 0, 0],
            [0, -1, 0],
          ],
          nodes: 24,
          slide,
          guides: [
            { id: 'top', point: [0, 0, 0] },
            { id: 'load', point: [0, -1, 0], body: 'load' },
          ],
          damping: { mass: 0, stiffness: 0.002 },
        },
      ],
      bodies: [{ id: 'load', shape: { type: 'sphere', radius: 0.05 }, position: [0, -1, 0], motion: 'dynamic', mass }],
      probes: [
        { id: 'top', type: 'constraintForce', on: { object: 'belt', guide: 'top' } },
        { id: 'T', type: 'tension', on: { object: 'belt', guide: 'load' } },
        { id: 'w', type: 'materialSpeed', on: { object: 'belt', guide: 'load' } },
        { id: 'load', type: 'body', body: 'load' },
      ],
      time: { step: 0.001, duration: 1 },
      solver: { newtonIterations: 10 },
    });
    run(world, 1500);
    return { top: readProbe(world, 'top.y'), T: readProbe(world, 'T'), w: readProbe(world, 'w') };
  };
  const [still, running] = [read(0), read(V)];
  const weight = (mass + RHO_A * 2) * 9.81;
  expect(Math.abs(still.top / weight - 1)).toBeLessThan(1e-4);
  expect(Math.abs(running.top / weight - 1)).toBeLessThan(1e-3);
  expect(Math.abs(running.w / V - 1)).toBeLessThan(0.01);
  expect(Math.abs((running.T - still.T) / (RHO_A * running.w ** 2) - 1)).toBeLessThan(0.01);
});

test('cutting a loop elsewhere changes no place, no velocity and no segment, to the bit', () => {
  const strand = new Strand({
    id: 'loop',
    material: material(0.05),
    closed: true,
    points: circle(23).map(([x, y]): Point => [1.1 * x, y, 0.2 * x * y]),
    velocity: circle(23).map(([x, y]): Point => [y * y, -x, x + y]),
    restLength: 6.123456789,
    nodes: 37,
    guides: [{ id: 'g', point: [1.1, 0, 0] }],
    masses: [{ at: 0.3, mass: 0.4 }],
  });
  const { state } = strand;
  const { chain } = state;
  const readAll = () => {
    const nodes = Array.from({ length: chain.ownCount }, (_, i) => ({
      label: chain.label[i],
      q: [...chain.q.subarray(4 * i, 4 * i + 3)],
      v: [...chain.v.subarray(4 * i, 4 * i + 4)],
      du: chain.q[4 * i + 7] - chain.q[4 * i + 3],
      mass: chain.pointMass[i],
    }));
    return nodes.sort((a, b) => a.label - b.label);
  };
  const before = readAll();
  const energy = () => {
    const terms = { kinetic: 0, stretch: 0, bending: 0, gravity: 0, contact: 0, total: 0 };
    strand.addEnergy(terms);
    return terms;
  };
  const [E, frame] = [energy(), strand.frame()];
  for (const seam of [5, 30, 1, 17]) {
    state.cutAt(seam);
    expect(readAll()).toEqual(before);
    expect(strand.frame()).toEqual(frame);
    for (const term of ['kinetic', 'stretch', 'bending', 'gravity'] as const)
      expect(Math.abs(energy()[term] - E[term])).toBeLessThan(1e-12 * Math.abs(E[term]));
  }
});
