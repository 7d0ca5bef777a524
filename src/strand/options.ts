/**
 * What a strand is made from.
 */
import type { Body } from '../bodies/index.ts';
import type { CurveMaterial } from '../curve/index.ts';
import type { PiecewiseLinear, Vec3 } from '../math/index.ts';
import type { Place } from './layout.ts';

export interface StrandOptions {
  readonly id: string;
  readonly material: CurveMaterial;
  /** The polyline it starts on. */
  readonly points: readonly Vec3[];
  /** A loop: the last point is joined to the first, and u is periodic with the rest length. */
  readonly closed?: boolean | undefined;
  /** Number of evenly spread nodes (of a loop: different ones), or their fractions of the material. */
  readonly nodes: number | readonly number[];
  /** Default: the length of the polyline. */
  readonly restLength?: number | undefined;
  /**
   * `lagrangian` nails material to nodes: a guide on a body becomes contact with that body, a guide in free space holds
   * the material that starts there.
   */
  readonly mode?: 'eol' | 'lagrangian' | undefined;
  /** World velocity of the material at the start: one for all, or one per point of the polyline, linear in between. */
  readonly velocity?: Vec3 | readonly Vec3[] | undefined;
  /** u̇ at the guides at the start [m/s]: the whole strand runs backwards along its path at that rate. */
  readonly slide?: number | undefined;
  readonly guides?: readonly StrandGuide[] | undefined;
  /** Ends that sit on a spool, at most one per end; see `spools.ts`. `points`, `restLength` and `nodes` are of the free part. */
  readonly spools?: readonly StrandSpool[] | undefined;
  readonly masses?: readonly { readonly at: Place; readonly mass: number }[] | undefined;
  /** Damping: α of the mass [1/s], and β, the time by which strains lag [s]. */
  readonly damping?: { readonly mass: number; readonly stiffness: number } | undefined;
  /** When an L-node is disabled and comes back, relative to its rest spacing. */
  readonly remesh?: { readonly near: number; readonly far: number } | undefined;
  /** Places where a node must be, for drivers; remeshing leaves them alone. */
  readonly keep?: readonly Place[] | undefined;
  /** Places that stay where `points` puts them, although a body that they touch is there: those driven along fixed ways. */
  readonly fixed?: readonly Place[] | undefined;
  readonly gravity?: Vec3 | undefined;
  /** Coefficient of dry friction with the obstacles [1]; default 0. */
  readonly friction?: number | undefined;
  /** Bodies that it is kept out of; a dynamic one pushes and is pushed through a `ContactTie` of the world. */
  readonly obstacles?: readonly Body[] | undefined;
}

export interface StrandGuide {
  readonly id: string;
  /** World position at the start; must lie on the polyline. */
  readonly point: Vec3;
  /** The guide rides on this body; without one it stays where it is. Those that meet push each other by `GuideContacts` of the world. */
  readonly body?: Body | undefined;
  /** Coefficient of dry friction at the guide [1]; default 0. */
  readonly friction?: number | undefined;
  /** Which friction law holds: a sharp edge, or a smooth round (capstan); default edge. See `friction.ts`. */
  readonly law?: 'edge' | 'round' | undefined;
  /** A wheel that turns with the strand: its radius [m] and moment of inertia [kg m²]. */
  readonly pulley?: Pulley | undefined;
  /** Length of strand that it takes up where it meets another guide [m]; default: the strand's diameter. */
  readonly width?: number | undefined;
  /** A free end stops at the guide like a knot instead of slipping out; default false. */
  readonly stop?: boolean | undefined;
}

export interface StrandSpool {
  readonly id: string;
  /** Which end of the strand; the first or last point of the polyline is where it leaves the drum. */
  readonly end: 'start' | 'end';
  /** The drum rides on this body; without one it stays where it is. */
  readonly body?: Body | undefined;
  /** Material on the drum at the start, beside that of the polyline [m]. */
  readonly stock: number;
  readonly radius: number;
  /** Moment of inertia of the drum without the stock [kg m²]. */
  readonly inertia: number;
  /** Speed of the rope that the drive keeps, + pays out [m/s]; without one the drum turns freely. */
  readonly speed?: PiecewiseLinear | undefined;
  /** Torque of a motor, + pays out [N m]. */
  readonly torque?: PiecewiseLinear | undefined;
  /** Most torque of a dry brake, or of the clutch between a drive with a speed and the drum [N m]. */
  readonly brake?: number | undefined;
}

export interface Pulley {
  readonly radius: number;
  readonly inertia: number;
}

export const DEFAULT_REMESH = { near: 0.3, far: 0.35 } as const;
