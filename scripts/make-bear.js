// Makes scenes/bear.obj: the hull of a bear of 1.2 m, open at the top of its head, to be cloth.
//     node scripts/make-bear.js
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createBlendedSurface } from './blended-surface.js';

/** Side of the grid, about as long as the edges of triangles, and where the head is cut off [m]. y is up, the face looks along z. */
const CELL = 0.06;
const OPENING = 1.06;
const HOLE = 0.19;

const ball = (centre, radius) => [centre, [centre[0], centre[1], centre[2] + 1e-6], radius, radius];
const capsules = [[[0, 0.42, 0], [0, 0.72, 0], 0.25, 0.22], ball([0, 0.98, 0], 0.225), ball([0, 0.93, 0.19], 0.08)];
for (const side of [-1, 1])
  capsules.push(
    ball([0.24 * side, 1.13, 0], 0.08),
    [[0.17 * side, 0.72, 0], [0.43 * side, 0.56, 0.06], 0.1, 0.085],
    [[0.14 * side, 0.32, 0.02], [0.2 * side, 0.12, 0.06], 0.12, 0.105],
    ball([0.21 * side, 0.1, 0.14], 0.08),
  );

const skin = createBlendedSurface({
  capsules,
  blend: 0.06,
  cell: CELL,
  low: [-0.7, -0.1, -0.4],
  size: [1.4, 1.45, 0.85],
});
const isOpen = (v) => skin.vertices[v][1] > OPENING && Math.hypot(skin.vertices[v][0], skin.vertices[v][2]) < HOLE;
const triangles = [];
for (let t = 0; t < skin.triangles.length; t += 3) {
  const corners = skin.triangles.slice(t, t + 3);
  if (!corners.some(isOpen)) triangles.push(corners);
}
const used = [...new Set(triangles.flat())].sort((a, b) => a - b);
const number = new Map(used.map((v, n) => [v, n + 1]));
const lines = ['# made by scripts/make-bear.js', 'o bear'];
for (const v of used) lines.push(`v ${skin.vertices[v].map((value) => Number(value.toFixed(4))).join(' ')}`);
for (const corners of triangles) lines.push(`f ${corners.map((v) => number.get(v)).join(' ')}`);
const text = `${lines.join('\n')}\n`;
writeFileSync(fileURLToPath(new URL('../scenes/bear.obj', import.meta.url)), text);
console.log(
  `scenes/bear.obj: ${used.length} vertices, ${triangles.length} triangles, ${(text.length / 1000).toFixed(0)} kB`,
);
