/**
 * Yarns and where they meet: what a pattern makes and a fabric starts from. All layers of one fabric, in flat arrays.
 *
 *     node   x, and up to two sides: yarn[2i] at u[2i], yarn[2i + 1] at u[2i + 1]; the second yarn is −1 where there is only one
 *
 * Layers lie on one another without thickness, layer 0 lowest: the side of a node that belongs to the higher layer is on top. Within a layer `over`
 * says which yarn is. Up is along the layer's normal, n = (direction of the first yarn × direction of the second)/|…| times `turn` of the node.
 */

/** What a node is. */
export const ROLE_CROSSING = 0;
/** One yarn, fixed in its material: an end, or a point between crossings. */
export const ROLE_POINT = 1;
/** Two yarns of different layers that slide on one another. */
export const ROLE_BETWEEN = 2;
/** Two yarns sewn together: neither slides. */
export const ROLE_STITCH = 3;
/** One yarn on a sharp edge of a body, over which it slides. */
export const ROLE_EDGE = 4;

export interface YarnNet {
  /** Material length of each yarn [m]; coordinates run from 0 to it. */
  readonly yarnLength: Float64Array;
  /** Index of each yarn's material in `FabricOptions.materials`. */
  readonly yarnMaterial: Uint16Array;
  /** Layer of each yarn; the lowest is 0. */
  readonly yarnLayer: Uint16Array;
  /** Group of each yarn, for colours and probes: of weaves 0 warp, 1 weft; of knits the carrier. */
  readonly yarnGroup: Uint8Array;
  /** Places of the nodes, 3 each [m]. */
  readonly x: Float64Array;
  /** Yarns of each node, 2 each; −1 for none. */
  readonly yarn: Int32Array;
  /** Material coordinates, 2 each [m]. */
  readonly u: Float64Array;
  /** ROLE_* of each node. */
  readonly role: Uint8Array;
  /** 1 where the first yarn lies on top, −1 where the second does, 0 where there is only one. */
  readonly over: Int8Array;
  /** 1 or −1: whether (first yarn × second yarn) points up out of the layer. */
  readonly turn: Int8Array;
  /** Pairs of nodes between which the same two yarns wind round each other (knits), 2 each. */
  readonly wraps: Int32Array;
}
