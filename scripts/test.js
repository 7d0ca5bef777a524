// npm test: sets up what is missing, then lint and types, tests in Node and tests in Chromium, all at once. All parts run, so that
// one run shows everything that is wrong. Long tests run only with --all (npm run test:all), which also builds the docs site.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main, root, SetupError, setUpEngine, setUpPages, startPackage, startProgram } from './setup.js';
import { printSummary, readResults } from './test-results.js';
import { SHORT_TIER } from './test-tiers.js';

const runsAll = process.argv.includes('--all');

await main(async () => {
  setUpEngine();
  const env = { ...process.env, CI: process.env.CI ?? '', FORCE_COLOR: process.stdout.isTTY ? '1' : '0' };
  const results = mkdtempSync(join(tmpdir(), 'heddle-test-'));
  const resultFiles = { Node: join(results, 'node.json'), Chromium: join(results, 'chromium.json') };
  const vitest = (config, resultFile) => [
    'run',
    ...['--config', config],
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${resultFile}`],
    ...(runsAll ? [] : SHORT_TIER),
  ];

  /** What vitest printed about the tests that failed, from its first heading of that kind on. */
  const failuresIn = (said) => {
    const start = said.search(/^.*(Failed Suites|Failed Tests|Unhandled Errors?) \d*/m);
    return start < 0 ? '' : said.slice(start);
  };

  /** A part whose output is shown after that of the others, because all parts write at once. */
  const startApart = async (start) => {
    let said = '';
    const code = await start((text) => {
      said += text;
    });
    return { passes: code === 0, said };
  };
  const testInBrowser = async () => {
    try {
      const { browser, noBrowser } = await setUpPages();
      if (browser === undefined) return { passes: false, said: `The browser tests could not run. ${noBrowser}\n` };
      const args = vitest('vitest.browser.config.ts', resultFiles.Chromium);
      return await startApart((say) => startPackage('vitest', args, { env: { ...env, CHROMIUM_PATH: browser }, say }));
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      return { passes: false, said: `The browser tests could not run. ${error.message}\n` };
    }
  };

  let saidInNode = '';
  const [node, lint, chromium, docs] = await Promise.all([
    startPackage('vitest', vitest('vitest.built.config.ts', resultFiles.Node), {
      env,
      say: (text) => {
        saidInNode += text;
        process.stdout.write(text);
      },
    }),
    startApart((say) => startPackage('@biomejs/biome', ['check', '--error-on-warnings', '.'], { env, say })),
    testInBrowser(),
    runsAll && startApart((say) => startProgram(process.execPath, [join(root, 'scripts/build-docs.js')], { env, say })),
  ]);
  process.stdout.write(chromium.said);
  process.stdout.write(lint.said);
  if (docs && !docs.passes) process.stdout.write(docs.said);

  // Once more where people look first: the failures in Node stand far above the output of the browser tests.
  if (node !== 0) process.stdout.write(failuresIn(saidInNode));

  const passed = { lint: lint.passes, 'tests in Node': node === 0, 'tests in Chromium': chromium.passes };
  if (docs) passed['docs site'] = docs.passes;
  const failed = Object.keys(passed).filter((part) => !passed[part]);
  printSummary(Object.values(resultFiles).flatMap(readResults));
  rmSync(results, { recursive: true, force: true });
  console.log(failed.length === 0 ? 'All tests passed.' : `Failed: ${failed.join(', ')}.`);
  return failed.length === 0 ? 0 : 1;
});
