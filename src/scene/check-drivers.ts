/** What no single field of a driver can say: what it acts on, when, and with which other keys. */
import { checkRotation } from './check-bodies.ts';
import { checkBodyName, checkObjectName, type Names } from './check-names.ts';
import { checkKeyframeTimes } from './check-order.ts';
import { checkFrameDriver } from './check-rods.ts';
import { checkPlace, checkType } from './check-sheets.ts';
import { checkSpoolUse } from './check-spools.ts';
import type { Report } from './faults.ts';
import type { JsonPath } from './json-text.ts';
import { eachRaw, isNumber, isRaw, type Raw } from './raw.ts';
import { formatNumber, formatPath } from './wording.ts';

/** Drivers of a frame at an end of a rod. */
const FRAME_DRIVERS: readonly string[] = ['clamp', 'turn', 'twist'];

export function checkDriver(driver: Raw, path: JsonPath, names: Names, report: Report): void {
  for (const key of ['on', 'to']) {
    const place = driver[key];
    if (!isRaw(place)) continue;
    checkObjectName(place.object, [...path, key, 'object'], names, report);
    checkPlace(place, [...path, key], names.kinds, report);
    checkSpoolUse(place, [...path, key], names.spools, report);
  }
  const from = driver.from ?? 0;
  if (isNumber(from) && isNumber(driver.until) && driver.until <= from) {
    report([...path, 'until'], `is ${formatNumber(driver.until)} s; it must be after from, ${formatNumber(from)} s.`);
  }
  checkKeyframeTimes(driver.keyframes, [...path, 'keyframes'], report);
  for (const key of ['value', 'angle', 'rate']) checkKeyframeTimes(driver[key], [...path, key], report);
  if (driver.type === 'clamp')
    eachRaw(driver.keyframes, [...path, 'keyframes'], (keyframe, at) => checkRotation(keyframe, at, report));
  checkObjectName(driver.object, [...path, 'object'], names, report);
  if (FRAME_DRIVERS.includes(String(driver.type))) {
    if (isRaw(driver.on)) checkType(driver.on.object, 'rod', [...path, 'on', 'object'], names.kinds, report);
    checkFrameDriver(driver, path, report);
  }
  if (driver.type === 'wind' && [...names.kinds.values()].some((kind) => kind.type === 'fabric'))
    report([...path, 'type'], 'is "wind", which does not act on fabrics yet, and the scene has one; remove the wind.');
  if (driver.type === 'rest') checkType(driver.object, 'strand', [...path, 'object'], names.kinds, report);
  if (driver.type !== 'tie') return;
  const isPart = (place: unknown): boolean => isRaw(place) && names.kinds.get(String(place.object))?.type === 'part';
  if (driver.to !== undefined && (isPart(driver.on) || isPart(driver.to)))
    report(
      [...path, 'to'],
      'is given, but one of the two objects is an MPM part, which can be tied to static and scripted bodies only; give "body".',
    );
  if (typeof driver.body === 'string') checkBodyName(driver.body, [...path, 'body'], names, report);
  if (driver.body === undefined && driver.to === undefined) {
    report([...path, 'body'], 'is missing, and so is "to"; a tie needs one of the two.');
  }
  if (driver.body !== undefined && driver.to !== undefined) {
    report([...path, 'to'], 'is given together with body; remove one of the two.');
  }
}

/** A strand has one natural length. */
export function checkRestDrivers(scene: Raw, report: Report): void {
  const taken = new Map<unknown, JsonPath>();
  eachRaw(scene.drivers, ['drivers'], ({ type, object }, path) => {
    if (type !== 'rest') return;
    const first = taken.get(object);
    if (first === undefined) taken.set(object, path);
    else
      report(
        [...path, 'object'],
        `already has a rest length, from ${formatPath(first)}; combine both in the keyframes of one driver.`,
      );
  });
}
