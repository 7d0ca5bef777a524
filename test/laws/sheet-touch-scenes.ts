/** Scenes in which sheets touch each other, themselves and a dynamic box, for tests of laws and determinism. */
import { compile, parseScene } from 'heddle';
import type { Sheet } from 'heddle/sheet';
import type { World } from 'heddle/world';

export const THICKNESS = 1e-3;
export const AREAL_DENSITY = 0.2;

export const createMaterial = (friction: number) => ({
  thickness: THICKNESS,
  arealDensity: AREAL_DENSITY,
  tensileStiffness: 400,
  poissonRatio: 0.2,
  shearStiffness: 150,
  bendingRigidity: 1e-5,
  friction,
});

/** Fills in what every scene needs. */
export const build = (scene: Record<string, unknown>): World =>
  compile(
    parseScene(JSON.stringify({ heddle: 1, name: 'test', title: 'Test', time: { step: 5e-3, duration: 1 }, ...scene })),
  );

export const listSheets = (world: World): Sheet[] =>
  world.models.filter((model): model is Sheet => model.type === 'sheet');

/** One on the floor and two on it, the upper of which folds; a box thrown at them. */
export const createHeap = (): World =>
  build({
    materials: { cloth: createMaterial(0.3) },
    objects: [
      {
        type: 'sheet',
        id: 'lower',
        material: 'cloth',
        shape: { type: 'rectangle', width: 0.3, height: 0.3, columns: 4, rows: 4 },
        position: [0, 0.0006, 0],
      },
      {
        type: 'sheet',
        id: 'folded',
        material: 'cloth',
        selfContact: true,
        shape: { type: 'rectangle', width: 0.2, height: 0.12, columns: 10, rows: 3 },
        folds: [
          {
            line: [
              [0.1, 0],
              [0.1, 0.12],
            ],
            angle: -85,
          },
          {
            line: [
              [0.12, 0],
              [0.12, 0.12],
            ],
            angle: -85,
          },
        ],
        position: [0, 0.005, 0],
        velocity: [0, -0.5, 0],
      },
    ],
    bodies: [
      { id: 'floor', shape: { type: 'plane' }, position: [0, 0, 0] },
      {
        id: 'box',
        shape: { type: 'box', size: [0.06, 0.03, 0.06] },
        motion: 'dynamic',
        mass: 0.03,
        position: [-0.09, 0.06, 0.02],
        velocity: [0.3, -1, 0],
      },
    ],
  });
