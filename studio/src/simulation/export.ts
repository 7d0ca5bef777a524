/**
 * What was recorded, written by an exporter of heddle/io. A file of its own, loaded when something is exported: the packages
 * behind the formats are no part of what a page starts with.
 */
import {
  type BodyGeometry,
  collectYarnColours,
  findExporter,
  type RecordedRun,
  readFrame,
  readProbes,
  scanChunks,
} from 'heddle/io';
import { countSteps, isMoment, type Scene } from 'heddle/scene';
import { MEASURE_UNITS, type World } from 'heddle/world';
import { MEASURE_COLUMNS } from './protocol.ts';
import { type Recording, readRecordedFrame } from './recording.ts';

export interface ExportedRun {
  readonly files: { path: string; bytes: ArrayBuffer }[];
  readonly notes: string[];
}

/** Frames and probes fall on the same moments as those of `heddle run`; the last step is always among the frames. */
export async function exportRecording(
  recording: Recording,
  scene: Scene,
  world: Pick<World, 'probeColumns' | 'probeUnits'> & { readonly bodies: readonly BodyGeometry[] },
  format: string,
): Promise<ExportedRun> {
  const { step, duration } = scene.time;
  const { framesPerSecond, probesPerSecond } = scene.output;
  const end = countSteps(duration, step);
  const [first, last] = recording.range;
  const frames = [];
  const rows = [];
  for (const record of recording.from(first)) {
    const n = record.step;
    if (n === last || n === end || isMoment(n, step, framesPerSecond)) frames.push(readRecordedFrame(record));
    if (n === end || probesPerSecond === undefined || isMoment(n, step, probesPerSecond))
      rows.push(readProbeRow(record.row));
  }
  const hasProbes = world.probeColumns.length > 0;
  const probes = {
    columns: ['time', ...world.probeColumns],
    units: [MEASURE_UNITS.time, ...world.probeUnits],
    rows: hasProbes ? rows : [],
  };
  const { files, notes } = await writeRun(scene, { frames, bodies: world.bodies, probes }, format);
  const gone =
    recording.dropped === 0
      ? []
      : [`It begins at step ${first}: earlier steps did not fit into memory and were dropped.`];
  return { files, notes: [...notes, ...gone] };
}

/** All frames and probes of a frame file; `bodies` are those of its scene. */
export async function exportFile(
  file: Uint8Array<ArrayBuffer>,
  scene: Scene,
  bodies: readonly BodyGeometry[],
  format: string,
): Promise<ExportedRun> {
  const index = scanChunks(file);
  const frames = index.entries.filter(({ type }) => type === 'FRAM').map((entry) => readFrame(file, entry));
  return writeRun(scene, { frames, bodies, probes: readProbes(file, index) }, format);
}

async function writeRun(
  scene: Scene,
  run: Pick<RecordedRun, 'frames' | 'bodies' | 'probes'>,
  format: string,
): Promise<ExportedRun> {
  const { checker } = scene.view;
  const result = await findExporter(format).write({
    name: scene.name,
    ...run,
    framesPerSecond: scene.output.framesPerSecond,
    yarnColours: collectYarnColours(scene.objects),
    ...(checker === undefined ? {} : { checker }),
  });
  const files = Array.from(result.files, ({ path, bytes }) => ({ path, bytes: toBuffer(bytes) }));
  return { files, notes: [...result.notes] };
}

/** Time and probe values of a row of measures. */
function readProbeRow(row: Float64Array): Float64Array {
  const values = new Float64Array(1 + row.length - MEASURE_COLUMNS.length);
  values[0] = row[MEASURE_COLUMNS.indexOf('time')];
  values.set(row.subarray(MEASURE_COLUMNS.length), 1);
  return values;
}

/** The bytes as a buffer that can be transferred. */
const toBuffer = (bytes: Uint8Array<ArrayBuffer>): ArrayBuffer =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer;
