/** The files that a scene names: meshes of bodies, sheets and parts of continua, poses of animations, weaving drafts, which lie beside it. A simulation gets them together with the scene's text. */
import { readSceneValue } from './scene-value.ts';

/** No scene is as deep. */
const DEEPEST = 24;

/** Names of the files in a scene's text, each once; none in what is no scene. */
export function listSceneFiles(text: string): string[] {
  const scene = readSceneValue(text);
  const names = new Set<string>();
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
    if (Array.isArray(value)) {
      for (const inner of value) visit(inner, depth + 1);
      return;
    }
    for (const [key, inner] of Object.entries(value)) {
      // a file by its name, and poses by a list of them
      const named = key === 'file' ? [inner] : key === 'files' && Array.isArray(inner) ? inner : [];
      for (const name of named) if (typeof name === 'string') names.add(name);
      visit(inner, depth + 1);
    }
  };
  const { objects, bodies } = (scene ?? {}) as { objects?: unknown; bodies?: unknown };
  visit([objects, bodies], 0);
  return [...names];
}

/** The files that a scene's text names, of all that there are. */
export function pickSceneFiles<Bytes>(text: string, files: Readonly<Record<string, Bytes>>): Record<string, Bytes> {
  const names = listSceneFiles(text).filter((name) => Object.hasOwn(files, name));
  return Object.fromEntries(names.map((name) => [name, files[name]]));
}
