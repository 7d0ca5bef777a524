/**
 * The linear system of a sheet: its part of the world's, and what fills it. Steps and what settles a sheet after a remeshing share it, so that a
 * mesh is analysed once.
 */
import { MeshPart, NODE_LAGRANGIAN } from '../model/index.ts';
import { SheetAssembly } from './assembly.ts';
import { type SheetState, STRIDE } from './state.ts';

export class SheetSystem {
  readonly part: MeshPart;
  readonly assembly = new SheetAssembly();

  constructor(id: string, state: SheetState) {
    this.part = new MeshPart(id, state.mesh.pattern, listSizes(state), state.mesh.isAcross);
  }

  /** Sizes the system for the present mesh and kinds of its vertices, if it is not: three unknowns an L-vertex, five an E-vertex. */
  fit(state: SheetState): void {
    const { pattern, isAcross } = state.mesh;
    const { matrix } = this.part;
    const sizes = listSizes(state);
    const isSame = matrix.pattern === pattern && sizes.every((size, i) => size === matrix.sizes[i]);
    if (!isSame) this.part.setPattern(pattern, sizes, isAcross);
  }
}

const listSizes = ({ kind }: SheetState): Uint8Array => kind.map((one) => (one === NODE_LAGRANGIAN ? 3 : STRIDE));
