/** Checks of rods, on raw values; see checks.ts. */

import type { Report } from './faults.ts';
import type { JsonPath } from './json-text.ts';
import { isNumber, isPoint, isRaw, type Raw } from './raw.ts';
import { formatNumber } from './wording.ts';

/** What a rod alone says twice, or not at all. Lengths of polylines are measured by `computeLength`. */
export function checkRod(
  object: Raw,
  path: JsonPath,
  report: Report,
  computeLength: (points: readonly (readonly [number, number, number])[]) => number,
): void {
  const { points, shape, velocity } = object;
  if (points === undefined && shape === undefined)
    report([...path, 'points'], 'is missing, and so is shape; a rod needs one of the two.');
  if (points !== undefined && shape !== undefined)
    report([...path, 'shape'], 'is given together with points; remove one of the two.');
  if (Array.isArray(points) && points.length >= 2 && points.every(isPoint)) {
    if (computeLength(points) === 0)
      report([...path, 'points'], 'are all equal; the polyline must have a length > 0 m.');
    if (Array.isArray(velocity) && Array.isArray(velocity[0]) && velocity.length !== points.length)
      report(
        [...path, 'velocity'],
        `has ${velocity.length} velocities for ${points.length} points; give one for the whole rod, or one per point.`,
      );
  }
  if (isRaw(shape)) checkShape(shape, [...path, 'shape'], velocity, path, report);
  checkDirection(object.normal, [...path, 'normal'], report);
  checkMode(object, path, report);
  checkRefinement(object.refinement, [...path, 'refinement'], report);
}

function checkShape(shape: Raw, path: JsonPath, velocity: unknown, rod: JsonPath, report: Report): void {
  if (Array.isArray(velocity) && Array.isArray(velocity[0]))
    report([...rod, 'velocity'], 'has one velocity per point, but the rod has a shape; give one for the whole rod.');
  for (const key of ['axis', 'start']) checkDirection(shape[key], [...path, key], report);
  for (const key of ['angle', 'turns'])
    if (shape[key] === 0) report([...path, key], 'is 0, which gives no length; use another value.');
  const { from, to } = shape;
  if (isPoint(from) && isPoint(to) && from.every((value, k) => value === to[k]))
    report([...path, 'to'], 'is the same point as from; use another point.');
}

export function checkDirection(value: unknown, path: JsonPath, report: Report): void {
  if (isPoint(value) && value.every((component) => component === 0))
    report(path, 'is [0, 0, 0], which has no direction; use another vector.');
}

/** A Lagrangian rod has neither sliding nor refinement. */
function checkMode(object: Raw, path: JsonPath, report: Report): void {
  if (object.mode !== 'lagrangian') return;
  for (const key of ['sliding', 'refinement'])
    if (object[key] !== undefined && object[key] !== false)
      report(
        [...path, key],
        'is given, but mode is "lagrangian", whose nodes do not slide; set mode to "rh", or remove it.',
      );
}

function checkRefinement(refinement: unknown, path: JsonPath, report: Report): void {
  if (!isRaw(refinement)) return;
  for (const [low, high, factor] of [
    ['shortest', 'longest', 2],
    ['softest', 'stiffest', 1],
  ] as const) {
    // biome-ignore format: pairs
    const [less, more] = [refinement[low], refinement[high]];
    if (isNumber(less) && isNumber(more) && more < factor * less)
      report(
        [...path, high],
        `is ${formatNumber(more)}; it must be at least ${factor === 1 ? '' : 'twice '}${low}, ${formatNumber(factor * less)}.`,
      );
  }
}

/** Drivers of frames: keyframes or velocities, angle or rate. */
export function checkFrameDriver(driver: Raw, path: JsonPath, report: Report): void {
  if (driver.type === 'clamp')
    for (const key of ['velocity', 'angularVelocity'])
      if (driver[key] !== undefined && driver.keyframes !== undefined)
        report([...path, key], 'is given together with keyframes; remove one of the two.');
  if (driver.type !== 'turn') return;
  checkDirection(driver.axis, [...path, 'axis'], report);
  if (driver.angle === undefined && driver.rate === undefined)
    report([...path, 'angle'], 'is missing, and so is rate; a turn needs one of the two.');
  if (driver.angle !== undefined && driver.rate !== undefined)
    report([...path, 'rate'], 'is given together with angle; remove one of the two.');
}
