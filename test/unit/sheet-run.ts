/**
 * Hand-made sheets and particles for tests of exporters and the view: a sheet of 1 m × 0.6 m drawn over the edge of a box at the
 * origin, with a crease of E-nodes along the edge, so that its mesh changes from frame to frame; and a heap of particles of which
 * more come in.
 */
import type { RecordedRun } from 'heddle/io';
import { type Frame, NODE_EULERIAN, NODE_LAGRANGIAN, type PointsFrame, type SurfaceFrame } from 'heddle/model';

export const SHEET_SIZE = [1, 0.6] as const;

/** Place of the material point X when the edge is at the material line X₀ = c: flat on the box, then hanging in a wave. */
export function placeSheet(X: number, Y: number, c: number): [number, number, number] {
  const z = SHEET_SIZE[1] - Y;
  if (X <= c) return [X - c, 0, z];
  const down = X - c;
  return [0.25 * down * down * (1 + Math.sin(12 * Y)), -down, z];
}

export interface GridOptions {
  /** Columns and rows of vertices. */
  readonly columns: number;
  readonly rows: number;
  /** Material line X₀ of the crease; none without. */
  readonly crease?: number;
  readonly place?: (X: number, Y: number) => readonly [number, number, number];
}

/** A grid of triangles over the material, with a column of E-nodes on the crease. */
export function makeGrid({ columns, rows, crease, place = (X, Y) => [X, 0, Y] }: GridOptions): SurfaceFrame {
  const [length, width] = SHEET_SIZE;
  const spread = Array.from({ length: columns }, (_, i) => (length * i) / (columns - 1));
  const line = crease === undefined ? spread : spread.filter((at) => Math.abs(at - crease) > 0.02);
  if (crease !== undefined) line.push(crease);
  line.sort((a, b) => a - b);
  const X: number[] = [];
  const kind: number[] = [];
  for (const at of line) {
    for (let j = 0; j < rows; j++) {
      X.push(at, (width * j) / (rows - 1));
      kind.push(at === crease ? NODE_EULERIAN : NODE_LAGRANGIAN);
    }
  }
  const triangles: number[] = [];
  for (let i = 0; i + 1 < line.length; i++) {
    for (let j = 0; j + 1 < rows; j++) {
      const a = i * rows + j;
      const [b, c, d] = [a + rows, a + rows + 1, a + 1];
      triangles.push(...((i + j) % 2 === 0 ? [a, b, c, a, c, d] : [a, b, d, b, c, d]));
    }
  }
  const creases: number[] = [];
  const first = crease === undefined ? -1 : line.indexOf(crease) * rows;
  for (let j = 0; first >= 0 && j + 1 < rows; j++) creases.push(first + j, first + j + 1);
  const vertices = kind.length;
  const x = Array.from({ length: vertices }, (_, v) => place(X[2 * v], X[2 * v + 1])).flat();
  return {
    type: 'surface',
    id: 'cloth',
    thickness: 0.002,
    restArea: length * width,
    x: Float64Array.from(x),
    X: Float64Array.from(X),
    kind: Uint8Array.from(kind),
    triangles: Int32Array.from(triangles),
    creases: Int32Array.from(creases),
    fields: { strain: Float64Array.from({ length: vertices }, (_, v) => X[2 * v] + 2 * X[2 * v + 1]) },
  };
}

/** The sheet over the edge when `slide` metres of it have been drawn over. */
export function makeSheet(slide: number, columns = 13, rows = 9): SurfaceFrame {
  const crease = 0.5 - slide;
  return makeGrid({ columns, rows, crease, place: (X, Y) => placeSheet(X, Y, crease) });
}

/** `count` particles in a block; particle p is the same whatever the count. */
export function makeParticles(count: number, fall = 0): PointsFrame {
  const side = Math.max(2, Math.round(Math.cbrt(count)));
  const at = (p: number) => [
    0.3 * ((p % side) / side),
    0.3 * (Math.floor(p / side ** 2) / side) - fall,
    0.3 * ((Math.floor(p / side) % side) / side),
  ];
  return {
    type: 'points',
    id: 'sand',
    radius: 0.15 / side,
    x: Float64Array.from({ length: 3 * count }, (_, i) => at(Math.floor(i / 3))[i % 3]),
    group: Uint8Array.from({ length: count }, (_, p) => (p % side < side / 2 ? 0 : 1)),
    fields: { speed: Float64Array.from({ length: count }, (_, p) => Math.floor(p / side ** 2) / side) },
  };
}

/** A run of the sheet and of particles whose number grows by 5 each frame. */
export function makeSheetRun(frameCount: number): RecordedRun {
  const frames = Array.from({ length: frameCount }, (_, f): Frame => {
    const slide = (0.3 * f) / Math.max(1, frameCount - 1);
    return {
      time: f / 60,
      step: 10 * f,
      objects: [makeSheet(slide, 13 + (f % 3)), makeParticles(20 + 5 * f, 0.01 * f)],
      bodies: [],
      forces: [],
    } as Frame;
  });
  return { name: 'over-edge', frames, bodies: [], probes: { columns: [], rows: [] }, checker: 0.05 };
}
