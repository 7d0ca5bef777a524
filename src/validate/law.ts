/**
 * What a law is: a statement of mechanics with a number that can be predicted without the engine and measured on it. A law is one entry of `LAWS`
 * (laws.ts); the set-up of its measurement and its prediction live in one file, and nowhere else.
 */

/** Models in the order of the report. */
export const LAW_MODELS = ['strand', 'rod', 'sheet', 'fabric', 'mpm', 'bodies'] as const;

export type LawModel = (typeof LAW_MODELS)[number];

/**
 * Stiffnesses that a set-up can be made with a wrong value of: axial EA, shear GA, bending EI, torsional GJ of curves; membrane and bending of sheets; shear of
 * crossings k_x; of continua Young's modulus E, stiffness k of fibres and γ of what holds fibres and sheets together, bulk modulus K of fluids, bending
 * rigidity D of cloth.
 */
export const STIFFNESSES = [
  'EA',
  'GA',
  'EI',
  'GJ',
  'membrane',
  'bending',
  'shear',
  'E',
  'k',
  'gamma',
  'K',
  'D',
] as const;

export type Stiffness = (typeof STIFFNESSES)[number];

/** Factors on stiffnesses: what a deliberate fault multiplies them by; 1 where nothing is said. */
export type Faults = Readonly<Partial<Record<Stiffness, number>>>;

/** Factor of a stiffness. */
export const faultOf = (faults: Faults, stiffness: Stiffness): number => faults[stiffness] ?? 1;

interface LawBase {
  /** Short name, with that of the model in front: `rod-cantilever`. */
  readonly name: string;
  readonly model: LawModel;
  /** The statement, with its equation. */
  readonly title: string;
  /** Who says so: where the equation or the test comes from. */
  readonly source: string;
  /** What is varied, with its unit: `w L³/EI [1]`. */
  readonly parameter: string;
  readonly parameters: readonly number[];
  /** What is predicted and measured, with its unit. */
  readonly quantity: string;
  /** On which the measured number depends: a factor of 1.1 on any of them has to be noticed. */
  readonly stiffnesses: readonly Stiffness[];
  /** What is refined and how far, coarse first; empty where there is no error of discretisation. */
  readonly resolution?: { readonly name: string; readonly values: readonly number[] };
  /** Least order of convergence of all errors together, where the discretisation promises one. */
  readonly order?: number;
  /** How the report draws it; axes are linear where nothing is said. */
  readonly plot?: {
    readonly isLogarithmicX?: boolean;
    readonly isLogarithmic?: boolean;
    /** Whether the predicted curve is drawn between the parameters, too: not where a prediction takes long. Default true. */
    readonly isSampled?: boolean;
  };
  predict(parameter: number): number;
}

/** A law of a number: measured and compared. */
export interface ValueLaw extends LawBase {
  readonly kind: 'value';
  /** Largest error; 0.01 where nothing is said. */
  readonly tolerance?: number;
  /** What an error is relative to; the predicted number where nothing is said. */
  readonly scale?: (parameter: number) => number;
  /** At a resolution, 0 where there is none to choose. */
  measure(parameter: number, resolution: number, faults: Faults): number;
}

/** A law of a threshold: looked at a little below and a little above what is predicted. */
export interface ThresholdLaw extends LawBase {
  readonly kind: 'threshold';
  /** How far to either side, relative; 0.02 where nothing is said. */
  readonly margin?: number;
  /** Whether it has given way (buckled, slid, left its plane) at `value`. */
  givesWay(parameter: number, value: number, resolution: number, faults: Faults): boolean;
}

export type Law = ValueLaw | ThresholdLaw;

export const TOLERANCE = 0.01;
export const MARGIN = 0.02;
