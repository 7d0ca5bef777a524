/** The studio as a static site: what it costs to open it for the first time, that it asks nobody but its own server, and that it keeps the policy. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { settle } from './scene-acts.ts';
import { CALM, openPanel, openScene, until, useStudio } from './studio-site.ts';

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
    const { page, requests } = await studio.visit(CALM);
    await page.goto(studio.address);
    await until(page, () => document.querySelector('heddle-app')?.shadowRoot?.querySelector('heddle-gallery'));
    await page.evaluate(settle);
    const gallery = weigh(requests);
    await openScene(page, `${studio.address}#/scene/strand-corner`);
    await page.keyboard.press('.');
    await until(page, () => findScene().player.step === 1 && findScene().ready.has('view'));
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
    const { page, requests, complaints } = await studio.visit(CALM);
    await openScene(page, `${studio.address}#/scene/strand-ring`);
    for (const panel of ['Change', 'Measure', 'Scene', 'Compare', 'Export', 'View']) await openPanel(page, panel);
    await page.goto(`${studio.address}#/tour`);
    await page.getByRole('heading', { name: 'The idea in six images' }).waitFor();
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
    const { page, complaints } = await studio.visit(CALM);
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
    const { page } = await studio.visit(CALM);
    await page.goto(studio.address);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  });
});
