/** Fabrics that fall, and drape on a sphere. */

import { Body, SphereShape } from '../bodies/index.ts';
import { createFabric, createFabricWorld, createPlainNet, FABRIC_LAYER, FABRIC_YARN } from './fabrics.ts';
import type { ValueLaw } from './law.ts';

/** How far the crossings of a square are from their quarter turns and mirror images, after so many steps; and how far its corner and its side hang. */
export function drapeFabric(friction: number, steps: number) {
  const [n, radius] = [7, 0.02];
  const net = createPlainNet(n);
  const middle = 5 * ((n * n - 1) / 2);
  const bodies = [
    new Body({
      id: 'ball',
      shape: new SphereShape(radius),
      position: [net.x[(3 * middle) / 5], -radius - 2 * FABRIC_YARN.radius, net.x[(3 * middle) / 5 + 2]],
    }),
  ];
  const fabric = createFabric(net, {
    layers: [{ ...FABRIC_LAYER, preload: 3e-2 }],
    materials: [{ ...FABRIC_YARN, bendingStiffness: 1e-7 }],
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

export const FABRIC_SYMMETRY: ValueLaw = {
  name: 'fabric-symmetry',
  model: 'fabric',
  kind: 'value',
  title: 'a square of plain weave on a sphere has four-fold symmetry and its mirror images',
  source: 'docs/reference/fabric.md',
  parameter: 'steps [1]',
  parameters: [20, 38],
  quantity: 'largest distance of a crossing from its image, over how far the corner hangs [1]',
  stiffnesses: [],
  tolerance: 1e-8,
  scale: () => 1,
  predict: () => 0,
  measure(steps) {
    const { turned, mirrored, corner } = drapeFabric(0, steps);
    return Math.max(turned, mirrored) / corner;
  },
};

export const FABRIC_FALL: ValueLaw = {
  name: 'fabric-fall',
  model: 'fabric',
  kind: 'value',
  title: 'a fabric falls freely by ½ g t (t + h), the recurrence of implicit Euler',
  source: 'Galileo',
  parameter: 'g [m/s²]',
  parameters: [1.62, 9.81],
  quantity: 'fall in 0.1 s [m]',
  stiffnesses: [],
  tolerance: 1e-6,
  predict: (g) => 0.5 * g * 0.1 * (0.1 + 1e-3),
  measure(g) {
    const fabric = createFabric(createPlainNet(5), { gravity: [0, -g, 0] });
    const world = createFabricWorld(fabric);
    const before = fabric.state.q[1];
    for (let n = 0; n < 100; n++) world.step();
    return before - fabric.state.q[1];
  },
};
