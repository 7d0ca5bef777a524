/**
 * The yarns of a fabric in a GLB: tubes on fixed material points (resample-yarns.ts) in one mesh that morphs, coloured by layer and group.
 * A file holds at most 20 million places of vertices: where there would be more, tubes have fewer sides and points, down to one a
 * node; of more yarns than that every k-th is written. The notes say so.
 */
import type { Node } from '@gltf-transform/core';
import type { YarnsFrame } from '../model/frame.ts';
import { addAttributes, addMorphs, checkFinite, createAccessor, mapEach, type Stage } from './glb-stage.ts';
import { computeYarnColours, type YarnColours } from './group-colours.ts';
import { computeEvenSamples } from './resample.ts';
import { chooseYarnSamples, resampleYarns } from './resample-yarns.ts';
import { computeYarnTubes } from './yarn-tubes.ts';
import { PIECES } from './yarns.ts';

const MOST_PLACES = 2e7;
const SIDES = 8;
const FEWEST_SIDES = 3;
/** Rings of both caps. */
const CAPS = 4;

/** The fabric as a node; none where no yarn has a length. */
export function addYarns(
  stage: Stage,
  id: string,
  sequence: readonly YarnsFrame[],
  options: { readonly samples?: number; readonly sides?: number; readonly colours?: YarnColours | undefined },
  notes: string[],
): Node | null {
  for (const { x } of sequence) checkFinite(id, x);
  const { samples, sides } = chooseYarnDetail(id, sequence, options, notes);
  if (samples.every(({ length }) => length === 0)) return null;
  const shape = (f: number) => computeYarnTubes(resampleYarns(sequence, f, samples), { sides, repeat: 1 });
  const first = shape(0);
  const { document, buffer } = stage;
  const primitive = document
    .createPrimitive()
    .setMaterial(document.createMaterial(id).setMetallicFactor(0).setRoughnessFactor(0.85));
  // an accessor owns its array; `first` is still needed
  addAttributes(stage, primitive, first.positions.slice(), first.normals.slice(), first.indices);
  const palette = computeYarnColours(sequence[0], options.colours);
  const colours = new Float32Array(3 * first.yarn.length);
  for (const [v, y] of first.yarn.entries()) colours.set(palette.subarray(3 * y, 3 * y + 3), 3 * v);
  primitive.setAttribute('COLOR_0', createAccessor(document, buffer, 'VEC3', colours));
  const node = document.createNode(id).setMesh(document.createMesh(id).addPrimitive(primitive));
  const { x, u } = sequence[0];
  if (sequence.some((yarns) => !isSame(yarns.x, x) || !isSame(yarns.u, u)))
    addMorphs(stage, node, primitive, first, mapEach([...sequence.keys()].slice(1), shape));
  return node;
}

const isSame = (a: Float64Array, b: Float64Array): boolean =>
  a === b || (a.length === b.length && a.every((value, i) => value === b[i]));

/** Material points of each yarn (none of yarns that are left out) and sides of the tubes. */
export function chooseYarnDetail(
  id: string,
  sequence: readonly YarnsFrame[],
  options: { readonly samples?: number; readonly sides?: number },
  notes: string[],
): { readonly samples: readonly Float64Array[]; readonly sides: number } {
  const samples = chooseYarnSamples(sequence, options.samples);
  const points = countRings(samples);
  const room = MOST_PLACES / sequence.length;
  const sides = options.sides ?? Math.max(FEWEST_SIDES, Math.min(SIDES, Math.floor(room / points) - 1));
  if ((sides + 1) * points <= room) return { samples, sides };
  // fewer points, at least one a node; then fewer yarns
  const caps = CAPS * samples.filter(({ length }) => length > 0).length;
  const share = Math.max(1 / PIECES, (room / (sides + 1) - caps) / (points - caps));
  const fewer = samples.map((at) => thin(at, share));
  const left = countRings(fewer);
  const stride = Math.ceil(((sides + 1) * left) / room);
  notes.push(
    stride > 1
      ? `The GLB has one of every ${stride} of the ${samples.length} yarns of "${id}", to limit its size.`
      : `The GLB has ${left} instead of ${points} rings on the yarns of "${id}", to limit its size.`,
  );
  return { samples: fewer.map((at, y) => (y % stride === 0 ? at : new Float64Array(0))), sides };
}

/** Rings of all tubes, their caps included. */
const countRings = (samples: readonly Float64Array[]): number =>
  samples.reduce((sum, { length }) => sum + (length > 0 ? length + CAPS : 0), 0);

/** The same span with a share of the points, at least two. */
function thin(at: Float64Array, share: number): Float64Array {
  if (at.length === 0) return at;
  return computeEvenSamples(at[0], at[at.length - 1], Math.max(2, Math.floor(share * at.length)));
}
