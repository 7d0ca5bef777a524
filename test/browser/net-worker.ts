/** A worker that solves the system of a weave with one or two threads, for `threads.test.ts`. */
import { KernelMemory } from 'heddle/kernels';
import { NetSolver } from 'heddle/sparse';
import { createWeaveMatrix } from '../../bench/weave-matrix.js';

export interface NetTask {
  readonly threads: 1 | 2;
  /** Whether the worker is to be without shared memory. */
  readonly withoutShared?: boolean;
}

export interface NetAnswer {
  readonly ok: boolean;
  readonly iterations: number;
  readonly x: Float64Array;
  /** Second parts of kernels that the second thread did. */
  readonly shared: number;
  readonly isCompiled: boolean;
  /** What was written to the console. */
  readonly said: readonly string[];
}

async function solve({ threads, withoutShared = false }: NetTask): Promise<NetAnswer> {
  const said: string[] = [];
  for (const level of ['error', 'warn', 'log'] as const) console[level] = (...words) => void said.push(words.join(' '));
  if (withoutShared) Reflect.deleteProperty(globalThis, 'SharedArrayBuffer');
  const { matrix, b, isEil } = createWeaveMatrix(30, 24, { eilShare: 0.2, noise: 0.01 });
  const solver = new NetSolver({ twoDomainsFrom: 1, threads });
  solver.setPattern(matrix.pattern, isEil);
  const memory = new KernelMemory();
  memory.reserve(0, true);
  // a thread takes some time to start; what it does not take in time the first does
  for (;;) {
    solver.values.set(matrix.values);
    const x = b.slice();
    const { ok, iterations } = solver.solve(x, { tolerance: 1e-4 });
    const { shared } = solver;
    if (threads === 1 || withoutShared || shared > 0) {
      solver.dispose();
      return { ok, iterations, x, shared, isCompiled: memory.isCompiled, said };
    }
    await new Promise((wake) => setTimeout(wake));
  }
}

self.onmessage = async ({ data }: MessageEvent<NetTask>) => self.postMessage(await solve(data));
