/**
 * The compiled kernels against their twins in TypeScript, to the bit: on all sizes of fronts, panels and groups that orders of random
 * matrices lead to. And the compiled module against its source, where the compiler that made it is installed.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { KernelMemory } from 'heddle/kernels';
import { createRandom } from 'heddle/math';
import { BlockMixed, BlockPattern, computeDissectionOrder, computeSymbolic } from 'heddle/sparse';
import { describe, expect, test } from 'vitest';
import { compileKernels, readCompilerVersion, writeModule, writeSingleTwin } from '../../scripts/build-kernels.js';
import { SupernodalFactor } from '../../src/sparse/supernodal.ts';

const RULE = { tolerance: 1e-14, replacement: 1e-8, negativeReplacement: 1e-8 };

/** Random blocks between near points of a plane; indefinite where `shift` is small. */
function createMatrix(seed: number, count: number, shift: number): BlockMixed {
  const random = createRandom(seed);
  const x = Array.from({ length: 2 * count }, () => random.uniform(0, 1));
  const rows: number[] = [];
  const columns: number[] = [];
  for (let i = 0; i < count; i++)
    for (let j = 0; j < i; j++)
      if (Math.hypot(x[2 * i] - x[2 * j], x[2 * i + 1] - x[2 * j + 1]) < 1.6 / Math.sqrt(count)) {
        rows.push(i);
        columns.push(j);
      }
  const sizes = Array.from({ length: count }, () => Math.floor(random.uniform(1, 6)));
  const matrix = new BlockMixed(BlockPattern.fromPairs(count, rows, columns), sizes);
  for (let k = 0; k < matrix.values.length; k++) matrix.values[k] = random.uniform(-1, 1);
  for (let j = 0; j < count; j++) {
    const at = matrix.valueStart[matrix.pattern.columnStart[j]];
    const b = sizes[j];
    for (let r = 0; r < b; r++) {
      for (let c = 0; c < r; c++) matrix.values[at + c * b + r] = matrix.values[at + r * b + c];
      matrix.values[at + r * (b + 1)] += shift;
    }
  }
  return matrix;
}

function solve(matrix: BlockMixed, prefersTwin: boolean, precision: 'double' | 'single') {
  const memory = new KernelMemory({ prefersTwin });
  memory.reserve(0, true);
  expect(memory.isCompiled).toBe(!prefersTwin);
  const factor = new SupernodalFactor(computeSymbolic(matrix.pattern, matrix.sizes), memory, precision);
  const random = createRandom(7);
  const b = Float64Array.from({ length: matrix.size }, () => random.uniform(-1, 1));
  const x = new Float64Array(matrix.size);
  const isUsable = factor.factor(matrix.values, RULE, 1);
  factor.solve(b, x);
  const { positive, negative, replaced, smallestPivot } = factor;
  return { isUsable, positive, negative, replaced, smallestPivot, b, x };
}

describe.each(['double', 'single'] as const)('%s precision', (precision) => {
  test('compiled fronts and their twins give the same bits', () => {
    for (let seed = 1; seed <= 24; seed++) {
      const matrix = createMatrix(seed, 1 + seed * seed, seed % 3 === 0 ? 1 : 30);
      const compiled = solve(matrix, false, precision);
      expect(compiled.isUsable).toBe(true);
      expect(solve(matrix, true, precision)).toEqual(compiled);
    }
  });

  test('their solution is that of the matrix', () => {
    const matrix = createMatrix(3, 300, 40);
    const { x, b } = solve(matrix, false, precision);
    const product = new Float64Array(matrix.size);
    matrix.multiply(x, product);
    const error = Math.max(...product.map((value, k) => Math.abs(value - b[k])));
    expect(error).toBeLessThan(precision === 'double' ? 1e-14 : 1e-5);
    // and single precision is what it says
    if (precision === 'single') expect(error).toBeGreaterThan(1e-9);
  });

  test('a number that is not finite stops the factorisation', () => {
    for (const prefersTwin of [false, true]) {
      const matrix = createMatrix(3, 30, 40);
      matrix.values[matrix.valueStart[matrix.pattern.columnStart[20]]] = Number.NaN;
      expect(solve(matrix, prefersTwin, precision).isUsable).toBe(false);
    }
  });
});

test('nested dissection is a permutation, on any points', () => {
  for (const [count, spread] of [
    [1, 1],
    [13, 1],
    [500, 1],
    [400, 0],
  ]) {
    const { pattern } = createMatrix(count, count, 1);
    const random = createRandom(count);
    const x = Float64Array.from({ length: 2 * count }, () => spread * random.uniform(0, 1));
    const order = computeDissectionOrder(pattern, x, 2);
    expect([...order].sort((a, b) => a - b)).toEqual([...order.keys()]);
  }
});

describe('what is generated', () => {
  const read = (name: string) =>
    readFileSync(fileURLToPath(new URL(`../../src/kernels/${name}`, import.meta.url)), 'utf8');
  const hasCompiler = (): boolean => {
    try {
      execFileSync('wasm-ld', ['--version'], { stdio: 'ignore' });
      return read('kernels.generated.ts').includes(`(clang ${readCompilerVersion()})`);
    } catch {
      return false;
    }
  };

  test.skipIf(!hasCompiler())('the compiled module is that of the source', () => {
    expect(read('kernels.generated.ts')).toBe(writeModule(compileKernels(), readCompilerVersion()));
  });

  test('the twin for single precision is that for double, but for the type', () => {
    const source = read('fronts-twin.ts');
    expect(read('fronts-twin-single.generated.ts')).toBe(writeSingleTwin(source));
    expect(writeSingleTwin(source)).toMatch(/GROUP = 8;[\s\S]*SHIFT = 2;[\s\S]*Float32Array[\s\S]*Math\.fround/);
  });
});
