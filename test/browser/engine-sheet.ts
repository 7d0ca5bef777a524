/**
 * A hanging cloth: below 3,000 vertices its systems are factored, above they are solved by preconditioned conjugate gradients. And a cloth that is
 * drawn over the edge of a box: material slides through its vertices there, and its mesh changes.
 */
import { compile, validateScene } from 'heddle';
import { createGridMesh } from 'heddle/geometry';
import { Sheet } from 'heddle/sheet';
import { createPin, World } from 'heddle/world';

/** Vertices a side, and steps, of the cloths whose hash must be the same in Node and in Chromium. */
export const CLOTHS = [
  { side: 20, steps: 12 },
  { side: 56, steps: 3 },
] as const;

export function createClothWorld(side: number): World {
  const { points: X, corners } = createGridMesh(1, 1, side - 1, side - 1);
  const x: number[] = [];
  for (let i = 0; i < X.length; i += 2) x.push(X[i], 0.05 * X[i] * X[i + 1], X[i + 1]);
  const sheet = new Sheet({
    id: 'cloth',
    material: {
      arealDensity: 0.2,
      membrane: [2000, 1500, 600, 700],
      bending: [1e-5, 2e-5, 3e-6, 3.5e-6],
      thickness: 4e-4,
      friction: 0.3,
    },
    x,
    X: [...X],
    triangles: Int32Array.from(corners),
  });
  const drivers = [0, side - 1].map((label) => createPin({ model: sheet, label }));
  return new World({ models: [sheet], drivers, timeStep: 1 / 60 });
}

export function hashCloth({ side, steps }: { readonly side: number; readonly steps: number }): string {
  const world = createClothWorld(side);
  for (let k = 0; k < steps; k++) world.step();
  return world.hash();
}

/** Steps of the cloth over an edge: the mesh changes in them. */
const EDGE_STEPS = 60;

function createEdgeWorld(): World {
  const cloth = { object: 'cloth' };
  return compile(
    validateScene({
      heddle: 1,
      name: 'cloth-over-edge',
      title: 'Cloth over an edge',
      gravity: [0, 0, 0],
      objects: [
        {
          type: 'sheet',
          id: 'cloth',
          material: {
            thickness: 0.001,
            arealDensity: 0.15,
            tensileStiffness: 2000,
            poissonRatio: 0,
            shearStiffness: 200,
            bendingRigidity: 1e-5,
            friction: 0,
          },
          damping: { mass: 0.5, stiffness: 0.005 },
          shape: { type: 'rectangle', width: 1, height: 0.4, columns: 20, rows: 5 },
          origin: [0.65, 0.2],
          position: [0.0005, 0.0005, 0],
          folds: [
            {
              line: [
                [0.65, 0],
                [0.65, 0.4],
              ],
              angle: 90,
            },
          ],
        },
      ],
      bodies: [{ id: 'box', shape: { type: 'box', size: [1, 0.8, 0.8] }, position: [-0.5, -0.4, 0] }],
      drivers: [
        { type: 'velocity', on: { ...cloth, side: 'right' }, value: [0, -0.5, 0] },
        { type: 'force', on: { ...cloth, side: 'left' }, value: [-4, 0, 0] },
      ],
      time: { step: 0.005, duration: 1 },
    }),
  );
}

/** The state after some steps, with how often the mesh changed. */
export function runEdge(): { readonly hash: string; readonly remeshings: number; readonly vertices: number } {
  const world = createEdgeWorld();
  for (let k = 0; k < EDGE_STEPS; k++) world.step();
  const [sheet] = world.models;
  if (!(sheet instanceof Sheet)) throw new Error('the scene has a sheet');
  return { hash: world.hash(), remeshings: sheet.state.remeshings, vertices: sheet.state.count };
}
