/**
 * A step allocates nothing that grows with the nodes [CONTRIBUTING#code]. Left are boxed numbers, 16 bytes each, of the
 * clock and of a few calls: some hundred bytes a step, whatever the size. Measured on the built package in a process of
 * its own, where only it fills the heap; see measure-allocation.js.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const script = fileURLToPath(new URL('measure-allocation.js', import.meta.url));

interface Allocation {
  /** In a step. */
  readonly bytesPerNode: number;
  readonly remeshings: number;
  /** Windows without garbage collection. */
  readonly windows: number;
  readonly nodes: number;
}

/** Three bytes a node, while the smallest object has sixteen: above what the compiler boxes now and then, whatever the nodes. */
const LIMIT = 3;

function measure(names: readonly string[], steps: number, limit = LIMIT, waste = 0): Record<string, Allocation> {
  // a young generation so large that it is never collected within a window; nothing is left to other threads, which on a busy machine compile and free later
  const flags = [
    '--expose-gc',
    '--min-semi-space-size=64',
    '--max-semi-space-size=64',
    '--no-concurrent-recompilation',
    '--single-threaded-gc',
  ];
  return JSON.parse(
    execFileSync(process.execPath, [...flags, script, names.join(), String(steps), String(limit), String(waste)], {
      encoding: 'utf8',
    }),
  );
}

function expectNoAllocation(found: Record<string, Allocation>): void {
  for (const [name, { bytesPerNode, windows, nodes }] of Object.entries(found)) {
    expect(windows, name).toBeGreaterThan(0);
    expect(nodes, name).toBeGreaterThan(990);
    expect(bytesPerNode, name).toBeLessThan(LIMIT);
  }
}

describe('after warm-up', () => {
  test('a step of 1,000 nodes allocates less than 3 bytes a node in every mode, remeshing included', () => {
    const found = measure(['eol', 'lagrangian', 'bending', 'sdirk2', 'spool'], 300);
    expectNoAllocation(found);
    expect(found.eol.remeshings).toBeGreaterThan(2);
    expect(found.spool.remeshings).toBeGreaterThan(2);
  });

  test('a step of a sheet that is not remeshed allocates less than 3 bytes a vertex, factored or iterated', () => {
    const found = measure(['sheet-direct', 'sheet-iterative'], 8);
    expectNoAllocation(found);
    expect([found['sheet-direct'].nodes, found['sheet-iterative'].nodes]).toEqual([54 ** 2, 56 ** 2]);
  });

  test('a step of a rod allocates less than 3 bytes a node, whether nodes move or not', () => {
    expectNoAllocation(measure(['rod-lagrangian', 'rod-rh'], 100));
  });

  test('the measurement sees 100 bytes a node', () => {
    const { bytesPerNode, windows } = measure(['eol'], 100, 100.5 + LIMIT, 100).eol;
    expect(windows).toBeGreaterThan(0);
    expect(bytesPerNode).toBeGreaterThan(99.5);
    expect(bytesPerNode).toBeLessThan(100.5 + LIMIT);
  });
});
