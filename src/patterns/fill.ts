/**
 * Particles that fill a shape: one in each cell of a regular lattice whose middle is inside, moved at random within its cell. All have the same volume, together
 * that of the shape. Boxes are filled exactly: their lattice fits.
 */
import type { Shape } from '../bodies/index.ts';
import { createRandom } from '../math/index.ts';
import { checkPositive } from './checks.ts';

export interface FillOptions {
  readonly shape: Shape;
  /** Distance of particles before they are moved [m]; along the sides of the shape as near to it as fits. */
  readonly spacing: number;
  /** By how much particles are moved at random, in distances; 0.5 if not given. */
  readonly jitter?: number;
  /** 0 if not given. */
  readonly seed?: number;
}

export interface FilledPoints {
  /** Three coordinates a particle [m]. */
  readonly x: Float64Array;
  /** Of one particle [m³]. */
  readonly volume: number;
}

/** Places in the box about a shape; a scene has at most two million particles, and shapes may fill a fifth of their box. */
const MOST_PLACES = 10_000_000;

export function fillShape(options: FillOptions): FilledPoints {
  const { shape, spacing, jitter = 0.5, seed = 0 } = options;
  checkPositive('fillShape', { spacing });
  const { bounds, mass } = shape;
  if (mass === undefined)
    throw new RangeError(`fillShape: a ${shape.type} is infinite; give a shape of finite volume.`);
  const random = createRandom(seed);
  const count = [0, 1, 2].map((k) => Math.max(1, Math.round((bounds[3 + k] - bounds[k]) / spacing)));
  const places = count[0] * count[1] * count[2];
  if (places > MOST_PLACES)
    throw new RangeError(
      `fillShape: with particles ${spacing} m apart, the box around the shape has ${places.toPrecision(3)} places; at most ${MOST_PLACES} are supported. Increase the distance of the particles.`,
    );
  const cell = count.map((n, k) => (bounds[3 + k] - bounds[k]) / n);
  const surface = new Float64Array(4);
  const place = new Float64Array(3);
  const x: number[] = [];
  for (let i = 0; i < count[0]; i++)
    for (let j = 0; j < count[1]; j++)
      for (let l = 0; l < count[2]; l++) {
        const at = [i, j, l];
        for (let k = 0; k < 3; k++) place[k] = bounds[k] + cell[k] * (at[k] + 0.5);
        shape.writeSignedDistance(place[0], place[1], place[2], surface);
        if (!(surface[0] < 0)) continue;
        for (let k = 0; k < 3; k++) place[k] += cell[k] * jitter * random.uniform(-0.5, 0.5);
        x.push(place[0], place[1], place[2]);
      }
  if (x.length === 0)
    throw new RangeError('fillShape: no particle is inside; make the distance of particles smaller than the shape.');
  return { x: Float64Array.from(x), volume: (3 * mass.volume) / x.length };
}
