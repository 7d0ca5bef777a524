/**
 * An energy of a curve, one stencil of consecutive nodes at a time. Coordinates node by node: x, y, z, u.
 * The derivative tests, the docs tables and the energy report run over the registry `CURVE_ENERGIES`.
 */
import type { Vec3 } from '../math/index.ts';
import type { CurveMaterial } from './material.ts';

export interface CurveEnergy {
  readonly name: 'stretch' | 'bending' | 'gravity';
  readonly title: string;
  readonly formula: string;
  /** Consecutive nodes of one stencil. */
  readonly nodes: 2 | 3;
  /** Whether it is unchanged by rigid motion, so that its forces and torques sum to zero. */
  readonly internal: boolean;
  /** V of the stencil that starts at coordinate `at` of q [J]. */
  computeEnergy(q: ArrayLike<number>, at: number, material: CurveMaterial, gravity: Vec3): number;
  /** out += −∂V/∂q, `out` indexed like q. */
  addForce(q: ArrayLike<number>, at: number, material: CurveMaterial, gravity: Vec3, out: Float64Array): void;
  /** out += positive semi-definite stiffness, dense (4·nodes)², row-major. */
  addStiffness(q: ArrayLike<number>, at: number, material: CurveMaterial, gravity: Vec3, out: Float64Array): void;
}
