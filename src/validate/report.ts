/** The report of laws as one page: a summary, and for each law its statement, a plot (predicted curve, measured marks) and its rows. Needs nothing but itself. */

import { encodeLinePlot, escapeText, type PlotCurve } from '../io/index.ts';
import { type Faults, LAW_MODELS, type LawModel } from './law.ts';
import { LAWS } from './laws.ts';
import type { LawResult, LawRow } from './run.ts';

/** Six digits, and no more zeros than they need; the two sides of a threshold; a dash where nothing could be measured. */
export function formatMeasured(measured: LawRow['measured']): string {
  const one = (value: number): string => (Number.isFinite(value) ? String(Number(value.toPrecision(6))) : '–');
  return typeof measured === 'number' ? one(measured) : `${one(measured[0])} … ${one(measured[1])}`;
}

/** In per cent, down to the smallest with two digits. */
export function formatError(error: number): string {
  if (!Number.isFinite(error)) return '–';
  const percent = 100 * error;
  return `${percent === 0 || percent >= 0.001 ? Number(percent.toPrecision(2)) : percent.toExponential(0)} %`;
}

export const formatOrder = (order: number | undefined): string => (order === undefined ? '–' : order.toFixed(1));

const STYLE = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1c1e21; --soft: #5b6068; --line: #d5d8dd; --pass: #1a6b35; --fail: #b3261e; --one: #1f6fd6; --two: #b3441a; }
@media (prefers-color-scheme: dark) { :root { --paper: #15171a; --ink: #e8eaed; --soft: #a8adb5; --line: #3a3f46; --pass: #7fd79b; --fail: #ff9a90; --one: #7fb2ff; --two: #ffa27a; } }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
h1, h2, h3 { line-height: 1.25; } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
a { color: var(--one); } .soft { color: var(--soft); } .scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; } caption { text-align: left; padding: 0.3rem 0; color: var(--soft); }
th, td { padding: 0.15rem 0.8rem 0.15rem 0; text-align: right; border-bottom: 1px solid var(--line); } th:first-child, td:first-child { text-align: left; }
.pass { color: var(--pass); } .fail { color: var(--fail); font-weight: bold; }
svg { max-width: 100%; height: auto; } svg .paper { fill: var(--paper); } svg .grid { stroke: var(--line); } svg text { fill: var(--ink); }
svg [stroke="#1f6fd6"] { stroke: var(--one); } svg [stroke="#d6401f"] { stroke: var(--two); } svg [stroke="#2a8c4a"] { stroke: var(--pass); }
`;

const say = (passes: boolean): string =>
  `<span class="${passes ? 'pass' : 'fail'}">${passes ? 'holds' : 'fails'}</span>`;

/** `plots`: of `encodeLawPlot`, by law. */
export function encodeValidationReport(
  results: readonly LawResult[],
  plots: ReadonlyMap<string, string>,
  faults: Faults = {},
): string {
  const held = results.filter(({ passes }) => passes).length;
  const wrong = Object.entries(faults).map(([name, factor]) => `${name} × ${factor}`);
  const models = LAW_MODELS.filter((model) => results.some((result) => result.model === model));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Heddle: validation</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Heddle: validation</h1>
<p>${results.length} laws, ${held} hold, ${results.length - held} fail. Each is predicted without the engine and measured on it. A value passes with an error of at most 1 % where nothing else is said; a threshold passes where nothing has given way 2 % below it, and everything 2 % above.</p>
${wrong.length === 0 ? '' : `<p class="fail">Made wrong on purpose: ${escapeText(wrong.join(', '))}.</p>\n`}${encodeSummary(results)}
${models.map((model) => encodeModel(model, results, plots)).join('\n')}
</main>
</body>
</html>
`;
}

function encodeSummary(results: readonly LawResult[]): string {
  const rows = results.map(
    ({ name, title, rows: own, order, passes }) =>
      `<tr><td><a href="#${name}">${escapeText(title)}</a></td><td>${formatError(worstOf(own))}</td><td>${formatOrder(order)}</td><td>${say(passes)}</td></tr>`,
  );
  return `<div class="scroll" tabindex="0" role="region" aria-label="Summary"><table>
<caption>Summary</caption>
<thead><tr><th scope="col">law</th><th scope="col">largest error</th><th scope="col">order</th><th scope="col">result</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table></div>`;
}

/** Largest error on the finest resolution. */
export const worstOf = (rows: readonly LawRow[]): number =>
  Math.max(...rows.map(({ errors }) => errors[errors.length - 1]));

const encodeModel = (model: LawModel, results: readonly LawResult[], plots: ReadonlyMap<string, string>): string =>
  `<section>
<h2>${model}</h2>
${results
  .filter((result) => result.model === model)
  .map((result) => encodeLaw(result, plots.get(result.name) ?? ''))
  .join('\n')}
</section>`;

function encodeLaw(result: LawResult, plot: string): string {
  const { name, title, source, resolution, resolutions, order, leastOrder, passes } = result;
  const meshes =
    resolutions.length === 0
      ? ''
      : ` Measured with ${resolutions.join(', ')} ${escapeText(resolution)}${order === undefined ? '' : `: order ${formatOrder(order)}${leastOrder === undefined ? '' : `, at least ${leastOrder} is asked for`}`}.`;
  return `<article id="${name}">
<h3>${escapeText(title)}: ${say(passes)}</h3>
<p class="soft">${escapeText(name)}. ${escapeText(source)}.${meshes}</p>
${plot}
${encodeRows(result)}
</article>`;
}

/** Points of a predicted curve. */
const CURVE_POINTS = 40;

/** Predicted curve and measured marks; empty where there is nothing to draw. */
export function encodeLawPlot(result: LawResult): string {
  const law = LAWS.find(({ name }) => name === result.name);
  const { rows } = result;
  // a number that is the same for all parameters says nothing as a curve
  if (law === undefined || rows.length < 2 || rows.every(({ predicted }) => predicted === rows[0].predicted)) return '';
  const { isLogarithmic = false, isLogarithmicX = false, isSampled = true } = law.plot ?? {};
  const [first, last] = [rows[0].parameter, rows[rows.length - 1].parameter];
  const along = (share: number): number =>
    isLogarithmicX ? first * (last / first) ** share : first + (last - first) * share;
  const predicted: PlotCurve['points'] = isSampled
    ? Array.from({ length: CURVE_POINTS + 1 }, (_, k) => along(k / CURVE_POINTS)).map(
        (x) => [x, law.predict(x)] as const,
      )
    : rows.map((row) => [row.parameter, row.predicted] as const);
  const pick = (side: 0 | 1): PlotCurve['points'] =>
    rows.map(
      ({ parameter, measured }) => [parameter, typeof measured === 'number' ? measured : measured[side]] as const,
    );
  const marks: PlotCurve[] =
    result.kind === 'value'
      ? [{ name: 'measured', points: pick(0), isMarked: true }]
      : [
          { name: 'stays', points: pick(0), isMarked: true },
          { name: 'gives way', points: pick(1), isMarked: true },
        ];
  return encodeLinePlot({
    title: result.name,
    xLabel: result.parameter,
    yLabel: result.quantity,
    isLogarithmic,
    isLogarithmicX,
    curves: [{ name: 'predicted', points: predicted }, ...marks],
  });
}

function encodeRows({ name, parameter, quantity, rows }: LawResult): string {
  const cells = rows.map(
    (row) =>
      `<tr><td>${row.parameter}</td><td>${Number(row.predicted.toPrecision(6))}</td><td>${formatMeasured(row.measured)}</td><td>${row.errors.map(formatError).join(', ')}</td><td>${formatOrder(row.order)}</td><td>${row.passes ? '<span class="pass">pass</span>' : `<span class="fail">fail</span>${row.fault === undefined ? '' : ` ${escapeText(row.fault)}`}`}</td></tr>`,
  );
  return `<div class="scroll" tabindex="0" role="region" aria-label="Rows of ${name}"><table>
<caption>${escapeText(parameter)} → ${escapeText(quantity)}</caption>
<thead><tr><th scope="col">parameter</th><th scope="col">predicted</th><th scope="col">measured</th><th scope="col">error</th><th scope="col">order</th><th scope="col">result</th></tr></thead>
<tbody>
${cells.join('\n')}
</tbody>
</table></div>`;
}
