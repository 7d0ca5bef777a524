import { Body, createBodyPoint, createShape, KeyframeTrack, writeBodyPoint } from 'heddle/bodies';
import {
  createRandom,
  crossVec3,
  integrateQuaternion,
  type Quaternion,
  quaternionFromAxisAngle,
  rotateVec3,
  transformVec3,
  type Vec3,
} from 'heddle/math';
import { describe, expect, test } from 'vitest';

const vec = (a: ArrayLike<number>): Vec3 => [a[0], a[1], a[2]];
const quat = (a: ArrayLike<number>): Quaternion => [a[0], a[1], a[2], a[3]];
const gap = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.hypot(...Array.from(a, (value, k) => value - b[k]));
/** A tetrahedron well away from its origin. */
const wedge = createShape({
  type: 'convex',
  points: [
    [1.2, 0, 0],
    [2.2, 0.1, 0],
    [1.3, 1.1, 0.2],
    [1.4, 0.2, 0.9],
  ],
});
const createWedge = () =>
  new Body({
    id: 'wedge',
    shape: wedge,
    motion: 'dynamic',
    density: 500,
    position: [0.3, -0.2, 1],
    orientation: quaternionFromAxisAngle([1, 2, 3], 0.8),
    velocity: [0.5, 0.1, -0.3],
    angularVelocity: [1, -2, 0.5],
  });

describe('Body', () => {
  test('distance and normal turn and move with it', () => {
    const shape = createShape({ type: 'box', size: [1, 2, 3] });
    const orientation = quaternionFromAxisAngle([1, -1, 0.3], 1.2);
    const body = new Body({ id: 'box', shape, position: [4, 5, 6], orientation });
    const random = createRandom(1);
    const [inBody, inWorld, out] = [new Float64Array(4), new Float64Array(4), new Float64Array(3)];
    for (let i = 0; i < 50; i++) {
      const local: Vec3 = [random.normal(), random.normal(), random.normal()];
      const world = rotateVec3(orientation, local).map((x, k) => x + [4, 5, 6][k]);
      shape.writeSignedDistance(...local, inBody);
      body.writeSignedDistance(world, inWorld);
      expect(inWorld[0]).toBeCloseTo(inBody[0], 13);
      expect(gap(inWorld.slice(1), rotateVec3(orientation, vec(inBody.slice(1))))).toBeLessThan(1e-13);
      body.writeWorldToLocal(world, out);
      expect(gap(out, local)).toBeLessThan(1e-13);
      body.writeLocalToWorld(local, out);
      expect(gap(out, world)).toBeLessThan(1e-13);
    }
  });

  test('mass, principal inertia and centre of mass are those of the shape at its density', () => {
    const body = createWedge();
    expect(body.mass).toBeCloseTo(500 * wedge.mass!.volume, 10);
    const tensor = new Float64Array(9);
    body.orientation.set([0, 0, 0, 1]);
    body.writeWorldInertia(tensor);
    for (let k = 0; k < 9; k++) expect(tensor[k]).toBeCloseTo(500 * wedge.mass!.inertia[k], 10);
    expect(
      gap(
        body.centreOfMass,
        [0, 1, 2].map((k) => wedge.mass!.centroid[k] + body.position[k]),
      ),
    ).toBeLessThan(1e-14);
    expect(body.inertia[0] <= body.inertia[1] && body.inertia[1] <= body.inertia[2]).toBe(true);
    const heavy = new Body({ id: 'b', shape: createShape({ type: 'sphere', radius: 2 }), motion: 'dynamic', mass: 3 });
    for (const moment of heavy.inertia) expect(moment).toBeCloseTo(0.4 * 3 * 4, 12);
  });

  test('point velocity is the rate of change of a material point', () => {
    const body = createWedge();
    const [point, ahead, behind, rate] = Array.from({ length: 4 }, () => new Float64Array(3));
    const local: Vec3 = [0.4, -0.7, 0.2];
    body.writeLocalToWorld(local, point);
    body.writePointVelocity(point, rate);
    const eps = 1e-6;
    for (const [sign, out] of [
      [1, ahead],
      [-1, behind],
    ] as const) {
      const moved = createWedge();
      moved.advance(sign * eps);
      moved.writeLocalToWorld(local, out);
    }
    expect(
      gap(
        rate,
        ahead.map((x, k) => (x - behind[k]) / (2 * eps)),
      ),
    ).toBeLessThan(1e-8);
  });

  test('an advancing body keeps the velocity of its centre; the origin circles it', () => {
    const body = createWedge();
    const [before, after] = [new Float64Array(3), new Float64Array(3)];
    const start = vec(body.centreOfMass);
    const turned = integrateQuaternion(quat(body.orientation), vec(body.angularVelocity), 0.7);
    body.writeCentreVelocity(before);
    body.advance(0.7);
    body.writeCentreVelocity(after);
    expect(gap(before, after)).toBeLessThan(1e-13);
    expect(
      gap(
        body.centreOfMass,
        start.map((x, k) => x + 0.7 * before[k]),
      ),
    ).toBeLessThan(1e-13);
    expect(gap(body.orientation, turned)).toBeLessThan(1e-15);
    // d(position)/dt = velocity, also after the turn
    const here = vec(body.position);
    const velocity = vec(body.velocity);
    body.advance(1e-7);
    expect(
      gap(
        vec(body.position).map((x, k) => (x - here[k]) / 1e-7),
        velocity,
      ),
    ).toBeLessThan(1e-5);
  });

  test('kinetic energy equals the sum over its volume', () => {
    // ½ ∫ ρ |v + ω × (x − c)|² dV by midpoints of a fine grid over a box, about an axis off its principal ones
    const body = new Body({
      id: 'box',
      shape: createShape({ type: 'box', size: [1, 2, 3] }),
      motion: 'dynamic',
      density: 2,
      orientation: quaternionFromAxisAngle([0, 1, 1], 0.6),
      velocity: [1, 2, -1],
      angularVelocity: [0.4, -0.3, 0.9],
    });
    const n = 24;
    let energy = 0;
    const [world, v] = [new Float64Array(3), new Float64Array(3)];
    for (let i = 0; i < n ** 3; i++) {
      const cell = [i % n, Math.floor(i / n) % n, Math.floor(i / n / n)];
      body.writeLocalToWorld(
        cell.map((c, k) => (k + 1) * ((c + 0.5) / n - 0.5)),
        world,
      );
      body.writePointVelocity(world, v);
      energy += (0.5 * body.mass * (v[0] ** 2 + v[1] ** 2 + v[2] ** 2)) / n ** 3;
    }
    // midpoints miss h²/12 of each second moment: relative 1/n² of the spin's part
    expect(body.kineticEnergy() / energy).toBeCloseTo(1, 3);
    const tensor = new Float64Array(9);
    body.writeWorldInertia(tensor);
    expect(crossVec3(transformVec3(tensor, [0.4, -0.3, 0.9]), [0.4, -0.3, 0.9])).not.toEqual([0, 0, 0]);
  });

  test('setting the velocity of the centre is what is read back', () => {
    const body = createWedge();
    body.setCentreVelocity([1, 2, 3], [0.3, 0.2, 0.1]);
    const out = new Float64Array(3);
    body.writeCentreVelocity(out);
    expect(gap(out, [1, 2, 3])).toBeLessThan(1e-14);
    expect(Array.from(body.angularVelocity)).toEqual([0.3, 0.2, 0.1]);
  });

  test('wrong combinations are refused', () => {
    const shape = createShape({ type: 'sphere', radius: 1 });
    const plane = createShape({ type: 'plane' });
    expect(() => new Body({ id: 'a', shape, motion: 'dynamic' })).toThrow('neither mass nor density');
    expect(() => new Body({ id: 'a', shape, motion: 'dynamic', mass: 1, density: 1 })).toThrow('both mass and density');
    expect(() => new Body({ id: 'a', shape, motion: 'dynamic', mass: -1 })).toThrow('the mass -1 kg');
    expect(() => new Body({ id: 'a', shape: plane, motion: 'dynamic', mass: 1 })).toThrow('infinite plane');
    expect(() => new Body({ id: 'a', shape, motion: 'scripted' })).toThrow('no track');
    expect(() => new Body({ id: 'a', shape, track: new KeyframeTrack([{ time: 0 }]) })).toThrow(
      'static and has a track',
    );
    const still = new Body({ id: 'a', shape });
    expect([still.mass, ...still.inertia, still.kineticEnergy()]).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('KeyframeTrack', () => {
  const track = new KeyframeTrack([
    { time: 1, position: [0, 0, 0] },
    { time: 2, position: [2, 0, 0], rotation: { axis: [0, 0, 1], angle: 1 } },
    { time: 4, position: [2, 4, 0], rotation: { axis: [1, 0, 0], angle: 2 } },
    { time: 5 },
  ]);

  test('positions are linear between keyframes and held outside them', () => {
    expect(track.positionAt(0)).toEqual([0, 0, 0]);
    expect(track.positionAt(1.25)).toEqual([0.5, 0, 0]);
    expect(track.positionAt(2)).toEqual([2, 0, 0]);
    expect(track.positionAt(3)).toEqual([2, 2, 0]);
    expect(track.positionAt(9)).toEqual([2, 4, 0]);
    expect([track.start, track.end]).toEqual([1, 5]);
    expect(track.velocityOver(0.5, 0)).toEqual([0, 0, 0]);
    expect(track.velocityOver(1, 0)).toEqual([2, 0, 0]);
    expect(track.velocityOver(4.5, 0)).toEqual([0, 0, 0]);
    expect(gap(track.orientationAt(4.7), quaternionFromAxisAngle([1, 0, 0], 2))).toBeLessThan(1e-15);
  });

  test('the velocities over a step meet the pose at its end exactly, across keyframes too (seed 2)', () => {
    const random = createRandom(2);
    for (let i = 0; i < 300; i++) {
      const t = random.uniform(0, 6);
      const h = 10 ** random.uniform(-4, 0);
      const x = track.positionAt(t).map((value, k) => value + h * track.velocityOver(t, h)[k]);
      expect(gap(x, track.positionAt(t + h))).toBeLessThan(1e-14);
      const q = integrateQuaternion(track.orientationAt(t), track.angularVelocityOver(t, h), h);
      const target = track.orientationAt(t + h);
      expect(
        Math.min(
          gap(q, target),
          gap(
            q,
            target.map((value) => -value),
          ),
        ),
      ).toBeLessThan(1e-13);
    }
  });

  test('several turns about one axis are turned, not skipped', () => {
    const spin = new KeyframeTrack([
      { time: 0, rotation: { axis: [0, 2, 0], angle: 0 } },
      { time: 1, rotation: { axis: [0, 1, 0], angle: 20 * Math.PI } },
      { time: 2, rotation: { axis: [0, -1, 0], angle: -20 * Math.PI } },
    ]);
    expect(spin.angularVelocityOver(0.3, 0.01)[1]).toBeCloseTo(20 * Math.PI, 10);
    expect(spin.angularVelocityOver(0, 1)[1]).toBeCloseTo(20 * Math.PI, 10);
    expect(spin.angularVelocityOver(1.2, 0.1)).toEqual([0, -0, 0]);
    const quarter = quaternionFromAxisAngle([0, 1, 0], Math.PI / 2);
    expect(
      Math.abs(quat(quarter).reduce((sum, value, k) => sum + value * spin.orientationAt(0.025)[k], 0)),
    ).toBeCloseTo(1, 12);
  });

  test('a scripted body follows its track from the start, and so do points on it at any time', () => {
    const shape = createShape({ type: 'sphere', radius: 1 });
    const body = new Body({ id: 'hand', shape, motion: 'scripted', track });
    expect(vec(body.position)).toEqual([0, 0, 0]);
    body.moveTo(1.5, 0.25);
    expect(vec(body.position)).toEqual([1, 0, 0]);
    expect(vec(body.velocity)).toEqual([2, 0, 0]);
    expect(gap(body.angularVelocity, [0, 0, 1])).toBeLessThan(1e-14);
    const rider = createBodyPoint(body, [1, 1, 0]);
    const [later, now, velocity] = Array.from({ length: 3 }, () => new Float64Array(3));
    writeBodyPoint(rider, 1.75, later);
    expect(vec(body.position)).toEqual([1, 0, 0]);
    body.moveTo(1.75);
    body.writeLocalToWorld(rider.local, now);
    expect(gap(later, now)).toBeLessThan(1e-15);
    body.writePointVelocity(now, velocity);
    const eps = 1e-6;
    writeBodyPoint(rider, 1.75 + eps, later);
    expect(
      gap(
        velocity,
        later.map((x, k) => (x - now[k]) / eps),
      ),
    ).toBeLessThan(1e-5);
    const still = new Body({ id: 'still', shape, position: [3, 0, 0] });
    writeBodyPoint(createBodyPoint(still, [3, 2, 1]), 5, now);
    expect(vec(now)).toEqual([3, 2, 1]);
  });

  test('no keyframes, times that do not increase and axes of no length are refused', () => {
    expect(() => new KeyframeTrack([])).toThrow('no keyframes');
    expect(() => new KeyframeTrack([{ time: 1 }, { time: 1 }])).toThrow('Keyframe 1 is at 1 s after one at 1 s');
    expect(() => new KeyframeTrack([{ time: Number.NaN }])).toThrow('finite');
    expect(() => new KeyframeTrack([{ time: 0, rotation: { axis: [0, 0, 0], angle: 1 } }])).toThrow('axis [0, 0, 0]');
  });
});
