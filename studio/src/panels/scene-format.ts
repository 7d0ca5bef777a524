/**
 * The scene format for the panels: its schema and the faults of a text. It brings zod along, so elements load it with
 * `import()` when they need it and nobody gave them a schema.
 */

import { SceneError, type SceneFault } from 'heddle/model';
import { computeJsonSchema, parseScene } from 'heddle/scene';

export { computeJsonSchema };

/** Everything wrong with the text of a scene; empty when it can be built as far as the format says. */
export function listFaults(text: string): readonly SceneFault[] {
  try {
    parseScene(text);
    return [];
  } catch (error) {
    if (error instanceof SceneError) return error.faults;
    throw error;
  }
}
