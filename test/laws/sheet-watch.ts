/** What the material of sheets must keep to while their meshes change, looked at after every step. */
import { computeSmallestAngle } from 'heddle/geometry';
import { type Sheet, STRIDE } from 'heddle/sheet';

export class SheetWatch {
  /** Smallest angle of a triangle in the material [°], negative where one is inverted; of all looks. */
  sharpest = Number.POSITIVE_INFINITY;
  /** Largest depth of a vertex in a body [m]. */
  deepest = 0;
  /** Largest change of the area of a sheet, relative. */
  change = 0;
  readonly #sheets: readonly Sheet[];
  readonly #areas: readonly number[];

  constructor(sheets: readonly Sheet[]) {
    this.#sheets = sheets;
    this.#areas = sheets.map((sheet) => this.#measure(sheet));
  }

  look(): void {
    this.#sheets.forEach((sheet, k) => {
      this.change = Math.max(this.change, Math.abs(this.#measure(sheet) / this.#areas[k] - 1));
      this.deepest = Math.max(this.deepest, sheet.touch?.computeDepth(sheet.state) ?? 0);
    });
  }

  /** Looks at all angles; returns the area [m²]. */
  #measure({ state: { q, mesh } }: Sheet): number {
    let area = 0;
    for (let t = 0; t < mesh.triangles.length; t += 3) {
      const a = STRIDE * mesh.triangles[t] + 3;
      const b = STRIDE * mesh.triangles[t + 1] + 3;
      const c = STRIDE * mesh.triangles[t + 2] + 3;
      const own = ((q[b] - q[a]) * (q[c + 1] - q[a + 1]) - (q[b + 1] - q[a + 1]) * (q[c] - q[a])) / 2;
      const angle = (180 / Math.PI) * computeSmallestAngle(q[a], q[a + 1], q[b], q[b + 1], q[c], q[c + 1]);
      this.sharpest = Math.min(this.sharpest, own > 0 ? angle : -Math.abs(angle));
      area += own;
    }
    return area;
  }
}
