/**
 * A model whose nodes can be held, driven, pushed and tied from outside. A label names a node for good, whatever its place among
 * the others; a node may be away for a while (remeshed, slipped out).
 */
import type { Model } from './model.ts';
import type { ConstraintRows } from './part.ts';

export interface NodeModel extends Model {
  hasNode(label: number): boolean;
  /** World position of the current iterate [m]. */
  writeNodePosition(label: number, out: Float64Array): void;
  /** ẋ of the current iterate [m/s]. */
  writeNodeVelocity(label: number, out: Float64Array): void;
  /** World position that the implicit stage starts from [m]. */
  writeNodeBase(label: number, out: Float64Array): void;
  /** Holds world components (CANCEL_* bits) of the node for this step. */
  holdNode(label: number, bits: number): void;
  /** Velocity of a held component k in the stage to come [m/s]. */
  aimNode(label: number, k: number, speed: number): void;
  /** Pushes the node with a force for this step [N]. */
  pushNode(label: number, force: ArrayLike<number>): void;
  /** Adds sign · ẋ_k of the node to the last row; what is held does not move by Δ. */
  addNodeRow(rows: ConstraintRows, part: number, label: number, k: number, sign: number): void;
  /** Forgets the forces of ties on a node: what holds it otherwise stays. */
  clearTieForce(label: number): void;
  /** Adds sign · force of a tie on a node [N]. */
  addTieForce(label: number, force: Float64Array, sign: number): void;
}

/** A node of a model, by its label. */
export interface NodePoint {
  readonly model: NodeModel;
  readonly label: number;
}
