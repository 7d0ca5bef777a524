/**
 * The built studio behind two servers: that of `heddle studio`, which isolates its pages from other origins, and a plain one
 * without any of its headers. Both simulate to the same bits; where clocks are rounded, the studio says so.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../src/cli/chromium.ts';
import { createStudioServer, listen } from '../../src/cli/studio-server.ts';
import type { HeddleScenePage } from '../../studio/src/app/scene-page.ts';

const APP = fileURLToPath(new URL('../../studio/dist/app/', import.meta.url));
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
const STEPS = 30;

/** Any static server: the files with their types, and no other header. */
const createPlainServer = (): Server =>
  createServer(({ url = '/' }, response) => {
    try {
      const path = join(APP, url === '/' ? 'index.html' : new URL(url, 'http://a').pathname);
      response.writeHead(200, { 'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream' });
      response.end(readFileSync(path));
    } catch {
      response.writeHead(404).end();
    }
  });

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser?.close());

/** Opens a scene, simulates some steps and looks at the measures. */
async function visit(
  server: Server,
): Promise<{ isolated: boolean; hash: string; measures: string; complaints: string[] }> {
  const port = await listen(server, '127.0.0.1', 0);
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  try {
    await page.goto(`http://127.0.0.1:${port}/#/scene/strand-catenary`);
    await page.locator('heddle-scene heddle-viewport canvas').first().waitFor({ timeout: 60_000 });
    const hash = await page.locator('heddle-scene').evaluate(async (element, steps) => {
      const { run } = element as unknown as HeddleScenePage;
      run.reset();
      await run.runTo(steps);
      return run.hash ?? '';
    }, STEPS);
    await page.locator('#tab-plots').click();
    await page.locator('heddle-plots').waitFor({ timeout: 60_000 });
    const measures = (await page.locator('#panel').textContent()) ?? '';
    return { isolated: await page.evaluate(() => crossOriginIsolated), hash, measures, complaints };
  } finally {
    await page.close();
    server.close();
    server.closeAllConnections();
  }
}

test('without isolation from other origins the studio works all the same, and says that its clock is rounded', async () => {
  const isolated = await visit(createStudioServer(APP));
  const plain = await visit(createPlainServer());
  expect([isolated.isolated, plain.isolated]).toEqual([true, false]);
  expect(isolated.measures).not.toContain('rounded');
  expect(plain.measures).toContain('Milliseconds are rounded here');
  expect(isolated.hash).toMatch(/^[0-9a-f]{16}$/);
  expect(plain.hash).toBe(isolated.hash);
  expect([...isolated.complaints, ...plain.complaints]).toEqual([]);
});
