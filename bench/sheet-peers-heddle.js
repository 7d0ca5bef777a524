/** The cloth of bench/sheet-peers-cloth.js in Heddle: hung, and drawn over the edge with vertices that slide on it. */
import { computeSheetMaterial } from 'heddle';
import { Body, BoxShape } from 'heddle/bodies';
import { Sheet } from 'heddle/sheet';
import { createPin, createVelocity, World } from 'heddle/world';
import {
  CLOTH,
  computeRestLengths,
  computeStartVelocities,
  DRAW,
  listDrawn,
  listFree,
  listPins,
  placeLevel,
  placeOverEdge,
} from './sheet-peers-cloth.js';

export const name = 'heddle';

export const variants = [
  { variant: 'default', create: (setting) => (setting.task === 'hang' ? hang(setting) : draw(setting, 'eol')) },
  { variant: 'lagrangian', tasks: ['edge'], create: (setting) => draw(setting, 'lagrangian') },
];

/** Numbers of a vertex in a sheet's state: x, y, z, X, Y. */
const STRIDE = 5;

const material = computeSheetMaterial({
  arealDensity: CLOTH.arealDensity,
  tensileStiffness: CLOTH.tensileStiffness,
  poissonRatio: CLOTH.poissonRatio,
  bendingRigidity: CLOTH.bendingRigidity,
  thickness: CLOTH.thickness,
  friction: DRAW.friction,
});

const gravity = [0, -CLOTH.gravity, 0];

/** Hung by two corners. */
export function hangCloth({ cloth, step }) {
  const { X, triangles } = cloth;
  const sheet = new Sheet({ id: 'cloth', material, x: placeLevel(cloth), X, triangles, gravity });
  const drivers = listPins(cloth).map((label) => createPin({ model: sheet, label }));
  return { sheet, world: new World({ models: [sheet], drivers, timeStep: step }) };
}

function hang(setting) {
  const { sheet, world } = hangCloth(setting);
  return wrap(sheet, world, []);
}

function draw({ cloth, step }, mode) {
  const { X, triangles } = cloth;
  const half = DRAW.box / 2;
  const box = new Body({ id: 'box', shape: new BoxShape([DRAW.box, DRAW.box, DRAW.box]), position: [half, -half, 0] });
  const x = placeOverEdge(cloth);
  const sheet = new Sheet({ id: 'cloth', material, x, X, triangles, gravity, obstacles: [box], mode });
  const v = computeStartVelocities(cloth);
  const { state } = sheet;
  for (let i = 0; i < cloth.count; i++) for (let k = 0; k < 3; k++) state.v[STRIDE * i + k] = v[3 * i + k];
  const drawn = listDrawn(cloth);
  const free = listFree(cloth);
  for (const label of [...drawn, ...free]) state.kept[label] = 1;
  const drivers = drawn.map((label) => createVelocity({ model: sheet, label }, [DRAW.speed, 0, 0]));
  return wrap(sheet, new World({ models: [sheet], bodies: [box], drivers, timeStep: step }), free);
}

function wrap(sheet, world, freeLabels) {
  const { state } = sheet;
  return {
    step: () => world.step(),
    /** Positions, edges with their lengths in the material, and where the free end is among the vertices. */
    read() {
      const { q, count, mesh } = state;
      const [x, X] = [new Float64Array(3 * count), new Float64Array(2 * count)];
      for (let i = 0; i < count; i++) {
        for (let k = 0; k < 3; k++) x[3 * i + k] = q[STRIDE * i + k];
        for (let k = 0; k < 2; k++) X[2 * i + k] = q[STRIDE * i + 3 + k];
      }
      const edges = new Int32Array(2 * mesh.edgeCount);
      for (let e = 0; e < mesh.edgeCount; e++) edges.set([mesh.edges[4 * e], mesh.edges[4 * e + 1]], 2 * e);
      return { x, edges, rest: computeRestLengths(X, edges), free: freeLabels.map((label) => state.indexOf(label)) };
    },
    free: () => {},
  };
}
