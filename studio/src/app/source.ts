/** Where a scene comes from: the gallery, a link, or files that were dropped; as text with the files that it names. */

import { type GalleryScene, MESHES, SCENES } from 'virtual:heddle-gallery';
import type { Frame } from 'heddle/model';
import type { Route } from './route.ts';
import type { Files } from './run.ts';

export interface SceneSource {
  readonly text: string;
  readonly files: Files;
  /** The card of the gallery, when it is from there. */
  readonly card?: GalleryScene;
  /** Frames of a recorded run. */
  readonly frames?: readonly Frame[];
}

/** Largest file that is read [bytes]; the tab's memory is all there is. */
const LARGEST = 1024 * 1024 * 1024;

/** Names of mesh files in the text of a scene. */
function findMeshNames(text: string): string[] {
  return Object.keys(MESHES).filter((name) => text.includes(JSON.stringify(name)));
}

/** The meshes of the gallery that a scene names. */
export async function loadMeshes(text: string): Promise<Files> {
  const entries = findMeshNames(text).map(async (name) => {
    const response = await fetch(new URL(MESHES[name], document.baseURI));
    if (!response.ok) throw new Error(`The mesh ${name} could not be loaded (${response.status}).`);
    return [name, new Uint8Array(await response.arrayBuffer())] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** The scene of an address. `dropped` is what was dropped last. */
export async function openSource(route: Route, dropped: SceneSource | undefined): Promise<SceneSource> {
  if (route.page === 'scene') {
    const card = SCENES.find(({ name }) => name === route.name);
    if (card === undefined) throw new Error(`There is no scene called “${route.name}” in the gallery.`);
    const text = await card.load();
    return { text, files: await loadMeshes(text), card };
  }
  if (route.page === 'share') {
    const { decodeShare } = await import('../panels/share.ts');
    const text = await decodeShare(route.code);
    return { text, files: await loadMeshes(text) };
  }
  if (dropped !== undefined) return dropped;
  throw new Error('What was dropped here is gone; drop the file again.');
}

/** A scene, or a recorded run, among files that were dropped or chosen together. */
export async function readDroppedFiles(list: Iterable<File>): Promise<SceneSource> {
  const files: Record<string, Uint8Array<ArrayBuffer>> = {};
  for (const file of list) {
    if (file.size > LARGEST) throw new Error(`${file.name} has more than 1 GB; it is not opened.`);
    files[file.name] = new Uint8Array(await file.arrayBuffer());
  }
  const { isFrameFile, readRecordedFile } = await import('./recording.ts');
  const run = Object.values(files).find(isFrameFile);
  if (run !== undefined) {
    const { text, frames } = readRecordedFile(run);
    return { text, frames, files: { ...(await loadMeshes(text)), ...files } };
  }
  const scene = Object.entries(files).find(([name]) => name.endsWith('.json'));
  if (scene === undefined)
    throw new Error('There is no scene (.json) and no recorded run (.heddle) among these files.');
  const text = new TextDecoder().decode(scene[1]);
  return { text, files: { ...(await loadMeshes(text)), ...files } };
}
