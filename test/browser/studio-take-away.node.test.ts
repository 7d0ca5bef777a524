/** What leaves the studio by a click, opened by someone else: a validator, a parser, a decoder of images. */
import { readFileSync } from 'node:fs';
import { validateBytes } from 'gltf-validator';
import { compile, validateScene } from 'heddle/scene';
import { expect, test } from 'vitest';
import { download, STEPS, useWinch } from './downloads.ts';
import { useStudio } from './studio-site.ts';

const openWinch = useWinch(useStudio());

test('An exported GLB passes the validator and is animated', async () => {
  const { page } = await openWinch('Export');
  const { name, bytes } = await download(page, /^Animated GLB/);
  expect(name).toBe('strand-winch.glb');
  const report = await validateBytes(new Uint8Array(bytes));
  expect(report.issues.messages).toEqual([]);
  expect(report.info.animationCount).toBe(1);
  expect(report.info.totalTriangleCount).toBeGreaterThan(1000);
});

test('Exported CSV files hold time and probes with one row per step, the full one energies and stages as well', async () => {
  const { page } = await openWinch('Measure');
  const scene = JSON.parse(readFileSync(new URL('../../scenes/strand-winch.json', import.meta.url), 'utf8'));
  const world = compile(validateScene(scene));
  const probes = await download(page, /^Probes as CSV/);
  const rows = probes.bytes.toString().trim().split('\r\n');
  const named = world.probeColumns.map((name, k) =>
    world.probeUnits[k] === '1' ? name : `${name} [${world.probeUnits[k]}]`,
  );
  expect(rows[0].split(',')).toEqual(['time [s]', ...named]);
  expect(rows).toHaveLength(STEPS + 2);
  expect(Number(rows.at(-1)!.split(',')[0])).toBeCloseTo(0.1, 12);
  const whole = await download(page, /^All as CSV/);
  const columns = whole.bytes.toString().split('\r\n')[0].split(',');
  expect(columns).toEqual(expect.arrayContaining(['step', 'time [s]', 'detect [ms]', 'solve [ms]', ...named]));
});

test('An exported PNG holds the image on the screen', async () => {
  const { page } = await openWinch('Export');
  const { name, bytes } = await download(page, /^PNG/);
  expect(name).toBe('strand-winch.png');
  /** Mean difference per channel between the file and the view, and the number of colours. */
  const compared = await page.evaluate(async (text) => {
    const image = new Image();
    image.src = `data:image/png;base64,${text}`;
    await image.decode();
    const seen = findScene().viewport!.capture()!;
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
    canvas.drawImage(image, 0, 0);
    const file = canvas.getImageData(0, 0, image.width, image.height).data;
    const view = seen.getContext('2d')!.getImageData(0, 0, seen.width, seen.height).data;
    const difference = file.reduce((sum, value, i) => sum + Math.abs(value - view[i]), 0) / file.length;
    return {
      size: [image.width, image.height],
      seen: [seen.width, seen.height],
      difference,
      colours: new Set(new Uint32Array(file.buffer)).size,
    };
  }, bytes.toString('base64'));
  expect(compared.size).toEqual(compared.seen);
  expect(compared.colours).toBeGreaterThan(300);
  expect(compared.difference).toBeLessThan(0.5);
});
