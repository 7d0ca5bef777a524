/**
 * A cloth drawn over the edge of a box at a constant speed, its rear side held back by a constant force: without friction the pull is
 * that force, less the weight of what hangs (g = 0.5 m/s²),
 *     F = F₀ − ρ g w (l₀ + v t)        F₀ = 2 N,  ρ = 0.2 kg/m²,  w = 1 m,  l₀ = 0.37 m,  v = 0.4 m/s,
 * whatever the mesh, where a mesh that must bend at its vertices locks and jumps.
 */
import { Body, BoxShape } from 'heddle/bodies';
import { createGridMesh } from 'heddle/geometry';
import { Sheet } from 'heddle/sheet';
import { createForce, createVelocity, World } from 'heddle/world';
import { describe, expect, test } from 'vitest';

const STRIDE = 5;
const SPEED = 0.4;
const LOAD = 2;
const HANGING = 0.37;
const WEIGHT = 0.2 * 0.5;
const HALF = 5e-4;
const STEP = 0.005;

interface Run {
  readonly pull: number[];
  readonly depth: number;
  /** Largest distance of an E-vertex from the edge's line [m]. */
  readonly off: number;
  readonly smallestAngle: number;
  readonly area: number;
  readonly remeshings: number;
  readonly rejected: number;
}

function pullOver(
  n: number,
  mode: 'eol' | 'lagrangian',
  remesher: 'local' | 'global' | 'adaptive',
  steps: number,
): Run {
  const grid = createGridMesh(1, 1, n, n);
  const count = (n + 1) * (n + 1);
  const X = grid.points.slice(0, 2 * count);
  const x: number[] = [];
  for (let i = 0; i < count; i++) {
    const s = X[2 * i] - (1 - HANGING);
    x.push(s < 0 ? s + HALF : HALF, s < 0 ? HALF : HALF - s, 0.5 - X[2 * i + 1]);
  }
  const box = new Body({ id: 'box', shape: new BoxShape([2, 1, 2]), position: [-1, -0.5, 0] });
  const sheet = new Sheet({
    id: 'cloth',
    material: {
      arealDensity: 0.2,
      membrane: [1000, 1000, 100, 300],
      bending: [1e-5, 1e-5, 0, 5e-6],
      thickness: 2 * HALF,
      friction: 0,
    },
    x,
    X,
    triangles: grid.corners.slice(0, 3 * grid.triangleCount),
    obstacles: [box],
    damping: { mass: 0, stiffness: 2e-3 },
    mode,
    remesher,
    gravity: [0, -0.5, 0],
  });
  for (let i = 0; i < count; i++) {
    const isHanging = X[2 * i] > 1 - HANGING;
    sheet.state.v[STRIDE * i + (isHanging ? 1 : 0)] = isHanging ? -SPEED : SPEED;
  }
  const front: number[] = [];
  const drivers = [];
  for (let r = 0; r <= n; r++) {
    const [rear, ahead] = [(n + 1) * r, (n + 1) * r + n];
    front.push(ahead);
    sheet.state.kept[rear] = sheet.state.kept[ahead] = 1;
    drivers.push(createVelocity({ model: sheet, label: ahead }, [0, -SPEED, 0]));
    const share = (r === 0 || r === n ? 0.5 : 1) / n;
    drivers.push(createForce({ model: sheet, label: rear }, [-LOAD * share, 0, 0]));
  }
  const world = new World({ models: [sheet], bodies: [box], drivers, timeStep: STEP });
  const pull: number[] = [];
  let [depth, off, smallestAngle, rejected] = [0, 0, Number.POSITIVE_INFINITY, 0];
  const { state } = sheet;
  for (let k = 0; k < steps; k++) {
    rejected += world.step().rejected;
    pull.push(front.reduce((sum, label) => sum - sheet.holds.reaction[STRIDE * state.indexOf(label) + 1], 0));
    depth = Math.max(depth, sheet.touch!.computeDepth(state));
    for (let i = 0; i < state.count; i++)
      if (state.kind[i] !== 0)
        off = Math.max(off, Math.hypot(state.q[STRIDE * i] - HALF, state.q[STRIDE * i + 1] - HALF));
    for (let t = 0; t < state.mesh.triangleCount; t++)
      smallestAngle = Math.min(smallestAngle, computeSmallestAngle(sheet, t));
  }
  const area = state.area.reduce((sum, one) => sum + one, 0);
  return { pull, depth, off, smallestAngle, area, remeshings: state.remeshings, rejected };
}

/** Of a triangle in material space [rad]; negative where it is inverted. */
function computeSmallestAngle({ state: { q, mesh } }: Sheet, t: number): number {
  const corners = [0, 1, 2].map((k) => STRIDE * mesh.triangles[3 * t + k] + 3);
  let smallest = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 3; k++) {
    const [a, b, c] = [corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]];
    const [ux, uy, vx, vy] = [q[b] - q[a], q[b + 1] - q[a + 1], q[c] - q[a], q[c + 1] - q[a + 1]];
    smallest = Math.min(smallest, Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy));
  }
  return smallest;
}

/** From the start of even sliding, at step 60, on. */
const SETTLED = 60;
const expected = (k: number): number => LOAD - WEIGHT * (HANGING + SPEED * STEP * (k + 1));

describe.each([
  [10, 'local'],
  [10, 'global'],
  [20, 'local'],
  [10, 'adaptive'],
  [20, 'adaptive'],
] as const)('a cloth of %i cells a side slides over the edge, %s remesher', (n, remesher) => {
  const run = pullOver(n, 'eol', remesher, 240);

  test('and the pull is the load less what hangs, to 2 % at every step and 0.3 % in the mean', () => {
    let sum = 0;
    for (let k = SETTLED; k < run.pull.length; k++) {
      expect(Math.abs(run.pull[k] / expected(k) - 1)).toBeLessThan(0.02);
      sum += run.pull[k] / expected(k) - 1;
    }
    expect(Math.abs(sum / (run.pull.length - SETTLED))).toBeLessThan(3e-3);
  });

  test('and nothing sinks in, the crease lies on the edge, no triangle is thin or inverted, area is kept', () => {
    // the scene's diagonal is about 3 m
    expect(run.depth).toBeLessThan(3e-6);
    expect(run.off).toBeLessThan(1e-9);
    expect(run.smallestAngle).toBeGreaterThan((10 * Math.PI) / 180);
    expect(Math.abs(run.area - 1)).toBeLessThan(1e-9);
    expect(run.remeshings).toBeGreaterThan(3);
  });
});

test('vertices that carry their material lock at the edge and jump: the pull goes up and down by more than the load', () => {
  const { pull } = pullOver(10, 'lagrangian', 'local', 200);
  const settled = pull.slice(SETTLED);
  expect(Math.max(...settled)).toBeGreaterThan(5 * LOAD);
  expect(Math.min(...settled)).toBeLessThan(0.5 * LOAD);
});
