/** First values of MPM objects, their parts and their bodies, for what is added to a scene's lists. */

import { computeFreeName, listTakenNames } from './entry-defaults.ts';
import type { JsonObject } from './json-value.ts';
import { computeBox, isPoint, listEntries, mix } from './scene-places.ts';

/** A box of sand a quarter as large as the scene, above everything. */
export function makeContinuum(scene: unknown): JsonObject {
  const { low, high, size } = computeBox(scene);
  const [x, , z] = mix(low, high, 0.5);
  const taken = listTakenNames(scene, ['objects']);
  const side = Number((0.25 * size).toPrecision(3));
  const id = computeFreeName('mpm', taken);
  return {
    type: 'mpm',
    id,
    spacing: Number((side / 6).toPrecision(3)),
    parts: [
      {
        id: computeFreeName('sand', [...taken, id]),
        pattern: { type: 'fill', shape: { type: 'box', size: [side, side, side] } },
        material: { type: 'sand', density: 1500, youngsModulus: 1e5, frictionAngle: 30 },
        position: [x, high[1] + 0.25 * size, z],
      },
    ],
  };
}

/** Another part like the last one, above everything. */
export function makePart(scene: unknown, owner: JsonObject): JsonObject | undefined {
  const last = listEntries(owner, 'parts').at(-1);
  if (last === undefined) return undefined;
  return { ...movePart(scene, last), id: computeFreeName(String(last.id), listTakenNames(scene, ['objects'])) };
}

/** A part moved above everything. */
export function movePart(scene: unknown, part: JsonObject): JsonObject {
  const { high, size } = computeBox(scene);
  const [x, , z] = isPoint(part.position) ? part.position : [0, 0, 0];
  return { ...part, position: [x, high[1] + 0.5 * size, z] };
}

/** A body that the MPM object does not name yet, sticky; undefined where there is none. */
export function makeHeldBody(scene: unknown, owner: JsonObject): JsonObject | undefined {
  const named = listEntries(owner, 'bodies').map(({ body }) => body);
  const free = listEntries(scene, 'bodies').find(({ id }) => !named.includes(id));
  return free && { body: free.id, condition: 'sticky' };
}
