// Writes scenes/elbow.obj, the pipe of rod-pipe.json: node scripts/make-pipe.js
// A round pipe with two straight pieces and a bend of 90° between them, in the xy-plane: it comes in along +x at y = 0, bends about
// (0, R) and goes out along +y at x = R. Polygons are regular and stand with a side across the plane of the bend.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.js';

/** Radius of the bend, inner and outer radius, and length of a straight piece [m]. */
const [BEND, INNER, OUTER, STRAIGHT] = [0.1, 0.01, 0.0125, 0.08];
const [SIDES, RINGS] = [12, 24];

/** Points of the centre line with the direction that points away from the middle of the bend. */
const stations = [
  { centre: [-STRAIGHT, 0], away: [0, -1] },
  ...Array.from({ length: RINGS + 1 }, (_, k) => {
    const angle = (Math.PI / 2) * (k / RINGS);
    const away = [Math.sin(angle), -Math.cos(angle)];
    return { centre: [BEND * away[0], BEND + BEND * away[1]], away };
  }),
  { centre: [BEND, BEND + STRAIGHT], away: [1, 0] },
];

const vertices = [];
const faces = [];
const addRing = ({ centre, away }, radius) => {
  const first = vertices.length + 1;
  for (let j = 0; j < SIDES; j++) {
    const angle = (2 * Math.PI * (j + 0.5)) / SIDES;
    const [c, s] = [radius * Math.cos(angle), radius * Math.sin(angle)];
    vertices.push([centre[0] + c * away[0], centre[1] + c * away[1], s]);
  }
  return (j) => first + (j % SIDES);
};
/** Along the inside, over the far end, back along the outside and over the near end. */
const rings = [
  ...stations.map((station) => addRing(station, INNER)),
  ...[...stations].reverse().map((station) => addRing(station, OUTER)),
];
for (let k = 0; k < rings.length; k++)
  for (let j = 0; j < SIDES; j++) {
    const [a, b] = [rings[k], rings[(k + 1) % rings.length]];
    faces.push([a(j), a(j + 1), b(j + 1), b(j)]);
  }
const lines = [
  '# A pipe with a bend of 90°; written by scripts/make-pipe.js',
  ...vertices.map((v) => `v ${v.map((value) => Number(value.toFixed(7))).join(' ')}`),
  ...faces.map((corners) => `f ${corners.join(' ')}`),
];
writeFileSync(join(root, 'scenes/elbow.obj'), `${lines.join('\n')}\n`);
