/**
 * Where E-nodes are held. A guide belongs to one E-node and says what keeps its world position:
 *   point   a place in space or on a body: x is held, u slides (pulley, ring, eyelet)
 *   edge    a convex edge of a body that the strand was found to touch: x stays on the edge, slides along it, u slides
 *   crossing  another strand, or another place of the same: x follows it, u slides (`crossing.ts`)
 * Guides of the first kind come from the scene and stay until the strand's end slips out; the others come and go while
 * the strand moves.
 */
import { type Body, type BodyPoint, createBodyPoint } from '../bodies/index.ts';
import type { Vec3 } from '../math/index.ts';
import type { Pulley, StrandGuide } from './options.ts';

export interface PointSite {
  readonly type: 'point';
  readonly point: Vec3;
  readonly rider: BodyPoint | undefined;
}

export interface EdgeSite {
  readonly type: 'edge';
  /** Index of the body among the strand's obstacles, and of the edge among its facets' edges. */
  readonly body: number;
  readonly edge: number;
}

export interface CrossingSite {
  readonly type: 'crossing';
}

/** A guide in action: the node that it holds, and where. */
export interface Guide {
  readonly id: string;
  readonly label: number;
  readonly site: PointSite | EdgeSite | CrossingSite;
  readonly friction: number;
  readonly law: 'edge' | 'round';
  readonly pulley: Pulley | undefined;
  /** Length of strand that it takes up [m]; undefined: as wide as the strand is thick (`guide-contacts.ts`). */
  readonly width: number | undefined;
  /** A free end stops here like a knot. */
  readonly stop: boolean;
  /** Its node is the end of the chain: material comes off a drum here (`spools.ts`). */
  readonly isSpool: boolean;
}

/** A guide of the scene at a world position, or a spool there. */
export const createPointGuide = (
  { id, friction, law, pulley, width, stop }: Omit<StrandGuide, 'point' | 'body'>,
  label: number,
  point: Vec3,
  body: Body | undefined,
  isSpool = false,
): Guide => ({
  id,
  label,
  site: { type: 'point', point, rider: body && createBodyPoint(body, point) },
  friction: friction ?? 0,
  law: law ?? 'edge',
  pulley,
  width,
  stop: stop ?? false,
  isSpool,
});

export const createEdgeGuide = (label: number, site: EdgeSite, friction: number): Guide => ({
  id: '',
  label,
  site,
  friction,
  law: 'edge',
  pulley: undefined,
  width: undefined,
  stop: false,
  isSpool: false,
});

/** A guide at a crossing; the strand that it crosses is round. */
export const createCrossingGuide = (label: number, friction: number): Guide => ({
  id: '',
  label,
  site: { type: 'crossing' },
  friction,
  law: 'round',
  pulley: undefined,
  width: undefined,
  stop: false,
  isSpool: false,
});
