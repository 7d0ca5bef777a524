/**
 * The scenes of [Piddington 2017, Table 7.1], with its numbers of vertices: 29 × 6 in Edge without sliding vertices (21 × 6 with them, to which the crease
 * adds), 29 × 16 in Corner and Slide. The thesis gives pictures, no measures; ours are of a box of 0.8 m and a cloth of 1 m.
 *
 *   Edge    pulled over the edge of a box, against a load
 *   Corner  laid over the corner of a box and pulled down at its two corners there
 *   Slide   laid over a box and another one that is turned by 45°, and pulled by its two front corners
 */
import { compile, validateScene } from 'heddle';

const material = {
  thickness: 0.001,
  arealDensity: 0.15,
  tensileStiffness: 2000,
  poissonRatio: 0,
  shearStiffness: 200,
  bendingRigidity: 1e-5,
  friction: 0,
};

const damping = { mass: 0.5, stiffness: 0.005 };

/** Each with the columns and rows of cells in either mode, and what the thesis says: #V, %E, %CD, %RM, %VT, %VI, ms. */
export const scenes = [
  {
    name: 'edge',
    cells: { lagrangian: [28, 5], eol: [20, 5] },
    paper: { lagrangian: [174, null, 9.8, null, null, 90.1, 81.6], eol: [135, 29.6, 3.9, 1.7, 40.4, 51.9, 127.9] },
    describe: describeEdge,
  },
  {
    name: 'corner',
    cells: { lagrangian: [28, 15], eol: [28, 15] },
    paper: { lagrangian: [464, null, 9.9, null, null, 90.0, 226.0], eol: [538, 7.2, 4.4, 3.3, 32.0, 59.3, 417.9] },
    describe: describeCorner,
  },
  {
    name: 'slide',
    cells: { lagrangian: [28, 15], eol: [28, 15] },
    paper: { lagrangian: [464, null, 10.3, null, null, 89.5, 218.4], eol: [533, 7.6, 5.1, 3.3, 26.7, 67.0, 404.3] },
    describe: describeSlide,
  },
];

/** The world of a scene in a mode. */
export function createWorld({ name, cells, describe }, mode) {
  const [columns, rows] = cells[mode];
  const { sheet, bodies, drivers, gravity } = describe(columns, rows);
  const scene = {
    heddle: 1,
    name: `bench-${name}`,
    title: name,
    gravity,
    objects: [{ type: 'sheet', id: 'cloth', material, mode, damping, ...sheet }],
    bodies,
    drivers,
    time: { step: 0.005, duration: 1 },
  };
  return compile(validateScene(scene));
}

const rectangle = (width, height, columns, rows) => ({ type: 'rectangle', width, height, columns, rows });

const box = (id, size, position, rotation) => ({ id, shape: { type: 'box', size }, position, ...rotation });

function describeEdge(columns, rows) {
  // the fold lies between two columns, 0.65 m or less from the rear side
  const fold = Math.floor(0.65 * columns) / columns;
  return {
    gravity: [0, 0, 0],
    sheet: {
      shape: rectangle(1, 0.4, columns, rows),
      origin: [fold, 0.2],
      position: [0.0005, 0.0005, 0],
      folds: [
        {
          line: [
            [fold, 0],
            [fold, 0.4],
          ],
          angle: 90,
        },
      ],
    },
    bodies: [box('box', [1, 0.8, 0.8], [-0.5, -0.4, 0])],
    drivers: [
      { type: 'velocity', on: { object: 'cloth', side: 'right' }, value: [0, -0.2, 0] },
      { type: 'force', on: { object: 'cloth', side: 'left' }, value: [-4, 0, 0] },
    ],
  };
}

/** The corner of the box is at the origin; a third of the cloth hangs over each of its two edges. */
function describeCorner(columns, rows) {
  const pull = (corner) => ({ type: 'velocity', on: { object: 'cloth', corner }, value: [0.1, -0.3, 0.1] });
  return {
    gravity: [0, -9.81, 0],
    sheet: { shape: rectangle(1, 0.55, columns, rows), position: [-0.17, 0.001, -0.1] },
    bodies: [box('box', [0.8, 0.8, 0.8], [-0.4, -0.4, -0.4])],
    drivers: [pull('right-bottom'), pull('right-top')],
  };
}

function describeSlide(columns, rows) {
  const pull = (corner) => ({ type: 'velocity', on: { object: 'cloth', corner }, value: [0.4, 0, 0] });
  return {
    gravity: [0, -9.81, 0],
    sheet: { shape: rectangle(1, 0.55, columns, rows), position: [0, 0.001, 0] },
    bodies: [
      box('box', [0.6, 0.4, 0.8], [-0.2, -0.2, 0]),
      box('turned', [0.4, 0.4, 0.8], [0.55, -0.35, 0], { rotation: { axis: [0, 0, 1], angle: 45 } }),
    ],
    drivers: [pull('right-bottom'), pull('right-top')],
  };
}
