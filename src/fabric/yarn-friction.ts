/**
 * Friction between the yarns of all nodes that two share (`energy-friction.ts`). N is that of the last step.
 *     A += h² H,   r −= h ∇V
 */
import type { EnergyTerms } from '../model/index.ts';
import { computeFrictionEnergy, computeFrictionPull, dragAnchor } from './energy-friction.ts';
import { computeNodeMass } from './load.ts';
import { ROLE_BETWEEN, ROLE_CROSSING } from './net.ts';
import type { FabricStage, FabricSystem } from './stage.ts';
import type { FabricState } from './state.ts';
import type { Stencils } from './stencils.ts';

/** What friction can take of a slip within a step, times this: what slips further goes on. */
export const SURE = 2;
/** Way that friction sticks within, relative to the spacing of crossings. */
const STICK = 0.01;

export class YarnFriction {
  /** Friction of each node in the last system, along its slip: limit or 0, and stiffness. */
  readonly #assumed: Float64Array;

  constructor(state: FabricState) {
    this.#assumed = new Float64Array(2 * state.capacity);
  }

  addEnergy(state: FabricState, terms: EnergyTerms): void {
    const { count } = state;
    for (let i = 0; i < count; i++) {
      const limit = computeFrictionLimit(state, i);
      if (!(limit > 0)) continue;
      const k = computeFrictionStiffness(state, i, limit);
      terms.contact += computeFrictionEnergy(k, limit, computeSlip(state, i));
    }
  }

  /** At the iterate q̂ + h v, also in the first iteration: whether something slips is not seen at q̂. */
  add(state: FabricState, stencils: Stencils, stage: FabricStage, { rhs, values }: FabricSystem): void {
    const { q, v, anchor, count } = state;
    const { columnStart } = stencils.pattern;
    const { h } = stage;
    const ahead = stage.linearized ? h : 0;
    for (let i = 0; i < count; i++) {
      const limit = computeFrictionLimit(state, i);
      if (!(limit > 0)) continue;
      const k = computeFrictionStiffness(state, i, limit);
      const a = q[5 * i + 3] + ahead * v[5 * i + 3] - anchor[2 * i];
      const b = q[5 * i + 4] + ahead * v[5 * i + 4] - anchor[2 * i + 1];
      const s = Math.sqrt(a * a + b * b);
      const pull = computeFrictionPull(k, limit, s);
      rhs[5 * i + 3] -= h * pull * a;
      rhs[5 * i + 4] -= h * pull * b;
      if (values === null) continue;
      // what surely goes on slipping has stiffness only across its way; else the parabola above V: exact, Newton hops over the range that sticks
      const isSure = k * s > limit && s > (SURE * limit * h * h) / computeNodeMass(state, i);
      const less = isSure ? pull / (s * s) : 0;
      const D = 25 * columnStart[i];
      values[D + 18] += h * h * (pull - less * a * a);
      values[D + 19] -= h * h * less * a * b;
      values[D + 23] -= h * h * less * a * b;
      values[D + 24] += h * h * (pull - less * b * b);
      this.#assumed[2 * i] = isSure ? limit : 0;
      this.#assumed[2 * i + 1] = isSure ? 0 : pull;
    }
  }

  /** Whether friction between yarns came out so other than the last system had it that a node is off by more than `tolerance` [m]. */
  isOther(state: FabricState, h: number, tolerance: number): boolean {
    const { count } = state;
    const assumed = this.#assumed;
    for (let i = 0; i < count; i++) {
      const limit = computeFrictionLimit(state, i);
      if (!(limit > 0)) continue;
      const s = computeSlip(state, i);
      const force = Math.min(limit, computeFrictionStiffness(state, i, limit) * s);
      const off = Math.abs(force - assumed[2 * i] - assumed[2 * i + 1] * s);
      if (off > (tolerance * computeNodeMass(state, i)) / (h * h)) return true;
    }
    return false;
  }
}

/** Distance of a node's material coordinates from their anchors [m]. */
function computeSlip({ q, anchor }: FabricState, i: number): number {
  const a = q[5 * i + 3] - anchor[2 * i];
  const b = q[5 * i + 4] - anchor[2 * i + 1];
  return Math.sqrt(a * a + b * b);
}

/** μN of a node [N]; 0 where nothing rubs. */
export function computeFrictionLimit(state: FabricState, i: number): number {
  const { role, yarn, yarnLayer, layers, friction, load } = state;
  if (role[i] !== ROLE_CROSSING && role[i] !== ROLE_BETWEEN) return 0;
  const a = yarnLayer[yarn[2 * i]];
  const b = yarnLayer[yarn[2 * i + 1]];
  const N = role[i] === ROLE_CROSSING ? layers[a].preload + load[i] : load[i];
  return N > 0 ? friction[a * layers.length + b] * N : 0;
}

/**
 * k_f of a node whose limit is μN [N/m]: of two layers the softer, and so soft that it sticks within STICK of the spacing. Stiffer ones make friction a jump that
 * Newton's iterations hop over; the anchor keeps what sticks from creeping, however soft the spring.
 */
export function computeFrictionStiffness({ yarn, yarnLayer, layers }: FabricState, i: number, limit: number): number {
  const a = layers[yarnLayer[yarn[2 * i]]];
  const b = layers[yarnLayer[yarn[2 * i + 1]]];
  return Math.min(a.frictionStiffness, b.frictionStiffness, limit / (STICK * Math.min(a.spacing, b.spacing)));
}

/** Drags the anchors of all nodes so far that no spring pulls with more than its limit; where nothing rubs they follow. */
export function dragAnchors(state: FabricState): void {
  const { q, anchor, yarn, count } = state;
  for (let i = 0; i < count; i++) {
    if (yarn[2 * i + 1] < 0) continue;
    const limit = computeFrictionLimit(state, i);
    const reach = limit > 0 ? limit / computeFrictionStiffness(state, i, limit) : 0;
    const s = computeSlip(state, i);
    if (!(s > reach)) continue;
    for (let k = 0; k < 2; k++) {
      const u = q[5 * i + 3 + k];
      anchor[2 * i + k] = dragAnchor(u, anchor[2 * i + k], reach / s);
    }
  }
}
