/** The solver of meshes: the iterative way against the direct one, its fall-back, and that a solve depends on nothing but A and b. */
import { KernelMemory } from 'heddle/kernels';
import { createRandom } from 'heddle/math';
import { BlockLdlt, BlockMixed, BlockPattern, DefiniteSolver, SolverMemories, SparsifiedFactor } from 'heddle/sparse';
import { describe, expect, test } from 'vitest';

const SIDE = 24;

/** A grid whose neighbours are tied by stiff springs in all directions, and those two apart by weak ones of rank one. */
function createCloth(seed: number, weakness: number, mass = 1e-4, twist = 0.1) {
  const random = createRandom(seed);
  const rows: number[] = [];
  const columns: number[] = [];
  const weak: number[] = [];
  for (let i = 0; i < SIDE * SIDE; i++)
    for (const [step, reach] of [
      [1, 1],
      [SIDE, 1],
      [2, 2],
      [2 * SIDE, 2],
    ]) {
      const j = i + step;
      if (j >= SIDE * SIDE || (step < SIDE && j % SIDE < step)) continue;
      rows.push(j);
      columns.push(i);
      weak.push(reach - 1);
    }
  const n = SIDE * SIDE;
  const sizes = Array.from({ length: n }, (_, i) => (i % 7 === 0 ? 5 : 3));
  const matrix = new BlockMixed(BlockPattern.fromPairs(n, rows, columns), sizes);
  const isWeak = new Uint8Array(matrix.pattern.slots);
  for (let i = 0; i < n; i++) {
    const block = Array.from({ length: sizes[i] ** 2 }, (_, k) => (k % (sizes[i] + 1) === 0 ? mass : 0));
    matrix.addBlock(i, i, block);
  }
  for (let k = 0; k < rows.length; k++) {
    const [i, j] = [rows[k], columns[k]];
    if (weak[k]) isWeak[matrix.pattern.slot(i, j)] = 1;
    const turns = weak[k] ? 1 : 3;
    for (let turn = 0; turn < turns; turn++) {
      // (u·x_i − w·x_j)² for a strong spring; a weak one pushes both the same way, as bending does
      const u = Array.from({ length: 5 }, () => random.uniform(-1, 1));
      const w = u.map((value) => value + twist * random.uniform(-1, 1));
      const stiff = weak[k] ? weakness : 1;
      const sign = weak[k] ? 1 : -1;
      const outer = (a: number[], b: number[], r: number, c: number, s: number) =>
        Array.from({ length: r * c }, (_, at) => s * stiff * a[Math.floor(at / c)] * b[at % c]);
      matrix.addBlock(i, i, outer(u, u, sizes[i], sizes[i], 1));
      matrix.addBlock(j, j, outer(w, w, sizes[j], sizes[j], 1));
      matrix.addBlock(i, j, outer(u, w, sizes[i], sizes[j], sign));
    }
  }
  const b = Float64Array.from({ length: matrix.size }, () => random.uniform(-1, 1));
  return { matrix, isWeak, b };
}

function solveDirectly(matrix: BlockMixed, b: Float64Array): Float64Array {
  const ldlt = new BlockLdlt();
  const x = new Float64Array(matrix.size);
  ldlt.analyze(matrix.pattern, matrix.sizes);
  ldlt.factor(matrix);
  expect(ldlt.solve(b, x).ok).toBe(true);
  return x;
}

const findLargest = (values: Float64Array): number =>
  values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

describe('the iterative way', () => {
  test('stops at the residual that is asked for, with fewer iterations', () => {
    const { matrix, isWeak, b } = createCloth(5, 1e-3);
    const product = new Float64Array(matrix.size);
    const [rough, fine] = [1e-4, 1e-9].map((tolerance) => {
      const solver = new DefiniteSolver(matrix, isWeak, new SolverMemories(), { iterativeFrom: 100, tolerance });
      const x = b.slice();
      expect(solver.solve(x)).toMatchObject({ ok: true, method: 'iterative' });
      matrix.multiply(x, product);
      const residual = Math.hypot(...product.map((value, k) => value - b[k])) / Math.hypot(...b);
      expect(residual).toBeLessThan(1.01 * tolerance);
      return { residual, iterations: solver.report.iterations };
    });
    expect(rough.residual).toBeGreaterThan(fine.residual);
    expect(rough.iterations).toBeLessThan(fine.iterations);
  });

  test('leaves a residual of at most 1e-9 and finds the direct solution, in few iterations', () => {
    for (let seed = 1; seed <= 4; seed++) {
      const { matrix, isWeak, b } = createCloth(seed, 1e-3);
      const solver = new DefiniteSolver(matrix, isWeak, new SolverMemories(), { iterativeFrom: 100 });
      const x = b.slice();
      expect(solver.solve(x)).toMatchObject({ ok: true, method: 'iterative' });
      expect(solver.report.iterations).toBeGreaterThan(2);
      expect(solver.report.iterations).toBeLessThan(40);
      const product = new Float64Array(matrix.size);
      matrix.multiply(x, product);
      expect(Math.hypot(...product.map((value, k) => value - b[k]))).toBeLessThan(1.01e-9 * Math.hypot(...b));
      const exact = solveDirectly(matrix, b);
      expect(findLargest(x.map((value, k) => value - exact[k]))).toBeLessThan(1e-6 * findLargest(exact));
    }
  });

  test('stops at the error that is asked for in the norm of A, with fewer iterations', () => {
    const energyOf = (matrix: BlockMixed, x: Float64Array) => {
      const product = new Float64Array(matrix.size);
      matrix.multiply(x, product);
      return Math.sqrt(product.reduce((sum, value, k) => sum + value * x[k], 0));
    };
    for (let seed = 1; seed <= 4; seed++) {
      const { matrix, isWeak, b } = createCloth(seed, 0.1);
      const exact = solveDirectly(matrix, b);
      const found = [1e-4, 1e-6, 1e-8].map((energyTolerance) => {
        const options = { iterativeFrom: 100, energyTolerance };
        const solver = new DefiniteSolver(matrix, isWeak, new SolverMemories(), options);
        const x = b.slice();
        expect(solver.solve(x)).toMatchObject({ ok: true, method: 'iterative' });
        const error = energyOf(
          matrix,
          x.map((value, k) => value - exact[k]),
        );
        expect(error / energyOf(matrix, exact) / energyTolerance).toBeLessThan(1.5);
        expect(error / energyOf(matrix, exact) / energyTolerance).toBeGreaterThan(0.01);
        return solver.report.iterations;
      });
      expect(found[0]).toBeLessThan(found[1]);
      expect(found[1]).toBeLessThan(found[2]);
    }
  });

  test('its preconditioner lies above the matrix: no Rayleigh quotient beyond 1', () => {
    const { matrix, isWeak } = createCloth(1, 0.1, 0.1);
    const factor = new SparsifiedFactor(matrix, isWeak);
    expect(factor.update()).toBe(true);
    const random = createRandom(5);
    const y = Float64Array.from({ length: matrix.size }, () => random.uniform(-1, 1));
    const product = new Float64Array(matrix.size);
    let quotient = 0;
    for (let k = 0; k < 200; k++) {
      matrix.multiply(y, product);
      factor.apply(product, product);
      // the growth of the power iteration with P⁻¹A tends to its largest eigenvalue
      quotient = Math.hypot(...product) / Math.hypot(...y);
      y.set(product);
    }
    expect(quotient).toBeLessThan(1 + 1e-4);
    expect(quotient).toBeGreaterThan(0.5);
  });

  test('goes over to the direct one where single precision cannot, with the same answer', () => {
    const { matrix, isWeak, b } = createCloth(2, 1e-10, 1e-10, 0);
    const solver = new DefiniteSolver(matrix, isWeak, new SolverMemories(), { iterativeFrom: 100 });
    const x = b.slice();
    expect(solver.solve(x)).toMatchObject({ ok: true, method: 'direct' });
    expect(x).toEqual(solveDirectly(matrix, b));
  });

  test('depends on A and b alone: what was solved before leaves no trace', () => {
    const { matrix, isWeak, b } = createCloth(3, 1e-3);
    const memories = new SolverMemories();
    const used = new DefiniteSolver(matrix, isWeak, memories, { iterativeFrom: 100 });
    const values = matrix.values.slice();
    for (let k = 0; k < matrix.values.length; k++) matrix.values[k] *= 1.5;
    used.solve(b.slice());
    matrix.values.set(values);
    const [first, second] = [b.slice(), b.slice()];
    used.solve(first);
    new DefiniteSolver(matrix, isWeak, new SolverMemories(), { iterativeFrom: 100 }).solve(second);
    expect(first).toEqual(second);
  });
});

test('compiled and in TypeScript, the sparsified factor and the product have the same bits', () => {
  const { matrix, isWeak, b } = createCloth(6, 1e-2);
  const [compiled, twin] = [false, true].map((prefersTwin) => {
    const memory = new KernelMemory({ prefersTwin });
    memory.reserve(0, true);
    expect(memory.isCompiled).toBe(!prefersTwin);
    const factor = new SparsifiedFactor(matrix, isWeak, memory);
    // twice: the second must not add to the first
    expect([factor.update(), factor.update()]).toEqual([true, true]);
    const [x, product, solution] = factor.vectors;
    x.set(b);
    factor.multiply(x, product);
    factor.apply(x, solution);
    const plain = solution.slice();
    factor.apply(product, solution);
    const other = solution.slice();
    // half of the first one is done with the factor, the second is not
    factor.update(b);
    factor.apply(x, solution);
    expect(solution).toEqual(plain);
    factor.apply(product, solution);
    expect(solution).toEqual(other);
    return [product.slice(), plain, other];
  });
  expect(compiled).toEqual(twin);
  const exact = new Float64Array(matrix.size);
  matrix.multiply(b, exact);
  expect(Math.max(...exact.map((value, k) => Math.abs(value - twin[0][k])))).toBeLessThan(1e-12);
});

test('a matrix that is not positive definite is refused, and b left alone', () => {
  const { matrix, isWeak, b } = createCloth(1, 1e-3);
  matrix.values[matrix.valueStart[matrix.pattern.columnStart[40]]] = -1;
  for (const from of [100, 1e6]) {
    const x = b.slice();
    expect(new DefiniteSolver(matrix, isWeak, new SolverMemories(), { iterativeFrom: from }).solve(x).ok).toBe(false);
    expect(x).toEqual(b);
  }
});
