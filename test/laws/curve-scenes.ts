/** What the tests of contacts between curves share: strands that touch by `CurveContacts`, and distances of their centre lines. */
import { CurveContacts, type TouchingCurve } from 'heddle/curve';
import { SegmentSweep, writeClosestSegmentSegment } from 'heddle/geometry';
import type { Coupling } from 'heddle/model';
import { Strand, type StrandOptions } from 'heddle/strand';
import { createPin, type Driver, World, type WorldOptions } from 'heddle/world';

export type Vector = [number, number, number];

export const RADIUS = 0.005;
/** 20 g/m, 10 mm thick, stiff enough that its weight does not stretch it. */
export const ROPE = { radius: RADIUS, linearDensity: 0.02, stretchStiffness: 2000, bendingStiffness: 1e-3 };

export class TouchingStrand extends Strand implements TouchingCurve {
  readonly stride = 4;
  readonly radius: number;
  readonly friction: number;
  /** Force of contacts by node [N]. */
  readonly pushes = new Map<number, Vector>();

  constructor(options: StrandOptions, friction: number) {
    super(options);
    this.radius = options.material.radius;
    this.friction = friction;
  }

  get chain() {
    return this.state.chain;
  }

  addContactForce(i: number, fx: number, fy: number, fz: number): void {
    const [x, y, z] = this.pushes.get(i) ?? [0, 0, 0];
    this.pushes.set(i, [x + fx, y + fy, z + fz]);
  }

  clearContactForces(): void {
    this.pushes.clear();
  }

  indexOf(label: number): number {
    return this.state.indexOf(label);
  }

  insertNode(): number {
    return -1;
  }

  setSliding(): void {}

  /** Sum of the contact forces [N]. */
  computePush(): Vector {
    const sum: Vector = [0, 0, 0];
    for (const f of this.pushes.values()) for (let k = 0; k < 3; k++) sum[k] += f[k];
    return sum;
  }

  pinAll(): Driver[] {
    return Array.from({ length: this.chain.ownCount }, (_, i) =>
      createPin({ model: this, label: this.chain.label[i] }),
    );
  }

  /** Mass centre of the nodes. */
  computeCentre(): Vector {
    const sum: Vector = [0, 0, 0];
    const n = this.chain.ownCount;
    for (let i = 0; i < n; i++) for (let k = 0; k < 3; k++) sum[k] += this.chain.q[4 * i + k] / n;
    return sum;
  }
}

export const strand = (
  id: string,
  points: Vector[],
  nodes: number,
  more: Partial<StrandOptions> & { friction?: number } = {},
): TouchingStrand =>
  new TouchingStrand(
    { id, material: ROPE, points, nodes, gravity: [0, 0, 0], ...more, friction: 0 },
    more.friction ?? 0,
  );

export function createCurveWorld(
  curves: readonly TouchingStrand[],
  options: Omit<WorldOptions, 'models'> & { self?: boolean; insertsNodes?: boolean },
) {
  const contacts = new CurveContacts(
    curves.map((curve, part) => ({ curve, part })),
    { self: options.self ?? false, insertsNodes: options.insertsNodes ?? false },
  );
  const watch = new CrossingWatch(curves, options.self ?? false);
  return { world: new World({ ...options, models: curves, couplings: [contacts, watch] }), contacts, watch };
}

/** Counts centre lines that go through each other in an accepted sub-step, by the cubic that contacts do not use. */
export class CrossingWatch implements Coupling {
  crossings = 0;
  readonly #self: boolean;
  readonly #curves: readonly TouchingStrand[];
  readonly #sweep = new SegmentSweep();
  readonly #start = new Float64Array(12);
  readonly #end = new Float64Array(12);

  constructor(curves: readonly TouchingStrand[], self: boolean) {
    this.#self = self;
    this.#curves = curves;
  }

  adapt(): void {}
  beginStep(): void {}
  rollBack(): void {}
  addRows(): void {}
  clearForces(): void {}
  takeMultipliers(): void {}
  revise(): boolean {
    return false;
  }
  findFault(): null {
    return null;
  }
  wantsRetry(): boolean {
    return false;
  }
  writeState(): void {}
  readState(): void {}

  endStep(): void {
    for (const [n, a] of this.#curves.entries())
      for (const b of this.#curves.slice(this.#self ? n : n + 1))
        for (let i = 0; i + 1 < a.chain.count; i++)
          for (let j = a === b ? i + 2 : 0; j + 1 < b.chain.count; j++) this.#check(a, i, b, j);
  }

  #check(a: TouchingStrand, i: number, b: TouchingStrand, j: number): void {
    for (let k = 0; k < 12; k++) {
      const [{ chain }, node] = k < 6 ? [a, i + (k < 3 ? 0 : 1)] : [b, j + (k < 9 ? 0 : 1)];
      this.#start[k] = chain.qStart[4 * node + (k % 3)];
      this.#end[k] = chain.q[4 * node + (k % 3)];
    }
    if (this.#sweep.find(this.#start, this.#end)) this.crossings++;
  }
}

/** Smallest distance of the centre lines of two curves; of one, of segments with at least `apart` segments between [m]. */
export function computeDistance(a: TouchingStrand, b: TouchingStrand, apart = 1): number {
  const x = new Float64Array(12);
  const weights = new Float64Array(4);
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i + 1 < a.chain.count; i++)
    for (let j = a === b ? i + 1 + apart : 0; j + 1 < b.chain.count; j++) {
      for (let k = 0; k < 3; k++) {
        x[k] = a.chain.q[4 * i + k];
        x[3 + k] = a.chain.q[4 * i + 4 + k];
        x[6 + k] = b.chain.q[4 * j + k];
        x[9 + k] = b.chain.q[4 * j + 4 + k];
      }
      least = Math.min(least, writeClosestSegmentSegment(x, weights));
    }
  return Math.sqrt(least);
}

export function computeMomentum(world: World): Float64Array {
  const sum = new Float64Array(6);
  for (const model of world.models) model.addMomentum(sum);
  return sum;
}
