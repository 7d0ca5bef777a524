/**
 * A model of lines, as things of other kinds touch it: a strand, a rod, the yarns of a fabric. Its segments lie between nodes; they come and go only
 * between two steps, in `adapt`.
 */
import type { Model } from './model.ts';
import { isNodeModel, type NodeModel } from './node-model.ts';

export interface LineModel extends NodeModel {
  /** Of its lines, the thickest where they differ [m]. */
  readonly radius: number;
  /** Coefficient of dry friction [1]. */
  readonly friction: number;
  /** Labels of the nodes at both ends of every segment, two each; the array is reused. */
  listSegments(): Int32Array;
  /** Velocity of the material at a node, ẋ − F u̇ [theory/eol#the-identity]: what rubs [m/s]. */
  writeNodeMaterialVelocity(label: number, out: Float64Array): void;
  /** Notes sign · force of a contact on a node, where what holds the node otherwise bears it [N]; left out where all that holds it is found from the residual. */
  pressNode?(label: number, force: Float64Array, sign: number): void;
}

export const isLineModel = (model: Model): model is LineModel => isNodeModel(model) && 'listSegments' in model;
