/**
 * Sheets touch each other, themselves and bodies, and strands, rods and yarns touch sheets and each other: vertices on triangles and edges on edges, by rows
 * of the common system. Lines have points and edges alone.
 *
 *     n·Σ w_i ẋ_i ≥ (keep − n·Σ w_i x_i)/h         λ ≥ 0                     x_i, ẋ_i of the four points at the end of the stage
 *     t·Σ w_i ẋ_i = 0  unless  |λ| = μ N h          for two tangents t        N of the pass before
 *
 *   w     + for the vertex or the first edge, − for the other side: Σ w = 0, so momentum is kept; impulses act along the line between the
 *         closest points at the end of the predicted way, so angular momentum is to first order in h (friction acts at both middle
 *         surfaces, μ N times the thickness apart)
 *   keep  half of both thicknesses; less where they start nearer, so that they are brought apart slowly
 *
 * Rows are there before anything touches (the gap may close, not more), so that impacts are plastic and at the right place. After each
 * solve continuous detection over the whole step looks for what rows missed; the stage is solved again with rows for that (`revise`). A
 * step in which something comes nearer than a tenth of what it was apart is refused: nothing ever passes through. Edges of sheets are
 * looked after more lazily, at three quarters of the thickness: between flat sheets the vertices say it all.
 *
 * Friction is a box, its first side along the sliding; across it, what slides is turned by a drag. The velocity at E-vertices is that of
 * the place, not of the material in it.
 */
import type { Body } from '../bodies/index.ts';
import { type ContactPair, comesBefore, nameFeature, PairContacts, sideOf } from '../contact/index.ts';
import type { ConstraintRows, Coupling, ForceFrame, Stage, StateReader, StateWriter } from '../model/index.ts';
import type { Surface } from './surface.ts';
import { computePairReach } from './surface-pair.ts';
import { ALONG_SEPARATION, SurfaceSearch } from './surface-search.ts';

/** Share of the smaller of distance at the start and distance to keep: below it, a pair gets a row; below that, the step is refused. */
const HIT = 0.5;
const FAULT = 0.1;
/** Distance over that to keep at which a pair gets a row before it touches, relative to it. */
const AHEAD = 0.1;
/** Edges get rows before they touch where they are nearer than this, relative to the distance to keep. */
const NEAR_EDGES = 1.3;
/** Passes in which friction is taken from newer normal forces. */
const FRICTION_PASSES = 4;
/**
 * Distance from where a point was expected up to which the search before the step counts: relative to the largest reach, or to the
 * shortest mean edge of a sheet if that is more. Longer, and neighbours in the mesh would have to be watched.
 */
const SLACK = 2;
const EDGE_SLACK = 0.05;
/** Passes in which hits ask for another one, and how many rows one pair may get by them. */
const HIT_PASSES = 10;
const MOST_HITS = 4;

/** Which surfaces touch: vertices of the first on triangles of the second, edges on edges. */
export interface Meeting {
  readonly first: number;
  readonly second: number;
  readonly feet: boolean;
  readonly edges: boolean;
}

export class SurfaceContacts implements Coupling {
  readonly surfaces: readonly Surface[];
  readonly meetings: readonly Meeting[];
  readonly #search: SurfaceSearch;
  readonly #contacts: PairContacts;
  /** Where the points were expected at the end of the step, and how far from there the watched pairs are all that can hit [m]. */
  readonly #predicted: Float64Array[] = [];
  readonly #slack: number;
  #isFresh = true;
  #stageTime = Number.NaN;
  #passes = 0;
  #fault: string | null = null;

  constructor(surfaces: readonly Surface[]) {
    this.surfaces = surfaces;
    const edges = surfaces.flatMap(({ meanEdge }) => meanEdge ?? []);
    this.#slack = Math.max(SLACK * Math.max(...surfaces.map(({ reach }) => reach)), EDGE_SLACK * Math.min(...edges));
    this.#search = new SurfaceSearch(surfaces);
    this.#contacts = new PairContacts(surfaces, {
      computeReach: (pair) => computePairReach(surfaces, pair),
      computeFriction: ({ first, second }) => computeFriction(surfaces[first], surfaces[second]),
    });
    this.meetings = listMeetings(surfaces);
  }

  /** Pairs with rows, and those of them that push, in the last solve. */
  get count(): number {
    return this.#contacts.count;
  }

  get pushing(): number {
    return this.#contacts.pushing;
  }

  adapt(): void {}

  rollBack(): void {}

  beginStep(): void {
    for (const surface of this.surfaces) surface.beginStep();
    this.#isFresh = true;
    this.#stageTime = Number.NaN;
    this.#fault = null;
  }

  /** Looks for what may touch in the step. */
  #findNear(h: number): void {
    this.#contacts.clear();
    for (const surface of this.surfaces) surface.writePrediction(h);
    this.#search.update();
    this.#search.watch(this.#slack);
    for (let n = 0; n < this.surfaces.length; n++) this.#predicted[n] = this.surfaces[n].x1.slice();
    const isNear = (pair: ContactPair): boolean => pair.distance < NEAR_EDGES * computePairReach(this.surfaces, pair);
    const visit = (pair: ContactPair): void => this.#considerNear(pair);
    for (const { first, second, feet, edges } of this.meetings) {
      const margin = (1 + AHEAD) * (this.surfaces[first].reach + this.surfaces[second].reach);
      if (feet) this.#search.findFeet(first, second, margin, this.#computeSeparation, visit);
      if (edges) this.#search.findEdges(first, second, margin, isNear, this.#computeSeparation, visit);
    }
    this.#contacts.sort();
  }

  #considerNear(pair: ContactPair): void {
    if (pair.end >= (1 + AHEAD) * computePairReach(this.surfaces, pair)) return;
    const feature = nameFeature(this.surfaces, pair);
    const known = this.#contacts.find(feature);
    if (known === undefined) this.#contacts.add(pair, feature, feature);
    // whichever triangle the trees lead to first: a loaded world has other trees
    else if (comesBefore(pair, known.pair)) this.#contacts.set(known, pair);
  }

  /** Distance below which a pair gets a row for having been missed [m]. */
  readonly #computeSeparation = (pair: ContactPair): number =>
    HIT * Math.min(pair.distance, computePairReach(this.surfaces, pair));

  addRows(rows: ConstraintRows, stage: Stage): void {
    if (this.#isFresh) this.#findNear(stage.step);
    this.#isFresh = false;
    if (stage.time !== this.#stageTime) this.#passes = 0;
    this.#stageTime = stage.time;
    this.#contacts.addRows(rows, stage);
  }

  clearForces(): void {
    for (const surface of this.surfaces) surface.clearForces();
  }

  takeMultipliers(rows: ConstraintRows, stage: Stage): void {
    this.#contacts.takeMultipliers(rows, stage);
    for (const surface of this.surfaces) surface.finishForces();
  }

  revise(): boolean {
    this.#passes++;
    const isHit = this.#findHits();
    const isOther = this.#passes <= FRICTION_PASSES && this.#contacts.reviseFriction();
    return isHit || isOther;
  }

  /** Continuous detection over the step as it is now; true where it gave rows to what was missed. */
  #findHits(): boolean {
    for (const surface of this.surfaces) surface.writePresent();
    this.#fault = null;
    const before = this.#contacts.count;
    const visit = (pair: ContactPair): void => this.#addHit(pair);
    if (this.#isAsPredicted()) this.#search.checkWatched(this.#computeSeparation, visit);
    else this.#searchAll(visit);
    this.#contacts.sort(before);
    return this.#contacts.count > before;
  }

  #searchAll(visit: (pair: ContactPair) => void): void {
    this.#search.update();
    for (const { first, second, feet, edges } of this.meetings) {
      if (feet) this.#search.findFootHits(first, second, this.#computeSeparation, visit);
      if (edges) this.#search.findEdgeHits(first, second, this.#computeSeparation, visit);
    }
  }

  /** Whether all points ended where they were expected, but for the slack. */
  #isAsPredicted(): boolean {
    const square = this.#slack * this.#slack;
    for (let n = 0; n < this.surfaces.length; n++) {
      const { x1 } = this.surfaces[n];
      const x = this.#predicted[n];
      for (let k = 0; k < x.length; k += 3)
        if (!((x1[k] - x[k]) ** 2 + (x1[k + 1] - x[k + 1]) ** 2 + (x1[k + 2] - x[k + 2]) ** 2 <= square)) return false;
    }
    return true;
  }

  #addHit(pair: ContactPair): void {
    const isAcross = pair.gap !== pair.distance;
    const fault = (isAcross ? ALONG_SEPARATION : 1) * (FAULT / HIT) * this.#computeSeparation(pair);
    if (this.#search.comesNearer(fault)) this.#fault = this.#describeFault(pair);
    if (this.#passes > HIT_PASSES) return;
    const labels = Array.from(pair.points, (point, i) => this.surfaces[sideOf(pair, i)].labelOf(point));
    const name = `hit ${pair.first} ${pair.second} ${pair.isEdges ? 'edges' : 'foot'} ${labels.join('.')}`;
    // a second row across the sheet would be the same
    for (let n = 0; n < (isAcross ? 1 : MOST_HITS); n++) {
      if (this.#contacts.has(`${name} ${n}`)) continue;
      this.#contacts.add(pair, `${name} ${n}`, nameFeature(this.surfaces, pair));
      return;
    }
  }

  #describeFault({ first, second }: ContactPair): string {
    const [a, b] = [this.surfaces[first], this.surfaces[second]];
    return a === b ? `"${a.id}" passes through itself` : `"${a.id}" and "${b.id}" pass through each other`;
  }

  findFault(): string | null {
    return this.#fault;
  }

  wantsRetry(): boolean {
    return false;
  }

  endStep(): void {
    this.#contacts.remember();
  }

  /** Adds the force of sheets on a body to out[at…] [N]. */
  addForceOn(body: Body, out: Float64Array, at: number): void {
    const surface = this.surfaces.find((one) => one.body === body);
    if (surface?.force) for (let k = 0; k < 3; k++) out[at + k] += surface.force[k];
  }

  /** On sheets, at the closest points. */
  forces(): ForceFrame[] {
    return this.surfaces.flatMap(({ body, id }, n) => (body ? [] : this.#contacts.createForces(n, id)));
  }

  writeState(writer: StateWriter): void {
    this.#contacts.writeState(writer);
  }

  readState(reader: StateReader): void {
    this.#contacts.readState(reader);
  }
}

/** Vertices on faces of bodies that forces do not move are left to `touch.ts`. */
function listMeetings(surfaces: readonly Surface[]): Meeting[] {
  const meetings: Meeting[] = [];
  for (let first = 0; first < surfaces.length; first++)
    for (let second = 0; second < surfaces.length; second++) {
      const [a, b] = [surfaces[first], surfaces[second]];
      if (first === second ? a.touchesItself : a.meets(b))
        meetings.push({ first, second, feet: b.isMovable, edges: first <= second });
    }
  return meetings;
}

/** Of two sheets the geometric mean; of a body its own, or the sheet's where it has none. */
function computeFriction(a: Surface, b: Surface): number {
  if (a.body || b.body) return (a.body ? a : b).friction ?? (a.body ? b : a).friction ?? 0;
  return Math.sqrt((a.friction ?? 0) * (b.friction ?? 0));
}
