/**
 * Friction where a strand bends round bodies by itself: the capstan law on round shapes, the corner law on sharp edges
 * (methods §2). Nothing in these scenes names a guide: the E-nodes stand on edges that the strand found.
 */
import { expect, test } from 'vitest';
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
function createPull(body: BodyInput, corners: Vector[], turn: number, pulls: readonly [number, number]) {
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
        damping: { mass: 0, stiffness: 1e-2 },
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

/** Slides from 0.4 to 0.6 s, the full pull having acted for 0.1 s. */
function measureSlip({ world, ahead }: ReturnType<typeof createPull>) {
  const { chain } = strandOf(world).state;
  const speed = () => ahead.reduce((sum, d, k) => sum + d * chain.v[4 * (chain.count - 1) + k], 0);
  const place = () => ahead.reduce((sum, d, k) => sum + d * chain.q[4 * (chain.count - 1) + k], 0);
  const edges = countEdges(world);
  const part = (steps: number) => {
    for (let n = 0; n < steps; n++) expect(world.step().rescues).toBe(0);
    expect(countEdges(world)).toBe(edges);
  };
  part(200);
  const [u, v, x] = [listPassages(world), speed(), place()];
  part(100);
  const slid = Math.max(0, ...listPassages(world).map((after, g) => Math.abs(after - u[g])));
  return { edges, slid, moved: place() - x, acceleration: (speed() - v) / 0.2 };
}

/** a of both loads at the limit ratio, half of the rope's mass with each. */
function predict(ratio: number, [T1, T2]: readonly [number, number], length: number): number {
  const mass = LOAD + 0.5 * ROPE.linearDensity * length;
  return (T2 - ratio * T1) / (mass * (1 + ratio));
}

const DRUM = 0.05;

for (const degrees of [90, 180])
  for (const mu of [0.1, 0.3, 0.6])
    for (const side of [0.97, 1.03, 1.2])
      test(`capstan on a cylinder: T₂/T₁ = exp(μ d) at most, μ = ${mu}, d = ${degrees}°, pull ${side} × that`, () => {
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
          shape: { type: 'cylinder', radius: DRUM, length: 0.2 },
          rotation: { axis: [1, 0, 0], angle: 90 },
          friction: mu,
        };
        const { edges, moved, acceleration } = measureSlip(createPull(body, corners, turn, pulls));
        expect(edges).toBe(0);
        if (side < 1) expect(Math.abs(moved)).toBeLessThan(1e-7);
        else {
          const predicted = predict(ratio, pulls, 2 * LEG + turn * DRUM);
          expect(moved).toBeGreaterThan(0.01 * predicted);
          expect(Math.abs(acceleration / predicted - 1)).toBeLessThan(0.03);
        }
      });

for (const degrees of [40, 90])
  for (const mu of [0.1, 0.3, 0.6])
    for (const side of [0.97, 1.03, 1.2])
      test(`edge of a box: T₂/T₁ = (cos ½d + μ sin ½d)/(cos ½d − μ sin ½d) at most, μ = ${mu}, d = ${degrees}°, pull ${side} × that`, () => {
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
