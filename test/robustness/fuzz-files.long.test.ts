/** 500 damaged files of all formats, read in a process with limits on time and memory. node scripts/fuzz.js reads 10,000. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRandom } from 'heddle/math';
import { HeddleError, SceneError } from 'heddle/model';
import { afterAll, describe, expect, test } from 'vitest';
import { FORMATS } from '../../scripts/fuzz/formats.js';
import { judge } from '../../scripts/fuzz/judge.js';
import { drawSeed } from './family-tests.ts';

const CASES = 500;

const folder = mkdtempSync(join(tmpdir(), 'heddle-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Result {
  readonly formats: Record<string, { cases: number; read: number; refused: number; faults: number }>;
  readonly faults: readonly { seed: number; format: string; fault: string }[];
}

/** The script on the built package: npm test builds it first. */
function fuzz(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<{ result: Result; code: number }> {
  const script = fileURLToPath(new URL('../../scripts/fuzz.js', import.meta.url));
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 2 ** 26 };
    execFile(process.execPath, [script, '--json', '--keep', folder, ...args], options, (error, stdout, stderr) => {
      try {
        resolve({ result: JSON.parse(stdout), code: error === null ? 0 : Number(error.code) });
      } catch {
        reject(new Error(`${error}: ${stderr}`));
      }
    });
  });
}

test(`${CASES} damaged files are read, or refused by a clear sentence`, async () => {
  const { result, code } = await fuzz(['--cases', String(CASES)]);
  expect(result.faults).toEqual([]);
  expect(code).toBe(0);
  expect(Object.keys(result.formats).sort()).toEqual(FORMATS.map(({ name }) => name).sort());
  let read = 0;
  for (const { cases, read: good, refused } of Object.values(result.formats)) {
    expect(cases).toBe(CASES / FORMATS.length);
    // damage is found: the fuzz would be worthless otherwise
    expect(refused).toBeGreaterThan(cases / 2);
    read += good;
  }
  // and some is harmless
  expect(read).toBeGreaterThan(CASES / 20);
});

const first = drawSeed();
test('1000 files damaged with fresh seeds are read, or refused by a clear sentence', async () => {
  const { result, code } = await fuzz(['--cases', '1000', '--seed', String(first)]);
  expect(result.faults, `HEDDLE_SEED=${first} repeats it`).toEqual([]);
  expect(code).toBe(0);
});

test('a case is the same for the same seed', () => {
  for (const [k, { make }] of FORMATS.entries()) {
    if (k > 3) continue;
    const [a, b, c] = [7, 7, 8].map((seed) => {
      const random = createRandom(seed);
      return Buffer.from(make(() => random.uniform()));
    });
    expect(a.equals(b)).toBe(true);
    expect(a.equals(c)).toBe(false);
  }
});

test('a case that takes too long or too much memory is a fault, and the others go on', async () => {
  const slow = await fuzz(['--cases', '3', '--seed', '0'], { FUZZ_SECONDS: '0.0001' });
  expect(slow.code).toBe(1);
  expect(slow.result.faults[0]).toEqual({ seed: 0, format: 'scene', fault: 'more than 0.0001 s of processor time' });
  expect(Object.keys(slow.result.formats)).toEqual(['scene', 'wif', 'obj']);
  // they can be looked at
  for (const file of ['faults.json', '0.json']) expect(existsSync(join(folder, file))).toBe(true);
  const large = await fuzz(['--cases', '1', '--seed', '4'], { FUZZ_MEGABYTES: '10' });
  expect(large.result.faults.map(({ fault }) => fault)).toEqual(['more than 10 MB of memory']);
});

describe('the judge', () => {
  test.each([
    [new TypeError('x is not a function'), /^TypeError: x is not a function/],
    [new RangeError('Invalid array length'), /^RangeError/],
    ['text', /^text$/],
    [new HeddleError('it is [object Object].'), /^a leak in/],
    [new HeddleError('it is undefined.'), /^a leak in/],
    [new HeddleError('it has no end'), /^no end in/],
    [new HeddleError('two\nlines.'), /^more than one line/],
    [new HeddleError(`${'a'.repeat(2000)}.`), /^2001 letters in/],
    [new SceneError([]), /^an error without a fault$/],
  ])('calls case %# a fault', (error, words) => {
    expect(judge(error)).toMatch(words);
  });

  test('lets success and clear sentences pass', () => {
    expect(judge(undefined)).toBeUndefined();
    expect(judge(new HeddleError('a.obj:3: v has 2 numbers; it needs 3 to 8.'))).toBeUndefined();
    expect(judge(new SceneError([{ path: 'time.step', message: 'is 0 s; it must be > 0.' }]))).toBeUndefined();
  });
});
