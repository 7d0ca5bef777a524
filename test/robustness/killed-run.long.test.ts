import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findLastChunk, readFrame, scanChunks } from 'heddle/io';
import type { SceneInput } from 'heddle/scene';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// the real command on the built package: npm test builds it first
const heddle = fileURLToPath(new URL('../../bin/heddle.js', import.meta.url));

const scene: SceneInput = {
  heddle: 1,
  name: 'swing',
  title: 'A rope that swings',
  objects: [
    {
      type: 'strand',
      id: 'rope',
      material: 'hemp-rope-8mm',
      points: [
        [0, 0, 0],
        [2, 0.1, 0.3],
      ],
      nodes: 60,
    },
  ],
  drivers: [{ type: 'pin', on: { object: 'rope', at: 'start' } }],
  probes: [
    { id: 'tip', type: 'position', on: { object: 'rope', at: 'end' } },
    { id: 'E', type: 'energy' },
  ],
  time: { step: 5e-4, duration: 2 },
  output: { framesPerSecond: 100 },
};

let folder: string;
const run = (...argv: string[]) =>
  JSON.parse(
    execFileSync(process.execPath, [heddle, 'run', 'swing.json', '--json', ...argv], { cwd: folder, encoding: 'utf8' }),
  );

/** Sends a signal to its own process once that many bytes were written to files: where it meets a run does not depend on the clock. */
const STRIKE = `
const fs = require('node:fs');
const { writeSync } = fs;
let left = Number(process.env.BYTES);
fs.writeSync = (...args) => {
  const written = writeSync(...args);
  if (left > 0 && (left -= written) <= 0) process.kill(process.pid, process.env.SIGNAL);
  return written;
};
require('node:module').syncBuiltinESMExports();
`;

/** Starts a run that gets a signal once it has written so many bytes. */
const start = (signal: NodeJS.Signals, bytes: number, ...argv: string[]): ChildProcess =>
  spawn(process.execPath, ['--require', join(folder, 'strike.cjs'), heddle, 'run', ...argv], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, SIGNAL: signal, BYTES: String(bytes) },
  });

const read = (out: string, file: string) => readFileSync(join(folder, out, file));

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-'));
  writeFileSync(join(folder, 'swing.json'), JSON.stringify(scene));
  writeFileSync(join(folder, 'strike.cjs'), STRIKE);
  run('--out', 'whole');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs of models with states of other kinds, from the gallery and short. */
const GALLERY = [
  ['fabric-hang', '0.2'],
  ['mpm-tearing', '0.15'],
] as const;

describe('a run', () => {
  test('twice gives the same hash and the same probes', () => {
    expect(run('--out', 'again').hash).toBe(JSON.parse(read('whole', 'summary.json').toString()).hash);
    expect(read('again', 'probes.csv').equals(read('whole', 'probes.csv'))).toBe(true);
  });

  test('resumed from half time gives the same hash and probes', () => {
    run('--out', 'half', '--until', '1');
    expect(run('--out', 'half', '--resume').hash).toBe(JSON.parse(read('whole', 'summary.json').toString()).hash);
    expect(read('half', 'probes.csv').equals(read('whole', 'probes.csv'))).toBe(true);
  });

  test('killed with -9 is readable, and resumes to the same hash and probes', async () => {
    const bytes = read('whole', 'run.heddle').length / 3;
    const child = start('SIGKILL', bytes, 'swing.json', '--checkpoint', '0.1', '--out', 'killed');
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    const file = read('killed', 'run.heddle');
    const index = scanChunks(file);
    const frames = index.entries.filter((entry) => entry.type === 'FRAM').map((entry) => readFrame(file, entry));
    expect(frames.length).toBeGreaterThan(20);
    expect(frames.length).toBeLessThan(200);
    expect(findLastChunk(index, 'CKPT')).toBeDefined();
    expect(frames.every((frame) => frame.objects[0].x.every(Number.isFinite))).toBe(true);
    expect(run('--out', 'killed', '--resume').hash).toBe(JSON.parse(read('whole', 'summary.json').toString()).hash);
    expect(read('killed', 'probes.csv').equals(read('whole', 'probes.csv'))).toBe(true);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('ended by %s says how to resume, exits 130, and does', async (signal) => {
    const bytes = read('whole', 'run.heddle').length / 4;
    const child = start(signal, bytes, 'swing.json', '--checkpoint', '0.1', '--out', signal);
    let stderr = '';
    child.stderr?.on('data', (part) => (stderr += part));
    const [code] = await once(child, 'close');
    expect(code).toBe(130);
    expect(stderr).toContain(`heddle run swing.json --out ${signal} --resume`);
    expect(run('--out', signal, '--resume').hash).toBe(JSON.parse(read('whole', 'summary.json').toString()).hash);
    expect(read(signal, 'probes.csv').equals(read('whole', 'probes.csv'))).toBe(true);
  });

  test.each(GALLERY)('of %s killed with -9 is readable, and resumes to the same hash', async (name, until) => {
    const runGallery = (...argv: string[]) =>
      JSON.parse(
        execFileSync(process.execPath, [heddle, 'run', name, '--until', until, '--json', ...argv], {
          cwd: folder,
          encoding: 'utf8',
        }),
      );
    const { hash } = runGallery('--out', `${name}-whole`);
    const bytes = read(`${name}-whole`, 'run.heddle').length / 3;
    const args = [name, '--until', until, '--checkpoint', '0.02', '--out', `${name}-killed`];
    expect(await once(start('SIGKILL', bytes, ...args), 'exit')).toEqual([null, 'SIGKILL']);
    const file = read(`${name}-killed`, 'run.heddle');
    const index = scanChunks(file);
    for (const entry of index.entries) if (entry.type === 'FRAM') readFrame(file, entry);
    // it goes on from there, not from the start
    expect(findLastChunk(index, 'CKPT')).toBeDefined();
    expect(findLastChunk(index, 'DONE')).toBeUndefined();
    expect(runGallery('--out', `${name}-killed`, '--resume').hash).toBe(hash);
  });
});
