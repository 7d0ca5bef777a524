/** The studio without its server, behind other servers, and share links in new browsers: the states of Node everywhere. */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile, validateScene } from 'heddle/scene';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../src/cli/studio-server.ts';
import { encodeShare } from '../../studio/src/panels/share.ts';
import { createBodiesScene, createEngineScene } from './engine-scene.ts';
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

const studio = useStudio();

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
    await page.getByRole('tab', { name: 'Export' }).click();
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
