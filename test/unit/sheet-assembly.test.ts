/**
 * The two ways in which triangles come into the system of a sheet, with corners fixed to the material and with E-vertices, are the same
 * mechanics: where no material moves, the rows and columns of x agree, whatever vertices are E-vertices. And the compiled loops have the bits
 * of those in TypeScript.
 */
import { EolElement } from 'heddle/eol';
import { KernelMemory } from 'heddle/kernels';
import { createRandom } from 'heddle/math';
import { NODE_EULERIAN, NODE_LAGRANGIAN } from 'heddle/model';
import { Sheet, SheetAssembly, SheetState } from 'heddle/sheet';
import { BlockMixed } from 'heddle/sparse';
import { expect, test } from 'vitest';

const STRIDE = 5;

/** `side` × `side` vertices. */
function createSheet(seed: number, side = 5): Sheet {
  const random = createRandom(seed);
  const X: number[] = [];
  const x: number[] = [];
  const triangles: number[] = [];
  // vertices in a shuffled order, so that corners of triangles come in all orders
  const place = Array.from({ length: side * side }, (_, i) => i).sort(() => random.uniform(-1, 1));
  for (let i = 0; i < side * side; i++) {
    const at = place.indexOf(i);
    const [a, b] = [(at % side) + random.uniform(-0.2, 0.2), Math.floor(at / side) + random.uniform(-0.2, 0.2)];
    X.push(a, b);
    x.push(1.1 * a + random.uniform(-0.2, 0.2), random.uniform(-0.3, 0.3), b + random.uniform(-0.2, 0.2));
  }
  for (let r = 0; r + 1 < side; r++)
    for (let c = 0; c + 1 < side; c++) {
      const a = side * r + c;
      const [i, j, k, l] = [a, a + 1, a + side + 1, a + side].map((at) => place[at]);
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

test('where material slides, matrix and right-hand side are those of EoL elements: M and M (v̂ − v) − h c', () => {
  const h = 0.2;
  for (let seed = 1; seed <= 4; seed++) {
    const { state } = createSheet(seed);
    const random = createRandom(seed + 10);
    Object.assign(state, { material: { ...state.material, membrane: [0, 0, 0, 0], bending: [0, 0, 0, 0] } });
    state.kind.fill(NODE_EULERIAN);
    for (let k = 0; k < state.v.length; k++)
      [state.v[k], state.vBase[k]] = [random.uniform(-1, 1), random.uniform(-1, 1)];
    const matrix = new BlockMixed(state.mesh.pattern, new Int32Array(state.count).fill(STRIDE));
    const rhs = new Float64Array(matrix.size);
    const stage = { h, linearized: false, massDamping: 0, stiffnessDamping: 0, gravity: new Float64Array(3) };
    new SheetAssembly().write(state, stage, matrix, rhs);
    const { product, expected } = composeElements(state, h);
    const out = new Float64Array(matrix.size);
    matrix.multiply(state.vBase, out);
    expect(compare([...product], [...out])).toBeLessThan(1e-14);
    expect(compare([...expected], [...rhs])).toBeLessThan(1e-14);
  }
});

/** M v̂ and M (v̂ − v) − h c of a sheet, element by element. */
function composeElements({ q, v, vBase, mesh, material }: Sheet['state'], h: number) {
  const [product, expected] = [new Float64Array(q.length), new Float64Array(q.length)];
  const element = new EolElement(2);
  for (let t = 0; t < mesh.triangleCount; t++) {
    const places = [0, 1, 2].flatMap((n) =>
      Array.from({ length: STRIDE }, (_, k) => STRIDE * mesh.triangles[3 * t + n] + k),
    );
    const rates = places.map((at) => v[at]);
    element.setConfiguration(places.map((at) => q[at]));
    element.setVelocity(rates);
    const [M, c] = [new Float64Array(225), new Float64Array(15)];
    element.addMass(material.arealDensity, M);
    element.addInertialForce(material.arealDensity, rates, c);
    places.forEach((row, r) => {
      expected[row] -= h * c[r];
      places.forEach((column, k) => {
        product[row] += M[15 * r + k] * vBase[column];
        expected[row] += M[15 * r + k] * (vBase[column] - v[column]);
      });
    });
  }
  return { product, expected };
}

/** A sheet with the same places and material, measured from nothing. */
function copySheet({ q, mesh, material }: SheetState): SheetState {
  const take = (from: number, to: number): number[] =>
    Array.from(q).filter((_, k) => k % STRIDE >= from && k % STRIDE < to);
  return new SheetState(material, take(0, 3), take(3, 5), mesh.triangles);
}

/** Matrix and right-hand side of a sequence of stages, by compiled loops or by those in TypeScript. */
function assembleAll(seed: number, prefersTwin: boolean, bending: boolean): Float64Array[] {
  const sheet = createSheet(seed, 12);
  const { state } = sheet;
  const random = createRandom(seed);
  const memory = new KernelMemory({ prefersTwin });
  const assembly = new SheetAssembly(memory);
  const gravity = Float64Array.of(1, -9, 2);
  const found: Float64Array[] = [];
  const { material } = state;
  if (!bending) Object.assign(state, { material: { ...material, bending: [0, 0, 0, 0] } });
  state.measureRest();
  for (const share of [0, 0.2, 0]) {
    for (let i = 0; i < state.count; i++)
      state.kind[i] = random.uniform(0, 1) < share ? NODE_EULERIAN : NODE_LAGRANGIAN;
    const sizes = Array.from(state.kind, (kind) => (kind === NODE_LAGRANGIAN ? 3 : STRIDE));
    const matrix = new BlockMixed(state.mesh.pattern, sizes);
    const rhs = new Float64Array(matrix.size);
    for (const [linearized, isAhead] of [
      [true, false],
      [false, true],
      [false, false],
    ]) {
      for (let k = 0; k < state.q.length; k++) {
        const isFixed = k % STRIDE > 2 && state.kind[Math.floor(k / STRIDE)] === NODE_LAGRANGIAN;
        state.q[k] += isFixed ? 0 : 0.03 * random.uniform(-1, 1);
        for (const velocities of [state.v, state.vBase])
          velocities[k] = isFixed ? 0 : velocities[k] + random.uniform(-1, 1);
        state.qBase[k] = state.q[k] + (isFixed ? 0 : 0.03 * random.uniform(-1, 1));
      }
      if (!linearized && !isAhead) {
        // another rest shape on the same mesh, as a state that is loaded may have
        for (let k = 3; k < state.q.length; k += STRIDE) state.q[k] += 0.02 * random.uniform(-1, 1);
        state.measureRest();
      }
      const stage = { h: 0.2, linearized, isAhead, massDamping: 0.7, stiffnessDamping: 0.3, gravity };
      assembly.write(state, stage, matrix, rhs);
      found.push(matrix.values.slice(), rhs.slice());
      // the rest shape that it measured: that of the whole sheet as it is
      expect(state.edgeStiffness).toEqual(copySheet(state).edgeStiffness);
      found.push(state.area.slice(), state.gradients.slice(), state.edgeStiffness.slice(), state.beta.slice());
    }
  }
  expect(memory.isCompiled).toBe(!prefersTwin);
  return found;
}

test.each([true, false])('compiled loops and their twins give the same bits (bending: %s)', (bending) => {
  for (let seed = 1; seed <= 6; seed++) {
    const compiled = assembleAll(seed, false, bending);
    const twins = assembleAll(seed, true, bending);
    for (let k = 0; k < twins.length; k++) {
      expect(bending === false || twins[k].some((value) => value !== 0)).toBe(true);
      expect(twins[k].every(Number.isFinite)).toBe(true);
      expect(Buffer.from(compiled[k].buffer).equals(Buffer.from(twins[k].buffer)), `seed ${seed}, ${k}`).toBe(true);
    }
  }
});

test('a matrix that two assemblies write in turn has the values of the last', () => {
  const { state } = createSheet(3, 12);
  const matrix = new BlockMixed(state.mesh.pattern, new Int32Array(state.count).fill(3));
  const rhs = new Float64Array(matrix.size);
  const assemblies = [new SheetAssembly(), new SheetAssembly()];
  const gravity = Float64Array.of(1, -9, 2);
  const write = (turn: number, h: number): Float64Array => {
    assemblies[turn].write(state, { h, linearized: true, massDamping: 0, stiffnessDamping: 0, gravity }, matrix, rhs);
    return matrix.values.slice();
  };
  const expected = write(0, 0.1);
  expect(write(1, 0.2)).not.toEqual(expected);
  expect(write(0, 0.1)).toEqual(expected);
});

test('values of another number are refused', () => {
  const { state } = createSheet(3);
  const matrix = new BlockMixed(state.mesh.pattern, new Int32Array(state.count).fill(3));
  const count = matrix.values.length;
  expect(() => matrix.takeValues(new Float64Array(count - 1))).toThrow(
    `BlockMixed.takeValues: ${count - 1} values were given; the pattern has ${count}.`,
  );
});
