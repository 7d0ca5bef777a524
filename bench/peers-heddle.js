/** The rope of bench/peers-rope.js in Heddle. */
import { compile, validateScene } from 'heddle';
import { ROPE } from './peers-rope.js';

export const name = 'heddle';

/** Enough for every step to converge; it takes 2 to 4. */
const CONVERGED = 20;

/**
 * `converged`: the step's equations are solved, not only linearised, so that what stretches is the material. The default is
 * one iteration, and more in steps in which the rope turns too far for that.
 */
export const variants = [
  { variant: 'euler, Newton', rates: [60, 240, 1000], converged: true, create: createEuler },
  { variant: 'sdirk2', rates: [1000], converged: true, create: createSdirk2 },
  { variant: 'euler (default)', rates: [60, 240, 1000], converged: false, create: createDefault },
];

function createDefault(setting) {
  return createRope(setting, 'euler', {});
}

function createEuler(setting) {
  return createRope(setting, 'euler', { newtonIterations: CONVERGED });
}

function createSdirk2(setting) {
  return createRope(setting, 'sdirk2', {});
}

function createRope({ nodes, step }, integrator, solver) {
  const { length, mass, tipMass, radius, youngsModulus, gravity } = ROPE;
  const world = compile(
    validateScene({
      heddle: 1,
      name: 'rope',
      title: 'A rope swings ten times its mass',
      gravity: [0, -gravity, 0],
      objects: [
        {
          type: 'strand',
          id: 'rope',
          material: { radius, youngsModulus, linearDensity: mass / length, bendingStiffness: 0 },
          points: [
            [0, 0, 0],
            [length, 0, 0],
          ],
          nodes,
          masses: [{ at: 'end', mass: tipMass }],
        },
      ],
      drivers: [{ type: 'pin', on: { object: 'rope', at: 'start' } }],
      time: { step, duration: 1, integrator },
      solver,
    }),
  );
  const path = new Float64Array(3 * nodes);
  return {
    path,
    step: () => world.step(),
    writePath: () => path.set(world.frame().objects[0].x),
    free: () => {},
  };
}
