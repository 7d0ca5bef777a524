/** The animation of a body's mesh: poses from a clip of a glTF file, or from a sequence of OBJ files. */
import type { MeshAnimation } from '../bodies/index.ts';
import { readGltfClip } from '../io/gltf-animation.ts';
import { decodeMeshText } from '../io/mesh-file.ts';
import { readObjPoses } from '../io/obj-read.ts';
import { HeddleError } from '../model/index.ts';
import type { SceneBody } from './schema.ts';

type SceneAnimation = NonNullable<Extract<SceneBody['shape'], { type: 'mesh' }>['animation']>;

export function readAnimation(
  file: string,
  { clip, files, framesPerSecond, start, end }: SceneAnimation,
  readFile: (name: string) => Uint8Array,
): MeshAnimation {
  if (/\.obj$/i.test(file)) {
    if (files === undefined || framesPerSecond === undefined)
      throw new HeddleError(`the animation of ${file} needs files and framesPerSecond.`);
    const names = [file, ...files];
    const read = readObjPoses(names.map((name) => ({ source: name, text: decodeMeshText(readFile(name), name) })));
    return { ...read, interval: 1 / framesPerSecond, start, end };
  }
  const read = readGltfClip(readFile(file), { source: file, clip, framesPerSecond });
  // in a loop the clip's end is its start again
  const poses = end === 'loop' && read.poses.length > 2 ? read.poses.slice(0, -1) : read.poses;
  return { ...read, poses, start, end };
}
