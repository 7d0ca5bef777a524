// Draws diagrams of knots tight and prints the control points of src/patterns/knot-shapes.ts:
//     node scripts/tighten-knots.js [name]
// A knot starts as a diagram drawn by hand, the control points of a uniform cubic B-spline with straight ends on the x-axis.
// Stretches of it are moved at random; a move stays when it makes less of
//     (length − 0.85 distance of the ends)/radius + 0.5 Σ (spacing of control points/mean − 1)²
//     radius = ½ min(distance of parts that are no neighbours, radius of the sharpest bend)
// Moves are small beside the tube, so that no strand gets through another, and the ends stay outermost, so that it is not untied.
import { createRandom } from '../dist/math/index.js';

const PER_SPAN = 8;
/** What a radius of distance between the ends counts beside one of rope that is taken up: ends are kept short. */
const WIDTH = 0.15;
const UNEVEN = 0.5;

/** Two strands that twist `half` times (odd) round each other, joined over the top: the torus knot (2, half). */
function drawTorusKnot(half) {
  const [a, width] = [2.6, 2.6 * half];
  const strand = (phase) =>
    Array.from({ length: 2 * half + 1 }, (_, k) => {
      const angle = (Math.PI * k) / 2 + phase;
      return [(width * k) / (2 * half) - width / 2, -a * Math.cos(angle), a * Math.sin(angle)];
    });
  const w = width / 2;
  const side = [
    [w + 3.5, 4, 0],
    [w + 3, 8, 0],
    [w / 2, 10, 0],
  ];
  const otherSide = side.map(([x, y, z]) => [-x, y, z]).reverse();
  return [[-w - 3, 0, 0], ...strand(0), ...side, ...otherSide, ...strand(Math.PI), [w + 3, 0, 0]];
}

/** A bight whose end winds `half` times (even) round the standing part and goes through the bight: a twist knot. */
function drawTwistKnot(half) {
  const [a, width] = [2.6, 3.5 * half];
  const strand = (phase) =>
    Array.from({ length: 2 * half + 1 }, (_, k) => {
      const angle = (Math.PI * k) / 2 + phase;
      return [(width * k) / (2 * half), a * Math.cos(angle), a * Math.sin(angle)];
    });
  const bight = [
    [width + 4, 4.5, 0],
    [width + 9, 4.5, 0],
    [width + 12, 0, 0],
    [width + 9, -4.5, 0],
    [width + 4, -4.5, 0],
  ];
  const end = [
    [-4, -4, 2],
    [-4, -8, 3],
    [0, -10, 4],
    [width, -10, 6],
    [width + 5, -7, 7],
    [width + 7, -2, 6],
    [width + 7, 0, 2],
    [width + 8, 0, -3],
    [width + 12, 0, -5],
    [width + 16, 0, -2],
  ];
  return [[-4, 1, 0], ...strand(0), ...bight, ...strand(Math.PI).reverse(), ...end];
}

/** An overhand knot through whose loop a bight of the end goes instead of the end. */
const drawSlipKnot = () => [
  [-3, 0, 0],
  [0, 0, -2],
  [2, 0, -4],
  [5, 0, 1],
  [9, 0, 3.5],
  [13, 1, 1],
  [14, 5, 0],
  [12, 9, -2],
  [8, 10, -3.5],
  [4, 9, -2],
  [2, 6, 0],
  [2, 2, 3],
  [2, -3, 3],
  [3, -7, -1],
  [6, -7, -3],
  [7, -3, -3],
  [7.5, 2, -1.5],
  [7.5, 7, 1.5],
  [7, 12, 2],
  [6, 16, 0],
  [9, 20, 0],
  [12, 16, 0],
  [11, 12, 2],
  [10.5, 7, 1.5],
  [10.5, 2, -1.5],
  [11, -3, -3],
  [14, -5, -2],
  [18, -2, 0],
];

/** Diagram, whether it is to stay the same when turned end for end about y, how often moves are tried (a slip knot would be drawn open in the end). */
const DIAGRAMS = {
  overhand: [drawTorusKnot(3), true, 100000],
  'double-overhand': [drawTorusKnot(5), true, 100000],
  'figure-eight': [drawTwistKnot(2), false, 100000],
  stevedore: [drawTwistKnot(4), false, 100000],
  slip: [drawSlipKnot(), false, 15000],
};

/** Three points of the axis before and after, evenly spaced: the spline leaves straight. */
function addTails(control) {
  const axis = (x) => [x, 0, 0];
  const [first, last] = [control[0][0], control.at(-1)[0]];
  return [...[6, 4, 2].map((d) => axis(first - d)), ...control, ...[2, 4, 6].map((d) => axis(last + d))];
}

const WEIGHTS = Array.from({ length: PER_SPAN }, (_, k) => {
  const t = k / PER_SPAN;
  return [(1 - t) ** 3 / 6, (3 * t ** 3 - 6 * t ** 2 + 4) / 6, (-3 * t ** 3 + 3 * t ** 2 + 3 * t + 1) / 6, t ** 3 / 6];
});

function sample(p) {
  const n = (p.length / 3 - 3) * PER_SPAN;
  const x = new Float64Array(3 * n);
  for (let i = 0; i < n; i++) {
    const w = WEIGHTS[i % PER_SPAN];
    const at = 3 * Math.floor(i / PER_SPAN);
    for (let k = 0; k < 3; k++)
      x[3 * i + k] = w[0] * p[at + k] + w[1] * p[at + 3 + k] + w[2] * p[at + 6 + k] + w[3] * p[at + 9 + k];
  }
  return x;
}

const distance = (x, i, j) =>
  Math.sqrt((x[3 * i] - x[3 * j]) ** 2 + (x[3 * i + 1] - x[3 * j + 1]) ** 2 + (x[3 * i + 2] - x[3 * j + 2]) ** 2);

/** Radius of curvature ‖c′‖³/‖c′ × c″‖ at sample i. */
function computeBendRadius(p, i) {
  const t = (i % PER_SPAN) / PER_SPAN;
  const at = 3 * Math.floor(i / PER_SPAN);
  const [first, second] = [new Float64Array(3), new Float64Array(3)];
  for (let k = 0; k < 3; k++) {
    const [a, b, c, d] = [p[at + k], p[at + 3 + k], p[at + 6 + k], p[at + 9 + k]];
    first[k] = (-((1 - t) ** 2) * a + (3 * t * t - 4 * t) * b + (1 + 2 * t - 3 * t * t) * c + t * t * d) / 2;
    second[k] = (1 - t) * a + (3 * t - 2) * b + (1 - 3 * t) * c + t * d;
  }
  const [x, y, z] = first;
  const [u, v, w] = second;
  return Math.hypot(x, y, z) ** 3 / Math.hypot(y * w - z * v, z * u - x * w, x * v - y * u);
}

function measure(p) {
  const x = sample(p);
  const n = x.length / 3;
  for (let i = 0; i < n; i++) if (x[3 * i] < x[0] || x[3 * i] > x[3 * n - 3]) return { value: Infinity, radius: 0 };
  const at = new Float64Array(n);
  for (let i = 1; i < n; i++) at[i] = at[i - 1] + distance(x, i - 1, i);
  let radius = Infinity;
  for (let i = 0; i < n; i++) radius = Math.min(radius, (computeBendRadius(p, i) || Infinity) / 2);
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++) {
      if (at[j] - at[i] < Math.PI * radius) continue;
      // this far apart along the curve nothing before is nearer
      const d = distance(x, i, j);
      if (d < 2 * radius) radius = d / 2;
      else j += Math.max(0, Math.floor((d - 2 * radius) / (at[n - 1] / n) / 3) - 1);
    }
  return { value: (at[n - 1] - (1 - WIDTH) * (x[3 * n - 3] - x[0])) / radius + UNEVEN * sumUnevenness(p), radius };
}

function sumUnevenness(p) {
  const lengths = Array.from({ length: p.length / 3 - 1 }, (_, i) => distance(p, i, i + 1));
  const mean = lengths.reduce((a, b) => a + b) / lengths.length;
  return lengths.reduce((sum, length) => sum + (length / mean - 1) ** 2, 0);
}

/** A stretch of control points moved in a random direction; the tails keep to the axis. */
function move(p, symmetric, random, size) {
  const q = Float64Array.from(p);
  const n = p.length / 3;
  const centre = random.integer(1, n - 2);
  const width = 0.4 + 3 * random.uniform();
  const direction = random.direction();
  for (let i = 0; i < n; i++) {
    const weight = size * Math.exp(-(((i - centre) / width) ** 2));
    for (let k = 0; k < 3; k++) q[3 * i + k] += weight * direction[k];
  }
  for (const [a, b, c] of [
    [0, 1, 2],
    [n - 1, n - 2, n - 3],
  ]) {
    for (const i of [a, b, c]) q[3 * i + 1] = q[3 * i + 2] = 0;
    q[3 * a] = 2 * q[3 * b] - q[3 * c];
  }
  if (symmetric)
    for (let i = 0; i < n / 2; i++) {
      const j = n - 1 - i;
      if (i === j) q[3 * i] = q[3 * i + 2] = 0;
      [q[3 * j], q[3 * j + 1], q[3 * j + 2]] = [-q[3 * i], q[3 * i + 1], -q[3 * i + 2]];
    }
  return q;
}

function tighten(control, symmetric, attempts) {
  const random = createRandom(7);
  let p = Float64Array.from(addTails(control).flat());
  let { value, radius } = measure(p);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const q = move(p, symmetric, random, radius * 0.4 * random.uniform() ** 4);
    const measured = measure(q);
    if (measured.value < value) [p, value, radius] = [q, measured.value, measured.radius];
  }
  return { p, value, radius };
}

for (const [name, [diagram, symmetric, attempts]] of Object.entries(DIAGRAMS)) {
  if (process.argv[2] !== undefined && process.argv[2] !== name) continue;
  const { p, value, radius } = tighten(diagram, symmetric, attempts);
  const middle = (p[3] + p[p.length - 6]) / 2;
  const rows = [];
  for (let i = 0; i < p.length; i += 3)
    rows.push([p[i] - middle, p[i + 1], p[i + 2]].map((c) => `${Math.round((c / radius) * 100) / 100 + 0}`).join(', '));
  console.log(`${name}: ${rows.length} points, ${value.toFixed(1)}\n${rows.join(', ')}`);
}
