/**
 * Coulomb friction of a sheet on edges and corners of bodies. At an E-vertex the material slides against the body in the free
 * directions of X, and with the vertex along the edge.
 *
 *     n = F̄₁ × F̄₂ / |F̄₁ × F̄₂|     N = r·n     C = F̄/λ²     F̄, λ²  means of F and ½ tr FᵀF over the angle round the vertex
 *     sticking     |C q|² + f² ≤ (μ N)²                                q, f  forces that hold X and the place along the edge
 *     slipping     q = −μ N (CᵀC)⁻¹ Ẋ/w,  f = −μ N ṡ/w                w² = ṡ² + Ẋᵀ (CᵀC)⁻¹ Ẋ
 *
 *   r  force of the body on the vertex [N]     ṡ  speed along the edge against the body     w  speed of sliding [m/s]
 * Why C: across an edge with turn d the tangents before and after, t_a and t_b, have the mean F̄c = ½(t_a + t_b), which is cos ½d
 * long. The tensions give q = T_b − T_a, N = (T_a + T_b) sin ½d and the push along the mean tangent (T_b − T_a) cos ½d = |C q|: with
 * |C q| = μ N they are as  T_b/T_a = (cos ½d + μ sin ½d)/(cos ½d − μ sin ½d), the law of the sharp corner [theory/sheet#friction-on-a-crease]. Where
 * μ tan ½d ≥ 1 nothing slides. Corners are treated alike, in both directions of X.
 *
 * Sticking holds what was free: the vertex carries its material and keeps its place. Slipping pushes by μ N against the sliding of the
 * pass before, and drags by μ N/w, implicit, what slides to the side of that. A stage whose outcome contradicts what was assumed is
 * solved again; one that is turned round again and again sticks. The push across the edge is part of what holds the vertex in any
 * case (r); only a slipping vertex' friction along the edge comes on top.
 */
import { computeAngle, computeHypot3 } from '../math/index.ts';
import type { StateReader, StateWriter } from '../model/index.ts';
import type { BlockMixed } from '../sparse/index.ts';
import { CreaseGrips } from './crease-grips.ts';
import type { SheetCreases } from './creases.ts';
import type { SheetHolds } from './holds.ts';
import { HOLD_MATERIAL, HOLD_U, type SheetState, STRIDE } from './state.ts';

/** How often the friction of a vertex may change in a step. */
const MOST_FLIPS = 6;
/** Normal force and direction of sliding are taken anew while they differ by more than this share. */
const SAME = 0.01;
/** Sliding slower than what friction takes off in a stage, by this factor, is as slow. */
const SLOWEST = 1e-6;
/** Smallest |C c| of a unit vector c: cos ½d of a sheet folded back upon itself. */
const FOLDED = 0.05;

export class CreaseFriction {
  readonly creases: SheetCreases;
  readonly grips = new CreaseGrips();
  readonly #before = new CreaseGrips();
  /** Entry of each vertex; −1 where it is not on an edge or corner with friction. */
  #slot = new Int32Array(0);
  readonly #m = new Float64Array(3);
  readonly #across = new Float64Array(3);
  readonly #along = new Float64Array(3);
  readonly #p = new Float64Array(3);
  readonly #u = new Float64Array(3);
  /** In (s, X): sliding, its direction times M, force. */
  readonly #w = new Float64Array(3);
  readonly #d = new Float64Array(3);
  readonly #f = new Float64Array(3);

  constructor(creases: SheetCreases) {
    this.creases = creases;
  }

  /** Before a step, on the mesh that it is taken with: vertices keep their friction, new ones stick. */
  beginStep(state: SheetState): void {
    const { friction } = this.creases.touch;
    this.#before.copy(this.grips);
    this.grips.clear();
    if (this.#slot.length !== state.count) this.#slot = new Int32Array(state.count);
    this.#slot.fill(-1);
    for (let i = 0; i < state.count; i++) {
      const b = state.siteBody[i];
      if (b < 0 || !(friction[b] > 0)) continue;
      const known = state.isOnSite(i) ? this.#before.find(state.label[i]) : -1;
      this.#slot[i] = this.grips.add(state.label[i], this.#before, known);
    }
  }

  rollBack(): void {
    this.grips.copy(this.#before);
  }

  /** Entry of a vertex that is on its edge or corner; −1 where there is no friction. */
  #find(state: SheetState, i: number): number {
    return i < this.#slot.length && this.#slot[i] >= 0 && state.isOnSite(i) ? this.#slot[i] : -1;
  }

  /** Holds sticking vertices in what `SheetCreases.addFrames` left free, for a stage of length h. */
  addFrames(state: SheetState, holds: SheetHolds, h: number): void {
    const { grips } = this;
    if (grips.count === 0) return;
    this.#measure(state);
    grips.isMeasured.fill(0);
    for (let i = 0; i < state.count; i++) {
      const g = this.#find(state, i);
      if (g < 0) continue;
      this.#takeFree(state, holds, i, g);
      grips.isMeasured[g] = 1;
      if (grips.slips[g]) continue;
      holds.holdAllMaterial(i);
      this.#holdAlong(state, holds, i, h);
    }
  }

  #holdAlong(state: SheetState, holds: SheetHolds, i: number, h: number): void {
    if (state.siteEdge[i] < 0) return;
    const { start, now } = this.creases.touch;
    const b = state.siteBody[i];
    const [e, p] = [this.#along, this.#p];
    this.creases.writeEdgeAxes(b, state.siteEdge[i], this.#m, this.#across, e);
    start[b].writeLocal(state.qStart, STRIDE * i, p, 0);
    now[b].writeWorld(p, 0, p, 0);
    let gap = 0;
    for (let k = 0; k < 3; k++) gap += (p[k] - state.qBase[STRIDE * i + k]) * e[k];
    holds.frames.add(holds.openFrame(i), e[0], e[1], e[2], gap / h);
  }

  /** F̄ and λ² of all vertices with friction, where the stage starts from. */
  #measure({ q, mesh }: SheetState): void {
    const { mean, square, angle } = this.grips;
    mean.fill(0);
    square.fill(0);
    angle.fill(0);
    const { triangles, triangleCount } = mesh;
    for (let t = 0; t < 3 * triangleCount; t += 3)
      for (let n = 0; n < 3; n++) {
        const g = this.#slot[triangles[t + n]];
        if (g < 0) continue;
        const a = STRIDE * triangles[t + n];
        const b = STRIDE * triangles[t + ((n + 1) % 3)];
        const c = STRIDE * triangles[t + ((n + 2) % 3)];
        const ux = q[b + 3] - q[a + 3];
        const uy = q[b + 4] - q[a + 4];
        const wx = q[c + 3] - q[a + 3];
        const wy = q[c + 4] - q[a + 4];
        const det = ux * wy - uy * wx;
        const weight = computeAngle(Math.max(0, det), ux * wx + uy * wy);
        angle[g] += weight;
        for (let k = 0; k < 3; k++) {
          const u = q[b + k] - q[a + k];
          const w = q[c + k] - q[a + k];
          const x = (u * wy - w * uy) / det;
          const y = (w * ux - u * wx) / det;
          mean[6 * g + k] += weight * x;
          mean[6 * g + 3 + k] += weight * y;
          square[g] += 0.5 * weight * (x * x + y * y);
        }
      }
  }

  /** From what `creases` hold: n, CᵀC in the free directions of X and its inverse there. */
  #takeFree(state: SheetState, holds: SheetHolds, i: number, g: number): void {
    const { mean, square, angle, limit, drag } = this.grips;
    this.#writeNormal(state, i, g);
    const scale = angle[g] / square[g];
    let [xx, xy, yy] = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      const [x, y] = [(mean[6 * g + k] / angle[g]) * scale, (mean[6 * g + 3 + k] / angle[g]) * scale];
      xx += x * x;
      xy += x * y;
      yy += y * y;
    }
    const held = holds.bits[i] & HOLD_MATERIAL;
    const o = 3 * g;
    limit.fill(0, o, o + 3);
    drag.fill(0, o, o + 3);
    if (held === HOLD_MATERIAL) return;
    if (held === HOLD_U) {
      const [x, y] = [-holds.materialAxis[2 * i + 1], holds.materialAxis[2 * i]];
      const size = Math.max(FOLDED * FOLDED, x * x * xx + 2 * x * y * xy + y * y * yy);
      limit.set([size * x * x, size * x * y, size * y * y], o);
      drag.set([(x * x) / size, (x * y) / size, (y * y) / size], o);
      return;
    }
    const det = Math.max(FOLDED * FOLDED, xx * yy - xy * xy);
    limit.set([xx, xy, yy], o);
    drag.set([yy / det, -xy / det, xx / det], o);
  }

  /** Outward normal at a vertex; that of the edge or corner where the sheet is folded back upon itself. */
  #writeNormal(state: SheetState, i: number, g: number): void {
    const { mean, normal } = this.grips;
    const { touch, corners } = this.creases;
    const b = state.siteBody[i];
    const m = this.#m;
    if (state.siteEdge[i] >= 0) this.creases.writeEdgeAxes(b, state.siteEdge[i], m, this.#across, this.#along);
    else touch.now[b].writeDirection(corners[b].outward, 3 * state.siteCorner[i], m, 0);
    const [o, x, y] = [3 * g, 6 * g, 6 * g + 3];
    for (let k = 0; k < 3; k++) {
      const [a, c] = [(k + 1) % 3, (k + 2) % 3];
      normal[o + k] = mean[x + a] * mean[y + c] - mean[x + c] * mean[y + a];
    }
    const length = computeHypot3(normal[o], normal[o + 1], normal[o + 2]);
    const outward = (normal[o] * m[0] + normal[o + 1] * m[1] + normal[o + 2] * m[2]) / length;
    if (!(Math.abs(outward) > FOLDED)) normal.set(m, o);
    else for (let k = 0; k < 3; k++) normal[o + k] /= outward < 0 ? -length : length;
  }

  /** Adds the friction of slipping vertices, for a stage of length h. */
  addFriction(state: SheetState, h: number, matrix: BlockMixed, rhs: Float64Array): void {
    const { slips, grip, speed, drag } = this.grips;
    const { values, valueStart, blockStart, sizes } = matrix;
    const { columnStart } = state.mesh.pattern;
    const [f, d] = [this.#f, this.#d];
    for (let i = 0; i < state.count; i++) {
      const g = this.#find(state, i);
      const push = g < 0 || !slips[g] ? 0 : h * this.#computeLimit(state, i, grip[g]);
      if (!(push > 0)) continue;
      this.#writeForce(state, i, g, f);
      const at = valueStart[columnStart[i]];
      const size = sizes[i];
      const e = this.#along;
      const isEdge = state.siteEdge[i] >= 0;
      // d: M times the direction; the drag acts across it, (μ N/w) (M − d dᵀ), in (s, X)
      for (let n = 0; n < 2; n++) rhs[blockStart[i] + 3 + n] += push * f[1 + n];
      for (let n = 0; n < 2; n++)
        for (let m = 0; m < 2; m++)
          values[at + (3 + n) * size + 3 + m] += (push / speed[g]) * (drag[3 * g + n + m] - d[1 + n] * d[1 + m]);
      if (!isEdge) continue;
      for (let k = 0; k < 3; k++) {
        rhs[blockStart[i] + k] += push * f[0] * e[k];
        for (let m = 0; m < 3; m++) values[at + k * size + m] += (push / speed[g]) * (1 - d[0] * d[0]) * e[k] * e[m];
        for (let n = 0; n < 2; n++) {
          const share = (push / speed[g]) * -d[0] * d[1 + n] * e[k];
          values[at + k * size + 3 + n] += share;
          values[at + (3 + n) * size + k] += share;
        }
      }
    }
  }

  /** Friction over μ N in (s, X) at a vertex that slips, the velocities as they are; leaves M times the direction in #d. */
  #writeForce(state: SheetState, i: number, g: number, out: Float64Array): void {
    const { direction, speed } = this.grips;
    const [w, d] = [this.#w, this.#d];
    this.#writeSlip(state, i, w);
    this.#writeDual(g, direction, 3 * g, d);
    const along = w[0] * d[0] + w[1] * d[1] + w[2] * d[2];
    for (let n = 0; n < 3; n++) w[n] -= along * direction[3 * g + n];
    this.#writeDual(g, w, 0, out);
    for (let n = 0; n < 3; n++) out[n] = -d[n] - out[n] / speed[g];
  }

  /** out := M w for w in (s, X), M = diag(1, (CᵀC)⁻¹). */
  #writeDual(g: number, w: Float64Array, at: number, out: Float64Array): void {
    const { drag } = this.grips;
    const [s, X, Y] = [w[at], w[at + 1], w[at + 2]];
    out[0] = s;
    out[1] = drag[3 * g] * X + drag[3 * g + 1] * Y;
    out[2] = drag[3 * g + 1] * X + drag[3 * g + 2] * Y;
  }

  #computeLimit(state: SheetState, i: number, grip: number): number {
    return this.creases.touch.friction[state.siteBody[i]] * grip;
  }

  /** out := (ṡ, Ẋ) of a vertex; leaves the edge's direction in #along. */
  #writeSlip({ q, v, siteBody, siteEdge }: SheetState, i: number, out: Float64Array): void {
    const b = siteBody[i];
    const [e, p, u] = [this.#along, this.#p, this.#u];
    out[0] = 0;
    if (siteEdge[i] >= 0) {
      this.creases.writeEdgeAxes(b, siteEdge[i], this.#m, this.#across, e);
      for (let k = 0; k < 3; k++) p[k] = q[STRIDE * i + k];
      this.creases.touch.bodies[b].writePointVelocity(p, u);
      for (let k = 0; k < 3; k++) out[0] += (v[STRIDE * i + k] - u[k]) * e[k];
    }
    out[1] = v[STRIDE * i + 3];
    out[2] = v[STRIDE * i + 4];
  }

  /** Checks sticking and slipping; true when the stage, of length h, must be solved again. */
  revise(state: SheetState, holds: SheetHolds, h: number): boolean {
    const { grips } = this;
    let changed = false;
    for (let i = 0; i < state.count; i++) {
      const g = this.#find(state, i);
      // one that has just come back to its edge is solved again first
      if (g < 0 || !grips.isMeasured[g]) continue;
      const before = grips.grip[g];
      let push = 0;
      for (let k = 0; k < 3; k++) push += holds.reaction[STRIDE * i + k] * grips.normal[3 * g + k];
      grips.grip[g] = Math.max(0, push);
      changed =
        (grips.slips[g] ? this.#reviseSlip(state, i, g, h, before) : this.#reviseStick(state, holds, i, g, h)) ||
        changed;
    }
    return changed;
  }

  #reviseStick(state: SheetState, holds: SheetHolds, i: number, g: number, h: number): boolean {
    const { grips } = this;
    const r = holds.reaction;
    const [X, Y] = [r[STRIDE * i + 3], r[STRIDE * i + 4]];
    const { limit: m } = grips;
    let along = 0;
    if (state.siteEdge[i] >= 0) {
      this.creases.writeEdgeAxes(state.siteBody[i], state.siteEdge[i], this.#m, this.#across, this.#along);
      for (let k = 0; k < 3; k++) along += r[STRIDE * i + k] * this.#along[k];
    }
    const square = along ** 2 + m[3 * g] * X * X + 2 * m[3 * g + 1] * X * Y + m[3 * g + 2] * Y * Y;
    const limit = this.#computeLimit(state, i, grips.grip[g]);
    const size = Math.sqrt(square);
    if (!(size - limit > 1e-9 * limit) || grips.flips[g] > MOST_FLIPS) return false;
    grips.slips[g] = 1;
    grips.flips[g]++;
    // what held it pushes against the motion that it prevented; the speed is what the rest of the force would give the vertex alone
    grips.direction[3 * g] = -along / size;
    grips.direction[3 * g + 1] = -(m[3 * g] * X + m[3 * g + 1] * Y) / size;
    grips.direction[3 * g + 2] = -(m[3 * g + 1] * X + m[3 * g + 2] * Y) / size;
    grips.speed[g] = (Math.max(size - limit, SLOWEST * limit) * h) / state.massOf(i);
    return true;
  }

  #reviseSlip(state: SheetState, i: number, g: number, h: number, before: number): boolean {
    const { grips } = this;
    const { direction } = grips;
    const [w, d] = [this.#w, this.#d];
    this.#writeSlip(state, i, w);
    this.#writeDual(g, w, 0, d);
    let along = 0;
    for (let n = 0; n < 3; n++) along += d[n] * direction[3 * g + n];
    if (!(along > 0)) {
      grips.slips[g] = 0;
      grips.flips[g]++;
      return true;
    }
    const speed = Math.sqrt(w[0] * d[0] + w[1] * d[1] + w[2] * d[2]);
    for (let n = 0; n < 3; n++) direction[3 * g + n] = w[n] / speed;
    const slowest = (SLOWEST * h * this.#computeLimit(state, i, grips.grip[g])) / state.massOf(i);
    grips.speed[g] = Math.max(speed, slowest);
    const isSame = Math.abs(grips.grip[g] - before) <= SAME * grips.grip[g] && along >= (1 - SAME * SAME) * speed;
    return !isSame && grips.flips[g]++ < MOST_FLIPS;
  }

  /** Friction along its edge on a vertex that slips, after a solve [N]; false where there is none. */
  writeDrag(state: SheetState, i: number, out: Float64Array): boolean {
    const { slips, grip } = this.grips;
    const g = this.#find(state, i);
    if (g < 0 || !slips[g] || state.siteEdge[i] < 0) return false;
    this.#writeForce(state, i, g, this.#f);
    const push = this.#computeLimit(state, i, grip[g]) * this.#f[0];
    for (let k = 0; k < 3; k++) out[k] = push * this.#along[k];
    return true;
  }

  writeState(writer: StateWriter): void {
    this.grips.writeState(writer);
  }

  readState(reader: StateReader): void {
    this.grips.readState(reader);
    this.#slot = new Int32Array(0);
  }
}
