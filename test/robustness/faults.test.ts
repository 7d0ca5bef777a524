/**
 * What goes wrong outside of Heddle: disks that are full or cannot be written, engines without WebAssembly or shared memory, memory that
 * is at its end. Each is one sentence, what was written stays, and a run goes on from there to the same numbers.
 */
import { execFileSync } from 'node:child_process';
import fs, { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KernelMemory } from 'heddle/kernels';
import { HeddleError, MemoryError, toMemoryError } from 'heddle/model';
import { compile } from 'heddle/scene';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RunnableWorld } from '../../src/cli/context.ts';
import { makeWorkplace, type Workplace } from '../unit/cli-fixtures.ts';

/** Functions of node:fs as they are. */
const whole = (({ writeSync, writeFileSync, mkdirSync, openSync, rmSync }) => ({
  writeSync,
  writeFileSync,
  mkdirSync,
  openSync,
  rmSync,
}))(fs);

/** Puts others in the place of functions of node:fs, in all modules, until the end of the test. */
function replaceFs(changes: Partial<typeof fs>): void {
  Object.assign(fs, changes);
  syncBuiltinESMExports();
}

afterEach(() => replaceFs(whole));

const fail = (code: string): never => {
  throw Object.assign(new Error(`${code}: injected`), { code });
};

const real = {
  compile: (...args: Parameters<typeof compile>): RunnableWorld => compile(...args) as unknown as RunnableWorld,
};

/** A workplace with a rope that swings for a while. */
function makeRope(): Workplace {
  const place = makeWorkplace();
  place.write('rope.json', {
    heddle: 1,
    name: 'rope',
    title: 'A rope',
    objects: [
      {
        type: 'strand',
        id: 'rope',
        material: 'hemp-rope-8mm',
        points: [
          [0, 0, 0],
          [1, 0.1, 0.2],
        ],
        nodes: 12,
      },
    ],
    drivers: [{ type: 'pin', on: { object: 'rope', at: 'start' } }],
    probes: [{ id: 'tip', type: 'position', on: { object: 'rope', at: 'end' } }],
    time: { step: 0.002, duration: 0.2 },
    output: { framesPerSecond: 250 },
  });
  return place;
}

const run = (place: Workplace, ...argv: string[]) => place.runWith(real, 'run', 'rope.json', '--json', ...argv);
const read = (place: Workplace, path: string): string => readFileSync(join(place.folder, path), 'utf8');

/** What takes this many bytes and then says that it is full, in the middle of a chunk. */
function fillAfter(bytes: number, code = 'ENOSPC'): void {
  let left = bytes;
  replaceFs({
    writeSync: ((descriptor: number, content: Uint8Array, offset = 0, length = content.length - offset) => {
      if (left === 0) fail(code);
      const written = whole.writeSync(descriptor, content, offset, Math.min(left, length));
      left -= written;
      return written;
    }) as typeof fs.writeSync,
  });
}

describe('a disk', () => {
  test('that is full stops a run with a sentence, and it resumes to the same numbers', async () => {
    const place = makeRope();
    const { stdout } = await run(place, '--out', 'whole');
    const size = fs.statSync(join(place.folder, 'whole/run.heddle')).size;
    for (const [share, code, words] of [
      [0.4, 'ENOSPC', 'because the disk is full'],
      [0.7, 'EDQUOT', 'because your disk quota is used up'],
    ] as const) {
      fillAfter(Math.round(share * size), code);
      const stopped = await run(place, '--out', 'full', '--checkpoint', '1e-9', '--overwrite');
      replaceFs(whole);
      expect(stopped.code).toBe(2);
      expect(stopped.stderr).toMatch(
        new RegExp(
          `^FileError: \\S*run\\.heddle cannot be written ${words}; files written so far are kept\\. .* add --resume\\.\\n$`,
        ),
      );
      const resumed = await run(place, '--out', 'full', '--resume');
      expect(resumed.stderr).toBe('');
      expect(JSON.parse(resumed.stdout).hash).toBe(JSON.parse(stdout).hash);
      expect(read(place, 'full/probes.csv')).toBe(read(place, 'whole/probes.csv'));
    }
  });

  test('that is full when results are written leaves the ones before, and no halves', async () => {
    const place = makeRope();
    await run(place, '--out', 'a');
    const before = read(place, 'a/probes.csv');
    replaceFs({
      writeFileSync: ((path: string, content: string) => {
        whole.writeFileSync(path, content.slice(0, 10));
        fail('ENOSPC');
      }) as typeof fs.writeFileSync,
    });
    const again = await run(place, '--out', 'a', '--resume');
    replaceFs(whole);
    expect(again.stderr).toMatch(/probes\.csv cannot be written because the disk is full/);
    expect(again.code).toBe(2);
    expect(read(place, 'a/probes.csv')).toBe(before);
    expect(readdirSync(join(place.folder, 'a')).filter((file) => file.endsWith('.part'))).toEqual([]);
    expect((await run(place, '--out', 'a', '--resume')).code).toBe(0);
  });

  test.each([
    ['EROFS', 'is on a read-only file system'],
    ['EACCES', 'cannot be accessed: permission denied'],
    ['EPERM', 'cannot be accessed: permission denied'],
  ])('that cannot be written (%s) is said before anything is simulated', async (code, words) => {
    const place = makeRope();
    let built = 0;
    const count = (...args: Parameters<typeof compile>) => {
      built++;
      const world = real.compile(...args);
      world.stepPart = () => {
        throw new Error('it was simulated');
      };
      return world;
    };
    replaceFs({ mkdirSync: (() => fail(code)) as typeof fs.mkdirSync });
    const stopped = await place.runWith({ compile: count }, 'run', 'rope.json', '--out', 'new');
    replaceFs(whole);
    expect(built).toBe(1);
    expect([stopped.code, stopped.stderr]).toEqual([2, `FileError: ${join(place.folder, 'new')} ${words}.\n`]);
    // a folder that is there, with a run in it
    await run(place, '--out', 'old');
    const before = readFileSync(join(place.folder, 'old/run.heddle'));
    replaceFs({
      openSync: ((path: string, flags: string) => (flags === 'r' ? whole.openSync(path, flags) : fail(code))) as never,
    });
    replaceFs({ rmSync: (() => fail(code)) as typeof fs.rmSync });
    const kept = await place.runWith({ compile: count }, 'run', 'rope.json', '--out', 'old', '--overwrite');
    replaceFs(whole);
    expect(kept.code).toBe(2);
    expect(kept.stderr).toMatch(new RegExp(`^FileError: .* ${words.replace(/[()]/g, '\\$&')}\\.\\n$`));
    expect(readFileSync(join(place.folder, 'old/run.heddle')).equals(before)).toBe(true);
  });
});

/** Hashes and positions after a few steps of one scene a model, in an engine without some things. */
const CHILD = `
const [without, folder] = process.argv.slice(1);
for (const name of without.split(' ').filter(Boolean)) delete globalThis[name];
const { compile, parseScene } = await import('heddle/scene');
const { canCompileKernels } = await import('heddle/kernels');
const { readFileSync } = await import('node:fs');
const results = { isCompiled: canCompileKernels(), scenes: {} };
for (const name of ['strand-corner', 'rod-wrap-one', 'sheet-rotating', 'fabric-tablecloth-one', 'mpm-tearing']) {
  const world = compile(parseScene(readFileSync(folder + name + '.json', 'utf8')));
  for (let n = 0; n < 3; n++) world.step();
  results.scenes[name] = { hash: world.hash(), x: [...world.frame().objects[0].x] };
}
console.log(JSON.stringify(results));
process.exit();
`;

interface Platform {
  readonly isCompiled: boolean;
  readonly scenes: Record<string, { readonly hash: string; readonly x: readonly number[] }>;
}

const root = fileURLToPath(new URL('../../', import.meta.url));

function simulateWithout(...names: string[]): Platform {
  const args = ['--input-type=module', '-e', CHILD, '--', names.join(' '), join(root, 'scenes/')];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }));
}

describe('an engine', () => {
  let all: Platform;
  beforeAll(() => {
    all = simulateWithout();
    expect(all.isCompiled).toBe(true);
  });

  test('without shared memory gives the same bits', () => {
    const other = simulateWithout('SharedArrayBuffer');
    expect(other.isCompiled).toBe(true);
    for (const [name, { hash }] of Object.entries(all.scenes)) expect(other.scenes[name].hash, name).toBe(hash);
  });

  test('without WebAssembly gives the same bits, of continua the same within single precision', () => {
    const other = simulateWithout('WebAssembly', 'SharedArrayBuffer');
    expect(other.isCompiled).toBe(false);
    for (const [name, { hash, x }] of Object.entries(all.scenes)) {
      if (!name.startsWith('mpm-')) expect(other.scenes[name].hash, name).toBe(hash);
      const difference = x.map((value, k) => Math.abs(value - other.scenes[name].x[k]));
      // positions of about 1 m with 24 bits, after some 60 substeps
      expect(Math.max(...difference), name).toBeLessThan(name.startsWith('mpm-') ? 2e-6 : 1e-300);
    }
  });

  test('without WebAssembly is told of by heddle run', () => {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-'));
    try {
      writeFileSync(join(folder, 'without.cjs'), 'delete globalThis.WebAssembly;');
      const args = [
        '-r',
        join(folder, 'without.cjs'),
        join(root, 'bin/heddle.js'),
        'run',
        'strand-corner',
        '--until',
        '0.02',
      ];
      const options = { cwd: folder, encoding: 'utf8', stdio: 'pipe' } as const;
      const stderr = execFileSync('sh', ['-c', '"$0" "$@" 2>&1 >/dev/null', process.execPath, ...args], options);
      expect(stderr).toBe(
        'WebAssembly with SIMD is not available here; slower code runs instead, with the same results.\n',
      );
      expect(existsSync(join(folder, 'out/strand-corner/summary.json'))).toBe(true);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('memory at its end', () => {
  test('is one sentence, whatever the engine says', () => {
    for (const message of [
      'Array buffer allocation failed',
      'Invalid typed array length: 99999999999',
      'Invalid array length',
      'WebAssembly.Memory.grow(): Unable to grow instance memory',
      'WebAssembly.Memory(): could not allocate memory',
      'out of memory',
    ])
      expect(toMemoryError(new RangeError(message)), message).toBeInstanceOf(MemoryError);
    for (const other of [
      new RangeError('toFixed() digits argument'),
      new TypeError('x'),
      new HeddleError('out of memory'),
    ])
      expect(toMemoryError(other)).toBe(other);
    const memory = new KernelMemory();
    let thrown: unknown;
    try {
      memory.reserve(2 ** 33, false);
    } catch (error) {
      thrown = toMemoryError(error);
    }
    expect(thrown).toBeInstanceOf(MemoryError);
  });

  test('ends the command with that sentence, and what was written stays', async () => {
    const place = makeRope();
    const { stdout } = await run(place, '--out', 'whole');
    const greedy = (...args: Parameters<typeof compile>) => {
      const world = real.compile(...args);
      const step = world.stepPart.bind(world);
      world.stepPart = (most) => {
        if (world.steps === 60) new Float64Array(2 ** 48);
        return step(most);
      };
      return world;
    };
    const argv = ['run', 'rope.json', '--out', 'greedy', '--checkpoint', '1e-9'];
    const stopped = await place.runWith({ compile: greedy }, ...argv);
    expect(stopped.code).toBe(2);
    expect(stopped.stderr).toMatch(/^MemoryError: There is not enough memory for this scene; .* are kept\.\n$/);
    const resumed = await run(place, '--out', 'greedy', '--resume');
    expect(JSON.parse(resumed.stdout).hash).toBe(JSON.parse(stdout).hash);
  });
});
