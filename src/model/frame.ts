/**
 * What a world shows at one instant: the only thing exporters, the frame file and the view read.
 * Positions in metres, y up, right-handed. Topology may differ from frame to frame.
 */

/** Node kinds, as stored in `CurveFrame.kind`. */
export const NODE_LAGRANGIAN = 0;
export const NODE_EULERIAN = 1;
export const NODE_EIL = 2;

/** A strand, rod or yarn: a polyline of nodes in order along the material. */
export interface CurveFrame {
  readonly type: 'curve';
  readonly id: string;
  readonly closed: boolean;
  /** Radius of the tube [m]. */
  readonly radius: number;
  /** Material length of the whole curve [m]. */
  readonly restLength: number;
  /** World positions, 3 per node [m]. */
  readonly x: Float64Array;
  /** Material coordinates, 1 per node, increasing [m]. */
  readonly u: Float64Array;
  /** NODE_* per node. */
  readonly kind: Uint8Array;
  /** Named values, one per node, for colour maps: speed [m/s], tension [N], strain [1], curvature [1/m]. */
  readonly fields: Readonly<Record<string, Float64Array>>;
}

/** Later models add their own: surfaces (sheet), points (mpm). */
export type ObjectFrame = CurveFrame;

/** Pose of a body; its shape is in the scene. */
export interface BodyFrame {
  readonly id: string;
  readonly position: readonly [number, number, number];
  /** Unit quaternion x, y, z, w. */
  readonly orientation: readonly [number, number, number, number];
}

/** Forces that bodies and constraints put on the material, for arrows. */
export interface ForceFrame {
  /** `contact`: of bodies and other strands, friction included; `constraint`: of pins, drivers, guides, ties, a hand. */
  readonly kind: 'contact' | 'constraint';
  /** The object that they act on. */
  readonly id: string;
  /** Where they act, 3 per force [m]. */
  readonly x: Float64Array;
  /** Force on the material, 3 per force [N]. */
  readonly f: Float64Array;
}

export interface Frame {
  readonly time: number;
  readonly step: number;
  readonly objects: readonly ObjectFrame[];
  readonly bodies: readonly BodyFrame[];
  readonly forces: readonly ForceFrame[];
}
