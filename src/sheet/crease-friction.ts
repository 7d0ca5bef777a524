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
 * |C q| = μ N they are as  T_b/T_a = (cos ½d + μ sin ½d)/(cos ½d − μ sin ½d), the law of the sharp corner (methods §2). Where
 * μ tan ½d ≥ 1 nothing slides. Corners are treated alike, in both directions of X.
 *
 * Sticking holds what was free: the vertex carries its material and keeps its place. Slipping is a drag, w of the pass before, so that
 * it never turns the sliding round. A stage whose outcome contradicts what was assumed is solved again. The push across the edge is
 * part of what holds the vertex in any case (r); only a slipping vertex' drag along the edge comes on top.
 */
import { computeAngle } from '../math/index.ts';
import type { StateReader, StateWriter } from '../model/index.ts';
import type { BlockMixed } from '../sparse/index.ts';
import { CreaseGrips } from './crease-grips.ts';
import type { SheetCreases } from './creases.ts';
import type { SheetHolds } from './holds.ts';
import { HOLD_MATERIAL, HOLD_U, type SheetState, STRIDE } from './state.ts';

/** How often the friction of a vertex may change in a stage. */
const MOST_FLIPS = 5;
/** Changes after which one that still slows down is tried to stick; a new try ends what may change but this. */
const TRIAL = 2;
/** Sliding that friction brings down to this share of itself in one stage has come to rest. */
const STOPPED = 0.05;
/** Normal force and speed of sliding are taken anew while they differ by more than this share. */
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
  readonly #w = new Float64Array(3);

  constructor(creases: SheetCreases) {
    this.creases = creases;
  }

  /** Before a step, on the mesh that it is taken with: vertices keep their friction, new ones stick. */
  beginStep(state: SheetState): void {
    const { friction } = this.creases.touch;
    this.#before.copy(this.grips);
    this.grips.clear();
    this.#slot = new Int32Array(state.count).fill(-1);
    for (let i = 0; i < state.count; i++) {
      const b = state.siteBody[i];
      if (b < 0 || !(friction[b] > 0)) continue;
      const known = state.isOnSite(i) ? this.#before.find(state.label[i]) : -1;
      this.#slot[i] = this.grips.add(state.label[i], this.#before, known);
      this.#foresee(this.#slot[i]);
    }
  }

  /** The drag of a step is taken at the speed that goes on changing as in the step before: so an even acceleration needs no second pass. */
  #foresee(g: number): void {
    const { slips, speed, last } = this.grips;
    const now = slips[g] ? speed[g] : 0;
    if (now > 0 && last[g] > 0) speed[g] = Math.min(2 * now, Math.max(0.5 * now, 2 * now - last[g]));
    last[g] = now;
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
    for (let i = 0; i < state.count; i++) {
      const g = this.#find(state, i);
      if (g < 0) continue;
      this.#takeFree(state, holds, i, g);
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
    for (let t = 0; t < mesh.triangleCount; t++)
      for (let n = 0; n < 3; n++) {
        const g = this.#slot[mesh.triangles[3 * t + n]];
        if (g < 0) continue;
        const [a, b, c] = [0, 1, 2].map((k) => STRIDE * mesh.triangles[3 * t + ((n + k) % 3)]);
        const [ux, uy, wx, wy] = [q[b + 3] - q[a + 3], q[b + 4] - q[a + 4], q[c + 3] - q[a + 3], q[c + 4] - q[a + 4]];
        const det = ux * wy - uy * wx;
        const weight = computeAngle(Math.max(0, det), ux * wx + uy * wy);
        angle[g] += weight;
        for (let k = 0; k < 3; k++) {
          const [u, w] = [q[b + k] - q[a + k], q[c + k] - q[a + k]];
          const [x, y] = [(u * wy - w * uy) / det, (w * ux - u * wx) / det];
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
    const length = Math.hypot(normal[o], normal[o + 1], normal[o + 2]);
    const outward = (normal[o] * m[0] + normal[o + 1] * m[1] + normal[o + 2] * m[2]) / length;
    if (!(Math.abs(outward) > FOLDED)) normal.set(m, o);
    else for (let k = 0; k < 3; k++) normal[o + k] /= outward < 0 ? -length : length;
  }

  /** Adds the drag of slipping vertices, for a stage of length h. */
  addFriction(state: SheetState, h: number, matrix: BlockMixed, rhs: Float64Array): void {
    const { slips, grip, speed, drag } = this.grips;
    const { values, valueStart, blockStart, sizes } = matrix;
    const { columnStart } = state.mesh.pattern;
    for (let i = 0; i < state.count; i++) {
      const g = this.#find(state, i);
      const push = g < 0 || !slips[g] ? 0 : h * this.#computeLimit(state, i, grip[g]);
      if (!(push > 0)) continue;
      const size = push / speed[g];
      const d = valueStart[columnStart[i]];
      const o = blockStart[i];
      const [xx, xy, yy] = drag.subarray(3 * g, 3 * g + 3);
      const [X, Y] = [state.v[STRIDE * i + 3], state.v[STRIDE * i + 4]];
      rhs[o + 3] -= size * (xx * X + xy * Y);
      rhs[o + 4] -= size * (xy * X + yy * Y);
      values[d + 3 * sizes[i] + 3] += size * xx;
      values[d + 3 * sizes[i] + 4] += size * xy;
      values[d + 4 * sizes[i] + 3] += size * xy;
      values[d + 4 * sizes[i] + 4] += size * yy;
      if (state.siteEdge[i] < 0) continue;
      const along = this.#computeAlong(state, i);
      const e = this.#along;
      for (let k = 0; k < 3; k++) {
        rhs[o + k] -= size * along * e[k];
        for (let m = 0; m < 3; m++) values[d + k * sizes[i] + m] += size * e[k] * e[m];
      }
    }
  }

  #computeLimit(state: SheetState, i: number, grip: number): number {
    return this.creases.touch.friction[state.siteBody[i]] * grip;
  }

  /** ṡ of a vertex on an edge [m/s]; leaves the edge's direction in #along. */
  #computeAlong(state: SheetState, i: number): number {
    const b = state.siteBody[i];
    const [e, p, w] = [this.#along, this.#p, this.#w];
    this.creases.writeEdgeAxes(b, state.siteEdge[i], this.#m, this.#across, e);
    for (let k = 0; k < 3; k++) p[k] = state.q[STRIDE * i + k];
    this.creases.touch.bodies[b].writePointVelocity(p, w);
    let along = 0;
    for (let k = 0; k < 3; k++) along += (state.v[STRIDE * i + k] - w[k]) * e[k];
    return along;
  }

  /** Speed of the material against the body at a vertex, w [m/s]. */
  #computeSpeed(state: SheetState, i: number, g: number): number {
    const { drag } = this.grips;
    const along = state.siteEdge[i] < 0 ? 0 : this.#computeAlong(state, i);
    const [X, Y] = [state.v[STRIDE * i + 3], state.v[STRIDE * i + 4]];
    return Math.sqrt(along ** 2 + drag[3 * g] * X * X + 2 * drag[3 * g + 1] * X * Y + drag[3 * g + 2] * Y * Y);
  }

  /** Checks sticking and slipping; true when the stage, of length h, must be solved again. */
  revise(state: SheetState, holds: SheetHolds, h: number): boolean {
    const { grips } = this;
    let changed = false;
    for (let i = 0; i < state.count; i++) {
      const g = this.#find(state, i);
      if (g < 0) continue;
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
    let square = m[3 * g] * X * X + 2 * m[3 * g + 1] * X * Y + m[3 * g + 2] * Y * Y;
    if (state.siteEdge[i] >= 0) {
      this.creases.writeEdgeAxes(state.siteBody[i], state.siteEdge[i], this.#m, this.#across, this.#along);
      let along = 0;
      for (let k = 0; k < 3; k++) along += r[STRIDE * i + k] * this.#along[k];
      square += along * along;
    }
    const limit = this.#computeLimit(state, i, grips.grip[g]);
    const excess = Math.sqrt(square) - limit;
    if (!(excess > 1e-9 * limit)) return false;
    grips.slips[g] = 1;
    // what the rest of the force would do to the vertex; one that was tried to stick in vain goes on as before
    if (grips.flips[g]++ === 0) grips.speed[g] = (Math.max(excess, SLOWEST * limit) * h) / state.massOf(i);
    return true;
  }

  #reviseSlip(state: SheetState, i: number, g: number, h: number, before: number): boolean {
    const { grips } = this;
    const speed = this.#computeSpeed(state, i, g);
    // friction that is more than what drives the sliding takes a share off in each pass
    const isSlowing = grips.flips[g] === TRIAL && speed < (1 - SAME) * grips.speed[g];
    if (isSlowing || (speed < STOPPED * grips.speed[g] && grips.flips[g] < TRIAL)) {
      grips.slips[g] = 0;
      grips.flips[g] = TRIAL + 1;
      return true;
    }
    const isSame =
      Math.abs(grips.grip[g] - before) <= SAME * grips.grip[g] && Math.abs(speed - grips.speed[g]) <= SAME * speed;
    const slowest = (SLOWEST * h * this.#computeLimit(state, i, grips.grip[g])) / state.massOf(i);
    grips.speed[g] = Math.max(speed, STOPPED * grips.speed[g], slowest);
    return !isSame && grips.flips[g]++ < MOST_FLIPS;
  }

  /** Drag along its edge on a vertex that slips, after a solve [N]; false where there is none. */
  writeDrag(state: SheetState, i: number, out: Float64Array): boolean {
    const { slips, grip, speed } = this.grips;
    const g = this.#find(state, i);
    if (g < 0 || !slips[g] || state.siteEdge[i] < 0 || !(speed[g] > 0)) return false;
    const push = (-this.#computeLimit(state, i, grip[g]) / speed[g]) * this.#computeAlong(state, i);
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
