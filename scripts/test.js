// npm test: sets up what is missing, then lint and types, then tests in Node and tests in Chromium. All parts run, so that
// one run shows everything that is wrong.
import { main, runPackage, setUp, startPackage } from './setup.js';

/**
 * Pages, their workers and their pictures wait for each other and leave a part of the machine idle: the tests in Node, which
 * wait for nothing, take that, and stand back otherwise, because people at a page have less patience.
 */
const NODE_NICENESS = 5;

await main(async () => {
  const { browser, noBrowser } = await setUp();
  const env = { ...process.env, CI: process.env.CI ?? '', FORCE_COLOR: process.stdout.isTTY ? '1' : '0' };
  const passesLint = runPackage('@biomejs/biome', ['check', '--error-on-warnings', '.'], { env }) === 0;

  // what both write at once is shown one after the other
  let said = '';
  const testInBrowser = () => {
    if (browser === undefined) {
      said = `The browser tests could not run. ${noBrowser}\n`;
      return 1;
    }
    const say = (text) => {
      said += text;
    };
    const browserEnv = { ...env, CHROMIUM_PATH: browser };
    return startPackage('vitest', ['run', '--config', 'vitest.browser.config.ts'], { env: browserEnv, say });
  };
  const [node, chromium] = await Promise.all([
    startPackage('vitest', ['run', '--config', 'vitest.built.config.ts'], {
      env,
      niceness: NODE_NICENESS,
      say: (text) => process.stdout.write(text),
    }),
    testInBrowser(),
  ]);
  process.stdout.write(said);

  const passed = { lint: passesLint, 'tests in Node': node === 0, 'tests in Chromium': chromium === 0 };
  const failed = Object.keys(passed).filter((part) => !passed[part]);
  console.log(failed.length === 0 ? 'All tests passed.' : `Failed: ${failed.join(', ')}.`);
  return failed.length === 0 ? 0 : 1;
});
