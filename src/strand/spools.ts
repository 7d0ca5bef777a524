/**
 * Spools: ends of a strand from which material is paid out and onto which it is wound up. The first (or last) node of the
 * chain is then an E-node: x is held where the strand leaves the drum, u is the material that is just there. What lies
 * beyond it is stock, s metres wound on the drum; its L-nodes wait disabled and are not part of the chain.
 *
 *     ▒▒▒▒▒▒E───L───L───L        start: s = u − u_end, σ = +1          u_end  where the material ends, fastened to the drum
 *      stock                     end:   s = u_end − u, σ = −1          R, I   radius [m] and moment of inertia [kg m²] of the drum
 *
 * The stock is wound without stretch at one radius: the drum turns by du/R. It travels with x and turns with the drum,
 *     T = ½ (I/R² + ρA s) u̇² + ½ ρA s ‖ẋ‖²          V = −ρA s g·x
 * so that the rope keeps its mass and its speed where it leaves the drum, and neither a moving spool nor the height of the
 * origin shows in the forces. Lagrange's equations (the terms of c as in `curve/axial.ts`):
 *     u:  (I/R² + ρA s) ü + ½ ρA σ (u̇² − ‖ẋ‖²) − ρA σ g·x = Q          x:  ρA s ẍ + ρA σ u̇ ẋ − ρA s g = 0
 * The reaction of the axle to spinning up the drum is not passed on to a body that carries it.
 *
 * Drive. A speed w of u is commanded and kept while the torque that this takes is at most the brake's (a clutch); above it
 * the drum slips, and the brake's torque acts. No brake given: unlimited with a speed (a winch), zero without (a free drum).
 * Sticking is exact, as in `friction.ts`. u stops where the stock ends and where a node is met that cannot be wound up. What holds
 * it there is stop and brake, r = r_stop + r_brake; a clutch driven away from the stop slips with all of its torque, so that the drum
 * leaves when r is less than that. It leaves at the start of a step, by r and w of the one before.
 */
import type { Vec3 } from '../math/index.ts';
import {
  CANCEL_U,
  type EnergyTerms,
  NODE_EULERIAN,
  type Stage,
  type StateReader,
  type StateWriter,
} from '../model/index.ts';
import type { BlockBanded } from '../sparse/index.ts';
import type { StrandSpool } from './options.ts';
import type { StrandState } from './state.ts';

/** A drum stops this close to a node that cannot be wound up, relative to the spacing there. */
const JAM_GAP = 0.05;

/** A spool in action. */
export interface Spool extends StrandSpool {
  readonly label: number;
  /** +1 at the start of the strand, −1 at its end: the sign of ds/du. */
  readonly side: 1 | -1;
  /** u at the start of the run, and where the material ends [m]. */
  readonly uStart: number;
  readonly uEnd: number;
}

/** Material on the drum [m]. */
export function computeStock(strand: StrandState, spool: Spool): number {
  return spool.side * (strand.chain.q[4 * strand.indexOf(spool.label) + 3] - spool.uEnd);
}

/** What the drum adds to the inertia of u, stock included [kg]. */
export function computeSpoolInertia(strand: StrandState, spool: Spool): number {
  return spool.inertia / spool.radius ** 2 + strand.chain.material.linearDensity * computeStock(strand, spool);
}

export class StrandSpools {
  readonly #state: StrandState;
  readonly #gravity: Vec3;
  /** Speed of u that is commanded in this stage [m/s], and torque of the motor, + pays out [N m]; by spool. */
  readonly #command: Float64Array;
  readonly #torque: Float64Array;
  /** Length of the present stage [s]. */
  #h = 0;

  constructor(state: StrandState, gravity: Vec3) {
    this.#state = state;
    this.#gravity = gravity;
    this.#command = new Float64Array(state.spools.length);
    this.#torque = Float64Array.from(state.spools, ({ torque }) => torque?.valueAt(0) ?? 0);
  }

  /** Between two steps: drums stop where they meet a node that cannot be wound up, and come loose when pulled away. */
  adapt(): void {
    const { chain, jammed, reaction, slip, spools } = this.#state;
    for (let n = 0; n < spools.length; n++) {
      const spool = spools[n];
      const { label, side } = spool;
      const e = this.#state.indexOf(label);
      if (chain.kind[e] !== NODE_EULERIAN) continue;
      // the stop only pushes; of the force that holds u the brake bears its part, or draws away from the stop if driven so
      const away = this.#command[n] * jammed[label] < 0 ? -1 : 1;
      if (jammed[label] !== 0 && reaction[4 * label + 3] * jammed[label] > away * computeBrake(spool)) {
        slip[label] = -away * jammed[label];
        jammed[label] = 0;
      }
      const p = e + side;
      // material is wound up through a guide
      if (!chain.kept[p] || (chain.kind[p] === NODE_EULERIAN && chain.label[p] < this.#state.materialCount)) continue;
      const gap = Math.abs(chain.q[4 * p + 3] - chain.q[4 * e + 3]);
      const closing = (chain.v[4 * e + 3] - chain.v[4 * p + 3]) * side > 0;
      if (closing && gap < JAM_GAP * this.#state.spacing[chain.label[p]]) jammed[label] = side;
    }
  }

  /** What the drives ask for in this stage. The mean speed over it with a first-order step, so that lengths are exact. */
  beginStage(stage: Stage): void {
    const { spools, chain, jammed } = this.#state;
    this.#h = stage.h;
    for (let n = 0; n < spools.length; n++) {
      const { label, side, speed, torque } = spools[n];
      const from = stage.order === 1 ? stage.time - stage.h : stage.time;
      this.#command[n] = -side * (speed?.computeMean(from, stage.time) ?? 0);
      this.#torque[n] = torque?.valueAt(stage.time) ?? 0;
      if (chain.kind[this.#state.indexOf(label)] !== NODE_EULERIAN) continue;
      if (jammed[label] !== 0 && this.#sticks(n) && this.#command[n] * jammed[label] < 0) jammed[label] = 0;
      this.#hold(n);
    }
  }

  /** Holds u of a drum that is stopped or follows its drive. */
  #hold(n: number): void {
    const { chain, jammed } = this.#state;
    const { label, side, uEnd } = this.#state.spools[n];
    const at = 4 * this.#state.indexOf(label) + 3;
    if (jammed[label] !== 0) chain.target[at] = jammed[label] === side ? 0 : (uEnd - chain.qBase[at]) / this.#h;
    else if (this.#sticks(n)) chain.target[at] = this.#command[n];
    else {
      this.#state.release(label, CANCEL_U);
      return;
    }
    this.#state.hold(label, CANCEL_U);
  }

  #sticks(n: number): boolean {
    const brake = computeBrake(this.#state.spools[n]);
    return brake === Number.POSITIVE_INFINITY || (brake > 0 && this.#state.slip[this.#state.spools[n].label] === 0);
  }

  /** Adds inertia and weight of drums and stock, motors and slipping brakes to the system of a stage. */
  addSystem(matrix: BlockBanded, rhs: Float64Array): void {
    const { spools, chain, slip, jammed } = this.#state;
    const { q, v, vBase, material } = chain;
    const h = this.#h;
    const g = this.#gravity;
    const rhoA = material.linearDensity;
    const diag = matrix.bands[0];
    for (let n = 0; n < spools.length; n++) {
      const spool = spools[n];
      const { label, side, radius } = spool;
      const i = this.#state.indexOf(label);
      const at = 4 * i;
      const mass = rhoA * computeStock(this.#state, spool);
      const slides = chain.kind[i] === NODE_EULERIAN;
      const flow = slides ? rhoA * side * v[at + 3] : 0;
      for (let k = 0; k < 3; k++) {
        rhs[at + k] += mass * (vBase[at + k] - v[at + k] + h * g[k]) - h * flow * v[at + k];
        diag[16 * i + 5 * k] += mass;
      }
      if (!slides) continue;
      const inertia = computeSpoolInertia(this.#state, spool);
      const speed2 = v[at] ** 2 + v[at + 1] ** 2 + v[at + 2] ** 2;
      const height = g[0] * q[at] + g[1] * q[at + 1] + g[2] * q[at + 2];
      let force = rhoA * side * (0.5 * (speed2 - v[at + 3] ** 2) + height) - (side * this.#torque[n]) / radius;
      if (jammed[label] === 0 && !this.#sticks(n)) force -= slip[label] * computeBrake(spool);
      rhs[at + 3] += inertia * (vBase[at + 3] - v[at + 3]) + h * force;
      diag[16 * i + 15] += inertia;
    }
  }

  /** Checks what the drums did against what was assumed; true when a stage must be solved again. */
  revise(): boolean {
    const { spools, chain } = this.#state;
    let changed = false;
    for (let n = 0; n < spools.length; n++)
      if (chain.kind[this.#state.indexOf(spools[n].label)] === NODE_EULERIAN && this.#reviseSpool(n)) {
        this.#hold(n);
        changed = true;
      }
    return changed;
  }

  #reviseSpool(n: number): boolean {
    const { chain, jammed, slip, reaction, restLength } = this.#state;
    const spool = this.#state.spools[n];
    const { label, side } = spool;
    if (jammed[label] !== 0) return false;
    if (computeStock(this.#state, spool) < -1e-12 * restLength) {
      jammed[label] = -side;
      return true;
    }
    const brake = computeBrake(spool);
    if (brake === 0 || brake === Number.POSITIVE_INFINITY) return false;
    const pull = reaction[4 * label + 3];
    if (slip[label] === 0) {
      if (!(Math.abs(pull) > brake * (1 + 1e-9))) return false;
      // what holds u pushes against the motion that it prevents
      slip[label] = pull > 0 ? -1 : 1;
    } else {
      if (!((chain.v[4 * this.#state.indexOf(label) + 3] - this.#command[n]) * slip[label] < 0)) return false;
      slip[label] = 0;
    }
    return true;
  }

  /** Torque of drive and brake on the drum, + pays out [N m]; not what stops it at the end of its stock. */
  computeTorque(spool: Spool): number {
    const { jammed, reaction, slip, chain } = this.#state;
    const { label, side, radius } = spool;
    const n = this.#state.spools.indexOf(spool);
    const torque = this.#torque[n];
    if (chain.kind[this.#state.indexOf(label)] !== NODE_EULERIAN || jammed[label] !== 0) return torque;
    const force = this.#sticks(n) ? reaction[4 * label + 3] : -slip[label] * computeBrake(spool);
    return torque - side * radius * force;
  }

  writeState(writer: StateWriter): void {
    writer.array(this.#torque);
    writer.array(this.#command);
  }

  readState(reader: StateReader): void {
    reader.array(this.#torque);
    reader.array(this.#command);
  }
}

/** Largest force on u that holds the drum to its drive [N]. */
function computeBrake({ brake, speed, radius }: Spool): number {
  if (brake !== undefined) return brake / radius;
  return speed === undefined ? 0 : Number.POSITIVE_INFINITY;
}

/** Adds kinetic energy and weight of drums and stock. */
export function addSpoolEnergy(strand: StrandState, gravity: Vec3, terms: EnergyTerms): void {
  const { q, v, material } = strand.chain;
  for (const spool of strand.spools) {
    const at = 4 * strand.indexOf(spool.label);
    const mass = material.linearDensity * computeStock(strand, spool);
    terms.kinetic += 0.5 * computeSpoolInertia(strand, spool) * v[at + 3] ** 2;
    for (let k = 0; k < 3; k++) {
      terms.kinetic += 0.5 * mass * v[at + k] ** 2;
      terms.gravity -= mass * gravity[k] * q[at + k];
    }
  }
}
