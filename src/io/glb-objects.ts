/**
 * Sheets and particles in a GLB.
 *
 * A sheet is a mesh that stands on one material mesh in all frames (resample-surface.ts) and morphs; its texture
 * coordinate is X / (two checks).
 *
 * Particles are a mesh of points that morphs, coloured by their groups. A file has as many as the frame with the most:
 * one that has not come yet waits where it will appear, one that is gone stays where it was last. A file holds at most
 * 20 million places of particles; of more, every k-th particle is written, and the notes say so.
 */
import { type Material, type Node, Primitive } from '@gltf-transform/core';
import type { PointsFrame, SurfaceFrame } from '../model/frame.ts';
import {
  addAttributes,
  addMorphs,
  checkFinite,
  createAccessor,
  type MorphShape,
  mapEach,
  type Stage,
} from './glb-stage.ts';
import { computeGroupColours } from './group-colours.ts';
import { chooseMaterialMesh, resampleSurface } from './resample-surface.ts';
import { computeVertexNormals } from './surface-shading.ts';

const MOST_PLACES = 2e7;

export interface SheetLook {
  readonly material: Material;
  /** Material length of one repeat of the texture [m]. */
  readonly repeat: number;
  /** Fewest vertices where the mesh has to be chosen. */
  readonly samples?: number;
}

export function addSurface(stage: Stage, id: string, sequence: readonly SurfaceFrame[], look: SheetLook): Node {
  const { document, buffer } = stage;
  for (const { x, X } of sequence) {
    checkFinite(id, x);
    checkFinite(id, X);
  }
  const fixed = chooseMaterialMesh(sequence, look.samples);
  const shape = (surface: SurfaceFrame): Required<MorphShape> => {
    const resampled = resampleSurface(surface, fixed);
    return {
      positions: Float32Array.from(resampled.x),
      normals: Float32Array.from(computeVertexNormals(resampled)),
    };
  };
  const primitive = document.createPrimitive().setMaterial(look.material);
  const node = document.createNode(id).setMesh(document.createMesh(id).addPrimitive(primitive));
  const first = shape(sequence[0]);
  // an accessor owns its array; `first` is still needed
  addAttributes(stage, primitive, first.positions.slice(), first.normals.slice(), Uint32Array.from(fixed.triangles));
  const texcoords = Float32Array.from(fixed.X, (value) => value / look.repeat);
  primitive.setAttribute('TEXCOORD_0', createAccessor(document, buffer, 'VEC2', texcoords));
  const moves = sequence.some(({ x }) => x.length !== sequence[0].x.length || x.some((v, i) => v !== sequence[0].x[i]));
  if (moves) addMorphs(stage, node, primitive, first, mapEach(sequence.slice(1), shape));
  return node;
}

/** The particles as a node; none where no frame has any. */
export function addPoints(stage: Stage, id: string, sequence: readonly PointsFrame[], notes: string[]): Node | null {
  const { document, buffer } = stage;
  for (const { x } of sequence) checkFinite(id, x);
  const most = Math.max(...sequence.map(({ group }) => group.length));
  if (most === 0) return null;
  const stride = Math.ceil((most * sequence.length) / MOST_PLACES);
  if (stride > 1) notes.push(`The GLB has every ${stride}th of the ${most} particles of "${id}", to limit its size.`);
  const chosen = Math.ceil(most / stride);
  const places = createPlaces(sequence, stride, chosen);
  const first = places(0);
  const fullest = sequence.find(({ group }) => group.length === most)!;
  const colours = computeGroupColours(Uint8Array.from({ length: chosen }, (_, p) => fullest.group[p * stride]));
  const primitive = document
    .createPrimitive()
    .setMode(Primitive.Mode.POINTS)
    .setMaterial(document.createMaterial(id).setMetallicFactor(0).setRoughnessFactor(0.9))
    .setAttribute('POSITION', createAccessor(document, buffer, 'VEC3', first.slice()))
    .setAttribute('COLOR_0', createAccessor(document, buffer, 'VEC3', colours));
  stage.vertices += chosen;
  const node = document.createNode(id).setMesh(document.createMesh(id).addPrimitive(primitive));
  const shapes = mapEach(
    sequence.slice(1).map((_, f) => f + 1),
    (f) => ({ positions: places(f) }),
  );
  const moves = sequence.some((_, f) => f > 0 && places(f).some((value, i) => value !== first[i]));
  if (moves) addMorphs(stage, node, primitive, { positions: first }, shapes);
  return node;
}

/** Places of the chosen particles in frame f, by f. */
function createPlaces(sequence: readonly PointsFrame[], stride: number, chosen: number) {
  // the frame in which each particle is there that is nearest to f: itself, else the latest before, else the next
  const countAt = sequence.map(({ group }) => group.length);
  return (f: number): Float32Array<ArrayBuffer> => {
    const positions = new Float32Array(3 * chosen);
    for (let p = 0; p < chosen; p++) {
      const particle = p * stride;
      let at = f;
      while (at >= 0 && countAt[at] <= particle) at--;
      if (at < 0) at = countAt.findIndex((count) => count > particle);
      for (let axis = 0; axis < 3; axis++) positions[3 * p + axis] = sequence[at].x[3 * particle + axis];
    }
    return positions;
  };
}
