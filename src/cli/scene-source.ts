/** Finds the scene a user names: one of the gallery by its name, or a file by its path. */

import { existsSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { HeddleError, SceneError } from '../model/errors.ts';
import { createLimits, type Limits } from '../model/limits.ts';
import { suggest } from '../model/nearest.ts';
import { compile, parseScene, readSceneJson, type Scene, setPath, validateScene } from '../scene/index.ts';
import type { Context, RunnableWorld } from './context.ts';
import { FileError, readBytes, readText, showPath } from './files.ts';
import { GALLERY, listGallery } from './gallery.ts';

/** A scene with the file it came from. */
export interface LoadedScene {
  readonly scene: Scene;
  readonly path: string;
  /** Reads a file that the scene names; it lies beside the scene. */
  readonly readFile: (name: string) => Uint8Array<ArrayBuffer>;
  readonly limits: Limits;
}

/** Path of the scene that `argument` names: a gallery scene, or a file. */
export function findScenePath(argument: string, folder: string, gallery = GALLERY): string {
  const inGallery = join(gallery, `${argument}.json`);
  if (/^[\w-]+$/.test(argument) && existsSync(inGallery)) return inGallery;
  const path = isAbsolute(argument) ? argument : resolve(folder, argument);
  if (existsSync(path)) {
    if (statSync(path).isDirectory()) {
      throw new FileError(`${argument} is a folder, not a scene file; give the .json file in it.`);
    }
    return path;
  }
  if (/[/\\.]/.test(argument)) throw new FileError(`${argument} does not exist; give the path of a scene file.`);
  throw new HeddleError(
    `"${argument}" is neither a gallery scene nor a file.${suggest(argument, listGallery(gallery), 'Scenes')}`,
  );
}

/** Loads a scene with `--set` assignments applied before it is validated. */
export function loadScene(
  path: string,
  folder: string,
  assignments: readonly string[] = [],
  limits: Limits = createLimits(),
): LoadedScene {
  const shown = showPath(path, folder);
  const size = existsSync(path) ? statSync(path).size : 0;
  // a character has at most four bytes
  if (size > 4 * limits.text)
    throw new SceneError([{ path: '', message: `is larger than ${limits.text} characters.` }], shown);
  const text = readText(path);
  const readFile = (name: string) => readBytes(join(dirname(path), name), limits.fileBytes);
  if (assignments.length === 0) return { scene: parseScene(text, { source: shown, limits }), path, readFile, limits };
  const raw = readSceneJson(text, { source: shown, limits });
  for (const assignment of assignments) setPath(raw, assignment);
  const source = `${shown} with ${assignments.map((assignment) => `--set ${assignment}`).join(' ')}`;
  return { scene: validateScene(raw, { source, limits }), path, readFile, limits };
}

/** Builds the world of a loaded scene; faults that only building shows name the scene's file, too. */
export function compileLoaded(
  loaded: LoadedScene,
  context: Pick<Context, 'compile' | 'folder'>,
  readFile = loaded.readFile,
): RunnableWorld {
  try {
    return (context.compile ?? compile)(loaded.scene, { readFile, limits: loaded.limits });
  } catch (error) {
    if (!(error instanceof SceneError)) throw error;
    throw new SceneError(error.faults, showPath(loaded.path, context.folder));
  }
}
