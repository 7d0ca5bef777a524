/**
 * The export formats. A new one is a file beside this and a line in `EXPORTERS`; the command's `--format` choices and
 * the docs come from this list.
 */
import { HeddleError } from '../model/errors.ts';
import { findNearest } from '../model/nearest.ts';
import { encodeBcc } from './bcc.ts';
import { encodeCsv, encodeProbeJson } from './csv.ts';
import { encodeGlb } from './glb.ts';
import { encodeObjCurves, encodeObjSequence } from './obj.ts';
import { encodePlySequence } from './ply.ts';
import { nameFrameFile, type RecordedRun } from './recorded-run.ts';
import { resampleRun } from './resample-run.ts';
import type { TubeJoints } from './tube-path.ts';
import { encodeUsda } from './usda.ts';
import { encodeVtkSequence } from './vtk.ts';
import { collectYarnCurves } from './yarn-curves.ts';

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

export interface ExportOptions {
  /**
   * Puts every curve on so many fixed material points, and every sheet whose mesh changes on one of at least so many, so
   * that one topology lasts through the run; `auto` takes twice the nodes, and 1000. Default: the nodes as they are. GLB and usda-fixed always have one topology.
   */
  readonly samples?: number | 'auto';
}

export interface Exporter {
  readonly name: string;
  /** Of the file to open, with its dot. */
  readonly extension: string;
  readonly title: string;
  readonly description: string;
  write(run: RecordedRun, options?: ExportOptions): Promise<ExportResult>;
}

export const EXPORTERS: readonly Exporter[] = [
  {
    name: 'glb',
    extension: '.glb',
    title: 'Animated GLB',
    description:
      'Tubes, fabrics, sheets, particles and bodies with animation in one file, for Blender, three.js and viewers. At most 250 frames.',
    async write(run, options) {
      const { bytes, report } = await encodeGlb(run, chooseCount(options));
      return { files: [{ path: `${run.name}.glb`, bytes }], notes: report.notes };
    },
  },
  {
    name: 'obj',
    extension: '.obj',
    title: 'OBJ sequence',
    description:
      'Tubes, fabrics, sheets and bodies as triangles, particles as points. One file per frame, in the folder obj.',
    async write(run, options) {
      return { files: encodeTexts(encodeObjSequence(fixMesh(run, options), chooseJoints(options))), notes: [] };
    },
  },
  {
    name: 'ply',
    extension: '.ply',
    title: 'PLY sequence',
    description:
      'Tubes, fabrics, sheets, bodies and particles with material coordinates, fields and node kinds on the vertices, in the folder ply.',
    async write(run, options) {
      return { files: encodePlySequence(fixMesh(run, options), chooseJoints(options)), notes: [] };
    },
  },
  {
    name: 'usda',
    extension: '.usda',
    title: 'USD with time samples',
    description:
      'Strands, yarns and sheets with changing nodes, particles, and bodies as moving meshes, in one text file for USD.',
    async write(run, options) {
      const { bytes, notes } = encodeUsda(fixMesh(run, options));
      return { files: [{ path: `${run.name}.usda`, bytes }], notes };
    },
  },
  {
    name: 'usda-fixed',
    extension: '.usda',
    title: 'USD with constant topology',
    description:
      'Strands and yarns as tubes, and sheets, sampled at fixed material points. Only positions change. For Blender and other tools.',
    async write(run, options) {
      const { bytes, notes } = encodeUsda(run, { curves: 'tube', ...chooseCount(options) });
      return { files: [{ path: `${run.name}.fixed.usda`, bytes }], notes };
    },
  },
  {
    name: 'vtk',
    extension: '.pvd',
    title: 'VTK for ParaView',
    description:
      'Strands and yarns as lines, sheets as triangles and particles, with all fields; bodies as triangles, forces as points with vectors. In the folder vtk.',
    async write(run, options) {
      return { files: encodeTexts(encodeVtkSequence(fixMesh(run, options))), notes: [] };
    },
  },
  {
    name: 'bcc',
    extension: '.bcc',
    title: 'BCC yarn curves',
    description:
      'Strands, rods and yarns as Catmull-Rom curves through their nodes, for yarn renderers, in the folder bcc.',
    async write(run, options) {
      return { files: encodeBccSequence(fixMesh(run, options)), notes: [] };
    },
  },
  {
    name: 'obj-curves',
    extension: '.obj',
    title: 'OBJ yarn curves',
    description: 'Strands, rods and yarns as lines through their nodes. One file per frame, in the folder curves.',
    async write(run, options) {
      return { files: encodeTexts(encodeObjCurvesSequence(fixMesh(run, options))), notes: [] };
    },
  },
  {
    name: 'csv',
    extension: '.csv',
    title: 'Probe table, CSV',
    description: 'One row per recorded time, one column per probe value, at full precision.',
    async write(run) {
      return { files: [{ path: 'probes.csv', bytes: new TextEncoder().encode(encodeCsv(run.probes)) }], notes: [] };
    },
  },
  {
    name: 'json',
    extension: '.json',
    title: 'Probe table, JSON',
    description: 'The probe values as {columns, units, rows}, at full precision.',
    async write(run) {
      const bytes = new TextEncoder().encode(encodeProbeJson(run.probes));
      return { files: [{ path: 'probes.json', bytes }], notes: [] };
    },
  },
];

function* encodeBccSequence(run: RecordedRun): Generator<ExportedFile> {
  for (const [f, frame] of run.frames.entries()) {
    const bytes = encodeBcc(collectYarnCurves(frame, 'catmull-rom'), { text: 'Heddle, in metres' });
    yield { path: `bcc/${nameFrameFile(run, f, '.bcc')}`, bytes };
  }
}

function* encodeObjCurvesSequence(run: RecordedRun): Generator<{ path: string; text: string }> {
  for (const [f, frame] of run.frames.entries())
    yield {
      path: `curves/${nameFrameFile(run, f, '.obj')}`,
      text: encodeObjCurves(collectYarnCurves(frame, 'polyline')),
    };
}

function* encodeTexts(files: Iterable<{ path: string; text: string }>): Generator<ExportedFile> {
  for (const { path, text } of files) yield { path, bytes: new TextEncoder().encode(text) };
}

/** The run on fixed material points where that is asked for. */
function fixMesh(run: RecordedRun, options: ExportOptions | undefined): RecordedRun {
  return options?.samples === undefined ? run : resampleRun(run, chooseCount(options).samples);
}

/** Rounded joints have more rings the sharper the bend; on fixed points every ring stays. */
function chooseJoints(options: ExportOptions | undefined): { joints: TubeJoints } {
  return { joints: options?.samples === undefined ? 'round' : 'mitre' };
}

/** The number of samples for an exporter that always resamples; none when it may choose. */
function chooseCount(options: ExportOptions | undefined): { samples?: number } {
  return typeof options?.samples === 'number' ? { samples: options.samples } : {};
}

/** The exporter of that name; an unknown name is an error that lists the known ones and the nearest. */
export function findExporter(name: string): Exporter {
  const exporter = EXPORTERS.find((candidate) => candidate.name === name);
  if (exporter) return exporter;
  const known = EXPORTERS.map((candidate) => candidate.name);
  const nearest = findNearest(name, known);
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  throw new HeddleError(`The format "${name}" is unknown; the formats are ${known.join(', ')}.${hint}`);
}
