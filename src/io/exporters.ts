/**
 * The export formats. A new one is a file beside this and a line in `EXPORTERS`; the command's `--format` choices and
 * the docs come from this list.
 */
import { HeddleError } from '../model/errors.ts';
import { findNearest } from '../model/nearest.ts';
import { encodeCsv, encodeProbeJson } from './csv.ts';
import { encodeGlb } from './glb.ts';
import { encodeObjSequence } from './obj.ts';
import type { RecordedRun } from './recorded-run.ts';

export interface ExportedFile {
  /** Relative to the run folder, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface ExportResult {
  /** Made one at a time as they are taken, so that a long sequence need not fit in memory; walk it once. */
  readonly files: Iterable<ExportedFile>;
  /** Sentences for the user about what the format could not hold. */
  readonly notes: readonly string[];
}

export interface Exporter {
  readonly name: string;
  /** With its dot. */
  readonly extension: string;
  readonly title: string;
  readonly description: string;
  write(run: RecordedRun): Promise<ExportResult>;
}

export const EXPORTERS: readonly Exporter[] = [
  {
    name: 'glb',
    extension: '.glb',
    title: 'Animated GLB',
    description: 'Tubes and bodies with animation in one file, for Blender, three.js and viewers; at most 250 frames.',
    async write(run) {
      const { bytes, report } = await encodeGlb(run);
      return { files: [{ path: `${run.name}.glb`, bytes }], notes: report.notes };
    },
  },
  {
    name: 'obj',
    extension: '.obj',
    title: 'OBJ sequence',
    description: 'Tubes and bodies as triangles, one file a frame, in the folder obj.',
    async write(run) {
      return { files: encodeObjFiles(run), notes: [] };
    },
  },
  {
    name: 'csv',
    extension: '.csv',
    title: 'Probe table, CSV',
    description: 'One row a recorded moment, one column a probe value, at full precision.',
    async write(run) {
      return { files: [{ path: 'probes.csv', bytes: new TextEncoder().encode(encodeCsv(run.probes)) }], notes: [] };
    },
  },
  {
    name: 'json',
    extension: '.json',
    title: 'Probe table, JSON',
    description: 'The probe values as {columns, rows}, at full precision.',
    async write(run) {
      const bytes = new TextEncoder().encode(encodeProbeJson(run.probes));
      return { files: [{ path: 'probes.json', bytes }], notes: [] };
    },
  },
];

function* encodeObjFiles(run: RecordedRun): Generator<ExportedFile> {
  for (const { path, text } of encodeObjSequence(run)) yield { path, bytes: new TextEncoder().encode(text) };
}

/** The exporter of that name; an unknown name is an error that lists the known ones and the nearest. */
export function findExporter(name: string): Exporter {
  const exporter = EXPORTERS.find((candidate) => candidate.name === name);
  if (exporter) return exporter;
  const known = EXPORTERS.map((candidate) => candidate.name);
  const nearest = findNearest(name, known);
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  throw new HeddleError(`The format "${name}" is not known; the formats are ${known.join(', ')}.${hint}`);
}
