/** A hanging cloth: below 3,000 vertices its systems are factored, above they are solved by preconditioned conjugate gradients. */
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
