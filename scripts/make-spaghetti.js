// Writes scenes/rod-spaghetti.json and the bowl beside it, scenes/bowl.obj:
//     node scripts/make-spaghetti.js [number of rods]
// The rods are a pile of heddle/patterns with a fixed seed, above a bowl that is turned about y; needs a build (npm run build).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPile } from '../dist/patterns/index.js';
import { root } from './setup.js';

const COUNT = Number(process.argv[2] ?? 20);
const [LENGTH, RADIUS, SEGMENTS, SEED] = [0.25, 0.0012, 12, 7];
/** Height of the pile's lowest place above the bottom of the bowl [m]. */
const BOTTOM = 0.075;
/** Of all rods, which the bowl bears in the end [N]. */
const WEIGHT = COUNT * 1100 * Math.PI * RADIUS ** 2 * LENGTH * 9.81;
/** Sides of the bowl, and its wall [m]. */
const [SIDES, WALL] = [24, 0.006];

/** The inner side of the bowl from the middle of its bottom to the rim: radius and height [m]. */
const INSIDE = [
  [0, 0],
  [0.055, 0],
  [0.085, 0.006],
  [0.112, 0.02],
  [0.132, 0.041],
  [0.145, 0.07],
  [0.152, 0.105],
];

function createBowl() {
  const outside = INSIDE.map(([radius, height], k) => {
    const [a, b] = [INSIDE[Math.max(0, k - 1)], INSIDE[Math.min(INSIDE.length - 1, k + 1)]];
    const size = Math.hypot(b[0] - a[0], b[1] - a[1]);
    const [across, down] = [(WALL * (b[1] - a[1])) / size, (WALL * (b[0] - a[0])) / size];
    return k === 0 ? [0, -WALL] : [radius + across, k === INSIDE.length - 1 ? height : height - down];
  });
  const profile = [...INSIDE, ...outside.reverse()];
  const vertices = [];
  const faces = [];
  const rings = profile.map(([radius, height]) => {
    const count = radius === 0 ? 1 : SIDES;
    const first = vertices.length + 1;
    for (let j = 0; j < count; j++) {
      const angle = (2 * Math.PI * j) / SIDES;
      vertices.push([radius * Math.cos(angle), height, radius * Math.sin(angle)]);
    }
    return (j) => first + (j % count);
  });
  for (let k = 0; k + 1 < rings.length; k++)
    for (let j = 0; j < SIDES; j++) {
      const [a, b, c, d] = [rings[k](j), rings[k](j + 1), rings[k + 1](j + 1), rings[k + 1](j)];
      if (a === b) faces.push([a, c, d]);
      else if (c === d) faces.push([a, b, c]);
      else faces.push([a, b, c, d]);
    }
  const lines = [
    '# A bowl, turned about y; written by scripts/make-spaghetti.js',
    ...vertices.map((v) => `v ${v.map((value) => Number(value.toFixed(6))).join(' ')}`),
    ...faces.map((corners) => `f ${corners.join(' ')}`),
  ];
  return `${lines.join('\n')}\n`;
}

const round = (value) => Number(value.toFixed(5));

function createObjects() {
  const pile = createPile({
    count: COUNT,
    length: LENGTH,
    radius: RADIUS,
    extent: 0.135,
    seed: SEED,
    segments: SEGMENTS,
    bottom: BOTTOM,
  });
  return pile.map(({ points }, n) => {
    const at = (i) => [0, 1, 2].map((k) => round(points[3 * i + k]));
    return {
      type: 'rod',
      id: `s${n + 1}`,
      material: 'pasta',
      mode: 'lagrangian',
      points: [at(0), at(SEGMENTS)],
      restLength: LENGTH,
      segments: SEGMENTS,
      damping: { mass: 2, stiffness: 0.02 },
    };
  });
}

const objects = createObjects();
const highest = Math.max(...objects.flatMap(({ points }) => points.map(([, y]) => y)));
console.log(`${objects.length} rods up to ${highest.toFixed(3)} m`);

const scene = {
  heddle: 1,
  name: 'rod-spaghetti',
  title: 'Spaghetti',
  description: `A serving of ${COUNT} cooked spaghetti drops into a bowl, flops over its side and over each other, and comes to rest.`,
  materials: {
    pasta: { density: 1100, radius: RADIUS, youngsModulus: 5e5, poissonRatio: 0.45, friction: 0.2 },
  },
  objects: '@objects',
  bodies: [{ id: 'bowl', shape: { type: 'mesh', file: 'bowl.obj' }, friction: 0.2 }],
  probes: [
    { id: 'bowl', type: 'contactForce', body: 'bowl' },
    { id: 'energy', type: 'energy' },
    { id: 'momentum', type: 'momentum' },
  ],
  expect: [
    { probe: 'bowl.y', min: round(-1.002 * WEIGHT), max: round(-0.998 * WEIGHT) },
    { probe: 'energy.kinetic', max: 1e-8 },
  ],
  time: { step: 0.004, duration: 0.6 },
  output: { framesPerSecond: 50 },
  view: {
    nodes: false,
    bar: true,
    camera: { position: [0.16, 0.46, 0.3], target: [0, 0.02, 0.02], fieldOfView: 36 },
  },
};
const text = JSON.stringify(scene, undefined, 2).replace(
  '"@objects"',
  `[\n${objects.map((object) => `    ${JSON.stringify(object)}`).join(',\n')}\n  ]`,
);
writeFileSync(join(root, 'scenes/bowl.obj'), createBowl());
writeFileSync(join(root, 'scenes/rod-spaghetti.json'), `${text}\n`);
