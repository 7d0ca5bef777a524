/**
 * What holds the vertices of a sheet: drivers along the world's axes, bodies along directions of their own (`NodeFrames`), and at
 * E-vertices the material along a direction of material space. Held coordinates are cancelled (unit rows, zero right-hand side) in
 * turned blocks; the force that holds each is read off the row that was cancelled.
 *
 *     x = R z at framed vertices,  X = Q Z at E-vertices;   A ← Tᵀ A T,  T = diag(R, Q)
 */
import { NodeFrames } from '../contact/index.ts';
import { grow } from '../math/index.ts';
import { CANCEL_POSITION, type ConstraintRows } from '../model/index.ts';
import type { BlockMixed } from '../sparse/index.ts';
import type { SheetMesh } from './mesh.ts';
import { HOLD_MATERIAL, HOLD_U, HOLD_V, type SheetState, STRIDE } from './state.ts';

export class SheetHolds {
  readonly frames = new NodeFrames();
  /** Bits of held coordinates per vertex, along world and material axes, and the velocities of what is held. */
  bits = new Uint8Array(0);
  target = new Float64Array(0);
  /** First axis of the material frame at a vertex, two numbers; (1, 0) where nothing turns it. */
  materialAxis = new Float64Array(0);
  /** Forces that hold the vertices, five numbers each: along x, y, z [N] and X₁, X₂ [N]. */
  reaction = new Float64Array(0);
  /** Whether rows of a tie or a contact act on a vertex, in the last solve of the present frames. */
  hasRows = false;
  /** Vertices with anything held, in the order in which they came. */
  #held = new Int32Array(64);
  #heldCount = 0;
  #isHeld = new Uint8Array(0);
  /** Rows as they were before being cancelled, each followed by its right-hand side. */
  #rows = new Float64Array(0);
  #rowStart = new Int32Array(64);

  /** Whether anything holds a vertex, drivers or bodies. */
  get hasAny(): boolean {
    return this.#heldCount > 0;
  }

  /** Nothing is held; room for n vertices. */
  clear(n: number): void {
    if (this.bits.length !== n) {
      this.bits = new Uint8Array(n);
      this.target = new Float64Array(STRIDE * n);
      this.materialAxis = new Float64Array(2 * n);
      this.reaction = new Float64Array(STRIDE * n);
      this.#isHeld = new Uint8Array(n);
      this.#heldCount = 0;
    }
    for (let k = 0; k < this.#heldCount; k++) {
      const i = this.#held[k];
      this.bits[i] = 0;
      this.#isHeld[i] = 0;
      this.reaction.fill(0, STRIDE * i, STRIDE * i + STRIDE);
    }
    for (let i = 0; i < n; i++) {
      this.materialAxis[2 * i] = 1;
      this.materialAxis[2 * i + 1] = 0;
    }
    this.#heldCount = 0;
    this.frames.clear(n);
  }

  /** Forgets what bodies hold; drivers go on. */
  clearFrames(n: number): void {
    this.frames.clear(n);
    this.hasRows = false;
  }

  /** Holds coordinates of a vertex along the axes of the world and of material space. */
  hold(vertex: number, bits: number): void {
    this.bits[vertex] |= bits;
    this.#note(vertex);
  }

  /** The frame of a vertex; drivers that hold it along axes of the world come first. */
  openFrame(vertex: number): number {
    const known = this.frames.find(vertex);
    if (known >= 0) return known;
    const n = this.frames.open(vertex);
    this.#note(vertex);
    for (let k = 0; k < 3; k++)
      if (this.bits[vertex] & (1 << k))
        this.frames.add(n, k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0, this.target[STRIDE * vertex + k]);
    return n;
  }

  /** Holds the material of an E-vertex along a unit direction of material space. */
  holdMaterial(vertex: number, x: number, y: number): void {
    this.materialAxis[2 * vertex] = x;
    this.materialAxis[2 * vertex + 1] = y;
    this.bits[vertex] |= HOLD_U;
    this.target[STRIDE * vertex + 3] = 0;
    this.#note(vertex);
  }

  /** Holds all material of an E-vertex: it carries that. */
  holdAllMaterial(vertex: number): void {
    this.materialAxis[2 * vertex] = 1;
    this.materialAxis[2 * vertex + 1] = 0;
    this.bits[vertex] |= HOLD_MATERIAL;
    this.target[STRIDE * vertex + 3] = this.target[STRIDE * vertex + 4] = 0;
    this.#note(vertex);
  }

  /** The material may slide through an E-vertex again. */
  freeMaterial(vertex: number): void {
    this.bits[vertex] &= ~HOLD_MATERIAL;
  }

  #note(vertex: number): void {
    if (this.#isHeld[vertex]) return;
    this.#isHeld[vertex] = 1;
    if (this.#heldCount === this.#held.length) {
      this.#held = grow(this.#held, 2 * this.#held.length);
      this.#rowStart = grow(this.#rowStart, 2 * this.#rowStart.length);
    }
    this.#held[this.#heldCount++] = vertex;
  }

  /** Completes the frames and gives what is held its velocity. */
  applyTargets({ v }: SheetState): void {
    const { frames, bits, target } = this;
    for (let n = 0; n < frames.count; n++) frames.complete(n);
    for (let k = 0; k < this.#heldCount; k++) {
      const i = this.#held[k];
      const frame = frames.find(i);
      if (frame >= 0) frames.applySpeeds(frame, v, STRIDE * i);
      else for (let c = 0; c < 3; c++) if (bits[i] & (1 << c)) v[STRIDE * i + c] = target[STRIDE * i + c];
      this.#applyMaterial(i, v);
    }
  }

  #applyMaterial(i: number, v: Float64Array): void {
    const held = this.bits[i] & HOLD_MATERIAL;
    if (held === 0) return;
    const at = STRIDE * i + 3;
    const c = this.materialAxis[2 * i];
    const s = this.materialAxis[2 * i + 1];
    const along = held & HOLD_U ? this.target[at] : c * v[at] + s * v[at + 1];
    const across = held & HOLD_V ? this.target[at + 1] : c * v[at + 1] - s * v[at];
    v[at] = c * along - s * across;
    v[at + 1] = s * along + c * across;
  }

  /** Turns the blocks of framed vertices and cancels what is held; keeps the rows for the reactions. */
  cancel(mesh: SheetMesh, matrix: BlockMixed, rhs: Float64Array): void {
    const { frames } = this;
    for (let n = 0; n < frames.count; n++) this.#turn(mesh, matrix, rhs, frames.label[n], n);
    for (let k = 0; k < this.#heldCount; k++) {
      const i = this.#held[k];
      if (matrix.sizes[i] === STRIDE && this.materialAxis[2 * i + 1] !== 0) this.#turnMaterial(mesh, matrix, rhs, i);
    }
    let at = 0;
    for (let k = 0; k < this.#heldCount; k++) {
      this.#rowStart[k] = at;
      at = this.#saveRows(mesh, matrix, rhs, this.#held[k], at);
    }
    for (let k = 0; k < this.#heldCount; k++) {
      const i = this.#held[k];
      const held = this.#heldBits(i);
      for (let c = 0; c < matrix.sizes[i]; c++) if (held & (1 << c)) cancelCoordinate(mesh, matrix, rhs, i, c);
    }
  }

  /** Bits of the cancelled coordinates, in the vertex' own frame. */
  #heldBits(i: number): number {
    const frame = this.frames.find(i);
    const position = frame >= 0 ? (1 << this.frames.rank[frame]) - 1 : this.bits[i] & CANCEL_POSITION;
    return position | (this.bits[i] & HOLD_MATERIAL);
  }

  #turn(mesh: SheetMesh, matrix: BlockMixed, rhs: Float64Array, i: number, n: number): void {
    const { frames } = this;
    const { values, valueStart, sizes } = matrix;
    const { columnStart, rows } = mesh.pattern;
    const width = sizes[i];
    for (let slot = columnStart[i]; slot < columnStart[i + 1]; slot++)
      frames.turnColumns(n, values, valueStart[slot], sizes[rows[slot]], width);
    frames.turnRows(n, values, valueStart[columnStart[i]], width);
    for (let k = mesh.rowStart[i]; k < mesh.rowStart[i + 1]; k++)
      frames.turnRows(n, values, valueStart[mesh.rowSlots[k]], sizes[mesh.rowColumns[k]]);
    frames.turnVector(n, rhs, matrix.blockStart[i]);
  }

  #turnMaterial(mesh: SheetMesh, matrix: BlockMixed, rhs: Float64Array, i: number): void {
    const { values, valueStart, sizes } = matrix;
    const { columnStart, rows } = mesh.pattern;
    const c = this.materialAxis[2 * i];
    const s = this.materialAxis[2 * i + 1];
    const turn = (at: number, step: number) => {
      const [x, y] = [values[at], values[at + step]];
      values[at] = c * x + s * y;
      values[at + step] = c * y - s * x;
    };
    for (let slot = columnStart[i]; slot < columnStart[i + 1]; slot++)
      for (let r = 0; r < sizes[rows[slot]]; r++) turn(valueStart[slot] + STRIDE * r + 3, 1);
    for (let k = 0; k < STRIDE; k++) turn(valueStart[columnStart[i]] + 3 * STRIDE + k, STRIDE);
    for (let k = mesh.rowStart[i]; k < mesh.rowStart[i + 1]; k++) {
      const width = sizes[mesh.rowColumns[k]];
      for (let l = 0; l < width; l++) turn(valueStart[mesh.rowSlots[k]] + 3 * width + l, width);
    }
    const o = matrix.blockStart[i] + 3;
    const [x, y] = [rhs[o], rhs[o + 1]];
    rhs[o] = c * x + s * y;
    rhs[o + 1] = c * y - s * x;
  }

  #saveRows(mesh: SheetMesh, matrix: BlockMixed, rhs: Float64Array, i: number, start: number): number {
    const { values, valueStart, sizes } = matrix;
    const { columnStart, rows } = mesh.pattern;
    const held = this.#heldBits(i);
    let at = start;
    const need =
      start + STRIDE * (STRIDE * (columnStart[i + 1] - columnStart[i] + mesh.rowStart[i + 1] - mesh.rowStart[i]) + 1);
    if (this.#rows.length < need) {
      const grown = new Float64Array(2 * need);
      grown.set(this.#rows);
      this.#rows = grown;
    }
    for (let c = 0; c < sizes[i]; c++) {
      if (!(held & (1 << c))) continue;
      for (let k = mesh.rowStart[i]; k < mesh.rowStart[i + 1]; k++) {
        const width = sizes[mesh.rowColumns[k]];
        const o = valueStart[mesh.rowSlots[k]] + c * width;
        for (let l = 0; l < width; l++) this.#rows[at++] = values[o + l];
      }
      for (let slot = columnStart[i]; slot < columnStart[i + 1]; slot++)
        for (let l = 0; l < sizes[rows[slot]]; l++) this.#rows[at++] = values[valueStart[slot] + l * sizes[i] + c];
      this.#rows[at++] = rhs[matrix.blockStart[i] + c];
    }
    return at;
  }

  /** After the solve: the force that keeps each held coordinate at its velocity, (A Δ − r)/h; then Δ back to the world's axes. */
  finish(mesh: SheetMesh, matrix: BlockMixed, delta: Float64Array, h: number): void {
    const { frames, reaction } = this;
    for (let k = 0; k < this.#heldCount; k++) this.#readReaction(mesh, matrix, delta, k, h);
    for (let n = 0; n < frames.count; n++) {
      const i = frames.label[n];
      frames.turnBack(n, delta, matrix.blockStart[i]);
      frames.turnBack(n, reaction, STRIDE * i);
    }
    for (let k = 0; k < this.#heldCount; k++) {
      const i = this.#held[k];
      if (matrix.sizes[i] !== STRIDE || this.materialAxis[2 * i + 1] === 0) continue;
      this.#turnMaterialBack(delta, matrix.blockStart[i] + 3, i);
      this.#turnMaterialBack(reaction, STRIDE * i + 3, i);
    }
  }

  /** Adds sign · ẋ_k of a vertex, whose first unknown is `first`, to the last row. */
  addEntries(rows: ConstraintRows, part: number, i: number, first: number, k: number, sign: number): void {
    this.hasRows = true;
    const frame = this.frames.find(i);
    for (let c = 0; c < 3; c++) {
      if (this.#heldBits(i) & (1 << c)) continue;
      const share = frame < 0 ? (c === k ? 1 : 0) : this.frames.axes[9 * frame + 3 * c + k];
      if (share !== 0) rows.addEntry(part, first + c, sign * share);
    }
  }

  /** Adds weight · d·ẋ of a vertex, whose first unknown is `first`, to the last row; what is held does not move by Δ. */
  addDirection(rows: ConstraintRows, part: number, i: number, first: number, d: Float64Array, weight: number): void {
    this.hasRows = true;
    const frame = this.frames.find(i);
    const held = this.#heldBits(i);
    for (let c = 0; c < 3; c++) {
      if (held & (1 << c)) continue;
      const share = frame < 0 ? d[c] : this.frames.computeShare(frame, c, d);
      if (share !== 0) rows.addEntry(part, first + c, weight * share);
    }
  }

  /** Square of the part of the direction d along which a vertex can move. */
  computeFreedom(i: number, d: Float64Array): number {
    const frame = this.frames.find(i);
    const held = this.#heldBits(i);
    let square = 0;
    for (let c = 0; c < 3; c++)
      if (!(held & (1 << c))) square += (frame < 0 ? d[c] : this.frames.computeShare(frame, c, d)) ** 2;
    return square;
  }

  /** Speed along d that vertex i, of the velocities v, has by what it is held at. */
  computeHeldSpeed(i: number, d: Float64Array, v: Float64Array): number {
    const at = STRIDE * i;
    const frame = this.frames.find(i);
    const held = this.#heldBits(i);
    let speed = 0;
    for (let c = 0; c < 3; c++) {
      if (!(held & (1 << c))) continue;
      if (frame < 0) speed += d[c] * v[at + c];
      else {
        const o = 9 * frame + 3 * c;
        const { axes } = this.frames;
        const along = axes[o] * v[at] + axes[o + 1] * v[at + 1] + axes[o + 2] * v[at + 2];
        speed += along * this.frames.computeShare(frame, c, d);
      }
    }
    return speed;
  }

  /** What holds a vertex carries what presses on it along the held directions: takes weight · force off their reaction. */
  addPress(i: number, force: Float64Array, weight: number): void {
    if (!this.#isHeld[i]) return;
    const frame = this.frames.find(i);
    const held = this.#heldBits(i);
    for (let c = 0; c < 3; c++) {
      if (!(held & (1 << c))) continue;
      if (frame < 0) {
        this.reaction[STRIDE * i + c] -= weight * force[c];
        continue;
      }
      const along = weight * this.frames.computeShare(frame, c, force);
      for (let k = 0; k < 3; k++) this.reaction[STRIDE * i + k] -= along * this.frames.axes[9 * frame + 3 * c + k];
    }
  }

  /** Forgets forces along what nothing holds. */
  clearFree(i: number): void {
    // a frame's free axes have none yet
    if (this.frames.find(i) >= 0) return;
    for (let k = 0; k < 3; k++) if (!(this.bits[i] & (1 << k))) this.reaction[STRIDE * i + k] = 0;
  }

  /** Adds sign · force along what nothing holds: the reaction of a held direction is all that holds it already. */
  addFree(i: number, force: Float64Array, sign: number): void {
    const frame = this.frames.find(i);
    if (frame >= 0) this.frames.addFree(frame, force, sign, this.reaction, STRIDE * i);
    else for (let k = 0; k < 3; k++) if (!(this.bits[i] & (1 << k))) this.reaction[STRIDE * i + k] += sign * force[k];
  }

  #turnMaterialBack(values: Float64Array, at: number, i: number): void {
    const c = this.materialAxis[2 * i];
    const s = this.materialAxis[2 * i + 1];
    const [a, b] = [values[at], values[at + 1]];
    values[at] = c * a - s * b;
    values[at + 1] = s * a + c * b;
  }

  #readReaction(mesh: SheetMesh, matrix: BlockMixed, delta: Float64Array, k: number, h: number): void {
    const { sizes, blockStart } = matrix;
    const { columnStart, rows } = mesh.pattern;
    const i = this.#held[k];
    const held = this.#heldBits(i);
    let at = this.#rowStart[k];
    for (let c = 0; c < STRIDE; c++) {
      this.reaction[STRIDE * i + c] = 0;
      if (c >= sizes[i] || !(held & (1 << c))) continue;
      let impulse = 0;
      for (let l = mesh.rowStart[i]; l < mesh.rowStart[i + 1]; l++) {
        const j = mesh.rowColumns[l];
        for (let m = 0; m < sizes[j]; m++) impulse += this.#rows[at++] * delta[blockStart[j] + m];
      }
      for (let slot = columnStart[i]; slot < columnStart[i + 1]; slot++) {
        const j = rows[slot];
        for (let m = 0; m < sizes[j]; m++) impulse += this.#rows[at++] * delta[blockStart[j] + m];
      }
      this.reaction[STRIDE * i + c] = (impulse - this.#rows[at++]) / h;
    }
  }
}

/** Unit row and column, zero right-hand side. */
function cancelCoordinate(mesh: SheetMesh, matrix: BlockMixed, rhs: Float64Array, i: number, c: number): void {
  const { values, valueStart, sizes } = matrix;
  const { columnStart, rows } = mesh.pattern;
  for (let k = mesh.rowStart[i]; k < mesh.rowStart[i + 1]; k++) {
    const width = sizes[mesh.rowColumns[k]];
    const o = valueStart[mesh.rowSlots[k]] + c * width;
    values.fill(0, o, o + width);
  }
  for (let slot = columnStart[i]; slot < columnStart[i + 1]; slot++)
    for (let r = 0; r < sizes[rows[slot]]; r++) values[valueStart[slot] + r * sizes[i] + c] = 0;
  const diagonal = valueStart[columnStart[i]];
  for (let k = 0; k < sizes[i]; k++) values[diagonal + c * sizes[i] + k] = 0;
  values[diagonal + c * sizes[i] + c] = 1;
  rhs[matrix.blockStart[i] + c] = 0;
}
