/** The contacts of a world's sheets, and of its strands, rods and yarns with what is of another kind: which surfaces there are, what each touches, and which of their points are tied together. */
import { type Body, RigidBody } from '../bodies/index.ts';
import { isLineModel, type LineModel, type Model, type NodePoint } from '../model/index.ts';
import { BodySurface } from './body-surface.ts';
import { LineSurface } from './line-surface.ts';
import { Sheet } from './step.ts';
import { SheetSurface, type Surface } from './surface.ts';
import { SurfaceContacts } from './surface-contacts.ts';

export interface SheetContactOptions {
  /** Which sheets touch themselves; default: all. */
  readonly touchesItself?: (sheet: Sheet) => boolean;
  /** Which sheets touch other sheets; default: all. */
  readonly touchesSheets?: (sheet: Sheet) => boolean;
  /** Of which Lagrangian sheets edges and corners of static and scripted bodies keep out between the vertices; default: all. */
  readonly touchesEdges?: (sheet: Sheet) => boolean;
  /** Whether a strand, rod or fabric touches another of these, or a sheet; default: none does. Asked in one order or the other. */
  readonly linesMeet?: (one: LineModel, other: LineModel | Sheet) => boolean;
  /** Vertices that are tied together: no contact is looked for between what has them in common. */
  readonly ties?: readonly (readonly [NodePoint, NodePoint])[];
}

/** Contacts between the sheets and lines of a world, of sheets with themselves, and with the bodies among their obstacles. `models`: in the world's order. */
export function createSheetContacts(models: readonly Model[], options: SheetContactOptions = {}): SurfaceContacts {
  const {
    touchesItself = () => true,
    touchesSheets = () => true,
    touchesEdges = () => true,
    linesMeet,
    ties = [],
  } = options;
  const surfaces: Surface[] = [];
  const bodies = new Map<Body, number>();
  const joints = collectJoints(ties);
  models.forEach((model, part) => {
    if (model instanceof Sheet) {
      surfaces.push(
        new SheetSurface(model, part, {
          touchesItself: touchesItself(model),
          touchesSheets: touchesSheets(model),
          touchesEdges: touchesEdges(model),
          joints: joints.get(model) ?? new Map(),
        }),
      );
      for (const body of model.obstacles) if (!bodies.has(body)) bodies.set(body, -1);
    } else if (linesMeet && isLineModel(model)) {
      const meets = (other: Surface): boolean =>
        other instanceof LineSurface
          ? linesMeet(model, other.model)
          : other instanceof SheetSurface && linesMeet(model, other.sheet);
      surfaces.push(new LineSurface(model, part, { meets, joints: joints.get(model) ?? new Map() }));
    } else if (model instanceof RigidBody) bodies.set(model.body, part);
  });
  for (const [body, part] of bodies) {
    // an infinite plane has neither edges nor corners
    if (part >= 0 || (body.motion !== 'dynamic' && body.shape.type !== 'plane'))
      surfaces.push(new BodySurface(body, part));
  }
  const isTouched = (one: Surface): boolean =>
    surfaces.some((other) => (other === one ? one.touchesItself : one.meets(other)));
  return new SurfaceContacts(surfaces.filter(isTouched));
}

/** Numbers of tied vertices by model and label: what ties lead to from each other has the same. */
function collectJoints(ties: readonly (readonly [NodePoint, NodePoint])[]): Map<unknown, Map<number, number>> {
  const joints = new Map<unknown, Map<number, number>>();
  let count = 0;
  for (const ends of ties) {
    const [one, other] = ends.map(({ model, label }) => joints.get(model)?.get(label));
    const number = one ?? other ?? count++;
    for (const { model, label } of ends) {
      if (!joints.has(model)) joints.set(model, new Map());
      joints.get(model)!.set(label, number);
    }
    if (one === undefined || other === undefined || one === other) continue;
    for (const known of joints.values()) for (const [label, was] of known) if (was === other) known.set(label, one);
  }
  return joints;
}
