/** Checks of continua on raw values; see checks.ts. */

import { computeHypot3 } from '../math/index.ts';
import { deg } from '../model/index.ts';
import { computeYokeGrowth } from '../patterns/index.ts';
import { checkDirection } from './check-rods.ts';
import { countVertices } from './check-sheets.ts';
import type { Report } from './faults.ts';
import type { JsonPath } from './json-text.ts';
import { kindOf } from './mpm-patterns.ts';
import { eachRaw, isNumber, isPoint, isRaw, type Raw } from './raw.ts';
import { KNIT_STITCHES, YOKE_STITCHES } from './schema-mpm.ts';
import { listChoices, quote } from './wording.ts';

/** What elements of a kind are made of. */
const KIND_MATERIALS: Readonly<Record<string, readonly string[]>> = {
  surface: ['surface'],
  curve: ['curve'],
  bulk: ['sand', 'goo', 'fluid'],
};

const COMMON_NUMBERS = ['density', 'youngsModulus', 'poissonRatio', 'shearStiffness', 'frictionAngle'] as const;

/** `checkBody` reports a name that is no body. */
export function checkMpm(
  object: Raw,
  path: JsonPath,
  report: Report,
  checkBody: (name: string, path: JsonPath) => void,
): void {
  eachRaw(object.parts, [...path, 'parts'], (part, at) => checkPart(part, at, report));
  const seen = new Set<unknown>();
  eachRaw(object.bodies, [...path, 'bodies'], ({ body, condition, friction }, at) => {
    if (typeof body === 'string') checkBody(body, [...at, 'body']);
    if (seen.has(body)) report([...at, 'body'], `is ${quote(String(body))} again; name each body once.`);
    seen.add(body);
    if (friction !== undefined && (condition === 'sticky' || condition === 'slip'))
      report([...at, 'friction'], `is given, but the condition is ${quote(condition)}; only "separate" has friction.`);
  });
}

function checkPart(part: Raw, path: JsonPath, report: Report): void {
  if (isRaw(part.rotation)) checkDirection(part.rotation.axis, [...path, 'rotation', 'axis'], report);
  const { pattern, material } = part;
  if (isRaw(material)) checkNumbers(material, [...path, 'material'], report);
  if (!isRaw(pattern)) return;
  checkPattern(pattern, [...path, 'pattern'], report);
  if (!isRaw(material) || typeof pattern.type !== 'string') return;
  const kind = kindOf(pattern.type);
  const fitting = kind === undefined ? [] : KIND_MATERIALS[kind];
  const isKnown = Object.values(KIND_MATERIALS).flat().includes(String(material.type));
  if (kind !== undefined && isKnown && !fitting.includes(String(material.type)))
    report(
      [...path, 'material', 'type'],
      `is ${quote(String(material.type))}, but the pattern is a ${kind === 'bulk' ? 'filling' : kind}; it must be ${listChoices(fitting)}.`,
    );
}

/** Without a preset all numbers must be there. */
function checkNumbers(material: Raw, path: JsonPath, report: Report): void {
  for (const [key, needed] of [
    ['weibullModulus', 'breakingStrain'],
    ['breakingSeed', 'weibullModulus'],
  ])
    if (material[key] !== undefined && material[needed] === undefined)
      report([...path, key], `is given, but ${needed} is not; give both or neither.`);
  if ((material.type !== 'surface' && material.type !== 'curve') || material.preset !== undefined) return;
  for (const key of [...COMMON_NUMBERS, material.type === 'surface' ? 'normalStiffness' : 'fibreStiffness'])
    if (material[key] === undefined) report([...path, key], 'is missing, and so is preset; give one of the two.');
}

function checkPattern(pattern: Raw, path: JsonPath, report: Report): void {
  const { type, radius, innerRadius, columns, shape } = pattern;
  if (type === 'tube' && isNumber(columns) && (columns < 4 || columns % 2 === 1))
    report([...path, 'columns'], `is ${columns}; it must be an even number, 4 or more.`);
  if (type === 'bundle' && isNumber(radius) && isNumber(innerRadius) && innerRadius >= radius)
    report([...path, 'innerRadius'], `is ${innerRadius} m; it must be below radius, ${radius} m.`);
  if (type === 'knit') checkKnit(pattern, path, report);
  if (type === 'fill' && isRaw(shape) && shape.type === 'plane')
    report([...path, 'shape', 'type'], 'is "plane", which is infinite; give a shape of finite volume.');
}

function checkKnit({ form, slope, stitch }: Raw, path: JsonPath, report: Report): void {
  const isYoke = form === 'yoke';
  if (slope !== undefined && !isYoke)
    report([...path, 'slope'], `is given, but the form is ${quote(String(form ?? 'flat'))}; only "yoke" has a slope.`);
  if (isYoke && typeof stitch === 'string' && KNIT_STITCHES.some((known) => known === stitch))
    if (!YOKE_STITCHES.includes(stitch))
      report(
        [...path, 'stitch'],
        `is ${quote(stitch)}, but a yoke adds wales and needs equal stitches in a course; it must be ${listChoices(YOKE_STITCHES)}.`,
      );
}

/** About how many particles a continuum has; 0 where it cannot be said. */
export function countParticles({ parts, spacing }: Raw): number {
  let total = 0;
  eachRaw(parts, [], ({ pattern }) => {
    if (isRaw(pattern)) total += countPatternParticles(pattern, spacing);
  });
  return total;
}

const product = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => sum * (isNumber(value) ? value : 0), 1);

function countPatternParticles(pattern: Raw, spacing: unknown): number {
  const { type, columns, rows, segments, shape, particlesPerCell, radius, innerRadius } = pattern;
  if (type === 'rectangle' || type === 'tube') return 3 * product([columns, rows]);
  if (type === 'hairs') return 2 * product([columns, rows, segments]);
  if (type === 'knit') return 24 * product([countLoops(pattern), segments ?? 1]);
  if (type === 'bundle' && isNumber(radius) && isNumber(pattern.spacing)) {
    const inner = isNumber(innerRadius) ? innerRadius : 0;
    return (7.3 * (radius * radius - inner * inner) * product([segments])) / pattern.spacing ** 2;
  }
  if (type === 'disk' || type === 'polygon') return 3 * countVertices({ shape: pattern });
  if (type === 'lines' && Array.isArray(pattern.lines)) {
    const elements = pattern.lines.reduce((sum, line) => sum + countElements(line, pattern.size), 0);
    return 2 * elements * product([pattern.copies ?? 1]);
  }
  if (type !== 'fill' || !isRaw(shape) || !isNumber(spacing) || !(spacing > 0)) return 0;
  const perCell = isNumber(particlesPerCell) ? particlesPerCell : 8;
  return (perCell * computeVolume(shape)) / (spacing * spacing * spacing);
}

function countLoops({ courses, wales, form, spacing, slope }: Raw): number {
  if (!isNumber(courses) || !isNumber(wales)) return 0;
  if (form !== 'yoke' || !Array.isArray(spacing) || !isNumber(spacing[0]) || !isNumber(spacing[1]))
    return courses * wales;
  const [wale, course] = spacing;
  const last = wales + computeYokeGrowth({ wale, course }, deg(isNumber(slope) ? slope : 0)) * (courses - 1);
  return 0.5 * courses * (wales + last);
}

/** Of a polyline that is cut into elements of a size. */
function countElements(line: unknown, size: unknown): number {
  if (!Array.isArray(line)) return 0;
  if (!isNumber(size) || !(size > 0)) return line.length;
  let length = 0;
  for (let i = 1; i < line.length; i++)
    if (isPoint(line[i - 1]) && isPoint(line[i]))
      length += computeHypot3(line[i][0] - line[i - 1][0], line[i][1] - line[i - 1][1], line[i][2] - line[i - 1][2]);
  return line.length + length / size;
}

/** Of boxes and round shapes [m³]; 0 for others. */
function computeVolume({ type, size, radius, length }: Raw): number {
  if (type === 'box' && Array.isArray(size)) return product(size);
  if (!isNumber(radius)) return 0;
  const along = isNumber(length) ? Math.PI * radius * radius * length : 0;
  return (type === 'cylinder' ? 0 : (4 / 3) * Math.PI * radius * radius * radius) + along;
}
