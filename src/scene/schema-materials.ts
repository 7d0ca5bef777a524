/**
 * Materials in the scene schema. One description serves strands, rods, sheets and yarns of fabrics: what each needs is checked where it is used
 * (checks.ts). See schema.ts.
 */

import { z } from 'zod';
import { YARN_COUNTS } from '../model/materials.ts';
import { choice, id, quantity, record, unionFault } from './fields.ts';

/** A number for warp and weft, or one each. */
export const warpWeft = (range: Parameters<typeof quantity>[0], description: string) => {
  const one = quantity(range, '');
  const fault = unionFault(`a number in ${range.unit}, or two, [warp, weft]`);
  return z
    .union([one, z.tuple([one, one], fault)], fault)
    .meta({ description: `${description} A number, or [warp, weft].`, unit: range.unit });
};

export const materialSchema = record(
  'a material',
  {
    density: quantity(
      { unit: 'kg/m³', above: 0, max: 1e6 },
      'Mass per volume: of the nominal circle of a strand, the section of a rod, the thickness of a sheet. Required without linearDensity or arealDensity.',
    ).optional(),
    radius: quantity(
      { unit: 'm', above: 0, max: 1e3 },
      'Strands and yarns: radius of the nominal circle. Required for strands, yarns, and rods without a section. Default: from density and linearDensity or yarnCount.',
    ).optional(),
    thickness: quantity({ unit: 'm', above: 0, max: 1e3 }, 'Sheets: thickness. Required for sheets.').optional(),
    youngsModulus: quantity(
      { unit: 'Pa', above: 0, max: 1e15 },
      "Effective Young's modulus over the nominal circle, the section or the thickness. Required without stretchStiffness or tensileStiffness.",
    ).optional(),
    poissonRatio: quantity(
      { unit: '1', above: -1, max: 0.5 },
      "Poisson's ratio. Default for sheets and rods: 0.3. Strands do not use it, because they have no twist.",
    ).optional(),
    linearDensity: quantity(
      { unit: 'kg/m', above: 0, max: 1e9 },
      'Strands, rods and yarns: mass per length, instead of density × area.',
    ).optional(),
    yarnCount: record(
      'a yarn count',
      {
        unit: choice(
          Object.keys(YARN_COUNTS) as [keyof typeof YARN_COUNTS, ...(keyof typeof YARN_COUNTS)[]],
          'tex: g/km; dtex: g/10 km; denier: g/9 km; Nm: km/kg; Ne: hanks of 840 yards per pound.',
        ),
        value: quantity({ unit: '1', above: 0, max: 1e9 }, 'The count.'),
      },
      'Strands, rods and yarns: mass per length in a textile unit, instead of linearDensity.',
    ).optional(),
    stretchStiffness: quantity(
      { unit: 'N', above: 0, max: 1e18 },
      'Strands, rods and yarns: axial stiffness EA, instead of youngsModulus × area.',
    ).optional(),
    bendingStiffness: quantity(
      { unit: 'N m²', min: 0, max: 1e18 },
      'Strands and yarns: bending stiffness EI, instead of youngsModulus × π r⁴/4 of a solid round section. 0 is perfectly flexible. Rods: stiffness about d1; bending about d2 and twist keep their ratio to it.',
    ).optional(),
    arealDensity: quantity(
      { unit: 'kg/m²', above: 0, max: 1e9 },
      'Sheets: mass per area, instead of density × thickness.',
    ).optional(),
    tensileStiffness: warpWeft(
      { unit: 'N/m', above: 0, max: 1e18 },
      'Sheets: force per width over strain of a strip, instead of youngsModulus × thickness.',
    ).optional(),
    shearStiffness: quantity(
      { unit: 'N/m', above: 0, max: 1e18 },
      'Sheets: shear force per width over the shear angle, instead of √(warp × weft tensile stiffness)/(2 + 2 poissonRatio).',
    ).optional(),
    bendingRigidity: warpWeft(
      { unit: 'N m', min: 0, max: 1e18 },
      'Sheets: bending stiffness per width. Default: that of a homogeneous sheet, youngsModulus × thickness³/12/(1 − poissonRatio²). Textiles are far below that value.',
    ).optional(),
    friction: quantity(
      { unit: '1', min: 0, max: 100 },
      'Coefficient of dry friction with bodies that have no friction of their own. Default: 0.3. Strands in Lagrangian mode have frictionless penalty contact.',
    ).optional(),
  },
  'A material. Strands and yarns need a radius, one of density, linearDensity and yarnCount, and youngsModulus or stretchStiffness. Rods need the same, or a section instead of the radius. Sheets need thickness, density or arealDensity, and youngsModulus or tensileStiffness.',
).meta({ id: 'material' });

/** What an object is made of. */
export const materialField = z
  .union(
    [id('Name from "materials" or of a built-in material.'), materialSchema],
    unionFault('the name of a material or a material object'),
  )
  .meta({ description: 'Material: a name from "materials", the name of a built-in material, or a material object.' });
