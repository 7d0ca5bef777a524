/** A few nodes in a row of a chain as EoL material, for the transfer of velocities when nodes come or go (`eol/transfer.ts`). */
import type { EolPatch } from '../eol/index.ts';
import type { CurveChain } from './chain.ts';

export class CurvePatch implements EolPatch {
  readonly dimension = 1;
  readonly density: number;
  readonly q: Float64Array;
  readonly elements: Int32Array;
  readonly velocity: Float64Array;
  /** 1 for coordinates whose velocity stays. */
  readonly held: Uint8Array;

  constructor(nodes: number, density: number) {
    this.density = density;
    this.q = new Float64Array(4 * nodes);
    this.velocity = new Float64Array(4 * nodes);
    this.held = new Uint8Array(4 * nodes);
    this.elements = Int32Array.from({ length: 2 * (nodes - 1) }, (_, k) => (k >> 1) + (k & 1));
  }
}

/** Patches of one chain, kept by their number of nodes. */
export class CurvePatches {
  readonly #patches: CurvePatch[] = [];

  /** Nodes from … to with their velocities. The patch is reused for the next one of as many nodes. */
  read({ q, v, material }: CurveChain, from: number, to: number): CurvePatch {
    const nodes = to - from + 1;
    const patch = (this.#patches[nodes] ??= new CurvePatch(nodes, material.linearDensity));
    for (let k = 0; k < 4 * nodes; k++) {
      patch.q[k] = q[4 * from + k];
      patch.velocity[k] = v[4 * from + k];
    }
    return patch;
  }
}
