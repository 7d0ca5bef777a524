/**
 * A cloth that hangs down the side of a box is drawn up over its edge and along the top, in steps of 1/60 s: nothing holds it but its weight and
 * friction, so its free end follows at the speed of the moved one,   |v_free − v| < 0.05 m/s,
 * and stays as long as it is. The faces take no load from what only hangs beside them.
 */
import { Body, BoxShape } from 'heddle/bodies';
import { createGridMesh } from 'heddle/geometry';
import { Sheet } from 'heddle/sheet';
import { createVelocity, World } from 'heddle/world';
import { expect, test } from 'vitest';

const STRIDE = 5;
const SPEED = 0.4;
const HALF = 2e-4;
const ON_TOP = 0.25;

function createDrawn(side: number, friction: number) {
  const { points, corners, triangleCount } = createGridMesh(1, 1, side, side);
  const count = (side + 1) ** 2;
  const X = points.slice(0, 2 * count);
  const x: number[] = [];
  for (let i = 0; i < count; i++) {
    const top = X[2 * i] - (1 - ON_TOP);
    x.push(top > 0 ? top - HALF : -HALF, top > 0 ? HALF : HALF + top, 0.5 - X[2 * i + 1]);
  }
  const box = new Body({ id: 'box', shape: new BoxShape([2, 2, 2]), position: [1, -1, 0] });
  const sheet = new Sheet({
    id: 'cloth',
    material: {
      arealDensity: 0.2,
      membrane: [5500, 5500, 1650, 1900],
      bending: [1e-5, 1e-5, 0, 5e-6],
      thickness: 2 * HALF,
      friction,
    },
    x,
    X,
    triangles: corners.slice(0, 3 * triangleCount),
    obstacles: [box],
  });
  const row = (column: number): number[] => Array.from({ length: side + 1 }, (_, j) => (side + 1) * j + column);
  const { state } = sheet;
  for (let i = 0; i < count; i++) state.v[STRIDE * i + (X[2 * i] > 1 - ON_TOP ? 0 : 1)] = SPEED;
  for (const label of [...row(0), ...row(side)]) state.kept[label] = 1;
  const drivers = row(side).map((label) => createVelocity({ model: sheet, label }, [SPEED, 0, 0]));
  const world = new World({ models: [sheet], bodies: [box], drivers, timeStep: 1 / 60 });
  return { world, sheet, free: row(0) };
}

test.each([[0], [0.3]])('a cloth drawn up over an edge follows at its speed in every step, friction %d', (friction) => {
  const { world, sheet, free } = createDrawn(16, friction);
  const { state } = sheet;
  for (let k = 0; k < 30; k++) {
    const { rejected, newtonIterations } = world.step();
    // the first step finds the contacts; after that they settle at once
    if (k > 0) expect([rejected, newtonIterations < 20], `step ${k}`).toEqual([0, true]);
    const speed = free.reduce((sum, label) => sum + state.v[STRIDE * state.indexOf(label) + 1], 0) / free.length;
    if (k > 5) expect(Math.abs(speed - SPEED), `step ${k}`).toBeLessThan(0.05);
    expect(sheet.touch!.computeDepth(state)).toBeLessThan(1e-6);
  }
  expect(world.maxStrain()).toBeLessThan(0.02);
});
