/**
 * Bodies keep out of a sheet between its vertices, too, where no E-vertices see to that: at short edges, such as rims of cylinders,
 * beside the border of the sheet, and where a new mesh was refused. What is straight in the mesh (`chord-search.ts`) gets a row
 *
 *     n·Σ w_i ẋ_i ≥ (keep − n·(Σ w_i x_i − foot))/h        λ ≥ 0, and two for friction while it pushes (`contact/pair-contact.ts`)
 *
 *   keep   0; where it starts inside, less by what it recovers in a step
 *
 * Rows come only where a solve ended with the mesh in a body, and stay while they push. At long edges creases come first: rows are put
 * there only where a new mesh does not help. From time to time rows at long edges go, so that creases are asked for again.
 */
import { type ContactMemory, createContactPair, ForceList, PairContact } from '../contact/index.ts';
import type { ConstraintRows, Coupling, ForceFrame, Stage, StateReader, StateWriter } from '../model/index.ts';
import { type ChordName, type ChordSearch, createChordPlace } from './chord-search.ts';
import { ChordFeet, ChordSheet } from './chord-sides.ts';
import { STRIDE } from './state.ts';
import type { Sheet } from './step.ts';

/** Depth that is let be, and gap up to which a row stays though it does not push, over h. */
const THROUGH = 2e-4;
const NEAR = 0.02;
/** Share of its depth, and of h at most, by which a chord comes out in a step of the world. */
const RECOVERY = 0.25;
const MOST_RECOVERY = 0.01;
/** How much deeper than it is a chord may start along the normal of its end, over h. */
const ASTRAY = 0.05;
/** Weight of what can move of a chord below which it gets no row. */
const LEAST_FREE = 0.01;
/** Passes of a stage in which rows come or turn, and in which friction is taken anew. */
const MOST_PASSES = 6;
const FRICTION_PASSES = 3;
/** Change of a normal force, relative to the largest, that friction is taken anew for. */
const SAME_FORCE = 0.05;
/** Steps after which rows at long edges of bodies go, for creases. */
const AGAIN = 16;
/** Share of the world's step below which rows do not come at long edges, as while creases pause: they are not to hold on to what made steps fail. */
const BRIEF = 0.2;
/**
 * Failures of steps no longer than this share of the world's, each made good by one sub-step, after which there are no rows for as
 * many sub-steps.
 */
const SHORTEST = 1 / 8;
const MOST_FAILURES = 4;
const PAUSE = 10;

/** What a new row is taken to do: push, with a force that is not known yet. */
const PUSHING: ContactMemory = [0, 0, 0, 0, 0, 0, 0];

interface Chord extends ChordName {
  readonly contact: PairContact;
  vertices: readonly number[];
  /** Whether it is near enough for rows, and has them in the present pass. */
  isOn: boolean;
  hasRows: boolean;
  /** Gap to have at the end, and at the start along the present normal [m]. */
  keep: number;
  gap: number;
  isLong: boolean;
}

export class ChordContacts implements Coupling {
  readonly sheet: Sheet;
  readonly #search: ChordSearch;
  readonly #vertices: ChordSheet;
  readonly #feet: ChordFeet;
  readonly #sides: readonly [ChordSheet, ChordFeet];
  /** What has rows, by key; what it did in the last step; the same at the start of the step. */
  readonly #chords = new Map<string, Chord>();
  #memory = new Map<string, ContactMemory>();
  #names = new Map<string, ChordName>();
  /** Steps until rows at long edges go. */
  #patience = AGAIN;
  /** Whether #chords are of a step that is over: only those with names go on. */
  #isOver = false;
  /** Whether creases have had their chance in this step. */
  #isOpen = false;
  #found = false;
  #passes = 0;
  #stageTime = Number.NaN;
  #isFresh = true;
  /** Length of the present step over that of the world. */
  #share = 1;
  #failures = 0;
  #pause = 0;
  readonly #place = createChordPlace();
  readonly #begun = createChordPlace();
  readonly #pair = createContactPair();
  readonly #p = new Float64Array(3);

  constructor(sheet: Sheet, part: number) {
    const { chords } = sheet.adaptation!;
    this.sheet = sheet;
    this.#search = chords;
    this.#vertices = new ChordSheet(sheet, part);
    this.#feet = new ChordFeet(chords.touch);
    this.#sides = [this.#vertices, this.#feet];
  }

  /** Rows that push in the last solve. */
  get pushing(): number {
    let count = 0;
    for (const { isOn, contact } of this.#chords.values()) if (isOn && contact.force > 0) count++;
    return count;
  }

  /** Edges and triangles that have rows. */
  get count(): number {
    let count = 0;
    for (const { isOn } of this.#chords.values()) if (isOn) count++;
    return count;
  }

  adapt(): void {}

  beginStep(): void {
    this.#isFresh = true;
    this.#found = false;
    this.#stageTime = Number.NaN;
    this.#feet.force.fill(0);
    this.#feet.beginStep();
    if (this.#isOver) this.#chords.clear();
    this.#isOver = false;
    if (this.#chords.size === 0 && this.#names.size === 0) return;
    const wanted = [...this.#names.values(), ...this.#chords.values()];
    this.#chords.clear();
    this.#vertices.beginStep();
    for (const name of wanted) this.#add(name);
  }

  /** A chord with that name, where the mesh has it. */
  #add(name: ChordName): Chord | undefined {
    const { state } = this.sheet;
    const { key, body, labels, corner } = name;
    const vertices = labels.map((label) => state.indexOf(label));
    if (this.#chords.has(key) || !hasTriangle(state.mesh, vertices)) return undefined;
    const contact = new PairContact();
    const off = { isOn: false, hasRows: false, isLong: false, keep: 0, gap: 0 };
    const chord = { key, body, labels, corner, vertices, contact, ...off };
    if (this.#chords.size === 0) this.#vertices.beginStep();
    this.#chords.set(key, chord);
    return chord;
  }

  addRows(rows: ConstraintRows, stage: Stage): void {
    if (stage.time !== this.#stageTime) this.#passes = 0;
    this.#stageTime = stage.time;
    if (this.#isFresh) {
      this.#isFresh = false;
      this.#share = stage.step / stage.full;
      let foot = 0;
      for (const chord of this.#chords.values()) this.#turn(chord, this.sheet.state.qStart, foot++);
    }
    for (const chord of this.#chords.values()) {
      if (!chord.isOn) continue;
      const free = this.#computeFree(chord);
      chord.hasRows = free > LEAST_FREE;
      if (!chord.hasRows) continue;
      // what is held may move in, as E-vertices on their way do: the rest does not make up for that
      const held = Math.min(0, stage.h * this.#computeHeldSpeed(chord));
      const most = this.#share * MOST_RECOVERY * this.#search.size;
      chord.contact.keep = Math.min(chord.keep, chord.gap + held + free * most);
      chord.contact.addRows(this.#sides, rows, stage);
    }
  }

  /** Gives a chord the row for the place where it is closest with the vertices at q; none where it is well outside. */
  #turn(chord: Chord, q: Float64Array, foot: number): void {
    const { touch, size } = this.#search;
    const { body, vertices, contact } = chord;
    const place = this.#place;
    chord.isOn = this.#search.measure(chord, vertices, q, touch.now[body], 2 * NEAR * size, place);
    if (!chord.isOn) return;
    chord.isLong = place.isLong;
    this.#feet.set(foot, body, place.foot);
    const pair = this.#pair;
    // foot · vertices: the body is over the sheet, seen from inside
    pair.first = 1;
    pair.second = 0;
    pair.points[0] = foot;
    pair.weights[0] = 1;
    for (let n = 0; n < 3; n++) {
      pair.points[1 + n] = vertices[n] ?? vertices[0];
      pair.weights[1 + n] = vertices.length > n ? place.weights[n] : 0;
      pair.normal[n] = -place.normal[n];
    }
    pair.gap = pair.distance = 0;
    const known = contact.key === '' ? (this.#memory.get(chord.key) ?? PUSHING) : contact.memory;
    contact.key = chord.key;
    contact.set(pair, 0, touch.friction[body], known);
    this.#measureStart(chord);
  }

  /** Gap that a chord is to have at the end, < 0 where it starts inside, and the one that it starts with along its normal [m]. */
  #measureStart(chord: Chord): void {
    const { touch, size } = this.#search;
    const { body, vertices } = chord;
    const { qStart } = this.sheet.state;
    const { normal, weights, foot } = this.#place;
    touch.start[body].writeWorld(foot, 0, this.#p, 0);
    chord.gap = 0;
    for (let k = 0; k < 3; k++) {
      chord.gap -= normal[k] * this.#p[k];
      vertices.forEach((i, n) => {
        chord.gap += normal[k] * weights[n] * qStart[STRIDE * i + k];
      });
    }
    const begun = this.#begun;
    const isIn = this.#search.measure(chord, vertices, qStart, touch.start[body], 0, begun);
    const most = Math.min(-RECOVERY * begun.gap, MOST_RECOVERY * size);
    chord.keep = isIn ? begun.gap + this.#share * most : 0;
    // seen from the other side, in a try that went astray: no place to keep to
    chord.isOn = chord.gap > (isIn ? begun.gap : 0) - ASTRAY * size;
  }

  /** By how much a chord moves along its normal where each of its vertices moves by 1 as it can. */
  #computeFree({ vertices, contact: { pair } }: Chord): number {
    let square = 0;
    vertices.forEach((i, n) => {
      square += pair.weights[1 + n] ** 2 * this.sheet.holds.computeFreedom(i, pair.normal);
    });
    return Math.sqrt(square);
  }

  /** Speed along its normal that a chord has by what its vertices are held at [m/s]. */
  #computeHeldSpeed({ vertices, contact: { pair } }: Chord): number {
    const { holds, state } = this.sheet;
    let speed = 0;
    vertices.forEach((i, n) => {
      speed -= pair.weights[1 + n] * holds.computeHeldSpeed(i, pair.normal, state.v);
    });
    return speed;
  }

  clearForces(): void {
    this.#feet.force.fill(0);
  }

  takeMultipliers(rows: ConstraintRows, stage: Stage): void {
    let isAny = false;
    for (const { isOn, hasRows, contact } of this.#chords.values()) {
      if (!isOn) continue;
      if (!hasRows) contact.force = 0;
      else contact.takeMultipliers(this.#sides, rows, stage.h);
      isAny = true;
    }
    if (isAny) this.#vertices.finishForces();
  }

  revise(): boolean {
    this.#passes++;
    if (this.#pause > 0 || this.#passes > MOST_PASSES) return false;
    const { touch } = this.#search;
    touch.place(touch.now);
    let changed = this.#turnAll();
    for (let b = 0; b < touch.bodies.length; b++) if (this.#search.hasChords(b)) changed = this.#find(b) || changed;
    return (this.#passes <= FRICTION_PASSES && this.#reviseFriction()) || changed;
  }

  /** Turns the rows of chords that ended inside; true where there are any. */
  #turnAll(): boolean {
    const { touch, size } = this.#search;
    let changed = false;
    let foot = 0;
    for (const chord of this.#chords.values()) {
      const { body, vertices } = chord;
      const isIn = this.#search.measure(chord, vertices, this.sheet.state.q, touch.now[body], 0, this.#place);
      const least = chord.isOn ? Math.min(0, chord.contact.keep) : 0;
      if (isIn && this.#place.gap < least - THROUGH * size) {
        this.#turn(chord, this.sheet.state.q, foot);
        changed ||= chord.isOn;
      }
      foot++;
    }
    return changed;
  }

  /** Gives rows to what is in body b and has none, at long edges where creases do not help; true where there is any. */
  #find(b: number): boolean {
    const { state, adaptation } = this.sheet;
    let changed = false;
    let hasLong = false;
    const found: { name: ChordName; isLong: boolean }[] = [];
    this.#search.visit(state, b, THROUGH * this.#search.size, (name, { isLong }) => {
      if (this.#chords.has(name.key)) return;
      found.push({ name, isLong });
      hasLong ||= isLong;
    });
    const mayOpen = this.#share > BRIEF && !adaptation!.creases.isPaused;
    if (hasLong && !this.#isOpen && mayOpen) this.#isOpen = !adaptation!.canHelp(state);
    for (const { name, isLong } of found) {
      const chord = isLong && !(this.#isOpen && mayOpen) ? undefined : this.#add(name);
      if (chord === undefined) continue;
      this.#turn(chord, state.q, this.#chords.size - 1);
      changed ||= chord.isOn;
    }
    return changed;
  }

  /** Friction from the newest normal forces; true where these differ from those that it was taken from. */
  #reviseFriction(): boolean {
    let [largest, other] = [0, 0];
    for (const { isOn, contact } of this.#chords.values()) {
      if (!isOn || contact.friction === 0) continue;
      largest = Math.max(largest, contact.force);
      other = Math.max(other, Math.abs(contact.force - contact.grip));
      contact.grip = contact.force;
    }
    return other > SAME_FORCE * largest;
  }

  /** Asked when the sheet itself lets the step pass. */
  findFault(): string | null {
    if (this.#isOpen || this.#pause > 0) return null;
    const { touch } = this.#search;
    touch.place(touch.now);
    this.#isOpen = true;
    for (let b = 0; b < touch.bodies.length; b++)
      if (this.#search.hasChords(b)) this.#found = this.#find(b) || this.#found;
    return this.#found ? 'a body penetrates the mesh between vertices' : null;
  }

  wantsRetry(): boolean {
    return this.#found;
  }

  rollBack(isAsLong: boolean): void {
    if (isAsLong || this.#share > SHORTEST) return;
    this.#failures++;
    if (this.#failures <= MOST_FAILURES) return;
    this.#failures = 0;
    this.#pause = PAUSE;
    this.#isOpen = false;
    this.#chords.clear();
    this.#names.clear();
  }

  endStep(): void {
    const { touch, size } = this.#search;
    this.#isOpen = false;
    this.#isOver = true;
    this.#failures = Math.max(0, this.#failures - 1);
    this.#pause = Math.max(0, this.#pause - 1);
    this.#names.clear();
    this.#memory.clear();
    // rows that do not push are worth it only beside others that do: without any the system is solved faster
    if (this.pushing === 0) {
      this.#chords.clear();
      return;
    }
    this.#patience = this.#patience === 0 ? AGAIN : this.#patience - 1;
    for (const { key, body, labels, corner, vertices, contact, isOn, isLong } of [...this.#chords.values()].sort(
      byKey,
    )) {
      const name: ChordName = { key, body, labels, corner };
      const isNear = (): boolean =>
        this.#search.measure(name, vertices, this.sheet.state.q, touch.now[body], NEAR * size, this.#place);
      if (!(isOn && (contact.force > 0 || isNear()))) continue;
      if (isLong && this.#patience === 0 && this.#isInner(vertices)) continue;
      this.#names.set(key, name);
      this.#memory.set(key, contact.memory);
    }
  }

  /** Whether a chord is away from the border of the sheet, beside which there are no creases. */
  #isInner(vertices: readonly number[]): boolean {
    return vertices.every((i) => this.sheet.state.mesh.isBorder[i] === 0);
  }

  /** Adds the force on body b of the sheet's obstacles to out[at…] [N]. */
  addForceOn(b: number, out: Float64Array, at: number): void {
    for (let k = 0; k < 3; k++) out[at + k] += this.#feet.force[3 * b + k];
  }

  /** On the sheet, where it touches. */
  forces(): ForceFrame[] {
    const list = new ForceList();
    if (this.#chords.size > 0) this.#vertices.finishStep();
    for (const { isOn, contact } of this.#chords.values()) if (isOn) contact.addForces(this.#sides, 0, list);
    return list.finish('contact', this.sheet.id);
  }

  writeState(writer: StateWriter): void {
    const names = [...this.#names.values()].map((name) => [name, this.#memory.get(name.key)]);
    const bytes = new TextEncoder().encode(JSON.stringify(names));
    for (const value of [this.#patience, this.#failures, this.#pause, bytes.length]) writer.number(value);
    writer.array(bytes);
  }

  readState(reader: StateReader): void {
    this.#patience = reader.number();
    this.#failures = reader.number();
    this.#pause = reader.number();
    const memories = reader.json() as [ChordName, ContactMemory][];
    this.#chords.clear();
    this.#names.clear();
    this.#memory.clear();
    this.#isOpen = false;
    for (const [name, memory] of memories) {
      this.#names.set(name.key, name);
      this.#memory.set(name.key, memory);
    }
  }
}

const byKey = (a: ChordName, b: ChordName): number => (a.key < b.key ? -1 : 1);

/** Whether a mesh has the edge or triangle with these corners, −1 for one that is gone. */
function hasTriangle({ edgeStart, vertexEdges, edges }: Sheet['state']['mesh'], [i, j, k]: readonly number[]): boolean {
  if (i < 0 || j < 0 || k < 0) return false;
  for (let n = edgeStart[i]; n < edgeStart[i + 1]; n++) {
    const [a, b, c, d] = edges.subarray(4 * vertexEdges[n], 4 * vertexEdges[n] + 4);
    if ((a === i ? b : a) === j) return k === undefined || c === k || d === k;
  }
  return false;
}
