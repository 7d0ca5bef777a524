// Draws docs/pictures/studio.png anew: node scripts/picture-studio.js (after npm run build)
// Serves the built studio, opens a scene in Chromium, lets it run for a while and takes a picture of the page.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const server = spawn(process.execPath, [join(root, 'bin/heddle.js'), 'studio'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const address = await new Promise((found) => {
  server.stdout.on('data', (text) => {
    const url = /http:\S+/.exec(String(text));
    if (url) found(url[0]);
  });
});
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme: 'light' });
  await page.goto(`${address}#/scene/strand-tackle`);
  await page.waitForTimeout(5000);
  await page.getByText('Tension', { exact: true }).click();
  await page.waitForTimeout(2500);
  await page.screenshot({ path: join(root, 'docs/pictures/studio.png') });
} finally {
  await browser.close();
  server.kill();
}
