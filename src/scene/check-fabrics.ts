/** Checks of fabrics, of places on them, and of what they cannot have yet, on raw values; see checks.ts. */

import type { Limits } from '../model/limits.ts';
import { checkMaterialUse } from './check-materials.ts';
import { checkDirection } from './check-rods.ts';
import { createPatternKnit, type KnitPattern } from './fabric-knits.ts';
import { createPatternWeave, isKnit } from './fabric-patterns.ts';
import type { Report } from './faults.ts';
import type { JsonPath } from './json-text.ts';
import { eachRaw, isNumber, isRaw, type Raw } from './raw.ts';
import { FABRIC_PATTERNS, patternSchema } from './schema-fabric.ts';
import { listChoices, quote } from './wording.ts';

const SPACING_KEYS = ['spacing', 'yarnsPerCentimetre', 'yarnsPerInch'] as const;

export function checkFabric(object: Raw, path: JsonPath, scene: Raw, limits: Limits, report: Report): void {
  checkTurn(object, path, report);
  const names = new Map<unknown, number>();
  eachRaw(object.layers, [...path, 'layers'], (layer, at) => {
    for (const key of ['material', 'secondMaterial']) checkMaterialUse(layer[key], [...at, key], object, scene, report);
    checkTurn(layer, at, report);
    if (isRaw(layer.pattern)) checkPattern(layer.pattern, [...at, 'pattern'], report);
    if (layer.id === undefined) return;
    const first = names.get(layer.id);
    if (first === undefined) names.set(layer.id, names.size);
    else report([...at, 'id'], `is ${quote(String(layer.id))}, already the id of another layer; use another id.`);
  });
  eachRaw(object.seams, [...path, 'seams'], (seam, at) => checkSeam(seam, at, object.layers, report));
  if (countFabricNodes(object) > limits.nodes)
    report([...path, 'layers'], `have more than ${limits.nodes} nodes; use fewer yarns.`);
}

function checkTurn({ rotation }: Raw, path: JsonPath, report: Report): void {
  if (isRaw(rotation)) checkDirection(rotation.axis, [...path, 'rotation', 'axis'], report);
}

/** Counts or sizes, one spacing, and parameters with which every yarn changes sides. */
function checkPattern(pattern: Raw, path: JsonPath, report: Report): void {
  if (KNITS.includes(String(pattern.type))) {
    checkKnit(pattern, path, report);
    return;
  }
  const isFile = pattern.type === 'wif';
  for (const [count, size] of [
    ['warps', 'width'],
    ['wefts', 'height'],
  ]) {
    if (pattern[count] === undefined && pattern[size] === undefined && !isFile)
      report([...path, count], `is missing, and so is ${size}; give one of the two.`);
    if (pattern[count] !== undefined && pattern[size] !== undefined)
      report([...path, size], `is given together with ${count}; remove one of the two.`);
  }
  const given = SPACING_KEYS.filter((key) => pattern[key] !== undefined);
  if (given.length === 0 && !isFile)
    report([...path, 'spacing'], `is missing; give one of ${listChoices(SPACING_KEYS)}.`);
  if (given.length > 1) report([...path, given[1]], `is given together with ${given[0]}; remove one of the two.`);
  if (!isFile) checkWeave(pattern, path, report);
}

const KNITS: readonly string[] = FABRIC_PATTERNS.slice(FABRIC_PATTERNS.indexOf('stockinette'));

/** A picture or words, and charts that can be knitted. */
function checkKnit(pattern: Raw, path: JsonPath, report: Report): void {
  const { type, picture, letters } = pattern;
  if (type === 'jacquard' && picture === undefined && letters === undefined)
    report([...path, 'picture'], 'is missing, and so are letters; give one of the two.');
  else if (type === 'jacquard' && picture !== undefined && letters !== undefined)
    report([...path, 'letters'], 'are given together with a picture; remove one of the two.');
  else
    tryPattern(path, 'knit', report, () => {
      const { success, data } = patternSchema.safeParse(pattern);
      if (success) createPatternKnit(data as KnitPattern);
    });
}

/** Reports what a pattern refuses. */
function tryPattern(path: JsonPath, noun: string, report: Report, make: () => void): void {
  try {
    make();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    report(path, `is not a valid ${noun}: ${error.message.replace(/^\w+: /, '')}`);
  }
}

/** What `createPatternWeave` refuses; what the schema refuses it never sees. */
function checkWeave(pattern: Raw, path: JsonPath, report: Report): void {
  tryPattern(path, 'weave', report, () => {
    const { success, data } = patternSchema.safeParse(pattern);
    if (success && !isKnit(data)) createPatternWeave(data, () => new Uint8Array());
  });
}

function checkSeam(seam: Raw, path: JsonPath, layers: unknown, report: Report): void {
  const { line } = seam;
  if (
    Array.isArray(line) &&
    line.length === 2 &&
    line.every(Array.isArray) &&
    line[0].every((value: unknown, k: number) => value === line[1][k])
  )
    report([...path, 'line'], 'has the same point twice; give two different ones.');
  if (!Array.isArray(seam.layers) || seam.layers.length !== 2) return;
  const found = seam.layers.map((name, k) => checkLayerName(name, [...path, 'layers', k], layers, report));
  if (found[0] >= 0 && found[0] === found[1])
    report([...path, 'layers'], 'has the same layer twice; a seam joins two layers.');
}

/** Number of a layer that exists; reports a fault and gives −1 where it does not. */
function checkLayerName(name: unknown, path: JsonPath, layers: unknown, report: Report): number {
  if (!Array.isArray(layers) || (typeof name !== 'string' && !isNumber(name))) return -1;
  const ids = layers.map((layer) => (isRaw(layer) ? layer.id : undefined));
  const index = typeof name === 'number' ? (name < layers.length ? name : -1) : ids.indexOf(name);
  if (index >= 0) return index;
  const named = ids.filter((one) => typeof one === 'string');
  const hint = named.length === 0 ? '' : ` Names: ${named.join(', ')}.`;
  report(
    path,
    `is ${typeof name === 'string' ? quote(name) : name}, which is not a layer of the fabric; it has ${layers.length}, from 0 to ${layers.length - 1}.${hint}`,
  );
  return -1;
}

const FABRIC_KEYS = ['at', 'corner', 'side', 'box', 'worldBox', 'warps', 'wefts'] as const;

/** A place on a fabric is one of "at" and the regions, of one layer or of all. */
export function checkFabricPlace(place: Raw, path: JsonPath, layers: unknown, report: Report): void {
  const given = FABRIC_KEYS.filter((key) => place[key] !== undefined);
  if (place.guide !== undefined)
    report([...path, 'guide'], 'is given, but the object is a fabric, which has no guides.');
  if (given.length === 0) report([...path, 'at'], `is missing; on a fabric give one of ${listChoices(FABRIC_KEYS)}.`);
  if (given.length > 1) report([...path, given[1]], `is given together with ${given[0]}; remove one of the two.`);
  if (place.at !== undefined && !Array.isArray(place.at))
    report(
      [...path, 'at'],
      `is ${typeof place.at === 'string' ? quote(place.at) : String(place.at)}, a location on a strand; on a fabric give [X, Y] in m.`,
    );
  for (const key of ['warps', 'wefts']) {
    const range = place[key];
    if (Array.isArray(range) && isNumber(range[0]) && isNumber(range[1]) && range[0] > range[1])
      report([...path, key], `is [${range[0]}, ${range[1]}]; the first yarn must not be after the last.`);
  }
  if (place.layer !== undefined) checkLayerName(place.layer, [...path, 'layer'], layers, report);
}

/** About how many nodes a fabric has; 0 where it cannot be said. */
export function countFabricNodes({ layers }: Raw): number {
  let total = 0;
  eachRaw(layers, [], ({ pattern }) => {
    if (!isRaw(pattern)) return;
    if (isNumber(pattern.courses) && isNumber(pattern.wales)) total += 4 * pattern.courses * pattern.wales;
    const [warp, weft] = readSpacing(pattern);
    const warps = isNumber(pattern.warps) ? pattern.warps : isNumber(pattern.width) ? pattern.width / warp : 0;
    const wefts = isNumber(pattern.wefts) ? pattern.wefts : isNumber(pattern.height) ? pattern.height / weft : 0;
    total += warps * wefts + 2 * (warps + wefts);
  });
  return total;
}

/** Spacing of warps and wefts [m]; infinite where none is given. */
function readSpacing(pattern: Raw): readonly [number, number] {
  const [given, unit] = [
    [pattern.spacing, 0],
    [pattern.yarnsPerCentimetre, 0.01],
    [pattern.yarnsPerInch, 0.0254],
  ].find(([value]) => value !== undefined) ?? [undefined, 0];
  const read = (value: unknown): number => {
    if (!isNumber(value) || !(value > 0)) return Number.POSITIVE_INFINITY;
    return unit === 0 ? value : Number(unit) / value;
  };
  return Array.isArray(given) ? [read(given[0]), read(given[1])] : [read(given), read(given)];
}
