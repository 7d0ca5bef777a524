import { Body, createShape, KeyframeTrack } from 'heddle/bodies';
import { Fabric, type LayerOptions, ROLE_CROSSING, ROLE_EDGE, ROLE_POINT, type YarnNet } from 'heddle/fabric';
import { quaternionFromAxisAngle, type Vec3 } from 'heddle/math';
import { createPlainWeave, createWovenNet, createWovenYarns, placeNet } from 'heddle/patterns';
import { World } from 'heddle/world';
import { describe, expect, test } from 'vitest';

const G = 9.81;
const [SPACING, RADIUS] = [5.6e-3, 2.25e-3];
/** How far the middle of a cloth stays off a body: its two yarns lie on one another. */
const OFFSET = 2 * RADIUS;
const DENSITY = 1e-2;
const MATERIAL = { linearDensity: DENSITY, stretchStiffness: 500, bendingStiffness: 1e-7, radius: RADIUS };
const LAYER: LayerOptions = {
  name: 'cloth',
  spacing: SPACING,
  shearStiffness: 1e-2,
  wrappingStiffness: 0,
  parallelStiffness: 100,
  frictionStiffness: 1000,
  preload: 0.05,
};

const createPatch = (warps: number, wefts: number, position: Vec3 = [0, 0, 0], angle = 0): YarnNet =>
  placeNet(
    createWovenNet(
      createWovenYarns({
        weave: createPlainWeave(),
        warps,
        wefts,
        spacing: { warp: SPACING, weft: SPACING },
        radius: { warp: RADIUS, weft: RADIUS },
        crimp: { warp: 0, weft: 0 },
      }),
    ),
    position,
    quaternionFromAxisAngle([0, 0, 1], angle),
  );

function createWorld(net: YarnNet, body: Body, friction: number): { world: World; fabric: Fabric } {
  const fabric = new Fabric({
    id: 'cloth',
    net,
    materials: [MATERIAL],
    layers: [LAYER],
    friction: Float64Array.of(0.5),
    bodyFriction: friction,
    bodies: [body],
  });
  return { fabric, world: new World({ models: [fabric], bodies: [body], timeStep: 1e-3 }) };
}

/** Mean velocity of the cloth's own nodes. */
function computeVelocity(
  { state: { v, role, count } }: Fabric,
  isTaken: (i: number) => boolean = () => true,
): number[] {
  const sum = [0, 0, 0];
  let nodes = 0;
  for (let i = 0; i < count; i++) {
    if ((role[i] !== ROLE_CROSSING && role[i] !== ROLE_POINT) || !isTaken(i)) continue;
    for (let k = 0; k < 3; k++) sum[k] += v[5 * i + k];
    nodes++;
  }
  return sum.map((value) => value / nodes);
}

describe('cloth on an inclined plane', () => {
  const create = (friction: number, angle: number) => {
    const orientation = quaternionFromAxisAngle([0, 0, 1], angle);
    const body = new Body({ id: 'slope', shape: createShape({ type: 'plane' }), orientation });
    const [s, c] = [Math.sin(angle), Math.cos(angle)];
    const both = createWorld(createPatch(5, 5, [-s * OFFSET, c * OFFSET, 0], angle), body, friction);
    // down the slope
    return { ...both, speed: () => -(computeVelocity(both.fabric)[0] * c + computeVelocity(both.fabric)[1] * s) };
  };

  test.each([0.2, 0.5, 1])('μ = %f: 1° below atan μ it comes to rest, and bears its weight', (friction) => {
    const { world, fabric, speed } = create(friction, Math.atan(friction) - Math.PI / 180);
    for (let n = 0; n < 120; n++) world.step();
    const place = fabric.state.q.slice();
    for (let n = 0; n < 30; n++) world.step();
    expect(Math.abs(speed())).toBeLessThan(2e-4);
    // without creeping: what moved in 30 ms is nothing beside ½ g t² sin = 2 mm
    for (let k = 0; k < place.length; k++) expect(Math.abs(fabric.state.q[k] - place[k])).toBeLessThan(2e-5);
    const weight = G * DENSITY * 10 * 5 * SPACING;
    const force = fabric.touch.contacts.bodyForce;
    expect(force[1]).toBeCloseTo(-weight, 3);
    expect(Math.abs(force[0])).toBeLessThan(0.01 * weight);
  });

  test.each([0.2, 0.5, 1])('μ = %f: 1° above it slides with g (sin − μ cos), to 5 %%', (friction) => {
    const angle = Math.atan(friction) + Math.PI / 180;
    const { world, speed } = create(friction, angle);
    for (let n = 0; n < 200; n++) world.step();
    const before = speed();
    for (let n = 0; n < 100; n++) world.step();
    const ideal = G * (Math.sin(angle) - friction * Math.cos(angle));
    expect((speed() - before) / 0.1 / ideal).toBeGreaterThan(0.95);
    expect((speed() - before) / 0.1 / ideal).toBeLessThan(1.05);
  });
});

test('a body that moves takes the cloth on it along, up to μ g', () => {
  const [friction, speed] = [0.3, 0.1];
  const track = new KeyframeTrack([
    { time: 0, position: [0, 0, 0] },
    { time: 10, position: [10 * speed, 0, 0] },
  ]);
  const body = new Body({ id: 'belt', shape: createShape({ type: 'plane' }), motion: 'scripted', track });
  const { world, fabric } = createWorld(createPatch(5, 5, [0, OFFSET, 0]), body, friction);
  for (let n = 0; n < 20; n++) world.step();
  const early = computeVelocity(fabric)[0];
  for (let n = 0; n < 5; n++) world.step();
  // slips at first: a = μ g
  expect((computeVelocity(fabric)[0] - early) / 5e-3 / (friction * G)).toBeCloseTo(1, 1);
  for (let n = 0; n < 100; n++) world.step();
  expect(computeVelocity(fabric)[0]).toBeCloseTo(speed, 4);
});

describe('cloth over the sharp edge of a table', () => {
  /** Wefts along x, on the table up to x = 0, then hanging straight down. */
  const create = (hanging: number) => {
    const warps = 24;
    const length = warps * SPACING;
    const flat = createPatch(warps, 3, [-length / 2 + hanging * SPACING, 0, 0]);
    const x = flat.x.slice();
    for (let i = 0; i < x.length; i += 3) if (x[i] > 0) [x[i], x[i + 1]] = [0, -x[i]];
    const shape = createShape({ type: 'box', size: [1, 0.6, 1] });
    const body = new Body({ id: 'table', shape, position: [-0.5 - OFFSET, -0.3 - OFFSET, 0] });
    return { ...createWorld({ ...flat, x }, body, 0), length };
  };

  test('without friction it slides with g l/L, l the length that hangs, and without jerks', () => {
    const { world, fabric, length } = create(10.25);
    const { state } = fabric;
    const trailing = () =>
      Math.min(...Array.from({ length: state.count }, (_, i) => (state.role[i] < 2 ? state.q[5 * i] : 0)));
    const speed = () => computeVelocity(fabric, (i) => state.q[5 * i] < -3 * SPACING)[0];
    for (let n = 0; n < 20; n++) world.step();
    let last = speed();
    const ratios: number[] = [];
    for (let n = 0; n < 8; n++) {
      const before = trailing();
      for (let k = 0; k < 10; k++) world.step();
      const hanging = length + 0.5 * (before + trailing());
      ratios.push((speed() - last) / 0.01 / ((G * hanging) / length));
      last = speed();
    }
    // wefts slide over the edge on nodes of their own
    expect(state.role.filter((role) => role === ROLE_EDGE).length).toBe(3);
    // crossings have passed the edge
    expect(trailing()).toBeGreaterThan(-length + 11.25 * SPACING);
    const mean = ratios.reduce((sum, one) => sum + one, 0) / ratios.length;
    expect(mean).toBeGreaterThan(0.95);
    expect(mean).toBeLessThan(1.05);
    for (const ratio of ratios) expect(Math.abs(ratio - 1)).toBeLessThan(0.25);
  });
});
