/**
 * Curves and marks over one axis as SVG: for measurements in documents and beside CSV files. Axes begin at 0 or below and end at a round number;
 * logarithmic ones go from a power of ten to another. A page that shows it inline may colour `.paper`, `.grid` and `text` as it likes.
 */

export interface PlotCurve {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Marks at its points instead of lines between them. */
  readonly isMarked?: boolean;
}

export interface LinePlot {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly curves: readonly PlotCurve[];
  /** Logarithmic y: for curves of very different height; points at or below 0 are left out. */
  readonly isLogarithmic?: boolean;
  /** Logarithmic x: for parameters over decades. */
  readonly isLogarithmicX?: boolean;
}

/** Size of the picture and its axes [px]. */
const PICTURE = { width: 640, height: 400 } as const;
const AXES = { left: 84, right: 616, top: 44, bottom: 320 } as const;
/** One after the other; curves beyond them begin again. */
const COLOURS = ['#1f6fd6', '#d6401f', '#2a8c4a', '#8a4fc0', '#b8860b'];
/** Dashes, so that curves on one another all show. */
const DASHES = ['', '7 7', '2 5', '10 4 2 4', '4 4'];
/** Most lines across an axis. */
const MOST_TICKS = 6;

export function encodeLinePlot(plot: LinePlot): string {
  const isLog = plot.isLogarithmic === true;
  const isLogX = plot.isLogarithmicX === true;
  const curves = plot.curves.map((curve) => ({
    ...curve,
    points: curve.points.filter(
      ([x, y]) => Number.isFinite(x) && Number.isFinite(y) && (!isLog || y > 0) && (!isLogX || x > 0),
    ),
  }));
  const all = curves.flatMap(({ points }) => points);
  const xTicks = (isLogX ? listDecades : listTicks)(all.map(([x]) => x));
  const yTicks = (isLog ? listDecades : listTicks)(all.map(([, y]) => y));
  const place = (value: number, ticks: readonly number[], from: number, to: number, isLogAxis: boolean): number => {
    const map = isLogAxis ? Math.log10 : (one: number): number => one;
    const [a, b] = [map(ticks[0]), map(ticks[ticks.length - 1])];
    return from + ((map(value) - a) / (b - a)) * (to - from);
  };
  const px = (x: number): string => place(x, xTicks, AXES.left, AXES.right, isLogX).toFixed(1);
  const py = (y: number): string => place(y, yTicks, AXES.bottom, AXES.top, isLog).toFixed(1);
  const parts = [label(AXES.left, AXES.top - 18, plot.title, 'font-weight="bold"')];
  for (const x of xTicks) {
    parts.push(line(px(x), AXES.top, px(x), AXES.bottom, x === 0 ? '#888' : '#ddd'));
    parts.push(label(px(x), AXES.bottom + 18, formatTick(x), 'text-anchor="middle"'));
  }
  for (const y of yTicks) {
    parts.push(line(AXES.left, py(y), AXES.right, py(y), y === 0 ? '#888' : '#ddd'));
    parts.push(label(AXES.left - 8, Number(py(y)) + 4, formatTick(y), 'text-anchor="end"'));
  }
  const middle = (AXES.top + AXES.bottom) / 2;
  parts.push(label(AXES.right, AXES.bottom + 38, plot.xLabel, 'text-anchor="end"'));
  parts.push(label(18, middle, plot.yLabel, `text-anchor="middle" transform="rotate(-90 18 ${middle})"`));
  curves.forEach(({ name, points, isMarked }, k) => {
    const colour = COLOURS[k % COLOURS.length];
    const [left, middle] = [AXES.left + 110 * k, PICTURE.height - 18];
    if (isMarked === true) {
      for (const [x, y] of points) parts.push(mark(Number(px(x)), Number(py(y)), k, colour));
      parts.push(mark(left + 24, middle, k, colour));
    } else {
      const stroke = `stroke="${colour}" stroke-width="2" stroke-dasharray="${DASHES[k % DASHES.length]}"`;
      parts.push(`<polyline fill="none" ${stroke} points="${points.map(([x, y]) => `${px(x)},${py(y)}`).join(' ')}"/>`);
      parts.push(`<line x1="${left}" y1="${middle}" x2="${left + 30}" y2="${middle}" ${stroke}/>`);
    }
    parts.push(label(left + 38, PICTURE.height - 14, name));
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${PICTURE.width} ${PICTURE.height}" width="${PICTURE.width}" height="${PICTURE.height}" role="img" font-family="sans-serif" font-size="13">
<title>${escapeText(plot.title)}</title>
<rect class="paper" width="${PICTURE.width}" height="${PICTURE.height}" fill="#fff"/>
${parts.join('\n')}
</svg>
`;
}

/** Round numbers from 0, or the last below the least value, to the first above the largest. */
function listTicks(values: readonly number[]): number[] {
  const least = Math.min(0, ...values);
  const largest = Math.max(least === 0 ? 0 : least, ...values);
  const span = largest - least || 1;
  const power = 10 ** Math.floor(Math.log10(span / MOST_TICKS));
  const step = power * [1, 2, 5, 10].find((factor) => span / (power * factor) <= MOST_TICKS)!;
  const [first, last] = [Math.floor(least / step + 1e-9), Math.ceil((least + span) / step - 1e-9)];
  return Array.from({ length: last - first + 1 }, (_, n) => (first + n) * step);
}

/** Powers of ten around the values. */
function listDecades(values: readonly number[]): number[] {
  const logs = values.map(Math.log10);
  const first = values.length === 0 ? 0 : Math.floor(Math.min(...logs));
  const last = values.length === 0 ? 1 : Math.max(first + 1, Math.ceil(Math.max(...logs)));
  return Array.from({ length: last - first + 1 }, (_, n) => 10 ** (first + n));
}

const formatTick = (value: number): string => {
  const short = Number(value.toPrecision(6));
  return short !== 0 && (Math.abs(short) < 1e-3 || Math.abs(short) >= 1e6) ? short.toExponential() : String(short);
};

export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const label = (x: number | string, y: number, text: string, more = ''): string =>
  `<text x="${x}" y="${y}" ${more}>${escapeText(text)}</text>`;

const line = (
  x1: number | string,
  y1: number | string,
  x2: number | string,
  y2: number | string,
  colour: string,
): string => `<line class="grid" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${colour}"/>`;

/** A ring, a diamond or a cross, so that marks are told apart without their colours. */
function mark(x: number, y: number, k: number, colour: string): string {
  const path = [
    `M${x - 5} ${y}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0`,
    `M${x - 6} ${y}L${x} ${y - 6}L${x + 6} ${y}L${x} ${y + 6}Z`,
    `M${x - 5} ${y - 5}L${x + 5} ${y + 5}M${x - 5} ${y + 5}L${x + 5} ${y - 5}`,
  ][k % 3];
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`;
}
