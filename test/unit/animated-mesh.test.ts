import {
  AnimatedMeshShape,
  Body,
  createShape,
  KeyframeTrack,
  type MeshAnimation,
  writeVerticesAt,
} from 'heddle/bodies';
import { createFacetBody } from 'heddle/contact';
import { MeshDistance, TriangleMesh } from 'heddle/geometry';
import { createRandom, quaternionFromAxisAngle, rotateVec3, type Vec3 } from 'heddle/math';
import { describe, expect, test } from 'vitest';

/** A ball of some two hundred triangles: an icosahedron whose faces are cut up, not quite round. */
const ball = ((): { positions: Float64Array; indices: Int32Array } => {
  const { positions, indices } = createShape({ type: 'sphere', radius: 0.5 }).tessellate({ segments: 12 });
  const place = new Map<string, number>();
  const points: number[] = [];
  const vertex = Array.from({ length: positions.length / 3 }, (_, v) => {
    const p = Array.from(positions.subarray(3 * v, 3 * v + 3), (value) => value + 0);
    const key = p.map((value) => value.toFixed(6)).join();
    if (!place.has(key)) {
      place.set(key, place.size);
      points.push(p[0] * 1.3, p[1], p[2] * 0.8);
    }
    return place.get(key)!;
  });
  const corners: number[] = [];
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [vertex[indices[t]], vertex[indices[t + 1]], vertex[indices[t + 2]]];
    if (a !== b && b !== c && c !== a) corners.push(a, b, c);
  }
  return { positions: Float64Array.from(points), indices: Int32Array.from(corners) };
})();

/** Poses in which every vertex goes its own way. */
const wobble = (count: number, size = 0.05): Float64Array[] => {
  const random = createRandom(7);
  return Array.from({ length: count }, () => ball.positions.map((value) => value + size * (random.uniform() - 0.5)));
};

const move = (by: Vec3, angle = 0, axis: Vec3 = [0, 1, 0]): Float64Array => {
  const q = quaternionFromAxisAngle(axis, angle);
  const out = new Float64Array(ball.positions.length);
  for (let v = 0; v < out.length; v += 3) {
    const p = rotateVec3(q, [ball.positions[v], ball.positions[v + 1], ball.positions[v + 2]]);
    for (let k = 0; k < 3; k++) out[v + k] = p[k] + by[k];
  }
  return out;
};

const animate = (poses: Float64Array[], options: Partial<MeshAnimation> = {}): AnimatedMeshShape =>
  new AnimatedMeshShape({ indices: ball.indices, poses, interval: 0.1, ...options });

const pointsAround = (count: number): Vec3[] => {
  const random = createRandom(3);
  return Array.from({ length: count }, () => [
    2 * random.uniform() - 1,
    2 * random.uniform() - 1,
    2 * random.uniform() - 1,
  ]);
};

describe('a mesh that moves through poses', () => {
  test('has the distances of a mesh that stands where it is, whatever was asked before', () => {
    const poses = wobble(4);
    const shape = animate(poses);
    const [found, wanted] = [new Float64Array(4), new Float64Array(4)];
    const queries = pointsAround(60);
    for (const time of [0.03, 0.27, 0.1, 0, 0.9, 0.155]) {
      shape.moveTo(time, 0);
      for (const p of queries) shape.writeSignedDistance(...p, found);
      const still = createShape({ type: 'mesh', mesh: new TriangleMesh(shape.mesh.positions.slice(), ball.indices) });
      // one that was loaded at that time has the same bits
      const fresh = animate(poses);
      fresh.moveTo(time, 0);
      const onIt = Array.from(
        { length: 60 },
        (_, v): Vec3 => [...shape.mesh.positions.slice(3 * v, 3 * v + 3)] as never,
      );
      for (const p of onIt.toReversed()) {
        for (const one of [shape, fresh]) one.writeVelocity(...p, one === shape ? found : wanted);
        expect(found.subarray(0, 3)).toEqual(wanted.subarray(0, 3));
      }
      for (const p of queries.toReversed()) {
        shape.writeSignedDistance(...p, found);
        still.writeSignedDistance(...p, wanted);
        for (let k = 0; k < 4; k++) expect(found[k]).toBeCloseTo(wanted[k], 12);
        fresh.writeSignedDistance(...p, wanted);
        expect(found).toEqual(wanted);
      }
    }
  });

  test('velocity = (x(t + h) − x(t))/h of the closest point, inside and outside, also across poses', () => {
    const shape = animate(wobble(5), { start: 0.05 });
    const v = new Float64Array(3);
    const distance = new Float64Array(4);
    for (const [time, h] of [
      [0.07, 0.02],
      [0.12, 0.08],
      [0.02, 0.06],
      [0.4, 0.3],
    ])
      for (const p of pointsAround(40)) {
        shape.moveTo(time, h);
        shape.writeSignedDistance(...p, distance);
        shape.writeVelocity(...p, v);
        const before = shape.mesh.positions.slice();
        // the closest point as weights of the vertices of its triangle: found again from the distance
        const foot = [0, 1, 2].map((k) => p[k] - distance[0] * distance[1 + k]);
        const { triangle, weights } = locate(before, ball.indices, foot);
        shape.moveTo(time + h, 0);
        shape.writeSignedDistance(...p, distance);
        const after = shape.mesh.positions;
        for (let k = 0; k < 3; k++) {
          let moved = 0;
          for (let c = 0; c < 3; c++) {
            const at = 3 * ball.indices[3 * triangle + c] + k;
            moved += weights[c] * (after[at] - before[at]);
          }
          expect(v[k]).toBeCloseTo(moved / h, 7);
        }
      }
  });

  test('with h = 0 the velocity is that of the poses on both sides, 0 before the first and after the last', () => {
    const poses = [move([0, 0, 0]), move([0.1, 0.02, 0]), move([0.1, 0.02, 0.3])];
    const shape = animate(poses, { start: 1 });
    const v = new Float64Array(3);
    const speedAt = (time: number): number[] => {
      shape.moveTo(time, 0);
      shape.writeVelocity(0.3, 1, 0.2, v);
      return Array.from(v, (value) => Number(value.toFixed(12)) + 0);
    };
    expect(speedAt(0.99)).toEqual([0, 0, 0]);
    expect(speedAt(1.05)).toEqual([1, 0.2, 0]);
    expect(speedAt(1.15)).toEqual([0, 0, 3]);
    expect(speedAt(1.25)).toEqual([0, 0, 0]);
    expect(shape.topSpeed).toBeCloseTo(3, 12);
    // 0.3/0.1 is less than 3 by rounding
    const late = animate([0, 0, 0, 0, 0.1].map((x) => move([x, 0, 0])));
    late.moveTo(0.3, 0);
    late.writeVelocity(0.3, 1, 0.2, v);
    expect(v[0]).toBeCloseTo(1, 12);
  });

  test('in a loop the first pose follows the last an interval later', () => {
    const poses = [move([0, 0, 0]), move([0.1, 0, 0]), move([0.3, 0, 0])];
    const shape = animate(poses, { end: 'loop' });
    const out = new Float64Array(4);
    const offsetAt = (time: number): number => {
      shape.moveTo(time, 0);
      shape.writeSignedDistance(0, 0, 0, out);
      return shape.mesh.positions[0] - ball.positions[0];
    };
    expect(offsetAt(0.25)).toBeCloseTo(0.15, 12);
    expect(offsetAt(0.35)).toBeCloseTo(0.05, 12);
    expect(offsetAt(0.3 * 7 + 0.05)).toBeCloseTo(0.05, 12);
    expect(shape.topSpeed).toBeCloseTo(3, 12);
    // what moves straight between poses stays in the bounds of all
    expect(shape.bounds[0]).toBeCloseTo(-0.65, 6);
    expect(shape.bounds[3]).toBeCloseTo(0.95, 6);
  });

  test.each(['hold', 'loop'] as const)('no point is further from its held pose than it may go (%s)', (end) => {
    const shape = animate(wobble(6, 0.4), { start: 0.05, end });
    const way = 0.03;
    const [held, now] = [new Float64Array(ball.positions.length), new Float64Array(ball.positions.length)];
    const times = Array.from({ length: 200 }, (_, n) => 0.0071 * n);
    let last = -1;
    for (const time of times) {
      const from = shape.holdTime(time, way);
      expect(from).toBeLessThanOrEqual(Math.max(time, 0.05) + 1e-12);
      expect(from).toBeGreaterThanOrEqual(last);
      last = from;
      writeVerticesAt(shape.animation, from, held);
      writeVerticesAt(shape.animation, time, now);
      for (let i = 0; i < now.length; i += 3)
        expect(Math.hypot(now[i] - held[i], now[i + 1] - held[i + 1], now[i + 2] - held[i + 2])).toBeLessThan(
          way * (1 + 1e-9),
        );
      // the way of a corner of a triangle is that of its vertex
      shape.setWay(from, time);
      const u = new Float64Array(3);
      shape.writeWayOf(5, Float64Array.of(0, 1, 0), 0, u, 0);
      const at = 3 * ball.indices[16];
      for (let k = 0; k < 3; k++) expect(u[k]).toBeCloseTo(now[at + k] - held[at + k], 14);
    }
    // it is held for some time: fewer poses than times
    expect(new Set(times.map((time) => shape.holdTime(time, way))).size).toBeLessThan(times.length);
  });

  test('poses of a rigid motion are the scripted body', () => {
    const axis: Vec3 = [0.2, 1, -0.4];
    const times = [0, 0.1, 0.2, 0.3];
    const places = times.map((t): Vec3 => [t, 0.4 - 3 * t * t, 0.5 * t]);
    const angles = times.map((t) => 10 * t);
    const animated = new Body({
      id: 'animated',
      motion: 'scripted',
      shape: animate(times.map((_, i) => move(places[i], angles[i], axis))),
    });
    const scripted = new Body({
      id: 'scripted',
      motion: 'scripted',
      shape: createShape({ type: 'mesh', mesh: new TriangleMesh(ball.positions, ball.indices) }),
      track: new KeyframeTrack(
        times.map((time, i) => ({ time, position: places[i], rotation: { axis, angle: angles[i] } })),
      ),
    });
    const [a, b] = [new Float64Array(4), new Float64Array(4)];
    const [u, w] = [new Float64Array(3), new Float64Array(3)];
    for (const [i, time] of times.slice(0, -1).entries()) {
      const h = times[i + 1] - time;
      animated.moveTo(time, h);
      scripted.moveTo(time, h);
      // vertices and middles of edges, too, where the normals of several triangles count
      const vertices = Array.from(
        { length: 40 },
        (_, v): Vec3 => [...move(places[i], angles[i], axis).slice(3 * v, 3 * v + 3)] as never,
      );
      const middles = vertices.slice(1).map((p, v): Vec3 => [0, 1, 2].map((k) => (p[k] + vertices[v][k]) / 2) as never);
      for (const p of [...pointsAround(50), ...vertices, ...middles]) {
        animated.writeSignedDistance(p, a);
        scripted.writeSignedDistance(p, b);
        for (let k = 0; k < 4; k++) expect(a[k]).toBeCloseTo(b[k], 12);
        // on the surface the chord that the point goes along in h: what the turning velocity does in h, of first order in h
        const foot: Vec3 = [p[0] - a[0] * a[1], p[1] - a[0] * a[2], p[2] - a[0] * a[3]];
        animated.writePointVelocity(foot, u);
        scripted.writePointVelocity(foot, w);
        const turn = Math.hypot(...scripted.angularVelocity);
        for (let k = 0; k < 3; k++) expect(Math.abs(u[k] - w[k])).toBeLessThan(0.5 * turn * turn * h * 0.7);
      }
    }
  });

  test('poses that only shift the mesh are the scripted body to rounding, within poses too', () => {
    const places: Vec3[] = [
      [0, 0, 0],
      [0.1, 0.3, 0],
      [0.2, 0.1, 0.4],
    ];
    const animated = new Body({ id: 'a', motion: 'scripted', shape: animate(places.map((place) => move(place))) });
    const scripted = new Body({
      id: 's',
      motion: 'scripted',
      shape: createShape({ type: 'mesh', mesh: new TriangleMesh(ball.positions, ball.indices) }),
      track: new KeyframeTrack(places.map((position, i) => ({ time: 0.1 * i, position }))),
    });
    const [a, b] = [new Float64Array(4), new Float64Array(4)];
    for (const [time, h] of [
      [0.04, 0.01],
      [0.08, 0.05],
      [0.13, 0],
      [0.3, 0],
    ]) {
      animated.moveTo(time, h);
      scripted.moveTo(time, h);
      for (const p of pointsAround(40)) {
        animated.writeSignedDistance(p, a);
        scripted.writeSignedDistance(p, b);
        for (let k = 0; k < 4; k++) expect(a[k]).toBeCloseTo(b[k], 12);
        animated.writePointVelocity(p, a);
        scripted.writePointVelocity(p, b);
        for (let k = 0; k < 3; k++) expect(a[k]).toBeCloseTo(b[k], 11);
      }
    }
  });

  test('a track carries it besides: the velocities add up', () => {
    const rotation = { axis: [0, 0, 1] as const, angle: Math.PI / 2 };
    const body = new Body({
      id: 'a',
      motion: 'scripted',
      shape: animate([move([0, 0, 0]), move([0.1, 0, 0])]),
      track: new KeyframeTrack([
        { time: 0, position: [0, 0, 0], rotation },
        { time: 1, position: [0, 0, 2], rotation },
      ]),
    });
    body.moveTo(0.05, 0.01);
    const v = new Float64Array(3);
    body.writePointVelocity([0.1, 0.2, 0.3], v);
    // 1 m/s along its own x, which is the world's y
    for (const [k, value] of [0, 1, 2].entries()) expect(v[k]).toBeCloseTo(value, 11);
  });

  test('triangles for drawing have one topology through all poses', () => {
    const shape = animate(wobble(3, 0.2));
    const first = shape.tessellate();
    shape.moveTo(0.13, 0);
    const later = shape.tessellate();
    expect(later.indices).toEqual(first.indices);
    expect(later.positions).not.toEqual(first.positions);
    expect(later.normals).not.toEqual(first.normals);
  });
});

test('the triangle found for a point on a mesh does not depend on the point before', () => {
  const distance = new MeshDistance(new TriangleMesh(ball.positions, ball.indices));
  const out = new Float64Array(4);
  const vertex: Vec3 = [ball.positions[30], ball.positions[31], ball.positions[32]];
  const found = pointsAround(30).map((p) => {
    distance.writeSignedDistance(...p, out);
    distance.writeSignedDistance(...vertex, out);
    return distance.closestTriangle;
  });
  // beside it, so that a triangle of its own is the one before
  const near = [0, 1, 2, 3, 4, 5].map((k) => {
    const step = k % 2 === 0 ? 1e-3 : -1e-3;
    distance.writeSignedDistance(
      vertex[0] + (k < 2 ? step : 0),
      vertex[1] + (k === 2 || k === 3 ? step : 0),
      vertex[2] + (k > 3 ? step : 0),
      out,
    );
    distance.writeSignedDistance(...vertex, out);
    return distance.closestTriangle;
  });
  expect(new Set([...found, ...near]).size).toBe(1);
});

describe('an animated mesh is refused in one sentence', () => {
  const cases: [string, () => unknown, RegExp][] = [
    ['no poses', () => animate([]), /no poses/],
    ['other vertices', () => animate([move([0, 0, 0]), new Float64Array(9)]), /Pose 1 .* 3 vertices/],
    ['a coordinate', () => animate([move([0, 0, 0]), move([Number.NaN, 0, 0])]), /pose 1 .* NaN/],
    ['no time', () => animate([move([0, 0, 0])], { interval: 0 }), /interval of 0 s/],
    ['inside out', () => animate([move([0, 0, 0]), ball.positions.map((value) => -value)]), /volume/],
    ['static', () => new Body({ id: 'b', shape: animate([move([0, 0, 0])]) }), /must be scripted/],
    [
      'faces and edges',
      () => createFacetBody(animate([move([0, 0, 0])]), 0.01),
      /is animated, and contact of EoL strands/,
    ],
  ];
  test.each(cases)('for its fault: %s', (_, build, message) => {
    expect(build).toThrow(message);
  });
});

/** The triangle on which a point of the surface lies, and the weights of its corners. */
function locate(x: Float64Array, indices: Int32Array, p: readonly number[]) {
  let best = { triangle: -1, weights: [0, 0, 0], error: Number.POSITIVE_INFINITY };
  for (let t = 0; t < indices.length / 3; t++) {
    const [a, b, c] = [0, 1, 2].map((k) => Array.from(x.subarray(3 * indices[3 * t + k], 3 * indices[3 * t + k] + 3)));
    const minus = (u: readonly number[], v: readonly number[]) => u.map((value, k) => value - v[k]);
    const dot = (u: readonly number[], v: readonly number[]) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    const [e, f, d] = [minus(b, a), minus(c, a), minus(p, a)];
    const [ee, ef, ff] = [dot(e, e), dot(e, f), dot(f, f)];
    const det = ee * ff - ef * ef;
    const s = (dot(d, e) * ff - dot(d, f) * ef) / det;
    const r = (dot(d, f) * ee - dot(d, e) * ef) / det;
    const weights = [1 - s - r, s, r];
    const off = d.map((value, k) => value - s * e[k] - r * f[k]);
    const error = Math.hypot(...off) + Math.max(0, ...weights.map((weight) => -weight));
    if (error < best.error) best = { triangle: t, weights, error };
  }
  return best;
}
