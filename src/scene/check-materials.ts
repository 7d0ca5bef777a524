/** Checks of materials and of what objects are made of, on raw values; see checks.ts. */

import { MATERIAL_PRESETS } from '../model/materials.ts';
import { suggest } from '../model/nearest.ts';
import { SHEET_MATERIAL_PRESETS } from '../model/sheet-materials.ts';
import type { Report } from './faults.ts';
import type { JsonPath } from './json-text.ts';
import { isRaw, type Raw } from './raw.ts';
import { quote } from './wording.ts';

const PRESETS: readonly { readonly name: string }[] = [...MATERIAL_PRESETS, ...SHEET_MATERIAL_PRESETS];

/** Materials by their names, of a scene and built in. */
export function collectMaterials(scene: Raw): ReadonlySet<string> {
  const materials = new Set(PRESETS.map(({ name }) => name));
  for (const name of isRaw(scene.materials) ? Object.keys(scene.materials) : []) materials.add(name);
  return materials;
}

/** Strands and yarns need a radius, rods that or a section, sheets a thickness, and each its own stiffness and mass. */
export function checkMaterial(
  material: Raw,
  path: JsonPath,
  report: Report,
  { type, section }: { readonly type?: unknown; readonly section?: unknown } = {},
): void {
  const { thickness } = material;
  const isRound = hasRadius(material);
  if (!isRound && thickness === undefined && type === undefined)
    report([...path, 'radius'], 'is missing, and so is thickness; a strand needs a radius, a sheet a thickness.');
  const isStrand = type === 'strand' || type === 'rod' || type === 'fabric' || (type === undefined && isRound);
  const isSheet = type === 'sheet' || (type === undefined && thickness !== undefined);
  if ((type === 'strand' || type === 'fabric') && !isRound)
    report([...path, 'radius'], `is missing; a ${type === 'strand' ? type : 'yarn'} needs it.`);
  if (type === 'rod' && !isRound && section === undefined)
    report([...path, 'radius'], 'is missing, and so is the section of the rod; give one of the two.');
  if (type === 'sheet' && thickness === undefined) report([...path, 'thickness'], 'is missing; a sheet needs it.');
  const need = (key: string, other: string) => {
    if (material[key] === undefined && material[other] === undefined)
      report([...path, key], `is missing, and so is ${other}; give one of the two.`);
  };
  if (isStrand) {
    if (material.yarnCount === undefined) need('density', 'linearDensity');
    need('youngsModulus', 'stretchStiffness');
  }
  if (isSheet) {
    need('density', 'arealDensity');
    need('youngsModulus', 'tensileStiffness');
  }
  if (material.yarnCount !== undefined && material.linearDensity !== undefined)
    report([...path, 'yarnCount'], 'is given together with linearDensity; remove one of the two.');
}

/** Given, or known from the mass per length and per volume. */
const hasRadius = ({ radius, density, linearDensity, yarnCount }: Raw): boolean =>
  radius !== undefined || (density !== undefined && (linearDensity !== undefined || yarnCount !== undefined));

/** A material, by its name or written out, must be one for that type of object. */
export function checkMaterialUse(
  material: unknown,
  path: JsonPath,
  { type, section }: Raw,
  scene: Raw,
  report: Report,
): void {
  if (isRaw(material)) checkMaterial(material, path, report, { type, section });
  if (typeof material !== 'string') return;
  const names = collectMaterials(scene);
  if (!names.has(material)) {
    const hint = suggest(material, [...names], 'Known materials');
    report(path, `is ${quote(material)}, which is neither a material of this scene nor a built-in material.${hint}`);
    return;
  }
  const own =
    isRaw(scene.materials) && Object.hasOwn(scene.materials, material) ? scene.materials[material] : undefined;
  const found = isRaw(own) ? own : (PRESETS.find(({ name }) => name === material) as Raw | undefined);
  if (found === undefined || (type === 'rod' && section !== undefined)) return;
  const key = type === 'sheet' ? 'thickness' : type === 'strand' || type === 'rod' || type === 'fabric' ? 'radius' : '';
  const isThere = key === 'thickness' ? found.thickness !== undefined : hasRadius(found);
  if (key !== '' && !isThere)
    report(
      path,
      `is ${quote(material)}, which has no ${key}; a ${type === 'fabric' ? 'yarn' : type} needs a material with one.`,
    );
}
