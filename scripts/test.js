// npm test: sets up what is missing, then lint, types, tests in Node and tests in Chromium. All parts run, so that one
// run shows everything that is wrong.
import { main, runPackage, setUp } from './setup.js';

await main(async () => {
  const { browser, noBrowser } = await setUp();
  const env = { ...process.env, CI: process.env.CI ?? '', FORCE_COLOR: process.stdout.isTTY ? '1' : '0' };
  const testInBrowser = () => {
    if (browser === undefined) {
      console.error(`The browser tests could not run. ${noBrowser}`);
      return 1;
    }
    const browserEnv = { ...env, CHROMIUM_PATH: browser };
    return runPackage('vitest', ['run', '--config', 'vitest.browser.config.ts'], { env: browserEnv });
  };
  const parts = [
    ['lint', () => runPackage('@biomejs/biome', ['check', '--error-on-warnings', '.'], { env })],
    ['tests in Node', () => runPackage('vitest', ['run'], { env })],
    ['tests in Chromium', testInBrowser],
  ];
  const failed = parts.filter(([, part]) => part() !== 0).map(([name]) => name);
  console.log(failed.length === 0 ? 'All tests passed.' : `Failed: ${failed.join(', ')}.`);
  return failed.length === 0 ? 0 : 1;
});
