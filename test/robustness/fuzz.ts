/** Scene files damaged on purpose, in tests: what damages them is scripts/fuzz/damage.js. */
import { createRandom } from 'heddle/math';
import type { SceneInput } from 'heddle/scene';
import { damageScene } from '../../scripts/fuzz/damage.js';

/** The text of a damaged scene; the same for the same seed and base. */
export function fuzzScene(seed: number, base: SceneInput): string {
  const random = createRandom(seed);
  return damageScene(() => random.uniform(), base);
}
