/**
 * How a strand that touches bodies starts: its polyline is settled on them before nodes are laid out.
 *
 *     given  ────────┐ true edge             settled  ──────────E  edge grown by the radius
 *            ▓▓▓▓▓▓▓▓│                                ▓▓▓▓▓▓▓▓▓ │
 *
 *   points    one inside a grown body (`contact/facets.ts`) by no more than a little over the radius moves out: onto the face
 *             nearest to it, or, where it is as deep under two faces, onto their sharp edge. Points given on the true
 *             surface or at the true edge come to lie where the strand's centre line can be.
 *   segments  one that cuts off an edge gets a point on that edge, and so on until none does; one that cuts into a smooth
 *             body becomes a polygon round it (`touch-round.ts`).
 *   E-nodes   stand at the points on edges round which the strand bends.
 * Guides, ends on spools, ends driven along fixed ways, and held ends from which the strand leads away stay where the scene puts them. A start deeper inside is an error.
 */
import { createEdgeHit, type FacetBody } from '../contact/index.ts';
import { distanceVec3, lerpVec3, type Vec3 } from '../math/index.ts';
import { HeddleError, NODE_EULERIAN } from '../model/index.ts';
import { createVelocityField, fractionOf, type Place, Polyline } from './layout.ts';
import type { StrandOptions } from './options.ts';
import type { StrandState } from './state.ts';
import type { StrandTouch } from './touch.ts';
import { computeStandOff } from './touch-round.ts';

/** A point this many radii inside a grown body is moved out; deeper is an error. */
const MOST_RADII = 1.5;
/** The same relative to the size of a smooth body: the polyline may be coarser than that needs. */
const MOST_ROUND = 0.05;
/** Depths under two faces that differ by less than this, relative to the radius, are those of a point on their edge. */
const SAME_DEPTH = 0.1;
/** Distance from an edge, relative to the radius, that is rounding of the scene's numbers. */
const SNAP = 1e-3;
/** How often a point is moved out, of one body into another, and how many edges one segment may bend round. */
const MOST_MOVES = 8;
const MOST_EDGES = 256;

/** A point of the polyline on an edge of a body round which the strand bends: an E-node. */
export interface StartEdge {
  /** Arc length along the polyline [m]. */
  readonly s: number;
  readonly body: number;
  readonly edge: number;
}

export interface StrandStart {
  readonly polyline: Polyline;
  /** Velocity of the material by arc length of the polyline. */
  readonly velocityAt: (s: number) => Vec3;
  /** By increasing arc length. */
  readonly edges: readonly StartEdge[];
}

interface StartPoint {
  x: Vec3;
  velocity: Vec3;
  /** What the scene calls it. */
  readonly name: string;
  /** fixed: it stays; driven: a driver holds it where it starts, it stays unless the strand lies on the body there. */
  readonly hold: 'free' | 'driven' | 'fixed';
  /** The edge that it lies on; −1 for none. */
  body: number;
  edge: number;
}

/** The start of a strand that touches nothing: as the scene gives it. */
export function createStart(options: StrandOptions): StrandStart {
  const closed = options.closed === true;
  const polyline = new Polyline(options.points, closed);
  return { polyline, velocityAt: createVelocityField(options.velocity, polyline, closed), edges: [] };
}

/**
 * Gives the nodes their velocities at the start. The material runs along the path with −F u̇: at an L-node that is its own
 * velocity. A node that rides on a moving body starts with it.
 */
export function writeStartVelocities(state: StrandState, options: StrandOptions, start: StrandStart): void {
  const { chain, restLength, guides, slip } = state;
  const { slide = 0, obstacles = [] } = options;
  const scale = restLength / start.polyline.length;
  for (let i = 0; i < chain.count; i++) {
    const atSeam = chain.closed && (i === 0 || i === chain.count - 1);
    const a = atSeam ? 4 * (chain.count - 2) : 4 * Math.max(0, i - 1);
    const b = atSeam ? 4 : 4 * Math.min(chain.count - 1, i + 1);
    const du = chain.q[b + 3] - chain.q[a + 3] + (atSeam ? chain.period : 0);
    const slides = chain.kind[i] === NODE_EULERIAN;
    const velocity = start.velocityAt((chain.q[4 * i + 3] % (chain.period || Number.POSITIVE_INFINITY)) / scale);
    for (let k = 0; k < 3; k++) {
      const F = (chain.q[b + k] - chain.q[a + k]) / du;
      chain.v[4 * i + k] = slides ? 0 : velocity[k] - F * slide;
    }
    chain.v[4 * i + 3] = slides ? slide : 0;
  }
  for (const { label, site, friction, isSpool } of guides) {
    if (friction > 0) slip[label] = Math.sign(slide);
    const i = state.indexOf(label);
    if (site.type === 'crossing') continue;
    const carrier = site.type === 'edge' ? obstacles[site.body] : site.rider?.body;
    if (carrier === undefined || (chain.kind[i] !== NODE_EULERIAN && !isSpool)) continue;
    carrier.writePointVelocity(chain.q.subarray(4 * i, 4 * i + 3), chain.v.subarray(4 * i, 4 * i + 3));
  }
}

/** The start of a strand on the bodies that it touches. */
export function settleStart(options: StrandOptions, touch: StrandTouch): StrandStart {
  return new Settling(options, touch).settle();
}

class Settling {
  readonly #options: StrandOptions;
  readonly #touch: StrandTouch;
  readonly #length: number;
  readonly #points: StartPoint[];
  readonly #p = new Float64Array(3);
  readonly #q = new Float64Array(3);
  readonly #world = new Float64Array(3);
  readonly #hit = createEdgeHit();
  readonly #skip = new Int32Array(2);

  constructor(options: StrandOptions, touch: StrandTouch) {
    this.#options = options;
    this.#touch = touch;
    const { polyline } = createStart(options);
    this.#length = polyline.length;
    this.#points = collectPoints(options);
  }

  settle(): StrandStart {
    const points = this.#points;
    for (const point of points) if (point.hold === 'free') this.#moveOut(point);
    for (const [end, next] of [
      [points[0], points[1]],
      [points[points.length - 1], points[points.length - 2]],
    ])
      if (end.hold === 'driven' && this.#liesAlong(end, next)) this.#moveOut(end);
    for (let i = 0; i + 1 < points.length; i++) i += this.#bend(i, MOST_EDGES);
    const settled = points.filter((point, i) => i === 0 || distanceVec3(point.x, points[i - 1].x) > 0);
    const polyline = new Polyline(
      settled.map(({ x }) => x),
      this.#options.closed,
    );
    const velocities = settled.map(({ velocity }) => velocity);
    const edges = settled.flatMap(({ body, edge }, i) =>
      edge >= 0 && this.#isBent(settled, i) ? [{ s: polyline.arc[i], body, edge }] : [],
    );
    return { polyline, velocityAt: (s) => polyline.interpolate(velocities, s), edges };
  }

  /** Depth at which a point counts as inside body b [m]. */
  #toleranceOf(b: number): number {
    return 1e-9 * Math.max(this.#touch.facets[b].size, this.#length);
  }

  /** Depth that is put right [m]. */
  #mostOf(facets: FacetBody): number {
    return MOST_RADII * this.#options.material.radius + (facets.round ? MOST_ROUND * facets.size : 0);
  }

  #moveOut(point: StartPoint): void {
    const { facets, bodies } = this.#touch;
    for (let move = 0; ; move++) {
      let deepest = -1;
      let depth = 0;
      for (let b = 0; b < facets.length; b++) {
        this.#writeLocal(b, point.x, this.#p);
        const here = facets[b].computeDepth(this.#p[0], this.#p[1], this.#p[2]);
        if (here <= this.#toleranceOf(b) || here <= depth) continue;
        deepest = b;
        depth = here;
      }
      if (deepest < 0) break;
      if (depth > this.#mostOf(facets[deepest]) || move === MOST_MOVES)
        this.#fail(`${point.name} lies`, depth, bodies[deepest].id, this.#mostOf(facets[deepest]));
      this.#writeLocal(deepest, point.x, this.#p);
      this.#project(point, deepest);
    }
    if (point.edge < 0) this.#snap(point);
  }

  /** Whether a body that the end of the strand is inside of touches the point next to it too. */
  #liesAlong(end: StartPoint, next: StartPoint): boolean {
    return this.#touch.facets.some((facets, b) => {
      this.#writeLocal(b, end.x, this.#p);
      this.#writeLocal(b, next.x, this.#q);
      const [p, q] = [this.#p, this.#q];
      const tolerance = this.#toleranceOf(b);
      return facets.computeDepth(p[0], p[1], p[2]) > tolerance && facets.computeDepth(q[0], q[1], q[2]) > -tolerance;
    });
  }

  /** Puts a point, which stands in #p, onto the edge or the face of body b that it is nearest to. */
  #project(point: StartPoint, b: number): void {
    const facets = this.#touch.facets[b];
    if (this.#putOnEdge(point, b, this.#mostOf(facets))) return;
    const [p, n] = [this.#p, this.#q];
    let way = this.#touch.writeWayOut(b, p, this.#toleranceOf(b), n);
    // through the end of a cylinder, straight out
    if (facets.round && !(facets.round.isMantle && n[1] !== 0)) way += computeStandOff(facets.round);
    for (let k = 0; k < 3; k++) p[k] += way * n[k];
    this.#touch.start[b].writeWorld(p, 0, this.#world, 0);
    point.x = [this.#world[0], this.#world[1], this.#world[2]];
    point.body = point.edge = -1;
  }

  /** A point that lies on an edge but for the rounding of the scene's numbers is put there. */
  #snap(point: StartPoint): void {
    for (let b = 0; b < this.#touch.facets.length && point.edge < 0; b++) {
      this.#writeLocal(b, point.x, this.#p);
      this.#putOnEdge(point, b, SNAP * this.#options.material.radius);
    }
  }

  /** Puts a point, which stands in #p, onto the nearest edge of body b from whose two faces it is equally far, if by at most `most`. */
  #putOnEdge(point: StartPoint, b: number, most: number): boolean {
    const { edgeStart, edgeEnd, edgeNormalA, edgeNormalB, edgeCount } = this.#touch.facets[b];
    const p = this.#p;
    const same = Math.min(most, SAME_DEPTH * this.#options.material.radius);
    let best = -1;
    let place = 0;
    let nearest = Number.POSITIVE_INFINITY;
    for (let e = 0; e < edgeCount; e++) {
      let [a, c, along, length2, distance2] = [0, 0, 0, 0, 0];
      for (let k = 3 * e; k < 3 * e + 3; k++) {
        const [d, w] = [edgeEnd[k] - edgeStart[k], p[k - 3 * e] - edgeStart[k]];
        a += edgeNormalA[k] * w;
        c += edgeNormalB[k] * w;
        along += d * w;
        length2 += d * d;
        distance2 += w * w;
      }
      along /= length2;
      distance2 -= along * along * length2;
      if (Math.max(Math.abs(a), Math.abs(c)) > most || Math.abs(a - c) > same || along < 0 || along > 1) continue;
      if (distance2 >= nearest) continue;
      nearest = distance2;
      best = e;
      place = along;
    }
    if (best < 0) return false;
    point.x = this.#placeOnEdge(b, best, place);
    point.body = b;
    point.edge = best;
    return true;
  }

  /** Puts points on the edges that the segment after point i cuts off, at most `most`; returns how many. */
  #bend(i: number, most: number): number {
    const [a, b] = [this.#points[i], this.#points[i + 1]];
    for (let body = 0; body < this.#touch.facets.length && most > 0; body++) {
      const facets = this.#touch.facets[body];
      this.#writeLocal(body, a.x, this.#p);
      this.#writeLocal(body, b.x, this.#q);
      const [p, q] = [this.#p, this.#q];
      const depth = facets.computeSegmentDepth(p, q);
      if (depth <= this.#toleranceOf(body)) continue;
      if (depth > this.#mostOf(facets))
        this.#fail(`it runs from ${a.name} to ${b.name}`, depth, this.#touch.bodies[body].id, this.#mostOf(facets));
      let skipped = 0;
      for (const end of [a, b]) if (end.edge >= 0 && end.body === body) this.#skip[skipped++] = end.edge;
      const isRound = facets.round !== undefined && Math.max(Math.abs(p[1]), Math.abs(q[1])) < facets.round.top;
      const edge = isRound ? -1 : facets.findEdge(p, q, p, q, this.#toleranceOf(body), this.#skip, skipped, this.#hit);
      if (edge < 0 && !isRound) continue;
      const at = isRound && facets.round ? facets.round.findNearest(p, 0, q, 0) : this.#hit.segment;
      const velocity = lerpVec3(a.velocity, b.velocity, at);
      const x = edge < 0 ? lerpVec3(a.x, b.x, at) : this.#placeOnEdge(body, edge, this.#hit.along);
      const point: StartPoint = { x, velocity, name: `${a.name} …`, hold: 'free', body: edge < 0 ? -1 : body, edge };
      if (edge < 0) {
        this.#writeLocal(body, x, this.#p);
        this.#project(point, body);
      }
      this.#points.splice(i + 1, 0, point);
      const before = this.#bend(i, most >> 1);
      return 1 + before + this.#bend(i + 1 + before, most >> 1);
    }
    return 0;
  }

  #placeOnEdge(b: number, edge: number, along: number): Vec3 {
    const { edgeStart, edgeEnd } = this.#touch.facets[b];
    const local = this.#p.map((_, k) => edgeStart[3 * edge + k] * (1 - along) + edgeEnd[3 * edge + k] * along);
    this.#touch.start[b].writeWorld(local, 0, this.#world, 0);
    return [this.#world[0], this.#world[1], this.#world[2]];
  }

  /** Whether the straight line past point i would go through the body on whose edge it lies. */
  #isBent(points: readonly StartPoint[], i: number): boolean {
    const last = points.length - 1;
    // a loop's last point is its first again
    if (i === last || (i === 0 && !this.#options.closed)) return false;
    const { body } = points[i];
    // the same length on both sides, so that a long side does not make a small bend smaller still
    const [a, x, b] = [points[i === 0 ? last - 1 : i - 1].x, points[i].x, points[i + 1].x];
    const reach = Math.min(distanceVec3(a, x), distanceVec3(x, b));
    this.#writeLocal(body, lerpVec3(x, a, reach / distanceVec3(a, x)), this.#p);
    this.#writeLocal(body, lerpVec3(x, b, reach / distanceVec3(x, b)), this.#q);
    return this.#touch.facets[body].computeSegmentDepth(this.#p, this.#q) > this.#toleranceOf(body);
  }

  #writeLocal(b: number, x: Vec3, out: Float64Array): void {
    for (let k = 0; k < 3; k++) this.#world[k] = x[k];
    this.#touch.start[b].writeLocal(this.#world, 0, out, 0);
  }

  #fail(what: string, depth: number, body: string, most: number): never {
    const [deep, allowed] = [depth, most].map((value) => Number(value.toPrecision(3)));
    throw new HeddleError(
      `strand "${this.#options.id}" starts inside body "${body}": ${what} ${deep} m deep in the body enlarged by the strand's radius, and at most ${allowed} m is corrected; move the points out of the body, add points where the strand bends around it, or set "contact" to false.`,
    );
  }
}

/** The points of the polyline and the guides on it. */
function collectPoints(options: StrandOptions): StartPoint[] {
  const { polyline, velocityAt } = createStart(options);
  const last = options.closed ? -1 : polyline.points.length - 1;
  const spools = (options.spools ?? []).map(({ end }) => end);
  const isAt = (places: readonly Place[] = [], i: number): boolean =>
    (i === last || (i === 0 && last > 0)) && places.some((place) => fractionOf(place) === (i === 0 ? 0 : 1));
  const all = polyline.points.map((x, i): StartPoint & { s: number } => ({
    s: polyline.arc[i],
    x,
    velocity: velocityAt(polyline.arc[i]),
    name: `points[${i}]`,
    hold: isAt([...(options.fixed ?? []), ...spools], i) ? 'fixed' : isAt(options.keep, i) ? 'driven' : 'free',
    body: -1,
    edge: -1,
  }));
  for (const guide of options.guides ?? []) {
    const { s } = polyline.findNearest(guide.point);
    const same = all.findIndex((other) => distanceVec3(other.x, guide.point) <= 1e-6 * polyline.length);
    const x = same < 0 ? guide.point : all[same].x;
    const point = { s, x, velocity: velocityAt(s), name: `guide "${guide.id}"`, body: -1, edge: -1 };
    all.splice(same < 0 ? all.length : same, same < 0 ? 0 : 1, { ...point, hold: 'fixed' });
  }
  all.sort((a, b) => a.s - b.s);
  return options.closed ? [...all.slice(0, -1), { ...all[0], s: polyline.length }] : all;
}
