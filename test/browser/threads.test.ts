/** The second thread for kernels in Chromium: in a worker of a page that is isolated from other origins, as the studio's server makes it. */
import { NetSolver } from 'heddle/sparse';
import { expect, onTestFinished, test } from 'vitest';
import { createWeaveMatrix } from '../../bench/weave-matrix.js';
import type { NetAnswer, NetTask } from './net-worker.ts';

async function solve(task: NetTask): Promise<NetAnswer> {
  const worker = new Worker(new URL('./net-worker.ts', import.meta.url), { type: 'module' });
  onTestFinished(() => worker.terminate());
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(task);
  });
}

const countDifferent = (a: Float64Array, b: Float64Array): number =>
  a.filter((value, i) => !Object.is(value, b[i])).length + Math.abs(a.length - b.length);

test('Two threads of a worker give the bits of one, and without shared memory the first does all parts silently', async () => {
  expect(crossOriginIsolated).toBe(true);
  const one = await solve({ threads: 1 });
  const two = await solve({ threads: 2 });
  const alone = await solve({ threads: 2, withoutShared: true });
  expect(one.iterations).toBeGreaterThan(3);
  expect(two.shared).toBeGreaterThan(0);
  expect([one.shared, alone.shared]).toEqual([0, 0]);
  for (const { ok, iterations, isCompiled, said, x } of [one, two, alone]) {
    expect({ ok, iterations, isCompiled, said }).toEqual({
      ok: true,
      iterations: one.iterations,
      isCompiled: true,
      said: [],
    });
    expect(countDifferent(x, one.x)).toBe(0);
  }
});

test('A page itself, which must not block, solves with one thread to the same bits', async () => {
  const { matrix, b, isEil } = createWeaveMatrix(30, 24, { eilShare: 0.2, noise: 0.01 });
  const solver = new NetSolver({ twoDomainsFrom: 1, threads: 2 });
  solver.setPattern(matrix.pattern, isEil);
  solver.values.set(matrix.values);
  expect(solver.solve(b, { tolerance: 1e-4 }).ok).toBe(true);
  expect(solver.shared).toBe(0);
  expect(countDifferent(b, (await solve({ threads: 2 })).x)).toBe(0);
});
