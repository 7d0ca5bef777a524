/** Ropes through blocks and rings on dynamic bodies: tackles of two to five parts, and rings that hang on a line. */
import type { SceneInput } from 'heddle';
import { describe, expect, test } from 'vitest';
import { createWorld, readProbe, run } from './measure.ts';

type Vector = [number, number, number];
type Guide = NonNullable<SceneInput['objects'][number]['guides']>[number];

const G = 9.81;

describe('a tackle', () => {
  interface Tackle {
    /** Parts of rope between the blocks. */
    readonly parts: number;
    readonly load: number;
    readonly hauling: number;
    readonly inertia: number;
  }
  const RADIUS = 0.05;
  const DROP = 0.8;

  /**
   *   ══╤══════════  fixed block: sheaves 2, 4 …  (over the top)
   *     │ ┌─┐ ┌─┐
   *     └─┘ └─┘ ▼    moving block: sheaves 1, 3 …  (round below), the load; m at the end of the last part
   *
   * An odd number of parts starts at the moving block, so that the last sheave is always on the fixed one.
   */
  const createTackle = ({ parts, load, hauling, inertia }: Tackle) => {
    const width = 2 * RADIUS;
    const startsBelow = parts % 2 === 1;
    const isLow = (k: number) => (k % 2 === 0) !== startsBelow;
    const points: Vector[] = [[0, startsBelow ? -DROP : 0, 0]];
    const guides: Guide[] = [];
    for (let k = 0; k < parts; k++) {
      const y = isLow(k) ? -DROP : 0;
      for (const x of [k * width, (k + 1) * width]) {
        points.push([x, y + (isLow(k) ? -RADIUS : RADIUS), 0]);
        guides.push({
          id: `sheave${guides.length}`,
          point: points[points.length - 1],
          ...(isLow(k) && { body: 'block' }),
          pulley: { radius: RADIUS, inertia: inertia / 2 },
        });
      }
    }
    points.push([parts * width, -0.3, 0]);
    const length = points.slice(1).reduce((sum, p, i) => sum + Math.hypot(...p.map((v, c) => v - points[i][c])), 0);
    const tension = (load * G) / parts;
    const EA = 1e5;
    // parts hold the block evenly about its centre
    const centre = ((parts - 1) * width) / 2;
    return createWorld({
      gravity: [0, -G, 0],
      objects: [
        {
          type: 'strand',
          id: 'rope',
          material: { radius: 0.002, linearDensity: 1e-4, stretchStiffness: EA, bendingStiffness: 0 },
          points,
          restLength: length / (1 + tension / EA),
          nodes: 41,
          guides,
          masses: [{ at: 'end', mass: hauling }],
          damping: { mass: 0, stiffness: 2e-3 },
        },
      ],
      bodies: [
        {
          id: 'block',
          // long, so that the unequal pull of sheaves with inertia hardly tilts it meanwhile
          shape: { type: 'box', size: [4, 0.1, 0.1] },
          position: [centre, -DROP - 0.5, 0],
          motion: 'dynamic',
          mass: load,
        },
      ],
      drivers: startsBelow
        ? [{ type: 'tie', on: { object: 'rope', at: 'start' }, body: 'block' }]
        : [{ type: 'pin', on: { object: 'rope', at: 'start' } }],
      probes: [
        { id: 'block', type: 'body', body: 'block' },
        { id: 'end', type: 'velocity', on: { object: 'rope', at: 'end' } },
        { id: 'tension', type: 'tension', on: { object: 'rope', at: 'end' } },
      ],
      time: { step: 1e-3, duration: 1 },
      solver: { newtonIterations: 20 },
    });
  };

  // Virtual work: a load that rises by s takes n s of rope. Sheave k is turned by the rope that passes it relative to its
  // own axle: k s for k = 1 … n. With m at the hauling end, M the load,
  //   (M + n² m + Σ k² I/R²) a = (n m − M) g
  for (const parts of [2, 3, 4, 5])
    for (const inertia of [0, 2e-4])
      test(`of ${parts} parts: load a = g (n m − M)/(M + n² m + Σ k² I/R²), hand n times as fast, I = ${inertia} kg m²`, () => {
        const [load, hauling] = [2, (2 / parts) * 1.2];
        const world = createTackle({ parts, load, hauling, inertia: Math.max(inertia, 1e-12) });
        run(world, 150);
        const before = readProbe(world, 'block.vy');
        run(world, 150);
        const acceleration = (readProbe(world, 'block.vy') - before) / 0.15;
        const turning = (inertia / RADIUS ** 2) * ((parts * (parts + 1) * (2 * parts + 1)) / 6);
        const predicted = (G * (parts * hauling - load)) / (load + parts ** 2 * hauling + turning);
        expect(Math.abs(acceleration / predicted - 1)).toBeLessThan(2e-3);
        expect(Math.abs(readProbe(world, 'end.y') / readProbe(world, 'block.vy') + parts)).toBeLessThan(2e-3 * parts);
      });

  for (const parts of [2, 3, 4, 5])
    test(`of ${parts} parts is in balance when the hauling end carries 1/n of the load`, () => {
      const world = createTackle({ parts, load: 2, hauling: 2 / parts, inertia: 1e-4 });
      run(world, 300);
      expect(Math.abs(readProbe(world, 'block.vy'))).toBeLessThan(1e-3);
      expect(readProbe(world, 'tension') / ((2 * G) / parts)).toBeCloseTo(1, 3);
    });
});

describe('rings on a line over posts', () => {
  /** Posts and, in each span, a ring of that mass; frictionless. Long implicit steps: it comes to rest within a few hundred. */
  const hang = (posts: readonly [number, number][], masses: readonly number[], sag: number) => {
    const at = ([x, y]: readonly [number, number]): Vector => [x, y, 0];
    const points: Vector[] = [at(posts[0])];
    const guides: Guide[] = [];
    masses.forEach((_, k) => {
      const [a, b] = [posts[k], posts[k + 1]];
      points.push([a[0] + 0.4 * (b[0] - a[0]), Math.min(a[1], b[1]) - sag, 0]);
      guides.push({ id: `ring${k}`, point: points[points.length - 1], body: `ring${k}` });
      points.push(at(b));
      if (k < masses.length - 1) guides.push({ id: `post${k}`, point: at(b) });
    });
    return createWorld({
      objects: [
        {
          type: 'strand',
          id: 'line',
          material: { radius: 0.002, linearDensity: 1e-5, stretchStiffness: 1e4, bendingStiffness: 0 },
          points,
          nodes: 61,
          guides,
        },
      ],
      bodies: masses.map((mass, k) => ({
        id: `ring${k}`,
        shape: { type: 'sphere' as const, radius: 0.02 },
        position: points[2 * k + 1],
        motion: 'dynamic' as const,
        mass,
      })),
      drivers: [
        { type: 'pin', on: { object: 'line', at: 'start' } },
        { type: 'pin', on: { object: 'line', at: 'end' } },
      ],
      probes: [
        ...masses.map((_, k) => ({
          id: `ring${k}`,
          type: 'position' as const,
          on: { object: 'line', guide: `ring${k}` },
        })),
        { id: 'tension', type: 'tension', on: { object: 'line', at: 'start' } },
        { id: 'count', type: 'counts' },
      ],
      time: { step: 0.1, duration: 100 },
      solver: { newtonIterations: 50 },
    });
  };

  test.each<[string, [number, number][], number[]]>([
    ['level posts, one ring', [[-0.5, 0], [0.7, 0]], [0.3]], // biome-ignore format: a table
    ['one post higher', [[-0.5, 0], [0.7, 0.3]], [0.3]], // biome-ignore format: a table
    ['three spans', [[-0.9, 0], [-0.3, 0.06], [0.3, 0], [0.9, 0.1]], [0.2, 0.35, 0.25]], // biome-ignore format: a table
  ])('each rests where the line slopes alike on both sides, sin α = W/(2T): %s', (_, posts, masses) => {
    const world = hang(posts, masses, 0.15);
    run(world, 1000);
    const tension = readProbe(world, 'tension');
    masses.forEach((mass, k) => {
      const [x, y] = ['x', 'y'].map((c) => readProbe(world, `ring${k}.${c}`));
      const sines = [posts[k], posts[k + 1]].map((post) => (post[1] - y) / Math.hypot(post[0] - x, post[1] - y));
      // the line weighs 1e-4 of what hangs on it
      for (const sine of sines) expect(Math.abs(sine / ((mass * G) / (2 * tension)) - 1)).toBeLessThan(1e-4);
    });
  });
});
