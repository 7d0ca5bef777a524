/** The state hash: every bit counts, and counts for about half of the digits. */
import { createRandom } from 'heddle/math';
import { hashBytes } from 'heddle/model';
import { describe, expect, test } from 'vitest';

const bitsOf = (hash: string): bigint => BigInt(`0x${hash}`);
const countBits = (n: bigint): number => n.toString(2).replaceAll('0', '').length;

function randomBytes(seed: number, length: number): Uint8Array {
  const random = createRandom(seed);
  return Uint8Array.from({ length }, () => Math.floor(random.uniform(0, 256)));
}

describe('hashBytes', () => {
  test('is 16 hex digits, the same for the same bytes wherever they lie in a buffer', () => {
    const bytes = randomBytes(1, 100);
    expect(hashBytes(bytes)).toMatch(/^[0-9a-f]{16}$/);
    const shifted = new Uint8Array(107);
    shifted.set(bytes, 7);
    expect(hashBytes(shifted.subarray(7))).toBe(hashBytes(bytes));
  });

  test('changes with every single bit, for every length modulo 4', () => {
    for (const length of [1, 2, 3, 4, 5, 7, 8, 31, 64]) {
      const bytes = randomBytes(length, length);
      const seen = new Set([hashBytes(bytes)]);
      for (let bit = 0; bit < 8 * length; bit++) {
        bytes[bit >> 3] ^= 1 << (bit & 7);
        seen.add(hashBytes(bytes));
        bytes[bit >> 3] ^= 1 << (bit & 7);
      }
      expect(seen.size).toBe(8 * length + 1);
    }
  });

  test('a flipped bit flips each digit’s bits about half of the time (avalanche), also in the last bytes', () => {
    for (const [length, first] of [
      [64, 0],
      [67, 64 * 8],
    ]) {
      const flips = new Array<number>(64).fill(0);
      let trials = 0;
      let fewest = 64;
      for (let seed = 0; seed < 40; seed++) {
        const bytes = randomBytes(1000 + seed, length);
        const before = bitsOf(hashBytes(bytes));
        for (let bit = first; bit < 8 * length; bit++) {
          bytes[bit >> 3] ^= 1 << (bit & 7);
          const change = before ^ bitsOf(hashBytes(bytes));
          bytes[bit >> 3] ^= 1 << (bit & 7);
          fewest = Math.min(fewest, countBits(change));
          for (let k = 0; k < 64; k++) if ((change >> BigInt(k)) & 1n) flips[k]++;
          trials++;
        }
      }
      // a fair coin would leave 0.5 by 5 σ only once in two million
      const slack = 5 * Math.sqrt(0.25 / trials) + 0.03;
      for (const count of flips) expect(Math.abs(count / trials - 0.5)).toBeLessThan(slack);
      expect(fewest).toBeGreaterThan(8);
    }
  });

  test('tells apart zeros of different numbers, swapped words, and 0 from −0', () => {
    const zeros = Array.from({ length: 200 }, (_, n) => hashBytes(new Uint8Array(n)));
    expect(new Set(zeros).size).toBe(200);
    const words = new Float64Array([1.5, -2.25, 1e-300, 0]);
    const hashOf = (values: Float64Array) => hashBytes(new Uint8Array(values.buffer));
    const variants = [words, [-2.25, 1.5, 1e-300, 0], [1.5, -2.25, 0, 1e-300], [1.5, -2.25, 1e-300, -0], [1.5, -2.25, 1.0000000000000002e-300, 0]]; // biome-ignore format: table
    expect(new Set(variants.map((values) => hashOf(Float64Array.from(values)))).size).toBe(5);
  });

  test('200,000 different states have 200,000 hashes', () => {
    const state = new Float64Array(6);
    const bytes = new Uint8Array(state.buffer);
    const seen = new Set<string>();
    for (let n = 0; n < 200_000; n++) {
      state[n % 6] = Math.sin(n);
      state[5] = n * 1e-9;
      seen.add(hashBytes(bytes));
    }
    expect(seen.size).toBe(200_000);
  });
});
