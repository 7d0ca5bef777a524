/** What a rod is made from; see `Rod`. All lengths in metres, angles in radians, times in seconds. */
import type { Vec3 } from '../math/index.ts';
import type { RodMaterial } from './section.ts';

/** Natural strain: bend about d₁, about d₂, twist [1/m]. Of the whole rod, or at material coordinates, linear in between. */
export type NaturalStrain = Vec3 | readonly { readonly at: number; readonly strain: Vec3 }[] | 'initial';

export interface RodOptions {
  readonly id: string;
  readonly material: RodMaterial;
  /** Polyline of the centre line at the start. */
  readonly points: readonly Vec3[];
  /** Number of segments, evenly spaced along the polyline; or the shares of the length (0 … 1) where nodes are. */
  readonly segments: number | readonly number[];
  /** Default: the length of the polyline. */
  readonly restLength?: number | undefined;
  /** d₁ of the first segment, roughly; the other frames follow without twist. Default: across the tangent. */
  readonly normal?: Vec3 | undefined;
  /** Twist that it starts with, over its whole length [rad]. */
  readonly twist?: number | undefined;
  /** What it is at rest; `initial`: as it starts. Default straight. */
  readonly natural?: NaturalStrain | undefined;
  /** World velocity at the start: one for all, or one per point of the polyline, linear in between. */
  readonly velocity?: Vec3 | readonly Vec3[] | undefined;
  readonly masses?: readonly { readonly at: number; readonly mass: number }[] | undefined;
  /** α of the mass [1/s], and relaxation time β of all strains [s] (Kelvin–Voigt: rigid motions are not damped). */
  readonly damping?: { readonly mass: number; readonly stiffness: number } | undefined;
  readonly gravity?: Vec3 | undefined;
  /** Shares of the length where a node must stay, for drivers and ties. */
  readonly keep?: readonly number[] | undefined;
  /** Material points move to where the rod bends; false: they stay. */
  readonly sliding?: SlidingOptions | false | undefined;
  /** Nodes come and go; false: they do not. */
  readonly refinement?: RefinementOptions | false | undefined;
}

/** r-adaptivity (`mesh-motion.ts`). */
export interface SlidingOptions {
  /** θ_max/θ_min of the density (13). */
  readonly contrast: number;
  /** Rate at which material points go to where they are to be [1/s]. */
  readonly rate: number;
}

/** h-adaptivity (`adapt.ts`). Lengths relative to the mean spacing at the start. */
export interface RefinementOptions {
  /** Segments longer than this are split. */
  readonly longest: number;
  /** Segments shorter than this are collapsed. */
  readonly shortest: number;
  /** Turning angle above which the segments beside a node are split, while longer than `finest` [rad]. */
  readonly sharpest: number;
  /** Turning angles, of a node and its neighbours, below which a node beside short segments is taken out [rad]. */
  readonly flattest: number;
  /** Segments are not split below this by angle. */
  readonly finest: number;
  /** Bounds of the stiffness of segments that took over others, relative to the real one (both 1: neither stiffness nor length is changed). */
  readonly softest: number;
  readonly stiffest: number;
  /** Rate at which stiffness and length go back to the real ones [1/s]. */
  readonly recovery: number;
}

export const DEFAULT_SLIDING: SlidingOptions = { contrast: 1000, rate: 10 };

export const DEFAULT_REFINEMENT: RefinementOptions = {
  longest: 2,
  shortest: 0.2,
  sharpest: 0.6,
  flattest: 0.02,
  finest: 0.4,
  softest: 0.1,
  stiffest: 10,
  recovery: 10,
};
