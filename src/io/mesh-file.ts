/**
 * What the mesh readers return, whatever the format: triangles with vertices at the same place joined, so that a solid
 * is a closed mesh, and polylines. Texture coordinates belong to corners, since one vertex may have several.
 */
import { weldVertices } from '../geometry/index.ts';
import { FormatError } from '../model/errors.ts';

export interface MeshFile {
  /** Three coordinates a vertex. */
  readonly positions: Float64Array;
  /** Three vertices a triangle. */
  readonly indices: Int32Array;
  /** Two numbers a corner, in the order of `indices`; left out where the file has none. Corners without any have 0, 0. */
  readonly texcoords?: Float64Array;
  /** Polylines: three coordinates a point. A closed one repeats its first point. */
  readonly curves: readonly Float64Array[];
}

export interface ReadMeshOptions {
  /** Name of the file, for messages. */
  readonly source?: string;
}

/** A file with more is refused before its memory is taken; bytes are those of OBJ text, which is read at once. */
export const MESH_LIMITS = { vertices: 4_000_000, corners: 12_000_000, bytes: 256 * 1024 * 1024 } as const;

/** The text of a file. Throws a FormatError for one that is too long to be read at once. */
export const decodeMeshText = (bytes: Uint8Array, source: string): string => {
  if (bytes.length > MESH_LIMITS.bytes)
    throw new FormatError(
      `${source} has ${Math.ceil(bytes.length / 2 ** 20)} MB; at most ${MESH_LIMITS.bytes / 2 ** 20} MB of text are supported. Use a coarser mesh, or GLB.`,
    );
  return new TextDecoder().decode(bytes);
};

/** Texture coordinates are one pair a corner before joining, or empty. */
export const joinMesh = (
  positions: ArrayLike<number>,
  indices: ArrayLike<number>,
  texcoords: ArrayLike<number>,
  curves: readonly Float64Array[],
): MeshFile => {
  const welded = weldVertices(positions, indices);
  const mesh = { positions: welded.positions, indices: welded.indices, curves };
  if (texcoords.length === 0) return mesh;
  const kept = new Float64Array(2 * welded.indices.length);
  for (const [i, t] of welded.triangles.entries()) {
    for (let k = 0; k < 6; k++) kept[6 * i + k] = texcoords[6 * t + k];
  }
  return { ...mesh, texcoords: kept };
};
