/**
 * A sheet that starts bent over the edge of a box, unstrained: with creases on the edge it is as unstrained as before, wherever the fold lies
 * in the mesh and whichever way it runs.
 */
import { Body, BoxShape } from 'heddle/bodies';
import { createGridMesh } from 'heddle/geometry';
import { NODE_EULERIAN } from 'heddle/model';
import { Sheet } from 'heddle/sheet';
import { expect, test } from 'vitest';
import { createCloth, measureStrains } from './sheets.ts';

const HALF = 5e-4;
const REMESHERS = ['local', 'global', 'adaptive'] as const;

/** A cloth of 1 × 1 m in n × n cells over the edge of a box; the fold lies at `beyond` [m] from its middle and runs at `angle` to its rows. */
function layOver(n: number, beyond: number, angle: number, remesher: (typeof REMESHERS)[number]): Sheet {
  const { points, corners, triangleCount } = createGridMesh(1, 1, n, n);
  const X = points.slice(0, 2 * (n + 1) ** 2);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const x: number[] = [];
  for (let i = 0; i < X.length; i += 2) {
    const [u, w] = [X[i] - 0.5, X[i + 1] - 0.5];
    const over = c * u + s * w - beyond;
    x.push(over < 0 ? over + HALF : HALF, over < 0 ? HALF : HALF - over, s * u - c * w);
  }
  return new Sheet({
    id: 'cloth',
    material: { ...createCloth(1e4), thickness: 2 * HALF },
    x,
    X,
    triangles: corners.slice(0, 3 * triangleCount),
    obstacles: [new Body({ id: 'box', shape: new BoxShape([4, 2, 4]), position: [-2, -1, 0] })],
    remesher,
  });
}

/** Of the fold to a row, in cells. */
const OFFSETS = [0, 1e-6, 0.02, 0.1, 0.25, 0.4, 0.5, 0.63, 0.75, 0.9, 0.98, 1 - 1e-6];
/** Strain that is left: in a mesh cut along the edge, and where the crease ends beside a corner of the sheet, with a chord behind it. */
const LARGEST = 1e-5;
const SETTLED = 5e-3;

test.each(REMESHERS.flatMap((remesher) => [0, 10, 30, 45, 70].map((degrees) => [remesher, degrees] as const)))(
  'an unstrained sheet that starts bent over an edge is unstrained with creases on it, remesher %s, fold at %d° to the rows',
  (remesher, degrees) => {
    for (const cells of [8, 11])
      for (const offset of OFFSETS) {
        const sheet = layOver(
          cells,
          (Math.ceil(cells / 2) + offset) / cells - 0.5,
          (degrees * Math.PI) / 180,
          remesher,
        );
        sheet.adaptation!.begin(sheet.state);
        // where mesh edges lie on the edge nothing is to be done
        if (offset > 0.01 && offset < 0.99)
          expect(sheet.state.kind.filter((kind) => kind === NODE_EULERIAN).length).toBeGreaterThan(0.8 * cells);
        expect(measureStrains(sheet).max).toBeLessThan(degrees === 45 ? SETTLED : LARGEST);
        expect(sheet.touch!.computeDepth(sheet.state)).toBeLessThan(1e-9);
      }
  },
);
