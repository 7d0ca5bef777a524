/** Sizes of shapes, checked. */
import { HeddleError } from '../model/errors.ts';

export const requireSize = (shape: string, name: string, value: number): number => {
  if (Number.isFinite(value) && value > 0) return value;
  throw new HeddleError(`The ${name} of a ${shape} is ${value} m; it must be a finite number > 0.`);
};
