/** A rod that falls on prisms in long steps [Wen 2020, Fig. 10]: nodes come to edges, slide on them and leave. */
import { compile, validateScene } from 'heddle';
import { createFacetBody, Placement } from 'heddle/contact';
import { Rod } from 'heddle/rod';
import { expect, test } from 'vitest';

const SIDES = 12;

function describePrism(id: string, x: number, y: number): object {
  const points = [-0.3, 0.3].flatMap((z) =>
    Array.from({ length: SIDES }, (_, n) => {
      const angle = (2 * Math.PI * (n + 0.5)) / SIDES;
      return [0.045 * Math.cos(angle), 0.045 * Math.sin(angle), z];
    }),
  );
  return { id, shape: { type: 'convex', points }, position: [x, y, 0] };
}

const createWorld = () =>
  compile(
    validateScene({
      heddle: 1,
      name: 'prisms',
      title: 'Prisms',
      objects: [
        {
          type: 'rod',
          id: 'rod',
          material: { density: 1000, radius: 0.003, youngsModulus: 2e6, poissonRatio: 0.45, friction: 0 },
          damping: { mass: 0.5, stiffness: 0.01 },
          points: [
            [-0.8, 0.16, -0.05],
            [0.8, 0.16, 0.05],
          ],
          segments: 48,
        },
      ],
      bodies: [
        describePrism('a', -0.45, -0.05),
        describePrism('b', -0.15, 0.05),
        describePrism('c', 0.15, 0.05),
        describePrism('d', 0.45, -0.05),
      ],
      time: { step: 0.008, duration: 1.2 },
    }),
  );

// Without friction and drivers nothing gives it energy, whatever its nodes do; implicit steps and damping take some.
// Newton gains a digit an iteration and contacts are foreseen: two passes of four iterations, where the steps before took 16 and one in eight was taken again.
test('a rod that falls on prisms without friction only loses energy, stays out of them, and takes no step in halves', () => {
  const world = createWorld();
  const rod = world.models.find((model) => model instanceof Rod)!;
  const solids = world.bodies.map((body) => createFacetBody(body.shape, rod.radius)!);
  const placement = new Placement();
  const [a, b] = [new Float64Array(3), new Float64Array(3)];
  let [energy, iterations, rejected, deepest, slid] = [world.energy().total, 0, 0, 0, 0];
  for (let n = 0; n < 150; n++) {
    const report = world.step();
    iterations += report.newtonIterations;
    rejected += report.rejected;
    expect(report.fallbacks).toBe(0);
    const now = world.energy().total;
    expect(now).toBeLessThan(energy);
    energy = now;
    const { q, count } = rod.chain;
    for (let i = 0; i < count; i++) if (rod.state.sliding[i]) slid++;
    world.bodies.forEach((body, k) => {
      placement.read(body);
      for (let e = 0; e + 1 < count; e++) {
        placement.writeLocal(q, 4 * e, a, 0);
        placement.writeLocal(q, 4 * e + 4, b, 0);
        deepest = Math.max(deepest, solids[k].computeSegmentDepth(a, b));
      }
    });
  }
  expect(slid / 150).toBeGreaterThan(1);
  // half a radius is what a node that goes may leave
  expect(deepest).toBeLessThan(0.5 * rod.radius);
  expect(iterations / 150).toBeLessThan(8);
  expect(rejected).toBeLessThan(4);
});
