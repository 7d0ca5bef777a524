/**
 * The start of a strand on the bodies that it touches: points given on true surfaces move out by the radius, E-nodes stand on
 * the edges that it bends round, nothing is stretched and nothing moves by itself.
 */
import { compile, type SceneInput, validateScene, type World } from 'heddle';
import type { Strand } from 'heddle/strand';
import { describe, expect, test } from 'vitest';
import { computeDepth } from '../laws/touch-scenes.ts';

type Vector = [number, number, number];
const R = 0.01;
const MATERIAL = { radius: R, linearDensity: 0.05, stretchStiffness: 1e4, bendingStiffness: 0 };
const BOX: NonNullable<SceneInput['bodies']>[number] = {
  id: 'box',
  shape: { type: 'box', size: [1, 1, 1] },
  position: [-0.5, -0.5, 0],
};

function create(
  object: Partial<SceneInput['objects'][number]> & { points: Vector[] },
  scene: Partial<SceneInput> = {},
): World {
  return compile(
    validateScene({
      heddle: 1,
      name: 'start',
      title: 'start',
      gravity: [0, 0, 0],
      objects: [{ type: 'strand', id: 'rope', material: MATERIAL, nodes: 8, ...object }],
      bodies: [BOX],
      time: { step: 0.001, duration: 1 },
      ...scene,
    }),
  );
}

const strandOf = (world: World): Strand => world.models[0] as Strand;

/** Kind, place and material coordinate of every node. */
function nodesOf(world: World): { isEulerian: boolean; x: Vector; u: number; slide: number }[] {
  const { kind, q, v, count } = strandOf(world).state.chain;
  return Array.from({ length: count }, (_, i) => ({
    isEulerian: kind[i] === 1,
    x: [q[4 * i], q[4 * i + 1], q[4 * i + 2]],
    u: q[4 * i + 3],
    slide: v[4 * i + 3],
  }));
}

function computeStrains(world: World): number[] {
  const nodes = nodesOf(world);
  return nodes.slice(1).map(({ x, u }, i) => Math.hypot(...x.map((c, k) => c - nodes[i].x[k])) / (u - nodes[i].u) - 1);
}

function expectPlace(found: Vector, place: Vector, digits = 14): void {
  place.forEach((value, k) => {
    expect(found[k]).toBeCloseTo(value, digits);
  });
}

const OVER_EDGE: Vector[] = [
  [-0.4, 0, 0],
  [0, 0, 0],
  [0, -0.5, 0],
];

describe('a strand laid over the true edge of a box', () => {
  test('starts a radius above it, unstretched, with one E-node exactly on the grown edge', () => {
    const world = create({ points: OVER_EDGE });
    const nodes = nodesOf(world);
    expectPlace(nodes[0].x, [-0.4, R, 0]);
    expectPlace(nodes.at(-1)!.x, [R, -0.5, 0]);
    const [edge, ...others] = nodes.filter(({ isEulerian }) => isEulerian);
    expect(others).toEqual([]);
    expectPlace(edge.x, [R, R, 0]);
    expect(edge.u).toBeCloseTo(0.41, 14);
    expect(strandOf(world).state.restLength).toBeCloseTo(0.92, 14);
    for (const strain of computeStrains(world)) expect(Math.abs(strain)).toBeLessThan(1e-12);
    expect(computeDepth(world)).toBeLessThan(1e-15);
  });

  test('stays at rest without gravity, to round-off', () => {
    const world = create({ points: OVER_EDGE });
    for (let n = 0; n < 20; n++) world.step();
    expect(world.energy().total).toBeLessThan(1e-20);
  });

  test('slides through the E-node at the rate that the scene gives', () => {
    const world = create({ points: OVER_EDGE, slide: 0.3 });
    const edge = nodesOf(world).find(({ isEulerian }) => isEulerian)!;
    expect(edge.slide).toBe(0.3);
    const { kinetic } = world.energy();
    // ½ ρ L w², all of the strand at one speed, and no force anywhere
    expect(kinetic).toBeCloseTo(0.5 * 0.05 * 0.92 * 0.09, 12);
    for (let n = 0; n < 20; n++) world.step();
    expect(nodesOf(world).find(({ isEulerian }) => isEulerian)!.slide).toBeCloseTo(0.3, 9);
  });

  test('is the same on a box that is turned and elsewhere', () => {
    const [c, s] = [Math.cos(0.5), Math.sin(0.5)];
    const turn = ([x, y, z]: Vector): Vector => [c * x - s * y + 3, s * x + c * y - 2, z + 1];
    const rotation = { axis: [0, 0, 1] as Vector, angle: (0.5 * 180) / Math.PI };
    const world = create(
      { points: OVER_EDGE.map(turn) },
      { bodies: [{ ...BOX, position: turn([-0.5, -0.5, 0]), rotation }] },
    );
    const edge = nodesOf(world).filter(({ isEulerian }) => isEulerian);
    expect(edge.length).toBe(1);
    expectPlace(edge[0].x, turn([R, R, 0]), 13);
    expect(edge[0].u).toBeCloseTo(0.41, 13);
  });
});

test('a strand given a radius off the surface already is left where it is', () => {
  const world = create({
    points: [
      [-0.4, R, 0],
      [R, R, 0],
      [R, -0.5, 0],
    ],
  });
  expectPlace(nodesOf(world)[0].x, [-0.4, R, 0]);
  expect(strandOf(world).state.restLength).toBeCloseTo(0.92, 14);
  expect(nodesOf(world).filter(({ isEulerian }) => isEulerian).length).toBe(1);
});

test('segments between far nodes that would cut off an edge get E-nodes on it, both parts with the same strain', () => {
  // an arc round the edge at a distance, the edge in the middle between two nodes
  const arc = Array.from({ length: 40 }, (_, i): Vector => {
    const a = (0.5 * Math.PI * (39 - i)) / 39;
    return [-0.3 + 0.46 * Math.cos(a), -0.3 + 0.46 * Math.sin(a), 0];
  });
  const world = create({ points: arc, nodes: 2 });
  expect(computeDepth(world)).toBeLessThan(1e-12);
  const nodes = nodesOf(world);
  const e = nodes.findIndex(({ isEulerian }) => isEulerian);
  expect(e).toBe(1);
  const strains = computeStrains(world);
  expect(strains[e - 1]).toBeCloseTo(strains[e], 12);
});

const WINDINGS: NonNullable<SceneInput['bodies']>[number]['shape'][] = [
  { type: 'cylinder', radius: 0.2, length: 1 },
  { type: 'capsule', radius: 0.2, length: 1 },
  { type: 'sphere', radius: 0.2 },
];

describe.each(WINDINGS)('a strand wound round the true surface of $type', (shape) => {
  const points = Array.from({ length: 13 }, (_, i): Vector => {
    const a = (Math.PI * i) / 12;
    return [0.2 * Math.cos(a), 0.2 * Math.sin(a), 0];
  });
  const createWound = () =>
    create(
      { points: [[0.2, -0.4, 0], ...points, [-0.2, -0.4, 0]], nodes: 30 },
      { bodies: [{ id: 'post', shape, rotation: { axis: [1, 0, 0], angle: 90 } }] },
    );

  test('hugs it as a polygon of L-nodes that cuts in nowhere, unstretched', () => {
    const world = createWound();
    expect(computeDepth(world)).toBeLessThan(1e-9);
    const nodes = nodesOf(world);
    expect(nodes.filter(({ isEulerian }) => isEulerian)).toEqual([]);
    const length = strandOf(world).state.restLength - 0.8;
    for (const strain of computeStrains(world)) expect(Math.abs(strain)).toBeLessThan(1e-12);
    // half way round R in segments of l ≤ R/4: longer than the arc by 2R/l tan⁻¹(l/2R), 0.5 %, and by 0.2 % on the prism of a mantle
    expect(length).toBeGreaterThan(Math.PI * 0.21);
    expect(length).toBeLessThan(Math.PI * 0.21 * 1.01);
  });

  test('stays at rest without gravity, to round-off', () => {
    const world = createWound();
    for (let n = 0; n < 50; n++) world.step();
    expect(world.energy().total).toBeLessThan(1e-20);
  });
});

describe('a start inside a body', () => {
  const deep: Vector[] = [
    [-0.4, 0, 0],
    [-0.1, -0.1, 0],
    [0, -0.5, 0],
  ];

  test('is a fault that says where, which body, how deep and what to do', () => {
    expect(() => create({ points: deep })).toThrow(
      /objects\[0\].*"rope" starts inside body "box".*points\[1\] lies 0\.11 m deep.*0\.015 m.*move the points.*"contact" to false/,
    );
  });

  test('is a fault where only a straight part between two points goes through', () => {
    expect(() =>
      create({
        points: [
          [-0.4, 0, 0],
          [0, -0.5, 0],
        ],
      }),
    ).toThrow(/runs from points\[0\] to points\[1\] .* m deep/);
  });

  test('is none when the strand does not touch it', () => {
    expect(strandOf(create({ points: deep, contact: false })).touch).toBeUndefined();
  });
});

describe('a strand that does not say "contact"', () => {
  const touched = (world: World): string[] => strandOf(world).contact.bodies.map(({ id }) => id);
  const hanging: Vector[] = [
    [-0.4, 0, 0],
    [-0.4, 0.5, 0],
  ];

  test('touches all bodies', () => {
    expect(
      touched(
        create(
          { points: OVER_EDGE },
          { bodies: [BOX, { id: 'floor', shape: { type: 'plane' }, position: [0, -2, 0] }] },
        ),
      ),
    ).toEqual(['box', 'floor']);
  });

  test('leaves out a body that carries its guide, one that it is tied to, and one that a pin sets it into', () => {
    const points: Vector[] = [
      [-0.4, R, 0],
      [R, R, 0],
      [R, -0.5, 0],
    ];
    expect(touched(create({ points, guides: [{ id: 'g', point: [R, R, 0], body: 'box' }] }))).toEqual([]);
    const on = { object: 'rope', at: 'start' as const };
    expect(touched(create({ points: hanging }, { drivers: [{ type: 'tie', on, body: 'box' }] }))).toEqual([]);
    const sunk: Vector[] = [[-0.4, -0.05, 0], hanging[1]];
    expect(touched(create({ points: sunk }, { drivers: [{ type: 'pin', on }] }))).toEqual([]);
    expect(touched(create({ points: hanging }, { drivers: [{ type: 'pin', on }] }))).toEqual(['box']);
  });

  test('keeps a pinned end on the true surface where it leads away, and lifts one that lies along it', () => {
    const on = { object: 'rope', at: 'start' as const };
    const drivers: SceneInput['drivers'] = [{ type: 'pin', on }];
    expectPlace(nodesOf(create({ points: hanging }, { drivers }))[0].x, [-0.4, 0, 0]);
    expectPlace(nodesOf(create({ points: OVER_EDGE }, { drivers }))[0].x, [-0.4, R, 0]);
    const keyframes: SceneInput['drivers'] = [
      { type: 'keyframes', on, keyframes: [{ time: 0, position: [-0.4, 0, 0] }] },
    ];
    expectPlace(nodesOf(create({ points: OVER_EDGE }, { drivers: keyframes }))[0].x, [-0.4, 0, 0]);
  });
});
