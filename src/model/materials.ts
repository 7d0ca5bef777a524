/**
 * Materials of strands and yarns: how a user describes one, the named ones that come with Heddle, and the numbers a strand needs.
 *
 *   A = π r²          cross-section of the nominal circle [m²]
 *   I = π r⁴ / 4      second moment of area of a solid round section [m⁴]
 *   linear density = ρ A [kg/m],   stretch stiffness = E A [N],   bending stiffness = E I [N m²]
 *   r = √(linear density/(π ρ)) of a yarn that is described by its count and its density
 *
 * ρ and E are effective values over the nominal circle: air between fibres counts as section. In a stranded rope the
 * fibres slide past each other, so its bending stiffness is far below E I of a solid; presets of that kind carry
 * their own. Lower bound for it: n fibres that bend separately, n E π d⁴ / 64.
 */

import { HeddleError } from './errors.ts';
import { cottonCount, denier, dtex, metricCount, tex } from './units.ts';

/** Units of the fineness of yarn, each with what makes it a linear density [kg/m]; adding one is one line here. */
export const YARN_COUNTS = { tex, dtex, denier, Nm: metricCount, Ne: cottonCount } as const;

/** Fineness of a yarn, as its label states it: 30 tex, Nm 34, Ne 20. */
export interface YarnCount {
  readonly unit: keyof typeof YARN_COUNTS;
  readonly value: number;
}

/** A strand's material as a user writes it; SI. `radius`, or `density` and a mass per length. Either `density`, `linearDensity` or `yarnCount`, either `youngsModulus` or `stretchStiffness`. */
export interface MaterialDescription {
  /** Mass per volume of the nominal circle [kg/m³]. */
  readonly density?: number | undefined;
  /** Radius of the nominal circle [m]. */
  readonly radius?: number | undefined;
  /** Effective axial Young's modulus over the nominal circle [Pa]. */
  readonly youngsModulus?: number | undefined;
  /** Poisson's ratio [1]. */
  readonly poissonRatio?: number | undefined;
  /** Mass per length [kg/m], instead of the one derived from `density`. */
  readonly linearDensity?: number | undefined;
  /** Mass per length of a yarn in a textile unit, instead of `linearDensity`. */
  readonly yarnCount?: YarnCount | undefined;
  /** EA [N], instead of the one derived from `youngsModulus`. */
  readonly stretchStiffness?: number | undefined;
  /** EI [N m²], instead of that of a solid round section; 0 is perfectly flexible. */
  readonly bendingStiffness?: number | undefined;
  /** Coefficient of dry friction [1]. */
  readonly friction?: number | undefined;
}

/** What a strand computes with. */
export interface StrandMaterial {
  /** [kg/m] */
  readonly linearDensity: number;
  /** EA [N] */
  readonly stretchStiffness: number;
  /** EI [N m²] */
  readonly bendingStiffness: number;
  /** [m] */
  readonly radius: number;
  /** [1] */
  readonly friction: number;
}

/** A named material with the origin of its numbers. */
export interface MaterialPreset extends MaterialDescription {
  readonly name: string;
  readonly title: string;
  /** Where the numbers come from and how they were derived. */
  readonly source: string;
}

/** Friction of a material that states none. */
export const DEFAULT_FRICTION = 0.3;

/** Every named material; a scene uses one by its `name`. Adding one is one entry here. */
export const MATERIAL_PRESETS: readonly MaterialPreset[] = [
  {
    name: 'nylon-cord-2mm',
    title: 'Nylon cord, braided, 2 mm',
    density: 830,
    radius: 1e-3,
    youngsModulus: 1.2e9,
    poissonRatio: 0.4,
    bendingStiffness: 2.4e-6,
    friction: 0.3,
    source:
      'Catalogue values of 2 mm braided cord: 2.6 g/m, breaks near 0.9 kN; polyamide braid stretches by some 15-25 % there, near 8 % at a third of it, so EA = 300 N / 0.08 = 3.8 kN. Bending: ten times the separate-fibre bound (4650 filaments of 25 µm, 2.7 GPa).',
  },
  {
    name: 'nylon-line-1mm',
    title: 'Nylon monofilament, 1 mm',
    density: 1140,
    radius: 5e-4,
    youngsModulus: 2.7e9,
    poissonRatio: 0.4,
    friction: 0.25,
    source:
      'Polyamide 6.6 in materials handbooks: 1140 kg/m³, 2-4 GPa when drawn, Poisson 0.39-0.41. Solid section, so EI holds.',
  },
  {
    name: 'climbing-rope-10mm',
    title: 'Dynamic climbing rope, 10 mm',
    density: 830,
    radius: 5e-3,
    youngsModulus: 1.25e8,
    poissonRatio: 0.4,
    bendingStiffness: 2e-3,
    friction: 0.25,
    source:
      'Typical label of a rope tested by EN 892: 65 g/m, static elongation 8 % under 80 kg, so EA = 785 N / 0.08 = 9.8 kN. Bending: set so that a free end of 0.3 m hangs over an edge at 41 degrees (Peirce bending length 0.15 m); an estimate.',
  },
  {
    name: 'hemp-rope-8mm',
    title: 'Hemp rope, three strands, 8 mm',
    density: 900,
    radius: 4e-3,
    youngsModulus: 9.55e8,
    poissonRatio: 0.3,
    bendingStiffness: 2e-3,
    friction: 0.4,
    source:
      'Catalogue values of 8 mm laid natural-fibre rope: 45-54 g/m, breaks near 4.8 kN at about 10 % extension, so EA = 48 kN. Bending: order of magnitude between separate fibres (1e-5) and a solid section (0.19).',
  },
  {
    name: 'steel-wire-rope-4mm',
    title: 'Steel wire rope 7x19, 4 mm',
    density: 4950,
    radius: 2e-3,
    youngsModulus: 5.7e10,
    poissonRatio: 0.3,
    bendingStiffness: 2e-2,
    friction: 0.15,
    source:
      'Wire-rope tables for 7x19, 4 mm: 62 g/m, that is 7.9 mm² of steel, rope modulus about 90 GPa over the steel, so EA = 0.71 MN. Bending: three times 133 separate wires of 0.267 mm (6.6e-3 N m²).',
  },
  {
    name: 'steel-wire-1mm',
    title: 'Spring steel wire, 1 mm',
    density: 7850,
    radius: 5e-4,
    youngsModulus: 2.06e11,
    poissonRatio: 0.29,
    friction: 0.2,
    source: 'Music wire, EN 10270-1: modulus 206 GPa, 7850 kg/m³. Solid section.',
  },
  {
    name: 'cotton-thread',
    title: 'Cotton sewing thread, 30 tex',
    density: 955,
    radius: 1e-4,
    youngsModulus: 2.7e9,
    poissonRatio: 0.3,
    bendingStiffness: 5e-9,
    friction: 0.3,
    source:
      '30 tex = 30 mg/m by definition, about 0.2 mm across; tenacity 0.2 N/tex at 7 % extension, so EA = 86 N. Bending: four times the separate-fibre bound (176 fibres of 12 µm, 7 GPa: 1.25e-9 N m²), the order found in bending tests of cotton yarn.',
  },
  {
    name: 'cotton-yarn',
    title: 'Ring-spun cotton yarn, Ne 20',
    density: 910,
    radius: 1.016e-4,
    youngsModulus: 2.1e9,
    poissonRatio: 0.3,
    bendingStiffness: 2.5e-9,
    friction: 0.3,
    source:
      'Ne 20 = 29.5 tex by definition; fibres of 1520 kg/m³ packed to 0.6, usual in ring-spun yarn. Tenacity 0.15 N/tex at 6.5 % extension, so EA = 68 N. Bending: twice the separate-fibre bound (174 fibres of 12 µm, 7 GPa: 1.25e-9 N m²); an estimate.',
  },
  {
    name: 'denim-yarn',
    title: 'Cotton yarn of denim, Ne 7',
    density: 910,
    radius: 1.718e-4,
    youngsModulus: 1.82e9,
    poissonRatio: 0.3,
    bendingStiffness: 7e-9,
    friction: 0.35,
    source:
      'Ne 7 = 84.4 tex by definition, packed as cotton-yarn. Tenacity 0.14 N/tex at 7 % extension, so EA = 169 N. Bending: twice the separate-fibre bound (496 fibres of 12 µm); an estimate.',
  },
  {
    name: 'wool-yarn',
    title: 'Worsted wool yarn, Nm 2/28',
    density: 650,
    radius: 1.87e-4,
    youngsModulus: 3.2e8,
    poissonRatio: 0.3,
    bendingStiffness: 1e-8,
    friction: 0.4,
    source:
      'Nm 2/28 = 71.4 tex by definition; fibres of 1310 kg/m³ packed to 0.5. Initial modulus of worsted yarn about 0.5 N/tex, so EA = 35 N. Bending: twice the separate-fibre bound (143 fibres of 22 µm, 3 GPa: 4.9e-9 N m²); an estimate.',
  },
  {
    name: 'kite-line-dyneema-1mm',
    title: 'Kite line, braided UHMWPE (Dyneema), 1 mm',
    density: 640,
    radius: 5e-4,
    youngsModulus: 4.3e10,
    poissonRatio: 0.3,
    bendingStiffness: 5e-6,
    friction: 0.08,
    source:
      'Fibre SK75: 970 kg/m³, about 110 GPa; a 1 mm braid weighs 0.5 g/m and keeps some 60 % of the fibre modulus, so EA = 34 kN. Bending: ten times the separate-fibre bound (4700 filaments of 12 µm).',
  },
  {
    name: 'rubber-cord-3mm',
    title: 'Natural rubber cord, 3 mm',
    density: 930,
    radius: 1.5e-3,
    youngsModulus: 1.5e6,
    poissonRatio: 0.499,
    friction: 0.8,
    source:
      'Unfilled vulcanised natural rubber in materials handbooks: 920-950 kg/m³, 1-2 MPa at small strain, nearly incompressible. Solid section; linear, so good to some 50 % strain.',
  },
  {
    name: 'human-hair',
    title: 'Human hair, 80 µm',
    density: 1320,
    radius: 4e-5,
    youngsModulus: 3.9e9,
    poissonRatio: 0.4,
    friction: 0.3,
    source:
      'Robbins, Chemical and Physical Behavior of Human Hair: dry hair 1.32 g/cm³, about 3.9 GPa in the linear region, 50-100 µm across. Solid section.',
  },
];

/** A description with the linear density of its yarn count, and the radius of a circle of its density with that. */
export function completeMaterial(description: MaterialDescription): MaterialDescription {
  const { density, yarnCount } = description;
  const linearDensity = description.linearDensity ?? (yarnCount && YARN_COUNTS[yarnCount.unit](yarnCount.value));
  if (linearDensity === undefined) return description;
  const radius =
    description.radius ?? (density === undefined ? undefined : Math.sqrt(linearDensity / (Math.PI * density)));
  return { ...description, linearDensity, radius };
}

/** The numbers a strand needs, derived from a description; direct stiffnesses and linear density win over derived ones. */
export function computeStrandMaterial(description: MaterialDescription): StrandMaterial {
  const { density, radius, linearDensity: perLength } = completeMaterial(description);
  if (radius === undefined) throw new HeddleError('the material has no radius; a strand needs one.');
  const area = Math.PI * radius * radius;
  const linearDensity = perLength ?? (density === undefined ? undefined : density * area);
  const stretchStiffness =
    description.stretchStiffness ??
    (description.youngsModulus === undefined ? undefined : description.youngsModulus * area);
  if (linearDensity === undefined) {
    throw new HeddleError('the material has neither density nor linearDensity; give one of the two.');
  }
  if (stretchStiffness === undefined) {
    throw new HeddleError('the material has neither youngsModulus nor stretchStiffness; give one of the two.');
  }
  // I/A = r²/4; with E unknown but EA given, E is EA/A
  const solidBending = ((description.youngsModulus ?? stretchStiffness / area) * area * radius * radius) / 4;
  return {
    linearDensity,
    stretchStiffness,
    bendingStiffness: description.bendingStiffness ?? solidBending,
    radius,
    friction: description.friction ?? DEFAULT_FRICTION,
  };
}
