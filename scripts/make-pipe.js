// Writes scenes/pipe.obj, the pipe of rod-pipe.json, and the points on which its cable starts: node scripts/make-pipe.js
// A round pipe, closed all around and open at both ends, with four bends of 90° and straight pieces between them. It comes in along +x
// and goes out along +y. Seen along the pipe, each bend is turned by a quarter against the one before, so that a taut cable lies on
// another side of the hollow in each. The cable starts as the shortest line through the pipe that keeps its radius from the wall.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.js';

/** Radius of a bend, inner and outer radius, length of straight pieces at the ends and between bends [m]. */
const [BEND, INNER, OUTER, MOUTH, BETWEEN] = [0.05, 0.01, 0.0125, 0.03, 0.02];
/** Flat sides of the wall; rings of a bend. */
const [SIDES, RINGS] = [16, 10];
/** What is outside at the start, before and behind the pipe, and how far the cable keeps off the wall [m]. */
const [BEHIND, AHEAD, GAP] = [0.2, 0.1, 2e-5];

const add = (a, b, share) => a.map((value, k) => value + share * b[k]);

/**
 * Places along the middle of the pipe, some `spacing` apart: centre, direction, and two directions across that do not turn about it.
 * `isRing` where the wall may turn.
 */
function createStations(spacing) {
  const stations = [
    {
      centre: [-MOUTH, 0, 0],
      along: [1, 0, 0],
      across: [
        [0, 1, 0],
        [0, 0, 1],
      ],
      isRing: true,
    },
  ];
  const last = () => stations[stations.length - 1];
  const goStraight = (length) => {
    const from = last();
    const count = Math.ceil(length / spacing);
    for (let k = 1; k <= count; k++)
      stations.push({ ...from, centre: add(from.centre, from.along, (length * k) / count), isRing: k === count });
  };
  goStraight(MOUTH);
  for (let bend = 0; bend < 4; bend++) {
    const from = last();
    // towards across[0], across[1], −across[0], −across[1] in turn
    const [side, sign] = [bend % 2, bend < 2 ? 1 : -1];
    const inwards = from.across[side].map((value) => sign * value);
    const each = Math.max(1, Math.ceil((Math.PI * BEND) / 2 / RINGS / spacing));
    for (let k = 1; k <= RINGS * each; k++) {
      const angle = (Math.PI / 2) * (k / (RINGS * each));
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const across = [...from.across];
      across[side] = add(
        from.across[side].map((value) => c * value),
        from.along,
        -sign * s,
      );
      stations.push({
        centre: add(add(from.centre, inwards, BEND * (1 - c)), from.along, BEND * s),
        along: add(
          from.along.map((value) => c * value),
          inwards,
          s,
        ),
        across,
        isRing: k % each === 0,
      });
    }
    goStraight(bend < 3 ? BETWEEN : MOUTH);
  }
  return stations;
}

function createMesh() {
  const rings = createStations(1).filter(({ isRing }) => isRing);
  const vertices = [];
  const faces = [];
  for (const { centre, across } of rings)
    for (const radius of [INNER, OUTER])
      for (let j = 0; j < SIDES; j++) {
        const angle = (2 * Math.PI * (j + 0.5)) / SIDES;
        vertices.push(add(add(centre, across[0], radius * Math.cos(angle)), across[1], radius * Math.sin(angle)));
      }
  const inner = (k, j) => 2 * SIDES * k + (j % SIDES) + 1;
  const outer = (k, j) => inner(k, j) + SIDES;
  for (let j = 0; j < SIDES; j++) {
    for (let k = 0; k + 1 < rings.length; k++) {
      faces.push([inner(k, j), inner(k + 1, j), inner(k + 1, j + 1), inner(k, j + 1)]);
      faces.push([outer(k, j), outer(k, j + 1), outer(k + 1, j + 1), outer(k + 1, j)]);
    }
    const end = rings.length - 1;
    faces.push([inner(0, j), inner(0, j + 1), outer(0, j + 1), outer(0, j)]);
    faces.push([inner(end, j), outer(end, j), outer(end, j + 1), inner(end, j + 1)]);
  }
  return [
    '# A pipe with four bends of 90°; written by scripts/make-pipe.js',
    ...vertices.map((v) => `v ${v.map((value) => Number(value.toFixed(7))).join(' ')}`),
    ...faces.map((corners) => `f ${corners.join(' ')}`),
    '',
  ].join('\n');
}

/** The shortest line through the pipe, by descent of its length; its ends lead on straight. */
function createTautLine(radius) {
  const stations = createStations(0.004);
  // in the middle of a side the wall is nearest
  const room = INNER * Math.cos(Math.PI / SIDES) - radius - GAP;
  const offsets = stations.map(() => [0, 0]);
  const point = (j) => {
    const { centre, across } = stations[j];
    return add(add(centre, across[0], offsets[j][0]), across[1], offsets[j][1]);
  };
  const points = stations.map((_, j) => point(j));
  for (let pass = 0; pass < 40_000; pass++)
    for (let j = 0; j < stations.length; j++) {
      const pull = [0, 0, 0];
      for (const other of [points[j - 1], points[j + 1]]) {
        if (other === undefined) continue;
        const to = add(other, points[j], -1);
        const size = Math.hypot(...to);
        for (let k = 0; k < 3; k++) pull[k] += to[k] / size;
      }
      const [p, q] = stations[j].across.map((across, m) => {
        return offsets[j][m] + 0.0018 * across.reduce((sum, value, k) => sum + value * pull[k], 0);
      });
      const shrink = Math.min(1, room / Math.hypot(p, q));
      offsets[j] = [shrink * p, shrink * q];
      points[j] = point(j);
    }
  const end = stations.length - 1;
  return [add(points[0], [1, 0, 0], -BEHIND), ...points, add(points[end], [0, 1, 0], AHEAD)];
}

writeFileSync(join(root, 'scenes/pipe.obj'), createMesh());
const file = join(root, 'scenes/rod-pipe.json');
const scene = JSON.parse(readFileSync(file, 'utf8'));
const points = createTautLine(scene.materials.cable.radius);
scene.objects[0].points = points.map((p) => p.map((value) => Number(value.toFixed(6))));
writeFileSync(file, `${JSON.stringify(scene, undefined, 2)}\n`);
let turn = 0;
for (let j = 1; j + 1 < points.length; j++) {
  const [a, b] = [add(points[j], points[j - 1], -1), add(points[j + 1], points[j], -1)];
  turn += Math.acos(Math.min(1, a.reduce((sum, v, k) => sum + v * b[k], 0) / Math.hypot(...a) / Math.hypot(...b)));
}
console.log(
  `The cable turns by ${turn.toFixed(3)} rad: at μ = 0.2 it is pulled ${Math.exp(0.2 * turn).toFixed(3)} times as hard.`,
);
