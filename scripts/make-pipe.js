// Writes scenes/elbow.obj, the pipe of rod-pipe.json: node scripts/make-pipe.js
// A round pipe with two straight pieces and a bend of 90° between them, in the xy-plane: it comes in along +x at y = 0, bends about
// (0, R) and goes out along +y at x = R. A quarter of its wall, towards +z, is cut away, so that one sees what is inside.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.js';

/** Radius of the bend, inner and outer radius, and length of a straight piece [m]. */
const [BEND, INNER, OUTER, STRAIGHT] = [0.1, 0.01, 0.0125, 0.08];
/** Flat sides of the three quarters of the wall, and of the bend. */
const [SIDES, RINGS] = [9, 24];

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
/** One loop about the wall: along the inside, and back along the outside. */
const addLoop = ({ centre, away }) => {
  const first = vertices.length + 1;
  for (let j = 0; j < 2 * (SIDES + 1); j++) {
    const isInside = j <= SIDES;
    const side = isInside ? j : 2 * SIDES + 1 - j;
    const angle = (3 * Math.PI) / 4 + (1.5 * Math.PI * side) / SIDES;
    const radius = isInside ? INNER : OUTER;
    const [c, s] = [radius * Math.cos(angle), radius * Math.sin(angle)];
    vertices.push([centre[0] + c * away[0], centre[1] + c * away[1], s]);
  }
  return (j) => first + (j % (2 * (SIDES + 1)));
};
const loops = stations.map(addLoop);
for (let k = 0; k + 1 < loops.length; k++)
  for (let j = 0; j < 2 * (SIDES + 1); j++)
    faces.push([loops[k](j), loops[k](j + 1), loops[k + 1](j + 1), loops[k + 1](j)]);
/** The ends of the wall, side by side. */
for (const [loop, isFirst] of [
  [loops[0], true],
  [loops[loops.length - 1], false],
])
  for (let j = 0; j < SIDES; j++) {
    const corners = [loop(j), loop(j + 1), loop(2 * SIDES - j), loop(2 * SIDES + 1 - j)];
    faces.push(isFirst ? corners.reverse() : corners);
  }
const lines = [
  '# A pipe with a bend of 90°; written by scripts/make-pipe.js',
  ...vertices.map((v) => `v ${v.map((value) => Number(value.toFixed(7))).join(' ')}`),
  ...faces.map((corners) => `f ${corners.join(' ')}`),
];
writeFileSync(join(root, 'scenes/elbow.obj'), `${lines.join('\n')}\n`);
