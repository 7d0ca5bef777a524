/**
 * What a world shows at one instant: the only thing exporters, the frame file and the view read.
 * Positions in metres, y up, right-handed. Topology may differ from frame to frame.
 */

/** Node kinds, as stored in `CurveFrame.kind`, `SurfaceFrame.kind` and `YarnsFrame.kind`. */
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
  /** Named values, one per node, for colour maps: speed [m/s], tension [N], strain [1], curvature [1/m]; of rods twist [rad/m]. */
  readonly fields: Readonly<Record<string, Float64Array>>;
}

/** A sheet: a triangle mesh whose topology may change from frame to frame. */
export interface SurfaceFrame {
  readonly type: 'surface';
  readonly id: string;
  /** [m] */
  readonly thickness: number;
  /** Material area of the whole sheet [m²]. */
  readonly restArea: number;
  /** World positions, 3 per vertex [m]. */
  readonly x: Float64Array;
  /** Material coordinates, 2 per vertex [m]. */
  readonly X: Float64Array;
  /** NODE_* per vertex. */
  readonly kind: Uint8Array;
  /** 3 vertices each, counter-clockwise in material space. */
  readonly triangles: Int32Array;
  /** Edges of the mesh along which the sheet bends sharply over an edge of a body, 2 vertices each. */
  readonly creases: Int32Array;
  /** Named values, one per vertex, for colour maps: speed [m/s], strain [1], stress [Pa], curvature [1/m]. */
  readonly fields: Readonly<Record<string, Float64Array>>;
}

/** Particles of a continuum. Their number may change: new ones come last, so that an index stays one particle. */
export interface PointsFrame {
  readonly type: 'points';
  readonly id: string;
  /** Drawn radius [m]. */
  readonly radius: number;
  /** World positions, 3 per particle [m]. */
  readonly x: Float64Array;
  /** Index into a palette, 1 per particle: one material each. */
  readonly group: Uint8Array;
  /** Named values, one per particle. */
  readonly fields: Readonly<Record<string, Float64Array>>;
}

/**
 * Yarns of one fabric: many curves in one object. A crossing is two nodes, one on each of its yarns, a thickness apart; `other` joins them.
 *
 *     yarn y   nodes start[y] … start[y + 1] − 1, in order along the material; some may have none
 */
export interface YarnsFrame {
  readonly type: 'yarns';
  readonly id: string;
  /** First node of each yarn, and the number of nodes at the end. */
  readonly start: Int32Array;
  /** Radius of each yarn [m]. */
  readonly radius: Float64Array;
  /** Material length of each yarn [m]. */
  readonly restLength: Float64Array;
  /** Layer of each yarn; the lowest is 0. */
  readonly layer: Uint8Array;
  /** Group of each yarn: of weaves 0 warp, 1 weft; of knits the carrier. */
  readonly group: Uint8Array;
  /** World positions of centre lines, 3 per node [m]: crests and troughs where yarns pass over and under each other. */
  readonly x: Float64Array;
  /** Material coordinates, 1 per node, increasing along each yarn [m]. */
  readonly u: Float64Array;
  /** NODE_* per node. */
  readonly kind: Uint8Array;
  /** Node of the other yarn of the same crossing, 1 per node; −1 where there is none. */
  readonly other: Int32Array;
  /**
   * Named values, one per node, for colour maps: speed [m/s], tension [N], strain [1], curvature [1/m], load [N] that presses
   * the yarns of a crossing together, slip [m/s] of one on the other.
   */
  readonly fields: Readonly<Record<string, Float64Array>>;
}

export type ObjectFrame = CurveFrame | SurfaceFrame | PointsFrame | YarnsFrame;

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
