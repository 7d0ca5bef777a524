import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { compile, computeJsonSchema, countSteps, isMoment } from 'heddle/scene';
import { describe, expect, test } from 'vitest';
import { createProgress, formatDuration } from '../../src/cli/progress.ts';
import { makeScene, makeWorkplace } from './cli-fixtures.ts';

describe('the command line', () => {
  test.each([
    ['--help'],
    ['run', '--help'],
    ['list', '--help'],
    ['check', '--help'],
    ['render', '--help'],
    ['schema', '--help'],
    [],
  ])('heddle %s %s prints help with examples', async (...argv) => {
    const { stdout, code } = await makeWorkplace().run(...argv.filter((word) => word !== undefined));
    expect(code).toBe(0);
    expect(stdout).toContain('Usage: heddle');
    expect(stdout).toContain('Examples:');
  });

  test.each([
    [['rnu', 'x'], /Did you mean run\?/],
    [['run', 'spring.json', '--formt', 'glb'], /Did you mean --format\?/],
    [['run'], /missing required argument/],
    [['run', 'spring.json', '--until', 'soon'], /time in seconds/],
    [['run', 'spring.json', '--until', '99'], /the scene lasts 1 s/],
    [['run', 'missing.json'], /FileError: missing.json does not exist/],
    [['run', 'folder'], /FileError: folder is a folder, not a scene file/],
    [['run', 'sprng'], /neither a gallery scene nor a file/],
    [['run', 'spring.json', '--set', 'objects[0].nods.a=1'], /Did you mean "nodes"/],
    [['run', 'spring.json', '--set', 'objects[0].nods=1'], /Did you mean "nodes"\? \(spring.json with --set/],
    [['run', 'spring.json', '--set', 'time.step=-0.01'], /SceneError: time.step is -0.01 s; it must be > 0/],
  ])('%j is an error with exit code 2', async (argv, words) => {
    const place = makeWorkplace();
    mkdirSync(join(place.folder, 'folder'));
    const { stderr, code } = await place.run(...argv);
    expect(code).toBe(2);
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test('--debug adds the stack', async () => {
    const { stderr } = await makeWorkplace().run('run', 'missing.json', '--debug');
    expect(stderr).toMatch(/FileError: .*\n[\s\S]*\n\s+at /);
  });
});

test('heddle check lists every fault with file and line', async () => {
  const place = makeWorkplace();
  expect((await place.run('check', 'spring.json')).stdout).toBe(
    'spring.json is a valid scene: 2 nodes, 3 probe columns.\n',
  );
  const scene = makeScene();
  place.write('bad.json', { ...scene, gravty: 1, time: { step: 0.01, duration: -1 } });
  const { code, stderr } = await place.run('check', 'bad.json');
  expect(code).toBe(2);
  expect(stderr.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^SceneError: time.duration is -1 s; it must be > 0. Did you mean 1\? \(bad.json:\d+\)$/),
    expect.stringMatching(/^SceneError: gravty is not a known key. Did you mean "gravity"\? \(bad.json:\d+\)$/),
  ]);
});

test('heddle check --set looks at the scene as it is changed, at a named size too', async () => {
  const place = makeWorkplace();
  const check = async (...changes: string[]) => {
    const { code, stdout, stderr } = await place.runWith(
      { compile },
      'check',
      'sizes.json',
      ...changes.flatMap((change) => ['--set', change]),
    );
    return [code, stdout + stderr];
  };
  place.write('sizes.json', { ...makeScene(), sizes: { studio: {}, paper: { 'objects[0].nodes': 40 } } });
  expect(await check('size=paper')).toEqual([
    0,
    'sizes.json with --set size=paper is a valid scene: 40 nodes, 3 probe columns.\n',
  ]);
  expect(await check('size=paper', 'objects[0].nodes=7')).toEqual([
    0,
    'sizes.json with --set size=paper --set objects[0].nodes=7 is a valid scene: 7 nodes, 3 probe columns.\n',
  ]);
  expect(await check('objects[0].nodes=1')).toEqual([2, expect.stringMatching(/objects\[0\].nodes is 1.*with --set/)]);
  expect(await check('size=huge')).toEqual([2, expect.stringContaining('the scene has "studio" or "paper"')]);
});

test('heddle schema prints the JSON Schema, or the reference', async () => {
  const place = makeWorkplace();
  expect(JSON.parse((await place.run('schema')).stdout)).toEqual(computeJsonSchema());
  expect((await place.run('schema', '--markdown')).stdout).toMatch(/^# Scene reference\n/);
});

test('heddle list --json has the promised names', async () => {
  const { stdout, code } = await makeWorkplace().run('list', '--json');
  expect(code).toBe(0);
  for (const scene of JSON.parse(stdout).scenes) {
    expect(Object.keys(scene)).toEqual(['name', 'model', 'title', 'paper', 'figure']);
  }
});

test('heddle list names the model of a scene, or says that it is mixed, as names of scenes do', async () => {
  const { scenes } = JSON.parse((await makeWorkplace().run('list', '--json')).stdout);
  for (const { name, model } of scenes) expect(`${name}: ${model}`).toBe(`${name}: ${name.split('-')[0]}`);
});

test('heddle list begins with the scenes of the papers', async () => {
  const { scenes } = JSON.parse((await makeWorkplace().run('list', '--json')).stdout);
  expect(scenes).toContainEqual(
    expect.objectContaining({ name: 'strand-corner', paper: 'Jiang 2020', figure: 'Fig. 10' }),
  );
  const own = scenes.findIndex(({ paper }: { paper: string | null }) => paper === null);
  expect(own).toBeGreaterThan(0);
  for (const scene of scenes.slice(own)) expect(scene.paper).toBeNull();
});

describe('the schedule', () => {
  test('writes exactly rate × duration moments and the start, for rates and steps that do not fit', () => {
    for (const [h, rate] of [
      [0.01, 30],
      [0.001, 60],
      [1 / 3000, 60],
      [0.1, 10],
      [0.003, 24],
    ] as const) {
      const steps = countSteps(1, h);
      const moments = Array.from({ length: steps + 1 }, (_, n) => n).filter((n) => isMoment(n, h, rate));
      // moment k is the first step at or after k / rate
      expect(moments).toEqual(
        Array.from({ length: moments.length }, (_, k) => Math.ceil(Math.max(0, k / rate / h - 1e-6))),
      );
      expect(moments.length).toBe(1 + Math.floor(steps * h * rate + 1e-6));
    }
  });

  test('counts steps without one too many by rounding', () => {
    expect(countSteps(0.3, 0.1)).toBe(3);
    expect(countSteps(0.7, 0.1)).toBe(7);
    expect(countSteps(1e6, 1e-3)).toBe(1e9);
    expect(countSteps(0.31, 0.1)).toBe(4);
    expect(countSteps(1e-9, 1)).toBe(1);
  });
});

describe('progress', () => {
  const state = { time: 0.5, end: 1, done: 0.5, msPerStep: 0.1234, nodes: 40, maxStrain: 0.0123 };

  test('on a terminal is one line, rewritten, that fits the width', () => {
    let text = '';
    const output = { write: (part: string) => void (text += part), isTerminal: true, columns: 100 };
    const progress = createProgress(output, 0, 0);
    progress.show(1000, state);
    expect(text).toMatch(/^\r█+░+ 50 % {2}0.5 of 1 s {2}1.0 s left {2}0.123 ms\/step {2}40 nodes {2}strain 1.23 %/);
    expect(text.replace('\u001b[K', '').length).toBeLessThanOrEqual(100);
    expect(progress.isDue(1050, 0.5)).toBe(false);
    expect(progress.isDue(1101, 0.5)).toBe(true);
    progress.end();
    expect(text.endsWith('\n')).toBe(true);
  });

  test('in a pipe is a plain line at most every two seconds', () => {
    let text = '';
    const output = { write: (part: string) => void (text += part), isTerminal: false, columns: undefined };
    const progress = createProgress(output, 0, 0);
    expect([progress.isDue(1000, 0.5), progress.isDue(2000, 0.05), progress.isDue(2000, 0.1)]).toEqual([
      false,
      false,
      true,
    ]);
    progress.show(2000, state);
    expect(text).toBe('50 %  0.5 of 1 s  2.0 s left  0.123 ms/step  40 nodes  strain 1.23 %\n');
  });

  test('durations read well', () => {
    expect([900, 59_400, 61_000, 7_500_000].map(formatDuration)).toEqual(['0.9 s', '59 s', '1 min 1 s', '2 h 5 min']);
  });
});
