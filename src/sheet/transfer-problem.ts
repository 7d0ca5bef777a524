/**
 * The transfer of velocities with any rows, inequalities among them, as a convex quadratic problem:   ½ q̇ᵀ M q̇ − fᵀ q̇,  G q̇ = t, G q̇ ≥ t.
 */
import { EolElement } from '../eol/index.ts';
import { NODE_LAGRANGIAN } from '../model/index.ts';
import { BlockMixed, BlockPattern, type QpProblem } from '../sparse/index.ts';
import { type SheetState, STRIDE } from './state.ts';
import { gatherTriangle } from './transfer-impulse.ts';
import type { VelocityRows } from './velocity-rows.ts';

/** Unknowns of the free vertices, three each or five. */
export class TransferProblem {
  readonly state: SheetState;
  /** Five numbers a vertex: f, of which the share of vertices that are not free is taken off. */
  readonly impulse: Float64Array;
  readonly matrix: BlockMixed;
  /** Number among the free of each vertex, −1 for others. */
  readonly #number: Int32Array;

  /** `impulse` is changed. */
  constructor(state: SheetState, isFree: Uint8Array, impulse: Float64Array) {
    this.state = state;
    this.impulse = impulse;
    this.#number = new Int32Array(state.count).fill(-1);
    const sizes: number[] = [];
    for (let i = 0; i < state.count; i++)
      if (isFree[i]) this.#number[i] = sizes.push(state.kind[i] === NODE_LAGRANGIAN ? 3 : STRIDE) - 1;
    const [a, b]: [number[], number[]] = [[], []];
    const { edges, edgeCount } = state.mesh;
    for (let e = 0; e < edgeCount; e++) {
      const [i, j] = [this.#number[edges[4 * e]], this.#number[edges[4 * e + 1]]];
      if (i < 0 || j < 0) continue;
      a.push(i);
      b.push(j);
    }
    this.matrix = new BlockMixed(BlockPattern.fromPairs(sizes.length, a, b), sizes);
  }

  /** M of the free vertices; −M q̇ of the others into the impulse. */
  addInertia(): void {
    const { state, matrix, impulse } = this;
    const { mesh, v, pointMass } = state;
    const element = new EolElement(2);
    const local = new Float64Array(225);
    const block = new Float64Array(25);
    for (let t = 0; t < mesh.triangleCount; t++) {
      const corners = mesh.triangles.subarray(3 * t, 3 * t + 3);
      element.setConfiguration(gatherTriangle(state.q, corners));
      local.fill(0);
      element.addMass(state.material.arealDensity, local);
      for (let n = 0; n < 3; n++) {
        const row = this.#number[corners[n]];
        if (row < 0) continue;
        for (let m = 0; m < 3; m++) {
          const column = this.#number[corners[m]];
          if (column < 0) subtractProduct(local, n, m, v, STRIDE * corners[m], impulse, STRIDE * corners[n]);
          else if (m <= n)
            matrix.addBlock(row, column, cut(local, n, m, matrix.sizes[row], matrix.sizes[column], block));
        }
      }
    }
    for (let i = 0; i < state.count; i++) {
      if (pointMass[i] === 0 || this.#number[i] < 0) continue;
      const size = matrix.sizes[this.#number[i]];
      block.fill(0);
      for (let k = 0; k < 3; k++) block[k * (size + 1)] = pointMass[i];
      matrix.addBlock(this.#number[i], this.#number[i], block);
    }
  }

  /** The quadratic problem with rows on the free; what the others do goes to the targets. */
  create(rows: VelocityRows): QpProblem {
    const { matrix, impulse, state } = this;
    const force = new Float64Array(matrix.size);
    this.#each((i, o, size) => force.set(impulse.subarray(STRIDE * i, STRIDE * i + size), o));
    const [start, columns, values]: [number[], number[], number[]] = [[0], [], []];
    const [target, lower, upper]: [number[], number[], number[]] = [[], [], []];
    for (let r = 0; r < rows.count; r++) {
      let aim = rows.target[r];
      const before = columns.length;
      for (let k = rows.start[r]; k < rows.start[r + 1]; k++) {
        const i = Math.floor(rows.columns[k] / STRIDE);
        const c = rows.columns[k] % STRIDE;
        const n = this.#number[i];
        if (n < 0) aim -= rows.values[k] * state.v[rows.columns[k]];
        else if (c < matrix.sizes[n]) {
          columns.push(matrix.blockStart[n] + c);
          values.push(rows.values[k]);
        }
      }
      if (columns.length === before) continue;
      start.push(columns.length);
      target.push(aim);
      lower.push(rows.lower[r]);
      upper.push(rows.upper[r]);
    }
    return {
      matrix,
      rows: {
        count: target.length,
        start: Int32Array.from(start),
        columns: Int32Array.from(columns),
        values: Float64Array.from(values),
      },
      force,
      target: Float64Array.from(target),
      lower: Float64Array.from(lower),
      upper: Float64Array.from(upper),
    };
  }

  writeVelocities(v: Float64Array): void {
    this.#each((i, o, size) => {
      for (let k = 0; k < STRIDE; k++) this.state.v[STRIDE * i + k] = k < size ? v[o + k] : 0;
    });
  }

  /** Vertex, first unknown and number of unknowns of each free one. */
  #each(visit: (i: number, o: number, size: number) => void): void {
    this.#number.forEach((n, i) => {
      if (n >= 0) visit(i, this.matrix.blockStart[n], this.matrix.sizes[n]);
    });
  }
}

/** Rows and columns of the corners n and m of a 15 × 15 matrix, as many as asked for. */
function cut(
  local: Float64Array,
  n: number,
  m: number,
  rows: number,
  columns: number,
  out: Float64Array,
): Float64Array {
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) out[r * columns + c] = local[(STRIDE * n + r) * 15 + STRIDE * m + c];
  return out;
}

function subtractProduct(
  local: Float64Array,
  n: number,
  m: number,
  v: Float64Array,
  i: number,
  out: Float64Array,
  o: number,
): void {
  for (let r = 0; r < STRIDE; r++)
    for (let c = 0; c < STRIDE; c++) out[o + r] -= local[(STRIDE * n + r) * 15 + STRIDE * m + c] * v[i + c];
}
