/** What a body has depends on how it moves: keyframes when it is scripted, a mass or density when it is dynamic. */

import { isObject, type JsonObject } from './json-value.ts';
import { computeWith, type Path, readAt } from './overrides.ts';

export const DYNAMIC_KEYS: readonly string[] = ['mass', 'density', 'velocity', 'angularVelocity', 'hinge'];

/** Is this where a body says how it moves? */
export const isMotion = (path: Path): boolean => path.length === 3 && path[0] === 'bodies' && path[2] === 'motion';

/** The body at a path's place with another motion, and with what that needs and nothing that it forbids. */
export function computeMoving(scene: unknown, path: Path, motion: unknown): JsonObject {
  const body = readAt(scene, path.slice(0, -1));
  let result = (isObject(body) ? body : {}) as JsonObject;
  const set = (key: string, value: unknown) => {
    result = computeWith(result, [key], value) as JsonObject;
  };
  set('motion', motion);
  if (motion !== 'dynamic') for (const key of DYNAMIC_KEYS) set(key, undefined);
  else if (result.mass === undefined && result.density === undefined) set('density', 1000);
  if (motion !== 'scripted') set('keyframes', undefined);
  else if (result.keyframes === undefined) {
    const position = result.position ?? [0, 0, 0];
    set('keyframes', [0, 1].map((time) => ({ time, position }))); // biome-ignore format: one line
  }
  return result;
}
