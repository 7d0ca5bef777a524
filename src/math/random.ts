/**
 * Seeded random numbers: the same seed gives the same numbers on every machine, and the state can be saved.
 * Generator: sfc32 (small fast chaotic, C. Doty-Humphrey, PractRand), 128 bits of state with a 32-bit counter, so the
 * period is at least 2^32 for every seed. The state is filled from the seed by a 32-bit multiply–xorshift mixer and
 * warmed up, so that neighbouring seeds give unrelated sequences.
 */
import { computeLog } from './exponential.ts';
import type { Vec3 } from './vec3.ts';

/** The whole state of a generator: four unsigned 32-bit numbers. Plain JSON. */
export type RandomState = readonly [number, number, number, number];

export interface Random {
  /** The next 32 random bits as an unsigned integer. */
  bits(): number;
  /** Uniform in [low, high), 53 bits; [0, 1) by default. */
  uniform(low?: number, high?: number): number;
  /** Normally distributed; mean 0 and standard deviation 1 by default. */
  normal(mean?: number, deviation?: number): number;
  /** A whole number from lowest to highest, both included, without bias; the span must be below 2^32. */
  integer(lowest: number, highest: number): number;
  /** A unit vector, uniform on the sphere. */
  direction(): Vec3;
  /** The state from which `load` continues with the same numbers. */
  save(): RandomState;
  load(state: RandomState): void;
}

const WARM_UP = 16;

const mixBits = (x: number): number => {
  let z = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  z = Math.imul(z ^ (z >>> 15), 0x846ca68b);
  return (z ^ (z >>> 16)) >>> 0;
};

/** A generator started from any finite number (its fraction counts too). */
export const createRandom = (seed: number): Random => {
  if (!Number.isFinite(seed)) throw new RangeError(`createRandom: the seed is ${seed}; give a finite number.`);
  const words = new Uint32Array(new Float64Array([seed + 0]).buffer);
  let a = mixBits(words[0] + 0x9e3779b9);
  let b = mixBits(words[1] ^ a);
  let c = mixBits(words[0] ^ Math.imul(b, 0x85ebca6b));
  let counter = 1;

  const bits = (): number => {
    const t = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return t >>> 0;
  };
  for (let i = 0; i < WARM_UP; i++) bits();

  const unit = (): number => ((bits() >>> 5) * 67108864 + (bits() >>> 6)) / 9007199254740992;

  return {
    bits,
    uniform: (low = 0, high = 1) => low + (high - low) * unit(),
    normal: (mean = 0, deviation = 1) => {
      // Marsaglia's polar method; the second value is dropped so that the state stays four words.
      for (;;) {
        const x = 2 * unit() - 1;
        const y = 2 * unit() - 1;
        const s = x * x + y * y;
        if (s > 0 && s < 1) return mean + deviation * x * Math.sqrt((-2 * computeLog(s)) / s);
      }
    },
    integer: (lowest, highest) => {
      const span = highest - lowest + 1;
      if (!(Number.isInteger(lowest) && Number.isInteger(highest) && span >= 1 && span <= 4294967296)) {
        throw new RangeError(
          `Random.integer: the range ${lowest} to ${highest} is not one; give whole numbers, lowest first, fewer than 2^32 apart.`,
        );
      }
      // Values above the last whole multiple of span would favour small results.
      const limit = 4294967296 - (4294967296 % span);
      for (;;) {
        const value = bits();
        if (value < limit) return lowest + (value % span);
      }
    },
    direction: () => {
      // [Marsaglia 1972]: a point of the unit disc, lifted to the sphere.
      for (;;) {
        const x = 2 * unit() - 1;
        const y = 2 * unit() - 1;
        const s = x * x + y * y;
        if (s < 1) {
          const scale = 2 * Math.sqrt(1 - s);
          return [x * scale, y * scale, 1 - 2 * s];
        }
      }
    },
    save: () => [a >>> 0, b >>> 0, c >>> 0, counter >>> 0],
    load: (state) => {
      a = state[0] | 0;
      b = state[1] | 0;
      c = state[2] | 0;
      counter = state[3] | 0;
    },
  };
};
