/** What no single field of a body can say: which keys its motion needs and forbids. */
import { isAnimated } from './check-animations.ts';
import { checkKeyframeTimes } from './check-order.ts';
import { checkDirection } from './check-rods.ts';
import type { Report } from './faults.ts';
import type { JsonPath } from './json-text.ts';
import { eachRaw, isRaw, type Raw } from './raw.ts';
import { quote } from './wording.ts';

const DYNAMIC_KEYS = ['mass', 'density', 'velocity', 'angularVelocity', 'hinge'] as const;

export function checkBody(body: Raw, path: JsonPath, report: Report): void {
  const motion = body.motion ?? 'static';
  checkRotation(body, path, report);
  if (isRaw(body.hinge)) checkDirection(body.hinge.axis, [...path, 'hinge', 'axis'], report);
  eachRaw(body.keyframes, [...path, 'keyframes'], (keyframe, at) => checkRotation(keyframe, at, report));
  checkKeyframeTimes(body.keyframes, [...path, 'keyframes'], report);
  // what a wrong motion would mean for the other keys nobody knows
  if (motion !== 'static' && motion !== 'scripted' && motion !== 'dynamic') return;
  if (motion === 'scripted' && body.keyframes === undefined && !isAnimated(body)) {
    report([...path, 'keyframes'], 'is missing; a scripted body needs keyframes.');
  }
  if (motion !== 'scripted' && body.keyframes !== undefined) {
    report([...path, 'keyframes'], `is given, but motion is ${quote(motion)}; set motion to "scripted".`);
  }
  if (motion === 'dynamic') {
    if (body.mass === undefined && body.density === undefined) {
      report([...path, 'mass'], 'is missing, and so is density; a dynamic body needs one of the two.');
    }
    if (body.mass !== undefined && body.density !== undefined) {
      report([...path, 'density'], 'is given together with mass; remove one of the two.');
    }
    if (isRaw(body.shape) && body.shape.type === 'plane') {
      report([...path, 'motion'], 'is "dynamic", but a plane is infinite; use a box, or "static" or "scripted".');
    }
    return;
  }
  for (const key of DYNAMIC_KEYS) {
    if (body[key] === undefined) continue;
    report([...path, key], `is given, but motion is ${quote(motion)}; set motion to "dynamic" or remove it.`);
  }
}

export function checkRotation(owner: Raw, path: JsonPath, report: Report): void {
  if (isRaw(owner.rotation)) checkDirection(owner.rotation.axis, [...path, 'rotation', 'axis'], report);
}
