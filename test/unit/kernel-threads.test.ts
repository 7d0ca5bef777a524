/** A second thread for kernels: the same bits as without, and no hang where it is late, ended or fails. */
import { KernelMemory, KernelThread, NET_PLACES } from 'heddle/kernels';
import { NetSolver } from 'heddle/sparse';
import { describe, expect, test } from 'vitest';
import { createWeaveMatrix } from '../../bench/weave-matrix.js';

/** Lets the other thread start; nothing is expected of how long that takes. */
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A table of `multiplyNet` over `n` blocks without neighbours, diag(2): the second thread multiplies all columns but the first. */
function createDiagonal(memory: KernelMemory, n: number) {
  const bytes = { columnStart: 4 * (n + 1), places: 4 * n, values: 200 * n, p: 40 * n, q: 40 * n, other: 40 * n };
  const table = memory.start;
  const at: Record<string, number> = { n, half: 1 };
  let end = table + 4 * NET_PLACES.length;
  for (const [name, length] of Object.entries(bytes)) {
    at[name] = 16 * Math.ceil(end / 16);
    end = at[name] + length;
  }
  memory.reserve(end, true);
  const { i32, f64 } = memory.views;
  NET_PLACES.forEach((name, k) => {
    i32[table / 4 + k] = at[name] ?? 0;
  });
  for (let j = 0; j <= n; j++) i32[at.columnStart / 4 + j] = j;
  for (let j = 0; j < n; j++) {
    i32[at.places / 4 + j] = j;
    for (let c = 0; c < 5; c++) {
      f64[at.values / 8 + 25 * j + 6 * c] = 2;
      f64[at.p / 8 + 5 * j + c] = j + c;
    }
  }
  const read = (): number[] => Array.from({ length: 5 * n }, (_, k) => f64[at.q / 8 + k] + f64[at.other / 8 + k]);
  return { table, columnStart: at.columnStart, read };
}

const expected = (n: number): number[] => Array.from({ length: 5 * n }, (_, k) => 2 * (Math.floor(k / 5) + (k % 5)));

async function start(n: number) {
  const memory = new KernelMemory({ isShared: true });
  const system = createDiagonal(memory, n);
  const thread = KernelThread.start(memory)!;
  expect(thread).toBeDefined();
  return { memory, ...system, thread };
}

/** Runs until the other thread has taken part. */
async function runShared(thread: KernelThread, table: number): Promise<void> {
  for (const before = thread.shared; thread.shared === before; await pause())
    for (let k = 0; k < 20; k++) expect(thread.run('multiplyNet', table)).toBe(true);
}

describe('a thread', () => {
  test('does its part, wherever it is when it is called', async () => {
    const { thread, table, read } = await start(3000);
    // at once, before it can have started
    expect(thread.run('multiplyNet', table)).toBe(true);
    expect(read()).toEqual(expected(3000));
    await runShared(thread, table);
    expect(read()).toEqual(expected(3000));
    thread.dispose();
    thread.dispose();
    const { shared } = thread;
    expect(thread.run('multiplyNet', table)).toBe(true);
    expect(thread.shared).toBe(shared);
    expect(read()).toEqual(expected(3000));
  });

  test('that fails is given up, and its part done here from then on', async () => {
    const { thread, table, columnStart, memory, read } = await start(3000);
    await runShared(thread, table);
    const { i32 } = memory.views;
    // the last column has blocks beyond all memory: the thread that multiplies it is trapped
    i32[columnStart / 4 + 3000] = 0x7fffffff;
    let isLost = false;
    for (; !isLost; await pause())
      try {
        isLost = !thread.run('multiplyNet', table);
      } catch {
        // it was this thread that took the part
      }
    i32[columnStart / 4 + 3000] = 3000;
    expect(thread.run('multiplyNet', table)).toBe(true);
    expect(read()).toEqual(expected(3000));
  });

  test('needs a shared memory and compiled kernels', () => {
    for (const options of [{}, { isShared: true, prefersTwin: true }]) {
      const memory = new KernelMemory(options);
      memory.reserve(0, true);
      expect(KernelThread.start(memory)).toBeUndefined();
    }
  });
});

test('one and two threads, compiled or not, solve nets with the same bits', async () => {
  for (const options of [{ noise: 0.02 }, { eilShare: 0.2, noise: 0.01 }]) {
    const { matrix, b, isEil } = createWeaveMatrix(30, 24, options);
    const solve = (solver: NetSolver) => {
      solver.setPattern(matrix.pattern, isEil);
      solver.values.set(matrix.values);
      const x = b.slice();
      return { ...solver.solve(x, { tolerance: 1e-4 }), x };
    };
    const one = solve(new NetSolver({ twoDomainsFrom: 1, threads: 1 }));
    expect(one.ok).toBe(true);
    const solver = new NetSolver({ twoDomainsFrom: 1, threads: 2 });
    for (; solver.shared === 0; await pause()) expect(solve(solver)).toEqual(one);
    expect(solve(solver)).toEqual(one);
    solver.dispose();
    expect(solve(solver)).toEqual(one);
    expect(solve(new NetSolver({ twoDomainsFrom: 1, prefersTwin: true }))).toEqual(one);
  }
});
