/**
 * The built studio behind two servers: that of `heddle studio`, which isolates its pages from other origins, and a plain one
 * without any of its headers. Both simulate to the same bits; where clocks are rounded, the studio says so.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile, parseScene, setPointer } from 'heddle/scene';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../src/cli/chromium.ts';
import { createStudioServer, listen } from '../../src/cli/studio-server.ts';
import type { HeddleScenePage } from '../../studio/src/app/scene-page.ts';
import { HANG_LIMIT } from './hang-limit.ts';
import { CALM, until } from './studio-site.ts';

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

/** Crossings each way of a weave that is worth a second thread, and steps of it. */
const SIDE = 64;
const WEAVE_STEPS = 1;

/** State of that weave in Node. */
function hashWeave(): string {
  const text = readFileSync(new URL('../../scenes/fabric-hang.json', import.meta.url), 'utf8');
  const scene = parseScene(text, {
    change: (raw) => {
      for (const way of ['wefts', 'warps']) setPointer(raw, `/objects/0/layers/0/pattern/${way}`, SIDE);
    },
  });
  const world = compile(scene);
  for (let n = 0; n < WEAVE_STEPS; n++) world.step();
  return world.hash();
}

interface Seen {
  readonly isolated: boolean;
  readonly hash: string;
  readonly measures: string;
  /** State of a weave of SIDE × SIDE crossings after a few steps. */
  readonly weave: string;
  /** Workers while that was simulated. */
  readonly workers: number;
  readonly complaints: string[];
}

/** Opens a scene, simulates some steps and looks at the measures; then a weave. */
async function visit(server: Server): Promise<Seen> {
  const port = await listen(server, '127.0.0.1', 0);
  const page = await browser.newPage(CALM);
  page.setDefaultTimeout(0.9 * HANG_LIMIT);
  await page.addInitScript(() => {
    globalThis.findScene = () => document.querySelector('heddle-app')!.shadowRoot!.querySelector('heddle-scene')!;
  });
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  try {
    await page.goto(`http://127.0.0.1:${port}/#/scene/strand-catenary`);
    await page.locator('heddle-scene heddle-viewport canvas').first().waitFor();
    const hash = await page.locator('heddle-scene').evaluate(async (element, steps) => {
      const { run } = element as unknown as HeddleScenePage;
      run.reset();
      await run.runTo(steps);
      return run.hash ?? '';
    }, STEPS);
    await page.locator('#tab-plots').click();
    await page.locator('heddle-plots').waitFor();
    const measures = (await page.locator('#panel').textContent()) ?? '';
    // another page: its workers are counted
    await page.goto('about:blank');
    await page.goto(`http://127.0.0.1:${port}/#/scene/fabric-hang`);
    await until(
      page,
      () => document.querySelector('heddle-app')?.shadowRoot && findScene()?.player.shown?.scene.name === 'fabric-hang',
    );
    const weave = await page.locator('heddle-scene').evaluate(
      async (element, [side, steps]) => {
        const scene = element as unknown as HeddleScenePage;
        for (const way of ['wefts', 'warps']) await scene.override(`/objects/0/layers/0/pattern/${way}`, side);
        await scene.run.runTo(steps);
        return scene.run.hash ?? '';
      },
      [SIDE, WEAVE_STEPS],
    );
    const isolated = await page.evaluate(() => crossOriginIsolated);
    // the browser tells of workers a little later
    while (isolated && page.workers().length < 2) await page.waitForEvent('worker');
    const workers = page.workers().length;
    return {
      isolated,
      hash,
      measures,
      weave,
      workers,
      complaints,
    };
  } finally {
    await page.close();
    server.close();
    server.closeAllConnections();
  }
}

test('Without cross-origin isolation the studio gives the same bits and says that its clock is rounded', async () => {
  const isolated = await visit(createStudioServer(APP));
  const plain = await visit(createPlainServer());
  expect([isolated.isolated, plain.isolated]).toEqual([true, false]);
  expect(isolated.measures).not.toContain('rounded');
  expect(plain.measures).toContain('Times are rounded to 0.1 ms or more');
  expect(isolated.hash).toMatch(/^[0-9a-f]{16}$/);
  expect(plain.hash).toBe(isolated.hash);
  // the second thread of the isolated one is a worker of its own, and changes no bit
  expect([isolated.workers, plain.workers]).toEqual([2, 1]);
  expect([isolated.weave, plain.weave]).toEqual([hashWeave(), hashWeave()]);
  expect([...isolated.complaints, ...plain.complaints]).toEqual([]);
});
