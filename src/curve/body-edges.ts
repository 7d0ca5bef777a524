/**
 * Nodes of a curve that slide on edges of bodies [Wen 2020, §4 and §5.2]: a node stands where the curve bends over a sharp
 * edge, and its material coordinate is free. They come between two steps, where a segment pressed on an edge or a node on both
 * of its faces, and leave
 *
 *     when neither face pushes for a few steps, or it is lifted off or drawn from the edge
 *     at the end of the edge: to an edge that begins there, or away
 *     near the end of the curve, which then slips over
 */
import type { FacetBody } from '../contact/index.ts';
import type { StateReader, StateWriter } from '../model/index.ts';
import type { BodyContact } from './body-contact.ts';
import type { BodyObstacle } from './body-obstacle.ts';
import { computeNodeSpan } from './node-measure.ts';
import type { TouchingCurve } from './touching-curve.ts';

/** Cosine of the turn between two faces above which an edge is not sharp: 30°, as shapes say; edges of just 30° (of a prism with 12 sides) are sharp, however they are rounded. */
const SHARP = Math.sqrt(0.75) + 1e-9;
/** Steps without a push after which a node leaves its edge. */
const MOST_LOOSE = 3;
/** Distance from the edge at which it leaves, and from the end of the curve, relative to its mean segment. */
const OFF = 0.1;
const END = 0.05;
/** How far beyond the end of its edge a node is off it, relative to the size of the body. */
const BEYOND = 1e-9;
/** Sine of the turn up to which the next edge takes a node over. */
const GENTLE = 0.5;

export interface EdgeNode {
  readonly label: number;
  readonly body: number;
  readonly edge: number;
  /** Steps since a face pushed. */
  readonly loose: number;
  /** Whether it is to become an ordinary node. */
  readonly leaves: boolean;
}

export interface EdgeRequest {
  readonly u: number;
  readonly body: number;
  readonly edge: number;
}

export class BodyEdges {
  readonly #curve: TouchingCurve;
  readonly #obstacles: readonly BodyObstacle[];
  /** What the last accepted step left: `adapt` starts from it however often the next is tried. */
  #before: readonly EdgeNode[] = [];
  #requests: EdgeRequest[] = [];
  /** Those of this step. */
  #nodes: EdgeNode[] = [];
  readonly #p = new Float64Array(3);

  constructor(curve: TouchingCurve, obstacles: readonly BodyObstacle[]) {
    this.#curve = curve;
    this.#obstacles = obstacles;
  }

  get nodes(): readonly EdgeNode[] {
    return this.#nodes;
  }

  /** Lets nodes go and takes new ones. */
  adapt(): void {
    const curve = this.#curve;
    this.#nodes = [];
    for (const node of this.#before) {
      if (curve.indexOf(node.label) < 0) continue;
      if (node.leaves) curve.setSliding(node.label, false);
      else this.#nodes.push(node);
    }
    for (const { u, body, edge } of this.#requests) {
      const label = curve.insertNode(u);
      if (label < 0 || this.#isEnd(curve.indexOf(label))) continue;
      const there = this.#nodes.findIndex((node) => node.label === label);
      if (there < 0) {
        curve.setSliding(label, true);
        this.#nodes.push({ label, body, edge, loose: 0, leaves: false });
      } else if (this.#nodes[there].loose > 0) {
        // two edges in one place: the one that pushes keeps it
        this.#nodes[there] = { label, body, edge, loose: 0, leaves: false };
      }
    }
  }

  #isEnd(i: number): boolean {
    const { closed, count } = this.#curve.chain;
    return !closed && (i === 0 || i === count - 1);
  }

  /** After a step: forgets the requests, and which nodes stay, by their contacts. */
  endStep(contactOf: (node: EdgeNode) => BodyContact | undefined): void {
    this.#requests = [];
    this.#before = this.#nodes.flatMap((node) => {
      const contact = contactOf(node);
      return contact === undefined ? [] : [this.#judge(node, contact)];
    });
  }

  /** Asks for a node at u on an edge, where that is sharp and not at the end of the curve. */
  ask(u: number, body: number, edge: number, span: number): void {
    const { q, count, closed } = this.#curve.chain;
    const near = END * span;
    if (!closed && (u < q[3] + near || u > q[4 * count - 1] - near)) return;
    if (isSharp(this.#obstacles[body].facets, edge)) this.#requests.push({ u, body, edge });
  }

  #judge(node: EdgeNode, contact: BodyContact): EdgeNode {
    const { chain } = this.#curve;
    const obstacle = this.#obstacles[node.body];
    const { i } = contact;
    const spacing = 0.5 * computeNodeSpan(chain, i);
    const loose = contact.load > 0 ? 0 : node.loose + 1;
    let off = 0;
    for (let m = 0; m < 2; m++) off = Math.max(off, contact.computePresentGap(chain, obstacle, m));
    const [u, near] = [chain.q[4 * i + 3], END * 2 * spacing];
    const isAtEnd = !chain.closed && (u < chain.q[3] + near || u > chain.q[4 * chain.count - 1] - near);
    if (loose >= MOST_LOOSE || off > OFF * spacing || isAtEnd) return { ...node, loose, leaves: true };
    obstacle.now.writeLocal(chain.q, 4 * i, this.#p, 0);
    const edge = findEdgeAt(obstacle.facets, node.edge, this.#p);
    return { ...node, edge: Math.max(edge, 0), loose, leaves: edge < 0 };
  }

  writeState(writer: StateWriter): void {
    writer.number(this.#before.length);
    for (const { label, body, edge, loose, leaves } of this.#before)
      for (const value of [label, body, edge, loose, leaves ? 1 : 0]) writer.number(value);
    writer.number(this.#requests.length);
    for (const { u, body, edge } of this.#requests) for (const value of [u, body, edge]) writer.number(value);
  }

  readState(reader: StateReader): void {
    const next = (): number => reader.number();
    this.#before = Array.from({ length: next() }, () => ({
      label: next(),
      body: next(),
      edge: next(),
      loose: next(),
      leaves: next() === 1,
    }));
    this.#nodes = [...this.#before];
    this.#requests = Array.from({ length: next() }, () => ({ u: next(), body: next(), edge: next() }));
  }
}

function isSharp({ edgeNormalA: A, edgeNormalB: B }: FacetBody, edge: number): boolean {
  const o = 3 * edge;
  return A[o] * B[o] + A[o + 1] * B[o + 1] + A[o + 2] * B[o + 2] < SHARP;
}

/** Where the foot of p is along an edge: 0 … 1 on it. */
function computeAlong({ edgeStart: s, edgeEnd: t }: FacetBody, edge: number, p: Float64Array): number {
  let [along, square] = [0, 0];
  for (let k = 0; k < 3; k++) {
    const d = t[3 * edge + k] - s[3 * edge + k];
    along += d * (p[k] - s[3 * edge + k]);
    square += d * d;
  }
  return along / square;
}

/** The edge on which a point that was on `edge` is now: that, a sharp one that begins where it ends, or −1. */
function findEdgeAt(facets: FacetBody, edge: number, p: Float64Array): number {
  const { edgeStart, edgeEnd, edgeCount, size } = facets;
  const along = computeAlong(facets, edge, p);
  let square = 0;
  for (let k = 3 * edge; k < 3 * edge + 3; k++) square += (edgeEnd[k] - edgeStart[k]) ** 2;
  const slack = (BEYOND * size) / Math.sqrt(square);
  if (along >= -slack && along <= 1 + slack) return edge;
  const corner = (along < 0 ? edgeStart : edgeEnd).subarray(3 * edge, 3 * edge + 3);
  let [best, least] = [-1, Number.POSITIVE_INFINITY];
  for (let other = 0; other < edgeCount; other++) {
    if (other === edge || !isSharp(facets, other)) continue;
    const isStart = isSame(edgeStart, other, corner, size);
    if (!isStart && !isSame(edgeEnd, other, corner, size)) continue;
    const t = computeAlong(facets, other, p);
    if (!(t > 0 && t < 1)) continue;
    const distance = computeDistance(facets, other, t, p);
    if (distance < least) [best, least] = [other, distance];
  }
  // to an edge that turns off sharply it would have to be dragged
  const over = (along < 0 ? -along : along - 1) * Math.sqrt(square);
  return least <= GENTLE * over + BEYOND * size ? best : -1;
}

function isSame(ends: Float64Array, edge: number, corner: Float64Array, size: number): boolean {
  let square = 0;
  for (let k = 0; k < 3; k++) square += (ends[3 * edge + k] - corner[k]) ** 2;
  return square <= (BEYOND * size) ** 2;
}

function computeDistance({ edgeStart: s, edgeEnd: e }: FacetBody, edge: number, t: number, p: Float64Array): number {
  let square = 0;
  for (let k = 0; k < 3; k++) {
    const o = 3 * edge + k;
    square += (p[k] - s[o] - t * (e[o] - s[o])) ** 2;
  }
  return Math.sqrt(square);
}
