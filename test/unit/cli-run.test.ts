import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StepError } from 'heddle/model';
import { describe, expect, test } from 'vitest';
import { readRecording } from '../../src/cli/export.ts';
import { visitChunks } from '../../src/cli/frame-file-disk.ts';
import { makeScene, makeWorkplace, SpringWorld } from './cli-fixtures.ts';

/** A clock on which every look takes one second, so that checkpoints are frequent. */
function makeSlowClock(): () => number {
  let time = 0;
  return () => (time += 1000);
}

/** What must not depend on interruptions: hash, probes.csv, probes.json, frames. */
function readResults(folder: string) {
  const { hash, steps, time, probes } = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'));
  const { frames } = readRecording(folder, true);
  return {
    summary: { hash, steps, time, probes },
    csv: readFileSync(join(folder, 'probes.csv'), 'utf8'),
    json: readFileSync(join(folder, 'probes.json'), 'utf8'),
    frames,
  };
}

function listChunks(folder: string): string[] {
  const types: string[] = [];
  visitChunks(join(folder, 'run.heddle'), (chunk) => void types.push(chunk.type));
  return types;
}

describe('heddle run', () => {
  test('writes the run folder of the contract', async () => {
    const place = makeWorkplace();
    const result = await place.run('run', 'spring.json');
    expect(result).toMatchObject({ code: 0, stderr: '' });
    const folder = join(place.folder, 'out/spring');
    expect(readdirSync(folder).sort()).toEqual([
      'probes.csv',
      'probes.json',
      'run.heddle',
      'scene.json',
      'summary.json',
    ]);
    const { frames, csv } = readResults(folder);
    // 30 frames a second over one second, the start included: steps 0, 4, 7, 10, 14, …, 100
    expect(frames.map((frame) => frame.step).slice(0, 5)).toEqual([0, 4, 7, 10, 14]);
    expect(frames).toHaveLength(31);
    expect(frames[30].step).toBe(100);
    const lines = csv.trimEnd().split('\r\n');
    expect(lines[0]).toBe('time,tip.x,tip.y,tip.z');
    expect(lines).toHaveLength(102);
    expect(JSON.parse(readFileSync(join(folder, 'scene.json'), 'utf8')).name).toBe('spring');
  });

  test('--json prints one object with the promised names and nothing else', async () => {
    const place = makeWorkplace();
    const { stdout, stderr, code } = await place.run('run', 'spring.json', '--json');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    const summary = JSON.parse(stdout);
    expect(Object.keys(summary)).toEqual(
      expect.arrayContaining([
        'scene',
        'steps',
        'time',
        'msPerStep',
        'stages',
        'nodes',
        'energy',
        'maxStrain',
        'probes',
        'hash',
        'expect',
      ]),
    );
    expect(summary).toMatchObject({ scene: 'spring', steps: 100, nodes: 2, finished: true, expect: [] });
    expect(Object.keys(summary.stages)).toEqual(['detect', 'adapt', 'assemble', 'solve', 'advance']);
    expect(Object.keys(summary.probes)).toEqual(['tip.x', 'tip.y', 'tip.z']);
    expect(summary.probeUnits).toEqual({ 'tip.x': 'm', 'tip.y': 'm', 'tip.z': 'm' });
    const table = JSON.parse(readFileSync(join(place.folder, 'out/spring/probes.json'), 'utf8'));
    expect(table.units).toEqual(['s', 'm', 'm', 'm']);
  });

  test('probe rows come at probesPerSecond when it is given', async () => {
    const place = makeWorkplace();
    await place.run('run', 'spring.json', '--set', 'output.probesPerSecond=10');
    const { csv } = readResults(join(place.folder, 'out/spring'));
    expect(csv.trimEnd().split('\r\n')).toHaveLength(12);
  });

  test('--set changes the scene, --until ends early and does not judge expectations', async () => {
    const place = makeWorkplace();
    place.write('spring.json', { ...makeScene(), expect: [{ probe: 'tip.x', min: 1e6 }] });
    const { stdout, code } = await place.run(
      'run',
      'spring.json',
      '--until',
      '0.5',
      '--set',
      'time.step=0.02',
      '--json',
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ steps: 25, expect: [], finished: false });
    const scene = JSON.parse(readFileSync(join(place.folder, 'out/spring/scene.json'), 'utf8'));
    expect(scene.time.step).toBe(0.02);
  });

  test('with --set the expectations of the scene as written do not count, those that --set changes do', async () => {
    const place = makeWorkplace();
    place.write('spring.json', { ...makeScene(), expect: [{ probe: 'tip.x', min: 1e6 }] });
    const changed = await place.run('run', 'spring.json', '--set', 'time.step=0.02');
    expect(changed.code).toBe(0);
    expect(changed.stderr).toBe(
      'With the values of --set the scene does not end as it states: 1 of 1 expectations fail.\n',
    );
    const judged = await place.run('run', 'spring.json', '--set', 'expect[0].min=1e7', '--overwrite');
    expect(judged.code).toBe(1);
  });

  test('a broken expectation is a sentence and exit code 1; a kept one is 0', async () => {
    const place = makeWorkplace();
    place.write('spring.json', {
      ...makeScene(),
      expect: [
        { probe: 'tip.x', min: 1e6 },
        { probe: 'tip.x', max: 1e6 },
      ],
    });
    const { stdout, stderr, code } = await place.run('run', 'spring.json', '--json');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^spring did not end as expected: tip.x is .*; it should be >= 1000000\.\n$/);
    const { expect: results } = JSON.parse(stdout);
    expect(results.map((result: { holds: boolean }) => result.holds)).toEqual([false, true]);
    expect(results[0]).toMatchObject({ probe: 'tip.x', min: 1e6, max: null });
    place.write('spring.json', { ...makeScene(), expect: [{ probe: 'tip.x', max: 1e6 }] });
    expect((await place.run('run', 'spring.json')).code).toBe(0);
  });

  test('--format writes exports beside the run', async () => {
    const place = makeWorkplace();
    const { code } = await place.run('run', 'spring.json', '--format', 'glb,obj');
    expect(code).toBe(0);
    expect(existsSync(join(place.folder, 'out/spring/spring.glb'))).toBe(true);
    expect(readdirSync(join(place.folder, 'out/spring/obj'))).toHaveLength(31);
    const wrong = await place.run('run', 'spring.json', '--format', 'gbl');
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toContain('glb');
  });
});

/** Interrupts after `calls` looks at the clock. */
const interruptAfter = (calls: number) => {
  let listener = () => {};
  let count = 0;
  return {
    now: () => {
      if (++count === calls) listener();
      return count;
    },
    onInterrupt: (added: () => void) => {
      listener = added;
      return () => {
        listener = () => {};
      };
    },
  };
};

describe('an interrupted run', () => {
  test.each([3, 50, 123])('at Ctrl-C (clock %i) is resumable, with byte-identical results', async (calls) => {
    const whole = makeWorkplace();
    await whole.run('run', 'spring.json');
    const place = makeWorkplace();
    const stopped = await place.runWith(interruptAfter(calls), 'run', 'spring.json', '--out', 'my run');
    expect(stopped.code).toBe(130);
    expect(stopped.stderr).toContain("heddle run spring.json --out 'my run' --resume");
    expect(listChunks(join(place.folder, 'my run')).at(-1)).toBe('CKPT');
    const resumed = await place.run('run', 'spring.json', '--out', 'my run', '--resume');
    expect(resumed).toMatchObject({ code: 0, stderr: '' });
    expect(readResults(join(place.folder, 'my run'))).toEqual(readResults(join(whole.folder, 'out/spring')));
  });

  test('killed at any byte resumes to byte-identical results', async () => {
    const whole = makeWorkplace();
    await whole.runWith({ now: makeSlowClock() }, 'run', 'spring.json');
    const source = join(whole.folder, 'out/spring');
    const expected = readResults(source);
    const bytes = readFileSync(join(source, 'run.heddle'));
    expect(listChunks(source).filter((type) => type === 'CKPT').length).toBeGreaterThan(10);
    for (let cut = 0; cut < bytes.length; cut += 997) {
      const place = makeWorkplace();
      const folder = join(place.folder, 'out/spring');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'run.heddle'), bytes);
      truncateSync(join(folder, 'run.heddle'), cut);
      // what is there is readable before the resume, too
      expect(readRecording(folder, true).frames).toEqual(
        expected.frames.slice(0, readRecording(folder, true).frames.length),
      );
      const resumed = await place.run('run', 'spring.json', '--resume');
      expect(resumed, `cut at ${cut}`).toMatchObject({ code: 0, stderr: '' });
      expect(readResults(folder), `cut at ${cut}`).toEqual(expected);
    }
  });

  test('stopped by --until goes on to the same results', async () => {
    const whole = makeWorkplace();
    await whole.run('run', 'spring.json');
    const place = makeWorkplace();
    await place.run('run', 'spring.json', '--until', '0.333');
    expect((await place.run('run', 'spring.json', '--resume')).code).toBe(0);
    expect(readResults(join(place.folder, 'out/spring'))).toEqual(readResults(join(whole.folder, 'out/spring')));
  });

  test('that is finished says so and changes nothing', async () => {
    const place = makeWorkplace();
    await place.run('run', 'spring.json');
    const before = readFileSync(join(place.folder, 'out/spring/run.heddle'));
    const again = await place.run('run', 'spring.json', '--resume');
    expect(again.code).toBe(0);
    expect(again.stdout).toContain('already contains the finished run');
    expect(readFileSync(join(place.folder, 'out/spring/run.heddle')).equals(before)).toBe(true);
  });

  test('of another scene or with other values is not resumed', async () => {
    const place = makeWorkplace();
    await place.run('run', 'spring.json', '--until', '0.5');
    const other = await place.run('run', 'spring.json', '--resume', '--set', 'objects[0].nodes=3');
    expect(other.code).toBe(2);
    expect(other.stderr).toMatch(/^FileError: out\/spring contains a run of another scene.*"nodes": 2.*"nodes": 3/);
    const none = await place.run('run', 'spring.json', '--resume', '--out', 'nothing');
    expect(none.stderr).toBe('FileError: nothing contains no run to resume; leave out --resume to start one.\n');
  });
});

describe('an existing run folder', () => {
  test('with the run of another scene is not destroyed, unless told so', async () => {
    const place = makeWorkplace();
    place.write('other.json', { ...makeScene(), name: 'other' });
    await place.run('run', 'other.json', '--out', 'x');
    const refused = await place.run('run', 'spring.json', '--out', 'x');
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toBe(
      'FileError: x contains a run of "other"; choose another folder with --out, or add --overwrite to replace it.\n',
    );
    expect((await place.run('run', 'spring.json', '--out', 'x', '--overwrite')).code).toBe(0);
    expect(JSON.parse(readFileSync(join(place.folder, 'x/summary.json'), 'utf8')).scene).toBe('spring');
  });

  test('with an unfinished run is not destroyed, unless told so', async () => {
    const place = makeWorkplace();
    await place.runWith(interruptAfter(50), 'run', 'spring.json');
    const before = readFileSync(join(place.folder, 'out/spring/run.heddle'));
    const again = await place.run('run', 'spring.json');
    expect(again.code).toBe(2);
    expect(again.stderr).toMatch(
      /^FileError: out\/spring contains an unfinished run of "spring" up to [\d.]+ s; continue with --resume, or add --overwrite to start again\.\n$/,
    );
    const other = await place.run('run', 'spring.json', '--set', 'objects[0].nodes=3');
    expect(other.stderr).toMatch(/an unfinished run of "spring" with other values; choose another folder/);
    expect(readFileSync(join(place.folder, 'out/spring/run.heddle')).equals(before)).toBe(true);
    expect((await place.run('run', 'spring.json', '--overwrite')).code).toBe(0);
  });

  test('that holds files of the user keeps them, unless told so', async () => {
    const place = makeWorkplace();
    const text = JSON.stringify(makeScene());
    mkdirSync(join(place.folder, 'mine/obj'), { recursive: true });
    place.write('mine/scene.json', text);
    place.write('mine/obj/model.0001.obj', 'v 0 0 0');
    const refused = await place.run('run', 'mine/scene.json', '--out', 'mine');
    expect(refused).toMatchObject({
      code: 2,
      stderr:
        'FileError: mine contains scene.json, but no Heddle run; choose another folder with --out, or add --overwrite to replace it.\n',
    });
    expect(readFileSync(join(place.folder, 'mine/scene.json'), 'utf8')).toBe(text);
    expect((await place.run('run', 'mine/scene.json', '--out', 'mine', '--overwrite')).code).toBe(0);
    expect(readdirSync(join(place.folder, 'mine/obj'))).toEqual(['model.0001.obj']);
  });

  test('with the same scene is simply run again, without leftovers', async () => {
    const place = makeWorkplace();
    await place.run('run', 'spring.json', '--format', 'obj,ply,vtk,usda,usda-fixed,glb');
    for (const sequence of ['obj', 'ply', 'vtk']) {
      expect(readdirSync(join(place.folder, 'out/spring', sequence)).length, sequence).toBeGreaterThan(30);
    }
    expect((await place.run('run', 'spring.json', '--until', '0.1')).code).toBe(0);
    for (const sequence of ['obj', 'ply', 'vtk']) {
      expect(readdirSync(join(place.folder, 'out/spring', sequence)), sequence).toEqual([]);
    }
    expect(readdirSync(join(place.folder, 'out/spring')).filter((file) => file.startsWith('spring.'))).toEqual([]);
  });

  test('is exported on fixed material points with --resample', async () => {
    const place = makeWorkplace();
    const usda = join(place.folder, 'out/spring/spring.usda');
    const counts = () => /curveVertexCounts = (.+)/.exec(readFileSync(usda, 'utf8'))?.[1];
    for (const [options, expected] of [
      [[], '[2]'],
      [['--resample'], '[48]'],
      [['--resample', '7'], '[7]'],
    ] as const) {
      const { code } = await place.run('run', 'spring.json', '--format', 'usda', ...options);
      expect([code, counts()]).toEqual([0, expected]);
    }
    for (const bad of ['2', '1e6', 'x']) {
      const { code, stderr } = await place.run('run', 'spring.json', '--resample', bad);
      expect([code, /whole number of points from 3 to 100000/.test(stderr)], bad).toEqual([2, true]);
    }
  });
});

describe('what goes wrong', () => {
  test('in a step is one sentence; what was recorded stays readable', async () => {
    const place = makeWorkplace();
    class FailingWorld extends SpringWorld {
      override step(): void {
        if (this.steps === 42) {
          throw new StepError('The rope tore at step 42.', { time: 0.42, step: 42, object: 'rope', stage: 'solve' });
        }
        super.step();
      }
    }
    const result = await place.runWith({ compile: (scene) => new FailingWorld(scene) }, 'run', 'spring.json');
    expect(result).toMatchObject({ code: 2, stderr: 'StepError: The rope tore at step 42.\n' });
    const { frames, probes } = readRecording(join(place.folder, 'out/spring'), true);
    expect(frames.length).toBe(13);
    expect(probes.rows.length).toBe(43);
  });

  test('with the output folder is one sentence', async () => {
    const place = makeWorkplace();
    place.write('file', 'x');
    const result = await place.run('run', 'spring.json', '--out', 'file/run');
    expect(result.code).toBe(2);
    expect(result.stderr).toMatch(/^FileError: .*file exists and is not a folder\.\n$/);
    // mkdir says ENOENT there, though /proc exists
    if (existsSync('/proc/self')) expect((await place.run('run', 'spring.json', '--out', '/proc/x')).code).toBe(2);
    if (process.getuid?.() === 0) return;
    mkdirSync(join(place.folder, 'locked'));
    chmodSync(join(place.folder, 'locked'), 0o500);
    expect((await place.run('run', 'spring.json', '--out', 'locked/x')).stderr).toMatch(/permission denied/);
  });

  test('on a full disk is one sentence that says how to go on', async () => {
    if (!existsSync('/dev/full')) return;
    const { appendBytes, withFile } = await import('../../src/cli/files.ts');
    expect(() => withFile('/dev/full', 'w', (file) => appendBytes(file, 'out/run.heddle', new Uint8Array(10)))).toThrow(
      'out/run.heddle cannot be written because the disk is full; files written so far are kept. Free some space and add --resume.',
    );
  });

  test('inside Heddle is exit code 70 with the stack', async () => {
    const place = makeWorkplace();
    const compile = () => {
      throw new TypeError('oops');
    };
    const result = await place.runWith({ compile }, 'run', 'spring.json');
    expect(result.code).toBe(70);
    expect(result.stderr).toMatch(/This is a bug in Heddle[\s\S]*TypeError: oops\n\s+at /);
  });
});
