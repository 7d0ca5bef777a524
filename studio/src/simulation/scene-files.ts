/** The files that a scene names: meshes of bodies, which lie beside it. A simulation gets them together with the scene's text. */

/** Names of the files in a scene's text, each once; none in what is no scene. */
export function listSceneFiles(text: string): string[] {
  let scene: unknown;
  try {
    scene = JSON.parse(text);
  } catch {
    // the simulation says what is wrong with it
    return [];
  }
  const bodies = (scene as { bodies?: unknown } | null)?.bodies;
  if (!Array.isArray(bodies)) return [];
  const names = bodies.map((body: { shape?: { file?: unknown } } | null) => body?.shape?.file);
  return [...new Set(names.filter((name) => typeof name === 'string'))];
}

/** Fetches the files of a scene from the folder that it lies in; those that are not there are left out. */
export async function fetchSceneFiles(text: string, folder: URL | string): Promise<Record<string, ArrayBuffer>> {
  const entries = await Promise.all(
    listSceneFiles(text).map(async (name) => {
      // a name is one segment of a path: it leads nowhere else
      const response = await fetch(new URL(encodeURIComponent(name), folder)).catch(() => undefined);
      return response?.ok ? [[name, await response.arrayBuffer()] as const] : [];
    }),
  );
  return Object.fromEntries(entries.flat());
}
