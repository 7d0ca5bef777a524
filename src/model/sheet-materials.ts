/**
 * Materials of sheets: how a user describes one, the named ones that come with Heddle, and the numbers a sheet needs.
 *
 *   k₁, k₂   tensile stiffness: force per width over strain of a strip, warp and weft [N/m]; E t of a homogeneous sheet
 *   ν        Poisson's ratio, √(ν₁₂ν₂₁) where warp and weft differ
 *   C₁₁ = k₁/(1 − ν²),  C₂₂ = k₂/(1 − ν²),  C₁₂ = ν √(C₁₁C₂₂),  C₃₃ = shear stiffness, else √(k₁k₂)/(2 + 2ν)      [N/m]
 *   B = C t²/12 of a homogeneous sheet of thickness t; of cloth, whose fibres slide past each other as it bends, far less:
 *   b₁, b₂   bending rigidity per width [N m]:  B₁₁ = b₁,  B₂₂ = b₂,  B₁₂ = 0,  B₃₃ = ½ √(b₁b₂)
 *
 * Textile tests: a cantilever or the Kawabata system KES-F. 1 gf cm²/cm = 9.81e-5 N m, 1 gf/(cm degree) = 56.2 N/m; EMT is the
 * strain at 500 gf/cm = 490 N/m.
 */
import { HeddleError } from './errors.ts';
import { DEFAULT_FRICTION } from './materials.ts';

/** What a sheet computes with: mass, stretch, shear and bending per area, along warp (X₁) and weft (X₂). */
export interface SheetMaterial {
  /** Mass per area [kg/m²]. */
  readonly arealDensity: number;
  /** C₁₁, C₂₂, C₁₂, C₃₃ [N/m]. */
  readonly membrane: readonly [number, number, number, number];
  /** B₁₁, B₂₂, B₁₂, B₃₃ [N m]. */
  readonly bending: readonly [number, number, number, number];
  /** [m] */
  readonly thickness: number;
  /** Coefficient of dry friction [1]. */
  readonly friction: number;
}

/** The same for warp and weft, or one each. */
export type WarpWeft = number | readonly [number, number];

/** A sheet's material as a user writes it; SI. Either `density` or `arealDensity`, either `youngsModulus` or `tensileStiffness`. */
export interface SheetMaterialDescription {
  /** [m] */
  readonly thickness?: number | undefined;
  /** Mass per volume [kg/m³]. */
  readonly density?: number | undefined;
  /** Mass per area [kg/m²], instead of density × thickness. */
  readonly arealDensity?: number | undefined;
  /** [Pa] */
  readonly youngsModulus?: number | undefined;
  /** [1] */
  readonly poissonRatio?: number | undefined;
  /** k₁, k₂ [N/m], instead of youngsModulus × thickness. */
  readonly tensileStiffness?: WarpWeft | undefined;
  /** C₃₃ [N/m]. */
  readonly shearStiffness?: number | undefined;
  /** b₁, b₂ [N m], instead of that of a homogeneous sheet. */
  readonly bendingRigidity?: WarpWeft | undefined;
  /** Coefficient of dry friction [1]. */
  readonly friction?: number | undefined;
}

/** A named material of sheets with the origin of its numbers. */
export interface SheetMaterialPreset extends SheetMaterialDescription {
  readonly name: string;
  readonly title: string;
  /** Where the numbers come from and how they were derived. */
  readonly source: string;
}

/** Every named material of sheets; a scene uses one by its `name`. Adding one is one entry here. */
export const SHEET_MATERIAL_PRESETS: readonly SheetMaterialPreset[] = [
  {
    name: 'cotton',
    title: 'Cotton, plain weave, 120 g/m²',
    arealDensity: 0.12,
    thickness: 3.5e-4,
    tensileStiffness: [12000, 6500],
    shearStiffness: 56,
    poissonRatio: 0.2,
    bendingRigidity: [6e-6, 4e-6],
    friction: 0.35,
    source:
      'Typical KES-F values of cotton shirting: 110-130 g/m², 0.3-0.4 mm; EMT 4 % warp and 7.5 % weft, so 490 N/m over that; G = 1 gf/(cm degree); B = 0.06 and 0.04 gf cm²/cm, which is also a cantilever bending length of 17 mm. A homogeneous sheet of that thickness would bend 20 times as stiffly.',
  },
  {
    name: 'silk',
    title: 'Silk, light plain weave, 60 g/m²',
    arealDensity: 0.06,
    thickness: 1.5e-4,
    tensileStiffness: [16000, 10000],
    shearStiffness: 17,
    poissonRatio: 0.2,
    bendingRigidity: [1.5e-6, 1e-6],
    friction: 0.25,
    source:
      'Typical KES-F values of light silk: 50-70 g/m² (14 momme), 0.15 mm; EMT 3 % and 5 % at 490 N/m; G = 0.3 gf/(cm degree); B = 0.015 and 0.01 gf cm²/cm.',
  },
  {
    name: 'denim',
    title: 'Denim, 12 oz/yd²',
    arealDensity: 0.407,
    thickness: 8e-4,
    tensileStiffness: [33000, 16000],
    shearStiffness: 280,
    poissonRatio: 0.2,
    bendingRigidity: [6e-5, 4e-5],
    friction: 0.4,
    source:
      '12 oz/yd² is 407 g/m² by definition, some 0.8 mm thick; typical KES-F values of rigid denim: EMT 1.5 % and 3 % at 490 N/m, G = 5 gf/(cm degree), B = 0.6 and 0.4 gf cm²/cm.',
  },
  {
    name: 'leather',
    title: 'Garment leather, 1 mm',
    thickness: 1e-3,
    density: 850,
    youngsModulus: 3e7,
    poissonRatio: 0.3,
    bendingRigidity: 1e-3,
    friction: 0.5,
    source:
      'Soft chrome-tanned leather in materials tables: 800-900 kg/m³, 20-50 MPa at small strain. Bending: 0.4 of a homogeneous sheet (2.7e-3 N m), because the loose flesh side carries less; an estimate.',
  },
  {
    name: 'paper',
    title: 'Copy paper, 80 g/m²',
    arealDensity: 0.08,
    thickness: 1.04e-4,
    tensileStiffness: [570000, 250000],
    shearStiffness: 146000,
    poissonRatio: 0.2,
    bendingRigidity: [5.2e-4, 2.3e-4],
    friction: 0.5,
    source:
      'Copy paper (ISO 536: 80 g/m², ISO 534: 104 µm): tensile stiffness 570 kN/m along and 250 kN/m across the machine (ISO 1924-2: 5.5 and 2.4 GPa); shear 0.387 √(E₁E₂) (Baum 1981); bending as a homogeneous sheet, E t³/12, as resonance tests (ISO 5629) find it.',
  },
];

const pair = (value: WarpWeft): readonly [number, number] => (typeof value === 'number' ? [value, value] : value);

/** The numbers a sheet needs, derived from a description; direct stiffnesses and areal density win over derived ones. */
export function computeSheetMaterial(description: SheetMaterialDescription): SheetMaterial {
  const { thickness, density, youngsModulus, poissonRatio: nu = 0.3 } = description;
  if (thickness === undefined) throw new HeddleError('the material has no thickness; a sheet needs one.');
  const arealDensity = description.arealDensity ?? (density === undefined ? undefined : density * thickness);
  if (arealDensity === undefined)
    throw new HeddleError('the material has neither density nor arealDensity; give one of the two.');
  const strip = description.tensileStiffness ?? (youngsModulus === undefined ? undefined : youngsModulus * thickness);
  if (strip === undefined)
    throw new HeddleError('the material has neither youngsModulus nor tensileStiffness; give one of the two.');
  const [k1, k2] = pair(strip);
  const [c1, c2] = [k1 / (1 - nu * nu), k2 / (1 - nu * nu)];
  const membrane = [
    c1,
    c2,
    nu * Math.sqrt(c1 * c2),
    description.shearStiffness ?? Math.sqrt(k1 * k2) / (2 + 2 * nu),
  ] as const;
  return {
    arealDensity,
    membrane,
    bending: computeBending(description.bendingRigidity, membrane, thickness),
    thickness,
    friction: description.friction ?? DEFAULT_FRICTION,
  };
}

function computeBending(
  rigidity: WarpWeft | undefined,
  membrane: SheetMaterial['membrane'],
  thickness: number,
): SheetMaterial['bending'] {
  const factor = (thickness * thickness) / 12;
  if (rigidity === undefined) {
    const [c1, c2, c12, c33] = membrane;
    return [factor * c1, factor * c2, factor * c12, factor * c33];
  }
  const [b1, b2] = pair(rigidity);
  return [b1, b2, 0, 0.5 * Math.sqrt(b1 * b2)];
}
