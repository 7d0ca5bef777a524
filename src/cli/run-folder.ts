/**
 * The folder of a run. `run.heddle` grows while the simulation goes: frames, probe rows, checkpoints, each chunk
 * written at once, so that a killed run loses its torn tail only. Resuming cuts the file after the last checkpoint.
 *
 *   scene.json      the scene after --set, with its mesh files beside it
 *   run.heddle      frames, probe rows, checkpoints
 *   probes.csv/json the probe table: first column the time
 *   summary.json    what `heddle run --json` prints
 */

import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type Checkpoint,
  encodeCheckpoint,
  encodeFrame,
  encodeHeader,
  encodeProbeColumns,
  encodeProbeRows,
  encodeScene,
  encodeSummary,
  readCheckpoint,
  readScene,
  readSummary,
} from '../io/index.ts';
import type { Frame } from '../model/frame.ts';
import { appendBytes, FileError, makeFolder, onFile, withFile, writeWhole } from './files.ts';
import { type DiskChunk, visitChunks } from './frame-file-disk.ts';

export const RUN_FILE = 'run.heddle';

/** Contents of a run folder, as far as it is readable. */
export interface FoundRun {
  /** Text of the scene, undefined when not even that was written. */
  readonly sceneText: string | undefined;
  /** State to go on from. */
  readonly checkpoint: Checkpoint | undefined;
  /** Offset after that checkpoint. */
  readonly checkpointEnd: number;
  /** Summary of a run that ended as asked. */
  readonly summary: unknown;
}

/** Reads what is in a run folder; undefined when there is no run. */
export function findRun(folder: string): FoundRun | undefined {
  const path = join(folder, RUN_FILE);
  if (!existsSync(path)) return undefined;
  let sceneText: string | undefined;
  let last: DiskChunk | undefined;
  let summary: unknown;
  visitChunks(path, (chunk) => {
    if (chunk.type === 'SCEN') sceneText = readScene(chunk.bytes, chunk.entry).text;
    if (chunk.type === 'CKPT') last = chunk;
    if (chunk.type === 'DONE') summary = readSummary(chunk.bytes, chunk.entry);
  });
  const checkpoint = last === undefined ? undefined : readCheckpoint(last.bytes, last.entry);
  return { sceneText, checkpoint, checkpointEnd: last?.end ?? 0, summary };
}

/** Most probe rows that wait in memory before they are written. */
const ROW_BATCH = 256;

/** The open run file: what is recorded goes through here, in order. */
export class RunRecorder {
  private readonly path: string;
  private readonly descriptor: number;
  private rows: Float64Array[] = [];

  private constructor(path: string, descriptor: number) {
    this.path = path;
    this.descriptor = descriptor;
  }

  /** Starts a run file anew; results of a run before it are removed. */
  static create(folder: string, scene: { text: string; name: string }, columns: readonly string[]): RunRecorder {
    makeFolder(folder);
    removeResults(folder, scene.name);
    const path = join(folder, RUN_FILE);
    const recorder = new RunRecorder(
      path,
      onFile(path, () => openSync(path, 'w')),
    );
    recorder.append(encodeHeader());
    recorder.append(encodeScene(scene.text));
    recorder.append(encodeProbeColumns(columns));
    writeWhole(join(folder, 'scene.json'), scene.text);
    return recorder;
  }

  /** Goes on after the checkpoint that ends at `end`; everything behind it is cut off. */
  static reopen(folder: string, end: number): RunRecorder {
    const path = join(folder, RUN_FILE);
    withFile(path, 'r+', (descriptor) => onFile(path, () => ftruncateSync(descriptor, end)));
    return new RunRecorder(
      path,
      onFile(path, () => openSync(path, 'a')),
    );
  }

  addFrame(frame: Frame): void {
    this.append(encodeFrame(frame));
  }

  /** Adds one row of probe values; rows are written in batches. */
  addRow(row: Float64Array): void {
    this.rows.push(row);
    if (this.rows.length >= ROW_BATCH) this.flushRows();
  }

  flushRows(): void {
    if (this.rows.length === 0) return;
    const batch = encodeProbeRows(this.rows);
    this.rows = [];
    this.append(batch);
  }

  /** Writes all rows and a checkpoint, and waits until the disk has them. */
  addCheckpoint(checkpoint: { step: number; time: number; state: Uint8Array }): void {
    this.flushRows();
    this.append(encodeCheckpoint(checkpoint));
    onFile(this.path, () => fsyncSync(this.descriptor));
  }

  addSummary(summary: unknown): void {
    this.append(encodeSummary(summary));
  }

  close(): void {
    closeSync(this.descriptor);
  }

  private append(bytes: Uint8Array): void {
    appendBytes(this.descriptor, this.path, bytes);
  }
}

/** Files in a folder that a run of the scene `name` writes, as paths below it; the copies of its mesh files aside. */
export function findResults(folder: string, name: string): string[] {
  const named = ['glb', 'usda', 'fixed.usda', 'mp4'].map((extension) => `${name}.${extension}`);
  const single = [RUN_FILE, 'scene.json', 'probes.csv', 'probes.json', 'summary.json', ...named];
  const results = single.filter((file) => existsSync(join(folder, file)));
  for (const sequence of ['obj', 'ply', 'vtk', 'png']) {
    const inner = join(folder, sequence);
    if (!existsSync(inner) || !statSync(inner).isDirectory()) continue;
    const isNumbered = (file: string) =>
      file.startsWith(`${name}.`) &&
      /^(?:(?:bodies\.)?\d{4,}\.(?:obj|ply|vtp|png)|pvd)$/.test(file.slice(name.length + 1));
    results.push(
      ...readdirSync(inner)
        .filter(isNumbered)
        .map((file) => join(sequence, file)),
    );
  }
  return results;
}

/** Removes what an earlier run of the scene left, so that no result of one run stands beside those of another. */
function removeResults(folder: string, name: string): void {
  onFile(folder, () => {
    for (const file of findResults(folder, name)) rmSync(join(folder, file), { force: true });
  });
}

/** A reader for mesh files that keeps a copy beside scene.json, so that the run folder is complete. */
export function copyWhileReading(
  folder: string,
  readFile: (name: string) => Uint8Array<ArrayBuffer>,
): { readFile: (name: string) => Uint8Array<ArrayBuffer>; writeCopies: () => void } {
  const copies = new Map<string, Uint8Array<ArrayBuffer>>();
  return {
    readFile: (name) => {
      const bytes = readFile(name);
      copies.set(name, bytes);
      return bytes;
    },
    writeCopies: () => {
      for (const [name, bytes] of copies) {
        makeFolder(dirname(join(folder, name)));
        writeWhole(join(folder, name), bytes);
      }
    },
  };
}

/** The error for a folder with other contents than asked for. */
export function refuseFolder(shown: string, what: string, remedy: string): FileError {
  return new FileError(`${shown} contains ${what}; ${remedy}.`);
}
