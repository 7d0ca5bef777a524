/** Dry friction of rods with bodies: what sticks and what slides, thresholds from both sides, in both modes; hollow bodies from inside. */
import { readFileSync } from 'node:fs';
import { compile, parseScene, type World } from 'heddle';
import type { Body } from 'heddle/bodies';
import { createFacetBody, type FacetBody, Placement } from 'heddle/contact';
import { Rod } from 'heddle/rod';
import { drawCable } from 'heddle/validate';
import { describe, expect, test } from 'vitest';

const G = 9.81;
const GALLERY = new URL('../../scenes/', import.meta.url);
const MODES = ['rh', 'lagrangian'] as const;
/** 20 g/m, 6 mm thick, bent hardly by its weight: EI = 1e-2 N m², EA = 1e4 N. */
const STIFF = { linearDensity: 0.02, radius: 0.003, stretchStiffness: 1e4, bendingStiffness: 1e-2 };

interface Setup {
  readonly gravity?: readonly number[];
  readonly objects: readonly object[];
  readonly bodies: readonly object[];
  readonly drivers?: readonly object[];
  readonly probes?: readonly object[];
  readonly step?: number;
}

function createWorld({ gravity = [0, -G, 0], objects, bodies, drivers = [], probes = [], step = 0.002 }: Setup): World {
  const scene = {
    heddle: 1,
    name: 'friction',
    title: 'Friction',
    gravity,
    objects: objects.map((object) => ({ type: 'rod', id: 'rod', material: STIFF, segments: 10, ...object })),
    bodies,
    drivers,
    probes: [{ id: 'momentum', type: 'momentum' }, ...probes],
    time: { step, duration: 1 },
  };
  const readFile = (name: string) => new Uint8Array(readFileSync(new URL(name, GALLERY)));
  return compile(parseScene(JSON.stringify(scene)), { readFile });
}

function run(world: World, steps: number): Map<string, number> {
  for (let n = 0; n < steps; n++) world.step();
  const values = new Float64Array(world.probeColumns.length);
  world.writeProbes(values);
  return new Map(world.probeColumns.map((column, i) => [column, values[i]]));
}

const rodOf = (world: World): Rod => world.models.find((model): model is Rod => model instanceof Rod)!;

/** Deepest place of nodes and segments in a body, whose facets are grown by the rod's radius [m]. */
function computeDepth({ chain }: Rod, body: Body, facets: FacetBody): number {
  const [place, a, b] = [new Placement(), new Float64Array(3), new Float64Array(3)];
  place.read(body);
  let deepest = 0;
  for (let e = 0; e + 1 < chain.count; e++) {
    place.writeLocal(chain.q, 4 * e, a, 0);
    place.writeLocal(chain.q, 4 * e + 4, b, 0);
    deepest = Math.max(deepest, facets.computeSegmentDepth(a, b));
  }
  return deepest;
}

const plane = (friction: number) => ({ id: 'plane', shape: { type: 'plane' }, friction });
const line = (from: readonly number[], to: readonly number[]) => ({ points: [from, to] });

describe.each(MODES)('mode %s', (mode) => {
  // m v̇ = m g (sin α − μ cos α); implicit Euler is exact for a constant force
  test.each([-0.03, 0.03, 0.25])('a rod on a slope, %s rad beyond atan μ, sticks below and slides above', (beyond) => {
    const mu = 0.4;
    const alpha = Math.atan(mu) + beyond;
    const world = createWorld({
      gravity: [G * Math.sin(alpha), -G * Math.cos(alpha), 0],
      objects: [{ mode, ...line([0, 0.003, 0], [0.24, 0.003, 0.18]) }],
      bodies: [plane(mu)],
    });
    const speed = run(world, 100).get('momentum.x')! / (0.02 * 0.3);
    const expected = 0.2 * G * (Math.sin(alpha) - mu * Math.cos(alpha));
    if (beyond < 0) expect(Math.abs(speed)).toBeLessThan(1e-6);
    // friction takes the normal force of the pass before: 1e-3 of it
    else expect(Math.abs(speed - expected)).toBeLessThan(2e-3 * 0.2 * G);
  });

  // pushed along itself it slides as a whole, at F = μ m g
  test.each([0.95, 1.1])(
    'a rod on a plane that is pushed along its axis with %s μ m g sticks below 1 and slides above',
    (ratio) => {
      const [mu, weight] = [0.3, 0.02 * 0.3 * G];
      const push = ratio * mu * weight;
      const world = createWorld({
        objects: [{ mode, ...line([0, 0.003, 0], [0.24, 0.003, 0.18]) }],
        bodies: [plane(mu)],
        drivers: [{ type: 'force', on: { object: 'rod', at: 'start' }, value: [0.8 * push, 0, 0.6 * push] }],
      });
      const speed = run(world, 100).get('momentum.x')! / (0.8 * 0.02 * 0.3);
      const expected = (0.2 * (ratio - 1) * mu * weight) / (0.02 * 0.3);
      if (ratio < 1) expect(Math.abs(speed)).toBeLessThan(1e-5);
      else expect(Math.abs(speed / expected - 1)).toBeLessThan(0.02);
    },
  );

  // pushed sideways at an end it turns about the point at L/√2, at F = (√2 − 1) μ m g, less than half of what moves it whole
  test.each([0.93, 1.07])(
    'a rod on a plane that is pushed sideways at its end with %s (√2 − 1) μ m g sticks below 1 and turns above',
    (ratio) => {
      const [mu, weight] = [0.3, 0.02 * 0.3 * G];
      const push = ratio * (Math.SQRT2 - 1) * mu * weight;
      const world = createWorld({
        objects: [
          {
            mode,
            segments: 30,
            material: { ...STIFF, bendingStiffness: 0.1 },
            ...line([0, 0.003, 0], [0.3, 0.003, 0]),
          },
        ],
        bodies: [plane(mu)],
        drivers: [{ type: 'force', on: { object: 'rod', at: 'start' }, value: [0, 0, push] }],
      });
      run(world, 100);
      const { v, count } = rodOf(world).chain;
      // below it bends by a tenth of a millimetre, as far as friction lets it, and stays
      if (ratio < 1) expect(Math.abs(v[2])).toBeLessThan(1e-5);
      else {
        expect(v[2]).toBeGreaterThan(3e-3);
        // the far end goes the other way
        expect(v[4 * (count - 1) + 2]).toBeLessThan(-1e-3);
      }
    },
  );

  // a box that starts at once with a: the rod on it keeps up where a < μ g, and gains μ g t where not
  test.each([0.8, 1.6])(
    'a rod on a body that accelerates with %s μ g is carried along below 1 and slips above',
    (ratio) => {
      const [mu, duration] = [0.3, 0.3];
      const a = ratio * mu * G;
      const keyframes = Array.from({ length: 301 }, (_, k) => {
        const time = (duration * k) / 300;
        return { time, position: [0.5 * a * time * time, -0.05, 0] };
      });
      const world = createWorld({
        objects: [{ mode, ...line([-0.1, 0.003, -0.1], [0.1, 0.003, 0.1]) }],
        bodies: [
          {
            id: 'box',
            shape: { type: 'box', size: [1, 0.1, 1] },
            position: [0, -0.05, 0],
            motion: 'scripted',
            keyframes,
            friction: mu,
          },
        ],
        step: 0.001,
      });
      const speed = run(world, 300).get('momentum.x')! / (0.02 * 0.2 * Math.SQRT2);
      expect(Math.abs(speed / (Math.min(a, mu * G) * duration) - 1)).toBeLessThan(0.01);
    },
  );

  test('a rod that is thrown on a free body is taken along: momentum and angular momentum are kept', () => {
    const world = createWorld({
      gravity: [0, 0, 0],
      objects: [{ mode, ...line([-0.1, 0.06, -0.07], [0.1, 0.06, 0.08]), velocity: [0.5, -2, 0.1] }],
      bodies: [
        { id: 'box', shape: { type: 'box', size: [0.4, 0.1, 0.4] }, motion: 'dynamic', mass: 0.05, friction: 1 },
      ],
      probes: [{ id: 'box', type: 'body', body: 'box' }],
    });
    const before = new Float64Array(6);
    for (const model of world.models) model.addMomentum(before);
    const values = run(world, 40);
    const after = new Float64Array(6);
    for (const model of world.models) model.addMomentum(after);
    for (let k = 0; k < 3; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(1e-9 * Math.abs(before[1]));
    // 6e-5 of it is lost with 2 ms where it is not given back
    const L = Math.hypot(before[3], before[4], before[5]);
    for (let k = 3; k < 6; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(1e-12 * L);
    // friction of the impact, at most μ times it, is enough to stop all sliding: the rod rides where it has come down
    const rod = rodOf(world);
    const v = new Float64Array(6);
    rod.addMomentum(v);
    const mass = 0.02 * 0.25;
    expect(values.get('box.vx')!).toBeGreaterThan(0.02);
    // the box turns a little under the push, and its upper side, 5 cm above its middle, goes with that
    const slip = v[0] / mass - (values.get('box.vx')! - 0.06 * values.get('box.wz')!);
    expect(Math.abs(slip)).toBeLessThan(0.02);
  });
});

// T₂/T₁ = exp(μ θ) of a cable without stiffness and weight; EI/(T R²) = 2.5e-4, and the ends of the arc count with the tenth of a segment
describe.each([0.1, 0.3])('capstan, μ = %s', (mu) => {
  test.each(MODES)('a cable drawn round a cylinder by 180° is pulled with T₂/T₁ = exp(μ π), mode %s', (mode) => {
    // steady after 0.3 s, but for nodes that pass the ends of the arc: ± 0.6 %; steps of 4 ms add 1 %
    const pull = -run(drawCable(mu, 4e-3, mode), 80).get('pull.y')!;
    expect(Math.abs(pull / 2 / Math.exp(mu * Math.PI) - 1)).toBeLessThan(0.02);
  });
});

describe.each(MODES)('inside a pipe, mode %s', (mode) => {
  test('a rod that is thrown into it does not go into its wall', () => {
    const world = createWorld({
      gravity: [0, 0, -G],
      objects: [
        {
          mode,
          material: { density: 1000, radius: 0.002, youngsModulus: 1e6 },
          ...line([-0.09, 0.002, 0.001], [-0.01, 0.001, -0.002]),
          velocity: [4, 1, -0.7],
          damping: { mass: 0, stiffness: 0.002 },
        },
      ],
      bodies: [{ id: 'pipe', shape: { type: 'mesh', file: 'pipe.obj' }, friction: 0.1 }],
      step: 0.001,
    });
    const rod = rodOf(world);
    const [pipe] = world.bodies;
    const facets = createFacetBody(pipe.shape, rod.radius);
    let deepest = 0;
    let touched = 0;
    for (let n = 0; n < 80; n++) {
      world.step();
      deepest = Math.max(deepest, computeDepth(rod, pipe, facets));
      if (world.couplings.some((coupling) => (coupling.forces?.().length ?? 0) > 0)) touched++;
    }
    expect(touched).toBeGreaterThan(10);
    // the pipe is 0.3 m across
    expect(deepest).toBeLessThan(3e-7);
  });
});
