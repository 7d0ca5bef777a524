/**
 * What lies on one another at the start: nodes where yarns of different layers cross, and stitches.                [Sánchez-Banderas 2020, §5]
 *
 *     between   every crossing of two yarns of layers that lie on one another: no further apart than the sum of their radii and a margin, and no
 *               layer between. Nearly parallel yarns have none (`LEAST_SINE`). Aligned layers of n² crossings have 2n²: upper warp on lower weft
 *               and upper weft on lower warp, though both are where the layers' own crossings are.
 *     stitch    of a seam the crossing nearest to each of its points, one a pitch, and others in the same place: neither yarn slides
 *
 * The first yarn of such a node is that of the higher layer, which lies on top. A node nearer to an end of its yarn than the safety distance of nodes
 * (`NEAR_END` of the spacing) would never be EoL, and is left out.
 */
import type { CurveMaterial } from '../curve/index.ts';
import { Bvh } from '../geometry/index.ts';
import { computeHypot3, grow, type Vec3 } from '../math/index.ts';
import { HeddleError } from '../model/index.ts';
import { ROLE_BETWEEN, ROLE_CROSSING, ROLE_STITCH, type YarnNet } from './net.ts';
import type { LayerOptions } from './options.ts';
import { createYarnOrder, type YarnOrder } from './yarn-order.ts';
import { type YarnHit, YarnSearch } from './yarn-search.ts';

/** Of the sum of the radii: how much further apart than touching two yarns may start. */
const MARGIN = 0.25;
/** Of the spacing: what is nearer to an end has no node. */
export const NEAR_END = 0.1;
/** Of the spacing: a node of a layer hides what is below it so far around. Every place of a cloth is nearer than 0.71 to one of its crossings. */
const HIDES = 0.75;
/** Of the spacing: how far from its line a stitch may be. */
const FAR_STITCH = 1.5;
/** Of the spacing: crossings so near to each other are held by one stitch. */
const SAME_STITCH = 0.1;

/** A seam: a line of stitches between two layers. */
export interface StitchLine {
  /** Indices of the layers, the lower first. */
  readonly layers: readonly [number, number];
  /** Corners of the line, where the cloth is at the start [m]. */
  readonly points: readonly Vec3[];
  /** From stitch to stitch [m]; the wider spacing of the two layers if not given. */
  readonly pitch?: number | undefined;
}

export interface LayerContactOptions {
  readonly layers: readonly LayerOptions[];
  readonly materials: readonly CurveMaterial[];
  /** Whether layers that lie on one another slide on nodes; default true. Without, only stitches are made. */
  readonly between?: boolean | undefined;
  readonly stitches?: readonly StitchLine[] | undefined;
}

/** The net with nodes between its layers, after those that it has. */
export function addLayerContacts(net: YarnNet, options: LayerContactOptions): YarnNet {
  const { between = true, stitches = [] } = options;
  if (options.layers.length < 2) return net;
  const found = findCrossings(net, options);
  for (const line of stitches) sew(net, options.layers, line, found);
  const kept: number[] = [];
  for (let c = 0; c < found.count; c++) if (found.role[c] === ROLE_STITCH || between) kept.push(c);
  return appendNodes(net, found, kept);
}

/** Crossings of yarns of different layers. */
class Crossings {
  count = 0;
  x = new Float64Array(0);
  u = new Float64Array(0);
  yarn = new Int32Array(0);
  turn = new Int8Array(0);
  role = new Uint8Array(0);

  add({ first, second, u, v, x }: YarnHit, turn: number): void {
    const c = this.count++;
    if (this.role.length < this.count) {
      const room = Math.max(1024, 2 * c);
      this.x = grow(this.x, 3 * room);
      this.u = grow(this.u, 2 * room);
      this.yarn = grow(this.yarn, 2 * room);
      this.turn = grow(this.turn, room);
      this.role = grow(this.role, room);
    }
    this.x.set(x, 3 * c);
    this.u[2 * c] = u;
    this.u[2 * c + 1] = v;
    this.yarn[2 * c] = first;
    this.yarn[2 * c + 1] = second;
    this.turn[c] = turn;
    this.role[c] = ROLE_BETWEEN;
  }
}

function findCrossings(net: YarnNet, { layers, materials }: LayerContactOptions): Crossings {
  const order = createYarnOrder(net);
  const { yarnLayer, yarnLength, yarnMaterial } = net;
  const radius = Float64Array.from(yarnMaterial, (m) => materials[m].radius);
  const widest = radius.reduce((most, r) => Math.max(most, r), 0);
  const search = new YarnSearch();
  search.update(order.start, order.sides, collectCoordinates(net), 2 * (1 + MARGIN) * widest);
  const yarnsOf = layers.map((_, layer) => Array.from(yarnLayer.keys()).filter((yarn) => yarnLayer[yarn] === layer));
  const found = new Crossings();
  const hides = createHiding(net, layers);
  for (let upper = 1; upper < layers.length; upper++)
    for (let lower = 0; lower < upper; lower++) {
      const [upperEnd, lowerEnd] = [NEAR_END * layers[upper].spacing, NEAR_END * layers[lower].spacing];
      const spacing = Math.min(layers[upper].spacing, layers[lower].spacing);
      const take = (hit: YarnHit): void => {
        const { first, second, u, v } = hit;
        if (Math.abs(hit.height) > (1 + MARGIN) * (radius[first] + radius[second])) return;
        if (u < upperEnd || u > yarnLength[first] - upperEnd || v < lowerEnd || v > yarnLength[second] - lowerEnd)
          return;
        for (let layer = lower + 1; layer < upper; layer++) if (hides[layer]?.(hit.x)) return;
        found.add(hit, computeTurn(net, order, hit));
      };
      for (const first of yarnsOf[upper])
        for (const second of yarnsOf[lower]) search.visit(first, second, spacing, take);
    }
  return found;
}

/** x, y, z, u, v of each node. */
function collectCoordinates({ x, u, role }: YarnNet): Float64Array {
  const q = new Float64Array(5 * role.length);
  for (let i = 0; i < role.length; i++) {
    for (let k = 0; k < 3; k++) q[5 * i + k] = x[3 * i + k];
    for (let k = 0; k < 2; k++) q[5 * i + 3 + k] = u[2 * i + k];
  }
  return q;
}

/** Of each layer that may lie between two others: whether it is there at a place. */
function createHiding(net: YarnNet, layers: readonly LayerOptions[]): (((x: Float64Array) => boolean) | undefined)[] {
  return layers.map(({ spacing }, layer) => {
    if (layer === 0 || layer === layers.length - 1) return undefined;
    const { x, yarn, yarnLayer } = net;
    const boxes: number[] = [];
    for (let i = 0; i < net.role.length; i++) {
      if (yarnLayer[yarn[2 * i]] !== layer) continue;
      for (const sign of [-1, 1]) for (let k = 0; k < 3; k++) boxes.push(x[3 * i + k] + sign * HIDES * spacing);
    }
    const tree = new Bvh(Float64Array.from(boxes));
    const box = new Float64Array(6);
    return (at) => {
      let isThere = false;
      for (let k = 0; k < 6; k++) box[k] = at[k % 3];
      tree.queryBox(box, () => {
        isThere = true;
        return true;
      });
      return isThere;
    };
  });
}

/** Whether (upper yarn × lower yarn) points up: 1 or −1, by the nearest crossing of either layer. */
function computeTurn(net: YarnNet, order: YarnOrder, hit: YarnHit): number {
  const up = new Float64Array(3);
  for (const place of [hit.secondPlace, hit.secondPlace + 1, hit.firstPlace, hit.firstPlace + 1]) {
    const node = order.sides[place] >> 1;
    if (net.role[node] !== ROLE_CROSSING) continue;
    writeUp(net, order, node, up);
    const along = up[0] * hit.normal[0] + up[1] * hit.normal[1] + up[2] * hit.normal[2];
    if (along !== 0) return Math.sign(along);
  }
  return 1;
}

/** out := up at a crossing, not of unit length: (first yarn × second yarn) turn. */
export function writeUp(
  { x, turn, yarn }: Pick<YarnNet, 'x' | 'turn' | 'yarn'>,
  { start, sides, place }: YarnOrder,
  node: number,
  out: Float64Array,
): void {
  const d = [0, 0, 0, 0, 0, 0];
  for (let s = 0; s < 2; s++) {
    const [p, y] = [place[2 * node + s], yarn[2 * node + s]];
    const [a, b] = [Math.max(start[y], p - 1), Math.min(start[y + 1] - 1, p + 1)];
    for (let k = 0; k < 3; k++) d[3 * s + k] = x[3 * (sides[b] >> 1) + k] - x[3 * (sides[a] >> 1) + k];
  }
  for (let k = 0; k < 3; k++) {
    const [a, b] = [(k + 1) % 3, (k + 2) % 3];
    out[k] = turn[node] * (d[a] * d[3 + b] - d[b] * d[3 + a]);
  }
}

/** Makes the crossings nearest to the line's points stitches. */
function sew(net: YarnNet, layers: readonly LayerOptions[], line: StitchLine, found: Crossings): void {
  const [lower, upper] = line.layers;
  const spacing = Math.max(layers[lower].spacing, layers[upper].spacing);
  const mine: number[] = [];
  const boxes: number[] = [];
  for (let c = 0; c < found.count; c++) {
    if (net.yarnLayer[found.yarn[2 * c]] !== upper || net.yarnLayer[found.yarn[2 * c + 1]] !== lower) continue;
    mine.push(c);
    for (let k = 0; k < 6; k++) boxes.push(found.x[3 * c + (k % 3)]);
  }
  const tree = new Bvh(Float64Array.from(boxes));
  let stitches = 0;
  for (const [x, y, z] of listPoints(line.points, line.pitch ?? spacing)) {
    let nearest = -1;
    tree.queryClosest(x, y, z, (FAR_STITCH * spacing) ** 2, (item, best) => {
      const c = 3 * mine[item];
      const square = (found.x[c] - x) ** 2 + (found.x[c + 1] - y) ** 2 + (found.x[c + 2] - z) ** 2;
      if (square > best || (square === best && nearest >= 0 && mine[item] > nearest)) return best;
      nearest = mine[item];
      return square;
    });
    if (nearest < 0) continue;
    stitches++;
    const box = new Float64Array(6);
    for (let k = 0; k < 6; k++) box[k] = found.x[3 * nearest + (k % 3)] + (k < 3 ? -1 : 1) * SAME_STITCH * spacing;
    tree.queryBox(box, (item) => {
      found.role[mine[item]] = ROLE_STITCH;
    });
  }
  if (stitches === 0)
    throw new HeddleError(
      `A seam between the layers "${layers[lower].name}" and "${layers[upper].name}" has no crossing of their yarns within ` +
        `${FAR_STITCH * spacing} m; move it to where the two layers overlap.`,
    );
}

/** Points along a polyline, one a pitch, from its start; a single point is itself. */
function listPoints(corners: readonly Vec3[], pitch: number): Vec3[] {
  const points: Vec3[] = [];
  // where the next point is, from the corner before
  let at = 0;
  for (let c = 0; c + 1 < corners.length; c++) {
    const [p, q] = [corners[c], corners[c + 1]];
    const length = computeHypot3(q[0] - p[0], q[1] - p[1], q[2] - p[2]);
    for (; at <= length * (1 + 1e-12); at += pitch) {
      const t = length > 0 ? at / length : 0;
      points.push([p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2])]);
    }
    at -= length;
  }
  return corners.length === 1 ? [corners[0]] : points;
}

function appendNodes(net: YarnNet, found: Crossings, kept: readonly number[]): YarnNet {
  const [count, added] = [net.role.length, kept.length];
  const x = grow(net.x, 3 * (count + added));
  const u = grow(net.u, 2 * (count + added));
  const yarn = grow(net.yarn, 2 * (count + added));
  const role = grow(net.role, count + added);
  const over = grow(net.over, count + added);
  const turn = grow(net.turn, count + added);
  for (let k = 0; k < added; k++) {
    const [c, i] = [kept[k], count + k];
    x.set(found.x.subarray(3 * c, 3 * c + 3), 3 * i);
    u.set(found.u.subarray(2 * c, 2 * c + 2), 2 * i);
    yarn.set(found.yarn.subarray(2 * c, 2 * c + 2), 2 * i);
    role[i] = found.role[c];
    over[i] = 1;
    turn[i] = found.turn[c];
  }
  return { ...net, x, u, yarn, role, over, turn };
}
