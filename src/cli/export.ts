/** From the run file to what other programs read: the probe tables, and the formats asked for. */

import { dirname, join } from 'node:path';
import {
  type BodyGeometry,
  collectYarnColours,
  EXPORTERS,
  type ExportOptions,
  encodeHeader,
  findExporter,
  type ProbeTable,
  type RecordedRun,
  readFrame,
  readProbes,
  scanChunks,
} from '../io/index.ts';
import { HeddleError } from '../model/errors.ts';
import type { Frame } from '../model/frame.ts';
import { suggest } from '../model/nearest.ts';
import type { Scene } from '../scene/index.ts';
import { MEASURE_UNITS } from '../world/index.ts';
import { makeFolder, writeWhole } from './files.ts';
import { visitChunks } from './frame-file-disk.ts';
import { RUN_FILE } from './run-folder.ts';

/** Formats that every run writes. */
const ALWAYS: readonly string[] = ['csv', 'json'];

/** Images are drawn by a browser, not written by an exporter. */
export const PICTURES = 'png';

/** Names that `--format` takes. */
export const FORMATS: readonly string[] = [...EXPORTERS.map((exporter) => exporter.name), PICTURES];

/** The names in `glb,obj`; an unknown one is an error with the nearest. */
export function parseFormats(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  for (const name of names) {
    if (FORMATS.includes(name)) continue;
    throw new HeddleError(`--format "${name}" is unknown.${suggest(name, FORMATS, 'Formats')}`);
  }
  return names;
}

/** What was recorded, in memory. */
export interface Recording {
  readonly frames: readonly Frame[];
  readonly probes: ProbeTable;
}

/** Reads the probe table of a run folder, and its frames when they are wanted. */
export function readRecording(folder: string, withFrames: boolean): Recording {
  const frames: Frame[] = [];
  const probeChunks: Uint8Array[] = [encodeHeader()];
  visitChunks(join(folder, RUN_FILE), ({ type, bytes, entry, raw }) => {
    if (type === 'FRAM' && withFrames) frames.push(readFrame(bytes, entry));
    if (type === 'PROB') probeChunks.push(raw);
  });
  // column names and rows are in different chunks: read as a frame file of probes alone
  const probeFile = Buffer.concat(probeChunks);
  return { frames, probes: readProbes(probeFile, scanChunks(probeFile)) };
}

/** Writes probes.csv and probes.json; `units` are those of the probes' columns. */
export async function writeProbeFiles(folder: string, scene: Scene, units: readonly string[]): Promise<void> {
  const { frames, probes } = readRecording(folder, false);
  const hasUnits = probes.columns.length === 1 + units.length;
  const table = hasUnits ? { ...probes, units: [MEASURE_UNITS.time, ...units] } : probes;
  await writeFormats(folder, { name: scene.name, frames, bodies: [], probes: table }, ALWAYS);
}

/** Writes the formats asked for beyond those every run has; returns what the user should know about them. */
export async function exportRun(
  folder: string,
  scene: Scene,
  bodies: readonly BodyGeometry[],
  formats: readonly string[],
  options: ExportOptions = {},
): Promise<string[]> {
  const asked = [...new Set(formats)].filter((format) => !ALWAYS.includes(format) && format !== PICTURES);
  if (asked.length === 0) return [];
  const { frames, probes } = readRecording(folder, true);
  const { checker } = scene.view;
  const { framesPerSecond } = scene.output;
  const run = {
    name: scene.name,
    frames,
    bodies,
    probes,
    framesPerSecond,
    yarnColours: collectYarnColours(scene.objects),
    ...(checker === undefined ? {} : { checker }),
  };
  return writeFormats(folder, run, asked, options);
}

async function writeFormats(
  folder: string,
  run: RecordedRun,
  formats: readonly string[],
  options: ExportOptions = {},
): Promise<string[]> {
  const notes: string[] = [];
  for (const format of formats) {
    const result = await findExporter(format).write(run, options);
    for (const file of result.files) {
      const path = join(folder, file.path);
      makeFolder(dirname(path));
      writeWhole(path, file.bytes);
    }
    notes.push(...result.notes);
  }
  return notes;
}
