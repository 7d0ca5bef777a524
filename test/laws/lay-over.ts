/** A cloth laid over the edge of a box, for laws and tables of sheets on edges. */
import { Body, BoxShape } from 'heddle/bodies';
import { createGridMesh } from 'heddle/geometry';
import { Sheet, type SheetOptions } from 'heddle/sheet';

/** Half the thickness [m] and areal density [kg/m²] of the cloth. */
export const HALF = 5e-4;
export const DENSITY = 0.2;

export interface Over {
  readonly sheet: Sheet;
  readonly box: Body;
  /** Vertices of the rear and front ends. */
  readonly rear: readonly number[];
  readonly front: readonly number[];
}

/** A cloth of length 1 m that hangs over the edge of a box by `hanging`, its other side on top. */
export function layOver(
  columns: number,
  rows: number,
  width: number,
  hanging: number,
  stiffness: number,
  gravity: number,
  mu: number,
  damping = 2e-3,
  choice: Pick<SheetOptions, 'mode' | 'remesher'> = {},
): Over {
  const grid = createGridMesh(1, width, columns, rows);
  const count = (columns + 1) * (rows + 1);
  const X = grid.points.slice(0, 2 * count);
  const x: number[] = [];
  for (let i = 0; i < count; i++) {
    const s = X[2 * i] - (1 - hanging);
    x.push(s < 0 ? s + HALF : HALF, s < 0 ? HALF : HALF - s, width / 2 - X[2 * i + 1]);
  }
  const box = new Body({ id: 'box', shape: new BoxShape([2, 1, 2]), position: [-1, -0.5, 0], friction: mu });
  const sheet = new Sheet({
    id: 'cloth',
    material: {
      arealDensity: DENSITY,
      membrane: [stiffness, stiffness, 0.1 * stiffness, 0.3 * stiffness],
      bending: [1e-5, 1e-5, 0, 5e-6],
      thickness: 2 * HALF,
      friction: 0,
    },
    x,
    X,
    triangles: grid.corners.slice(0, 3 * grid.triangleCount),
    obstacles: [box],
    damping: { mass: 0, stiffness: damping },
    gravity: [0, -gravity, 0],
    ...choice,
  });
  const [rear, front] = [0, columns].map((end) => Array.from({ length: rows + 1 }, (_, r) => (columns + 1) * r + end));
  for (const i of [...rear, ...front]) sheet.state.kept[i] = 1;
  return { sheet, box, rear, front };
}
