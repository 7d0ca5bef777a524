/**
 * Sheets whose mesh follows what they do (remesher C). Whatever changes: no triangle is inverted or thinner than 10°, and the area of
 * the material stays. Where a sheet curves its edges are short, where it is flat they are long, and at rest nothing changes.
 */
import { computeSmallestAngle, createPolygonMesh } from 'heddle/geometry';
import { type Sheet, STRIDE } from 'heddle/sheet';
import { createKeyframes, createPin, World } from 'heddle/world';
import { beforeAll, describe, expect, test } from 'vitest';
import { createCloth, createRectangle, createSheet, findVertices, positionOf } from './sheets.ts';

const DEGREE = Math.PI / 180;

/** Smallest angle in the material [rad], 0 where a triangle is inverted, and area [m²]. */
function measureMesh({ state: { q, mesh } }: Sheet): { angle: number; area: number } {
  let [angle, area] = [Math.PI, 0];
  for (let t = 0; t < mesh.triangleCount; t++) {
    const [a, b, c] = [0, 1, 2].map((n) => STRIDE * mesh.triangles[3 * t + n] + 3);
    const twice = (q[b] - q[a]) * (q[c + 1] - q[a + 1]) - (q[b + 1] - q[a + 1]) * (q[c] - q[a]);
    area += twice / 2;
    const own = computeSmallestAngle(q[a], q[a + 1], q[b], q[b + 1], q[c], q[c + 1]);
    angle = Math.min(angle, twice > 0 ? own : 0);
  }
  return { angle, area };
}

const BINS = 10;

/** By tenths of a strip of length 1: vertices, and the angle by which it turns along X₁ [rad]. */
function listTenths({ state: { q, mesh, count } }: Sheet, height: number): { count: number; turn: number }[] {
  const bins = Array.from({ length: BINS }, () => ({ count: 0, turn: 0 }));
  const binOf = (X: number) => bins[Math.min(BINS - 1, Math.floor(BINS * X))];
  for (let i = 0; i < count; i++) binOf(q[STRIDE * i + 3]).count++;
  const normal = (t: number): number[] => {
    const [a, b, c] = [0, 1, 2].map((n) => STRIDE * mesh.triangles[3 * t + n]);
    const [u, w] = [b, c].map((i) => [0, 1, 2].map((k) => q[i + k] - q[a + k]));
    const cross = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
    return cross.map((one) => one / Math.hypot(...cross));
  };
  for (let e = 0; e < mesh.edgeCount; e++) {
    const [l, r] = [mesh.edgeTriangles[2 * e], mesh.edgeTriangles[2 * e + 1]];
    if (r < 0) continue;
    const [a, b] = [STRIDE * mesh.edges[4 * e] + 3, STRIDE * mesh.edges[4 * e + 1] + 3];
    const [m, n] = [normal(l), normal(r)];
    const angle = Math.acos(Math.min(1, m[0] * n[0] + m[1] * n[1] + m[2] * n[2]));
    binOf((q[a] + q[b]) / 2).turn += (angle * Math.abs(q[b + 1] - q[a + 1])) / height;
  }
  return bins;
}

/** A strip whose ends are brought together by a fifth for a second, held, and drawn apart again. */
describe('a strip that is pushed together buckles, and drawn apart it is flat again', () => {
  const counts: number[] = [];
  const angles: number[] = [];
  const areas: number[] = [];
  let bent: { count: number; turn: number }[] = [];
  let remeshings = [0, 0];

  beforeAll(() => {
    const sheet = createSheet(
      createRectangle('alternating', 1, 0.2, 0.05),
      createCloth(1000, 0.2, 1e-3),
      {
        damping: { mass: 3, stiffness: 1e-3 },
        gravity: [0, 0, 0],
        remesher: 'adaptive',
        sizing: { smallest: 0.01, largest: 0.15, angle: 0.2 },
      },
      (a, b) => [a, 0.01 * Math.sin(Math.PI * a), b],
    );
    const [left, right] = [findVertices(sheet, (a) => a < 1e-9), findVertices(sheet, (a) => a > 1 - 1e-9)];
    for (const label of [...left, ...right]) sheet.state.kept[label] = 1;
    const drivers = [
      ...left.map((label) => createPin({ model: sheet, label })),
      ...right.map((label) => {
        const z = sheet.state.q[STRIDE * label + 2];
        return createKeyframes({ model: sheet, label }, (time, out) => {
          out[0] = 1.002 - 0.202 * Math.min(1, time, Math.max(0, 3 - time));
          out[1] = 0;
          out[2] = z;
        });
      }),
    ];
    const world = new World({ models: [sheet], drivers, timeStep: 0.01 });
    for (let k = 0; k < 450; k++) {
      world.step();
      const { angle, area } = measureMesh(sheet);
      counts.push(sheet.state.count);
      angles.push(angle);
      areas.push(area);
      if (k === 199) bent = listTenths(sheet, 0.2);
      if (k === 350) remeshings = [sheet.state.remeshings, 0];
    }
    remeshings[1] = sheet.state.remeshings;
  });

  test('it is refined more than twice, most where it turns most, and as coarse as before in the end', () => {
    const flat = counts[0];
    expect(Math.max(...counts)).toBeGreaterThan(2.5 * flat);
    expect(counts[449]).toBeLessThan(1.35 * flat);
    bent.sort((a, b) => a.turn - b.turn);
    const sum = (part: typeof bent) => part.reduce((total, { count }) => total + count, 0);
    expect(sum(bent.slice(-3))).toBeGreaterThan(1.5 * sum(bent.slice(0, 3)));
  });

  test('no angle is ever below 10°, no triangle inverted, and the area is kept to 1e-9', () => {
    expect(Math.min(...angles)).toBeGreaterThan(10 * DEGREE);
    for (const area of areas) expect(Math.abs(area - 0.2)).toBeLessThan(0.2e-9);
  });

  test('the flat strip at rest is left as it is', () => {
    expect(remeshings[1]).toBe(remeshings[0]);
    expect(remeshings[0]).toBeGreaterThan(5);
  });
});

/** The lowest point of a cloth of length 1 m hung by two sides half a metre apart, below them [m]. */
function computeSag(): number {
  // 2 a sinh(d/2a) = 1, sag = a (cosh(d/2a) − 1)
  let [low, high] = [0.01, 1];
  for (let k = 0; k < 60; k++) {
    const a = (low + high) / 2;
    if (2 * a * Math.sinh(0.25 / a) > 1) low = a;
    else high = a;
  }
  return low * (Math.cosh(0.25 / low) - 1);
}

function hangBetween(size: number, remesher: 'local' | 'adaptive') {
  const sheet = createSheet(
    createRectangle('alternating', 1, 0.3, size),
    createCloth(5000, 0.2, 1e-5),
    {
      damping: { mass: 4, stiffness: 1e-3 },
      remesher,
      sizing: { smallest: 0.01, largest: 0.3, angle: 12 * DEGREE, velocity: 2 },
    },
    // two straight halves that hang from both sides
    (a, b) => [a / 2, -Math.sqrt(0.75) * Math.min(a, 1 - a), b],
  );
  const held = findVertices(sheet, (a) => a < 1e-9 || a > 1 - 1e-9);
  for (const label of held) sheet.state.kept[label] = 1;
  const drivers = held.map((label) => createPin({ model: sheet, label }));
  const world = new World({ models: [sheet], drivers, timeStep: 0.01 });
  for (let k = 0; k < 250; k++) world.step();
  const { remeshings } = sheet.state;
  for (let k = 0; k < 50; k++) world.step();
  let sag = 0;
  for (let i = 0; i < sheet.state.count; i++) sag = Math.max(sag, -positionOf(sheet, i)[1]);
  return { sag, count: sheet.state.count, isCalm: sheet.state.remeshings === remeshings, remeshings };
}

test('a cloth between two sides hangs in a catenary, as well as with a fine mesh of more than twice the vertices', () => {
  const exact = computeSag();
  const fine = hangBetween(0.025, 'local');
  const adaptive = hangBetween(0.1, 'adaptive');
  // its mesh at the start would sag 1.4 % too deep
  expect(Math.abs(fine.sag / exact - 1)).toBeLessThan(2e-3);
  expect(Math.abs(adaptive.sag / fine.sag - 1)).toBeLessThan(2e-3);
  expect(adaptive.count).toBeLessThan(fine.count / 2);
  expect(adaptive.remeshings).toBeGreaterThan(1);
  expect(adaptive.isCalm).toBe(true);
});

test('a disk with a hole held at it falls into folds: every angle at least 10°, area and border kept', () => {
  const ring = (radius: number, n: number): number[] =>
    Array.from({ length: n }, (_, k) => [
      radius * Math.cos((2 * Math.PI * k) / n),
      radius * Math.sin((2 * Math.PI * k) / n),
    ]).flat();
  const { mesh } = createPolygonMesh(ring(0.4, 24), [ring(0.12, 12)], { size: 0.1 });
  mesh.compact();
  const X = mesh.points.slice(0, 2 * mesh.vertexCount);
  const sheet = createSheet(
    { X, triangles: mesh.corners.slice(0, 3 * mesh.triangleCount) },
    createCloth(500, 0.2, 2e-5),
    { damping: { mass: 2, stiffness: 1e-3 }, remesher: 'adaptive', sizing: { smallest: 0.02, angle: 0.35 } },
    (a, b) => [a, 0.01 * a * b, b],
  );
  const held = findVertices(sheet, (a, b) => Math.hypot(a, b) < 0.12 + 1e-9);
  for (const label of held) sheet.state.kept[label] = 1;
  const world = new World({
    models: [sheet],
    drivers: held.map((label) => createPin({ model: sheet, label })),
    timeStep: 0.01,
  });
  const start = measureMesh(sheet).area;
  const before = sheet.state.count;
  for (let k = 0; k < 80; k++) {
    world.step();
    const { angle, area } = measureMesh(sheet);
    expect(angle).toBeGreaterThan(10 * DEGREE);
    expect(Math.abs(area - start)).toBeLessThan(1e-9 * start);
  }
  expect(sheet.state.count).toBeGreaterThan(1.5 * before);
  // who is held is still there, by label, and where it was
  for (const label of held) {
    const i = sheet.state.indexOf(label);
    expect(i).toBeGreaterThanOrEqual(0);
    expect(sheet.state.q[STRIDE * i + 3]).toBe(X[2 * label]);
    expect(sheet.state.q[STRIDE * i + 4]).toBe(X[2 * label + 1]);
  }
});
