/**
 * A curve as contacts see it: nodes of a chain whose unknown velocities lie in one part of the system, `stride` apart.
 * Rods offer it; contacts between curves and with bodies are couplings that work on nothing else.
 *
 *     unknowns of node i     stride·i + 0 … 2   ẋ      stride·i + 3   u̇      stride·i + 4 …   the model's own
 *
 * The velocity of the material at a node is ẋ − F u̇ [theory/eol#the-identity]: friction uses it; gaps close with ẋ.
 */
import type { CurveChain } from './chain.ts';

export interface TouchingCurve {
  readonly id: string;
  /** Nodes and segments as they are now; their number changes only in `adapt`. Coordinates with CANCEL_* bits do not move by Δ. */
  readonly chain: CurveChain;
  /** Unknowns a node. */
  readonly stride: number;
  /** [m] */
  readonly radius: number;
  /** Coefficient of dry friction [1]; of two curves the geometric mean holds. */
  readonly friction: number;
  /** Adds a contact force on node i, for what shows forces and for reactions [N]; cleared by `clearContactForces`. */
  addContactForce(i: number, fx: number, fy: number, fz: number): void;
  clearContactForces(): void;
  /** Place of a node among the others, −1 where there is none of that label now. */
  indexOf(label: number): number;
  /** A node at material coordinate u [m], between two steps: a new one, or the one that is there or too near; returns its label, −1 where none may be. */
  insertNode(u: number): number;
  /** Lets material slide through a node whose position contacts hold (its u̇ is an unknown), or ends that. */
  setSliding(label: number, isSliding: boolean): void;
  /**
   * Keeps u̇ of a sliding node as it is for the rest of the step, or lets it go again. Between a solve and its correction: the node's slide is
   * taken out of that. Left out by curves whose nodes may slide wherever they are.
   */
  holdMaterial?(label: number, isHeld: boolean): void;
  /** Moves a node whose u̇ is held along the curve, by du of material [m]. */
  slideNode?(label: number, du: number): void;
}
