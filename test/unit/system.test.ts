/** The linear system of a world: islands, and three solvers that must agree. */
import { createRandom } from 'heddle/math';
import { ChainPart, ConstraintRows, findIslands, IslandFinder, System } from 'heddle/model';
import { BlockBanded } from 'heddle/sparse';
import { describe, expect, test } from 'vitest';
import { copyOf, createSpringChain } from './chain-fixtures.ts';
import { solveByElimination } from './gaussian-elimination.ts';

const ALWAYS = { prefersSparse: () => true };
const NEVER = { prefersSparse: () => false };

interface Problem {
  readonly parts: ChainPart[];
  readonly rows: ConstraintRows;
}

/**
 * Random chains of several sizes (a body is one block of 6), tied in a row by random rows of up to six entries, of which
 * every `softEvery`-th is soft.
 */
function createProblem(
  seed: number,
  sizes: readonly (readonly [number, number, number])[],
  rowCount: number,
  softEvery = Number.POSITIVE_INFINITY,
): Problem {
  const random = createRandom(seed);
  const parts = sizes.map(([blocks, size, bandwidth], i) => {
    const part = new ChainPart(`part ${i}`, createSpringChain(random, blocks, size, bandwidth, 0.1));
    for (let k = 0; k < part.rhs.length; k++) part.rhs[k] = random.uniform(-1, 1);
    return part;
  });
  const rows = new ConstraintRows();
  for (let r = 0; r < rowCount; r++) {
    rows.addRow(random.uniform(-1, 1), (r + 1) % softEvery === 0 ? random.uniform(0.1, 2) : 0);
    const first = r % Math.max(1, parts.length - 1);
    for (const p of parts.length === 1 ? [0] : [first, first + 1])
      for (let e = 0; e < 3; e++)
        rows.addEntry(p, Math.floor(random.uniform(0, parts[p].matrix.length)), random.uniform(-1, 1));
  }
  return { parts, rows };
}

function copyProblem({ parts, rows }: Problem): Problem {
  const copies = parts.map((part) => {
    const copy = new ChainPart(part.id, copyOf(part.matrix));
    copy.rhs.set(part.rhs);
    copy.late.push(...part.late);
    return copy;
  });
  const again = new ConstraintRows();
  for (let r = 0; r < rows.count; r++) {
    again.addRow(rows.residual[r], rows.compliance[r]);
    for (let e = rows.start[r]; e < rows.start[r + 1]; e++)
      again.addEntry(rows.part[e], rows.coordinate[e], rows.value[e]);
  }
  return { parts: copies, rows: again };
}

/** [A Gᵀ; G −c] [Δ; −λ] = [r; g] as one dense system: Δ of all parts, then λ. */
function solveDense({ parts, rows }: Problem): { delta: Float64Array; lambda: Float64Array } {
  const offsets = parts.map((_, p) => parts.slice(0, p).reduce((sum, part) => sum + part.matrix.length, 0));
  const unknowns = parts.reduce((sum, part) => sum + part.matrix.length, 0);
  const n = unknowns + rows.count;
  const K = new Float64Array(n * n);
  const b = new Float64Array(n);
  parts.forEach(({ matrix, rhs }, p) => {
    const unit = new Float64Array(matrix.length);
    const column = new Float64Array(matrix.length);
    for (let c = 0; c < matrix.length; c++) {
      unit.fill(0)[c] = 1;
      matrix.multiply(unit, column);
      for (let r = 0; r < matrix.length; r++) K[(offsets[p] + r) * n + offsets[p] + c] = column[r];
      b[offsets[p] + c] = rhs[c];
    }
  });
  for (let r = 0; r < rows.count; r++) {
    b[unknowns + r] = rows.residual[r];
    K[(unknowns + r) * n + unknowns + r] = -rows.compliance[r];
    for (let e = rows.start[r]; e < rows.start[r + 1]; e++) {
      const c = offsets[rows.part[e]] + rows.coordinate[e];
      K[(unknowns + r) * n + c] += rows.value[e];
      K[c * n + unknowns + r] += rows.value[e];
    }
  }
  const x = solveByElimination(K, b);
  return { delta: x.slice(0, unknowns), lambda: x.slice(unknowns).map((y) => -y) };
}

const joined = (parts: readonly ChainPart[]): number[] =>
  parts.flatMap(({ rhs, matrix }) => [...rhs.subarray(0, matrix.length)]);

function expectClose(found: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  expect(found.length).toBe(expected.length);
  let scale = 0;
  for (let i = 0; i < expected.length; i++) scale = Math.max(scale, Math.abs(expected[i]));
  for (let i = 0; i < expected.length; i++)
    if (!(Math.abs(found[i] - expected[i]) <= tolerance * scale))
      throw new Error(`entry ${i} is ${found[i]}; ${expected[i]} ± ${tolerance * scale} expected`);
}

describe('islands', () => {
  const createParts = (count: number) =>
    Array.from({ length: count }, (_, i) => new ChainPart(`${i}`, new BlockBanded(2, 2, 1)));

  test('are the connected components under the rows, in order of their first part', () => {
    const rows = new ConstraintRows();
    for (const pair of [
      [4, 1],
      [2, 2],
      [6, 4],
    ]) {
      rows.addRow(0);
      for (const p of pair) rows.addEntry(p, 0, 1);
    }
    expect(findIslands(createParts(7), rows)).toEqual([
      { parts: [0], rows: [] },
      { parts: [1, 4, 6], rows: [0, 2] },
      { parts: [2], rows: [1] },
      { parts: [3], rows: [] },
      { parts: [5], rows: [] },
    ]);
  });

  test('agree with a flood fill on random rows', () => {
    const random = createRandom(5);
    for (let trial = 0; trial < 50; trial++) {
      const count = 1 + Math.floor(random.uniform(0, 20));
      const parts = createParts(count);
      const rows = new ConstraintRows();
      const linked = new Map<number, Set<number>>(parts.map((_, p) => [p, new Set([p])]));
      for (let r = 0; r < Math.floor(random.uniform(0, 15)); r++) {
        rows.addRow(0);
        const members = Array.from({ length: 1 + Math.floor(random.uniform(0, 3)) }, () =>
          Math.floor(random.uniform(0, count)),
        );
        for (const p of members) {
          rows.addEntry(p, 0, 1);
          for (const q of members) linked.get(p)!.add(q);
        }
      }
      for (const { parts: members } of findIslands(parts, rows)) {
        const reached = new Set([members[0]]);
        for (const p of reached) for (const q of linked.get(p)!) reached.add(q);
        expect([...reached].sort((a, b) => a - b)).toEqual(members);
      }
    }
  });
});

describe('solvers', () => {
  test('a chain without rows is solved alone', () => {
    const problem = createProblem(1, [[9, 4, 1], [5, 4, 2], [1, 6, 0]], 0); // biome-ignore format: sizes
    const { delta } = solveDense(problem);
    const report = new System(problem.parts).solve(problem.rows);
    expect(report).toMatchObject({ ok: true, chainIslands: 3, borderedIslands: 0, sparseIslands: 0 });
    expectClose(joined(problem.parts), delta, 1e-11);
  });

  for (const [title, sizes, rowCount] of [
    ['one strand', [[12, 4, 1]], 5],
    ['a strand and two bodies', [[1, 6, 0], [14, 4, 1], [1, 6, 0]], 9],
    ['strands with bending and a body', [[8, 4, 2], [1, 6, 0], [11, 4, 1], [6, 4, 2]], 40],
  ] as const) // biome-ignore format: sizes
    test(`agree, bordered, sparse and dense, multipliers too: ${title}`, () => {
      const bordered = createProblem(7 + rowCount, sizes, rowCount);
      const sparse = copyProblem(bordered);
      const dense = solveDense(bordered);
      expect(new System(bordered.parts, NEVER).solve(bordered.rows)).toMatchObject({
        ok: true,
        borderedIslands: 1,
        sparseIslands: 0,
        redundantRows: 0,
      });
      expect(new System(sparse.parts, ALWAYS).solve(sparse.rows)).toMatchObject({
        ok: true,
        borderedIslands: 0,
        sparseIslands: 1,
        redundantRows: 0,
      });
      for (const { parts, rows } of [bordered, sparse]) {
        expectClose(joined(parts), dense.delta, 1e-10);
        expectClose(rows.multiplier.subarray(0, rows.count), dense.lambda, 1e-10);
      }
    });

  test('fulfil G Δ + c λ = residual for compliant rows, some or all', () => {
    for (const softEvery of [1, 2, 3]) {
      const bordered = createProblem(60 + softEvery, [[9, 4, 1], [1, 6, 0], [8, 4, 2]], 12, softEvery); // biome-ignore format: sizes
      const sparse = copyProblem(bordered);
      const dense = solveDense(bordered);
      expect(new System(bordered.parts, NEVER).solve(bordered.rows).ok).toBe(true);
      expect(new System(sparse.parts, ALWAYS).solve(sparse.rows).ok).toBe(true);
      for (const { parts, rows } of [bordered, sparse]) {
        expectClose(joined(parts), dense.delta, 1e-10);
        expectClose(rows.multiplier.subarray(0, rows.count), dense.lambda, 1e-10);
      }
    }
  });

  test('more soft rows than unknowns, and the same one twice, are no trouble', () => {
    for (const options of [NEVER, ALWAYS]) {
      const part = new ChainPart('mass', new BlockBanded(1, 1, 0));
      part.matrix.bands[0][0] = 2;
      const rows = new ConstraintRows();
      for (let r = 0; r < 3; r++) {
        rows.addRow(1, 0.5);
        rows.addEntry(0, 0, 1);
      }
      expect(new System([part], options).solve(rows)).toMatchObject({ ok: true, redundantRows: 0 });
      // 2 Δ = 3 λ, Δ + λ/2 = 1
      expect(part.rhs[0]).toBeCloseTo(0.75, 14);
      for (let r = 0; r < 3; r++) expect(rows.multiplier[r]).toBeCloseTo(0.5, 14);
    }
  });

  test('solve several islands at once, chains beside tied ones', () => {
    const create = () => {
      const a = createProblem(3, [[7, 4, 1], [1, 6, 0]], 4); // biome-ignore format: sizes
      const b = createProblem(4, [[5, 4, 2], [6, 4, 1]], 6); // biome-ignore format: sizes
      const alone = createProblem(6, [[10, 4, 1]], 0);
      const rows = copyProblem(a).rows;
      for (let r = 0; r < b.rows.count; r++) {
        rows.addRow(b.rows.residual[r]);
        for (let e = b.rows.start[r]; e < b.rows.start[r + 1]; e++)
          rows.addEntry(3 + b.rows.part[e], b.rows.coordinate[e], b.rows.value[e]);
      }
      return { parts: [...a.parts, ...alone.parts, ...b.parts], rows };
    };
    const dense = solveDense(create());
    for (const options of [NEVER, ALWAYS]) {
      const { parts, rows } = create();
      expect(new System(parts, options).solve(rows)).toMatchObject({ ok: true, chainIslands: 1 });
      expectClose(joined(parts), dense.delta, 1e-10);
      expectClose(rows.multiplier.subarray(0, rows.count), dense.lambda, 1e-10);
    }
  });

  test('few ties on long strands are bordered, many go to the sparse solver', () => {
    const few = createProblem(31, [[200, 4, 1], [200, 4, 1]], 12); // biome-ignore format: sizes
    expect(new System(few.parts).solve(few.rows)).toMatchObject({ ok: true, borderedIslands: 1, sparseIslands: 0 });
    const many = createProblem(32, [[200, 4, 1], [200, 4, 1]], 150); // biome-ignore format: sizes
    expect(new System(many.parts).solve(many.rows)).toMatchObject({ ok: true, borderedIslands: 0, sparseIslands: 1 });
  });

  test('hold a chain that is singular along δx = F δu by its rows (late coordinates)', () => {
    for (const options of [NEVER, ALWAYS])
      for (let seed = 0; seed < 5; seed++) {
        const problem = createSliding(seed);
        const dense = solveDense(problem);
        // without the rows there is nothing to solve
        expect(copyOf(problem.parts[0].matrix).factor().ok).toBe(false);
        problem.parts[0].late.push(12, 13, 14);
        expect(new System(problem.parts, options).solve(problem.rows)).toMatchObject({ ok: true, redundantRows: 0 });
        expectClose(joined(problem.parts), dense.delta, 1e-10);
        expectClose(problem.rows.multiplier.subarray(0, 3), dense.lambda, 1e-10);
      }
  });

  test('report redundant rows, and the answer is that of the others', () => {
    const once = createProblem(11, [[9, 4, 1], [1, 6, 0]], 4); // biome-ignore format: sizes
    const dense = solveDense(once);
    for (const options of [NEVER, ALWAYS]) {
      const { parts, rows } = copyProblem(once);
      // the first row again, doubled
      rows.addRow(2 * rows.residual[0]);
      for (let e = rows.start[0]; e < rows.start[1]; e++)
        rows.addEntry(rows.part[e], rows.coordinate[e], 2 * rows.value[e]);
      expect(new System(parts, options).solve(rows)).toMatchObject({ ok: true, redundantRows: 1 });
      expectClose(joined(parts), dense.delta, 1e-9);
      const lambda = rows.multiplier.slice(0, 5);
      expect(Math.min(Math.abs(lambda[0]), Math.abs(lambda[4]))).toBe(0);
      expectClose([lambda[0] + 2 * lambda[4], ...lambda.subarray(1, 4)], dense.lambda, 1e-9);
    }
  });

  test('a multiplier is the impulse along its row: m Δ = r + Gᵀ λ', () => {
    // two masses, tied, one pushed by 3 N s: they share it and the tie hands 2 kg/(1 + 2 kg) of it on
    for (const options of [NEVER, ALWAYS]) {
      const parts = [1, 2].map((mass, p) => {
        const part = new ChainPart(`${p}`, new BlockBanded(1, 1, 0));
        part.matrix.bands[0][0] = mass;
        return part;
      });
      parts[0].rhs[0] = 3;
      const rows = new ConstraintRows();
      rows.addRow(0);
      rows.addEntry(0, 0, -1);
      rows.addEntry(1, 0, 1);
      expect(new System(parts, options).solve(rows).ok).toBe(true);
      expect(parts[0].rhs[0]).toBeCloseTo(1, 14);
      expect(parts[1].rhs[0]).toBeCloseTo(1, 14);
      expect(rows.multiplier[0]).toBeCloseTo(2, 14);
    }
  });

  test('a row without entries says nothing and has no impulse', () => {
    const { parts, rows } = createProblem(2, [[6, 4, 1]], 2);
    rows.multiplier.fill(5);
    rows.addRow(0.3);
    expect(new System(parts).solve(rows).ok).toBe(true);
    expect(rows.multiplier[2]).toBe(0);
  });

  test('take more rows than the buffers began with', () => {
    for (let count = 14; count < 80; count++) {
      const rows = new ConstraintRows();
      for (let r = 0; r < count; r++) {
        rows.addRow(r + 0.5);
        for (let e = 0; e <= r % 3; e++) rows.addEntry(r, e, r * e);
      }
      expect(rows.residual.length).toBeGreaterThanOrEqual(count);
      expect(rows.multiplier.length).toBeGreaterThanOrEqual(count);
      expect(rows.compliance.length).toBeGreaterThanOrEqual(count);
      for (let r = 0; r < count; r++) {
        expect(rows.residual[r]).toBe(r + 0.5);
        expect(rows.start[r + 1] - rows.start[r]).toBe(1 + (r % 3));
        expect(rows.part[rows.start[r]]).toBe(r);
      }
    }
  });

  test('a matrix that is not positive definite is reported by the name of its part', () => {
    for (const rowCount of [0, 3]) {
      const { parts, rows } = createProblem(8, [[6, 4, 1], [5, 4, 1]], rowCount); // biome-ignore format: sizes
      parts[1].matrix.bands[0][5] = -3;
      const report = new System(parts, NEVER).solve(rows);
      expect(report.ok).toBe(false);
      expect(report.failedPart).toBe('part 1');
    }
  });

  test('the same system gives the same bits, also after others were solved with the same buffers', () => {
    const sizes = [[9, 4, 1], [1, 6, 0], [7, 4, 2]] as const; // biome-ignore format: sizes
    for (const options of [NEVER, ALWAYS]) {
      const first = createProblem(21, sizes, 11);
      const again = copyProblem(first);
      const other = createProblem(22, sizes, 14);
      new System(first.parts, options).solve(first.rows);
      const used = new System(other.parts, options);
      used.solve(other.rows);
      other.parts.forEach((part, p) => {
        part.matrix.copyFrom(again.parts[p].matrix);
        part.rhs.set(again.parts[p].rhs);
      });
      used.solve(again.rows);
      expect(joined(other.parts)).toEqual(joined(first.parts));
      expect(again.rows.multiplier).toEqual(first.rows.multiplier);
    }
  });
});

/** A chain of (x, u) nodes whose node 3 slides: A = Jᵀ L J there, singular along (F, 1), and a body that its x is tied to. */
function createSliding(seed: number): Problem {
  const random = createRandom(100 + seed);
  const blocks = 7;
  const at = 3;
  const F = [random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)];
  const lagrangian = createSpringChain(random, blocks, 3, 1, 0.5);
  const matrix = new BlockBanded(blocks, 4, 1);
  // J of a node: [I 0] for material nodes, whose u is a unit row; [I −F] for the sliding one
  const J = (node: number, k: number, c: number) => (c < 3 ? Number(c === k) : node === at ? -F[k] : 0);
  for (let band = 0; band <= 1; band++)
    for (let i = 0; i + band < blocks; i++)
      for (let r = 0; r < 4; r++)
        for (let c = 0; c < 4; c++) {
          let sum = 0;
          for (let k = 0; k < 3; k++)
            for (let l = 0; l < 3; l++)
              sum += J(i + band, k, r) * lagrangian.bands[band][9 * i + 3 * k + l] * J(i, l, c);
          matrix.bands[band][16 * i + 4 * r + c] = sum;
        }
  for (let i = 0; i < blocks; i++) if (i !== at) matrix.bands[0][16 * i + 15] = 1;
  const strand = new ChainPart('strand', matrix);
  for (let k = 0; k < 28; k++) strand.rhs[k] = k % 4 === 3 && k !== 15 ? 0 : random.uniform(-1, 1);
  const body = new ChainPart('body', createSpringChain(random, 1, 6, 0, 1));
  for (let k = 0; k < 6; k++) body.rhs[k] = random.uniform(-1, 1);
  const rows = new ConstraintRows();
  const arm = [random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)];
  for (let k = 0; k < 3; k++) {
    rows.addRow(random.uniform(-0.1, 0.1));
    rows.addEntry(0, 4 * at + k, 1);
    rows.addEntry(1, k, -1);
    rows.addEntry(1, 3 + ((k + 1) % 3), -arm[(k + 2) % 3]);
    rows.addEntry(1, 3 + ((k + 2) % 3), arm[(k + 1) % 3]);
  }
  return { parts: [strand, body], rows };
}

test('islands are kept while the rows tie the same parts, and found anew when they do not', () => {
  const { parts } = createProblem(3, [[2, 4, 1], [3, 4, 1], [1, 6, 0], [2, 3, 1]], 0); // biome-ignore format: sizes
  const tie = (pairs: readonly (readonly [number, number])[]) => {
    const rows = new ConstraintRows();
    for (const [a, b] of pairs) {
      rows.addRow(0.5);
      rows.addEntry(a, 0, 1);
      rows.addEntry(b, 0, -1);
    }
    return rows;
  };
  const finder = new IslandFinder();
  const first = finder.find(parts, tie([[0, 1], [2, 3]])); // biome-ignore format: pairs
  expect(finder.find(parts, tie([[0, 1], [2, 3]]))).toBe(first); // biome-ignore format: pairs
  // as many rows and entries, but other parts
  const second = finder.find(parts, tie([[0, 2], [1, 3]])); // biome-ignore format: pairs
  expect(second.map((island) => island.parts)).toEqual([
    [0, 2],
    [1, 3],
  ]);
  expect(finder.find(parts, tie([[0, 2]])).map((island) => island.parts)).toEqual([[0, 2], [1], [3]]);
  expect(finder.find(parts, tie([])).length).toBe(4);
});
