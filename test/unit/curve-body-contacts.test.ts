/** What `CurveBodyContacts` promises beside the laws of mechanics: nodes on edges come and go, states, kinds of bodies, cancelled coordinates. */
import { Body, BoxShape, CapsuleShape, CylinderShape, KeyframeTrack, MeshShape, SphereShape } from 'heddle/bodies';
import { createFacetBody, Placement } from 'heddle/contact';
import { CurveBodyContacts } from 'heddle/curve';
import { TriangleMesh } from 'heddle/geometry';
import { CANCEL_POSITION, CANCEL_U, ConstraintRows, NODE_EULERIAN, type Stage } from 'heddle/model';
import { World } from 'heddle/world';
import { expect, test } from 'vitest';
import type { BodyContact } from '../../src/curve/body-contact.ts';
import { BodyEdges } from '../../src/curve/body-edges.ts';
import { BodyObstacle } from '../../src/curve/body-obstacle.ts';
import { line, type RopeOptions, TouchingRope } from '../laws/touching-rope.ts';

function create(options: RopeOptions, bodies: readonly Body[], mode: 'eol' | 'lagrangian' = 'eol', timeStep = 1e-3) {
  const rope = new TouchingRope('rope', options);
  const obstacles = bodies.map((body) => ({ body, part: -1 }));
  const contacts = new CurveBodyContacts({ curve: rope, part: 0, obstacles, mode });
  const world = new World({ models: [rope], bodies, couplings: [contacts], timeStep, newtonIterations: 30 });
  return { rope, contacts, world };
}

function computeDepth(rope: TouchingRope, body: Body): number {
  const facets = createFacetBody(body.shape, rope.radius);
  const [place, a, b] = [new Placement(), new Float64Array(3), new Float64Array(3)];
  place.read(body);
  let deepest = 0;
  for (let e = 0; e + 1 < rope.chain.count; e++) {
    place.writeLocal(rope.chain.q, 4 * e, a, 0);
    place.writeLocal(rope.chain.q, 4 * e + 4, b, 0);
    deepest = Math.max(deepest, facets.computeSegmentDepth(a, b));
  }
  return deepest;
}

const TABLE = (friction = 0): Body =>
  new Body({ id: 'table', shape: new BoxShape([1, 0.5, 1]), position: [-0.5, -0.25, 0], friction });
/** Over the edge x = 0 of the table, between two nodes. */
const OVER = line([-0.4, 0.02, 0.03], [0.5, 0.02, -0.02], 9);

test('a node comes where a segment presses on an edge, slides, and leaves when the rope is lifted off', () => {
  const { rope, contacts, world } = create({ points: OVER }, [TABLE()]);
  let appeared = -1;
  for (let n = 0; n < 150 && appeared < 0; n++) {
    world.step();
    if (contacts.edgeNodes.length > 0) appeared = n;
  }
  expect(appeared).toBeGreaterThan(0);
  const i = rope.indexOf(contacts.edgeNodes[0]);
  expect(rope.chain.kind[i]).toBe(NODE_EULERIAN);
  for (let k = 0; k < 2; k++) expect(rope.chain.q[4 * i + k]).toBeCloseTo(0.005, 6);
  for (let i = 0; i < rope.chain.count; i++) rope.chain.v[4 * i + 1] = 3;
  for (let n = 0; n < 40; n++) world.step();
  expect(contacts.edgeNodes.length).toBe(0);
  for (let i = 0; i < rope.chain.count; i++) expect(rope.chain.cancelled[i] & CANCEL_U).toBe(CANCEL_U);
});

test('a rope slides all over an edge and off it: the node leaves near its end', () => {
  const { rope, contacts, world } = create({ points: OVER }, [TABLE()]);
  let most = 0;
  for (let n = 0; n < 700; n++) {
    world.step();
    most = Math.max(most, contacts.edgeNodes.length);
    expect(computeDepth(rope, world.bodies[0])).toBeLessThan(1e-6);
  }
  expect(most).toBe(1);
  expect(contacts.edgeNodes.length).toBe(0);
  expect(contacts.fallbacks).toBe(0);
  // gone from the table
  expect(rope.chain.q[1]).toBeLessThan(-0.3);
});

test('in lagrangian mode no node comes, and the rope is kept out all the same', () => {
  const { rope, contacts, world } = create({ points: OVER }, [TABLE(0.3)], 'lagrangian');
  for (let n = 0; n < 200; n++) {
    world.step();
    expect(computeDepth(rope, world.bodies[0])).toBeLessThan(1e-6);
  }
  expect(rope.chain.count).toBe(OVER.length);
  expect(contacts.edgeNodes).toEqual([]);
  expect(contacts.fallbacks).toBe(0);
});

test('no edge chatters: a rope that hangs still over it keeps its node', () => {
  const { contacts, world } = create({ points: OVER, material: { linearDensity: 0.05 } }, [TABLE(0.9)]);
  for (let n = 0; n < 600; n++) world.step();
  const labels = contacts.edgeNodes;
  expect(labels.length).toBe(1);
  for (let n = 0; n < 300; n++) {
    world.step();
    expect(contacts.edgeNodes).toEqual(labels);
  }
});

test('a node leaves its edge after three steps in a row without a push, not after two, however often', () => {
  const rope = new TouchingRope('rope', {
    points: [...line([-0.4, 0.005, 0], [0.005, 0.005, 0], 2), [0.005, -0.4, 0]],
  });
  const obstacle = new BodyObstacle({ body: TABLE(), part: -1 }, rope, 0.4);
  obstacle.beginStep();
  const { edgeStart, edgeEnd, edgeCount } = obstacle.facets;
  // in the frame of the table the edge is along z, at half of its width and height, grown by the radius
  const edge = Array.from({ length: edgeCount }, (_, e) => e).find((e) =>
    [edgeStart, edgeEnd].every((end) => end[3 * e] > 0.5 && end[3 * e + 1] > 0.25),
  )!;
  const edges = new BodyEdges(rope, [obstacle]);
  edges.ask(rope.chain.q[4 * 2 + 3], 0, edge, 0.4);
  edges.adapt();
  const step = (load: number): number => {
    edges.endStep(
      ({ label }) => ({ i: rope.indexOf(label), load, computePresentGap: () => 0 }) as unknown as BodyContact,
    );
    edges.adapt();
    return edges.nodes.length;
  };
  expect(edges.nodes.length).toBe(1);
  for (let n = 0; n < 4; n++) for (const load of [0, 0, 1e-9]) expect(step(load)).toBe(1);
  expect([step(0), step(0), step(0)]).toEqual([1, 1, 0]);
  expect(rope.chain.cancelled[2] & CANCEL_U).toBe(CANCEL_U);
});

test('a loaded run goes on with the same bits', () => {
  const build = () => create({ points: OVER }, [TABLE(0.2)]).world;
  const first = build();
  for (let n = 0; n < 80; n++) first.step();
  const saved = first.save();
  for (let n = 0; n < 60; n++) first.step();
  const second = build();
  second.load(saved);
  expect(second.save()).toEqual(saved);
  for (let n = 0; n < 60; n++) second.step();
  expect(second.hash()).toBe(first.hash());
});

test('a rope shot at round bodies and at a moving one stays outside', () => {
  const turned = [Math.SQRT1_2, 0, 0, Math.SQRT1_2] as const;
  const shapes = [new SphereShape(0.04), new CapsuleShape(0.03, 0.3), new CylinderShape(0.03, 0.4)];
  const still = shapes.map((shape) => new Body({ id: 'round', shape, orientation: turned, position: [0.01, 0, 0.02] }));
  const track = new KeyframeTrack([
    { time: 0, position: [0, -0.3, 0] },
    { time: 0.1, position: [0.1, 2.7, 0] },
  ]);
  const moving = new Body({ id: 'moving', shape: new BoxShape([0.1, 0.01, 0.4]), motion: 'scripted', track });
  for (const body of [...still, moving]) {
    const { rope, contacts, world } = create(
      {
        points: line([-0.5, 0.14, 0.022], [0.5, 0.2, 0.018], 7),
        gravity: [0, 0, 0],
        velocity: body === moving ? [0, 0, 0] : [0, -60, 0],
      },
      [body],
    );
    let pushes = 0;
    for (let n = 0; n < (body === moving ? 24 : 12); n++) {
      world.step();
      pushes += contacts.pushing;
      expect(computeDepth(rope, body)).toBeLessThan(1e-6);
    }
    expect(pushes).toBeGreaterThan(3);
    expect(contacts.fallbacks).toBe(0);
    // wound round it, and still on the side that it came from
    const { q, count } = rope.chain;
    const e = Array.from({ length: count - 1 }, (_, i) => i).find(
      (i) => q[4 * i] < body.position[0] && q[4 * i + 4] >= body.position[0],
    )!;
    const s = (body.position[0] - q[4 * e]) / (q[4 * e + 4] - q[4 * e]);
    expect(q[4 * e + 1] + s * (q[4 * e + 5] - q[4 * e + 1])).toBeGreaterThan(body.position[1]);
  }
});

test('a rope in a hollow box stays in it', () => {
  const body = new Body({ id: 'hollow', shape: createHollow(0.4, 0.5) });
  const { rope, contacts, world } = create(
    { points: line([-0.1, 0.05, 0.02], [0.11, 0.02, -0.05], 5), velocity: [9, 4, -5] },
    [body],
  );
  let pushes = 0;
  for (let n = 0; n < 150; n++) {
    world.step();
    pushes += contacts.pushing;
    for (let i = 0; i < rope.chain.count; i++)
      for (let k = 0; k < 3; k++) expect(Math.abs(rope.chain.q[4 * i + k])).toBeLessThan(0.195 + 1e-6);
  }
  expect(pushes).toBeGreaterThan(10);
  expect(contacts.fallbacks).toBe(0);
});

test('held coordinates get no entries, and what is all held no rows', () => {
  const table = TABLE(0.5);
  const rope = new TouchingRope('rope', {
    points: line([-0.4, 0.005, 0], [-0.1, 0.005, 0], 3),
    velocity: [0.1, -1, 0],
  });
  rope.hold(0, CANCEL_POSITION);
  rope.hold(1, 1, [0.3]);
  const contacts = new CurveBodyContacts({
    curve: rope,
    part: 3,
    obstacles: [{ body: table, part: -1 }],
    mode: 'eol',
  });
  const stage: Stage = {
    h: 1e-3,
    time: 1e-3,
    start: 0,
    step: 1e-3,
    full: 1e-3,
    order: 1,
    rows: 0,
    isHeap: false,
    linearized: true,
  };
  const rows = new ConstraintRows();
  contacts.adapt();
  rope.beginStep();
  contacts.beginStep();
  contacts.addRows(rows, stage);
  expect(rows.count).toBe(0);
  rope.beginStage(stage, 0, 0);
  for (let k = 0; k < 16; k++) rope.chain.q[k] += 1e-3 * rope.chain.v[k];
  expect(contacts.revise(stage)).toBe(true);
  contacts.addRows(rows, stage);
  // node 0 is held: rows for the other three
  expect(rows.count).toBe(3);
  expect(Array.from(rows.part.subarray(0, rows.entries))).toEqual(Array(rows.entries).fill(3));
  const coordinates = Array.from(rows.coordinate.subarray(0, rows.entries));
  expect(coordinates).not.toContain(4);
  expect(coordinates).toContain(5);
  expect(coordinates.some((c) => c < 4 || c % 4 === 3)).toBe(false);
});

/** A box of the half sizes a with walls: inner faces turned inward. */
function createHollow(inner: number, outer: number): MeshShape {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const [size, isInner] of [
    [inner / 2, true],
    [outer / 2, false],
  ] as const) {
    const first = positions.length / 3;
    for (let c = 0; c < 8; c++) positions.push(c & 1 ? size : -size, c & 2 ? size : -size, c & 4 ? size : -size);
    for (const [a, b, c, d] of [
      [0, 2, 3, 1],
      [4, 5, 7, 6],
      [0, 1, 5, 4],
      [2, 6, 7, 3],
      [0, 4, 6, 2],
      [1, 3, 7, 5],
    ])
      for (const [i, j, k] of [
        [a, b, c],
        [a, c, d],
      ])
        indices.push(...(isInner ? [i, k, j] : [i, j, k]).map((vertex) => first + vertex));
  }
  return new MeshShape(new TriangleMesh(Float64Array.from(positions), Int32Array.from(indices)));
}
