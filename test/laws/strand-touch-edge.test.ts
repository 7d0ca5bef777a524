/**
 * Friction where a strand bends round bodies by itself: the capstan law on round shapes, the corner law on sharp edges
 * [theory/curves#friction-at-a-corner]. Nothing in these scenes names a guide: the L-nodes of the polygon round a drum and the E-nodes on edges are
 * those that the strand found.
 */
import type { World } from 'heddle';
import { expect, test } from 'vitest';
import { distance } from './measure.ts';
import {
  type BodyInput,
  countEdges,
  createWorld,
  listPassages,
  RADIUS,
  ROPE,
  strandOf,
  type Vector,
} from './touch-scenes.ts';

const LOAD = 0.5;
const LEG = 0.3;
const PARTS = 50;

/** A rope with heavy ends that bends at `corners` and is pulled at both ends along itself by T1 and T2; no gravity. T2 grows from T1 in parts: no jerk. */
function createPull(
  body: BodyInput,
  corners: Vector[],
  turn: number,
  pulls: readonly [number, number],
  damping = 1e-2,
) {
  const ahead: Vector = [Math.cos(turn / 2), -Math.sin(turn / 2), 0];
  const back: Vector = [-ahead[0], ahead[1], 0];
  const [first, last] = [corners[0], corners[corners.length - 1]];
  const away = (p: Vector, d: Vector) => p.map((x, k) => x + LEG * d[k]) as Vector;
  const pull = (at: 'start' | 'end', d: Vector, size: number, from: number) =>
    ({ type: 'force', on: { object: 'rope', at }, value: d.map((x) => size * x) as Vector, from }) as const;
  const part = (pulls[1] - pulls[0]) / PARTS;
  const world = createWorld({
    gravity: [0, 0, 0],
    bodies: [body],
    objects: [
      {
        type: 'strand',
        id: 'rope',
        material: ROPE,
        points: [away(first, back), ...corners, away(last, ahead)],
        nodes: 31,
        damping: { mass: 0, stiffness: damping },
        masses: [
          { at: 'start', mass: LOAD },
          { at: 'end', mass: LOAD },
        ],
      },
    ],
    drivers: [
      pull('start', back, pulls[0], 0),
      pull('end', ahead, pulls[0], 0),
      ...Array.from({ length: PARTS }, (_, k) => pull('end', ahead, part, 0.1 + (0.2 * k) / PARTS)),
    ],
    time: { step: 2e-3, duration: 1 },
  });
  return { world, ahead };
}

/** Labels of the L-nodes that touch the body. */
const listTouching = (world: World): number[] => {
  const { contacts } = strandOf(world).touch!;
  return Array.from(contacts.label.subarray(0, contacts.count)).filter((_, c) => contacts.active[c]);
};

const placeOf = (world: World, label: number): number[] => {
  const { state } = strandOf(world);
  const at = 4 * state.indexOf(label);
  return Array.from(state.chain.q.subarray(at, at + 3));
};

/** Turn of the strand at a node [rad]. */
function computeTurn(world: World, label: number): number {
  const { state } = strandOf(world);
  const { q } = state.chain;
  const at = 4 * state.indexOf(label);
  const [a, b] = [0, 4].map((after) => [0, 1, 2].map((k) => q[at + after + k] - q[at + after - 4 + k]));
  const dot = a.reduce((sum, x, k) => sum + x * b[k], 0);
  return Math.acos(dot / (Math.hypot(...a) * Math.hypot(...b)));
}

/** Slides in 0.2 s from the time `from` on; the full pull acts from 0.3 s on. */
function measureSlip({ world, ahead }: ReturnType<typeof createPull>, from = 0.4) {
  const { chain } = strandOf(world).state;
  const speed = () => ahead.reduce((sum, d, k) => sum + d * chain.v[4 * (chain.count - 1) + k], 0);
  const place = () => ahead.reduce((sum, d, k) => sum + d * chain.q[4 * (chain.count - 1) + k], 0);
  const places = () => new Map(listTouching(world).map((label) => [label, placeOf(world, label)] as const));
  const edges = countEdges(world);
  const part = (steps: number) => {
    for (let n = 0; n < steps; n++) expect(world.step().rescues).toBe(0);
    expect(countEdges(world)).toBe(edges);
  };
  part(Math.round(from / world.timeStep));
  const [u, v, x, held] = [listPassages(world), speed(), place(), places()];
  part(100);
  const slid = Math.max(0, ...listPassages(world).map((after, g) => Math.abs(after - u[g])));
  const crept = Math.max(0, ...[...held].map(([label, before]) => distance(placeOf(world, label), before)));
  return { edges, slid, crept, contacts: held.size, moved: place() - x, acceleration: (speed() - v) / 0.2 };
}

/** a of both loads at the limit ratio, half of the rope's mass with each. */
function predict(ratio: number, [T1, T2]: readonly [number, number], length: number): number {
  const mass = LOAD + 0.5 * ROPE.linearDensity * length;
  return (T2 - ratio * T1) / (mass * (1 + ratio));
}

const DRUM = 0.05;
/** Largest turn at a node of the polygon round a drum: segments of length l ≤ R/4 whose middles touch it, tan ½δ = l/2R. */
const NODE_TURN = 2 * Math.atan(1 / 8);

/*
 * At a corner of the polygon friction is that of the capstan law where the normal of the surface is along the bisector: at all but the
 * first and the last. At those it is off by up to ½δ, so that the normal force itself pulls along the strand: T₂/T₁ is off by a
 * factor between cos ½δ and 1/cos ½δ at each, to and fro while the polygon runs round the drum,
 *     ε = 2 (1 − cos ½δ) ≈ δ²/4 = 1.6 %        δ  turn at a node
 * at most in all. Above the limit a = (T₂ − r T₁)/(m (1 + r)), T₂ = s r T₁, is off by ε (1/(s − 1) + r/(1 + r)) of itself.
 * Running round, the polygon stretches a little to and fro, which a stiffness damping of 1e-2 s turns into friction: 1e-4 s there.
 * Below 1 − ε of the limit every node comes to stick, to 1e-12 m, but only once the tensions do not change: nodes that hold almost all
 * they can give way, by 1e-5 m, while the loads still swing on their legs. With 1e-2 s that is over after 1.4 s.
 */
const RIPPLE = 2 * (1 - Math.cos(NODE_TURN / 2));

for (const type of ['cylinder', 'capsule'] as const)
  for (const degrees of [90, 180])
    for (const mu of [0.1, 0.3, 0.6])
      for (const side of [0.97, 1.03, 1.2])
        test(`friction on a ${type} holds a rope up to T₂/T₁ = exp(μ d), μ = ${mu}, d = ${degrees}°, pull ${side} × that`, () => {
          const turn = (degrees * Math.PI) / 180;
          const ratio = Math.exp(mu * turn);
          const count = degrees / 7.5;
          const reach = DRUM + RADIUS;
          const corners = Array.from({ length: count }, (_, i): Vector => {
            const angle = turn * ((i + 0.5) / count - 0.5);
            return [reach * Math.sin(angle), reach * Math.cos(angle), 0];
          });
          const pulls = [1, side * ratio] as const;
          const body: BodyInput = {
            id: 'drum',
            shape: { type, radius: DRUM, length: 0.2 },
            rotation: { axis: [1, 0, 0], angle: 90 },
            friction: mu,
          };
          const pull = createPull(body, corners, turn, pulls, side < 1 ? 1e-2 : 1e-4);
          const { edges, contacts, crept, moved, acceleration } = measureSlip(pull, side < 1 ? 1.4 : 0.4);
          expect(edges).toBe(0);
          expect(contacts).toBeGreaterThan(turn / NODE_TURN - 1);
          if (side < 1) {
            expect(crept).toBeLessThan(1e-10);
            return;
          }
          const predicted = predict(ratio, pulls, 2 * LEG + turn * DRUM);
          const bound = RIPPLE * (1 / (side - 1) + ratio / (1 + ratio));
          expect(Math.abs(acceleration / predicted - 1)).toBeLessThan(bound);
          expect(moved).toBeGreaterThan(0.02 * (1 - bound) * predicted);
        });

test("at a corner of the polygon round a drum T₂/T₁ = (1 + μ' tan ½δ)/(1 − μ' tan ½δ) at most, which is exp(μδ)", () => {
  const [mu, turn] = [0.6, Math.PI / 2];
  const reach = DRUM + RADIUS;
  const corners = [-0.4, -0.2, 0, 0.2, 0.4].map(
    (part): Vector => [reach * Math.sin(part * turn), reach * Math.cos(part * turn), 0],
  );
  const body: BodyInput = { id: 'drum', shape: { type: 'sphere', radius: DRUM }, friction: mu };
  const { world } = createPull(body, corners, turn, [1, 1.5]);
  for (let n = 0; n < 100; n++) world.step();
  const before = new Map(listTouching(world).map((label) => [label, computeTurn(world, label)] as const));
  world.step();
  const { contacts } = strandOf(world).touch!;
  let turned = 0;
  for (let c = 0; c < contacts.count; c++) {
    const d = before.get(contacts.label[c]);
    if (d === undefined) continue;
    const pull = contacts.share[c] * mu * Math.tan(d / 2);
    expect(Math.log((1 + pull) / (1 - pull)) / (mu * d)).toBeCloseTo(1, 9);
    turned += d;
  }
  expect(Math.abs(turned / turn - 1)).toBeLessThan(0.01);
});

for (const degrees of [40, 90])
  for (const mu of [0.1, 0.3, 0.6])
    for (const side of [0.97, 1.03, 1.2])
      test(`friction on the edge of a box holds a rope up to T₂/T₁ = (cos ½d + μ sin ½d)/(cos ½d − μ sin ½d), μ = ${mu}, d = ${degrees}°, pull ${side} × that`, () => {
        const turn = (degrees * Math.PI) / 180;
        const [c, s] = [Math.cos(turn / 2), Math.sin(turn / 2)];
        const ratio = (c + mu * s) / (c - mu * s);
        const pulls = [1, side * ratio] as const;
        // the box stands on an edge; its upper edge, grown by the radius, is at the height 0
        const half = 0.2;
        const body: BodyInput = {
          id: 'box',
          shape: { type: 'box', size: [2 * half, 2 * half, 0.2] },
          position: [0, -Math.SQRT2 * (half + RADIUS), 0],
          rotation: { axis: [0, 0, 1], angle: 45 },
          friction: mu,
        };
        const { edges, slid, acceleration } = measureSlip(createPull(body, [[0, 0, 0]], turn, pulls));
        expect(edges).toBe(1);
        if (side < 1) expect(slid).toBe(0);
        else {
          const predicted = predict(ratio, pulls, 2 * LEG);
          expect(slid).toBeGreaterThan(0.01 * predicted);
          expect(Math.abs(acceleration / predicted - 1)).toBeLessThan(0.03);
        }
      });
