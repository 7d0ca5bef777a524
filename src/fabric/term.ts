/**
 * One term of a fabric's energy: V of one stencil with its gradient and Hessian in the coordinates of the stencil. An instance owns
 * its buffers; a loop sets the public parameters and calls `set` for one stencil after the other.
 *
 * Coordinates of a crossing are x, y, z, u, v; a stencil has only those that its term depends on, in the order its file gives. On a weft
 * the material coordinate of a node is v; files write u for either.
 */
export interface FabricTerm {
  /** Coordinates of the stencil. */
  readonly size: number;
  /** V [J]. */
  readonly energy: number;
  /** ∂V/∂q; forces are its negative. */
  readonly gradient: Float64Array;
  /** size × size, row-major. */
  readonly hessian: Float64Array;
  /** Takes a stencil. The Hessian is ∂²V/∂q² if `isExact`, else a positive semi-definite matrix near it. */
  set(q: ArrayLike<number>, isExact: boolean): void;
}

/**
 * Derivatives in vectors, w_p = Σ_i map[p][i] x_i, carried over to nodes: adds Σ map[p][i] g_p to the gradient and
 * Σ map[p][i] map[q][j] H_pq to the Hessian. Node i has its x at coordinate stride · i.
 */
export function addFromVectors(
  map: readonly (readonly number[])[],
  stride: number,
  gradient: Float64Array,
  hessian: Float64Array,
  term: { size: number; gradient: Float64Array; hessian: Float64Array },
): void {
  const [vectors, nodes, { size }] = [map.length, map[0].length, term];
  for (let p = 0; p < vectors; p++)
    for (let i = 0; i < nodes; i++) {
      const mine = map[p][i];
      if (mine === 0) continue;
      for (let r = 0; r < 3; r++) term.gradient[stride * i + r] += mine * gradient[3 * p + r];
      for (let q = 0; q < vectors; q++)
        for (let j = 0; j < nodes; j++) {
          const both = mine * map[q][j];
          if (both === 0) continue;
          for (let r = 0; r < 3; r++)
            for (let c = 0; c < 3; c++)
              term.hessian[(stride * i + r) * size + stride * j + c] +=
                both * hessian[(3 * p + r) * 3 * vectors + 3 * q + c];
        }
    }
}
