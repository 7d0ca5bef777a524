/** Laws that several models obey: what falls, and what slides down a slope. A model brings its measurement. */

import type { LawModel, ThresholdLaw, ValueLaw } from './law.ts';

const G = 9.81;

/** Free fall by ½ g t² in t = 0.5 s, exact with the second-order integrator. */
export const createFallLaw = (model: LawModel, measure: (g: number) => number): ValueLaw => ({
  name: `${model}-fall`,
  model,
  kind: 'value',
  title: `a ${model} falls freely by ½ g t²`,
  source: 'Galileo',
  parameter: 'g [m/s²]',
  parameters: [1.62, 9.81, 24.8],
  quantity: 'fall in 0.5 s [m]',
  stiffnesses: [],
  tolerance: 1e-9,
  predict: (g) => 0.125 * g,
  measure,
});

/** The slope at which `noun` begins to slide. */
export const createSlopeLaw = (
  model: LawModel,
  noun: string,
  parameters: readonly number[],
  slides: (mu: number, tangent: number) => boolean,
): ThresholdLaw => ({
  name: `${model}-slope`,
  model,
  kind: 'threshold',
  title: `${noun} on a slope slides above tan α = μ`,
  source: 'Coulomb 1785',
  parameter: 'μ [1]',
  parameters,
  quantity: 'tan α at which it slides [1]',
  stiffnesses: [],
  predict: (mu) => mu,
  givesWay: slides,
});

/** How fast `noun` becomes faster on a slope, with a friction of 0.4. */
export const createSlideLaw = (
  model: LawModel,
  noun: string,
  given: Pick<ValueLaw, 'parameters' | 'quantity' | 'measure'> & Partial<ValueLaw>,
): ValueLaw => ({
  name: `${model}-slide`,
  model,
  kind: 'value',
  title: `${noun} slides down a slope with g (sin α − μ cos α), μ = 0.4`,
  source: 'Coulomb 1785',
  parameter: 'tan α [1]',
  stiffnesses: [],
  predict: (tangent) => G * (tangent - 0.4) * Math.cos(Math.atan(tangent)),
  ...given,
});
