/** A continuum in the precision that suits it. */
import { HeddleError } from '../model/index.ts';
import { SingleContinuum, type SingleContinuumOptions } from './single.ts';
import { SingleState } from './single-state.ts';
import { Continuum } from './step.ts';

export const PRECISIONS = ['single', 'double'] as const;
export type Precision = (typeof PRECISIONS)[number];

export interface CreateContinuumOptions extends SingleContinuumOptions {
  /**
   * Default single where it can be: explicit steps, quadratic splines, full deformation, and WebAssembly with SIMD. Asked for, it is an error where the scene is other than that.
   */
  readonly precision?: Precision | undefined;
}

export type AnyContinuum = Continuum | SingleContinuum;

export const createContinuum = (options: CreateContinuumOptions): AnyContinuum => {
  const { precision } = options;
  const isPlain =
    options.implicit !== true && (options.degree ?? 2) === 2 && (options.deformation ?? 'full') === 'full';
  if (precision === 'single' && !isPlain)
    throw new HeddleError(
      'Single precision supports only explicit steps, quadratic splines and full deformation; remove precision or set it to "double".',
    );
  return precision !== 'double' && isPlain && SingleState.isPossible
    ? new SingleContinuum(options)
    : new Continuum(options);
};
