/** A plain weave falls on a sphere. */
import { Body, SphereShape } from 'heddle/bodies';
import { expect, test } from 'vitest';
import { createFabric, createFabricWorld, createPlainNet, LAYER, YARN } from './fabrics.ts';

/** How far the crossings of a square are from their quarter turns and mirror images, after so many steps; and how far its corner and its side hang. */
function drape(friction: number, steps: number) {
  const [n, radius] = [7, 0.02];
  const net = createPlainNet(n);
  const middle = 5 * ((n * n - 1) / 2);
  const bodies = [
    new Body({
      id: 'ball',
      shape: new SphereShape(radius),
      position: [net.x[(3 * middle) / 5], -radius - 2 * YARN.radius, net.x[(3 * middle) / 5 + 2]],
    }),
  ];
  const fabric = createFabric(net, {
    layers: [{ ...LAYER, preload: 3e-2 }],
    materials: [{ ...YARN, bendingStiffness: 1e-7 }],
    friction: Float64Array.of(friction),
    gravity: [0, -9.81, 0],
    bodies,
  });
  const world = createFabricWorld(fabric, { bodies });
  for (let k = 0; k < steps; k++) world.step();
  const { q } = fabric.state;
  /** Place of the crossing of warp i and weft j from the middle one's axis. */
  const place = (i: number, j: number): [number, number, number] => {
    const at = 5 * (j * n + i);
    return [q[at] - q[middle], q[at + 1], q[at + 2] - q[middle + 2]];
  };
  let [turned, mirrored] = [0, 0];
  for (let j = 0; j < n; j++)
    for (let i = 0; i < n; i++) {
      const [x, y, z] = place(i, j);
      const [a, b, c] = place(j, n - 1 - i);
      turned = Math.max(turned, Math.hypot(a + z, b - y, c - x));
      const [d, e, f] = place(n - 1 - i, j);
      mirrored = Math.max(mirrored, Math.hypot(d + x, e - y, f - z));
    }
  return { turned, mirrored, corner: -place(0, 0)[1], side: -place(0, 3)[1] };
}

test('a square of plain weave on a sphere has four-fold symmetry and its mirror images, to rounding without friction of its yarns', () => {
  const { turned, mirrored, corner } = drape(0, 38);
  expect(corner).toBeGreaterThan(0.006);
  expect(mirrored).toBeLessThan(1e-11);
  expect(turned).toBeLessThan(1e-11);
});

// a quarter turn exchanges over and under, and with it loads and friction of crossings on a curved cloth
test('with friction it keeps its mirror images to rounding, and four-fold symmetry to 2e-4 of what it hangs', () => {
  const { turned, mirrored, corner, side } = drape(0.3, 60);
  expect(corner).toBeGreaterThan(0.01);
  expect(corner).toBeGreaterThan(1.3 * side);
  expect(mirrored).toBeLessThan(1e-11);
  expect(turned).toBeLessThan(2e-4 * corner);
});
