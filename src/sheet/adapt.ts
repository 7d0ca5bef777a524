/**
 * When the mesh of a sheet changes, and what happens when a step must be taken again. A step asks for a new mesh where (thesis, ch. 5)
 *   1. edges of bodies went through it: E-vertices are wanted there
 *   2. E-vertices let go: pulled, off the end of their edge, in the Lagrangian zone
 *   3. material that slid made a triangle beside a crease too thin or too long
 */
import { NODE_LAGRANGIAN, type StateReader, type StateWriter } from '../model/index.ts';
import { SheetBorder } from './border.ts';
import { countRemeshing } from './coherence.ts';
import { SheetCreases } from './creases.ts';
import type { SheetHolds } from './holds.ts';
import type { SheetMesh } from './mesh.ts';
import { ZONE } from './polylines.ts';
import { remeshSheet } from './remesh.ts';
import type { Remesher } from './remesh-plan.ts';
import { type SheetState, STRIDE } from './state.ts';
import type { SheetTouch } from './touch.ts';

/** Altitude over h below which, and edge over h above which, a triangle beside a crease asks for a new mesh. */
const THIN = 0.3;
const LONG = 2.2;
/** Altitude over h that a step must leave, unless it was less before: then this share of that. */
const THINNEST = 0.08;
const SHRINK = 0.5;
/** How often a step is taken again with new E-vertices before it is accepted as it is. */
const MOST_RETRIES = 6;
/** New E-vertices are wanted no nearer than this share of h to others of the same edge. */
const NEAREST = 0.5;
/** How near others must be for a wanted place on the border, over h. */
const REACH = 1.6;
/** Steps in a row that an E-vertex must pull before it lets go: a slack sheet trembles. */
const PATIENCE = 3;

export interface AdaptationOptions {
  readonly remesher: Remesher;
  /** h: wanted distance of vertices in material space [m]. */
  readonly size: number;
}

/** What a roll-back needs of the state before a remeshing. */
export interface Snapshot {
  readonly mesh: SheetMesh;
  readonly arrays: Pick<
    SheetState,
    'q' | 'v' | 'kind' | 'siteBody' | 'siteEdge' | 'siteCorner' | 'label' | 'kept' | 'pointMass' | 'coherence'
  >;
  readonly nextLabel: number;
  readonly remeshings: number;
}

export class SheetAdaptation {
  readonly creases: SheetCreases;
  readonly size: number;
  /** Smallest angle after the last remeshing [rad]. */
  smallestAngle = 0;
  /** Steps accepted although an edge of a body was through the sheet. */
  fallbacks = 0;
  readonly #remesher: Remesher;
  #before: Snapshot | undefined;
  /** Steps in a row that E-vertices pulled, by label. */
  #pulls = new Map<number, number>();
  #found = false;
  #retries = 0;

  constructor(touch: SheetTouch, { remesher, size }: AdaptationOptions) {
    this.creases = new SheetCreases(touch);
    this.size = size;
    this.#remesher = remesher;
  }

  /** Before the first step: creases where the sheet starts bent round edges of bodies, exactly on them. True when there are any. */
  begin(state: SheetState): boolean {
    const { touch } = this.creases;
    touch.place(touch.start);
    touch.place(touch.now);
    state.beginStep();
    if (!this.creases.search(state, NEAREST * this.size)) return false;
    remeshSheet(state, this.creases, this.size, this.#remesher);
    this.creases.asks = [];
    for (let i = 0; i < state.count; i++) if (state.kind[i] !== NODE_LAGRANGIAN) this.creases.putOnSite(state, i);
    state.remeshings = 0;
    return true;
  }

  /** Before a step: a new mesh if one is needed; returns 1 when there is. */
  adapt(state: SheetState): number {
    this.#before = undefined;
    const leaving = this.#listLeaving(state);
    if (this.creases.asks.length === 0 && leaving.length === 0 && !this.#isStrained(state)) return 0;
    this.#before = takeSnapshot(state);
    copyKinds(state);
    for (const i of leaving) this.#makeLagrangian(state, i);
    const report = remeshSheet(state, this.creases, this.size, this.#remesher);
    state.coherence = countRemeshing(state.coherence, this.#before.arrays.label, state.label);
    this.smallestAngle = report.smallestAngle;
    return 1;
  }

  /** The velocity of the material at a vertex stays when it carries that again; the mesh is made anew in any case. */
  #makeLagrangian(state: SheetState, i: number): void {
    state.kind[i] = NODE_LAGRANGIAN;
    state.siteBody[i] = state.siteEdge[i] = state.siteCorner[i] = -1;
  }

  /** E-vertices that pulled, or ran off the end of their edge. */
  #listLeaving(state: SheetState): number[] {
    const leaving = new Set<number>();
    for (let i = 0; i < state.count; i++) {
      if (state.kind[i] === NODE_LAGRANGIAN) continue;
      if ((this.#pulls.get(state.label[i]) ?? 0) >= PATIENCE) leaving.add(i);
      if (state.siteEdge[i] < 0) continue;
      const along = this.creases.computeAlong(state, i, state.siteBody[i], state.siteEdge[i]);
      if (along < 0 || along > 1) leaving.add(i);
    }
    return [...leaving];
  }

  /** Whether a triangle at a crease is too thin or too long. */
  #isStrained(state: SheetState): boolean {
    const { mesh } = state;
    for (let t = 0; t < mesh.triangleCount; t++) {
      if (!slides(state, t)) continue;
      const { longest, altitude } = measure(state, t, state.q);
      if (altitude < THIN * this.size || longest > LONG * this.size) return true;
    }
    return false;
  }

  rollBack(state: SheetState, isAsLong: boolean): boolean {
    if (isAsLong) this.#retries++;
    else {
      this.creases.asks = [];
      this.#retries = 0;
    }
    this.#found = false;
    if (this.#before === undefined) return false;
    restoreSnapshot(state, this.#before);
    this.#before = undefined;
    return true;
  }

  /** Why a step cannot be accepted; asks for E-vertices where bodies went through. */
  findFault(state: SheetState): string | null {
    const { mesh } = state;
    for (let t = 0; t < mesh.triangleCount; t++)
      if (slides(state, t) && !(measure(state, t, state.q).altitude > this.#computeLeast(state, t)))
        return 'material ran past a vertex within one step';
    this.creases.touch.place(this.creases.touch.now);
    const before = this.creases.asks.length;
    this.creases.search(state, NEAREST * this.size);
    if (this.creases.asks.length > before) this.#dropZone(state);
    const isThrough = this.creases.asks.length > before;
    this.#found = isThrough && this.#retries < MOST_RETRIES;
    if (this.#found) return 'it went through an edge';
    if (isThrough) this.fallbacks++;
    return null;
  }

  /** Forgets wanted places in the Lagrangian zone: there the sheet leaves its edge as it is. On the border, those without others near. */
  #dropZone(state: SheetState): void {
    const border = new SheetBorder(state);
    const { asks } = this.creases;
    const isFar = asks.map(({ X, Y, isBorder }) => !isBorder && border.computeDistance(X, Y) >= ZONE * this.size);
    const hasNear = (X: number, Y: number): boolean => {
      const isNear = (x: number, y: number) => Math.hypot(x - X, y - Y) < REACH * this.size;
      if (asks.some((ask, k) => isFar[k] && isNear(ask.X, ask.Y))) return true;
      for (let i = 0; i < state.count; i++)
        if (state.kind[i] !== NODE_LAGRANGIAN && isNear(state.q[STRIDE * i + 3], state.q[STRIDE * i + 4])) return true;
      return false;
    };
    this.creases.asks = asks.filter(({ X, Y, isBorder }, k) => isFar[k] || (isBorder && hasNear(X, Y)));
  }

  /** Altitude that a triangle must have left after a step [m]. */
  #computeLeast(state: SheetState, t: number): number {
    return Math.min(THINNEST * this.size, SHRINK * measure(state, t, state.qStart).altitude);
  }

  get wantsRetry(): boolean {
    return this.#found;
  }

  /** Who pulled for how many steps decides who lets go. */
  writeState(writer: StateWriter): void {
    writer.array(Int32Array.from(this.#pulls.keys()));
    writer.array(Int32Array.from(this.#pulls.values()));
  }

  readState(reader: StateReader, vertexCount: number): void {
    const [labels, counts] = [new Int32Array(vertexCount), new Int32Array(vertexCount)];
    const length = reader.array(labels);
    reader.array(counts);
    this.#pulls = new Map(Array.from({ length }, (_, k) => [labels[k], counts[k]]));
    this.creases.asks = [];
    this.#before = undefined;
    this.#retries = 0;
  }

  endStep(state: SheetState, holds: SheetHolds): void {
    this.creases.asks = [];
    this.#retries = 0;
    this.#before = undefined;
    const before = this.#pulls;
    this.#pulls = new Map();
    for (let i = 0; i < state.count; i++)
      if (state.kind[i] !== NODE_LAGRANGIAN && this.creases.isPulled(state, holds, i))
        this.#pulls.set(state.label[i], (before.get(state.label[i]) ?? 0) + 1);
  }
}

function slides({ mesh, kind }: SheetState, t: number): boolean {
  for (let k = 0; k < 3; k++) if (kind[mesh.triangles[3 * t + k]] !== NODE_LAGRANGIAN) return true;
  return false;
}

/** Longest edge and smallest altitude of a triangle in material space [m]; the altitude is negative where it is inverted. */
function measure({ mesh }: SheetState, t: number, q: Float64Array): { longest: number; altitude: number } {
  const [a, b, c] = [0, 1, 2].map((k) => STRIDE * mesh.triangles[3 * t + k] + 3);
  const area2 = (q[b] - q[a]) * (q[c + 1] - q[a + 1]) - (q[b + 1] - q[a + 1]) * (q[c] - q[a]);
  const longest = Math.max(
    Math.hypot(q[b] - q[a], q[b + 1] - q[a + 1]),
    Math.hypot(q[c] - q[b], q[c + 1] - q[b + 1]),
    Math.hypot(q[a] - q[c], q[a + 1] - q[c + 1]),
  );
  return { longest, altitude: area2 / longest };
}

/** The present arrays; a remeshing puts others in their place. */
export function takeSnapshot(state: SheetState): Snapshot {
  const { mesh, q, v, kind, siteBody, siteEdge, siteCorner, label, kept, pointMass, coherence } = state;
  const { nextLabel, remeshings } = state;
  return {
    mesh,
    arrays: { q, v, kind, siteBody, siteEdge, siteCorner, label, kept, pointMass, coherence },
    nextLabel,
    remeshings,
  };
}

/** Own copies of what changes before the mesh does. */
function copyKinds(state: SheetState): void {
  state.kind = state.kind.slice();
  state.siteBody = state.siteBody.slice();
  state.siteEdge = state.siteEdge.slice();
  state.siteCorner = state.siteCorner.slice();
}

export function restoreSnapshot(state: SheetState, { mesh, arrays, nextLabel, remeshings }: Snapshot): void {
  state.setMesh(mesh);
  Object.assign(state, arrays);
  state.nextLabel = nextLabel;
  state.remeshings = remeshings;
  state.indexLabels();
  state.measureRest();
}
