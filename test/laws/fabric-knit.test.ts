/** Knits: what they keep and where they come to. */
import { compile, validateScene } from 'heddle';
import { type Fabric, ROLE_STITCH } from 'heddle/fabric';
import { expect, test } from 'vitest';

/** Role of a place without a node. */
const ROLE_FREE = 255;

/** Of the yarn [m]. */
const RADIUS = 4e-4;

/** Material between two sides [m]. */
const measure = (state: Fabric['state'], s: number, t: number): number =>
  Math.abs(state.q[state.materialIndex(t)] - state.q[state.materialIndex(s)]);

const createKnit = (tightness: number) => {
  const world = compile(
    validateScene({
      heddle: 1,
      name: 'knit',
      title: 'Knit',
      gravity: [0, 0, 0],
      materials: {
        wool: {
          yarnCount: { unit: 'tex', value: 200 },
          radius: RADIUS,
          stretchStiffness: 20,
          bendingStiffness: 2e-9,
          friction: 0.2,
        },
      },
      objects: [
        {
          type: 'fabric',
          id: 'knit',
          layers: [
            {
              pattern: { type: 'stockinette', courses: 5, wales: 6, spacing: [0.004, 0.003], tightness },
              material: 'wool',
            },
          ],
          damping: { mass: 30, stiffness: 5e-4 },
        },
      ],
      time: { step: 5e-4, duration: 1 },
    }),
  );
  return { world, fabric: world.models[0] as Fabric };
};

test.each([1, 0.95])(
  'a knit of yarn %d times as long as drawn comes to rest: it ends with less energy than it had, and hardly moves',
  (tightness) => {
    const { world, fabric } = createKnit(tightness);
    const { state } = fabric;
    const bound = [...state.role.keys()].filter((i) => state.role[i] === ROLE_STITCH);
    const material = bound.map((i) => state.q[5 * i + 3]);
    const wraps = fabric.stencils.wraps.count;
    const start = world.energy();
    let [fastest, iterations, rejected] = [0, 0, 0];
    for (let n = 0; n < 60; n++) {
      const report = world.step();
      iterations += report.newtonIterations;
      rejected += report.rejected;
      fastest = Math.max(fastest, world.energy().kinetic);
    }
    const end = world.energy();
    // it was flat and drawn: its loops straighten, which is what moves it
    expect(end.total).toBeLessThan(0.9 * start.total);
    expect(fastest).toBeGreaterThan(1e-3 * end.bending);
    expect(end.kinetic).toBeLessThan(0.02 * end.bending);
    // seen: 2e-5, 3.3 and 4.7 iterations a step
    expect(end.stretch).toBeLessThan(1e-4 * end.bending);
    expect(iterations / 60).toBeLessThan(6);
    expect(rejected).toBe(0);
    // no crossing is lost, and bound ones have not slid
    expect(state.role.subarray(0, state.count).includes(ROLE_FREE)).toBe(false);
    expect(bound.map((i) => state.q[5 * i + 3])).toEqual(material);
    // the two crossings of a stitch do not come nearer than the yarns are thick, but for what presses them
    const { sides, count } = fabric.stencils.wraps;
    const apart = Array.from({ length: count }, (_, e) => measure(state, sides[4 * e + 1], sides[4 * e + 2]));
    expect(count).toBe(wraps);
    expect(Math.min(...apart)).toBeGreaterThan(0.9 * 2 * RADIUS);
    expect(Math.min(...apart)).toBeLessThan(2 * RADIUS);
  },
);
