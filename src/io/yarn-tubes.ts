/** Tubes round all yarns of a fabric as one mesh, one ring a node: its topology depends on the numbers of nodes alone. */
import type { YarnsFrame } from '../model/frame.ts';
import { createTubeTarget, type TubeMesh, type TubeTarget, writeTube } from './tube.ts';
import { listYarnPlaces, selectYarn } from './yarns.ts';

export interface YarnTubes extends TubeMesh {
  /** Yarn of each vertex. */
  readonly yarn: Uint32Array<ArrayBuffer>;
}

export interface YarnTubeOptions {
  /** Vertices around. */
  readonly sides: number;
  /** Material length of one repeat of the texture [m]. */
  readonly repeat: number;
}

/** The tubes; a yarn of fewer than two nodes has none. */
export function computeYarnTubes(yarns: YarnsFrame, { sides, repeat }: YarnTubeOptions): YarnTubes {
  const target: TubeTarget = createTubeTarget();
  const parts = listYarnPlaces(yarns).map((y) => {
    writeTube(selectYarn(yarns, y), { sides, repeat, joints: 'mitre', caps: 'flat' }, target);
    const { vertexCount, indexCount } = target;
    return {
      positions: target.positions.slice(0, 3 * vertexCount),
      normals: target.normals.slice(0, 3 * vertexCount),
      texcoords: target.texcoords.slice(0, 2 * vertexCount),
      indices: target.indices.slice(0, indexCount),
      yarn: new Uint32Array(vertexCount).fill(y),
    };
  });
  let first = 0;
  for (const { indices, yarn } of parts) {
    for (let i = 0; i < indices.length; i++) indices[i] += first;
    first += yarn.length;
  }
  const join = <T extends Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(
    out: T,
    pick: (part: (typeof parts)[number]) => T,
  ): T => {
    let at = 0;
    for (const part of parts) {
      out.set(pick(part), at);
      at += pick(part).length;
    }
    return out;
  };
  const indexCount = parts.reduce((sum, { indices }) => sum + indices.length, 0);
  return {
    positions: join(new Float32Array(3 * first), ({ positions }) => positions),
    normals: join(new Float32Array(3 * first), ({ normals }) => normals),
    texcoords: join(new Float32Array(2 * first), ({ texcoords }) => texcoords),
    indices: join(new Uint32Array(indexCount), ({ indices }) => indices),
    yarn: join(new Uint32Array(first), ({ yarn }) => yarn),
  };
}
