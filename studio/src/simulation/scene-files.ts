/** The files that a scene names: meshes of bodies and the poses of their animations, which lie beside it. A simulation gets them together with the scene's text. */

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
  type Shape = { file?: unknown; animation?: { files?: unknown } | null };
  const names = bodies.flatMap((body: { shape?: Shape | null } | null): unknown[] => {
    const poses = body?.shape?.animation?.files;
    return [body?.shape?.file, ...(Array.isArray(poses) ? poses : [])];
  });
  return [...new Set(names.filter((name) => typeof name === 'string'))];
}

/** The files that a scene's text names, of all that there are. */
export function pickSceneFiles<Bytes>(text: string, files: Readonly<Record<string, Bytes>>): Record<string, Bytes> {
  const names = listSceneFiles(text).filter((name) => Object.hasOwn(files, name));
  return Object.fromEntries(names.map((name) => [name, files[name]]));
}
