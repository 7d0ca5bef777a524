/** The scenes of the gallery: their names, their text, the world that each compiles to, and its probes. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile, parseScene, type Scene, type World } from 'heddle';

export const GALLERY = new URL('../../scenes/', import.meta.url);
/** Models whose scenes are tested in a file of their own. */
const APART = ['rod', 'fabric', 'mpm', 'mixed'] as const;

/** Names of all scenes of the gallery. */
export const listAllScenes = (): string[] =>
  readdirSync(GALLERY)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.replace(/\.json$/, ''));

/** Scenes of the gallery: those of one such model, or all others. */
export const listScenes = (model?: (typeof APART)[number]): string[] =>
  listAllScenes().filter((name) => APART.find((one) => name.startsWith(`${one}-`)) === model);

export const readScene = (name: string): Scene =>
  parseScene(readFileSync(new URL(`${name}.json`, GALLERY), 'utf8'), { source: `scenes/${name}.json` });

export const build = (scene: Scene): World =>
  compile(scene, { readFile: (file) => new Uint8Array(readFileSync(fileURLToPath(new URL(file, GALLERY)))) });

export function readProbes(world: World): Map<string, number> {
  const values = new Float64Array(world.probeColumns.length);
  world.writeProbes(values);
  return new Map(world.probeColumns.map((column, i) => [column, values[i]]));
}
