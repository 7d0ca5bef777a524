/** Runs scenes that are damaged on purpose: each ends in a clear error or a finite run. */
import { HeddleError, SceneError, StepError } from 'heddle/model';
import { compile, parseScene, type Scene, validateScene } from 'heddle/scene';
import { expect } from 'vitest';
import { fuzzScene } from './fuzz.ts';
import { FUZZ_BASES } from './fuzz-bases.ts';

/** Words that would be a leak from inside: of the validator, or of a value turned into text by accident. */
const LEAKS =
  /Invalid (input|option|string|key|element)|expected |Unrecognized|ZodError|\[object |undefined|TypeError|at .*\.ts:/;

const RUN_STEPS = 12;

/** Runs the first steps of an accepted scene: 'finite', or the error that it ends in. */
function runScene(scene: Scene, seed: number): 'finite' | HeddleError {
  try {
    const world = compile(scene);
    const probes = new Float64Array(world.probeColumns.length);
    for (let n = 0; n < RUN_STEPS; n++) world.step();
    world.writeProbes(probes);
    for (const curve of world.frame().objects)
      for (const values of [curve.x, curve.u, ...Object.values(curve.fields)])
        if (!values.every(Number.isFinite)) throw new Error(`seed ${seed}: ${curve.id} is not finite`);
    if (!probes.every(Number.isFinite)) throw new Error(`seed ${seed}: probes are ${probes.join()}`);
    return 'finite';
  } catch (error) {
    if (error instanceof HeddleError) return error;
    throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
  }
}

/** Expects that of the scenes of `count` seeds. */
export function expectClearEnds(first: number, count: number): void {
  let refused = 0;
  let finite = 0;
  for (let seed = first; seed < first + count; seed++) {
    const text = fuzzScene(seed, FUZZ_BASES[seed % FUZZ_BASES.length]);
    let accepted: Scene | undefined;
    try {
      // accepted: then it is a fixed point of validation
      const scene = parseScene(text);
      expect(validateScene(scene)).toEqual(scene);
      accepted = scene;
    } catch (error) {
      if (!(error instanceof SceneError)) throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
      refused++;
      expect(error.faults.length, `seed ${seed}`).toBeGreaterThan(0);
      for (const fault of error.faults) {
        const sentence = `${fault.path || 'the scene'} ${fault.message}`;
        expect(fault.message, `seed ${seed}`).toMatch(/^[a-z].*[.?]$/s);
        expect(sentence, `seed ${seed}`).not.toMatch(LEAKS);
        expect(sentence.length, `seed ${seed}: ${sentence}`).toBeLessThan(600);
        expect(fault.line, `seed ${seed}: ${sentence}`).toBeGreaterThan(0);
      }
    }
    if (accepted === undefined) continue;
    const end = runScene(accepted, seed);
    if (end === 'finite') finite++;
    else {
      expect(end, `seed ${seed}`).toSatisfy((error) => error instanceof SceneError || error instanceof StepError);
      expect(end.message, `seed ${seed}`).not.toMatch(LEAKS);
    }
  }
  // most damage is found, some is harmless: the fuzz would be worthless at either end
  expect(refused).toBeGreaterThan(0.6 * count);
  expect(refused).toBeLessThan(count);
  expect(finite).toBeGreaterThan((count - refused) / 2);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
}
