/** `heddle bench mpm`: the tables of bench/mpm.js, rows of the paper's Table 2 and a column of sand of growing size. */
import type { BenchDemand } from './bench-demand.ts';
import { loadBench } from './bench-load.ts';
import { runTables, type TableBench, type TableOptions } from './bench-tables.ts';
import { padCells } from './cells.ts';
import type { Output } from './context.ts';

/** One row of Table 2. */
export interface MpmSceneRow {
  readonly scene: string;
  readonly kind: 'bulk' | 'surface' | 'curve';
  readonly particles: number;
  /** Δx [m] */
  readonly spacing: number;
  /** Mean step [s]. */
  readonly step: number;
  readonly steps: number;
  readonly secondsPerStep: number;
  /** Of 1/24 s. */
  readonly secondsPerFrame: number;
  readonly particleStepsPerSecondPerThread: number;
  /** Time on two threads over that on one. */
  readonly twoThreads: number;
  /** Parts of kernels that the second thread did. */
  readonly sharedParts: number;
  readonly hash: string;
  readonly hashOfTwoThreads: string;
  readonly kernelBytesPerParticle: number;
  readonly bytesPerParticle: number;
  readonly paper: { readonly secondsPerFrame: number; readonly particles: number; readonly bytes: number };
}

/** A column of sand of one size. */
export interface MpmScalingRow {
  readonly particles: number;
  readonly secondsPerStep: number;
  readonly particleStepsPerSecondPerThread: number;
  readonly bytesPerParticle: number;
  readonly processBytes: number;
}

/** What bench/mpm.js exports. */
interface MpmBench extends TableBench<MpmSceneRow, MpmScalingRow> {
  checkDemands(rows: readonly MpmSceneRow[], scaling: readonly MpmScalingRow[]): readonly BenchDemand[];
}

export async function runMpm(options: TableOptions, stdout: Output): Promise<void> {
  runTables<MpmSceneRow, MpmScalingRow, MpmBench>(
    await loadBench('mpm'),
    {
      model: 'mpm',
      describeSmall: (size, smallest) =>
        `--sizes has ${size} particles; a column of sand needs at least ${smallest}: use more.`,
      sceneHeading: SCENE_HEADING,
      formatScene,
      scalingHeading: SCALING_HEADING,
      formatScaling,
      conclude: (bench, rows, scaling) => ({ found: {}, text: '', demands: bench.checkDemands(rows, scaling) }),
    },
    options,
    stdout,
  );
}

const WIDTHS = [16, 9, 11, 9, 9, 9, 11, 10, 9, 9, 11];

const formatCells = (cells: readonly string[], widths: readonly number[]): string => `${padCells(cells, widths, 1)}\n`;

const SCENE_HEADING = `Table 2 of Jiang 2017, its materials at about 60,000 particles, on one thread: step, seconds per frame of 1/24 s, millions of particles · substeps per second; time on two threads relative to
one, and whether both have the same bits; bytes per particle, in the kernels and in all. The last column has the paper's seconds per frame, on 19 threads, for as many particles.

${formatCells(['scene', 'kind', 'particles', 'dx [mm]', 'h [ms]', 's/frame', 'M/s/thread', '2 threads', 'bits', 'bytes', 'paper s/fr'], WIDTHS)}`;

const formatScene = (row: MpmSceneRow): string =>
  formatCells(
    [
      row.scene,
      row.kind,
      row.particles.toLocaleString('en'),
      (1000 * row.spacing).toPrecision(3),
      (1000 * row.step).toPrecision(3),
      row.secondsPerFrame.toPrecision(3),
      (row.particleStepsPerSecondPerThread / 1e6).toFixed(2),
      row.twoThreads.toFixed(2),
      row.hash === row.hashOfTwoThreads ? 'same' : 'DIFFER',
      `${row.kernelBytesPerParticle.toFixed(0)}/${row.bytesPerParticle.toFixed(0)}`,
      ((row.paper.secondsPerFrame * row.particles) / row.paper.particles).toPrecision(3),
    ],
    WIDTHS,
  );

const SCALING_WIDTHS = [12, 10, 12, 10, 12];

const SCALING_HEADING = `
A column of sand on one thread.

${formatCells(['particles', 's/step', 'M/s/thread', 'bytes', 'process MB'], SCALING_WIDTHS)}`;

const formatScaling = (row: MpmScalingRow): string =>
  formatCells(
    [
      row.particles.toLocaleString('en'),
      row.secondsPerStep.toPrecision(3),
      (row.particleStepsPerSecondPerThread / 1e6).toFixed(2),
      row.bytesPerParticle.toFixed(0),
      (row.processBytes / 1e6).toFixed(0),
    ],
    SCALING_WIDTHS,
  );
