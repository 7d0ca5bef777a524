/**
 * Velocities of a sheet after its mesh has changed: those next to the old ones, in the norm of the inertia, among those allowed.
 * [eol-cloth-2017, Eqs. 5.1 and 5.2]
 *
 *     minimise  ½ ∫ ρ |v − v_old|² dA  =  ½ q̇ᵀ M q̇ − fᵀ q̇ + const     subject to rows  G q̇ = t, G q̇ ≥ t
 *
 *   v = Σ φ_i (ẋ_i − F Ẋ_i)  velocity of the material     M = ∫ ρ Jᵀφφ J  inertia     f = ∫ ρ Jᵀ φ_i v_old  impulse of the old motion
 *
 * (5.1) has all vertices free, (5.2) only new ones and E-vertices: q̇ = P q̇_RM + p. The thesis interpolates q̇_old at the new
 * vertices and takes f = M q̇_old (it prints the wrong sign), which is another motion where vertices went; here the integral is taken on the
 * common refinement of both meshes, exactly. So without rows (5.1) keeps momentum to rounding, never gains kinetic energy (v is a
 * projection of v_old), and leaves every motion that is linear in the material as it is; (5.2) is cheaper and keeps only the last.
 */
import { EolElement, overlayTriangles } from '../eol/index.ts';
import { NODE_LAGRANGIAN } from '../model/index.ts';
import { BlockMixed, BlockPattern, type QpReport, solveQp } from '../sparse/index.ts';
import type { SheetMesh } from './mesh.ts';
import { type SheetState, STRIDE } from './state.ts';
import { TriangleGrid } from './triangle-grid.ts';

/** A mesh with its motion, as it was before the change. */
export interface SheetMotion {
  readonly mesh: SheetMesh;
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly label: Int32Array;
  readonly pointMass: Float64Array;
}

/** Rows on velocities; columns are 5 · vertex + coordinate. Bounds of multipliers as in `QpProblem`: (−∞, ∞) equality, [0, ∞) g q̇ ≥ t. */
export interface VelocityRows {
  readonly count: number;
  readonly start: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float64Array;
  readonly target: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

export const NO_ROWS: VelocityRows = {
  count: 0,
  start: new Int32Array(1),
  columns: new Int32Array(0),
  values: new Float64Array(0),
  target: new Float64Array(0),
  lower: new Float64Array(0),
  upper: new Float64Array(0),
};

/** (5.1): overwrites the velocities of `state`, whose mesh is new. Where the rows contradict each other it leaves them, and the report says so. */
export function transferVelocity(from: SheetMotion, state: SheetState, rows = NO_ROWS): QpReport {
  return solve(from, state, rows, new Uint8Array(state.count).fill(1));
}

/** (5.2): the same, but vertices that were there before and carry material keep their velocities. */
export function transferVelocityToNew(from: SheetMotion, state: SheetState, rows = NO_ROWS): QpReport {
  const known = new Set(from.label);
  return solve(
    from,
    state,
    rows,
    state.kind.map((kind, i) => (kind !== NODE_LAGRANGIAN || !known.has(state.label[i]) ? 1 : 0)),
  );
}

function solve(from: SheetMotion, state: SheetState, rows: VelocityRows, isFree: Uint8Array): QpReport {
  const problem = new TransferProblem(state, isFree);
  problem.addInertia();
  addTransferImpulse(from, state, problem.impulse);
  const { v, report } = solveQp(problem.create(rows));
  if (report.status === 'solved') problem.writeVelocities(v);
  return report;
}

/** Unknowns of the free vertices, three each or five. */
class TransferProblem {
  readonly state: SheetState;
  /** Five numbers a vertex: f, of which the share of vertices that are not free is taken off. */
  readonly impulse: Float64Array;
  readonly matrix: BlockMixed;
  /** Number among the free of each vertex, −1 for others. */
  readonly #number: Int32Array;

  constructor(state: SheetState, isFree: Uint8Array) {
    this.state = state;
    this.impulse = new Float64Array(STRIDE * state.count);
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
      element.setConfiguration(gather(state.q, corners));
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

  create(rows: VelocityRows) {
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

function gather(values: Float64Array, corners: ArrayLike<number>): Float64Array {
  const out = new Float64Array(15);
  for (let n = 0; n < 3; n++) for (let k = 0; k < STRIDE; k++) out[STRIDE * n + k] = values[STRIDE * corners[n] + k];
  return out;
}

/** Adds f = ∫ ρ J_iᵀ φ_i v_old to out, five numbers a vertex of `state`. */
export function addTransferImpulse(from: SheetMotion, state: SheetState, out: Float64Array): void {
  const { mesh, material } = state;
  const indexBefore = new Map(Array.from(from.label, (label, i) => [label, i]));
  const before = Int32Array.from(state.label, (label) => indexBefore.get(label) ?? -1);
  for (let i = 0; i < state.count; i++) {
    const b = before[i];
    if (b < 0 || from.pointMass[b] === 0) continue;
    for (let k = 0; k < 3; k++) out[STRIDE * i + k] += state.pointMass[i] * from.v[STRIDE * b + k];
  }
  const [source, target] = [new EolElement(2), new EolElement(2)];
  const { same, changed } = compareMeshes(from.mesh, mesh, before);
  const grid = new TriangleGrid(from.q, from.mesh.triangles, changed);
  const speed = new Float64Array(9);
  for (let t = 0; t < mesh.triangleCount; t++) {
    const corners = mesh.triangles.subarray(3 * t, 3 * t + 3);
    const place = gather(state.q, corners);
    target.setConfiguration(place);
    speed.fill(0);
    const visit = (old: Int32Array): void => {
      source.setConfiguration(gather(from.q, old));
      source.setVelocity(gather(from.v, old));
    };
    if (same[t] >= 0) {
      // the same triangle: ∫ φ_i φ_j
      visit(corners.map((i) => before[i]));
      for (let n = 0; n < 3; n++)
        for (let m = 0; m < 3; m++)
          for (let k = 0; k < 3; k++)
            speed[3 * n + k] += target.measure * target.massShare(n, m) * source.materialVelocity[3 * m + k];
    } else
      for (const old of grid.find(place)) {
        const others = from.mesh.triangles.subarray(3 * old, 3 * old + 3);
        visit(others);
        addOverlay(source, gather(from.q, others), target, place, speed);
      }
    for (let n = 0; n < 3; n++)
      for (let k = 0; k < 3; k++) {
        const impulse = material.arealDensity * speed[3 * n + k];
        out[STRIDE * corners[n] + k] += impulse;
        for (let a = 0; a < 2; a++) out[STRIDE * corners[n] + 3 + a] -= target.F[2 * k + a] * impulse;
      }
  }
}

/** Adds ∫ φ_n v over what two triangles share, three numbers a corner of the second. */
function addOverlay(source: EolElement, a: Float64Array, target: EolElement, b: Float64Array, out: Float64Array): void {
  const phi = (element: EolElement, q: Float64Array, n: number, point: Float64Array): number =>
    1 +
    element.gradients[2 * n] * (point[0] - q[STRIDE * n + 3]) +
    element.gradients[2 * n + 1] * (point[1] - q[STRIDE * n + 4]);
  const corners = (q: Float64Array) => [q[3], q[4], q[8], q[9], q[13], q[14]];
  overlayTriangles(corners(b), corners(a), (point, weight) => {
    for (let k = 0; k < 3; k++) {
      let v = 0;
      for (let n = 0; n < 3; n++) v += phi(source, a, n, point) * source.materialVelocity[3 * n + k];
      for (let n = 0; n < 3; n++) out[3 * n + k] += weight * phi(target, b, n, point) * v;
    }
  });
}

/** For each triangle of the new mesh the same one of the old, −1 for none; and the old ones that are no more. */
function compareMeshes(from: SheetMesh, to: SheetMesh, before: Int32Array): { same: Int32Array; changed: number[] } {
  const n = from.vertexCount;
  const keyOf = (a: number, b: number, c: number): number => {
    const low = Math.min(a, b, c);
    const high = Math.max(a, b, c);
    return (low * n + (a + b + c - low - high)) * n + high;
  };
  const known = new Map<number, number>();
  for (let t = 0; t < from.triangleCount; t++)
    known.set(keyOf(from.triangles[3 * t], from.triangles[3 * t + 1], from.triangles[3 * t + 2]), t);
  const same = new Int32Array(to.triangleCount).fill(-1);
  for (let t = 0; t < to.triangleCount; t++) {
    const [a, b, c] = [before[to.triangles[3 * t]], before[to.triangles[3 * t + 1]], before[to.triangles[3 * t + 2]]];
    if (a < 0 || b < 0 || c < 0) continue;
    const key = keyOf(a, b, c);
    same[t] = known.get(key) ?? -1;
    known.delete(key);
  }
  return { same, changed: [...known.values()] };
}
