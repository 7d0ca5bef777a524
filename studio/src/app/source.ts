/** Where a scene comes from: the gallery, a link, or files that were dropped; as text with the files that it names. */

import { type GalleryScene, MESHES, SCENES } from 'virtual:heddle-gallery';
import type { RecordedFile } from './recording.ts';
import type { Route } from './route.ts';
import type { Files } from './run.ts';

export interface SceneSource {
  readonly text: string;
  readonly files: Files;
  /** The card of the gallery, when it is from there. */
  readonly card?: GalleryScene;
  /** The recorded run that the scene is of. */
  readonly recorded?: RecordedFile;
  /** A sentence about it for the user. */
  readonly note?: string;
}

/** Largest file that is read [bytes]; the tab's memory is all there is. */
const LARGEST = 1024 * 1024 * 1024;

/** The meshes of the gallery that a scene names, but for those that are `there` already. */
export async function loadMeshes(text: string, there: Files = {}): Promise<Files> {
  const { listSceneFiles } = await import('../simulation/scene-files.ts');
  const names = listSceneFiles(text).filter((name) => Object.hasOwn(MESHES, name) && !Object.hasOwn(there, name));
  const entries = names.map(async (name) => {
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
    const { text, files } = await decodeShare(route.code);
    return { text, files: { ...(await loadMeshes(text, files)), ...files } };
  }
  if (dropped !== undefined) return dropped;
  throw new Error('The dropped file is no longer available; drop it again.');
}

/** A scene, or a recorded run, among files that were dropped or chosen together. */
export async function readDroppedFiles(list: Iterable<File>): Promise<SceneSource> {
  const files: Record<string, Uint8Array<ArrayBuffer>> = {};
  for (const file of list) {
    if (file.size > LARGEST) throw new Error(`${file.name} has more than 1 GB, which is too large to open.`);
    files[file.name] = new Uint8Array(await file.arrayBuffer());
  }
  const { isFrameFile, readRecordedFile } = await import('./recording.ts');
  const run = Object.values(files).find(isFrameFile);
  if (run !== undefined) {
    const recorded = readRecordedFile(run);
    return { ...(await findFiles(recorded.text, files)), recorded };
  }
  const scene = Object.entries(files).find(([name]) => name.endsWith('.json'));
  if (scene === undefined) throw new Error('These files contain no scene (.json) and no recorded run (.heddle).');
  return findFiles(new TextDecoder().decode(scene[1]), files);
}

/** A scene with the files that it names, of those that were dropped and those of the gallery; what is lacking, its load says. */
async function findFiles(text: string, files: Files): Promise<SceneSource> {
  const { pickSceneFiles } = await import('../simulation/scene-files.ts');
  const dropped = pickSceneFiles(text, files);
  const known = await loadMeshes(text, dropped);
  const source = { text, files: { ...known, ...dropped } };
  const names = Object.keys(known).join(', ');
  if (names === '') return source;
  return { ...source, note: `${names} was not dropped with the scene; the gallery file of that name is used.` };
}
