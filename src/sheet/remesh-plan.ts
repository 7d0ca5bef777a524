/**
 * What a new mesh of a sheet is to hold: the border with creases that reach it, the creases, vertices that stay, and in the local
 * remesher the triangles away from creases. A planar straight line graph in material space.   [Piddington 2017, Algorithm 4, §5.4]
 *
 * Its nodes are the old vertices, by their numbers, and after them the points of creases that are new, in their order.
 */
import { computeHypot2 } from '../math/index.ts';
import { NODE_LAGRANGIAN } from '../model/index.ts';
import type { SheetBorder } from './border.ts';
import type { CreasePoint, Polylines } from './polylines.ts';
import { CROWD, type PlanGround } from './remesh-ground.ts';
import { type SheetState, STRIDE } from './state.ts';

export type Remesher = 'global' | 'local' | 'adaptive';

/** L-vertices nearer than this share of h to a crease are left out. */
const CLEARANCE = 0.45;

/** Part of a plan as a planar graph. */
export interface PlanGraph {
  /** Nodes that are its points, in their order. */
  readonly nodes: readonly number[];
  /** Pairs of nodes; loops of nodes round its material. */
  readonly segments: readonly number[];
  readonly outlines: readonly (readonly number[])[];
  /** Pairs of nodes whose edges must not be split. */
  readonly fixed: readonly number[];
}

export class RemeshPlan {
  /** 1 for nodes that the new mesh has. */
  readonly stays: Uint8Array;
  /** Pairs of nodes joined by creases. */
  readonly segments: number[] = [];
  /** Loops of the border in nodes, and new nodes on each side of the old one, by its edge of the mesh. */
  readonly outlines: number[][] = [];
  readonly inserted = new Map<number, { along: number; node: number }[]>();
  readonly #state: SheetState;
  readonly #size: number;
  /** Points of creases by node; X, Y of new nodes. */
  readonly #creases = new Map<number, CreasePoint>();
  readonly #places: number[] = [];
  readonly #ground: PlanGround;
  readonly #remesher: Remesher;
  readonly #reach: number;

  /** `reach`: what is further than this from trouble is left alone [m]. */
  constructor(
    state: SheetState,
    polylines: Polylines,
    ground: PlanGround,
    border: SheetBorder,
    size: number,
    remesher: Remesher,
    reach: number,
  ) {
    this.#state = state;
    this.#size = size;
    this.#remesher = remesher;
    this.#reach = reach;
    this.#ground = ground;
    const nodes = polylines.points.map((point) => this.#addPoint(point));
    this.stays = new Uint8Array(state.count + this.#places.length / 2);
    for (const node of nodes) this.stays[node] = 1;
    for (const [a, b] of polylines.segments) this.segments.push(nodes[a], nodes[b]);
    this.#insertInBorder(border);
    this.#addBorder(border);
    for (let i = 0; i < state.count; i++) {
      if (state.mesh.isBorder[i] || this.stays[i]) continue;
      if (state.kept[i] || (remesher !== 'global' && (this.isAway(i) || this.#isClear(i)))) this.stays[i] = 1;
    }
  }

  get nodeCount(): number {
    return this.stays.length;
  }

  /** The point of a crease that a node is; undefined for others. */
  creaseOf(node: number): CreasePoint | undefined {
    return this.#creases.get(node);
  }

  /** Nodes of creases, in the order of their points. */
  listCreaseNodes(): number[] {
    return [...this.#creases.keys()];
  }

  placeX(node: number): number {
    const { q, count } = this.#state;
    return node < count ? q[STRIDE * node + 3] : this.#places[2 * (node - count)];
  }

  placeY(node: number): number {
    const { q, count } = this.#state;
    return node < count ? q[STRIDE * node + 4] : this.#places[2 * (node - count) + 1];
  }

  /** Whether an old vertex is beyond the reach of trouble. */
  isAway(i: number): boolean {
    return this.#ground.trouble[i] > this.#reach;
  }

  /** Whether an old triangle is to stay as it is. */
  keeps(t: number): boolean {
    if (this.#remesher === 'global') return false;
    const { triangles } = this.#state.mesh;
    for (let k = 3 * t; k < 3 * t + 3; k++)
      if (this.stays[triangles[k]] === 0 || !this.isAway(triangles[k])) return false;
    return true;
  }

  #addPoint(point: CreasePoint): number {
    const node = point.vertex >= 0 ? point.vertex : this.#state.count + this.#places.length / 2;
    if (point.vertex < 0) this.#places.push(point.X, point.Y);
    this.#creases.set(node, point);
    return node;
  }

  /** New points of creases on the border come to lie on its sides. */
  #insertInBorder(border: SheetBorder): void {
    const { q, count } = this.#state;
    for (const [node, crease] of this.#creases) {
      if (!crease.isBorder || crease.vertex >= 0) continue;
      const { loop, side, along } = border.findNearest(crease.X, crease.Y);
      const a = STRIDE * border.loops[loop][side] + 3;
      const b = STRIDE * border.loops[loop][(side + 1) % border.loops[loop].length] + 3;
      for (let k = 0; k < 2; k++) this.#places[2 * (node - count) + k] = q[a + k] + along * (q[b + k] - q[a + k]);
      const edge = border.sides[loop][side];
      const list = this.inserted.get(edge);
      if (list) list.push({ along, node });
      else this.inserted.set(edge, [{ along, node }]);
    }
    for (const list of this.inserted.values()) list.sort((a, b) => a.along - b.along);
  }

  /** Loops of the border with the creases that reach it in their places. */
  #addBorder(border: SheetBorder): void {
    const { kept, kind } = this.#state;
    const onBorder = [...this.#creases.values()].filter(({ isBorder }) => isBorder);
    border.loops.forEach((loop, n) => {
      const outline: number[] = [];
      for (let k = 0; k < loop.length; k++) {
        const i = loop[k];
        const mayGo = (): boolean =>
          kind[i] !== NODE_LAGRANGIAN ||
          onBorder.some((crease) => crease.vertex !== i && this.#isWithin(i, crease)) ||
          this.#isCrowdedOnBorder(loop, k, outline);
        if (this.stays[i] || kept[i] || !(mayGo() && border.isStraight(loop, k))) {
          this.stays[i] = 1;
          outline.push(i);
        }
        for (const { node } of this.inserted.get(border.sides[n][k]) ?? []) outline.push(node);
      }
      this.outlines.push(outline);
    });
  }

  /** Whether a vertex of the border that the sheet did not begin with is too near to the one before it that stays. */
  #isCrowdedOnBorder(loop: readonly number[], k: number, outline: readonly number[]): boolean {
    const { q, label, firstLabel } = this.#state;
    if (label[loop[k]] < firstLabel || (this.#remesher === 'adaptive' && this.isAway(loop[k]))) return false;
    const at = STRIDE * loop[k] + 3;
    const next = STRIDE * loop[(k + 1) % loop.length] + 3;
    if (computeHypot2(q[next] - q[at], q[next + 1] - q[at + 1]) < CROWD * this.#size) return true;
    const before = outline.at(-1);
    if (before === undefined) return false;
    return computeHypot2(q[at] - this.placeX(before), q[at + 1] - this.placeY(before)) < CROWD * this.#size;
  }

  #isWithin(i: number, { X, Y }: CreasePoint): boolean {
    const { q } = this.#state;
    return computeHypot2(q[STRIDE * i + 3] - X, q[STRIDE * i + 4] - Y) < CLEARANCE * this.#size;
  }

  /** Whether a vertex is far from creases, and, if the sheet did not begin with it, from others that stay. */
  #isClear(i: number): boolean {
    if (!(this.#ground.distance[i] > CLEARANCE * this.#size)) return false;
    return !(this.#ground.crowds.get(i)?.some((other) => other < i || this.stays[other] === 1) ?? false);
  }
}
