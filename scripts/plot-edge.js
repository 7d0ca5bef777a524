// Draws docs/pictures/edge-speeds.svg anew: node scripts/plot-edge.js
// Speed of the material 3 cm before and after the edge of strand-edge over time, with E-nodes and with Lagrangian nodes only.
// Needs a built package (npm run build).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { compile, parseScene } from '../dist/index.js';
import { root } from './setup.js';

const target = join(root, 'docs/pictures/edge-speeds.svg');
/** Size of the picture and of one panel, and where panels begin [px]. */
const WIDTH = 860;
const PANEL = { width: 770, height: 190, left: 68, tops: [46, 286] };
/** What is shown: time [s] and speed [m/s]. */
const SPAN = 2;
const FASTEST = 1.6;
const CURVES = [
  { column: 'before.speed', colour: '#1f6fd6', words: '3 cm before the edge' },
  { column: 'after.speed', colour: '#d6401f', words: '3 cm after the edge' },
];

/** Rows of [time, before, after], one a step. */
function measure(mode) {
  const scene = parseScene(readFileSync(join(root, 'scenes/strand-edge.json'), 'utf8'));
  const world = compile({ ...scene, objects: [{ ...scene.objects[0], mode }] });
  const values = new Float64Array(world.probeColumns.length);
  const columns = CURVES.map(({ column }) => world.probeColumns.indexOf(column));
  const rows = [];
  for (let n = 0; world.time < SPAN - 1e-9; n++) {
    if (n > 0) world.step();
    world.writeProbes(values);
    rows.push([world.time, ...columns.map((k) => values[k])]);
  }
  return rows;
}

const x = (time) => PANEL.left + (time / SPAN) * PANEL.width;
const y = (speed, top) => top + ((FASTEST - speed) / (2 * FASTEST)) * PANEL.height;
const clamp = (speed) => Math.min(FASTEST, Math.max(-FASTEST, speed));
const label = (px, py, words, more = '') => `<text x="${px}" y="${py}" ${more}>${words}</text>`;
const line = (x1, y1, x2, y2, colour) => `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${colour}"/>`;

function drawPanel(rows, top, title) {
  const bottom = top + PANEL.height;
  const right = PANEL.left + PANEL.width;
  const parts = [label(PANEL.left, top - 10, title, 'font-weight="bold"')];
  for (const speed of [-1.5, -1, -0.5, 0, 0.5, 1, 1.5]) {
    const at = y(speed, top).toFixed(1);
    parts.push(line(PANEL.left, at, right, at, speed === 0 ? '#888' : '#ddd'));
    parts.push(label(PANEL.left - 8, Number(at) + 4, speed, 'text-anchor="end"'));
  }
  for (const time of [0, 0.5, 1, 1.5, 2]) {
    parts.push(line(x(time), top, x(time), bottom, '#ddd'));
    parts.push(label(x(time), bottom + 16, time, 'text-anchor="middle"'));
  }
  const middle = top + PANEL.height / 2;
  parts.push(
    label(20, middle, 'speed [m/s]', `text-anchor="middle" transform="rotate(-90 20 ${middle})"`),
    label(right, bottom + 32, 'time [s]', 'text-anchor="end"'),
  );
  CURVES.forEach(({ colour }, k) => {
    const points = rows.map((row) => `${x(row[0]).toFixed(1)},${y(clamp(row[k + 1]), top).toFixed(1)}`).join(' ');
    // the second curve is dashed, so that the first one shows where they are the same
    const dash = k === 1 ? ' stroke-dasharray="6 6"' : '';
    parts.push(`<polyline fill="none" stroke="${colour}" stroke-width="1.6"${dash} points="${points}"/>`);
  });
  return parts.join('\n');
}

function drawLegend(py) {
  return CURVES.map(({ colour, words }, k) => {
    const px = PANEL.left + 190 * k;
    const dash = k === 1 ? ' stroke-dasharray="6 6"' : '';
    const sample = `<line x1="${px}" y1="${py - 4}" x2="${px + 26}" y2="${py - 4}" stroke="${colour}" stroke-width="2"${dash}/>`;
    return sample + label(px + 34, py, words);
  }).join('\n');
}

const height = PANEL.tops[1] + PANEL.height + 66;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="13">
<title>Speed of the material before and after the edge over time</title>
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
${drawPanel(measure('eol'), PANEL.tops[0], 'E-node at the edge')}
${drawPanel(measure('lagrangian'), PANEL.tops[1], 'Lagrangian nodes only')}
${drawLegend(height - 16)}
</svg>
`;
mkdirSync(join(root, 'docs/pictures'), { recursive: true });
writeFileSync(target, svg);
console.log(`${relative(process.cwd(), target)}  ${Math.round(svg.length / 1000)} kB`);
