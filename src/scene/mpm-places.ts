/**
 * Particles of a part of a continuum that drivers and probes name: vertices of surfaces by their material coordinates, of curves by the way along each of them, and of all parts what is in a box of the
 * world at the start.
 */
import { computeHypot3 } from '../math/index.ts';
import { HeddleError } from '../model/index.ts';
import type { ContinuumModel, CurvesLook, SurfaceLook } from '../mpm/index.ts';
import { fractionOf } from '../strand/index.ts';
import { listParticles } from '../world/index.ts';
import { findRectangleRegion } from './compile-sheet.ts';
import type { MpmPart } from './mpm-patterns.ts';
import type { On, Scene } from './schema.ts';

/** A vertex nearer to a box than this share of the larger side of the surface is in it. */
const SAME_PLACE = 1e-6;

/** A part of a continuum, by its name. */
export interface FoundPart {
  readonly model: ContinuumModel;
  /** Index of the part. */
  readonly index: number;
  readonly part: MpmPart;
}

export function findPart(
  id: string,
  continua: ReadonlyMap<string, ContinuumModel>,
  scene: Scene,
): FoundPart | undefined {
  for (const object of scene.objects) {
    if (object.type !== 'mpm') continue;
    const index = object.parts.findIndex((part) => part.id === id);
    if (index >= 0) return { model: continua.get(object.id)!, index, part: object.parts[index] };
  }
  return undefined;
}

/** Vertices, or particles of bulk, that a scene names. */
export function listPartNodes(on: Omit<On, 'object'>, found: FoundPart): Int32Array {
  const nodes = Int32Array.from(new Set(listNodes(on, found))).sort();
  if (nodes.length > 0) return nodes;
  throw new HeddleError(
    `no ${found.part.pattern.type === 'fill' ? 'particle' : 'vertex'} of "${found.part.id}" is in that box at the start; make it larger.`,
  );
}

function listNodes(on: Omit<On, 'object'>, { model, index, part }: FoundPart): ArrayLike<number> & Iterable<number> {
  const { points } = model.continuum;
  const { look } = model.parts[index];
  if (on.worldBox) {
    const { particles } = listParticles(model, index, on.worldBox);
    return look.type === 'bulk' ? particles : particles.filter((p) => p >= points.stressCount);
  }
  const { firstVertex } = points.groups[index];
  const toParticle = (look: SurfaceLook | CurvesLook) => (i: number) => firstVertex + (look.vertices?.[i] ?? i);
  if (look.type === 'curves' && on.at !== undefined && !Array.isArray(on.at))
    return listAlong(look, points.x, toParticle(look), fractionOf(on.at));
  if (look.type === 'surface') return listOnSurface(on, look, part).map(toParticle(look));
  throw new HeddleError(`part "${part.id}" has no such place.`);
}

/** Of every curve the vertex nearest to a share of its length at the start. */
function listAlong(
  { start }: CurvesLook,
  x: Float64Array,
  toParticle: (i: number) => number,
  fraction: number,
): number[] {
  const found: number[] = [];
  for (let c = 0; c + 1 < start.length; c++) {
    const way = [0];
    for (let i = start[c] + 1; i < start[c + 1]; i++) {
      const [a, b] = [3 * toParticle(i - 1), 3 * toParticle(i)];
      way.push(way[way.length - 1] + computeHypot3(x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]));
    }
    const wanted = fraction * way[way.length - 1];
    const nearest = way.reduce((best, u, n) => (Math.abs(u - wanted) < Math.abs(way[best] - wanted) ? n : best), 0);
    found.push(toParticle(start[c] + nearest));
  }
  return found;
}

/** Vertices shown, by their material coordinates. */
function listOnSurface(on: Omit<On, 'object'>, { X }: SurfaceLook, { id, pattern }: MpmPart): number[] {
  const region =
    on.box !== undefined
      ? { box: on.box }
      : Array.isArray(on.at)
        ? { at: on.at }
        : findRectangleRegion(on, pattern, `part "${id}"`);
  const all = Array.from({ length: X.length / 2 }, (_, i) => i);
  if ('at' in region) {
    const wayTo = (i: number): number => (X[2 * i] - region.at[0]) ** 2 + (X[2 * i + 1] - region.at[1]) ** 2;
    return [all.reduce((best, i) => (wayTo(i) < wayTo(best) ? i : best), 0)];
  }
  const extent = [0, 1].map((k) => {
    const values = all.map((i) => X[2 * i + k]);
    return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
  });
  const slack = SAME_PLACE * Math.max(...extent);
  const [a, b] = region.box;
  return all.filter((i) =>
    [0, 1].every((k) => X[2 * i + k] >= Math.min(a[k], b[k]) - slack && X[2 * i + k] <= Math.max(a[k], b[k]) + slack),
  );
}
