/** What is on the screen: the strand is drawn where its nodes are, and the rest of the picture is not full of it. */
import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openScene, runFromStart, until, untilIn, useStudio } from './studio-site.ts';

const studio = useStudio();

interface Look {
  /** Nodes of the first strand, and how many of them have the colours of a strand under them. */
  readonly nodes: number;
  readonly hit: number;
  /** The same for places a tenth of the picture beside them. */
  readonly beside: number;
  /** Part of the picture that has such colours. */
  readonly filled: number;
}

/** Compares a picture of the screen with where the view says that the nodes are. */
const look = (page: Page, png: string): Promise<Look> =>
  page.evaluate(async (png) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
    canvas.drawImage(image, 0, 0);
    const { width, height } = image;
    const { data } = canvas.getImageData(0, 0, width, height);
    // the background is bright and grey; strands are violet and black, their nodes red and blue
    const isDrawn = (x: number, y: number) => {
      const i = 4 * (Math.round(y) * width + Math.round(x));
      const [low, high] = [Math.min(data[i], data[i + 1], data[i + 2]), Math.max(data[i], data[i + 1], data[i + 2])];
      return high - low > 60 || high < 90;
    };
    // a thin strand covers its pixels only in part
    const isNear = (x: number, y: number) => [-1, 0, 1].some((i) => [-1, 0, 1].some((j) => isDrawn(x + i, y + j)));
    const { viewport, player } = findScene();
    const { x } = player.frame!.objects[0];
    let [nodes, hit, beside, filled] = [0, 0, 0, 0];
    for (let i = 0; i < x.length; i += 3) {
      const spot = viewport!.locate([x[i], x[i + 1], x[i + 2]])!;
      if (spot.x < 2 || spot.y < 2 || spot.x > width - 3 || spot.y > height - 3) continue;
      nodes++;
      if (isNear(spot.x, spot.y)) hit++;
      if (isNear((spot.x + 0.1 * width) % width, (spot.y + 0.1 * height) % height)) beside++;
    }
    for (let i = 0; i < 10_000; i++)
      if (isDrawn(((i % 100) / 100) * (width - 1), (Math.floor(i / 100) / 100) * (height - 1))) filled++;
    return { nodes, hit, beside, filled: filled / 10_000 };
  }, png);

test.each(['strand-catenary', 'strand-corner', 'strand-wind'])('%s is drawn where its nodes are', async (name) => {
  const { page } = await studio.visit({ viewport: { width: 900, height: 560 }, colorScheme: 'light' });
  await openScene(page, `${studio.address}#/scene/${name}`);
  await runFromStart(page, 100);
  // key and rings are not to be taken for the strand
  await page.evaluate(() => {
    const style = new CSSStyleSheet();
    style.replaceSync('.legend, .over { display: none }');
    const root = findScene().viewport!.shadowRoot!;
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, style];
  });
  const take = async () => (await page.locator('heddle-viewport').screenshot()).toString('base64');
  await until(page, () => findScene().player.step === 100);
  await untilIn(page, async () => (await look(page, await take())).hit > 5);
  const { nodes, hit, beside, filled } = await look(page, await take());
  expect(nodes).toBeGreaterThan(8);
  // a few may be hidden by a body
  expect(hit / nodes).toBeGreaterThan(0.85);
  expect(beside / nodes).toBeLessThan(0.3);
  expect(filled).toBeGreaterThan(0.0005);
  expect(filled).toBeLessThan(0.2);
  if (process.env.PICTURES !== undefined) {
    mkdirSync(process.env.PICTURES, { recursive: true });
    await page.screenshot({ path: `${process.env.PICTURES}/${name}.png` });
  }
});
