/** Cloth that slides over a sharp edge. */
import { Body, createShape } from 'heddle/bodies';
import { ROLE_EDGE } from 'heddle/fabric';
import { expect, test } from 'vitest';
import { createFabric, createFabricWorld, createPlainNet, LAYER, SPACING, YARN } from './fabrics.ts';

const G = 9.81;
const OFFSET = 2 * YARN.radius;
const [LONG, WIDE] = [24, 3];
const LENGTH = LONG * SPACING;

/** A strip half of which, and half a spacing, hangs over the edge of a box, the z axis as far out as the middle of cloth stays: a crossing lies on it at the start. */
function create(timeStep: number) {
  const net = createPlainNet(LONG, WIDE);
  const hanging = LENGTH / 2 + SPACING / 2;
  const left = net.x.filter((_, k) => k % 3 === 0).reduce((least, x) => Math.min(least, x));
  for (let i = 0; i < net.role.length; i++) {
    const s = net.x[3 * i] - left - (LENGTH - hanging);
    net.x[3 * i] = Math.min(s, 0);
    net.x[3 * i + 1] = Math.min(-s, 0);
  }
  const box = new Body({
    id: 'box',
    shape: createShape({ type: 'box', size: [0.6, 0.6, 0.6] }),
    position: [-0.3 - OFFSET, -0.3 - OFFSET, 0],
  });
  const fabric = createFabric(net, {
    materials: [{ ...YARN, linearDensity: 1e-2, stretchStiffness: 500, bendingStiffness: 1e-8 }],
    // yarns hold each other, the body does not rub
    layers: [{ ...LAYER, shearStiffness: 1e-3, parallelStiffness: 100, frictionStiffness: 1000, preload: 0.05 }],
    friction: Float64Array.of(1),
    bodyFriction: 0,
    bodies: [box],
    gravity: [0, -G, 0],
  });
  const world = createFabricWorld(fabric, { bodies: [box], timeStep, newtonIterations: 40, tolerance: 1e-7 });
  /** Momentum along the strip, to the right on the box and down beside it, over its mass: edge forces cancel in it. */
  const measure = (): number => {
    const p = new Float64Array(6);
    fabric.addMomentum(p);
    return (p[0] - p[1]) / fabric.computeMass();
  };
  return { fabric, world, hanging, measure };
}

test('a strip slides over an edge with g (hanging length)/(length), while its crossings pass the edge', () => {
  const { fabric, world, hanging, measure } = create(1e-3);
  const start = world.energy().total;
  const speeds: number[] = [];
  let gain = Number.NEGATIVE_INFINITY;
  for (let n = 0; n < 60; n++) {
    world.step();
    speeds.push(measure());
    gain = Math.max(gain, world.energy().total - start);
  }
  // ẍ = g (h + x)/l:  ẋ = h ω sinh ωt,  ω² = g/l
  const rate = Math.sqrt(G / LENGTH);
  const ideal = (t: number): number => hanging * rate * Math.sinh(rate * t);
  const ratio = (speeds[59] - speeds[19]) / (ideal(0.06) - ideal(0.02));
  expect(ratio).toBeGreaterThan(0.95);
  expect(ratio).toBeLessThan(1.05);
  // two rows of crossings have gone over the edge, on which every weft has a node
  expect(ideal(0.06) / rate).toBeGreaterThan(2 * SPACING);
  expect(fabric.state.role.filter((role) => role === ROLE_EDGE).length).toBe(WIDE);
  // what crossings gain as they change to EIL at the edge and back
  expect(gain).toBeLessThan(0.05 * world.energy().kinetic);
});
