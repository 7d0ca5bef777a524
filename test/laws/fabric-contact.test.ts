import { Body, createShape, KeyframeTrack } from 'heddle/bodies';
import {
  addLayerContacts,
  Fabric,
  type LayerOptions,
  ROLE_BETWEEN,
  ROLE_CROSSING,
  ROLE_EDGE,
  ROLE_POINT,
  type YarnNet,
} from 'heddle/fabric';
import { quaternionFromAxisAngle, type Vec3 } from 'heddle/math';
import { createPlainWeave, createWovenNet, createWovenYarns, joinNets, placeNet } from 'heddle/patterns';
import { type Driver, World } from 'heddle/world';
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

  test.each([0.2, 0.5, 1])('comes to rest 1° below atan μ and presses with its weight, μ = %f', (friction) => {
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

  test.each([0.2, 0.5, 1])('slides 1° above atan μ with g (sin − μ cos) to 5 per cent, μ = %f', (friction) => {
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

describe('cloth over the sharp edges of a table', () => {
  const half = 0.02;
  const create = () => {
    const shape = createShape({ type: 'box', size: [2 * half, 0.1, 2 * half] });
    const body = new Body({ id: 'table', shape, position: [0, -0.05 - OFFSET, 0] });
    return createWorld(createPatch(14, 14, [0, 1e-5, 0]), body, 0.3);
  };
  const listEdgeNodes = ({ state: { role, count } }: Fabric) =>
    Array.from({ length: count }, (_, i) => i).filter((i) => role[i] === ROLE_EDGE);

  test('every yarn that bends over an edge has a node on it, which the edge pushes and through which it slides', () => {
    const { world, fabric } = createWorldAfter(create(), 60);
    const { q, v, yarn, contact } = fabric.state;
    const nodes = listEdgeNodes(fabric);
    // eight yarns of each kind lie on the table, over two edges each
    const places = new Set(nodes.map((i) => `${yarn[2 * i]} ${q[5 * i] + q[5 * i + 2] > 0}`));
    expect(places.size).toBe(nodes.length);
    expect(nodes.length).toBeGreaterThanOrEqual(32);
    const edge = half + OFFSET;
    for (const i of nodes) {
      const [x, y, z] = [Math.abs(q[5 * i]), q[5 * i + 1], Math.abs(q[5 * i + 2])];
      expect(Math.abs(y)).toBeLessThan(1e-6);
      expect(Math.min(Math.abs(x - edge), Math.abs(z - edge))).toBeLessThan(1e-6);
      expect(Math.max(x, z)).toBeLessThan(edge + 1e-6);
    }
    expect(nodes.filter((i) => contact[3 * i + 1] > 0).length).toBeGreaterThan(0.9 * nodes.length);
    expect(Math.max(...nodes.map((i) => Math.abs(v[5 * i + 3])))).toBeGreaterThan(1e-3);
    expect(world.time).toBeCloseTo(0.06, 12);
  });
});

describe('two layers', () => {
  /** A patch on a larger one that is held; `push` [N] is shared by the crossings of the upper one. */
  const create = (push: () => number, friction = 0, angle = 0) => {
    const layers = [LAYER, LAYER];
    const materials = [{ ...MATERIAL, bendingStiffness: 5e-6 }];
    const net = addLayerContacts(joinNets([createPatch(15, 7), createPatch(5, 5)]), { layers, materials });
    const fabric = new Fabric({
      id: 'stack',
      net,
      materials,
      layers,
      friction: Float64Array.of(0.5, friction, friction, 0.5),
      bodyFriction: 0,
      gravity: [G * Math.sin(angle), -G * Math.cos(angle), 0],
    });
    const own = (layer: number, role: number) =>
      Array.from(net.role.keys()).filter((i) => net.role[i] <= role && net.yarnLayer[net.yarn[2 * i]] === layer);
    const [held, upper] = [own(0, ROLE_POINT), own(1, ROLE_CROSSING)];
    const driver: Driver = {
      prepare() {
        for (const i of held) fabric.holdNode(i, 7);
        for (const i of upper) fabric.pushNode(i, [0, push() / upper.length, 0]);
      },
      aim() {},
    };
    const world = new World({ models: [fabric], drivers: [driver], timeStep: 1e-3 });
    const between = () =>
      Array.from({ length: fabric.state.count }, (_, i) => i).filter((i) => fabric.state.role[i] === ROLE_BETWEEN);
    return { world, fabric, upper, between };
  };
  const weight = G * DENSITY * 10 * 5 * SPACING;

  test('the loads between them add up to the weight of the upper one', () => {
    const { world, fabric, between } = createWorldAfter(
      create(() => 0),
      60,
    );
    const sum = between().reduce((total, i) => total + fabric.state.load[i], 0);
    expect(sum / weight).toBeGreaterThan(0.98);
    expect(sum / weight).toBeLessThan(1.02);
    expect(world.time).toBeCloseTo(0.06, 12);
  });

  test.each([0.2, 0.5, 1])('rest on each other 1° below atan μ, μ = %f', (friction) => {
    const { fabric } = createWorldAfter(
      create(() => 0, friction, Math.atan(friction) - Math.PI / 180),
      150,
    );
    expect(Math.abs(computeUpperSpeed(fabric))).toBeLessThan(2e-3);
  });

  test.each([0.2, 0.5, 1])(
    'slide on each other 1° above atan μ with g (sin − μ cos) to 5 per cent, μ = %f',
    (friction) => {
      const angle = Math.atan(friction) + Math.PI / 180;
      const { world, fabric } = createWorldAfter(
        create(() => 0, friction, angle),
        200,
      );
      const before = computeUpperSpeed(fabric);
      for (let n = 0; n < 100; n++) world.step();
      const ratio = (computeUpperSpeed(fabric) - before) / 0.1 / (G * (Math.sin(angle) - friction * Math.cos(angle)));
      expect(ratio).toBeGreaterThan(0.95);
      expect(ratio).toBeLessThan(1.05);
    },
  );

  test('the upper one parts when it is lifted, and is borne again when it has fallen back', () => {
    let push = 3 * weight;
    const { world, fabric, upper, between } = createWorldAfter(
      create(() => push),
      15,
    );
    expect(between().length).toBe(0);
    const height = () => upper.reduce((sum, i) => sum + fabric.state.q[5 * i + 1], 0) / upper.length;
    expect(height()).toBeGreaterThan(5e-4);
    push = 0;
    for (let n = 0; n < 150; n++) world.step();
    expect(between().length).toBeGreaterThan(10);
    expect(Math.abs(height())).toBeLessThan(0.1 * 2 * RADIUS);
  });
});

/** Mean speed along x of the crossings of the upper layer. */
const computeUpperSpeed = (fabric: Fabric): number =>
  computeVelocity(fabric, (i) => fabric.state.yarnLayer[fabric.state.yarn[2 * i]] === 1)[0];

function createWorldAfter<T extends { world: World }>(both: T, steps: number): T {
  for (let n = 0; n < steps; n++) both.world.step();
  return both;
}
