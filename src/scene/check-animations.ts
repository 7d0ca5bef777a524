/** Checks of bodies whose mesh has an animation, on raw values; see checks.ts. What rides on such a body, or touches it by its faces and edges, cannot yet. */

import type { Report } from './faults.ts';
import type { JsonPath } from './json-text.ts';
import { eachRaw, isRaw, type Raw } from './raw.ts';
import { quote } from './wording.ts';

export function checkAnimations(scene: Raw, report: Report): void {
  eachRaw(scene.objects, ['objects'], (object, path) =>
    eachRaw(object.parts, [...path, 'parts'], ({ pattern }, at) => {
      if (isRaw(pattern) && isAnimated(pattern))
        report(
          [...at, 'pattern', 'shape', 'animation'],
          'is given, but particles fill a shape only at the start; remove it.',
        );
    }),
  );
  const moving = new Set<unknown>();
  eachRaw(scene.bodies, ['bodies'], (body, path) => {
    if (!isAnimated(body)) return;
    moving.add(body.id);
    const motion = body.motion ?? 'static';
    if (motion === 'static' || motion === 'dynamic')
      report([...path, 'motion'], `is ${quote(motion)}, but the mesh has an animation; set motion to "scripted".`);
    const { shape } = body;
    if (isRaw(shape) && isRaw(shape.animation))
      checkSource(shape, shape.animation, [...path, 'shape', 'animation'], report);
  });
  if (moving.size === 0) return;
  const [first] = moving;
  eachRaw(scene.objects, ['objects'], (object, path) => {
    checkTouch(object, path, String(first), report);
    for (const key of ['guides', 'spools'])
      eachRaw(object[key], [...path, key], ({ body }, at) => checkRider(body, [...at, 'body'], moving, report));
  });
  eachRaw(scene.drivers, ['drivers'], ({ body }, path) => checkRider(body, [...path, 'body'], moving, report));
}

/** Whether the mesh of a body moves. */
export function isAnimated({ shape }: Raw): boolean {
  return isRaw(shape) && shape.type === 'mesh' && shape.animation !== undefined;
}

function checkSource({ file }: Raw, animation: Raw, path: JsonPath, report: Report): void {
  if (typeof file !== 'string') return;
  if (/\.obj$/i.test(file)) {
    if (animation.files === undefined)
      report(
        [...path, 'files'],
        `is missing; an .obj file has one pose, so list the files that follow ${quote(file)}.`,
      );
    if (animation.framesPerSecond === undefined)
      report([...path, 'framesPerSecond'], 'is missing; .obj files do not contain the number of poses per second.');
    if (animation.clip !== undefined)
      report([...path, 'clip'], `is given, but ${quote(file)} has no clips; remove it, or use a .glb.`);
  } else if (animation.files !== undefined)
    report([...path, 'files'], `is given, but ${quote(file)} contains its poses; remove it, or use an .obj.`);
}

/** Faces and edges that strands, rods and sheets hold on to would have to stay. */
function checkTouch({ type, mode, contact }: Raw, path: JsonPath, body: string, report: Report): void {
  const why = 'which is animated';
  if (type === 'strand' && mode !== 'lagrangian' && contact !== false)
    report(
      [...path, 'contact'],
      `sets contact of the strand with ${quote(body)}, ${why}; only Lagrangian strands support this: set mode to "lagrangian", or contact to false.`,
    );
  if (type === 'rod' && !(isRaw(contact) && contact.bodies === false))
    report(
      [...path, 'contact'],
      `sets contact of the rod with ${quote(body)}, ${why}; rods do not support this yet: set contact to { "bodies": false }.`,
    );
  if (type === 'sheet' && contact !== false)
    report(
      [...path, 'contact'],
      `sets contact of the sheet with ${quote(body)}, ${why}; sheets do not support this yet: set contact to false, or use a fabric.`,
    );
}

function checkRider(body: unknown, path: JsonPath, moving: ReadonlySet<unknown>, report: Report): void {
  if (moving.has(body))
    report(path, `is ${quote(String(body))}, which is animated and cannot carry anything yet; name a rigid body.`);
}
