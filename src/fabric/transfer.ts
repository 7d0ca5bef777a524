/**
 * Momentum across a change of the discretisation: sides that become EIL, nodes that come and go. Every EoL side has its share of the momentum of its yarn,
 *     p_a = ρ Δu/6 (2 w_a + w_b),   p_b = ρ Δu/6 (w_a + 2 w_b),   w = ẋ − F u̇        linear momentum Σ p, angular Σ x × p
 * What p of a side before and after differs by is an impulse on it; that of a side that has gone is shared by the sides around it, by material distance, and what one that has
 * come has got beside is taken from the nearest that stayed. Each node that stayed takes its impulse by a change of ẋ over its mass, lumped: Σ p is kept to rounding.
 */
import { type FabricState, ROLE_FREE } from './state.ts';

export class MomentumTransfer {
  /** EoL sides as they were, with their u and p. */
  readonly #eolStart: Int32Array;
  readonly #eol: Int32Array;
  readonly #u: Float64Array;
  readonly #was: Float64Array;
  /** By place among the EoL sides now: impulse, and by side: its place then and now. */
  readonly #impulse: Float64Array;
  readonly #placeThen: Int32Array;
  readonly #placeNow: Int32Array;
  readonly #byNode: Float64Array;

  constructor({ capacity, yarnCount }: FabricState) {
    this.#eolStart = new Int32Array(yarnCount + 1);
    this.#eol = new Int32Array(2 * capacity);
    this.#u = new Float64Array(2 * capacity);
    this.#was = new Float64Array(6 * capacity);
    this.#impulse = new Float64Array(6 * capacity);
    this.#placeThen = new Int32Array(2 * capacity);
    this.#placeNow = new Int32Array(2 * capacity);
    this.#byNode = new Float64Array(3 * capacity);
  }

  /** Keeps the sides and their momenta, before they change. */
  remember(state: FabricState): void {
    const { q, eolStart, eol, yarnCount } = state;
    const count = eolStart[yarnCount];
    this.#eolStart.set(eolStart);
    this.#eol.set(eol.subarray(0, count));
    for (let k = 0; k < count; k++) {
      this.#u[k] = q[state.materialIndex(eol[k])];
      this.#placeThen[eol[k]] = k;
    }
    writeMomenta(state, this.#was);
  }

  /** Gives the momentum that there was to the sides that there are. */
  apply(state: FabricState): void {
    const { v, role, eolStart, eol, yarnCount, count } = state;
    const [impulse, byNode] = [this.#impulse, this.#byNode];
    for (let k = 0; k < eolStart[yarnCount]; k++) this.#placeNow[eol[k]] = k;
    writeMomenta(state, impulse);
    byNode.fill(0, 0, 3 * count);
    for (let y = 0; y < yarnCount; y++) {
      if (this.#isSame(state, y)) continue;
      const [first, end] = [eolStart[y], eolStart[y + 1]];
      for (let k = 3 * first; k < 3 * end; k++) impulse[k] = -impulse[k];
      this.#giveOld(state, y);
      for (let k = first; k < end; k++) if (!this.#wasThere(y, eol[k])) this.#passOn(state, y, k);
      for (let k = first; k < end; k++) for (let c = 0; c < 3; c++) byNode[3 * (eol[k] >> 1) + c] += impulse[3 * k + c];
    }
    for (let i = 0; i < count; i++) {
      if (role[i] === ROLE_FREE) continue;
      if (byNode[3 * i] === 0 && byNode[3 * i + 1] === 0 && byNode[3 * i + 2] === 0) continue;
      const mass = computeLumpedMass(state, i);
      if (mass > 0) for (let c = 0; c < 3; c++) v[5 * i + c] += byNode[3 * i + c] / mass;
    }
  }

  #isSame({ eolStart, eol }: FabricState, y: number): boolean {
    const [first, then] = [eolStart[y], this.#eolStart[y]];
    const length = eolStart[y + 1] - first;
    if (length !== this.#eolStart[y + 1] - then) return false;
    for (let k = 0; k < length; k++) if (eol[first + k] !== this.#eol[then + k]) return false;
    return true;
  }

  #wasThere(y: number, s: number): boolean {
    const k = this.#placeThen[s];
    return k >= this.#eolStart[y] && k < this.#eolStart[y + 1] && this.#eol[k] === s;
  }

  /** What the sides of a yarn had goes to themselves, or to those around where they were. */
  #giveOld(state: FabricState, y: number): void {
    const { q, eolStart, eol } = state;
    const [first, end] = [eolStart[y], eolStart[y + 1]];
    let after = first;
    for (let j = this.#eolStart[y]; j < this.#eolStart[y + 1]; j++) {
      const now = this.#placeNow[this.#eol[j]];
      if (now >= first && now < end && eol[now] === this.#eol[j]) this.#add(now, 1, this.#was, j);
      else {
        while (after < end && q[state.materialIndex(eol[after])] < this.#u[j]) after++;
        this.#share(state, after - 1, after, first, end, this.#u[j], this.#was, j);
      }
    }
  }

  /** What a side that has come got or took goes to the nearest that stayed. */
  #passOn(state: FabricState, y: number, k: number): void {
    const { q, eolStart, eol } = state;
    const [first, end] = [eolStart[y], eolStart[y + 1]];
    let [a, c] = [k - 1, k + 1];
    while (a >= first && !this.#wasThere(y, eol[a])) a--;
    while (c < end && !this.#wasThere(y, eol[c])) c++;
    if (a < first && c === end) return;
    const impulse = this.#impulse;
    this.#share(state, a, c, first, end, q[state.materialIndex(eol[k])], impulse, k);
    impulse.fill(0, 3 * k, 3 * k + 3);
  }

  /** Shares from[3j…] between the sides at places a and c, by the distance of u to theirs; all to one where the other is off the yarn. */
  #share(
    state: FabricState,
    a: number,
    c: number,
    first: number,
    end: number,
    u: number,
    from: Float64Array,
    j: number,
  ): void {
    const { q, eol } = state;
    let share = c < end ? 1 : 0;
    if (a >= first && c < end) {
      const [ua, uc] = [q[state.materialIndex(eol[a])], q[state.materialIndex(eol[c])]];
      share = uc > ua ? Math.min(1, Math.max(0, (u - ua) / (uc - ua))) : 0.5;
    }
    if (share < 1) this.#add(a, 1 - share, from, j);
    if (share > 0) this.#add(c, share, from, j);
  }

  #add(k: number, scale: number, from: Float64Array, j: number): void {
    for (let c = 0; c < 3; c++) this.#impulse[3 * k + c] += scale * from[3 * j + c];
  }
}

/** out[3k…] := p of the EoL side at place k. */
function writeMomenta(state: FabricState, out: Float64Array): void {
  const { q, v, eolStart, eol, yarnCount } = state;
  out.fill(0, 0, 3 * eolStart[yarnCount]);
  for (let y = 0; y < yarnCount; y++) {
    const density = state.materialOf(y).linearDensity;
    for (let k = eolStart[y]; k + 1 < eolStart[y + 1]; k++) {
      const [s, t] = [eol[k], eol[k + 1]];
      const i = 5 * (s >> 1);
      const j = 5 * (t >> 1);
      const iu = i + 3 + (s & 1);
      const ju = j + 3 + (t & 1);
      const du = q[ju] - q[iu];
      const m = (density * du) / 6;
      for (let c = 0; c < 3; c++) {
        const F = (q[j + c] - q[i + c]) / du;
        const a = v[i + c] - F * v[iu];
        const b = v[j + c] - F * v[ju];
        out[3 * k + c] += m * (2 * a + b);
        out[3 * k + 3 + c] += m * (a + 2 * b);
      }
    }
  }
}

/** Half the mass of all segments beside a node [kg]. */
function computeLumpedMass(state: FabricState, i: number): number {
  const { q, yarn, eil, before, after } = state;
  let mass = 0;
  for (let s = 2 * i; s < 2 * i + 2; s++) {
    if (yarn[s] < 0 || eil[s]) continue;
    const u = q[state.materialIndex(s)];
    const from = before[s] >= 0 ? q[state.materialIndex(before[s])] : u;
    const to = after[s] >= 0 ? q[state.materialIndex(after[s])] : u;
    mass += 0.5 * state.materialOf(yarn[s]).linearDensity * (to - from);
  }
  return mass;
}
