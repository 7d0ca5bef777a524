/**
 * Scenes of [Sánchez-Banderas 2020] at any share of the paper's numbers of nodes, from those of the gallery: materials, damping and what moves them are theirs, numbers of yarns and
 * the sizes of what they lie on and are sewn along go with the share. Time steps are the paper's.
 */
import { readFileSync } from 'node:fs';
import { compile, validateScene } from 'heddle';
import { addBorder, createChart, createLinenStitch, createSlipHoneycomb, repeatKnit } from 'heddle/patterns';

/** Yarns each way of the cloths at the paper's size: so many crossings, and contacts between layers, are in its Table 1. */
const TABLECLOTH = 179;
const POCKET = { trousers: 526, pocket: 350 };
const TAG = { shirt: 244, tag: 96 };
const KNITS = { linen: 157, honeycomb: 124 };

/** name, file of the scene, time step [s], row of Table 1 (Lagrangian, within, between, EIL, seconds a step) and what the share changes. */
export const scenes = [
  {
    name: 'tablecloth',
    file: '../scenes/fabric-tablecloth-three.json',
    step: 1e-3,
    paper: [1576, 96_290, 132_200, 79_019, 15.9],
    resize: (scene, side) => {
      const count = side(TABLECLOTH);
      setCounts(scene, [count, count, count]);
      const [box] = scene.bodies;
      const { spacing } = scene.objects[0].layers[0].pattern;
      box.shape.size = [0.6 * count * spacing, 0.06, 0.6 * count * spacing];
    },
  },
  {
    name: 'pocket',
    file: '../scenes/fabric-pocket.json',
    step: 1e-3,
    paper: [2484, 398_782, 245_024, 45_742, 93.9],
    resize: (scene, side) => sew(scene, side(POCKET.trousers), side(POCKET.pocket), ['left', 'right', 'bottom']),
  },
  {
    name: 'tag',
    file: '../scenes/fabric-tag-along.json',
    step: 2e-3,
    paper: [1010, 68_810, 18_356, 4563, 18.18],
    resize: (scene, side) => sew(scene, side(TAG.shirt), side(TAG.tag), ['left', 'right']),
  },
  {
    name: 'knit 1',
    file: '../scenes/fabric-sphere-linen.json',
    step: 5e-4,
    paper: [184, 75_096, null, 671, 17.33],
    resize: (scene, side) => resizeKnit(scene, createLinenStitch(), side(KNITS.linen)),
  },
  {
    name: 'knit 2',
    file: '../scenes/fabric-sphere-honeycomb.json',
    step: 5e-4,
    paper: [208, 55_520, null, 602, 15.53],
    resize: (scene, side) => resizeKnit(scene, createSlipHoneycomb(), side(KNITS.honeycomb)),
  },
];

/** The world of a scene at a share of the paper's size. */
export function createWorld({ file, step, resize }, share) {
  const scene = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
  resize(scene, (count) => Math.max(4, Math.round(Math.sqrt(share) * count)));
  const { objects, bodies, drivers, materials, gravity } = scene;
  return compile(
    validateScene({
      ...{ heddle: 1, name: scene.name, title: scene.title, materials, objects },
      ...(bodies && { bodies }),
      ...(drivers && { drivers }),
      ...(gravity && { gravity }),
      time: { step, duration: 1 },
    }),
  );
}

function setCounts(scene, counts) {
  for (const [k, count] of counts.entries())
    Object.assign(scene.objects[0].layers[k].pattern, { warps: count, wefts: count });
}

/** Two square layers, one in the middle of the other, sewn together one yarn from the sides of the smaller. */
function sew(scene, large, around, sides) {
  const small = around - ((large - around) % 2);
  setCounts(scene, [large, small]);
  const [{ layers, seams }] = scene.objects;
  const { spacing } = layers[0].pattern;
  // a quarter of the spacing off, at any size: crossings of one layer do not begin on those of the other
  layers[1].position = [spacing / 4, 0, spacing / 4];
  const middle = (large * spacing) / 2;
  const [low, high] = [middle - (small / 2 - 1) * spacing, middle + (small / 2 - 1) * spacing];
  const lines = {
    left: [
      [low, low],
      [low, high],
    ],
    right: [
      [high, low],
      [high, high],
    ],
    bottom: [
      [low, low],
      [high, low],
    ],
  };
  seams.splice(0, seams.length, ...sides.map((side) => ({ layers: [0, 1], line: lines[side] })));
}

/** A knit over a ball that is as much smaller as the knit. Both knits slip in their first course, so they need a border. */
function resizeKnit(scene, repeat, count) {
  const [knit] = scene.objects;
  const [ball] = scene.bodies;
  const { pattern } = knit.layers[0];
  const share = count / pattern.courses;
  const { chart, carriers } = createChart(
    addBorder(repeatKnit(repeat, { courses: count - 2, wales: count - 2 }), { sides: 1 }),
  );
  knit.layers[0].pattern = {
    type: 'chart',
    rows: chart,
    carriers,
    courses: count,
    wales: count,
    spacing: pattern.spacing,
  };
  const radius = ball.shape.radius * share;
  knit.position[1] += radius - ball.shape.radius;
  ball.shape.radius = radius;
}
