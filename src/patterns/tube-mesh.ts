/**
 * An upright tube or cone of triangles about the y-axis, open at both ends, and what it is cut open:
 *
 *     vertex of column i, row j     angle 2π i/columns, height from −height/2 (j = 0) to height/2
 *     shown                         column 0 a second time, as column `columns`, so that material coordinates run on
 */
import { computeSineCosine } from '../math/index.ts';
import { checkPositive, checkWhole } from './checks.ts';

export interface TubeOptions {
  /** At the lower end [m]. */
  readonly radius: number;
  /** At the upper end [m]; as below if not given. */
  readonly topRadius?: number;
  /** [m] */
  readonly height: number;
  /** Cells round it, an even number, and along it. */
  readonly columns: number;
  readonly rows: number;
}

export interface TubeMesh {
  /** Three coordinates a vertex [m]. */
  readonly x: Float64Array;
  /** Three vertices each, counter-clockwise from outside. */
  readonly triangles: Int32Array;
  /** Of the tube cut open: material coordinates, 2 each [m], the vertex that each is, and triangles between them. */
  readonly X: Float64Array;
  readonly vertices: Int32Array;
  readonly cutTriangles: Int32Array;
}

export function createTubeMesh(options: TubeOptions): TubeMesh {
  const { radius, topRadius = radius, height, columns, rows } = options;
  checkPositive('createTubeMesh', { radius, topRadius, height });
  checkWhole('createTubeMesh', { columns, rows });
  if (columns < 4 || columns % 2 === 1)
    throw new RangeError(`createTubeMesh: columns is ${columns}; give an even number, 4 or more.`);
  const x = new Float64Array(3 * columns * (rows + 1));
  const wide = Math.max(radius, topRadius);
  for (let j = 0; j <= rows; j++) {
    const r = radius + ((topRadius - radius) * j) / rows;
    for (let i = 0; i < columns; i++) {
      const [sine, cosine] = computeSineCosine((2 * Math.PI * i) / columns);
      x.set([r * sine, height * (j / rows - 0.5), r * cosine], 3 * (i + columns * j));
    }
  }
  const shown = columns + 1;
  const X = new Float64Array(2 * shown * (rows + 1));
  const vertices = new Int32Array(shown * (rows + 1));
  const along = Math.sqrt(height * height + (topRadius - radius) ** 2);
  for (let j = 0; j <= rows; j++)
    for (let i = 0; i <= columns; i++) {
      X.set([(2 * Math.PI * wide * i) / columns, (along * j) / rows], 2 * (i + shown * j));
      vertices[i + shown * j] = (i % columns) + columns * j;
    }
  const cut: number[] = [];
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      const a = i + shown * j;
      const [b, c, d] = [a + 1, a + shown + 1, a + shown];
      if ((i + j) % 2 === 0) cut.push(a, b, c, a, c, d);
      else cut.push(a, b, d, b, c, d);
    }
  const cutTriangles = Int32Array.from(cut);
  return { x, triangles: cutTriangles.map((corner) => vertices[corner]), X, vertices, cutTriangles };
}
