/** What the parts of a GLB file share while it is built: accessors, attributes, morph targets and channels. */
import { Accessor, type Animation, type Buffer, type Document, type Node, type Primitive } from '@gltf-transform/core';
import { HeddleError } from '../model/errors.ts';

/** What the parts of the file share while it is built. */
export interface Stage {
  readonly document: Document;
  readonly buffer: Buffer;
  readonly animation: Animation | null;
  readonly times: Accessor;
  /** Name of each frame in the file; a morph target has that of its frame. */
  readonly frameNames: readonly string[];
  /** One weight a morph target and key frame; the same for all that morphs, made by the first that moves. */
  weights: Accessor | null;
  vertices: number;
}

/** The shape of a mesh in one frame; `normals` where the mesh has them. */
export interface MorphShape {
  readonly positions: Float32Array;
  readonly normals?: Float32Array;
}

/**
 * Animates a node's mesh: every frame after the first, whose shape is `first`, becomes a morph target with displacements
 * x_f − x_0 and n_f − n_0; at the time of frame f weight f is 1 and all others 0. A target is named by its frame, also
 * because Blender animates targets by name and refuses a file in which names are empty.
 */
export function addMorphs(
  stage: Stage,
  node: Node,
  primitive: Primitive,
  first: MorphShape,
  later: Iterable<MorphShape>,
): void {
  const { document, buffer, animation } = stage;
  if (animation === null) return;
  let count = 0;
  for (const { positions, normals } of later) {
    count++;
    const shift = subtract(positions, first.positions);
    const morph = document
      .createPrimitiveTarget(stage.frameNames[count])
      .setAttribute('POSITION', createAccessor(document, buffer, 'VEC3', shift));
    if (normals !== undefined && first.normals !== undefined) {
      const turn = subtract(normals, first.normals);
      morph.setAttribute('NORMAL', createAccessor(document, buffer, 'VEC3', turn));
    }
    primitive.addTarget(morph);
  }
  node.getMesh()?.setWeights(new Array(count).fill(0));
  stage.weights ??= createAccessor(document, buffer, 'SCALAR', computeWeights(count + 1), 'weights');
  addChannel(stage, animation, node, 'weights', stage.weights);
}

/** Row f: the weights at frame f. Frame 0 is the mesh itself, so its row is zero. */
function computeWeights(frames: number): Float32Array<ArrayBuffer> {
  const targets = frames - 1;
  const weights = new Float32Array(frames * targets);
  for (let f = 1; f < frames; f++) weights[f * targets + f - 1] = 1;
  return weights;
}

export function addAttributes(
  stage: Stage,
  primitive: Primitive,
  positions: Float32Array<ArrayBuffer>,
  normals: Float32Array<ArrayBuffer>,
  indices: Uint32Array<ArrayBuffer>,
): void {
  const { document, buffer } = stage;
  const vertices = positions.length / 3;
  stage.vertices += vertices;
  primitive
    .setAttribute('POSITION', createAccessor(document, buffer, 'VEC3', positions))
    .setAttribute('NORMAL', createAccessor(document, buffer, 'VEC3', normals))
    .setIndices(createAccessor(document, buffer, 'SCALAR', vertices < 65535 ? Uint16Array.from(indices) : indices));
}

export function addChannel(
  stage: Stage,
  animation: Animation,
  node: Node,
  path: 'weights' | 'translation' | 'rotation',
  output: Accessor,
): void {
  const sampler = stage.document.createAnimationSampler().setInput(stage.times).setOutput(output);
  const channel = stage.document.createAnimationChannel().setTargetNode(node).setTargetPath(path).setSampler(sampler);
  animation.addSampler(sampler.setInterpolation('LINEAR')).addChannel(channel);
}

export function createAccessor(
  document: Document,
  buffer: Buffer,
  type: 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4',
  values: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>,
  name = '',
): Accessor {
  return document.createAccessor(name).setType(Accessor.Type[type]).setArray(values).setBuffer(buffer);
}

/** The first `from.length` values less those of `from`. */
function subtract(values: Float32Array, from: Float32Array): Float32Array<ArrayBuffer> {
  const difference = new Float32Array(from.length);
  for (let i = 0; i < from.length; i++) difference[i] = values[i] - from[i];
  return difference;
}

export function checkFinite(id: string, values: Float32Array | Float64Array): void {
  // a finite 64-bit number may be too large for the 32 bits of a GLB
  if (!values.every((value) => Number.isFinite(Math.fround(value)))) {
    throw new HeddleError(
      `"${id}" has positions that are not finite 32-bit numbers; a GLB cannot hold them. Export only the frames before.`,
    );
  }
}

/** Maps one at a time, when it is asked for: shapes of all frames need not fit in memory at once. */
export function* mapEach<A, B>(values: readonly A[], map: (value: A) => B): Generator<B> {
  for (const value of values) yield map(value);
}
