/**
 * A model whose nodes can be held, driven, pushed and tied from outside. A label names a node for good, whatever its place among
 * the others; a node may be away for a while (remeshed, slipped out).
 */
import type { Model } from './model.ts';
import type { ConstraintRows } from './part.ts';
import type { StateReader, StateWriter } from './state.ts';

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
  /** [kg] */
  computeMass(): number;
  /** Labels of the nodes in the order of the frame; of models that show several, of the one with that id. */
  frameLabels(id?: string): Int32Array<ArrayBuffer>;
  /** Names of its frames, where they are not its own. */
  readonly frameIds?: readonly string[];
  /** Takes the material at a node; undefined where there is no such node now. `place`: takes again what was taken with that place, wherever the node is by now. */
  takeMaterial(label: number, place?: readonly number[]): MaterialGrip | undefined;
  /** What a hand's spring acts on in a model that has no unknowns in the system: it is felt in the model's own steps. */
  readonly hand?: ModelHand;
}

export const isNodeModel = (model: Model): model is NodeModel => 'takeMaterial' in model;

/** Material of a model that a hand holds (`world/grab.ts`), and how strong the hand must be. */
export interface MaterialGrip {
  /** Label of the node that stands for the material now: it may have gone, or let other material slide through. */
  findNode(): number;
  /** Where in the material it is: with the label all that takes the same again. */
  readonly place: readonly number[];
  /** Mass of the whole model [kg]. */
  readonly mass: number;
  /** Its size [m]. */
  readonly size: number;
  /** How stiff it is as a whole, pulled at its ends [N/m]. */
  readonly stiffness: number;
}

/** The end of a hand's spring in a model that steps for itself. */
export interface ModelHand {
  /** Mean force of the spring in the last step [N]. */
  readonly force: Float64Array;
  /** Takes the material at a node with a spring [N/m] and a damper [N s/m]. */
  take(label: number, stiffness: number, damping: number): void;
  /** Where it is pulled to [m]. */
  drag(point: ArrayLike<number>): void;
  release(): void;
  /** What it holds, while it does. */
  writeState(writer: StateWriter): void;
  readState(reader: StateReader): void;
  /** Where what is held is [m]. */
  writePlace(out: Float64Array): void;
}

/** A node of a model, by its label. */
export interface NodePoint {
  readonly model: NodeModel;
  readonly label: number;
}
