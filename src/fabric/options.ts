/** What a fabric is made from; see `Fabric`. Lengths in metres, angles in radians, times in seconds. */
import type { Body } from '../bodies/index.ts';
import type { CurveMaterial } from '../curve/index.ts';
import type { Vec3 } from '../math/index.ts';
import type { YarnNet } from './net.ts';

/** How the yarns of one layer act on each other where they cross. */
export interface LayerOptions {
  readonly name: string;
  /** L, rest spacing of crossings [m]: what stiffnesses and the safety distance of nodes are measured by. */
  readonly spacing: number;
  /** k_x [N/rad²]; 0: crossings turn freely. */
  readonly shearStiffness: number;
  /** k_w [N/rad²], of knits. */
  readonly wrappingStiffness: number;
  /** k_c [N/m²]: yarns side by side that cannot pass. */
  readonly parallelStiffness: number;
  /** k_f [N/m] of the spring that friction sticks by. */
  readonly frictionStiffness: number;
  /** N₀ [N]: load of a crossing in the cloth at rest, from its weaving or knitting. */
  readonly preload: number;
}

export interface FabricOptions {
  readonly id: string;
  readonly net: YarnNet;
  readonly materials: readonly CurveMaterial[];
  /** One for each layer of the net. */
  readonly layers: readonly LayerOptions[];
  /** μ of layer a on layer b at [a · layers + b]; within a layer on the diagonal. */
  readonly friction: Float64Array;
  /** What the fabric touches with its nodes. */
  readonly bodies?: readonly Body[] | undefined;
  /** μ against bodies that have none of their own. */
  readonly bodyFriction: number;
  /** α of the mass [1/s] and β of stretch, bending, shear and wrapping [s]. */
  readonly damping?: { readonly mass: number; readonly stiffness: number } | undefined;
  readonly gravity?: Vec3 | undefined;
  /** Velocity at the start, of all nodes. */
  readonly velocity?: Vec3 | undefined;
  /** Coordinates of nodes that change between EoL and EIL: as they are, or moved to the least energy (paper, appendix). */
  readonly transition?: 'keep' | 'optimise' | undefined;
  /** Whether contacts between layers go where they pull; default true. False: layers that lie on one another stay joined, as cloth in a pile does. */
  readonly removesContacts?: boolean | undefined;
  /** Contacts between layers while running; false: only those of the start. */
  readonly findsContacts?: boolean | undefined;
}
