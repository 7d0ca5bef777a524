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

  constructor(points: readonly Vec3[]) {
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
 * there), and one Eulerian node per guide. Sorted by u.
 */
export function layOutNodes(
  nodes: number | readonly number[],
  restLength: number,
  keep: readonly number[],
  guides: readonly number[],
): LaidNode[] {
  const fractions = typeof nodes === 'number' ? evenFractions(nodes) : [...nodes].sort((a, b) => a - b);
  const material: LaidNode[] = fractions.map((f) => ({ u: f * restLength, guide: -1, kept: false }));
  if (fractions[0] > SAME_PLACE) material.unshift({ u: 0, guide: -1, kept: true });
  if (fractions[fractions.length - 1] < 1 - SAME_PLACE) material.push({ u: restLength, guide: -1, kept: true });
  material[0].kept = material[material.length - 1].kept = true;
  material[0].u = 0;
  material[material.length - 1].u = restLength;
  for (const fraction of keep) keepNode(material, fraction * restLength, restLength);
  const eulerian = guides.map((u, guide): LaidNode => ({ u, guide, kept: true }));
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
export function createVelocityField(velocity: StrandOptions['velocity'], polyline: Polyline): (s: number) => Vec3 {
  if (velocity === undefined) return () => [0, 0, 0];
  if (!isVectorList(velocity)) return () => velocity;
  if (velocity.length !== polyline.points.length)
    throw new HeddleError(
      `velocity has ${velocity.length} entries for ${polyline.points.length} points; give one vector for all, or one per point.`,
    );
  return (s) => polyline.interpolate(velocity, s);
}

const isVectorList = (value: Vec3 | readonly Vec3[]): value is readonly Vec3[] => typeof value[0] !== 'number';

/** Mean distance to the L-nodes on both sides. */
export function computeSpacing(laid: readonly LaidNode[], i: number): number {
  let below = i - 1;
  while (below >= 0 && laid[below].guide >= 0) below--;
  let above = i + 1;
  while (above < laid.length && laid[above].guide >= 0) above++;
  if (below < 0) return laid[above].u - laid[i].u;
  if (above >= laid.length) return laid[i].u - laid[below].u;
  return (laid[above].u - laid[below].u) / 2;
}

/** Arc length of a guide; it must lie on the polyline, and strictly inside. */
export function locateGuide(guide: StrandGuide, polyline: Polyline, strand: string): number {
  const { s, distance } = polyline.findNearest(guide.point);
  if (distance > 1e-6 * polyline.length)
    throw new HeddleError(
      `guide "${guide.id}" of strand "${strand}" is ${distance.toPrecision(3)} m away from the strand's points; it must lie on the polyline: add its point there.`,
    );
  if (s <= 1e-6 * polyline.length || s >= (1 - 1e-6) * polyline.length)
    throw new HeddleError(
      `guide "${guide.id}" of strand "${strand}" lies at an end of the strand; material must be able to slide through it: move it inwards, or use a pin.`,
    );
  return s;
}
