/**
 * Materials of the continuum: what a user says, and the laws' numbers that follow.
 *
 *   surfaces   λ, μ of plane stress, so that a strip has Young's modulus E when pulled ([Jiang 2017] does not say which it takes)
 *   curves     λ, μ of the cross-section (plane strain); fibre stiffness k: k times the section is the axial stiffness
 *   friction   surfaces c_F = tan Φ; curves along the fibre β = tan Φ against a stress by one of `ALONG_FRICTIONS`, across it α by one of `CROSS_FRICTIONS`; sand by one of `SAND_FRICTIONS`
 *   damping    a time τ: C = C_skew + exp(−Δt/τ) C_sym ([Jiang 2017, Eq. 2] with 1 − ν = exp(−Δt/τ), so that the result does not depend on Δt)
 */
import { computeExp, computeLog, computeSineCosine } from '../math/index.ts';
import type { FluidLaw } from './energy-fluid.ts';
import type { GooLaw, SandFriction, SandLaw } from './yield-bulk.ts';
import type { AlongFriction, CurveLaw } from './yield-curve.ts';
import type { SurfaceLaw } from './yield-surface.ts';

/**
 * α of √J₂ + (α/2)(σ₂₂ + σ₃₃) ≤ 0 for a friction angle Φ:
 *   exact    2 sin Φ: Mohr–Coulomb in the plane across the fibres
 *   klar     2√2 · α_K, Klár et al.'s Drucker–Prager condition in two dimensions
 *   printed  α_K = √(2/3) · 2 sin Φ/(3 − sin Φ) as the paper prints it: Φ = 40° then acts as 12.9°
 */
export const CROSS_FRICTIONS = ['exact', 'klar', 'printed'] as const;
export type CrossFriction = (typeof CROSS_FRICTIONS)[number];

/** √(2/3) · 2 sin Φ/(3 − sin Φ), the root over 2/3 only. */
export const computeKlarFriction = (angle: number): number => {
  const sine = computeSineCosine(angle)[0];
  return (Math.sqrt(2 / 3) * 2 * sine) / (3 - sine);
};

export const computeCrossFriction = (angle: number, rule: CrossFriction): number =>
  rule === 'exact'
    ? 2 * computeSineCosine(angle)[0]
    : rule === 'klar'
      ? 2 * Math.SQRT2 * computeKlarFriction(angle)
      : computeKlarFriction(angle);

const computeTangent = (angle: number): number => {
  const [sine, cosine] = computeSineCosine(angle);
  return sine / cosine;
};

/** What every material has. */
interface MaterialBase {
  /** [kg/m³] */
  readonly density: number;
  /** τ [s]: how long motion other than rigid lives in a particle. Default Infinity: no damping. */
  readonly dampingTime?: number | undefined;
  /** How long a particle remembers what its grid does not show of its velocity [s]; 0 is APIC. Default 0.02 for surfaces and curves, 0 for bulk. */
  readonly memory?: number | undefined;
}

interface ElasticNumbers {
  /** E [Pa] */
  readonly youngsModulus: number;
  /** ν [1] */
  readonly poissonRatio: number;
}

interface ContactNumbers {
  /** γ: shear of what is pressed together [Pa]. */
  readonly shearStiffness: number;
  /** Stretch less 1 at which an element tears [1]: it carries nothing from then on. Default Infinity. */
  readonly breakingStrain?: number | undefined;
  /** m ≥ 1: elements tear at strains of their own, of which `breakingStrain` is the mean (`strength.ts`). Default: all at that. */
  readonly weibullModulus?: number | undefined;
  /** Of these strains. Default 1. */
  readonly breakingSeed?: number | undefined;
  /** Φ [rad] */
  readonly frictionAngle: number;
}

export interface SurfaceMaterial extends MaterialBase, ElasticNumbers, ContactNumbers {
  readonly type: 'surface';
  /** [m] */
  readonly thickness: number;
  /** k: against compression across the surface [Pa]. */
  readonly normalStiffness: number;
  /** D [N m]: moment over curvature, per width (`bending-surface.ts`). Default 0, as in the paper. */
  readonly bendingRigidity?: number | undefined;
}

export interface CurveMaterial extends MaterialBase, ElasticNumbers, ContactNumbers {
  readonly type: 'curve';
  /** Of the fibre [m]. */
  readonly radius: number;
  /** k: against stretch along the fibre [Pa]. */
  readonly fibreStiffness: number;
  /** E I [N m²] (`bending-curve.ts`). Default 0, as in the paper. */
  readonly bendingStiffness?: number | undefined;
  /** Default exact. */
  readonly crossFriction?: CrossFriction | undefined;
  /** Default exact. */
  readonly alongFriction?: AlongFriction | undefined;
}

export interface SandMaterial extends MaterialBase, ElasticNumbers {
  readonly type: 'sand';
  /** Φ [rad] */
  readonly frictionAngle: number;
  /** Default exact. */
  readonly sandFriction?: SandFriction | undefined;
}

export interface GooMaterial extends MaterialBase, ElasticNumbers {
  readonly type: 'goo';
  /** In tension [Pa]; Infinity is an elastic solid. */
  readonly yieldStress: number;
  /** [Pa s] */
  readonly viscosity: number;
}

export interface FluidMaterial extends MaterialBase {
  readonly type: 'fluid';
  /** κ [Pa] */
  readonly bulkModulus: number;
  /** Default 7. */
  readonly exponent?: number | undefined;
  /** [Pa s], default 0. */
  readonly viscosity?: number | undefined;
}

export type BulkMaterial = SandMaterial | GooMaterial | FluidMaterial;
export type PointMaterial = SurfaceMaterial | CurveMaterial | BulkMaterial;

/** μ [Pa] */
const computeMu = ({ youngsModulus, poissonRatio }: ElasticNumbers): number => youngsModulus / (2 * (1 + poissonRatio));

/** λ [Pa] in three dimensions, and in plane strain. */
const computeLambda = ({ youngsModulus: e, poissonRatio: n }: ElasticNumbers): number =>
  (e * n) / ((1 + n) * (1 - 2 * n));

export const computeSurfaceLaw = (material: SurfaceMaterial): SurfaceLaw => ({
  mu: computeMu(material),
  lambda: (material.youngsModulus * material.poissonRatio) / (1 - material.poissonRatio * material.poissonRatio),
  normalStiffness: material.normalStiffness,
  shearStiffness: material.shearStiffness,
  friction: computeTangent(material.frictionAngle),
  breakingStrain: material.breakingStrain ?? Number.POSITIVE_INFINITY,
});

export const computeCurveLaw = (material: CurveMaterial): CurveLaw => ({
  mu: computeMu(material),
  lambda: computeLambda(material),
  fibreStiffness: material.fibreStiffness,
  shearStiffness: material.shearStiffness,
  acrossFriction: computeCrossFriction(material.frictionAngle, material.crossFriction ?? 'exact'),
  alongFriction: computeTangent(material.frictionAngle),
  alongRule: material.alongFriction ?? 'exact',
  breakingStrain: material.breakingStrain ?? Number.POSITIVE_INFINITY,
});

export const computeSandLaw = (material: SandMaterial): SandLaw => {
  const rule = material.sandFriction ?? 'exact';
  return {
    mu: computeMu(material),
    lambda: computeLambda(material),
    rule,
    friction:
      rule === 'exact' ? computeSineCosine(material.frictionAngle)[0] : computeKlarFriction(material.frictionAngle),
  };
};

export const computeGooLaw = (material: GooMaterial): GooLaw => ({
  mu: computeMu(material),
  lambda: computeLambda(material),
  flowStress: Math.sqrt(2 / 3) * material.yieldStress,
  viscosity: material.viscosity,
});

export const computeFluidLaw = (material: FluidMaterial): FluidLaw => ({
  bulkModulus: material.bulkModulus,
  exponent: material.exponent ?? 7,
  viscosity: material.viscosity ?? 0,
});

/** exp(−h/τ): what is left of something that fades in the time τ; 0 for τ = 0, 1 for τ = ∞. */
export const computeRemainder = (h: number, time: number): number =>
  time === Number.POSITIVE_INFINITY ? 1 : time > 0 ? computeExp(-h / time) : 0;

/** τ of the paper's per-step damping ν at its largest step Δt:  1 − ν = exp(−Δt/τ). */
export const computeDampingTime = (share: number, step: number): number =>
  share >= 1 ? 0 : share <= 0 ? Number.POSITIVE_INFINITY : -step / computeLog(1 - share);
