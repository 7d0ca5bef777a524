// npm test: sets up what is missing, then lint and types, tests in Node and tests in Chromium, all at once. All parts run, so that
// one run shows everything that is wrong.
import { main, SetupError, setUpEngine, setUpPages, startPackage } from './setup.js';

/**
 * Pages, their workers and their pictures wait for each other and leave a part of the machine idle: the tests in Node, which
 * wait for nothing, take that, and stand back otherwise, because people at a page have less patience.
 */
const NODE_NICENESS = 5;

await main(async () => {
  setUpEngine();
  const env = { ...process.env, CI: process.env.CI ?? '', FORCE_COLOR: process.stdout.isTTY ? '1' : '0' };

  /** What vitest said of the tests that failed, from its first heading of that kind on. */
  const failuresIn = (said) => {
    const start = said.search(/^.*(Failed Suites|Failed Tests|Unhandled Errors?) \d*/m);
    return start < 0 ? '' : said.slice(start);
  };

  /** A part whose words are shown after those of the others: what all write at once is shown one after the other. */
  const startApart = (name, args, options) => {
    let said = '';
    const say = (text) => {
      said += text;
    };
    return startPackage(name, args, { ...options, say }).then((code) => ({ passes: code === 0, said }));
  };
  const testInBrowser = async () => {
    try {
      const { browser, noBrowser } = await setUpPages();
      if (browser === undefined) return { passes: false, said: `The browser tests could not run. ${noBrowser}\n` };
      const args = ['run', '--config', 'vitest.browser.config.ts'];
      return await startApart('vitest', args, { env: { ...env, CHROMIUM_PATH: browser } });
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      return { passes: false, said: `The browser tests could not run. ${error.message}\n` };
    }
  };

  let saidInNode = '';
  const [node, lint, chromium] = await Promise.all([
    startPackage('vitest', ['run', '--config', 'vitest.built.config.ts'], {
      env,
      niceness: NODE_NICENESS,
      say: (text) => {
        saidInNode += text;
        process.stdout.write(text);
      },
    }),
    startApart('@biomejs/biome', ['check', '--error-on-warnings', '.'], { env }),
    testInBrowser(),
  ]);
  process.stdout.write(chromium.said);
  process.stdout.write(lint.said);

  // Once more where people look first: what failed in Node stands far above what the browser's tests printed.
  if (node !== 0) process.stdout.write(failuresIn(saidInNode));

  const passed = { lint: lint.passes, 'tests in Node': node === 0, 'tests in Chromium': chromium.passes };
  const failed = Object.keys(passed).filter((part) => !passed[part]);
  console.log(failed.length === 0 ? 'All tests passed.' : `Failed: ${failed.join(', ')}.`);
  return failed.length === 0 ? 0 : 1;
});
