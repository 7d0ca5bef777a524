/** A continuum in the precision that suits it. */
import { HeddleError } from '../model/index.ts';
import { SingleContinuum, type SingleContinuumOptions } from './single.ts';
import { SingleState } from './single-state.ts';
import type { PointPart } from './state.ts';
import { Continuum } from './step.ts';

export const PRECISIONS = ['single', 'double'] as const;
export type Precision = (typeof PRECISIONS)[number];

export interface CreateContinuumOptions extends SingleContinuumOptions {
  /**
   * Default single where it can be: explicit steps, quadratic splines, full deformation, no bending, nothing that tears, and WebAssembly with SIMD. Asked for, it is an error where the scene is other than that.
   */
  readonly precision?: Precision | undefined;
}

export type AnyContinuum = Continuum | SingleContinuum;

/** Whether a part has what single precision has not. */
const needsDouble = ({ material }: PointPart): boolean =>
  ('breakingStrain' in material && (material.breakingStrain ?? Number.POSITIVE_INFINITY) < Number.POSITIVE_INFINITY) ||
  ('bendingRigidity' in material && (material.bendingRigidity ?? 0) > 0) ||
  ('bendingStiffness' in material && (material.bendingStiffness ?? 0) > 0);

export const createContinuum = (options: CreateContinuumOptions): AnyContinuum => {
  const { precision } = options;
  const isPlain =
    options.implicit !== true &&
    (options.degree ?? 2) === 2 &&
    (options.deformation ?? 'full') === 'full' &&
    !options.parts.some(needsDouble);
  if (precision === 'single' && !isPlain)
    throw new HeddleError(
      'Single precision has explicit steps, quadratic splines, full deformation, no bending and nothing that tears; leave precision away or make it "double".',
    );
  return precision !== 'double' && isPlain && SingleState.isPossible
    ? new SingleContinuum(options)
    : new Continuum(options);
};
