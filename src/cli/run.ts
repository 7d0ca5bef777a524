/** `heddle run`: simulate a scene into a run folder; continue an interrupted run. */

import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { computeBodyGeometry, type ExportOptions } from '../io/index.ts';
import { canCompileKernels } from '../kernels/index.ts';
import { HeddleError } from '../model/errors.ts';
import type { Limits } from '../model/limits.ts';
import { countSteps, type Scene } from '../scene/index.ts';
import { requireChromium } from './chromium.ts';
import type { Context, RunnableWorld } from './context.ts';
import { exportRun, FORMATS, PICTURES, parseFormats, writeProbeFiles } from './export.ts';
import { showPath, writeWhole } from './files.ts';
import { LIMIT_OPTION, readLimits } from './limits.ts';
import { createProgress, formatShort, NO_PROGRESS } from './progress.ts';
import { render } from './render.ts';
import { copyWhileReading, type FoundRun, findResults, findRun, RunRecorder, refuseFolder } from './run-folder.ts';
import { compileLoaded, findScenePath, type LoadedScene, loadScene } from './scene-source.ts';
import { CHECKPOINT_INTERVAL, simulate } from './simulate.ts';
import { computeSummary, describeBrokenExpectations, describeSummary, type RunSummary } from './summary.ts';

interface RunOptions {
  readonly out?: string;
  readonly until?: number;
  readonly set: readonly string[];
  readonly format: readonly string[];
  readonly resample?: number | true;
  readonly json?: boolean;
  readonly resume?: boolean;
  readonly overwrite?: boolean;
  readonly checkpoint?: number;
  readonly limit: readonly string[];
}

const EXAMPLES = `
Examples:
  heddle run strand-corner                          a gallery scene, into out/strand-corner
  heddle run my-scene.json --out results            a scene file
  heddle run strand-corner --set objects[0].nodes=80 --until 0.5
  heddle run strand-corner --format glb,obj         with an animated GLB and an OBJ sequence
  heddle run strand-corner --format usda --resample 200   USD curves of 200 fixed material points each
  heddle run strand-corner --resume                 continue after Ctrl-C or a crash
  heddle run strand-corner --json | jq .probes      one JSON object, no progress

Exit codes: 0 done, 1 an expectation of the scene (as written, without --set) failed, 2 an error in the scene or the options, 130 interrupted.`;

export function configureRun(command: Command, context: Context): void {
  const collect = (value: string, before: readonly string[]) => [...before, value];
  const collectFormats = (value: string, before: readonly string[]) => [...before, ...parseFormats(value)];
  command
    .argument('<scene>', 'name of a gallery scene, or path of a scene file')
    .option('-o, --out <folder>', 'run folder (default: out/<name of the scene>)')
    .option('--until <time>', 'stop at this simulated time [s]', parseTime)
    .option('--set <path=value>', 'change a value of the scene; may be repeated', collect, [])
    .option(
      '--format <names>',
      `also write: ${FORMATS.join(', ')}; separated by commas, or repeated`,
      collectFormats,
      [],
    )
    .option(
      '--resample [points]',
      'export strands on fixed material points, so that the topology never changes',
      parsePoints,
    )
    .option('--json', 'print no progress, only one JSON object at the end')
    .option('--resume', 'continue from the last checkpoint in the run folder')
    .option('--checkpoint <seconds>', 'wall time between checkpoints (default: 2)', parseTime)
    .option('--overwrite', 'replace an unfinished run, another run or other files in the folder')
    .option(...LIMIT_OPTION)
    .addHelpText('after', EXAMPLES)
    .action((argument: string, options: RunOptions) => runScene(argument, options, context));
}

function parseTime(text: string): number {
  const time = Number(text);
  if (text.trim() === '' || !Number.isFinite(time) || time <= 0) {
    throw new InvalidArgumentError('It must be a time in seconds, > 0.');
  }
  return time;
}

function parsePoints(text: string): number {
  const points = Number(text);
  if (!Number.isInteger(points) || points < 3 || points > 100_000) {
    throw new InvalidArgumentError('It must be a whole number of points from 3 to 100000, or left out.');
  }
  return points;
}

/** Everything decided before the first step. */
interface Plan {
  readonly scene: Scene;
  readonly sceneText: string;
  readonly world: RunnableWorld;
  readonly folder: string;
  /** The folder as a person would write it. */
  readonly shown: string;
  readonly until: number;
  readonly found: FoundRun | undefined;
  readonly writeCopies: () => void;
  readonly limits: Limits;
}

async function runScene(argument: string, options: RunOptions, context: Context): Promise<void> {
  // before a long simulation, not after it
  if (options.format.includes(PICTURES)) requireChromium();
  const loaded = loadScene(
    findScenePath(argument, context.folder),
    context.folder,
    options.set,
    readLimits(context, options.limit),
  );
  const plan = makePlan(loaded, options, context);
  const { scene, found, folder, shown } = plan;
  const finished = found?.summary as RunSummary | undefined;
  const wanted = countSteps(plan.until, scene.time.step);
  if (options.resume === true && finished !== undefined && finished.steps >= wanted) {
    if (options.json !== true)
      context.stdout.write(`${shown} already contains the finished run; there is nothing to resume.\n`);
    await conclude(finished, plan, options, context);
    return;
  }
  const resumed = options.resume === true && found?.checkpoint !== undefined;
  const recorder = openRecorder(plan, resumed);
  try {
    if (options.json !== true) announce(plan, resumed, context);
    if (!canCompileKernels()) context.stderr.write(`${describeTwins(scene)}\n`);
    const done = plan.world.steps / wanted;
    const progress = options.json === true ? NO_PROGRESS : createProgress(context.stdout, context.now(), done);
    const checkpointInterval = options.checkpoint === undefined ? CHECKPOINT_INTERVAL : 1000 * options.checkpoint;
    const longest = 1000 * plan.limits.seconds;
    const end = await simulate({ ...plan, recorder, progress, resumed, checkpointInterval, longest }, context);
    const isWhole = plan.world.steps >= countSteps(scene.time.duration, scene.time.step);
    const summary = computeSummary(scene, plan.world, end, isWhole);
    if (end.interrupted) {
      await writeProbeFiles(folder, scene, plan.world.probeUnits);
      writeSummary(folder, summary);
      const why = end.isOverdue ? `Stopped by the limit of ${plan.limits.seconds} s` : 'Interrupted';
      explainResume(why, argument, summary, plan, options, context);
      context.exitCode = end.isOverdue ? 2 : 130;
      return;
    }
    recorder.addSummary(summary);
    await conclude(summary, plan, options, context);
  } finally {
    recorder.close();
  }
}

function makePlan(loaded: LoadedScene, options: RunOptions, context: Context): Plan {
  const { scene } = loaded;
  const folder = resolve(context.folder, options.out ?? join('out', scene.name));
  const shown = showPath(folder, context.folder);
  const { duration } = scene.time;
  const until = options.until ?? duration;
  if (until > duration) {
    throw new HeddleError(
      `--until is ${until} s, but the scene lasts ${duration} s; make it longer with --set time.duration=${until}.`,
    );
  }
  const sceneText = `${JSON.stringify(scene, null, 2)}\n`;
  const found = findRun(folder);
  checkFolder({ scene, sceneText, folder, shown, found }, options);
  const copies = copyWhileReading(folder, loaded.readFile);
  const world = compileLoaded(loaded, context, copies.readFile);
  return {
    scene,
    sceneText,
    world,
    folder,
    shown,
    until,
    found,
    writeCopies: copies.writeCopies,
    limits: loaded.limits,
  };
}

/** Refuses to resume what is something else; to destroy an unfinished run, the run of another scene, or files that are no run. */
function checkFolder(
  plan: Pick<Plan, 'scene' | 'sceneText' | 'folder' | 'shown' | 'found'>,
  options: RunOptions,
): void {
  const { scene, sceneText, folder, shown, found } = plan;
  if (options.resume === true) {
    if (found === undefined) throw refuseFolder(shown, 'no run to resume', 'leave out --resume to start one');
    if (found.sceneText !== undefined && found.sceneText !== sceneText) {
      throw refuseFolder(
        shown,
        'a run of another scene, or of this one with other values',
        describeDifference(found.sceneText, sceneText),
      );
    }
    return;
  }
  if (options.overwrite === true) return;
  const elsewhere = 'choose another folder with --out, or add --overwrite to replace it';
  if (found === undefined) {
    // images and videos without a run are those of `heddle render SCENE`
    const taken = findResults(folder, scene.name).find((file) => !/\.(png|mp4)$/.test(file));
    if (taken !== undefined) throw refuseFolder(shown, `${taken}, but no Heddle run`, elsewhere);
    return;
  }
  if (found.sceneText === undefined) return;
  const before = readName(found.sceneText);
  if (before !== scene.name) throw refuseFolder(shown, `a run of "${before}"`, elsewhere);
  if (found.summary !== undefined) return;
  if (found.sceneText !== sceneText) {
    throw refuseFolder(shown, `an unfinished run of "${before}" with other values`, elsewhere);
  }
  if (found.checkpoint === undefined) return;
  const reached = `an unfinished run of "${before}" up to ${formatShort(found.checkpoint.time)} s`;
  throw refuseFolder(shown, reached, 'continue with --resume, or add --overwrite to start again');
}

function readName(sceneText: string): string {
  return String((JSON.parse(sceneText) as { name?: unknown }).name);
}

/** The first line in which two scenes differ, and what to do. */
function describeDifference(before: string, now: string): string {
  const [linesBefore, linesNow] = [before.split('\n'), now.split('\n')];
  const at = linesNow.findIndex((line, index) => line !== linesBefore[index]);
  const difference = `first difference in scene.json, line ${at + 1}: ${(linesBefore[at] ?? '').trim()} there, ${(linesNow[at] ?? '').trim()} now`;
  return `${difference}. Give the same scene and --set, or leave out --resume`;
}

function openRecorder(plan: Plan, resumed: boolean): RunRecorder {
  const { world, folder, scene, sceneText, found } = plan;
  if (resumed && found?.checkpoint !== undefined) {
    world.load(found.checkpoint.state);
    return RunRecorder.reopen(folder, found.checkpointEnd);
  }
  const columns = ['time', ...world.probeColumns];
  const recorder = RunRecorder.create(folder, { text: sceneText, name: scene.name }, columns);
  plan.writeCopies();
  return recorder;
}

function announce(plan: Plan, resumed: boolean, context: Context): void {
  const { scene, world, until } = plan;
  const from = resumed ? `, resumed at ${formatShort(world.time)} s` : '';
  context.stdout.write(
    `${scene.title} (${scene.name}): ${world.nodeCount} nodes, ${formatShort(until)} s in steps of ${formatShort(scene.time.step)} s${from}\n`,
  );
}

/** What runs without compiled kernels. */
function describeTwins({ objects }: Scene): string {
  const numbers = objects.some(({ type }) => type === 'mpm')
    ? 'with the same results, except that MPM particles are then computed in double precision'
    : 'with the same results';
  return `WebAssembly with SIMD is not available here; slower code runs instead, ${numbers}.`;
}

function writeSummary(folder: string, summary: RunSummary): void {
  writeWhole(join(folder, 'summary.json'), `${JSON.stringify(summary, null, 2)}\n`);
}

/** After the last step: result files, exports, the summary on stdout, the expectations. */
async function conclude(summary: RunSummary, plan: Plan, options: RunOptions, context: Context): Promise<void> {
  const { folder, shown, scene } = plan;
  await writeProbeFiles(folder, scene, plan.world.probeUnits);
  writeSummary(folder, summary);
  const resampled: ExportOptions =
    options.resample === undefined ? {} : { samples: options.resample === true ? 'auto' : options.resample };
  const notes = await exportRun(folder, scene, computeBodyGeometry(plan.world, scene), options.format, resampled);
  if (options.format.includes(PICTURES)) {
    const silent = { ...context.stdout, isTerminal: false, write: () => {} };
    await render(
      folder,
      { size: [1280, 720], every: 1 },
      options.json === true ? { ...context, stdout: silent } : context,
    );
  }
  if (options.json === true) context.stdout.write(`${JSON.stringify(summary)}\n`);
  else context.stdout.write(describeSummary(summary, shown));
  for (const note of notes) context.stderr.write(`${note}\n`);
  const broken = describeBrokenExpectations(summary);
  if (broken.length === 0) return;
  // the scene states how it ends as it is written; with other values it may well end otherwise
  const judged = options.set.length === 0 || options.set.some((assignment) => assignment.startsWith('expect'));
  if (!judged) {
    const other = `${broken.length} of ${summary.expect.length} expectations`;
    context.stderr.write(`With the values of --set the scene does not end as it states: ${other} fail.\n`);
    return;
  }
  for (const sentence of broken) context.stderr.write(`${sentence}\n`);
  context.exitCode = 1;
}

function explainResume(
  why: string,
  argument: string,
  summary: RunSummary,
  plan: Plan,
  options: RunOptions,
  context: Context,
): void {
  const words = ['heddle', 'run', argument];
  for (const assignment of options.set) words.push('--set', assignment);
  if (options.out !== undefined) words.push('--out', options.out);
  if (options.until !== undefined) words.push('--until', String(options.until));
  for (const format of options.format) words.push('--format', format);
  for (const limit of options.limit) words.push('--limit', limit);
  words.push('--resume');
  if (options.json === true) context.stdout.write(`${JSON.stringify(summary)}\n`);
  context.stderr.write(
    `${why} at ${formatShort(summary.time)} s after ${summary.steps} steps; ${plan.shown} is complete up to there. Continue with:\n  ${words.map(quoteForShell).join(' ')}\n`,
  );
}

function quoteForShell(word: string): string {
  return /^[\w./=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
