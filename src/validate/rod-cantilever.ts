/** Rods clamped at one end, at rest under their weight or a load at the tip: the elastica. The first of the published tests for slender structures. */

import { dotVec3, normalizeVec3, type Vec3 } from '../math/index.ts';
import { Rod } from '../rod/index.ts';
import { World } from '../world/index.ts';
import { measureTip, shootElastica } from './elastica.ts';
import { faultOf, type ValueLaw } from './law.ts';
import {
  ACROSS,
  addScaled,
  clampStart,
  createCantilever,
  createRodMaterial,
  pushEnd,
  readEnd,
  readNode,
  scaleBend,
  settleRod,
  spacingFor,
} from './rods.ts';

const DOWN = normalizeVec3([0.3, -1, 0.45]);
/** Across DOWN. */
const LEVEL = normalizeVec3([1, 0.3, 0]);

/** Tip of a rod of length 1, clamped at the origin `rise` above level, with weight w and load P downwards: along and across DOWN. */
export function bendRod(w: number, P: number, rise: number, segments: number, EI = 1): [number, number] {
  const du = spacingFor(1, segments);
  const tangent = addScaled([0, 0, 0], [Math.cos(rise), LEVEL], [-Math.sin(rise), DOWN]);
  const rod = new Rod({
    id: 'rod',
    material: createRodMaterial({ bend: [EI, EI, 0.8] }),
    points: [addScaled([0, 0, 0], [-0.5 * du, tangent]), addScaled([0, 0, 0], [1, tangent])],
    segments,
    gravity: addScaled([0, 0, 0], [w, DOWN]),
    damping: { mass: 2 + 2 * Math.sqrt(w + P), stiffness: 0.002 },
  });
  const load = addScaled([0, 0, 0], [P, DOWN]) as Vec3;
  const world = new World({
    models: [rod],
    drivers: [clampStart(rod), pushEnd(rod, () => load)],
    timeStep: 0.05,
  });
  settleRod(world, rod, 1e-7 * Math.min(1, w + P));
  const tip = readEnd(rod);
  const [along, across] = [dotVec3(tip, DOWN), dotVec3(tip, LEVEL)];
  // what is in neither is out of the plane of the load
  const out = Math.abs(Math.hypot(...tip) ** 2 - along ** 2 - across ** 2);
  if (out > 1e-12) throw new Error(`the rod is ${Math.sqrt(out)} m out of the plane of its load`);
  return [along, across];
}

export const ROD_CANTILEVER: ValueLaw = {
  name: 'rod-cantilever',
  model: 'rod',
  kind: 'value',
  title: 'a heavy cantilever is the elastica EI θ″ = w (L − s) cos θ: height over width of its shape against w L³/EI',
  source: 'master curve of the cantilever test, Romero et al. 2021; the elastica by shooting',
  parameter: 'w L³/EI [1]',
  parameters: [0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000],
  quantity: 'height/width [1]',
  stiffnesses: ['EI'],
  resolution: { name: 'segments', values: [40, 80, 160] },
  order: 1.7,
  plot: { isLogarithmicX: true, isLogarithmic: true },
  predict(w) {
    const [down, across] = measureTip(shootElastica(w, 0, Math.PI / 2));
    return down / across;
  },
  measure(w, segments, faults) {
    const [down, across] = bendRod(w, 0, 0, segments, faultOf(faults, 'EI'));
    return down / across;
  },
};

/** Of a short, thick rod: what it bends and what it shears add up (Timoshenko). */
export const ROD_SHEAR: ValueLaw = {
  name: 'rod-shear',
  model: 'rod',
  kind: 'value',
  title: 'a thick cantilever gives way to a small load at its tip by P L³/3EI + P L/GA',
  source: 'Timoshenko 1921',
  parameter: 'GA L²/EI [1]',
  parameters: [1, 3, 10],
  quantity: 'way of the tip over P [m/N]',
  stiffnesses: ['EI', 'GA'],
  resolution: { name: 'segments', values: [10, 20] },
  order: 1.5,
  plot: { isLogarithmicX: true },
  predict: (GA) => 1 / 3 + 1 / GA,
  measure(given, segments, faults) {
    const GA = given * faultOf(faults, 'GA');
    const load = 1e-4;
    const rod = createCantilever(segments, [0, 0, 0], {
      material: createRodMaterial({ bend: scaleBend([1, 1], 0.8, faults), stretch: [GA, GA, 1e6] }),
    });
    const push = addScaled([0, 0, 0], [load, ACROSS]);
    // steps so long that inertia does not matter
    const drivers = [clampStart(rod), pushEnd(rod, () => push)];
    const world = new World({ models: [rod], drivers, timeStep: 100, newtonIterations: 40 });
    for (let n = 0; n < 4; n++) world.step();
    // from the middle of the segment that is held: it shears, too
    return (dotVec3(readEnd(rod), ACROSS) - 0.5 * dotVec3(readNode(rod, 1), ACROSS)) / load;
  },
};

export const ROD_TIP_LOAD: ValueLaw = {
  name: 'rod-tip-load',
  model: 'rod',
  kind: 'value',
  title: 'a cantilever with a load at its tip is the elastica EI θ″ = P cos θ',
  source: 'Euler 1744',
  parameter: 'P L²/EI [1]',
  parameters: [0.2, 1, 3, 10],
  quantity: 'depth of the tip [L]',
  stiffnesses: ['EI'],
  resolution: { name: 'segments', values: [20, 40] },
  order: 1.7,
  plot: { isLogarithmicX: true },
  predict: (P) => measureTip(shootElastica(0, P, Math.PI / 2))[0],
  measure: (P, segments, faults) => bendRod(0, P, 0, segments, faultOf(faults, 'EI'))[0],
};
