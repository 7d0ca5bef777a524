/** `heddle validate`: measures the engine against the laws of mechanics, and says which pass. */

import { join, resolve } from 'node:path';
import { HeddleError } from '../model/errors.ts';
import { suggest } from '../model/nearest.ts';
import {
  encodeLawPlot,
  encodeValidationMarkdown,
  encodeValidationReport,
  type FaultResult,
  type Faults,
  formatError,
  formatMeasured,
  formatOrder,
  LAW_MODELS,
  LAWS,
  type Law,
  type LawResult,
  type LawRow,
  runFaults,
  runLaw,
} from '../validate/index.ts';
import { padCells } from './cells.ts';
import type { Context } from './context.ts';
import { makeFolder, showPath, writeWhole } from './files.ts';
import { FACTOR, type ValidateOptions } from './validate.ts';

export function runValidate(name: string | undefined, options: ValidateOptions, context: Context): void {
  const laws = selectLaws(name);
  if (options.list === true) listLaws(laws, options.json === true, context);
  else if (options.faults === true) runAllFaults(laws, options, context);
  else runLaws(laws, options, context);
}

function selectLaws(name: string | undefined): readonly Law[] {
  const laws = LAWS.filter((law) => name === undefined || law.model === name || law.name === name);
  if (laws.length > 0) return laws;
  const known = [
    ...LAW_MODELS.filter((model) => LAWS.some((law) => law.model === model)),
    ...LAWS.map((law) => law.name),
  ];
  throw new HeddleError(
    `"${name}" is neither a model with laws nor a law.${suggest(name ?? '', known, 'Models and laws')}`,
  );
}

function listLaws(laws: readonly Law[], isJson: boolean, { stdout }: Context): void {
  if (isJson)
    stdout.write(
      `${JSON.stringify({ laws: laws.map(({ name, model, title, source, stiffnesses }) => ({ name, model, title, source, stiffnesses })) }, null, 2)}\n`,
    );
  else for (const { name, title } of laws) stdout.write(`${name.padEnd(28)}${title}\n`);
}

function runAllFaults(laws: readonly Law[], { json, report, scaleStiffness }: ValidateOptions, context: Context): void {
  if (report !== undefined || Object.keys(scaleStiffness).length > 0)
    throw new HeddleError('--faults sets its own faults; leave out --report and --scale-stiffness.');
  const results: FaultResult[] = [];
  for (const law of laws)
    for (const result of runFaults(law, FACTOR)) {
      results.push(result);
      if (json !== true)
        context.stdout.write(
          `${padCells([result.law, result.stiffness, result.isNoticed ? 'noticed' : 'MISSED'], [28, 12, 8], 3)}\n`,
        );
    }
  const missed = results.filter(({ isNoticed }) => !isNoticed).length;
  if (json === true) context.stdout.write(`${JSON.stringify({ passes: missed === 0, faults: results }, null, 2)}\n`);
  else context.stdout.write(`${results.length} faults of ${FACTOR} in ${laws.length} laws, ${missed} not noticed\n`);
  if (missed > 0) context.exitCode = 1;
}

function runLaws(laws: readonly Law[], options: ValidateOptions, context: Context): void {
  const { json, markdown, report, scaleStiffness } = options;
  if (json === true && markdown === true)
    throw new HeddleError('--json and --markdown exclude each other; give one of them.');
  const folder = report === undefined ? undefined : resolve(context.folder, report);
  // a folder that cannot be made is said before minutes of work
  if (folder !== undefined) makeFolder(folder);
  const print = (text: string): void => {
    if (json !== true && markdown !== true) context.stdout.write(text);
  };
  const results: LawResult[] = [];
  for (const law of laws) {
    const result = runLaw(law, { faults: scaleStiffness });
    results.push(result);
    print(formatResult(result));
  }
  const failed = results.filter(({ passes }) => !passes);
  if (folder !== undefined) {
    writeReport(folder, results, scaleStiffness);
    print(`${showPath(join(folder, 'index.html'), context.folder)}\n`);
  }
  if (json === true)
    context.stdout.write(
      `${JSON.stringify({ passes: failed.length === 0, scaleStiffness, laws: results }, writeNumber, 2)}\n`,
    );
  if (markdown === true) context.stdout.write(encodeValidationMarkdown(results));
  const names = failed.length === 0 ? '' : `: ${failed.map((result) => result.name).join(', ')}`;
  print(`${results.length} laws, ${results.length - failed.length} pass, ${failed.length} fail${names}\n`);
  if (failed.length > 0) context.exitCode = 1;
}

/** The page, and a picture of each law that has one. */
function writeReport(folder: string, results: readonly LawResult[], faults: Faults): void {
  const plots = new Map(results.map((result) => [result.name, encodeLawPlot(result)]));
  writeWhole(join(folder, 'index.html'), encodeValidationReport(results, plots, faults));
  for (const [name, plot] of plots) if (plot !== '') writeWhole(join(folder, `${name}.svg`), plot);
}

/** JSON has no infinite numbers and no NaN: they are null. */
const writeNumber = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? null : value;

const WIDTHS = [14, 16, 24, 12, 8, 8];

const formatCells = (cells: readonly string[]): string => `  ${padCells(cells, WIDTHS, 0)}\n`;

function formatResult(result: LawResult): string {
  const { name, title, parameter, quantity, resolution, resolutions, rows, passes, order } = result;
  const meshes =
    resolutions.length === 0
      ? ''
      : `; ${resolution}: ${resolutions.join(', ')}${order === undefined ? '' : `, order ${formatOrder(order)}`}`;
  const head = formatCells(['parameter', 'predicted', 'measured', 'error', 'order', '']);
  return `${passes ? 'passes' : 'FAILS'}  ${name}: ${title}\n  ${parameter} → ${quantity}${meshes}\n${head}${rows.map(formatRow).join('')}\n`;
}

const formatRow = (row: LawRow): string =>
  formatCells([
    String(row.parameter),
    String(Number(row.predicted.toPrecision(6))),
    formatMeasured(row.measured),
    formatError(row.errors[row.errors.length - 1]),
    formatOrder(row.order),
    row.passes ? 'pass' : 'FAIL',
  ]) + (row.fault === undefined ? '' : `    ${row.fault}\n`);
