/** Limits that users set: in the library, for the command and in the environment. Each acts, below and above what it is by default. */
import { readFileSync } from 'node:fs';
import { compile, parseScene, SceneError, type SceneInput, StepError, validateScene } from 'heddle';
import { createLimits, LIMIT_NAMES, LIMIT_TABLE, type Limits, parseLimits } from 'heddle/model';
import { readSceneJson } from 'heddle/scene';
import { describe, expect, test } from 'vitest';
import type { RunnableWorld } from '../../src/cli/context.ts';
import { makeWorkplace } from './cli-fixtures.ts';

const rope = (nodes: number, id = 'rope'): SceneInput['objects'][number] => ({
  type: 'strand',
  id,
  material: 'hemp-rope-8mm',
  points: [
    [0, 0, 0],
    [1, 0.1, 0.2],
  ],
  nodes,
});

const scene = (objects: SceneInput['objects'], more: object = {}): SceneInput => ({
  heddle: 1,
  name: 'rope',
  title: 'A rope',
  objects,
  time: { step: 0.002, duration: 0.2 },
  ...more,
});

const sand = (): SceneInput['objects'][number] => ({
  type: 'mpm',
  id: 'grid',
  spacing: 0.1,
  parts: [
    {
      id: 'sand',
      pattern: { type: 'fill', shape: { type: 'box', size: [0.3, 0.3, 0.3] }, particlesPerCell: 8 },
      material: { type: 'sand', density: 1600, youngsModulus: 1e6, frictionAngle: 30 },
    },
  ],
});

/** What an action throws. */
function failure(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

describe('limits', () => {
  test('are those of the table unless they are given', () => {
    expect(createLimits()).toEqual(Object.fromEntries(LIMIT_NAMES.map((name) => [name, LIMIT_TABLE[name].default])));
    expect(createLimits({ nodes: 7 })).toEqual({ ...createLimits(), nodes: 7 });
    expect(parseLimits(' nodes=5_000, depth = 20,seconds=1.5,steps=1e6,')).toEqual({
      nodes: 5000,
      depth: 20,
      seconds: 1.5,
      steps: 1e6,
    });
    for (const { default: value, least, most } of Object.values(LIMIT_TABLE)) {
      expect(value).toBeGreaterThanOrEqual(least);
      expect(value).toBeLessThanOrEqual(most);
    }
  });

  test.each([
    ['node=5', /^"node" is an unknown limit\. Did you mean "nodes"\?/],
    ['constructor=5', /^"constructor" is an unknown limit\./],
    ['nodes', /^The limit "nodes" is invalid; write name=value, such as nodes=50000\.$/],
    ['nodes=-5', /^The limit "nodes=-5" is invalid;/],
    [
      'nodes=1.5',
      /^The limit nodes \(nodes and vertices of a scene in total\) is 1\.5; it must be a whole number from 1 to 20000000\.$/,
    ],
    [
      'depth=1001',
      /^The limit depth \(nesting depth of its JSON\) is 1001; it must be a whole number from 16 to 1000\.$/,
    ],
    ['seconds=0', /^The limit seconds .* is 0; it must be a number from 0\.001 to 1000000000\.$/],
  ])('%s is refused in a sentence', (text, sentence) => {
    expect(failure(() => parseLimits(text))).toMatchObject({
      name: 'HeddleError',
      message: expect.stringMatching(sentence),
    });
  });

  test('of the library are checked as those of the command', () => {
    for (const limits of [{ depth: 5 }, { nodes: Number.NaN }, { other: 3 } as Partial<Limits>]) {
      const checked = [
        () => validateScene(scene([rope(5)]), { limits }),
        () => readSceneJson('{}', { limits }),
        () => compile(validateScene(scene([rope(5)])), { limits }),
      ];
      for (const action of checked) expect(failure(action).name).toBe('HeddleError');
    }
  });
});

describe('of a scene', () => {
  const text = JSON.stringify(scene([rope(12)]));
  const deep = `${'['.repeat(40)}${']'.repeat(40)}`;

  test.each<[string, () => unknown, Partial<Limits>, RegExp]>([
    ['text', () => text.padEnd(2000), { text: 1999 }, /has 2000 characters of text; at most 1999 are allowed\./],
    ['depth', () => text.replace('"A rope"', deep), { depth: 20 }, /the nesting is deeper than 20 levels/],
    ['values', () => text.replace('"A rope"', `[${'0,'.repeat(100)}0]`), { values: 100 }, /more than 100 values/],
    [
      'faults',
      () => text.replace('"A rope"', '5').replace('"rope"', '7'),
      { faults: 1 },
      /has \d+ more errors like these/,
    ],
    ['nodes', () => text, { nodes: 11 }, /have 12 nodes in total; at most 11 are allowed\. .* raise the limit nodes\./],
    ['steps', () => text, { steps: 99 }, /gives 100 steps for the duration; at most 99 are allowed\./],
    [
      'particles',
      () => JSON.stringify(scene([sand()])),
      { particles: 100 },
      /have 216 particles in total; at most 100 are allowed\./,
    ],
  ])('%s can be lowered', (name, make, limits, sentence) => {
    const given = String(make());
    const error = failure(() => parseScene(given, { limits }));
    expect(error).toBeInstanceOf(SceneError);
    expect(error.message).toMatch(sentence);
    // it is this limit, and no other
    const one = limits[name as keyof Limits]!;
    const wider = { [name]: Math.max(1000, 3 * one) };
    try {
      parseScene(given, { limits: wider });
    } catch (other) {
      expect((other as Error).message).not.toMatch(sentence);
    }
  });

  test('can be raised', () => {
    const large = scene([rope(1_500_000, 'a'), rope(1_500_000, 'b')]);
    expect(failure(() => validateScene(large)).message).toMatch(/have 3000000 nodes in total; at most 2000000/);
    expect(validateScene(large, { limits: { nodes: 3_000_000 } }).objects).toHaveLength(2);
    const cells = { type: 'rectangle', width: 1, height: 1, columns: 1999, rows: 1999 } as const;
    const cloth = scene([{ type: 'sheet', id: 'cloth', material: 'leather', shape: cells }]);
    expect(failure(() => validateScene(cloth)).message).toMatch(/has more than 2000000 vertices/);
    expect(validateScene(cloth, { limits: { nodes: 4_100_000 } }).objects).toHaveLength(1);
    const deeper = `${'['.repeat(90)}${']'.repeat(90)}`;
    expect(failure(() => readSceneJson(deeper)).message).toMatch(/deeper than 64 levels/);
    expect(readSceneJson(deeper, { limits: { depth: 100 } })).toHaveLength(1);
  });

  test('fileBytes is compared with what is read', () => {
    const body = { id: 'solid', shape: { type: 'mesh', file: 'cube.obj' } } as const;
    const checked = validateScene(scene([rope(5)], { bodies: [body] }));
    const readFile = () => new Uint8Array(200);
    expect(failure(() => compile(checked, { readFile, limits: { fileBytes: 199 } })).message).toMatch(
      /cube\.obj has 200 bytes; at most 199 are allowed\. .* raise the limit fileBytes\./,
    );
    expect(failure(() => compile(checked, { readFile, limits: { fileBytes: 200 } })).message).not.toMatch(/200 bytes/);
  });
});

describe('of a step', () => {
  const fail = (given: SceneInput, limits: Partial<Limits>): StepError => {
    const world = compile(validateScene(given), { limits });
    const error = failure(() => {
      for (let n = 0; n < 100; n++) world.step();
    });
    expect(error).toBeInstanceOf(StepError);
    return error as StepError;
  };
  /** Two iterations are never enough for this tolerance. */
  const stubborn = scene([rope(12)], {
    drivers: [{ type: 'pin', on: { object: 'rope', at: 'start' } }],
    solver: { newtonIterations: 2, tolerance: 1e-300 },
  });

  test('halvings says how short it may become', () => {
    for (const halvings of [0, 3])
      expect(fail(stubborn, { halvings }).message).toContain(
        `even with a step of ${(0.002 / 2 ** halvings).toPrecision(3)} s`,
      );
  });

  test('substeps says how many it may take', () => {
    expect(fail(stubborn, { substeps: 2 }).message).toContain('it needs more than 2 sub-steps');
  });

  test('gridSubsteps says how many a continuum may take in it', () => {
    const grains = scene([sand()], { time: { step: 0.02, duration: 0.2 } });
    expect(fail(grains, { gridSubsteps: 2, halvings: 0 }).message).toContain(
      'it needs more than 2 substeps of the grid',
    );
    const world = compile(validateScene(grains), { limits: { halvings: 0 } });
    world.step();
  });
});

describe('of the command', () => {
  const real = {
    compile: (...args: Parameters<typeof compile>): RunnableWorld => compile(...args) as unknown as RunnableWorld,
  };

  test.each([
    ['check', []],
    ['run', ['--out', 'new']],
  ])('heddle %s takes them as options and from the environment', async (command, more) => {
    const place = makeWorkplace();
    place.write('rope.json', scene([rope(12)], { time: { step: 0.002, duration: 0.004 } }));
    const run = (limits: string | undefined, ...argv: string[]) =>
      place.runWith({ ...real, limits }, command, 'rope.json', ...more, ...argv);
    const refused = await run(undefined, '--limit', 'nodes=11');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/have 12 nodes in total; at most 11 are allowed/);
    expect((await run('nodes=11')).stderr).toMatch(/have 12 nodes in total; at most 11 are allowed/);
    // what is given with the command goes first
    expect(await run('nodes=11', '--limit', 'nodes=12,depth=20')).toMatchObject({ code: 0, stderr: '' });
    expect(await run(undefined, '--limit', 'nodes=x')).toMatchObject({
      code: 2,
      stderr: 'HeddleError: The limit "nodes=x" is invalid; write name=value, such as nodes=50000.\n',
    });
    expect((await run('nodes=x')).stderr).toMatch(/^HeddleError: HEDDLE_LIMITS: The limit "nodes=x"/);
  });

  test('seconds ends heddle run with what to type, and it resumes to the same numbers', async () => {
    const place = makeWorkplace();
    place.write('rope.json', scene([rope(12)]));
    const run = (...argv: string[]) => place.runWith(real, 'run', 'rope.json', '--json', ...argv);
    const whole = JSON.parse((await run('--out', 'whole')).stdout);
    let clock = 0;
    // every look at the clock takes 10 ms
    const slow = { ...real, now: () => (clock += 10) };
    const stopped = await place.runWith(slow, 'run', 'rope.json', '--out', 'part', '--limit', 'seconds=1');
    expect(stopped.code).toBe(2);
    expect(stopped.stderr).toMatch(
      /^Stopped by the limit of 1 s at \S+ s after \d+ steps; part is complete up to there\. Continue with:\n {2}heddle run rope\.json --out part --limit seconds=1 --resume\n$/,
    );
    const resumed = JSON.parse((await run('--out', 'part', '--resume')).stdout);
    expect(resumed.hash).toBe(whole.hash);
  });
});

test('docs/internals/hostile-input.md has all of them', () => {
  const docs = readFileSync(new URL('../../docs/internals/hostile-input.md', import.meta.url), 'utf8');
  const rows = [...docs.matchAll(/^\| `(\w+)` +\| (.+?) +\| (\S+) +\| (\S+) to (\S+) +\|$/gm)];
  const number = (text: string): number => Number(text.replaceAll(',', ''));
  expect(
    rows.map(([, name, what, value, least, most]) => [name, what, number(value), number(least), number(most)]),
  ).toEqual(
    LIMIT_NAMES.map((name) => {
      const { what, default: value, least, most } = LIMIT_TABLE[name];
      return [name, what, name === 'seconds' ? Number.NaN : value, least, most];
    }),
  );
});
