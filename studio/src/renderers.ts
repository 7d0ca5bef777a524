/**
 * Renderers for views: their contexts and their compiled shaders outlive a view, because making both anew takes longer than anything else that a view
 * does. What a view drew is freed with it; its programs stay for the next one, which is often of the same scene after a change.
 */
import { type Material, type Mesh, type Scene, WebGLRenderer } from 'three';

/** Renderers that no view has: one, as a browser gives few contexts. */
const spare: WebGLRenderer[] = [];
const MOST_SPARE = 1;
/** Programs that stay, of each renderer. */
const kept = new WeakMap<WebGLRenderer, Set<unknown>>();

/** A renderer with a canvas of its own. Give it back with `returnRenderer`. */
export function takeRenderer(): WebGLRenderer {
  const found = spare.pop();
  if (found !== undefined && !found.getContext().isContextLost()) return found;
  found?.dispose();
  return new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
}

/** Takes back a renderer. `free` frees all that it has drawn, all of which is in the scene. */
export function returnRenderer(renderer: WebGLRenderer, scene: Scene, free: () => void): void {
  keepPrograms(renderer, scene);
  free();
  renderer.renderLists.dispose();
  renderer.domElement.remove();
  // what is left on the graphics card goes with the context
  const isClean = renderer.info.memory.geometries === 0 && !renderer.getContext().isContextLost();
  if (isClean && spare.length < MOST_SPARE) {
    renderer.setSize(1, 1);
    spare.push(renderer);
    return;
  }
  renderer.dispose();
  renderer.forceContextLoss();
}

/** The first material of each program is not disposed of: with the last one its program would go. */
function keepPrograms(renderer: WebGLRenderer, scene: Scene): void {
  const programs = kept.get(renderer) ?? new Set();
  kept.set(renderer, programs);
  scene.traverse((part) => {
    const { material, customDepthMaterial } = part as Partial<Mesh>;
    for (const one of [material ?? [], customDepthMaterial ?? []].flat())
      for (const program of listPrograms(renderer, one)) {
        if (programs.has(program)) continue;
        programs.add(program);
        one.dispose = () => {};
      }
  });
}

function listPrograms(renderer: WebGLRenderer, material: Material): Iterable<unknown> {
  const { programs } = renderer.properties.get(material) as { programs?: ReadonlyMap<string, unknown> };
  return programs?.values() ?? [];
}
