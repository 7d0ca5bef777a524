/**
 * A mesh in several poses, as readers of animations return it: the same triangles in all of them. Vertices that lie together in all
 * poses are one, so that a solid is a closed mesh; those that meet in some only stay apart.
 */
import { FormatError } from '../model/errors.ts';

export interface MeshPoses {
  /** Three vertices a triangle. */
  readonly indices: Int32Array;
  /** Three coordinates a vertex, one array a pose. */
  readonly poses: readonly Float64Array[];
}

/** More numbers in all poses together are refused before their memory is taken. */
export const MOST_POSE_NUMBERS = 100_000_000;
/** As many as a scene may have keyframes. */
export const MOST_POSES = 100_000;

export const checkPoseSize = (source: string, vertices: number, poses: number): void => {
  if (poses > MOST_POSES)
    throw new FormatError(
      `${source}: there are ${poses} poses; at most ${MOST_POSES} are supported. Use fewer poses per second, or a shorter clip.`,
    );
  if (3 * vertices * poses > MOST_POSE_NUMBERS)
    throw new FormatError(
      `${source}: ${poses} poses of ${vertices} vertices are more than ${MOST_POSE_NUMBERS} numbers; use fewer poses or a coarser mesh.`,
    );
};

export const joinPoses = (poses: readonly ArrayLike<number>[], indices: ArrayLike<number>): MeshPoses => {
  const group = groupVertices(poses);
  const place = new Map<number, number>();
  const first: number[] = [];
  const join = (vertex: number): number => {
    let index = place.get(group[vertex]);
    if (index === undefined) {
      index = first.length;
      place.set(group[vertex], index);
      first.push(vertex);
    }
    return index;
  };
  const kept: number[] = [];
  for (let t = 0; t + 2 < indices.length; t += 3) {
    const [a, b, c] = [group[indices[t]], group[indices[t + 1]], group[indices[t + 2]]];
    if (a === b || b === c || c === a) continue;
    kept.push(join(indices[t]), join(indices[t + 1]), join(indices[t + 2]));
  }
  return {
    indices: Int32Array.from(kept),
    poses: poses.map((pose) => {
      const picked = new Float64Array(3 * first.length);
      for (let v = 0; v < first.length; v++) for (let k = 0; k < 3; k++) picked[3 * v + k] = pose[3 * first[v] + k];
      return picked;
    }),
  };
};

/** Numbers of vertices, the same for those that lie together in all poses. */
const groupVertices = (poses: readonly ArrayLike<number>[]): Int32Array => {
  const group = new Int32Array(poses[0].length / 3);
  let next = 1;
  // those that are not alone yet: of most meshes few are left after the first pose
  let open = Array.from(group, (_, v) => v);
  for (const pose of poses) {
    const known = new Map<string, number>();
    const sizes = new Map<number, number>();
    for (const v of open) {
      // + 0 makes −0 and 0 the same key
      const key = `${group[v]},${pose[3 * v] + 0},${pose[3 * v + 1] + 0},${pose[3 * v + 2] + 0}`;
      const found = known.get(key) ?? next++;
      known.set(key, found);
      sizes.set(found, (sizes.get(found) ?? 0) + 1);
      group[v] = found;
    }
    open = open.filter((v) => sizes.get(group[v]) !== 1);
  }
  return group;
};
