import {
  type CurveShape,
  computeEvenSamples,
  computeTube,
  createTubeTarget,
  resample,
  type TubeMesh,
  type TubeOptions,
  writeTube,
} from 'heddle/io';
import { describe, expect, test } from 'vitest';

type Point = readonly [number, number, number];

function makeCurve(points: readonly Point[], radius: number, closed = false): CurveShape {
  const u = new Float64Array(points.length);
  const distance = (p: Point, q: Point) => Math.hypot(q[0] - p[0], q[1] - p[1], q[2] - p[2]);
  for (let i = 1; i < points.length; i++) u[i] = u[i - 1] + distance(points[i - 1], points[i]);
  const closing = closed ? distance(points[points.length - 1], points[0]) : 0;
  const restLength = u[points.length - 1] + closing;
  return { closed, radius, restLength, x: Float64Array.from(points.flat()), u };
}

function corner(mesh: TubeMesh, i: number): Point {
  const v = 3 * mesh.indices[i];
  return [mesh.positions[v], mesh.positions[v + 1], mesh.positions[v + 2]];
}

/** Volume by the divergence theorem: Σ a · (b × c) / 6, positive when triangles face outwards. */
function computeVolume(mesh: TubeMesh): number {
  let six = 0;
  for (let i = 0; i < mesh.indices.length; i += 3) {
    const [a, b, c] = [corner(mesh, i), corner(mesh, i + 1), corner(mesh, i + 2)];
    six += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return six / 6;
}

function computeSmallestArea(mesh: TubeMesh): number {
  let smallest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < mesh.indices.length; i += 3) {
    const [a, b, c] = [corner(mesh, i), corner(mesh, i + 1), corner(mesh, i + 2)];
    const p = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const q = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
    const area = Math.hypot(p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]) / 2;
    smallest = Math.min(smallest, area);
  }
  return smallest;
}

/** Edges, welded by position, that are not used exactly once in each direction. */
function countOpenEdges(mesh: TubeMesh): number {
  const edges = new Map<string, number>();
  const name = (i: number) =>
    corner(mesh, i)
      .map((value) => value + 0)
      .join(' ');
  for (let i = 0; i < mesh.indices.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const [from, to] = [name(i + k), name(i + ((k + 1) % 3))];
      if (from === to) continue;
      const [key, sign] = from < to ? [`${from}|${to}`, 1] : [`${to}|${from}`, -1];
      edges.set(key, (edges.get(key) ?? 0) + sign);
    }
  }
  return [...edges.values()].filter((balance) => balance !== 0).length;
}

/** Area of a regular polygon inscribed in a circle of radius r: (n/2) r² sin(2π/n) → π r². */
const polygonArea = (sides: number, r: number) => (sides / 2) * r * r * Math.sin((2 * Math.PI) / sides);

const helix = Array.from({ length: 80 }, (_, i): Point => {
  const t = (i / 79) * 4 * Math.PI;
  return [0.3 * Math.cos(t), 0.05 * t, 0.3 * Math.sin(t)];
});
const ring = Array.from({ length: 60 }, (_, i): Point => {
  const t = (i / 60) * 2 * Math.PI;
  return [0.5 * Math.cos(t), 0.1 * Math.sin(2 * t), 0.5 * Math.sin(t)];
});
/** A closed curve that is like no mirror image of itself, so that transport round it leaves an angle. */
const warpedRing = Array.from({ length: 90 }, (_, i): Point => {
  const t = (i / 90) * 2 * Math.PI;
  const wide = 0.5 + 0.1 * Math.cos(3 * t);
  return [wide * Math.cos(t), 0.1 * Math.sin(3 * t), wide * Math.sin(t)];
});
const rightAngle: Point[] = [
  [0, 0, 0],
  [1, 0, 0],
  [1, 1, 0],
];
const hairpin: Point[] = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 0, 0],
];
const narrowHairpin: Point[] = [
  [0, 0, 0],
  [0.5, 0.001, 0.02],
  [1, 0, 0],
  [0.5, 0.04, 0],
  [0, 0.05, 0],
];

const shapes: [string, CurveShape][] = [
  [
    'a straight line',
    makeCurve(
      [
        [0, 0, 0],
        [0, 2, 0],
      ],
      0.01,
    ),
  ],
  ['a helix', makeCurve(helix, 0.02)],
  ['a closed ring', makeCurve(ring, 0.03, true)],
  [
    'a closed square',
    makeCurve(
      [
        [0, 0, 0],
        [1, 0, 0],
        [1, 0, 1],
        [0, 0, 1],
      ],
      0.05,
      true,
    ),
  ],
  ['a right angle', makeCurve(rightAngle, 0.03)],
  ['an exact hairpin', makeCurve(hairpin, 0.03)],
  ['a narrow hairpin', makeCurve(narrowHairpin, 0.03)],
  [
    'nodes that coincide',
    makeCurve(
      [
        [0, 0, 0],
        [1, 0, 0],
        [1, 0, 0],
        [1, 1, 0],
        [1, 1, 0],
      ],
      0.02,
    ),
  ],
];
const allOptions: TubeOptions[] = [
  { caps: 'round' },
  { caps: 'flat', sides: 5 },
  { caps: 'round', joints: 'mitre', sides: 6 },
];

describe.each(shapes)('the tube around %s', (name, curve) => {
  test.each(allOptions)('is watertight, finite and without degenerate triangles: %o', (options) => {
    const mesh = computeTube(curve, options);
    expect(mesh.positions.every(Number.isFinite)).toBe(true);
    expect(countOpenEdges(mesh)).toBe(0);
    expect(computeVolume(mesh)).toBeGreaterThan(0);
    // with one ring a node two nodes on one spot have nothing between them
    if (!(name === 'nodes that coincide' && options.joints === 'mitre')) {
      expect(computeSmallestArea(mesh)).toBeGreaterThan(1e-4 * curve.radius ** 2);
    }
    for (let i = 0; i < mesh.normals.length; i += 3) {
      expect(Math.hypot(mesh.normals[i], mesh.normals[i + 1], mesh.normals[i + 2])).toBeCloseTo(1, 5);
    }
  });
});

describe('volume', () => {
  test('of a straight tube with flat ends is the polygon area times the length', () => {
    const mesh = computeTube(
      makeCurve(
        [
          [0, 0, 0],
          [0.3, 1.2, -0.4],
        ],
        0.02,
      ),
      { caps: 'flat', sides: 10 },
    );
    expect(computeVolume(mesh) / (polygonArea(10, 0.02) * 1.3)).toBeCloseTo(1, 5);
  });

  test('round ends add a sphere', () => {
    const [radius, length] = [0.1, 1];
    const mesh = computeTube(
      makeCurve(
        [
          [0, 0, 0],
          [0, 0, length],
        ],
        radius,
      ),
      { sides: 96 },
    );
    const expected = Math.PI * radius ** 2 * length + (4 / 3) * Math.PI * radius ** 3;
    // inscribed polygons: area low by (2π/n)²/6 = 7e-4, the caps alike
    expect(computeVolume(mesh) / expected).toBeGreaterThan(0.998);
    expect(computeVolume(mesh) / expected).toBeLessThan(1);
  });

  // mitred legs are prisms cut by the bisecting plane through the node: what one side loses the other gains
  test.each([15, 45, 90, 120])('of a mitred turn by %s° is the polygon area times the centre line', (degrees) => {
    const angle = (degrees * Math.PI) / 180;
    const points: Point[] = [
      [0, 0, 0],
      [1, 0, 0],
      [1 + Math.cos(angle), Math.sin(angle) * 0.8, Math.sin(angle) * 0.6],
    ];
    const mesh = computeTube(makeCurve(points, 0.02), { caps: 'flat', sides: 12, joints: 'mitre' });
    expect(computeVolume(mesh) / (polygonArea(12, 0.02) * 2)).toBeCloseTo(1, 5);
  });

  test('of a closed tube is the polygon area times its length, whatever its twist', () => {
    const curve = makeCurve(ring, 0.02, true);
    expect(computeVolume(computeTube(curve, { sides: 24 })) / (polygonArea(24, 0.02) * curve.restLength)).toBeCloseTo(
      1,
      3,
    );
  });
});

describe('turns', () => {
  /** Distances of all vertices of a tube from the straight line through x = 0.5 along the first leg. */
  function widthAcross(mesh: TubeMesh, from: number, to: number): number {
    let widest = 0;
    for (let i = 0; i < mesh.positions.length; i += 3) {
      if (mesh.positions[i] < from || mesh.positions[i] > to) continue;
      widest = Math.max(widest, Math.hypot(mesh.positions[i + 1], mesh.positions[i + 2]));
    }
    return widest;
  }

  test('a mitre keeps the distance of every vertex from both legs', () => {
    const mesh = computeTube(makeCurve(rightAngle, 0.05), { caps: 'none', sides: 16 });
    // ring 1 is the mitre; from the first leg (the x axis) and the second (x = 1, z = 0) all are one radius away
    for (let v = 17; v < 34; v++) {
      const [x, y, z] = mesh.positions.subarray(3 * v, 3 * v + 3);
      expect(Math.hypot(y, z)).toBeCloseTo(0.05, 6);
      expect(Math.hypot(x - 1, z)).toBeCloseTo(0.05, 6);
    }
  });

  test('a mitre stays bounded at any angle', () => {
    for (let degrees = 0; degrees <= 180; degrees += 0.5) {
      const angle = (degrees * Math.PI) / 180;
      const curve = makeCurve(
        [
          [0, 0, 0],
          [1, 0, 0],
          [1 + Math.cos(angle), Math.sin(angle), 0],
        ],
        0.1,
      );
      const mesh = computeTube(curve, { caps: 'none', joints: 'mitre' });
      for (let v = 11; v < 22; v++) {
        const [x, y, z] = mesh.positions.subarray(3 * v, 3 * v + 3);
        expect(Math.hypot(x - 1, y, z)).toBeLessThanOrEqual(0.2001);
        expect(Math.hypot(x - 1, y, z)).toBeGreaterThanOrEqual(0.0999);
      }
    }
  });

  test('a hairpin keeps its full width up to the tip and ends round', () => {
    const radius = 0.05;
    const mesh = computeTube(makeCurve(hairpin, radius), { caps: 'none', sides: 16 });
    expect(widthAcross(mesh, 0.9, 0.99)).toBeCloseTo(radius, 6);
    let tip = 0;
    for (let i = 0; i < mesh.positions.length; i += 3) tip = Math.max(tip, mesh.positions[i]);
    expect(tip).toBeGreaterThan(1);
    expect(tip).toBeLessThan(1 + radius);
  });

  test('frames do not twist: every edge along the tube stays as short as the curve allows', () => {
    for (const curve of [makeCurve(helix, 0.02), makeCurve(ring, 0.02, true), makeCurve(warpedRing, 0.02, true)]) {
      const mesh = computeTube(curve, { caps: 'none', sides: 12 });
      const rings = mesh.positions.length / 3 / 13;
      for (let r = 0; r < rings - 1; r++) {
        for (let j = 0; j < 12; j++) {
          const [a, b] = [3 * (r * 13 + j), 3 * ((r + 1) * 13 + j)];
          const p = mesh.positions;
          const length = Math.hypot(p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]);
          const n = curve.u.length;
          const segment = (r < n - 1 ? curve.u[r + 1] : curve.restLength) - curve.u[r];
          // radius × curvature < 0.12 for both; a jump of one side would add 2 r sin(15°) = 0.5 r
          expect(length).toBeLessThan(segment * 1.13);
        }
      }
    }
  });

  test('a tube written again and again does not jump about its axis', () => {
    const target = createTubeTarget();
    const lean = (angle: number) =>
      makeCurve(
        [
          [0, 0, 0],
          [Math.sin(angle), Math.cos(angle), 0.2 * angle],
        ],
        0.05,
      );
    writeTube(lean(-1), {}, target);
    let before = target.positions.slice();
    for (let angle = -1; angle <= 3; angle += 0.01) {
      writeTube(lean(angle), {}, target);
      expect(target.topologyChanged).toBe(false);
      const largest = target.positions.reduce((most, value, i) => Math.max(most, Math.abs(value - before[i])), 0);
      expect(largest).toBeLessThan(0.015);
      before = target.positions.slice();
    }
  });
});

describe('texture and resampling', () => {
  test('s is the material coordinate over the repeat, also where the material is stretched', () => {
    const curve: CurveShape = {
      closed: false,
      radius: 0.01,
      restLength: 0.9,
      x: Float64Array.of(0, 0, 0, 1, 0, 0, 1, 2, 0),
      u: Float64Array.of(0.2, 0.5, 0.9),
    };
    const mesh = computeTube(curve, { caps: 'none', sides: 4, repeat: 0.1 });
    expect(mesh.texcoords[0]).toBeCloseTo(2, 5);
    expect(mesh.texcoords[2 * 5]).toBeCloseTo(5, 5);
    expect(mesh.texcoords[2 * 10]).toBeCloseTo(9, 5);
    expect([...mesh.texcoords.subarray(0, 10)].filter((_, i) => i % 2 === 1)).toEqual([0, 0.25, 0.5, 0.75, 1]);
  });

  test('x at a material coordinate is linear between nodes and stays at the ends beyond them', () => {
    const curve = makeCurve(rightAngle, 0.01);
    const { x } = resample(curve, Float64Array.of(-1, 0.25, 1, 1.5, 2, 3));
    expect([...x]).toEqual([0, 0, 0, 0.25, 0, 0, 1, 0, 0, 1, 0.5, 0, 1, 1, 0, 1, 1, 0]);
  });

  test('a closed curve is periodic in u', () => {
    const curve = makeCurve(
      [
        [0, 0, 0],
        [1, 0, 0],
        [1, 0, 1],
        [0, 0, 1],
      ],
      0.01,
      true,
    );
    const { x } = resample(curve, Float64Array.of(-0.5, 0.5, 3.5, 4.5, 7.25));
    expect([...x]).toEqual([0, 0, 0.5, 0.5, 0, 0, 0, 0, 0.5, 0.5, 0, 0, 0, 0, 0.75]);
  });

  test('resampling at the nodes gives the nodes', () => {
    const curve = makeCurve(helix, 0.01);
    expect(resample(curve, curve.u).x).toEqual(curve.x);
  });

  test('a mitred tube on fixed samples has one topology while nodes come and go', () => {
    const samples = computeEvenSamples(0, 2, 30);
    const target = createTubeTarget();
    writeTube(resample(makeCurve(rightAngle, 0.01), samples), { joints: 'mitre' }, target);
    const indices = target.indices.slice(0, target.indexCount);
    const texcoords = target.texcoords.slice(0, 2 * target.vertexCount);
    writeTube(resample(makeCurve(hairpin, 0.01), samples), { joints: 'mitre' }, target);
    expect(target.topologyChanged).toBe(false);
    expect(target.indices.slice(0, target.indexCount)).toEqual(indices);
    expect(target.texcoords.slice(0, 2 * target.vertexCount)).toEqual(texcoords);
  });

  test('rings know the node they stand on', () => {
    const target = createTubeTarget();
    writeTube(makeCurve(rightAngle, 0.01), { caps: 'none' }, target);
    expect([...target.ringNode.subarray(0, target.ringCount)]).toEqual([0, 1, 2]);
    writeTube(makeCurve(hairpin, 0.01), { caps: 'none' }, target);
    const nodes = [...target.ringNode.subarray(0, target.ringCount)];
    expect(nodes.length).toBe(9);
    expect(nodes).toEqual([...nodes].sort((a, b) => a - b));
  });

  test('bad arguments are refused with a sentence', () => {
    expect(() => computeTube(makeCurve([[0, 0, 0]], 0.1))).toThrow(/at least 2 nodes/);
    expect(() => computeTube(makeCurve(helix, 0.1), { sides: 2 })).toThrow(/2 sides/);
    expect(() => computeTube(makeCurve(helix, 0))).toThrow(/radius 0 m/);
  });
});
