/**
 * Cross-sections of a rod, and the numbers a rod computes with.
 *
 *   circle      A = π r²      I₁ = I₂ = π r⁴/4        J = π r⁴/2                                      k = 9/10
 *   ellipse     A = π a b     I₁ = π a b³/4, I₂ = π a³ b/4     J = π a³ b³/(a² + b²)                     k = 9/10
 *   rectangle   A = w t       I₁ = w t³/12, I₂ = t w³/12       J = w t³ (1/3 − 0.21 t/w (1 − t⁴/(12 w⁴)))  k = 5/6     (t ≤ w; else exchanged)
 *
 *   d₁ is the direction of a and w, d₂ that of b and t: bending about d₁ has E I₁. J: torsion constant (de Saint-Venant);
 *   k: shear correction [1]; G = E/(2 (1 + ν)). Inertia about d₁, d₂, d₃ per length: ρ I₁, ρ I₂, ρ (I₁ + I₂).
 *
 * [Wen 2020] prints r² for r⁴ in K and J [theory/rod#energies].
 */
import { completeMaterial, DEFAULT_FRICTION, HeddleError, type MaterialDescription } from '../model/index.ts';

export type RodSection =
  | { readonly shape: 'circle'; readonly radius: number }
  | { readonly shape: 'ellipse'; readonly a: number; readonly b: number }
  | { readonly shape: 'rectangle'; readonly width: number; readonly thickness: number };

/** What a rod computes with. Index 0, 1, 2: about (or along) d₁, d₂, d₃. */
export interface RodMaterial {
  /** ρA [kg/m] */
  readonly linearDensity: number;
  /** k G A along d₁, k G A along d₂, E A along d₃ [N]. */
  readonly stretch: readonly [number, number, number];
  /** E I₁, E I₂, G J [N m²]. */
  readonly bend: readonly [number, number, number];
  /** Rotary inertia per length [kg m]. */
  readonly inertia: readonly [number, number, number];
  /** Of the round tube that touches and is drawn [m]: half of the smaller width. */
  readonly radius: number;
  readonly friction: number;
}

interface SectionNumbers {
  readonly area: number;
  readonly first: number;
  readonly second: number;
  readonly torsion: number;
  readonly shear: number;
  readonly radius: number;
}

function measureSection(section: RodSection): SectionNumbers {
  switch (section.shape) {
    case 'circle': {
      const r = section.radius;
      const moment = (Math.PI * r * r * r * r) / 4;
      return { area: Math.PI * r * r, first: moment, second: moment, torsion: 2 * moment, shear: 0.9, radius: r };
    }
    case 'ellipse': {
      const { a, b } = section;
      return {
        area: Math.PI * a * b,
        first: (Math.PI * a * b * b * b) / 4,
        second: (Math.PI * a * a * a * b) / 4,
        torsion: (Math.PI * a * a * a * b * b * b) / (a * a + b * b),
        shear: 0.9,
        radius: Math.min(a, b),
      };
    }
    case 'rectangle': {
      const { width, thickness } = section;
      const [w, t] = [Math.max(width, thickness), Math.min(width, thickness)];
      return {
        area: w * t,
        first: (width * thickness * thickness * thickness) / 12,
        second: (thickness * width * width * width) / 12,
        torsion: w * t * t * t * (1 / 3 - ((0.21 * t) / w) * (1 - (t * t * t * t) / (12 * w * w * w * w))),
        shear: 5 / 6,
        radius: t / 2,
      };
    }
  }
}

/** Direct stiffnesses, each instead of the one derived from section and modulus. */
export interface RodOverrides {
  /** G J [N m²] */
  readonly twistStiffness?: number | undefined;
  /** k G A [N]: what couples the frame to the tangent. */
  readonly shearStiffness?: number | undefined;
}

/** `section`: default the circle of the material's radius. A `bendingStiffness` of the material is that about d₁; the others keep their ratio to it. */
export function computeRodMaterial(
  description: MaterialDescription,
  section?: RodSection,
  overrides: RodOverrides = {},
): RodMaterial {
  const material = completeMaterial(description);
  if (section === undefined && material.radius === undefined)
    throw new HeddleError('the material has no radius and the rod has no section; a rod needs one of the two.');
  const { area, first, second, torsion, shear, radius } = measureSection(
    section ?? { shape: 'circle', radius: material.radius! },
  );
  const linearDensity =
    material.linearDensity ?? (material.density === undefined ? undefined : material.density * area);
  const EA =
    material.stretchStiffness ?? (material.youngsModulus === undefined ? undefined : material.youngsModulus * area);
  if (linearDensity === undefined)
    throw new HeddleError('the material has neither density nor linearDensity; give one of the two.');
  if (EA === undefined)
    throw new HeddleError('the material has neither youngsModulus nor stretchStiffness; give one of the two.');
  const E = material.youngsModulus ?? EA / area;
  const G = E / (2 * (1 + (material.poissonRatio ?? 0.3)));
  const scale = material.bendingStiffness === undefined ? 1 : material.bendingStiffness / (E * first);
  const rho = linearDensity / area;
  const GA = overrides.shearStiffness ?? shear * G * area;
  return {
    linearDensity,
    stretch: [GA, GA, EA],
    bend: [scale * E * first, scale * E * second, overrides.twistStiffness ?? scale * G * torsion],
    inertia: [rho * first, rho * second, rho * (first + second)],
    radius,
    friction: material.friction ?? DEFAULT_FRICTION,
  };
}
