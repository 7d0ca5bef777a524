/**
 * When the mesh of a sheet changes, and what happens when a step must be taken again. A step asks for a new mesh where [Piddington 2017, ch. 5]
 *   1. edges of bodies went through it: E-vertices are wanted there
 *   2. E-vertices ran off the end of their edge
 *   3. material that slid made a triangle beside a crease too thin or too long, and much more so than the last mesh had it
 * An E-vertex that has been lifted off its edge for some time and is clear of it carries its material for good; the mesh stays.
 */
import { computeHypot2 } from '../math/index.ts';
import { NODE_LAGRANGIAN, type StateReader, type StateWriter } from '../model/index.ts';
import { SheetBorder } from './border.ts';
import { ChordSearch } from './chord-search.ts';
import { countRemeshing } from './coherence.ts';
import type { CreaseAsk } from './crease-search.ts';
import { SheetCreases } from './creases.ts';
import type { SheetHolds } from './holds.ts';
import { SheetMeasure } from './measure.ts';
import type { SheetMesh } from './mesh.ts';
import { ZONE } from './polylines.ts';
import { hasNewPlaces, remeshSheet } from './remesh.ts';
import type { Remesher } from './remesh-plan.ts';
import { settleSheet } from './settle.ts';
import { cutAlongEdges } from './start-cut.ts';
import { type SheetState, STRIDE } from './state.ts';
import type { SheetSystem } from './system.ts';
import type { SheetTouch } from './touch.ts';
import { compareMeshes, findBefore } from './transfer-impulse.ts';

/** Altitude over h and sine of an angle below which, and edge over h above which, a triangle beside a crease asks for a new mesh. */
const THIN = 0.3;
const SHARP = 0.27;
/** Sine of an angle below which little change is enough to try again. */
const SHARPEST = 0.24;
const LONG = 2.2;
/** How much less it takes where the mesh changes anyway. */
const SOON = 1.4;
/** Altitude over h that a step must leave, unless it was less before: then this share of that. */
const THINNEST = 0.08;
const SHRINK = 0.5;
/** Sine of the smallest angle that a step must leave, unless it was hardly more before: then this share of that. */
const LEAST_SINE = 0.178;
const SHRINKS = 0.99;
/** A triangle that is sharper than this, over that sine, asks for a new mesh as soon as it has lost so much. */
const NEARLY = 1.03;
/** How often a step is taken again with new E-vertices before it is accepted as it is. */
const MOST_RETRIES = 6;
/** Failures, each made good by one sub-step, after which the sheet does without E-vertices for as many sub-steps: a logged fall-back. */
const MOST_FAILURES = 4;
const PAUSE = 10;
/** Steps after a refused mesh in which none is asked for: rows keep bodies out meanwhile (`chord-contacts.ts`). */
const REST = 4;
/** How near others must be for a wanted place on the border, over h. */
const REACH = 1.6;
/** Change of a triangle since the last remeshing below which another one would not help. */
const WORSE = 0.7;
/** Steps off its edge, and distance from it over h, after which an E-vertex carries its material for good. */
const PATIENCE = 4;
/** Steps that one which came back stays on its edge, whatever pulls. */
const STAY = 10;
const CLEAR = 0.1;
/** What a new mesh may add to the membrane energy: this share of it, this share of the kinetic energy, and what such a strain of the whole sheet has. */
const GAIN = 0.2;
const SHARE = 0.05;
const TRIFLE = 5e-4;
/** How much deeper in bodies it may be between its vertices than the mesh before it, over h; the second where material slid, as creases would be lost. */
const DEEPER = 0.03;
const DEEPER_SLID = 0.1;
/** And what such a strain has, at the start. */
const LEAST_TRIFLE = 2e-5;

export interface AdaptationOptions {
  readonly remesher: Remesher;
  /** h: wanted distance of vertices in material space [m]. */
  readonly size: number;
  readonly system: SheetSystem;
}

/** What a roll-back needs of the state before a remeshing. */
export interface Snapshot {
  readonly mesh: SheetMesh;
  readonly arrays: Pick<
    SheetState,
    | 'q'
    | 'v'
    | 'kind'
    | 'siteBody'
    | 'siteEdge'
    | 'siteCorner'
    | 'lifted'
    | 'pulled'
    | 'label'
    | 'kept'
    | 'pointMass'
    | 'coherence'
  >;
  readonly shapes: Float64Array;
  readonly nextLabel: number;
  readonly remeshings: number;
}

export class SheetAdaptation {
  readonly creases: SheetCreases;
  readonly chords: ChordSearch;
  readonly size: number;
  /** Steps accepted although an edge of a body was through the sheet, and pauses of all creases because steps failed with them. */
  fallbacks = 0;
  pauses = 0;
  readonly #measure = new SheetMeasure();
  readonly #remesher: Remesher;
  readonly #system: SheetSystem;
  #before: Snapshot | undefined;
  /** Smallest altitude and longest edge [m] and sine of the smallest angle of each triangle when the mesh was made. */
  shapes: Float64Array = new Float64Array(0);
  #found = false;
  /** Whether an edge of a body is through the sheet, in a step that may be accepted. */
  #isThrough = false;
  /** Whether nothing that was asked for could be had: it is finer than the mesh. */
  #isFutile = false;
  /** Whether the present step goes without a new mesh that was refused, and steps for which none is asked for after that. */
  #isRefused = false;
  #rest = 0;
  #retries = 0;
  #failures = 0;
  /** Sub-steps for which there are no creases. */
  #pause = 0;

  constructor(touch: SheetTouch, { remesher, size, system }: AdaptationOptions) {
    this.#system = system;
    this.creases = new SheetCreases(touch, size);
    this.chords = new ChordSearch(touch, this.creases.corners, size);
    this.size = size;
    this.#remesher = remesher;
  }

  /** Before the first step: creases where the sheet starts bent round edges of bodies, exactly on them. True when there are any. */
  begin(state: SheetState): boolean {
    const { touch } = this.creases;
    touch.place(touch.start);
    touch.place(touch.now);
    state.beginStep();
    if (!this.creases.search(state, this.size)) return false;
    const cut = cutAlongEdges(state, this.creases);
    remeshSheet(state, this.creases, this.size, this.#remesher, [], cut);
    for (let i = 0; i < state.count; i++) if (state.kind[i] !== NODE_LAGRANGIAN) this.creases.putOnSite(state, i);
    // where there is no crease, as beside the border, chords are left
    const { stretch } = this.#measure.computeMotion({ ...cut, material: state.material });
    const limit = stretch + computeTrifle(state, LEAST_TRIFLE);
    if (this.#measure.computeMotion(state).stretch > limit)
      settleSheet(state, this.#system, this.creases, limit, () => false);
    this.#noteShapes(state);
    this.creases.asks = [];
    state.remeshings = 0;
    return true;
  }

  /** Before a step of length h: a new mesh if one is needed; returns 1 when there is. */
  adapt(state: SheetState, h: number): number {
    this.#before = undefined;
    this.#isFutile = this.#isRefused = false;
    for (const label of this.creases.returns) state.lifted[state.indexOf(label)] = -STAY;
    this.creases.returns = [];
    this.creases.isPaused = this.#pause > 0;
    if (this.#pause > 0) {
      this.creases.asks = [];
      for (let i = 0; i < state.count; i++) if (state.isOnSite(i)) state.lifted[i] = 1;
      return 0;
    }
    const leaving = this.#listLeaving(state);
    const clear = this.#listClear(state);
    const strained = this.#listStrained(state, h, 1);
    const isWanted = this.creases.asks.length > 0 || leaving.length > 0 || strained.length > 0;
    if (!isWanted && clear.length === 0) return 0;
    this.#before = { ...takeSnapshot(state), shapes: this.shapes };
    copyKinds(state);
    for (const i of [...leaving, ...clear]) this.#makeLagrangian(state, i);
    if (!isWanted) return 1;
    // with them those that would ask next
    const soon = this.#listStrained(state, h, SOON);
    const troubled = [...leaving, ...soon.flatMap((t) => [...state.mesh.triangles.subarray(3 * t, 3 * t + 3)])];
    const limit = this.#computeLimit(state);
    const sharpest = findSharpest(state);
    const deepest = this.chords.computeDepth(state);
    const added = remeshSheet(state, this.creases, this.size, this.#remesher, troubled);
    let after = this.#measure.computeMotion(state).stretch;
    if (after > limit) {
      const old = new Set(this.#before.arrays.label);
      after = settleSheet(state, this.#system, this.creases, limit, (i) => old.has(state.label[i]));
    }
    const sine = findSharpest(state);
    const most = (strained.length === 0 ? DEEPER : DEEPER_SLID) * this.size;
    const isDeeper = this.chords.computeDepth(state) > deepest + most;
    if (after > limit || (sine < LEAST_SINE && sine < sharpest) || isDeeper) {
      this.#refuse(state, [...leaving, ...clear], strained);
      return 1;
    }
    this.#noteShapes(state);
    this.#isFutile = this.creases.asks.length > 0 && added === 0;
    state.coherence = countRemeshing(state.coherence, this.#before.arrays.label, state.label);
    return 1;
  }

  /** Membrane energy that a new mesh may have [J]: hardly more than now. */
  #computeLimit(state: SheetState): number {
    const { stretch, kinetic } = this.#measure.computeMotion(state);
    return (1 + GAIN) * stretch + SHARE * kinetic + computeTrifle(state, TRIFLE);
  }

  /** The mesh stays: what was asked for is finer than it can bend. Where creases squeeze triangles, they carry their material. */
  #refuse(state: SheetState, gone: readonly number[], strained: readonly number[]): void {
    restoreSnapshot(state, this.#before!);
    copyKinds(state);
    this.#isFutile = true;
    this.#isRefused = true;
    for (const i of gone) this.#makeLagrangian(state, i);
    for (const t of strained)
      for (const i of state.mesh.triangles.subarray(3 * t, 3 * t + 3))
        if (state.kind[i] !== NODE_LAGRANGIAN) this.#makeLagrangian(state, i);
    for (let i = 0; i < state.count; i++) if (state.kind[i] === NODE_LAGRANGIAN) stopSliding(state, i);
  }

  /** Its velocity becomes that of the material with the new mesh (`takeMesh`), or by `stopSliding` where the mesh stays. */
  #makeLagrangian(state: SheetState, i: number): void {
    state.kind[i] = NODE_LAGRANGIAN;
    state.siteBody[i] = state.siteEdge[i] = state.siteCorner[i] = -1;
    state.lifted[i] = 0;
  }

  /** E-vertices that ran off the end of their edge. */
  #listLeaving(state: SheetState): number[] {
    const leaving: number[] = [];
    for (let i = 0; i < state.count; i++) {
      if (!state.isOnSite(i) || state.siteEdge[i] < 0) continue;
      const along = this.creases.computeAlong(state, i, state.siteBody[i], state.siteEdge[i]);
      if (along < 0 || along > 1) leaving.push(i);
    }
    return leaving;
  }

  /** E-vertices that are clear of their edge. */
  #listClear(state: SheetState): number[] {
    const clear: number[] = [];
    for (let i = 0; i < state.count; i++)
      if (state.siteBody[i] >= 0 && state.lifted[i] > PATIENCE && this.creases.computeOff(state, i) > CLEAR * this.size)
        clear.push(i);
    return clear;
  }

  #noteShapes(state: SheetState): void {
    this.shapes = new Float64Array(3 * state.mesh.triangleCount);
    for (let t = 0; t < state.mesh.triangleCount; t++) {
      const { longest, altitude, sine } = measure(state, t, state.q);
      this.shapes[3 * t] = altitude;
      this.shapes[3 * t + 1] = longest;
      this.shapes[3 * t + 2] = sine;
    }
  }

  /** After a change that left triangles as they were: these keep the shape that they began with. */
  carryShapes(state: SheetState, old: Pick<SheetState, 'mesh' | 'label'>): void {
    const before = this.shapes;
    this.#noteShapes(state);
    const { same } = compareMeshes(old.mesh, state.mesh, findBefore(old.label, state.label));
    same.forEach((from, t) => {
      if (from >= 0) this.shapes.set(before.subarray(3 * from, 3 * from + 3), 3 * t);
    });
  }

  /** Triangles at creases that are too thin or too long, by a factor `ease` less, or that a step of length h as it is going would squeeze. */
  #listStrained(state: SheetState, h: number, ease: number): number[] {
    const { mesh } = state;
    const strained: number[] = [];
    let next: Float64Array | undefined;
    for (let t = 0; t < mesh.triangleCount; t++) {
      if (!slides(state, t)) continue;
      const { longest, altitude, sine } = measure(state, t, state.q);
      const isThin = altitude < ease * THIN * this.size && altitude < WORSE * ease * this.shapes[3 * t];
      const isLong = ease * longest > LONG * this.size && this.shapes[3 * t + 1] < WORSE * ease * longest;
      const wasSharp = this.shapes[3 * t + 2];
      const isSharp =
        (sine < ease * SHARP && sine < Math.max(WORSE * ease * wasSharp, Math.min(0.9 * wasSharp, SHARPEST))) ||
        (sine < NEARLY * LEAST_SINE && sine < SHRINKS * wasSharp);
      next ??= state.q.map((value, k) => value + h * state.v[k]);
      if (isThin || isLong || isSharp || this.#willBeSqueezed(state, t, next)) strained.push(t);
    }
    return strained;
  }

  rollBack(state: SheetState, isAsLong: boolean): boolean {
    if (isAsLong) this.#retries++;
    else {
      this.creases.asks = [];
      this.creases.returns = [];
      this.#retries = 0;
      this.#failures++;
      if (this.#failures > MOST_FAILURES && this.#pause === 0) {
        this.#pause = PAUSE;
        this.#failures = 0;
        this.pauses++;
      }
    }
    this.#found = this.#isThrough = false;
    if (this.#before === undefined) return false;
    restoreSnapshot(state, this.#before);
    this.shapes = this.#before.shapes;
    this.#before = undefined;
    return true;
  }

  /** Why a step cannot be accepted; asks for E-vertices where bodies went through. */
  findFault(state: SheetState): string | null {
    const { mesh } = state;
    for (let t = 0; t < mesh.triangleCount; t++)
      if (slides(state, t) && this.#isSqueezed(state, t)) return 'material passed a vertex within one step';
    if (this.#pause > 0) return null;
    this.creases.touch.place(this.creases.touch.now);
    const known = this.creases.asks;
    this.creases.asks = known.slice();
    this.creases.search(state, this.size);
    const found = this.#dropZone(state, this.creases.asks.slice(known.length));
    this.creases.asks = [...known, ...found];
    const isThrough = found.length > 0 || this.creases.returns.length > 0;
    this.creases.returns = this.creases.returns.filter((label) =>
      this.creases.isNear(state, state.indexOf(label), this.size),
    );
    this.#found =
      isThrough &&
      this.#retries < MOST_RETRIES &&
      !this.#isFutile &&
      this.#rest === 0 &&
      (this.creases.returns.length > 0 || hasNewPlaces(state, this.creases, this.size, found));
    if (this.#found) return 'it passed through an edge';
    this.#isThrough = isThrough;
    return null;
  }

  /** Whether a new mesh, or a vertex that comes back, would help with what bodies are through now; nothing changes. */
  canHelp(state: SheetState): boolean {
    if (this.#pause > 0 || this.#rest > 0 || this.#isFutile || this.#retries >= MOST_RETRIES) return false;
    const { asks, returns } = this.creases;
    this.creases.asks = asks.slice();
    this.creases.returns = returns.slice();
    this.creases.search(state, this.size);
    const found = this.#dropZone(state, this.creases.asks.slice(asks.length));
    const isHelp =
      this.creases.returns.length > 0 || (found.length > 0 && hasNewPlaces(state, this.creases, this.size, found));
    this.creases.asks = asks;
    this.creases.returns = returns;
    return isHelp;
  }

  /**
   * Of wanted places that were found now, those outside the Lagrangian zone, in which the sheet leaves its edge as it is, and those on
   * the border that have others near.
   */
  #dropZone(state: SheetState, found: readonly CreaseAsk[]): CreaseAsk[] {
    if (found.length === 0) return [];
    const border = new SheetBorder(state);
    const { asks } = this.creases;
    const isFar = asks.map(({ X, Y, isBorder }) => !isBorder && !border.isWithin(X, Y, ZONE * this.size));
    const hasNear = (X: number, Y: number): boolean => {
      const isNear = (x: number, y: number) => computeHypot2(x - X, y - Y) < REACH * this.size;
      if (asks.some((ask, k) => isFar[k] && isNear(ask.X, ask.Y))) return true;
      for (let i = 0; i < state.count; i++)
        if (state.kind[i] !== NODE_LAGRANGIAN && isNear(state.q[STRIDE * i + 3], state.q[STRIDE * i + 4])) return true;
      return false;
    };
    const first = asks.length - found.length;
    return found.filter(({ X, Y, isBorder }, k) => isFar[first + k] || (isBorder && hasNear(X, Y)));
  }

  /** Whether a step that ends with the material at `next` would squeeze a triangle, which another mesh would have otherwise. */
  #willBeSqueezed(state: SheetState, t: number, next: Float64Array): boolean {
    const { altitude, sine } = measure(state, t, next);
    return (
      (altitude < THINNEST * this.size && altitude < WORSE * this.shapes[3 * t]) ||
      (sine < NEARLY * LEAST_SINE && sine < WORSE * this.shapes[3 * t + 2])
    );
  }

  /** Whether a step left too little of a triangle's altitude, or made its smallest angle too small. */
  #isSqueezed(state: SheetState, t: number): boolean {
    const { altitude, sine } = measure(state, t, state.q);
    if (altitude > THINNEST * this.size && sine > LEAST_SINE) return false;
    const start = measure(state, t, state.qStart);
    return (
      !(altitude > Math.min(THINNEST * this.size, SHRINK * start.altitude)) ||
      (sine < LEAST_SINE && sine < SHRINKS * start.sine)
    );
  }

  get wantsRetry(): boolean {
    return this.#found;
  }

  /** The shapes of triangles when the mesh was made decide when the next one is. */
  writeState(writer: StateWriter): void {
    writer.number(this.#failures);
    writer.number(this.#pause);
    writer.number(this.#rest);
    writer.number(this.fallbacks);
    writer.number(this.pauses);
    writer.array(this.shapes);
  }

  readState(reader: StateReader, triangleCount: number): void {
    this.#failures = reader.number();
    this.#pause = reader.number();
    this.#rest = reader.number();
    this.fallbacks = reader.number();
    this.pauses = reader.number();
    this.#isThrough = false;
    const shapes = new Float64Array(3 * triangleCount);
    this.shapes = shapes.slice(0, reader.array(shapes));
    this.creases.asks = [];
    this.creases.returns = [];
    this.#before = undefined;
    this.#retries = 0;
  }

  endStep(state: SheetState, holds: SheetHolds): void {
    const { lifted, pulled, count } = state;
    if (this.#isThrough) this.fallbacks++;
    this.#isThrough = false;
    this.#failures = Math.max(0, this.#failures - 1);
    this.#pause = Math.max(0, this.#pause - 1);
    this.#rest = this.#isRefused ? REST : Math.max(0, this.#rest - 1);
    this.creases.asks = [];
    this.creases.returns = [];
    this.#retries = 0;
    this.#before = undefined;
    for (let i = 0; i < count; i++) {
      // those still on their way must not end inside
      if (state.isOnSite(i)) this.creases.seat(state, i, this.size);
      const isPulled = state.isOnSite(i) && (pulled[i] < 0 || this.creases.isPulled(state, holds, i));
      pulled[i] = isPulled ? Math.min(100, pulled[i] + 1) : 0;
      if (lifted[i] !== 0) lifted[i] = Math.min(100, lifted[i] + 1);
    }
  }
}

/** Membrane energy of the whole sheet at a strain [J]. */
function computeTrifle({ area, material }: SheetState, strain: number): number {
  const total = area.reduce((sum, one) => sum + one, 0);
  return 0.5 * Math.max(material.membrane[0], material.membrane[1]) * total * strain * strain;
}

/** The velocity of the material at vertex i becomes its own:  ẋ ← ẋ − F Ẋ, F the mean of its triangles. */
function stopSliding({ q, v, mesh, area, gradients }: SheetState, i: number): void {
  const [rx, ry] = [v[STRIDE * i + 3], v[STRIDE * i + 4]];
  if (rx === 0 && ry === 0) return;
  const carried = [0, 0, 0];
  let total = 0;
  for (let t = 0; t < mesh.triangleCount; t++) {
    const corners = mesh.triangles.subarray(3 * t, 3 * t + 3);
    if (!corners.includes(i)) continue;
    total += area[t];
    for (let n = 0; n < 3; n++) {
      const along = area[t] * (gradients[6 * t + 2 * n] * rx + gradients[6 * t + 2 * n + 1] * ry);
      for (let k = 0; k < 3; k++) carried[k] += along * q[STRIDE * corners[n] + k];
    }
  }
  for (let k = 0; k < 3; k++) v[STRIDE * i + k] -= carried[k] / total;
  v[STRIDE * i + 3] = v[STRIDE * i + 4] = 0;
}

function slides({ mesh, kind }: SheetState, t: number): boolean {
  for (let k = 0; k < 3; k++) if (kind[mesh.triangles[3 * t + k]] !== NODE_LAGRANGIAN) return true;
  return false;
}

interface TriangleShape {
  readonly longest: number;
  readonly altitude: number;
  readonly sine: number;
}

/**
 * Longest edge and smallest altitude of a triangle in material space [m], and the sine of its smallest angle; altitude and sine are
 * negative where it is inverted.
 */
function measure({ mesh }: SheetState, t: number, q: Float64Array): TriangleShape {
  const a = STRIDE * mesh.triangles[3 * t] + 3;
  const b = STRIDE * mesh.triangles[3 * t + 1] + 3;
  const c = STRIDE * mesh.triangles[3 * t + 2] + 3;
  const area2 = (q[b] - q[a]) * (q[c + 1] - q[a + 1]) - (q[b + 1] - q[a + 1]) * (q[c] - q[a]);
  const ab = Math.sqrt((q[b] - q[a]) ** 2 + (q[b + 1] - q[a + 1]) ** 2);
  const bc = Math.sqrt((q[c] - q[b]) ** 2 + (q[c + 1] - q[b + 1]) ** 2);
  const ca = Math.sqrt((q[a] - q[c]) ** 2 + (q[a + 1] - q[c + 1]) ** 2);
  const longest = Math.max(ab, bc, ca);
  const middle = ab + bc + ca - longest - Math.min(ab, bc, ca);
  return { longest, altitude: area2 / longest, sine: area2 / (longest * middle) };
}

/** Sine of the smallest angle of all triangles in material space. */
function findSharpest(state: SheetState): number {
  let smallest = 1;
  for (let t = 0; t < state.mesh.triangleCount; t++) smallest = Math.min(smallest, measure(state, t, state.q).sine);
  return smallest;
}

/** The present arrays; a remeshing puts others in their place. */
export function takeSnapshot(state: SheetState): Omit<Snapshot, 'shapes'> {
  const { mesh, q, v, kind, siteBody, siteEdge, siteCorner, lifted, pulled, label, kept, pointMass, coherence } = state;
  const { nextLabel, remeshings } = state;
  return {
    mesh,
    arrays: { q, v, kind, siteBody, siteEdge, siteCorner, lifted, pulled, label, kept, pointMass, coherence },
    nextLabel,
    remeshings,
  };
}

/** Own copies of what changes before the mesh does, or with it staying. */
function copyKinds(state: SheetState): void {
  state.q = state.q.slice();
  state.v = state.v.slice();
  state.kind = state.kind.slice();
  state.siteBody = state.siteBody.slice();
  state.siteEdge = state.siteEdge.slice();
  state.siteCorner = state.siteCorner.slice();
  state.lifted = state.lifted.slice();
}

export function restoreSnapshot(state: SheetState, { mesh, arrays, nextLabel, remeshings }: Snapshot): void {
  state.setMesh(mesh);
  Object.assign(state, arrays);
  state.nextLabel = nextLabel;
  state.remeshings = remeshings;
  state.indexLabels();
  state.measureRest();
}
