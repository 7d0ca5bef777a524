/** What leaves the studio by a click, opened by someone else: a reader of archives, parsers, the engine. */
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { compile, validateScene } from 'heddle/scene';
import { expect, test } from 'vitest';
import { readUsda } from '../unit/usda-reader.ts';
import { findChild, readVtp, readXml } from '../unit/vtk-reader.ts';
import { download, STEPS, useWinch } from './downloads.ts';
import { runFromStart, until, useStudio } from './studio-site.ts';

const openWinch = useWinch(useStudio());

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

test('Exported OBJ and PLY sequences are valid archives with one file per frame', async () => {
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

test('Exported USD and VTK files hold the nodes of the rope at the time of every frame', async () => {
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

test('An exported scene file holds what runs, changes included', async () => {
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
