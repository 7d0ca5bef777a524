/**
 * Memory that really comes to its end: kernels that cannot have more, and a worker whose heap is full. It is one sentence, what was written stays, and the
 * run goes on from there to the same bits. The same of the studio's worker: test/browser/studio-memory.long.test.ts.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { findLastChunk, readFrame, scanChunks } from 'heddle/io';
import { MemoryError, toMemoryError } from 'heddle/model';
import { compile, parseScene } from 'heddle/scene';
import type { World } from 'heddle/world';
import { afterEach, describe, expect, test, vi } from 'vitest';

afterEach(() => vi.unstubAllGlobals());

const root = new URL('../../', import.meta.url);
const read = (name: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(new URL(`scenes/${name}`, root)));
const build = (name: string): World =>
  compile(parseScene(new TextDecoder().decode(read(`${name}.json`))), { readFile: read });

/** Memories of WebAssembly made from now on have so many pages at most. */
function capMemory(pages: number): void {
  const { Memory } = WebAssembly;
  class Capped extends Memory {
    constructor(size: WebAssembly.MemoryDescriptor) {
      super({ ...size, maximum: Math.min(pages, size.maximum ?? pages) });
    }
  }
  vi.stubGlobal('WebAssembly', Object.assign(Object.create(WebAssembly), { Memory: Capped }));
}

const SENTENCE =
  'There is not enough memory for this scene; use fewer nodes or particles, or close other programs. Results written so far are kept.';

describe('a memory of kernels that cannot grow', () => {
  // the sheet is stopped in a solve, which is rolled back; the fabric while its nodes change
  test.each([
    ['sheet-rotating', 9, 6, false],
    ['fabric-tablecloth-one', 14, 7, true],
  ] as const)(
    'ends a step of %s in a sentence, and its last state goes on to the same bits',
    (name, pages, steps, isBroken) => {
      const whole = build(name);
      const hashes = Array.from({ length: steps }, () => {
        whole.step();
        return whole.hash();
      });
      capMemory(pages);
      const world = build(name);
      let saved = world.save();
      let thrown: unknown;
      for (; thrown === undefined; ) {
        expect(world.steps).toBeLessThan(steps);
        try {
          world.step();
          saved = world.save();
          expect(world.hash()).toBe(hashes[world.steps - 1]);
        } catch (error) {
          thrown = error;
        }
      }
      expect(world.steps).toBeGreaterThan(1);
      const error = toMemoryError(thrown);
      expect(error).toBeInstanceOf(MemoryError);
      expect((error as MemoryError).message).toBe(SENTENCE);
      expect(world.isBroken).toBe(isBroken);
      if (isBroken) {
        const refused = /^Step \d+ was interrupted while nodes changed, .* load a saved state, or rebuild the scene\.$/;
        expect(() => world.step()).toThrow(refused);
        expect(() => world.save()).toThrow(refused);
        world.load(saved);
      }
      expect(world.hash()).toBe(hashes[world.steps - 1]);
      // again the same
      expect(() => world.step()).toThrow(/Maximum memory size exceeded/);
      if (!isBroken) expect(world.hash()).toBe(hashes[world.steps - 1]);
      vi.unstubAllGlobals();
      const next = build(name);
      next.load(saved);
      while (next.steps < steps) next.step();
      expect(next.hash()).toBe(hashes[steps - 1]);
    },
  );
});

/** Fills the heap for real when a file was written to so often. */
const HOG = `
const fs = require('node:fs');
const { writeSync } = fs;
let writes = 0;
fs.writeSync = (...args) => {
  if (++writes === 60) for (const hog = []; ; ) hog.push(new Array(1e5).fill({}).map(() => ({})));
  return writeSync(...args);
};
require('node:module').syncBuiltinESMExports();
`;

test('a worker whose heap is full ends alone, in a sentence; what heddle run has written in it stays, and is resumed to the same numbers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-'));
  try {
    writeFileSync(join(folder, 'hog.cjs'), HOG);
    const heddle = fileURLToPath(new URL('bin/heddle.js', root));
    const argv = ['run', 'strand-corner', '--json', '--checkpoint', '1e-9', '--until', '0.3'];
    const run = (...more: string[]) =>
      JSON.parse(execFileSync(process.execPath, [heddle, ...argv, ...more], { cwd: folder, encoding: 'utf8' }));
    const { hash } = run('--out', 'whole');
    const worker = new Worker(heddle, {
      argv: [...argv, '--out', join(folder, 'full')],
      execArgv: ['--require', join(folder, 'hog.cjs')],
      resourceLimits: { maxOldGenerationSizeMb: 60, maxYoungGenerationSizeMb: 4 },
      stdout: true,
      stderr: true,
    });
    // a worker that ends without an error gives its exit code
    const error = await new Promise<NodeJS.ErrnoException>((resolve) =>
      worker.once('error', resolve).once('exit', resolve),
    );
    expect(error.code).toBe('ERR_WORKER_OUT_OF_MEMORY');
    expect(toMemoryError(error)).toBeInstanceOf(MemoryError);
    expect((toMemoryError(error) as MemoryError).message).toBe(SENTENCE);
    const bytes = new Uint8Array(readFileSync(join(folder, 'full/run.heddle')));
    const index = scanChunks(bytes);
    const frames = index.entries.filter(({ type }) => type === 'FRAM').map((entry) => readFrame(bytes, entry));
    expect(frames.length).toBeGreaterThan(3);
    expect(findLastChunk(index, 'CKPT')).toBeDefined();
    expect(findLastChunk(index, 'DONE')).toBeUndefined();
    expect(run('--out', 'full', '--resume').hash).toBe(hash);
    const [one, other] = ['whole', 'full'].map((name) => readFileSync(join(folder, name, 'probes.csv'), 'utf8'));
    expect(other).toBe(one);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
