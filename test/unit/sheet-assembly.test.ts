/**
 * The two ways in which triangles come into the system of a sheet, with corners fixed to the material and with E-vertices, are the same
 * mechanics: where no material moves, the rows and columns of x agree, whatever vertices are E-vertices.
 */
import { createRandom } from 'heddle/math';
import { NODE_EULERIAN, NODE_LAGRANGIAN } from 'heddle/model';
import { Sheet, SheetAssembly } from 'heddle/sheet';
import { BlockMixed } from 'heddle/sparse';
import { expect, test } from 'vitest';

const STRIDE = 5;

function createSheet(seed: number): Sheet {
  const random = createRandom(seed);
  const X: number[] = [];
  const x: number[] = [];
  const triangles: number[] = [];
  // vertices in a shuffled order, so that corners of triangles come in all orders
  const place = Array.from({ length: 25 }, (_, i) => i).sort(() => random.uniform(-1, 1));
  for (let i = 0; i < 25; i++) {
    const at = place.indexOf(i);
    const [a, b] = [(at % 5) + random.uniform(-0.2, 0.2), Math.floor(at / 5) + random.uniform(-0.2, 0.2)];
    X.push(a, b);
    x.push(1.1 * a + random.uniform(-0.2, 0.2), random.uniform(-0.3, 0.3), b + random.uniform(-0.2, 0.2));
  }
  for (let r = 0; r < 4; r++)
    for (let c = 0; c < 4; c++) {
      const [i, j, k, l] = [5 * r + c, 5 * r + c + 1, 5 * r + c + 6, 5 * r + c + 5].map((at) => place[at]);
      triangles.push(i, j, k, i, k, l);
    }
  const sheet = new Sheet({
    id: 'cloth',
    material: { arealDensity: 0.3, membrane: [30, 50, 7, 11], bending: [2, 5, 0.6, 0.9], thickness: 1e-3, friction: 0 },
    x,
    X,
    triangles: Int32Array.from(triangles),
  });
  for (let k = 0; k < sheet.state.v.length; k++) {
    if (k % STRIDE > 2) continue;
    sheet.state.v[k] = random.uniform(-1, 1);
    sheet.state.vBase[k] = random.uniform(-1, 1);
  }
  return sheet;
}

/** The system of x alone, dense, with the vertices that `slides` says as E-vertices. */
function assemble(sheet: Sheet, linearized: boolean, slides: (i: number) => boolean): { A: number[]; r: number[] } {
  const { state } = sheet;
  for (let i = 0; i < state.count; i++) state.kind[i] = slides(i) ? NODE_EULERIAN : NODE_LAGRANGIAN;
  const sizes = Array.from(state.kind, (kind) => (kind === NODE_LAGRANGIAN ? 3 : STRIDE));
  const matrix = new BlockMixed(state.mesh.pattern, sizes);
  const rhs = new Float64Array(matrix.size);
  const gravity = Float64Array.of(1, -9, 2);
  new SheetAssembly().write(
    state,
    { h: 0.2, linearized, massDamping: 0.7, stiffnessDamping: 0.3, gravity },
    matrix,
    rhs,
  );
  const places = Array.from({ length: 3 * state.count }, (_, k) => matrix.blockStart[Math.floor(k / 3)] + (k % 3));
  const unit = new Float64Array(matrix.size);
  const column = new Float64Array(matrix.size);
  const A = places.flatMap((at) => {
    unit.fill(0)[at] = 1;
    matrix.multiply(unit, column);
    return places.map((row) => column[row]);
  });
  return { A, r: places.map((at) => rhs[at]) };
}

const compare = (a: readonly number[], b: readonly number[]): number => {
  const scale = Math.max(...a.map(Math.abs));
  expect(scale).toBeGreaterThan(0.1);
  return Math.max(...a.map((value, k) => Math.abs(value - b[k]))) / scale;
};

test.each([true, false])('fixed and sliding vertices have the same mechanics in x (linearized: %s)', (linearized) => {
  for (let seed = 1; seed <= 8; seed++) {
    const sheet = createSheet(seed);
    const fixed = assemble(sheet, linearized, () => false);
    for (const slides of [() => true, (i: number) => i % 4 === 0]) {
      const other = assemble(sheet, linearized, slides);
      expect(compare(fixed.A, other.A)).toBeLessThan(1e-14);
      expect(compare(fixed.r, other.r)).toBeLessThan(1e-14);
    }
  }
});
