/**
 * The studio as a static site: what it costs to open it for the first time, that it asks nobody but its own server, keeps
 * the policy, needs no certain folder, and gives the same states in a new browser as Node does.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { compile, validateScene } from 'heddle/scene';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../src/cli/studio-server.ts';
import { encodeShare } from '../../studio/src/panels/share.ts';
import { createBodiesScene, createEngineScene } from './engine-scene.ts';
import { settle } from './scene-acts.ts';
import {
  CALM,
  openBrowser,
  openPanel,
  openScene,
  runFromStart,
  startStudio,
  startVisit,
  until,
  useStudio,
} from './studio-site.ts';

const APP = fileURLToPath(new URL('../../studio/dist/app/', import.meta.url));
const DOCS = readFileSync(new URL('../../docs/guide/studio.md', import.meta.url), 'utf8');
const studio = useStudio();

describe('the first visit', () => {
  test('The first visit downloads as little as the docs say', async () => {
    /** Kilobytes (gzip) of what the page asked for, pictures left out: they come when they are seen. */
    const weigh = (requests: readonly string[]) => {
      const files = [...new Set(requests)]
        .map((address) => new URL(address).pathname.slice(1) || 'index.html')
        .filter((path) => !/\.(png|svg)$/.test(path) && !path.startsWith('blob:'));
      expect(files.length).toBeGreaterThan(2);
      return files.reduce((sum, path) => sum + gzipSync(readFileSync(join(APP, path))).length, 0) / 1000;
    };
    const { page, requests } = await studio.visit();
    await page.goto(studio.address);
    await until(page, () => document.querySelector('heddle-app')?.shadowRoot?.querySelector('heddle-gallery'));
    await page.evaluate(settle);
    const gallery = weigh(requests);
    await page.goto(`${studio.address}#/scene/strand-corner`);
    await until(page, () => findScene()?.player.step > 0 && findScene().ready.has('view'));
    const scene = weigh(requests) - gallery;
    const [, first, more] = /First download (\d+) kB \(gzip\), a scene (\d+) kB more/.exec(DOCS) ?? [];
    console.log(`gallery ${gallery.toFixed(1)} kB, scene ${scene.toFixed(1)} kB more`);
    expect(gallery).toBeLessThan(Number(first) * 1.05);
    expect(gallery).toBeGreaterThan(Number(first) * 0.8);
    expect(scene).toBeLessThan(Number(more) * 1.05);
    expect(scene).toBeGreaterThan(Number(more) * 0.8);
  });
});

describe('alone', () => {
  test('No page asks another server, writes to the console or breaks the content security policy', async () => {
    const { page, requests, complaints } = await studio.visit();
    await openScene(page, `${studio.address}#/scene/strand-ring`);
    for (const panel of ['Change', 'Measure', 'Scene', 'Compare', 'Take away', 'View']) await openPanel(page, panel);
    await page.goto(`${studio.address}#/tour`);
    await page.getByRole('heading', { name: 'The idea in six pictures' }).waitFor();
    await page.goto(`${studio.address}#/`);
    await page.getByRole('searchbox').waitFor();
    await page.evaluate(settle);
    const { origin } = new URL(studio.address);
    const abroad = requests.filter((address) => new URL(address.replace(/^blob:/, '')).origin !== origin);
    expect(requests.length).toBeGreaterThan(15);
    expect(abroad).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('A broken content security policy is noticed by these tests', async () => {
    const { page, complaints } = await studio.visit();
    await page.goto(studio.address);
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'globalThis.broken = true';
      document.body.append(script);
    });
    expect(await page.evaluate(() => 'broken' in globalThis)).toBe(false);
    expect(complaints.join()).toContain('Content Security Policy');
  });

  test('Pages are cross-origin isolated, so that memory can be shared with workers', async () => {
    const { page } = await studio.visit();
    await page.goto(studio.address);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  });

  test('An open scene continues without the server, and a panel that was not loaded says so', async () => {
    const own = await startStudio();
    onTestFinished(() => own.stop());
    const { page } = await studio.visit();
    await openScene(page, `${own.address}#/scene/strand-clothesline`);
    await openPanel(page, 'Scene');
    await own.stop();
    expect(await runFromStart(page, 50)).toBe(computeHash(readScene('strand-clothesline'), 50));
    await page.evaluate(() => findScene().run.play());
    await until(page, () => findScene().player.step > 70);
    await page.getByRole('tab', { name: 'Compare', exact: true }).click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(/could not be loaded/);
    await page.getByRole('tab', { name: 'Scene', exact: true }).click();
    await page.getByRole('textbox', { name: 'Scene as JSON' }).waitFor();
  });
});

describe('on another server', () => {
  test.each(['/', '/some/folder/of-mine/'])(
    'The studio works from %s of a plain file server without any headers',
    async (base) => {
      const { server, address } = await serveFiles(base);
      onTestFinished(() => void server.close());
      onTestFinished(() => server.closeAllConnections());
      const { page, complaints } = await studio.visit();
      await page.goto(address);
      const card = page.locator('a.card[href="#/scene/strand-ring"] img');
      await card.scrollIntoViewIfNeeded();
      await card.evaluate((picture: HTMLImageElement) => picture.decode());
      await page.locator('a.card[href="#/scene/strand-ring"]').click();
      await until(page, () => findScene()?.player.step > 5);
      expect(await runFromStart(page, 20)).toBe(computeHash(readScene('strand-ring'), 20));
      await page.getByRole('link', { name: 'The idea', exact: true }).click();
      await page
        .locator('heddle-tour img')
        .first()
        .evaluate((picture: HTMLImageElement) => picture.decode());
      expect(complaints).toEqual([]);
    },
  );

  /** A server that knows nothing but files and their types. */
  async function serveFiles(base: string): Promise<{ server: Server; address: string }> {
    const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' };
    const names = new Set(readdirSync(APP, { recursive: true }).map((name) => String(name).replaceAll('\\', '/')));
    const server = createServer((request, response) => {
      const path = (request.url ?? '').replace(/[?#].*/s, '');
      const name = path === base ? 'index.html' : path.slice(base.length);
      if (!path.startsWith(base) || !names.has(name) || extname(name) === '') {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, { 'Content-Type': types[extname(name)] ?? 'application/octet-stream' });
      response.end(readFileSync(join(APP, name)));
    });
    const port = await listen(server, '127.0.0.1', 0);
    return { server, address: `http://127.0.0.1:${port}${base}` };
  }
});

const readScene = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../scenes/${name}.json`, import.meta.url), 'utf8'));

function computeHash(scene: unknown, steps: number): string {
  const folder = new URL('../../scenes/', import.meta.url);
  const world = compile(validateScene(scene), { readFile: (name: string) => readFileSync(new URL(name, folder)) });
  for (let i = 0; i < steps; i++) world.step();
  return world.hash();
}

describe('a share link in a new browser', () => {
  test.each([
    ['a strand with bending', createEngineScene(true)],
    ['bodies, contact and wind', createBodiesScene()],
    ['a scene of the gallery', readScene('strand-tackle')],
  ])('A share link to %s gives the state of Node after 50 steps in a new browser', async (_, scene) => {
    const fresh = await openBrowser(onTestFinished);
    const { page, complaints } = await startVisit(fresh, CALM);
    await openScene(page, `${studio.address}#/share/${await encodeShare(JSON.stringify(scene))}`);
    expect(await runFromStart(page, 50)).toBe(computeHash(scene, 50));
    expect(complaints).toEqual([]);
  });

  test('A share link made by a click opens the scene in a new browser', async () => {
    const { page, context } = await studio.visit();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await openScene(page, `${studio.address}#/scene/strand-pendulum`);
    await page.getByRole('tab', { name: 'Take away' }).click();
    await page.getByRole('button', { name: /^Link/ }).click();
    const link = page.getByRole('textbox', { name: 'Link to this scene' });
    await link.waitFor();
    const address = await link.inputValue();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
    const fresh = await openBrowser(onTestFinished);
    const other = await startVisit(fresh, CALM);
    await openScene(other.page, address);
    expect(await runFromStart(other.page, 50)).toBe(computeHash(readScene('strand-pendulum'), 50));
  });
});
