/**
 * A scene made s times as large, of the same densities under the same gravity (Froude's similarity):
 *     length s    time s^½    mass s³    so that    velocity s^½    acceleration 1    force s³    stress s    energy s⁴
 * Every dimensionless number of the scene stays as it is, so its motion is the same but for its scale. With s a power of
 * four all factors are powers of two and floating-point numbers scale exactly. The scene schema says the unit of each number.
 */
import { computeStrandMaterial, MATERIAL_PRESETS, SHEET_MATERIAL_PRESETS } from 'heddle/model';
import { DEFAULT_REFINEMENT, DEFAULT_SLIDING } from 'heddle/rod';
import { computeJsonSchema, type JsonSchema, type Scene } from 'heddle/scene';

/** Powers of s of the units; angles and pure numbers stay. Counts per cm or inch are counts per length. */
const POWERS: Readonly<Record<string, number>> = {
  1: 0,
  rad: 0,
  degrees: 0,
  m: 1,
  cm: 1,
  in: 1,
  s: 0.5,
  kg: 3,
  N: 3,
  Pa: 1,
};

const EXPONENTS: Readonly<Record<string, number>> = { '²': 2, '³': 3 };

const SCHEMA = computeJsonSchema();

/** Power of s of a unit such as `kg m²` or `N/m`: factors, then at most one divisor. */
function computePower(unit: string): number {
  const sum = (factors: string): number =>
    factors.split(' ').reduce((total, factor) => {
      const [, base, exponent] = /^(.*?)([²³]?)$/.exec(factor)!;
      if (POWERS[base] === undefined) throw new Error(`say in POWERS how "${base}" of "${unit}" scales`);
      return total + POWERS[base] * (EXPONENTS[exponent] ?? 1);
    }, 0);
  const [above, below] = unit.split('/');
  return sum(above) - (below === undefined ? 0 : sum(below));
}

type Material = Scene['materials'][string];

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const isRecord = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schemas that a value may follow: references resolved, unions taken apart. */
function listSchemas(schema: JsonSchema): JsonSchema[] {
  if (schema.$ref !== undefined) return listSchemas(SCHEMA.definitions![schema.$ref.replace('#/definitions/', '')]);
  const union = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  return union === undefined ? [schema] : union.flatMap((entry) => listSchemas(entry));
}

/** Whether a value is of the kind that a schema asks for: an object has no other keys and the constants that it says. */
function fits(value: Json, schema: JsonSchema): boolean {
  const { type, const: constant, properties, additionalProperties, items } = schema;
  if (constant !== undefined) return value === constant;
  if (Array.isArray(value)) {
    const first = (Array.isArray(items) ? items[0] : items) as JsonSchema;
    return type === 'array' && (value.length === 0 || listSchemas(first).some((entry) => fits(value[0], entry)));
  }
  if (!isRecord(value)) return type === (typeof value === 'number' && type === 'integer' ? 'integer' : typeof value);
  if (type !== 'object') return false;
  return Object.entries(value).every(([key, entry]) => {
    const own = properties?.[key];
    if (own === undefined) return typeof additionalProperties === 'object';
    return entry === undefined || own.const === undefined || own.const === entry;
  });
}

function scaleValue(value: Json, schema: JsonSchema, path: string, s: number): Json {
  if (value === undefined || value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  const own = listSchemas(schema).find((entry) => fits(value, entry));
  if (own === undefined) throw new Error(`${path} follows no schema`);
  if (typeof value === 'number') {
    if (own.const !== undefined) return value;
    // a union says the unit itself where its members do not
    const unit = own.unit ?? schema.unit;
    if (unit === undefined) throw new Error(`${path} has no unit in the schema`);
    return value * s ** computePower(unit);
  }
  if (Array.isArray(value)) {
    const { items } = own;
    return value.map((entry, k) =>
      scaleValue(entry, (Array.isArray(items) ? items[k] : items) as JsonSchema, `${path}[${k}]`, s),
    );
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => entry !== undefined)
      .map(([key, entry]) => [
        key,
        scaleValue(entry, own.properties?.[key] ?? (own.additionalProperties as JsonSchema), `${path}.${key}`, s),
      ]),
  );
}

/** A rod that says the defaults of its moving nodes, which are rates, so that they are scaled, too. */
function spellRates(object: Scene['objects'][number]): Scene['objects'][number] {
  if (object.type !== 'rod') return object;
  const isAdaptive = object.mode !== 'lagrangian';
  const spell = <T>(own: T | boolean | undefined, defaults: T) => ((own ?? isAdaptive) === true ? defaults : own);
  return {
    ...object,
    sliding: spell(object.sliding, DEFAULT_SLIDING),
    refinement: spell(object.refinement, DEFAULT_REFINEMENT),
  };
}

/** A material whose yarn count, a number in a unit of its own, is written as kg/m. */
const spellCount = ({ yarnCount, ...material }: Material): Material =>
  yarnCount === undefined
    ? material
    : { ...material, linearDensity: computeStrandMaterial({ yarnCount, ...material }).linearDensity };

/** The presets that a scene calls by their names, as materials of its own: so that they are scaled, too. */
function listPresets(scene: Scene): Scene['materials'] {
  const text = JSON.stringify(scene.objects);
  const isSheet = scene.objects.some(({ type }) => type === 'sheet');
  const presets = isSheet
    ? [...MATERIAL_PRESETS, ...SHEET_MATERIAL_PRESETS]
    : [...SHEET_MATERIAL_PRESETS, ...MATERIAL_PRESETS];
  return Object.fromEntries(
    presets
      .filter(({ name }) => text.includes(`"material":"${name}"`))
      .map(({ name, title: _title, source: _source, ...description }) => [name, description]),
  ) as Scene['materials'];
}

/** The scene s times as large; without what only a picture or a run folder needs, and without its end condition. */
export function scaleScene(scene: Scene, s: number): Scene {
  const { gravity, bodies, drivers, time, solver, crossings, touching } = scene;
  const objects = scene.objects.map(spellRates);
  const own = Object.entries(scene.materials).map(([name, material]) => [name, spellCount(material)]);
  const materials = { ...listPresets(scene), ...Object.fromEntries(own) };
  const physics = { gravity, materials, objects, bodies, drivers, time, solver, crossings, touching };
  return { ...scene, ...(scaleValue(physics as unknown as Json, SCHEMA, 'scene', s) as object), expect: [] } as Scene;
}

/** An OBJ file s times as large. */
export const scaleObj = (text: string, s: number): string =>
  text.replace(/^v (.*)$/gm, (_, numbers: string) => `v ${numbers.split(/\s+/).map((n) => Number(n) * s).join(' ')}`); // biome-ignore format: one line
