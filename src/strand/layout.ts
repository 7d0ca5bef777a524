/**
 * From a polyline and a list of places to nodes: where a strand's material points lie at the start.
 * The polyline is stretched evenly over the material: u = s · restLength / length, s arc length along it.
 */
import { addScaledVec3, distanceVec3, dotVec3, lerpVec3, subVec3, type Vec3 } from '../math/index.ts';
import { HeddleError } from '../model/index.ts';
import type { StrandGuide, StrandOptions, StrandSpool } from './options.ts';

/** A place on the material: an end, or a fraction of the whole. */
export type Place = 'start' | 'end' | number;

export const fractionOf = (place: Place): number => (place === 'start' ? 0 : place === 'end' ? 1 : place);

export class Polyline {
  readonly points: readonly Vec3[];
  /** Arc length at each point [m]. */
  readonly arc: readonly number[];
  readonly length: number;

  /** A closed one ends where it begins; its first point may, but need not, stand at the end again. */
  constructor(given: readonly Vec3[], closed = false) {
    const points = closed && !isRepeated(given) ? [...given, given[0]] : given;
    const arc = [0];
    for (let i = 1; i < points.length; i++) arc.push(arc[i - 1] + distanceVec3(points[i - 1], points[i]));
    this.points = points;
    this.arc = arc;
    this.length = arc[arc.length - 1];
    if (!(this.length > 0))
      throw new HeddleError('points of a strand are all the same; give at least two different ones.');
  }

  /** World position at arc length s; beyond the ends, the end. */
  at(s: number): Vec3 {
    return this.interpolate(this.points, s);
  }

  /** Value at arc length s of what is given at each point, linear in between. */
  interpolate(values: readonly Vec3[], s: number): Vec3 {
    const { arc } = this;
    let high = arc.length - 1;
    let low = 0;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (arc[middle] <= s) low = middle;
      else high = middle;
    }
    const span = arc[high] - arc[low];
    return lerpVec3(values[low], values[high], span > 0 ? Math.min(1, Math.max(0, (s - arc[low]) / span)) : 0);
  }

  /** Arc length of the point of the polyline nearest to p, and the distance to it. */
  findNearest(p: Vec3): { s: number; distance: number } {
    let best = { s: 0, distance: Number.POSITIVE_INFINITY };
    for (let i = 1; i < this.points.length; i++) {
      const edge = subVec3(this.points[i], this.points[i - 1]);
      const length2 = dotVec3(edge, edge);
      const t = length2 > 0 ? Math.min(1, Math.max(0, dotVec3(subVec3(p, this.points[i - 1]), edge) / length2)) : 0;
      const distance = distanceVec3(p, addScaledVec3(this.points[i - 1], edge, t));
      if (distance < best.distance) best = { s: this.arc[i - 1] + t * (this.arc[i] - this.arc[i - 1]), distance };
    }
    return best;
  }
}

/** Whether the last of some points is the first again. */
const isRepeated = (points: readonly Vec3[]): boolean =>
  points.length > 1 && distanceVec3(points[0], points[points.length - 1]) === 0;

/** One node of the start layout. */
export interface LaidNode {
  u: number;
  /** Index of its guide, or −1 for material (Lagrangian) nodes. */
  guide: number;
  /** Remeshing leaves it alone: an end, a driven or weighted place, a guide. */
  kept: boolean;
}

/** How near to each other two places of the material count as one, relative to its length. */
const SAME_PLACE = 1e-9;

/**
 * The Lagrangian nodes at even or given fractions, with nodes at the places in `keep` (nearby ordinary ones are moved
 * there), and one Eulerian node per guide. Sorted by u. On a loop, fraction 1 is 0 again, and `nodes` counts different ones.
 */
export function layOutNodes(
  nodes: number | readonly number[],
  restLength: number,
  keep: readonly number[],
  guides: readonly number[],
  closed = false,
): LaidNode[] {
  const fractions =
    typeof nodes === 'number' ? evenFractions(closed ? nodes + 1 : nodes) : [...nodes].sort((a, b) => a - b);
  const material: LaidNode[] = fractions.map((f) => ({ u: f * restLength, guide: -1, kept: false }));
  if (fractions[0] > SAME_PLACE) material.unshift({ u: 0, guide: -1, kept: true });
  if (fractions[fractions.length - 1] < 1 - SAME_PLACE) material.push({ u: restLength, guide: -1, kept: true });
  material[0].kept = material[material.length - 1].kept = true;
  material[0].u = 0;
  material[material.length - 1].u = restLength;
  for (const fraction of keep) keepNode(material, fraction * restLength, restLength);
  if (closed) {
    material.pop();
    material[0].kept = keep.some((fraction) => fraction <= SAME_PLACE || fraction >= 1 - SAME_PLACE);
  }
  const eulerian = guides.map((u, guide): LaidNode => ({ u: closed && u >= restLength ? 0 : u, guide, kept: true }));
  return [...material, ...eulerian].sort((a, b) => a.u - b.u);
}

/**
 * Puts an E-node where the strand leaves each spool, numbered from `first` on among the guides, and L-nodes on the stock
 * beyond, as far apart as those of the free part on average. The L-node that was the end is one among them now.
 */
export function layOutStock(
  laid: readonly LaidNode[],
  spools: readonly StrandSpool[],
  restLength: number,
  first: number,
): LaidNode[] {
  const nodes = [...laid];
  const spacing = restLength / (laid.filter(({ guide }) => guide < 0).length - 1);
  spools.forEach(({ end, stock }, n) => {
    const [side, u] = end === 'start' ? [1, 0] : [-1, restLength];
    laid[end === 'start' ? 0 : laid.length - 1].kept = false;
    nodes.push({ u, guide: first + n, kept: true });
    for (let k = 1; k * spacing < stock; k++) nodes.push({ u: u - side * k * spacing, guide: -1, kept: false });
  });
  return nodes.sort((a, b) => a.u - b.u);
}

function evenFractions(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i / (count - 1));
}

/** Makes a kept node at u: the nearest ordinary node moves there if it is within a third of its spacing, else a new one. */
function keepNode(material: LaidNode[], u: number, restLength: number): void {
  let next = material.findIndex((node) => node.u >= u - SAME_PLACE * restLength);
  if (next < 0) next = material.length - 1;
  if (Math.abs(material[next].u - u) <= SAME_PLACE * restLength) {
    material[next].kept = true;
    return;
  }
  const spacing = material[next].u - material[next - 1].u;
  const nearest = material[next].u - u < u - material[next - 1].u ? next : next - 1;
  if (!material[nearest].kept && Math.abs(material[nearest].u - u) < spacing / 3) {
    material[nearest].u = u;
    material[nearest].kept = true;
  } else material.splice(next, 0, { u, guide: -1, kept: true });
}

/** Start velocity by arc length of the polyline. */
export function createVelocityField(
  velocity: StrandOptions['velocity'],
  polyline: Polyline,
  closed = false,
): (s: number) => Vec3 {
  if (velocity === undefined) return () => [0, 0, 0];
  if (!isVectorList(velocity)) return () => velocity;
  // a closed polyline may have got its first point at the end again
  const values = velocity.length === polyline.points.length - 1 && closed ? [...velocity, velocity[0]] : velocity;
  if (values.length !== polyline.points.length)
    throw new HeddleError(
      `velocity has ${velocity.length} entries for ${polyline.points.length - (closed ? 1 : 0)} points; give one vector for all, or one per point.`,
    );
  return (s) => polyline.interpolate(values, s);
}

const isVectorList = (value: Vec3 | readonly Vec3[]): value is readonly Vec3[] => typeof value[0] !== 'number';

/**
 * The nearest length to which whole rounds can be added and taken away without rounding: a multiple of the last bit of
 * numbers up to twice the period. A loop that is cut elsewhere then keeps its segments to the bit.
 */
export function roundToPeriod(u: number, period: number): number {
  let power = 1;
  while (power > 2 * period) power /= 2;
  while (2 * power <= 2 * period) power *= 2;
  const grid = power * Number.EPSILON;
  return Math.round(u / grid) * grid;
}

/**
 * Mean distance to the L-nodes on both sides; one at the same place, as at a spool, does not count. `period` is the length
 * of a loop.
 */
export function computeSpacing(laid: readonly LaidNode[], i: number, period = 0): number {
  let below = i - 1;
  while (below >= 0 && (laid[below].guide >= 0 || laid[below].u === laid[i].u)) below--;
  let above = i + 1;
  while (above < laid.length && (laid[above].guide >= 0 || laid[above].u === laid[i].u)) above++;
  if (period > 0) {
    const before = below < 0 ? laid.findLast((node, k) => node.guide < 0 && k > i) : laid[below];
    const after = above < laid.length ? laid[above] : laid.find((node, k) => node.guide < 0 && k < i);
    return wrap((after?.u ?? laid[i].u) - (before?.u ?? laid[i].u), period) / 2;
  }
  if (below < 0) return laid[above].u - laid[i].u;
  if (above >= laid.length) return laid[i].u - laid[below].u;
  return (laid[above].u - laid[below].u) / 2;
}

/** Material distance from each node to the nearest guide; `period` is the length of a loop. */
export function computeRooms(laid: readonly LaidNode[], period: number): number[] {
  const guideAt = laid.filter((node) => node.guide >= 0).map((node) => node.u);
  if (period > 0 && guideAt.length > 0) {
    guideAt.unshift(guideAt[guideAt.length - 1] - period);
    guideAt.push(guideAt[1] + period);
  }
  let next = 0;
  return laid.map(({ u }) => {
    while (next < guideAt.length && guideAt[next] < u) next++;
    return Math.min(
      u - (guideAt[next - 1] ?? Number.NEGATIVE_INFINITY),
      (guideAt[next] ?? Number.POSITIVE_INFINITY) - u,
    );
  });
}

/** A length that is 0 or less is one round more. */
const wrap = (length: number, period: number): number => (length > 0 ? length : length + period);

/** Arc length of a guide; it must lie on the polyline, and strictly inside if that has ends. */
export function locateGuide(guide: StrandGuide, polyline: Polyline, strand: string, closed = false): number {
  const { s, distance } = polyline.findNearest(guide.point);
  if (distance > 1e-6 * polyline.length)
    throw new HeddleError(
      `guide "${guide.id}" of strand "${strand}" is ${distance.toPrecision(3)} m away from the strand's points; it must lie on the polyline: add its point there.`,
    );
  if (closed) return s >= (1 - 1e-12) * polyline.length ? 0 : s;
  if (s <= 1e-6 * polyline.length || s >= (1 - 1e-6) * polyline.length)
    throw new HeddleError(
      `guide "${guide.id}" of strand "${strand}" lies at an end of the strand; material must be able to slide through it: move it inwards, or use a pin.`,
    );
  return s;
}
