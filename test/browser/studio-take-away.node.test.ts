/** What leaves the studio by a click, opened by someone else: a validator, a reader of archives, a parser, the engine. */
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { validateBytes } from 'gltf-validator';
import { compile, validateScene } from 'heddle/scene';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { readUsda } from '../unit/usda-reader.ts';
import { findChild, readVtp, readXml } from '../unit/vtk-reader.ts';
import { openScene, runFromStart, until, useStudio } from './studio-site.ts';

const SMALL = { viewport: { width: 900, height: 600 }, acceptDownloads: true };
const STEPS = 100;

const studio = useStudio();

/** The scene strand-winch after 100 steps, paused, with a panel open. */
async function openWinch(panel: string): Promise<{ page: Page; complaints: string[] }> {
  const { page, complaints } = await studio.visit(SMALL);
  await openScene(page, `${studio.address}#/scene/strand-winch`);
  await runFromStart(page, STEPS);
  await page.getByRole('tab', { name: panel, exact: true }).click();
  return { page, complaints };
}

/** Clicks a button and gives the file that comes of it. */
async function download(page: Page, button: RegExp): Promise<{ name: string; bytes: Buffer }> {
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  const file = await coming;
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

test('an exported GLB passes the validator and moves', async () => {
  const { page } = await openWinch('Export');
  const { name, bytes } = await download(page, /^Animated GLB/);
  expect(name).toBe('strand-winch.glb');
  const report = await validateBytes(new Uint8Array(bytes));
  expect(report.issues.messages).toEqual([]);
  expect(report.info.animationCount).toBe(1);
  expect(report.info.totalTriangleCount).toBeGreaterThan(1000);
});

/** Names and contents of an archive, by its directory (APPNOTE 6.3), with their checksums compared. */
function readZip(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  expect(end).toBe(bytes.length - 22);
  const files = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let i = 0; i < bytes.readUInt16LE(end + 10); i++) {
    expect(bytes.toString('latin1', at, at + 4)).toBe('PK\x01\x02');
    const [size, length, start] = [
      bytes.readUInt32LE(at + 24),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt32LE(at + 42),
    ];
    const name = bytes.toString('utf8', at + 46, at + 46 + length);
    expect(bytes.toString('latin1', start, start + 4)).toBe('PK\x03\x04');
    expect(bytes.toString('utf8', start + 30, start + 30 + length)).toBe(name);
    const content = bytes.subarray(start + 30 + length, start + 30 + length + size);
    expect(crc32(content)).toBe(bytes.readUInt32LE(at + 16));
    files.set(name, content);
    at += 46 + length;
  }
  expect(at).toBe(end);
  return files;
}

test('sequences of OBJ and PLY are valid archives with a file a frame', async () => {
  const { page } = await openWinch('Export');
  // 60 a second, the first and the last moment among them
  const frames = 1 + STEPS * 0.001 * 60;
  const obj = await download(page, /^OBJ sequence/);
  expect(obj.name).toBe('strand-winch-obj.zip');
  const texts = [...readZip(obj.bytes)].filter(([name]) => name.endsWith('.obj'));
  expect(texts).toHaveLength(frames);
  for (const [, content] of texts) {
    const lines = content.toString().split('\n');
    const vertices = lines.filter((line) => line.startsWith('v ')).length;
    const corners = lines.filter((line) => line.startsWith('f ')).flatMap((line) => line.match(/ (\d+)/g)!.map(Number));
    expect(vertices).toBeGreaterThan(100);
    expect(Math.max(...corners)).toBe(vertices);
    expect(lines.every((line) => !/NaN|Infinity/.test(line))).toBe(true);
  }
  const ply = await download(page, /^PLY sequence/);
  const parts = [...readZip(ply.bytes).values()];
  expect(parts).toHaveLength(frames);
  for (const part of parts) expect(part.toString('latin1', 0, 4)).toBe('ply\n');
});

test('USD and VTK can be read: every frame, with the nodes of the rope at its time', async () => {
  const { page } = await openWinch('Export');
  // 60 a second
  const last = STEPS * 0.001 * 60;
  const nodes = await page.evaluate(() => findScene().player.frame!.objects[0].x.length / 3);
  const usd = await download(page, /^USD with time samples/);
  expect(usd.name).toBe('strand-winch.usda');
  expect(usd.bytes.toString('utf8', 0, 11)).toBe('#usda 1.0\n(');
  const { metadata, prims } = readUsda(usd.bytes.toString());
  expect(metadata).toMatchObject({ upAxis: 'Y', metersPerUnit: 1, startTimeCode: 0, endTimeCode: last });
  const { samples } = prims[String(metadata.defaultPrim)].children.rope.attributes.points;
  expect([...samples.keys()]).toEqual(Array.from({ length: last + 1 }, (_, k) => k));
  expect(samples.get(last)).toHaveLength(nodes);

  const vtk = await download(page, /^VTK for ParaView/);
  expect(vtk.name).toBe('strand-winch-vtk.zip');
  const files = readZip(vtk.bytes);
  const index = files.get('vtk/strand-winch.pvd')!.toString();
  const entries = findChild(readXml(index), 'Collection').children.map(({ attributes }) => attributes);
  for (const { file } of entries) expect([...files.keys()]).toContain(`vtk/${file}`);
  const curves = entries.filter(({ part }) => part === '0');
  expect(curves).toHaveLength(last + 1);
  for (const { file, timestep } of curves) {
    const { piece, time } = readVtp(files.get(`vtk/${file}`)!.toString());
    expect(time).toBe(Number(timestep));
    expect(piece.attributes.NumberOfLines).toBe('1');
  }
  expect(Number(curves.at(-1)!.timestep)).toBeCloseTo(0.1, 12);
});

test('CSV has time and the probes of the scene, a row a step; the whole one has energies and stages as well', async () => {
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

test('PNG has the picture that is seen', async () => {
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

test('the scene file is what runs, changes included', async () => {
  const { page, complaints } = await openWinch('Export');
  const own = JSON.parse((await download(page, /^Scene file/)).bytes.toString());
  expect(own).toEqual(JSON.parse(readFileSync(new URL('../../scenes/strand-winch.json', import.meta.url), 'utf8')));
  await page.evaluate(() => findScene().override('/gravity', [0, -1.62, 0]));
  await until(page, () => findScene().run.shown?.scene.gravity[1] === -1.62);
  const hash = await runFromStart(page, STEPS);
  const { name, bytes } = await download(page, /^Scene file/);
  expect(name).toBe('strand-winch.json');
  const world = compile(validateScene(JSON.parse(bytes.toString())));
  for (let i = 0; i < STEPS; i++) world.step();
  expect(world.hash()).toBe(hash);
  const before = compile(validateScene(own));
  for (let i = 0; i < STEPS; i++) before.step();
  expect(before.hash()).not.toBe(hash);
  expect(complaints).toEqual([]);
});
