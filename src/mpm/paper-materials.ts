/**
 * The materials of the paper's examples, as its Tables 1 and 2 print them.   [Jiang 2017]
 * Numbers are taken as SI. Columns: ρ, E, η (Poisson's ratio), γ, k, Φ_F [°], ν per step, Δt [s], Δx [m]. Thickness and radius are not in the
 * tables: a user gives them. k is `normalStiffness` of surfaces and `fibreStiffness` of curves.
 */
import { HeddleError } from '../model/index.ts';
import { type CurveMaterial, computeDampingTime, type SurfaceMaterial } from './material.ts';

export interface PaperMaterial {
  readonly name: string;
  /** The figure that shows it. */
  readonly figure: number;
  readonly type: 'surface' | 'curve';
  readonly density: number;
  readonly youngsModulus: number;
  readonly poissonRatio: number;
  readonly shearStiffness: number;
  /** k of the table [Pa]. */
  readonly stiffness: number;
  /** [°] */
  readonly frictionAngle: number;
  /** ν of Eq. 2, per step of the length `step`. */
  readonly damping: number;
  /** Largest step [s] and spacing of the grid [m] in Table 2. */
  readonly step: number;
  readonly spacing: number;
}

const row = (
  name: string,
  figure: number,
  type: 'surface' | 'curve',
  numbers: readonly [number, number, number, number, number, number, number],
  step: number,
  spacing: number,
): PaperMaterial => {
  const [density, youngsModulus, poissonRatio, shearStiffness, stiffness, frictionAngle, damping] = numbers;
  return {
    name,
    figure,
    type,
    density,
    youngsModulus,
    poissonRatio,
    shearStiffness,
    stiffness,
    frictionAngle,
    damping,
    step,
    spacing,
  };
};

export const PAPER_MATERIALS: readonly PaperMaterial[] = [
  row('cloth-curtain', 14, 'surface', [2, 400, 0.3, 0, 800, 0, 0.8], 7e-5, 2.2e-3),
  row('cloth-curtains', 1, 'surface', [2, 400, 0.3, 0, 800, 0, 0.8], 7e-5, 2.2e-3),
  row('cloth-ball', 3, 'surface', [2, 200, 0.3, 0, 100, 0, 0.7], 1e-4, 1.5e-3),
  row('cloth-twister', 4, 'surface', [2, 200, 0.3, 0, 400, 0, 0.1], 7e-5, 3e-3),
  row('knit-sweater', 7, 'curve', [4, 500, 0.3, 100, 500, 10, 1], 1e-4, 1e-2),
  row('knit-poncho', 17, 'curve', [4, 500, 0.3, 500, 2000, 40, 1], 5e-5, 1.6e-2),
  row('knit-twister', 5, 'curve', [4, 500, 0.3, 500, 2000, 40, 1], 2e-4, 1.6e-2),
  row('knit-curtain', 14, 'curve', [4, 500, 0.3, 500, 500, 20, 1], 1e-4, 4e-3),
  row('knit-anisotropy', 15, 'curve', [4, 500, 0.3, 0, 10000, 0, 1], 5e-5, 7e-4),
  row('shag-carpet', 2, 'curve', [2, 400, 0.3, 0, 800, 0, 0.8], 1e-4, 1e-2),
  row('tearing-fibre', 6, 'curve', [4, 100, 0.3, 500, 8000, 40, 0.5], 1e-4, 3.2e-2),
  row('hair-tubes', 13, 'curve', [1, 60, 0.3, 10, 2000, 15, 0.07], 2e-4, 7e-3),
  row('curtain-goo', 19, 'surface', [2, 400, 0.3, 0, 40000, 0, 1], 2e-4, 7.5e-3),
  row('cloth-slime', 18, 'surface', [2.5, 15000, 0.35, 0, 20000, 0, 0.85], 2e-4, 1.2e-2),
  row('curtain-sand', 19, 'surface', [2, 400, 0.3, 0, 200000, 0, 0], 2e-4, 7.2e-3),
  row('cloth-sand', 9, 'surface', [2, 200, 0.3, 0, 40000, 0, 0], 1e-4, 5e-3),
];

const findPaperMaterial = (name: string, type: 'surface' | 'curve'): PaperMaterial => {
  const found = PAPER_MATERIALS.find((material) => material.name === name && material.type === type);
  if (found) return found;
  const known = PAPER_MATERIALS.filter((material) => material.type === type).map((material) => material.name);
  throw new HeddleError(`The paper has no ${type} material "${name}"; it has ${known.join(', ')}.`);
};

const commonNumbers = (paper: PaperMaterial) => ({
  density: paper.density,
  youngsModulus: paper.youngsModulus,
  poissonRatio: paper.poissonRatio,
  shearStiffness: paper.shearStiffness,
  frictionAngle: (paper.frictionAngle * Math.PI) / 180,
  dampingTime: computeDampingTime(paper.damping, paper.step),
});

/** A surface of the paper by name, of a given thickness [m]. */
export const createPaperSurface = (name: string, thickness: number): SurfaceMaterial => {
  const paper = findPaperMaterial(name, 'surface');
  return { type: 'surface', thickness, normalStiffness: paper.stiffness, ...commonNumbers(paper) };
};

/** A curve of the paper by name, of a given radius [m]. */
export const createPaperCurve = (name: string, radius: number): CurveMaterial => {
  const paper = findPaperMaterial(name, 'curve');
  return { type: 'curve', radius, fibreStiffness: paper.stiffness, ...commonNumbers(paper) };
};
