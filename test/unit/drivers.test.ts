/** Drivers: what holds, moves, pushes and blows, and when. */
import { type NodeModel, SceneError } from 'heddle/model';
import { createPin } from 'heddle/world';
import { describe, expect, test } from 'vitest';
import {
  CORD,
  createWorld,
  distance,
  nodesOf,
  readProbe,
  readVector,
  run,
  strand,
  type Vector,
} from './world-scenes.ts';

const INTEGRATORS = ['euler', 'sdirk2'] as const;
const ROPE: Vector[] = [
  [0, 0, 0],
  [1, 0.2, 0],
];

for (const integrator of INTEGRATORS)
  describe(`drivers with ${integrator}`, () => {
    const time = { step: 0.01, duration: 10, integrator };

    test('a pin holds a point where it is', () => {
      const world = createWorld({
        objects: [strand('rope', ROPE, 8, { velocity: [1, 2, 3] })],
        drivers: [{ type: 'pin', on: { object: 'rope', at: 0.4 } }],
        probes: [{ id: 'p', type: 'position', on: { object: 'rope', at: 0.4 } }],
        time,
      });
      const place = readVector(world, 'p');
      for (let n = 0; n < 50; n++) {
        world.step();
        expect(distance(readVector(world, 'p'), place)).toBeLessThan(1e-15);
      }
      expect(distance(nodesOf(world)[0], ROPE[0])).toBeGreaterThan(0.1);
    });

    test('a fix holds single components; two on one point share it', () => {
      const world = createWorld({
        objects: [strand('rope', ROPE, 8)],
        drivers: [
          { type: 'fix', on: { object: 'rope', at: 'start' }, components: ['z'] },
          { type: 'fix', on: { object: 'rope', at: 'start' }, components: ['x'], from: 0.1 },
          { type: 'force', on: { object: 'rope', at: 'start' }, value: [0.1, 0, 5] },
        ],
        probes: [{ id: 'p', type: 'position', on: { object: 'rope', at: 'start' } }],
        time,
      });
      run(world, 10);
      const [x, y, z] = readVector(world, 'p');
      expect(x).toBeGreaterThan(1e-3);
      run(world, 30);
      expect(readProbe(world, 'p.x')).toBeCloseTo(x, 15);
      expect(readProbe(world, 'p.y')).toBeLessThan(y - 0.2);
      expect(readProbe(world, 'p.z')).toBe(z);
    });

    test('a velocity moves a point by v t', () => {
      const value: Vector = [0.3, -0.2, 0.7];
      const world = createWorld({
        objects: [strand('rope', ROPE, 8)],
        drivers: [{ type: 'velocity', on: { object: 'rope', at: 'end' }, value }],
        probes: [
          { id: 'p', type: 'position', on: { object: 'rope', at: 'end' } },
          { id: 'v', type: 'velocity', on: { object: 'rope', at: 'end' } },
        ],
        time,
      });
      for (let n = 1; n <= 50; n++) {
        world.step();
        const expected = ROPE[1].map((x, k) => x + value[k] * world.time);
        expect(distance(readVector(world, 'p'), expected)).toBeLessThan(1e-14);
        expect(readVector(world, 'v')).toEqual(value);
      }
    });

    test('keyframes are met exactly at every step, between and beyond them', () => {
      const keyframes = [
        { time: 0, position: [1, 0.2, 0] as Vector },
        { time: 0.123, position: [1.1, 0.25, 0.1] as Vector },
        { time: 0.305, position: [0.9, 0.3, -0.1] as Vector },
      ];
      const world = createWorld({
        objects: [strand('rope', ROPE, 8)],
        drivers: [{ type: 'keyframes', on: { object: 'rope', at: 'end' }, keyframes }],
        probes: [{ id: 'p', type: 'position', on: { object: 'rope', at: 'end' } }],
        time,
      });
      for (let n = 1; n <= 50; n++) {
        world.step();
        const t = world.time;
        const k = keyframes.findLastIndex((frame) => frame.time <= t);
        const [a, b] = [keyframes[k], keyframes[Math.min(k + 1, 2)]];
        const s = a === b ? 0 : (t - a.time) / (b.time - a.time);
        const expected = a.position.map((x, c) => x + s * (b.position[c] - x));
        expect(distance(readVector(world, 'p'), expected)).toBeLessThan(1e-15);
      }
    });

    test('a force gives momentum F t to the whole, whatever node it pulls at', () => {
      const value: Vector = [0.02, -0.01, 0.03];
      const world = createWorld({
        gravity: [0, 0, 0],
        objects: [strand('rope', ROPE, 8, { masses: [{ at: 0.5, mass: 0.004 }] })],
        drivers: [{ type: 'force', on: { object: 'rope', at: 0.3 }, value }],
        probes: [{ id: 'p', type: 'momentum' }],
        time,
      });
      for (let n = 1; n <= 50; n++) {
        world.step();
        expect(
          distance(
            readVector(world, 'p'),
            value.map((f) => f * world.time),
          ),
        ).toBeLessThan(1e-15);
      }
    });
  });

test('a force moves a point mass as x = x₀ + F h² n(n + 1)/(2 m), the recurrence of implicit Euler', () => {
  // a strand that weighs and holds next to nothing, and a mass
  const world = createWorld({
    gravity: [0, 0, 0],
    objects: [
      strand('thread', [[0, 0, 0], [1e-3, 0, 0]], 2, {
        material: { ...CORD, linearDensity: 1e-12, stretchStiffness: 1e-12 },
        masses: [{ at: 'end', mass: 0.2 }],
      }), // biome-ignore format: two points
    ],
    drivers: [{ type: 'force', on: { object: 'thread', at: 'end' }, value: [0, 0.6, 0] }],
    probes: [{ id: 'p', type: 'position', on: { object: 'thread', at: 'end' } }],
    time: { step: 0.01, duration: 10 },
  });
  for (let n = 1; n <= 50; n++) {
    world.step();
    expect(readProbe(world, 'p.y')).toBeCloseTo(((0.6 / 0.2) * 1e-4 * n * (n + 1)) / 2, 8);
  }
});

describe('spans', () => {
  test('from and until name steps to the very one, whatever their decimals round to', () => {
    // 5 · 0.0003 = 0.0014999999999999998 and 3 · 0.1 = 0.30000000000000004
    for (const step of [0.0003, 0.0017, 0.01, 0.1])
      for (let k = 1; k < 40; k++) {
        const from = Number((step * k).toFixed(4));
        const until = Number((step * (k + 7)).toFixed(4));
        const world = createWorld({
          gravity: [0, 0, 0],
          objects: [strand('rope', ROPE, 2)],
          drivers: [{ type: 'force', on: { object: 'rope', at: 'start' }, value: [1, 0, 0], from, until }],
          probes: [{ id: 'p', type: 'momentum' }],
          time: { step, duration: 10 },
        });
        run(world, k);
        expect(readProbe(world, 'p.x')).toBe(0);
        world.step();
        expect(readProbe(world, 'p.x') / step).toBeCloseTo(1, 10);
        run(world, 20);
        expect(readProbe(world, 'p.x') / step).toBeCloseTo(7, 10);
      }
  });

  for (const integrator of INTEGRATORS) {
    test(`a pin lets go: the strand then falls freely (${integrator})`, () => {
      const world = createWorld({
        objects: [strand('rope', [[0, 0, 0], [0, -0.5, 0]], 6)], // biome-ignore format: two points
        drivers: [
          { type: 'pin', on: { object: 'rope', at: 'start' }, until: 0.2 },
          { type: 'pin', on: { object: 'rope', at: 'end' }, until: 0.2 },
        ],
        probes: [
          { id: 'p', type: 'momentum' },
          { id: 'f', type: 'constraintForce', on: { object: 'rope', at: 'start' } },
        ],
        time: { step: 0.01, duration: 10, integrator },
      });
      run(world, 20);
      const before = readProbe(world, 'p.y');
      expect(readProbe(world, 'f.y')).not.toBe(0);
      run(world, 30);
      expect(readProbe(world, 'p.y') - before).toBeCloseTo(-0.01 * 0.5 * 9.81 * 0.3, 12);
      expect(readProbe(world, 'f.y')).toBe(0);
    });

    test(`a tie lets go: each strand keeps its own momentum (${integrator})`, () => {
      const world = createWorld({
        gravity: [0, 0, 0],
        objects: [
          strand('a', [[0, 0, 0], [1, 0, 0]], 5, { velocity: [0, 1, 0] }), // biome-ignore format: two points
          strand('b', [[1, 0, 0], [2, 0, 0]], 5), // biome-ignore format: two points
        ],
        drivers: [{ type: 'tie', on: { object: 'a', at: 'end' }, to: { object: 'b', at: 'start' }, until: 0.21 }],
        probes: [
          { id: 'a', type: 'momentum', object: 'a' },
          { id: 'b', type: 'momentum', object: 'b' },
          { id: 'f', type: 'constraintForce', on: { object: 'a', at: 'end' } },
        ],
        time: { step: 0.01, duration: 10, integrator },
      });
      run(world, 21);
      const [a, b] = [readVector(world, 'a'), readVector(world, 'b')];
      expect(b[1]).toBeGreaterThan(5e-4);
      expect(a[1] + b[1]).toBeCloseTo(0.01, 14);
      expect(Math.hypot(...readVector(world, 'f'))).toBeGreaterThan(1e-4);
      run(world, 20);
      expect(distance(readVector(world, 'a'), a)).toBeLessThan(1e-15);
      expect(distance(readVector(world, 'b'), b)).toBeLessThan(1e-15);
      expect(readVector(world, 'f')).toEqual([0, 0, 0]);
    });

    test(`wind blows for whole steps (${integrator})`, () => {
      const createWindy = (from: number, until: number) =>
        createWorld({
          gravity: [0, 0, 0],
          objects: [strand('rope', [[0, 0, 0], [0, 1, 0]], 5, { material: { ...CORD, linearDensity: 1e3 } })], // biome-ignore format: two points
          drivers: [{ type: 'wind', velocity: [2, 0, 0], from, until }],
          probes: [{ id: 'p', type: 'momentum' }],
          time: { step: 0.01, duration: 10, integrator },
        });
      const impulse = (from: number, until: number) => {
        const world = createWindy(from, until);
        run(world, 29);
        expect(readProbe(world, 'p.x')).toBe(0);
        world.step();
        expect(readProbe(world, 'p.x')).toBeGreaterThan(0);
        run(world, 30);
        return readProbe(world, 'p.x');
      };
      // from the middle of a step: with the next one, not with a stage of this one
      const late = createWindy(0.295, 1);
      run(late, 30);
      expect(readProbe(late, 'p.x')).toBe(0);
      late.step();
      expect(readProbe(late, 'p.x')).toBeGreaterThan(0);
      // so heavy that it gains 1e-7 of the wind's speed: ½ ρ C_d d L v² t
      const drag = 0.5 * 1.2 * 1.1 * 0.004 * 1 * 4;
      for (const steps of [1, 3, 10])
        expect(impulse(0.29, 0.29 + 0.01 * steps) / (drag * 0.01 * steps)).toBeCloseTo(1, 5);
    });
  }
});

describe('wind', () => {
  test('a strand hangs in it with its pin carrying weight and drag: ½ ρ C_d d Σ l |w| w, w across', () => {
    for (const speed of [2, 6]) {
      const [air, cd] = [1.3, 1.05];
      const world = createWorld({
        objects: [strand('rope', [[0, 0, 0], [0, -1, 0]], 21)], // biome-ignore format: two points
        drivers: [
          { type: 'pin', on: { object: 'rope', at: 'start' } },
          { type: 'wind', velocity: [speed, 0, 0], airDensity: air, dragCoefficient: cd },
        ],
        probes: [{ id: 'f', type: 'constraintForce', on: { object: 'rope', at: 'start' } }],
        time: { step: 0.02, duration: 10 },
      });
      run(world, 3000);
      const nodes = nodesOf(world);
      const total = [0, -9.81 * 0.01, 0];
      for (let e = 0; e + 1 < nodes.length; e++) {
        const d = nodes[e + 1].map((x, k) => x - nodes[e][k]);
        const l = Math.hypot(...d);
        const along = (speed * d[0]) / l;
        const w = [speed, 0, 0].map((v, k) => v - (along * d[k]) / l);
        for (let k = 0; k < 3; k++) total[k] += 0.5 * air * cd * 0.004 * l * Math.hypot(...w) * w[k];
      }
      expect(
        distance(
          readVector(world, 'f'),
          total.map((f) => -f),
        ),
      ).toBeLessThan(1e-9);
      // a slow wind hardly tilts it: the whole ½ ρ C_d d L v²
      if (speed === 2) expect(-readProbe(world, 'f.x') / (0.5 * air * cd * 0.004 * speed ** 2)).toBeCloseTo(1, 1);
    }
  });

  test('only the flow across counts: a strand along the wind stays, one that drifts with it feels nothing', () => {
    const world = createWorld({
      gravity: [0, 0, 0],
      objects: [
        strand('along', [[0, 0, 0], [0.6, 0.8, 0]], 6), // biome-ignore format: two points
        strand('drifting', [[0, 0, 3], [-0.8, 0.6, 3]], 6, { velocity: [3, 4, 0] }), // biome-ignore format: two points
        strand('across', [[0, 0, 6], [-0.8, 0.6, 6]], 6), // biome-ignore format: two points
      ],
      drivers: [{ type: 'wind', velocity: [3, 4, 0] }],
      probes: ['along', 'drifting', 'across'].map((object) => ({ id: object, type: 'momentum' as const, object })),
      time: { step: 0.01, duration: 10 },
    });
    run(world, 100);
    expect(Math.hypot(...readVector(world, 'along'))).toBeLessThan(1e-15);
    expect(distance(readVector(world, 'drifting'), [0.03, 0.04, 0])).toBeLessThan(1e-15);
    // it gains speed towards that of the wind, never more
    const [px, py] = readVector(world, 'across');
    expect(px / 0.03).toBeGreaterThan(0.3);
    expect(px / 0.03).toBeLessThan(1);
    expect(py / px).toBeCloseTo(4 / 3, 9);
  });
});

describe('a tie that cannot be', () => {
  const tie = (to: { object: string; at: 'start' | 'end' }, from?: number) => () =>
    createWorld({
      objects: [
        strand('a', [[0, 0, 0], [1, 0, 0]], 5), // biome-ignore format: two points
        strand('b', [[1.2, 0, 0], [2, 0, 0]], 5), // biome-ignore format: two points
      ],
      drivers: [{ type: 'tie', on: { object: 'a', at: 'end' }, to, ...(from === undefined ? {} : { from }) }],
      time: { step: 0.01, duration: 1 },
    });

  test('between points apart, or a point and itself, is refused with its path', () => {
    expect(tie({ object: 'b', at: 'start' })).toThrow(
      /^drivers\[0\] cannot be built: it ties points that are 0\.2 m apart/,
    );
    expect(tie({ object: 'b', at: 'start' }, 0)).toThrow(SceneError);
    expect(tie({ object: 'a', at: 'end' })).toThrow(/^drivers\[0\] cannot be built: it ties a point to itself/);
    expect(tie({ object: 'b', at: 'start' }, 0.5)).not.toThrow();
  });
});

describe('a held node that lags behind', () => {
  /** A node that only notes what it is asked, at x = 0.01 when it should be at 0. */
  const aimOf = (h: number, start = 0): number => {
    let speed = Number.NaN;
    const write = (_: number, out: Float64Array) => out.set([0.01, 0, 0]);
    let at = (_: number, out: Float64Array) => out.fill(0);
    const model = {
      writeNodePosition: (label: number, out: Float64Array) => at(label, out),
      writeNodeBase: write,
      holdNode: () => {},
      aimNode: (_: number, k: number, v: number) => {
        if (k === 0) speed = v;
      },
    } as unknown as NodeModel;
    const pin = createPin({ model, label: 0 });
    at = write;
    pin.prepare(start);
    pin.aim({ h, time: start + h, start, step: h, full: 0.01, order: 1, rows: 0, isHeap: false, linearized: true });
    return speed;
  };

  test('is back after a whole step of the world', () => expect(aimOf(0.01)).toBeCloseTo(-1, 12));

  test('comes back no faster in short sub-steps', () => {
    for (const h of [5e-3, 1e-4, 1e-7]) expect(aimOf(h)).toBeCloseTo(-1, 6);
  });
});
