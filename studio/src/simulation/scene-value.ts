/** The scene as the page reads it, where it needs a value of it; what is wrong with a text, the simulation says. */
import { hasMoreValues, LIMIT_TABLE } from 'heddle/model';

/** The value of a scene's text; undefined where it is not JSON, or more than the simulation reads. */
export function readSceneValue(text: string): unknown {
  if (text.length > LIMIT_TABLE.text.default || hasMoreValues(text, LIMIT_TABLE.values.default)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
