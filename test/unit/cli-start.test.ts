/** What the command loads before it does anything. How long that takes, `heddle bench cli` measures and no test asks. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/program.ts';
import { makeWorkplace } from './cli-fixtures.ts';

const root = new URL('../..', import.meta.url);
const encode = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;

/** A loader that names every module on the fourth stream of the process. */
const LOADER = encode(
  `import { writeSync } from 'node:fs';
   export const load = (url, context, next) => (writeSync(3, url + '\\n'), next(url, context));`,
);
const HOOK = encode(`import { register } from 'node:module'; register(${JSON.stringify(LOADER)});`);

/** Files that the built command loads, relative to the repository; npm test builds it first. */
function listLoaded(...argv: string[]): string[] {
  const { status, output } = spawnSync(
    process.execPath,
    ['--import', HOOK, fileURLToPath(new URL('bin/heddle.js', root)), ...argv],
    { stdio: ['ignore', 'pipe', 'pipe', 'pipe'], encoding: 'utf8' },
  );
  expect([status, output[2]]).toEqual([0, '']);
  const urls = String(output[3]).trim().split('\n');
  return urls.filter((url) => url.startsWith(root.href)).map((url) => url.slice(root.href.length));
}

describe('the start of the command', () => {
  test.each([[['--version']], [['--help']], [['list']], [['studio', '--help']]])(
    'heddle %j loads no module of the engine',
    (argv) => {
      const loaded = listLoaded(...argv);
      expect(loaded).toContain('dist/cli/program.js');
      const own = /^(bin|dist\/cli|node_modules\/commander)\/|^dist\/model\/errors\.js$/;
      expect(loaded.filter((file) => !own.test(file))).toEqual([]);
    },
  );

  test('the list of loaded modules has the engine where a command needs it', () => {
    expect(listLoaded('check', 'strand-corner')).toEqual(
      expect.arrayContaining(['dist/scene/compile.js', 'dist/world/world.js', 'dist/cli/check.js']),
    );
  });
});

describe('a command whose code is loaded when it is called', () => {
  test.each(COMMANDS)('$name takes the arguments that heddle --help shows for it', async (command) => {
    const place = makeWorkplace();
    const { stdout } = await place.run(command.name, '--help');
    const words = ['Usage: heddle', command.name, '[options]', command.arguments];
    expect(stdout.split('\n')[0]).toBe(words.filter((word) => word !== undefined).join(' '));
    expect(stdout).toContain('--debug');
    expect((await place.run('help', command.name)).stdout).toBe(stdout);
    expect((await place.run('--help')).stdout).toContain(`  ${words.slice(1).join(' ').trim()}  `);
  });
});
