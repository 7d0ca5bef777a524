/**
 * Nodes that are held in directions other than the world's axes: on a face across it, on an edge across it. Such a node
 * gets axes of its own, the first of which span what is held; its rows and columns of the system are turned into them, and
 * held coordinates are cancelled there [theory/eol#held-coordinates]. So contact costs a chain or a mesh nothing: no constraint rows, the same
 * pattern.
 *
 *     x = R z,   R = [a₁ a₂ a₃]      A ← Rᵀ A R      held: ż_k = speed along a_k
 *
 * Directions d_j (not orthogonal: a fixed world axis and a face's normal) with speeds s_j are made orthonormal one by one;
 * the multiplier of each, r = Σ λ_j d_j for the force r that holds the node, comes back by the triangle d_j·a_k.
 */
import { grow } from '../math/index.ts';
import type { BlockBanded } from '../sparse/index.ts';

/** A direction nearer than this to the span of those before it adds nothing. */
const DEPENDENT = 1e-6;

export class NodeFrames {
  count = 0;
  /** Labels of the framed nodes. */
  label = new Int32Array(8);
  /** Number of held directions, 1 … 3. */
  rank = new Uint8Array(8);
  /** Held directions, 9 a node, and what they were before they were made orthonormal. */
  axes = new Float64Array(72);
  directions = new Float64Array(72);
  /** Speeds along the held axes, 3 a node [m/s]. */
  speed = new Float64Array(24);
  #slot = new Int32Array(0);
  readonly #block = new Float64Array(25);

  clear(nodes: number): void {
    if (this.#slot.length < nodes) this.#slot = new Int32Array(nodes).fill(-1);
    for (let n = 0; n < this.count; n++) this.#slot[this.label[n]] = -1;
    this.count = 0;
  }

  /** The frame of a node, or −1. */
  find(label: number): number {
    return this.#slot.length > label ? this.#slot[label] : -1;
  }

  /** The frame of a node; made when it has none. */
  open(label: number): number {
    if (this.#slot[label] >= 0) return this.#slot[label];
    const n = this.count++;
    if (n === this.label.length) {
      this.label = grow(this.label, 2 * n);
      this.rank = grow(this.rank, 2 * n);
      this.axes = grow(this.axes, 18 * n);
      this.directions = grow(this.directions, 18 * n);
      this.speed = grow(this.speed, 6 * n);
    }
    this.label[n] = label;
    this.rank[n] = 0;
    this.#slot[label] = n;
    return n;
  }

  /** Holds frame n along the unit vector d at a speed; returns which of its directions it is, −1 when it adds nothing. */
  add(n: number, dx: number, dy: number, dz: number, speed: number): number {
    const { axes, directions } = this;
    const r = this.rank[n];
    if (r === 3) return -1;
    let [x, y, z, s] = [dx, dy, dz, speed];
    for (let k = 0; k < r; k++) {
      const a = 9 * n + 3 * k;
      const share = dx * axes[a] + dy * axes[a + 1] + dz * axes[a + 2];
      x -= share * axes[a];
      y -= share * axes[a + 1];
      z -= share * axes[a + 2];
      s -= share * this.speed[3 * n + k];
    }
    const length = Math.sqrt(x * x + y * y + z * z);
    if (length < DEPENDENT) return -1;
    const at = 9 * n + 3 * r;
    axes[at] = x / length;
    axes[at + 1] = y / length;
    axes[at + 2] = z / length;
    this.speed[3 * n + r] = s / length;
    directions[at] = dx;
    directions[at + 1] = dy;
    directions[at + 2] = dz;
    this.rank[n] = r + 1;
    return r;
  }

  /** Fills the axes that nothing holds, so that all three are orthonormal. */
  complete(n: number): void {
    const { axes } = this;
    const at = 9 * n;
    if (this.rank[n] === 1) {
      const [x, y, z] = [axes[at], axes[at + 1], axes[at + 2]];
      const size = [Math.abs(x), Math.abs(y), Math.abs(z)];
      const thin = size[0] <= size[1] && size[0] <= size[2] ? 0 : size[1] <= size[2] ? 1 : 2;
      let length = 0;
      for (let k = 0; k < 3; k++) {
        axes[at + 3 + k] = (k === thin ? 1 : 0) - axes[at + thin] * axes[at + k];
        length += axes[at + 3 + k] ** 2;
      }
      for (let k = 0; k < 3; k++) axes[at + 3 + k] /= Math.sqrt(length);
    }
    if (this.rank[n] < 3)
      for (let k = 0; k < 3; k++) {
        const [b, c] = [(k + 1) % 3, (k + 2) % 3];
        axes[at + 6 + k] = axes[at + b] * axes[at + 3 + c] - axes[at + c] * axes[at + 3 + b];
      }
  }

  /** Turns the rows and columns of node i of a chain of blocks of four, and its right-hand side, into frame n. */
  turnSystem(n: number, i: number, matrix: BlockBanded, rhs: Float64Array): void {
    const { bands, bandwidth, blocks } = matrix;
    this.turnRows(n, bands[0], 16 * i, 4);
    this.turnColumns(n, bands[0], 16 * i, 4, 4);
    for (let b = 1; b <= bandwidth; b++) {
      if (i >= b) this.turnRows(n, bands[b], 16 * (i - b), 4);
      if (i + b < blocks) this.turnColumns(n, bands[b], 16 * i, 4, 4);
    }
    this.turnVector(n, rhs, 4 * i);
  }

  /** B ← Rᵀ B for the first three rows of a row-major block at values[at…], `width` wide. */
  turnRows(n: number, values: Float64Array, at: number, width: number): void {
    const { axes } = this;
    const block = this.#block;
    for (let k = 0; k < 3 * width; k++) block[k] = values[at + k];
    for (let a = 0; a < 3; a++)
      for (let c = 0; c < width; c++) {
        const o = 9 * n + 3 * a;
        values[at + width * a + c] =
          axes[o] * block[c] + axes[o + 1] * block[width + c] + axes[o + 2] * block[2 * width + c];
      }
  }

  /** B ← B R for the first three columns of a row-major block at values[at…] of `rows` rows, `width` wide. */
  turnColumns(n: number, values: Float64Array, at: number, rows: number, width: number): void {
    const { axes } = this;
    for (let r = 0; r < rows; r++) {
      const x = values[at + width * r];
      const y = values[at + width * r + 1];
      const z = values[at + width * r + 2];
      for (let a = 0; a < 3; a++) {
        const o = 9 * n + 3 * a;
        values[at + width * r + a] = axes[o] * x + axes[o + 1] * y + axes[o + 2] * z;
      }
    }
  }

  /** r ← Rᵀ r. */
  turnVector(n: number, values: Float64Array, at: number): void {
    const { axes } = this;
    const [x, y, z] = [values[at], values[at + 1], values[at + 2]];
    for (let a = 0; a < 3; a++) {
      const o = 9 * n + 3 * a;
      values[at + a] = axes[o] * x + axes[o + 1] * y + axes[o + 2] * z;
    }
  }

  /** z → R z, back to the world's axes. */
  turnBack(n: number, values: Float64Array, at: number): void {
    const { axes } = this;
    const o = 9 * n;
    const [a, b, c] = [values[at], values[at + 1], values[at + 2]];
    for (let k = 0; k < 3; k++) values[at + k] = axes[o + k] * a + axes[o + 3 + k] * b + axes[o + 6 + k] * c;
  }

  /** Gives the velocity at v[at…] the held speeds of frame n. */
  applySpeeds(n: number, v: Float64Array, at: number): void {
    const { axes } = this;
    for (let a = 0; a < this.rank[n]; a++) {
      const o = 9 * n + 3 * a;
      const change = this.speed[3 * n + a] - (axes[o] * v[at] + axes[o + 1] * v[at + 1] + axes[o + 2] * v[at + 2]);
      for (let k = 0; k < 3; k++) v[at + k] += change * axes[o + k];
    }
  }

  /** Component of the vector d along axis k of frame n. */
  computeShare(n: number, k: number, d: Float64Array): number {
    const o = 9 * n + 3 * k;
    return this.axes[o] * d[0] + this.axes[o + 1] * d[1] + this.axes[o + 2] * d[2];
  }

  /** Adds sign · f along the axes of frame n that are free to r[at…], in the world's axes. */
  addFree(n: number, f: Float64Array, sign: number, r: Float64Array, at: number): void {
    for (let a = this.rank[n]; a < 3; a++) {
      const along = sign * this.computeShare(n, a, f);
      for (let k = 0; k < 3; k++) r[at + k] += along * this.axes[9 * n + 3 * a + k];
    }
  }

  /** λ of direction j of frame n, given the force r[at…] that holds the node, in the world's axes. */
  computeMultiplier(n: number, j: number, r: Float64Array, at: number): number {
    const { axes, directions } = this;
    let lambda = 0;
    let [x, y, z] = [r[at], r[at + 1], r[at + 2]];
    for (let k = this.rank[n] - 1; k >= j; k--) {
      const o = 9 * n + 3 * k;
      const along = directions[o] * axes[o] + directions[o + 1] * axes[o + 1] + directions[o + 2] * axes[o + 2];
      lambda = (x * axes[o] + y * axes[o + 1] + z * axes[o + 2]) / along;
      x -= lambda * directions[o];
      y -= lambda * directions[o + 1];
      z -= lambda * directions[o + 2];
    }
    return lambda;
  }
}

/** Two unit vectors across the unit vector n and each other. */
export function writeTangents(n: Float64Array, t: Float64Array, s: Float64Array): void {
  const size = [Math.abs(n[0]), Math.abs(n[1]), Math.abs(n[2])];
  const thin = size[0] <= size[1] && size[0] <= size[2] ? 0 : size[1] <= size[2] ? 1 : 2;
  const length = Math.sqrt(1 - n[thin] * n[thin]);
  for (let k = 0; k < 3; k++) t[k] = ((k === thin ? 1 : 0) - n[thin] * n[k]) / length;
  for (let k = 0; k < 3; k++) s[k] = n[(k + 1) % 3] * t[(k + 2) % 3] - n[(k + 2) % 3] * t[(k + 1) % 3];
}

/** Writes two unit vectors across the normal and each other, the first along the sliding; returns its speed. */
export function writeSlidingTangents(slip: Float64Array, n: Float64Array, t: Float64Array, s: Float64Array): number {
  const across = slip[0] * n[0] + slip[1] * n[1] + slip[2] * n[2];
  for (let k = 0; k < 3; k++) t[k] = slip[k] - across * n[k];
  const size = Math.sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
  if (!(size > 1e-9 * Math.abs(across) && size > 0)) {
    writeTangents(n, t, s);
    return 0;
  }
  for (let k = 0; k < 3; k++) t[k] /= size;
  for (let k = 0; k < 3; k++) s[k] = n[(k + 1) % 3] * t[(k + 2) % 3] - n[(k + 2) % 3] * t[(k + 1) % 3];
  return size;
}
