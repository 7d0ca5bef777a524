/** Islands of nets and the bodies they push: the elimination of the nets and the sparse solver of the whole island must agree. */
import { createRandom } from 'heddle/math';
import { ChainPart, ConstraintRows, NetPart, System } from 'heddle/model';
import { BlockBanded, BlockPattern } from 'heddle/sparse';
import { describe, expect, test } from 'vitest';
import { SparseIsland } from '../../src/model/island-sparse.ts';

/** Nets of `sizes` nodes in rows of ten, then two bodies; net k touches the bodies of `touched[k]` with every third node. */
function createParts(seed: number, sizes: readonly number[], touched: readonly (readonly number[])[]) {
  const random = createRandom(seed);
  const bodies = [0, 1].map((b) => {
    const part = new ChainPart(`body ${b}`, new BlockBanded(1, 6, 0));
    for (let k = 0; k < 6; k++) {
      part.matrix.bands[0][7 * k] = 0.01 * (b + 1) * (k + 1);
      part.rhs[k] = random.uniform(-1, 1);
    }
    return part;
  });
  const nets = sizes.map((n, which) => {
    const [rows, columns]: number[][] = [[], []];
    for (let i = 1; i < n; i++)
      for (const j of [i - 1, i - 10])
        if (j >= 0) {
          rows.push(i);
          columns.push(j);
        }
    const pattern = BlockPattern.fromPairs(n, rows, columns);
    const net = new NetPart(`net ${which}`, pattern);
    const { values } = net.matrix;
    for (let i = 0; i < n; i++) for (let c = 0; c < 5; c++) values[25 * pattern.slot(i, i) + 6 * c] += 0.5;
    for (let e = 0; e < rows.length; e++)
      for (let c = 0; c < 5; c++) {
        const stiffness = random.uniform(0.5, 2);
        for (const i of [rows[e], columns[e]]) values[25 * pattern.slot(i, i) + 6 * c] += stiffness;
        values[25 * pattern.slot(rows[e], columns[e]) + 6 * c] -= stiffness;
      }
    for (let k = 0; k < net.rhs.length; k++) net.rhs[k] = random.uniform(-1, 1);
    // springs g gᵀ between a node and a body: definite together
    for (const b of touched[which])
      for (let i = 0; i < n; i += 3) {
        const g = Float64Array.from({ length: 11 }, () => random.uniform(-1, 1));
        const at = net.border.add(i, sizes.length + b);
        for (let r = 0; r < 5; r++) {
          for (let c = 0; c < 5; c++) values[25 * pattern.slot(i, i) + 5 * r + c] += g[r] * g[c];
          for (let c = 0; c < 6; c++) net.border.value[at + 6 * r + c] += g[r] * g[5 + c];
        }
        for (let r = 0; r < 6; r++)
          for (let c = 0; c < 6; c++) bodies[b].matrix.bands[0][6 * r + c] += g[5 + r] * g[5 + c];
      }
    return net;
  });
  return [...nets, ...bodies];
}

describe('nets that push bodies', () => {
  test.each([
    ['one net, one body', [40], [[0]]],
    ['one net, two bodies', [40], [[0, 1]]],
    ['two nets, two bodies', [40, 25], [[0, 1], [1]]],
    ['a net too large to factor', [1510], [[0, 1]]],
  ] as const)('are solved as by the sparse solver of the whole island: %s', (_, sizes, touched) => {
    const [mine, other] = [0, 1].map(() => createParts(3, sizes, touched));
    const rows = new ConstraintRows();
    const report = new System(mine).solve(rows);
    expect(report.ok).toBe(true);
    expect(report.meshIslands).toBe(1);
    const members = Array.from(other.keys()).filter(
      (p) => p < sizes.length || touched.some((list) => (list as readonly number[]).includes(p - sizes.length)),
    );
    expect(new SparseIsland().solve(other, members, [], rows).ok).toBe(true);
    // conjugate gradients go to 3e-3 in the energy, factors to rounding
    const digits = sizes[0] > 1500 ? 2 : 11;
    for (const p of members)
      for (let k = 0; k < mine[p].rhs.length; k++) expect(mine[p].rhs[k]).toBeCloseTo(other[p].rhs[k], digits);
  });

  test('with a row on the body the whole island is sparse, and the row holds', () => {
    const parts = createParts(5, [40], [[0]]);
    const rows = new ConstraintRows();
    rows.addRow(0.25);
    rows.addEntry(1, 2, 1);
    const report = new System(parts).solve(rows);
    expect(report.ok).toBe(true);
    expect(report.sparseIslands).toBe(1);
    expect(parts[1].rhs[2]).toBeCloseTo(0.25, 12);
    // the net follows: without the row it goes elsewhere
    const free = createParts(5, [40], [[0]]);
    new System(free).solve(new ConstraintRows());
    expect(Math.abs(free[0].rhs[0] - parts[0].rhs[0])).toBeGreaterThan(1e-4);
  });
});
