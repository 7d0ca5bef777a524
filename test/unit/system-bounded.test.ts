/** Rows with bounds on their multipliers in the common system: contact and dry friction. */
import { createRandom } from 'heddle/math';
import { ChainPart, ConstraintRows, MeshPart, type Part, System } from 'heddle/model';
import { BlockBanded, BlockPattern } from 'heddle/sparse';
import { describe, expect, test } from 'vitest';
import { copyOf, createSpringChain } from './chain-fixtures.ts';

/** One coordinate of a given mass, pushed. */
function createMass(id: string, mass: number, push: number): ChainPart {
  const part = new ChainPart(id, new BlockBanded(1, 1, 0));
  part.matrix.bands[0][0] = mass;
  part.rhs[0] = push;
  return part;
}

/** A mesh of four vertices in a ring, three and five unknowns each. */
function createMesh(random: ReturnType<typeof createRandom>): MeshPart {
  const pattern = BlockPattern.fromPairs(4, [1, 2, 3, 3], [0, 1, 2, 0]);
  const part = new MeshPart('mesh', pattern, Uint8Array.of(3, 5, 3, 5));
  const { sizes } = part.matrix;
  for (let j = 0; j < 4; j++)
    for (let slot = pattern.columnStart[j]; slot < pattern.columnStart[j + 1]; slot++) {
      const i = pattern.rows[slot];
      const block = Float64Array.from({ length: sizes[i] * sizes[j] }, () => random.uniform(-0.5, 0.5));
      if (i === j)
        for (let r = 0; r < sizes[i]; r++)
          for (let c = 0; c <= r; c++) block[c * sizes[i] + r] = block[r * sizes[i] + c] += r === c ? 8 : 0;
      part.matrix.addBlock(i, j, block);
    }
  for (let k = 0; k < part.rhs.length; k++) part.rhs[k] = random.uniform(-1, 1);
  return part;
}

const lengthOf = (part: Part): number => (part.kind === 'mesh' ? part.matrix.size : part.matrix.length);

describe('bounded rows', () => {
  test('contact pushes and never pulls: λ = max(0, what closes the gap)', () => {
    // 1 kg falls at 3 m/s towards 2 kg that rises at v: apart where v < 3, one velocity where it is not
    for (const speed of [-1, 4]) {
      const parts = [createMass('upper', 1, 3), createMass('lower', 2, 2 * speed)];
      const rows = new ConstraintRows();
      rows.addRow(0);
      rows.boundRow(0, Number.POSITIVE_INFINITY, -1);
      rows.addEntry(0, 0, 1);
      rows.addEntry(1, 0, -1);
      const report = new System(parts).solve(rows);
      expect(report).toMatchObject({ ok: true, qpIslands: 1, sparseIslands: 0, qpMethod: 'active-set' });
      expect(report.kktError).toBeLessThan(1e-12);
      const common = (3 + 2 * speed) / 3;
      expect(parts[0].rhs[0]).toBeCloseTo(Math.max(3, common), 13);
      expect(parts[1].rhs[0]).toBeCloseTo(Math.min(speed, common), 13);
      // m Δ = r + Gᵀ λ: the impulse on the first mass is λ
      expect(rows.multiplier[0]).toBeCloseTo(Math.max(0, common - 3), 13);
      expect(rows.state[0]).toBe(speed > 3 ? 0 : -1);
    }
  });

  test('a part that nothing joins to the others any more is left out of their system', () => {
    const parts = [createMass('upper', 1, 3), createMass('lower', 2, -2)];
    const system = new System(parts);
    const solve = (isJoined: boolean) => {
      [parts[0].rhs[0], parts[1].rhs[0]] = [-3, 2];
      const rows = new ConstraintRows();
      rows.addRow(0);
      rows.boundRow(0, Number.POSITIVE_INFINITY, 0);
      rows.addEntry(0, 0, 1);
      if (isJoined) rows.addEntry(1, 0, -1);
      expect(system.solve(rows)).toMatchObject({ ok: true, qpIslands: 1 });
      return parts.map(({ rhs }) => rhs[0]);
    };
    // 1 kg at −3 m/s and 2 kg at 1 m/s get one velocity; against a wall the first stops, and the second goes on
    for (const speed of solve(true)) expect(speed).toBeCloseTo(-1 / 3, 13);
    const [stopped, other] = solve(false);
    expect(stopped).toBeCloseTo(0, 13);
    expect(other).toBeCloseTo(1, 13);
  });

  test('dry friction takes at most its bound: it stops what is slow and brakes what is fast', () => {
    for (const [push, speed, state] of [
      [0.5, 0, 0],
      [-0.5, 0, 0],
      [2, 1, -1],
      [-2, -1, 1],
    ]) {
      const part = createMass('block', 1, push);
      const rows = new ConstraintRows();
      rows.addRow(0);
      rows.boundRow(-1, 1, 0);
      rows.addEntry(0, 0, 1);
      expect(new System([part]).solve(rows).ok).toBe(true);
      expect(part.rhs[0]).toBeCloseTo(speed, 14);
      expect(rows.multiplier[0]).toBeCloseTo(speed - push, 14);
      expect(rows.state[0]).toBe(state);
    }
  });

  for (let seed = 0; seed < 8; seed++)
    test(`a strand, a mesh and a body tied by equalities, contacts, friction and soft rows fulfil the conditions (${seed})`, () => {
      const random = createRandom(100 + seed);
      const chain = new ChainPart('chain', createSpringChain(random, 7, 4, 1, 0.1));
      const body = new ChainPart('body', createSpringChain(random, 1, 6, 0, 0.1));
      for (const part of [chain, body]) for (let k = 0; k < part.rhs.length; k++) part.rhs[k] = random.uniform(-1, 1);
      const mesh = createMesh(random);
      const parts: Part[] = [chain, mesh, body];
      const rows = new ConstraintRows();
      for (let r = 0; r < 18; r++) {
        rows.addRow(random.uniform(-0.3, 0.3), r % 5 === 0 ? random.uniform(0, 0.5) : 0);
        if (r % 3 === 1) rows.boundRow(0, Number.POSITIVE_INFINITY, -1);
        if (r % 3 === 2) rows.boundRow(-0.05, 0.05, 0);
        for (const p of [r % 2, 1 + (r % 2)])
          for (let e = 0; e < 3; e++)
            rows.addEntry(
              p,
              4 * e + Math.floor(random.uniform(0, p === 2 ? 2 : 4)) - (p === 2 ? 2 * e : 0),
              random.uniform(-1, 1),
            );
      }
      const before = parts.map((part) => part.rhs.slice());
      const chains = [copyOf(chain.matrix), null, copyOf(body.matrix)];
      const report = new System(parts).solve(rows);
      expect(report).toMatchObject({ ok: true, qpIslands: 1 });
      const forces = parts.map((_, p) => before[p].slice());
      const gaps = new Float64Array(rows.count);
      for (let r = 0; r < rows.count; r++) {
        gaps[r] = rows.compliance[r] * rows.multiplier[r] - rows.residual[r];
        for (let e = rows.start[r]; e < rows.start[r + 1]; e++) {
          forces[rows.part[e]][rows.coordinate[e]] += rows.value[e] * rows.multiplier[r];
          gaps[r] += rows.value[e] * parts[rows.part[e]].rhs[rows.coordinate[e]];
        }
      }
      // A Δ = r + Gᵀ λ
      parts.forEach((part, p) => {
        const product = new Float64Array(lengthOf(part));
        (chains[p] ?? mesh.matrix).multiply(part.rhs, product);
        for (let k = 0; k < product.length; k++) expect(product[k]).toBeCloseTo(forces[p][k], 9);
      });
      let held = 0;
      for (let r = 0; r < rows.count; r++) {
        const { [r]: lambda } = rows.multiplier;
        expect(lambda).toBeGreaterThanOrEqual(rows.lower[r]);
        expect(lambda).toBeLessThanOrEqual(rows.upper[r]);
        if (gaps[r] > 1e-9) expect(lambda).toBe(rows.lower[r]);
        if (gaps[r] < -1e-9) expect(lambda).toBe(rows.upper[r]);
        if (rows.state[r] === 0) held++;
      }
      expect(held).toBeGreaterThan(6);
      expect(held).toBeLessThan(18);
    });

  test('islands without bounds give the same bits as without their neighbours', () => {
    const create = (withContact: boolean) => {
      const random = createRandom(9);
      const chain = new ChainPart('chain', createSpringChain(random, 9, 4, 1, 0.1));
      const mesh = createMesh(random);
      for (let k = 0; k < chain.rhs.length; k++) chain.rhs[k] = random.uniform(-1, 1);
      const parts: Part[] = [chain, mesh, createMass('a', 1, -1), createMass('b', 1, 1)];
      const rows = new ConstraintRows();
      rows.addRow(0.2);
      rows.addEntry(0, 5, 1);
      rows.addEntry(1, 2, -1);
      if (withContact) {
        rows.addRow(0);
        rows.boundRow(0, Number.POSITIVE_INFINITY, 0);
        rows.addEntry(2, 0, 1);
        rows.addEntry(3, 0, -1);
      }
      const report = { ...new System(parts).solve(rows) };
      return { report, parts, rows };
    };
    const [plain, mixed] = [create(false), create(true)];
    expect(plain.report).toMatchObject({ sparseIslands: 1, qpIslands: 0, qpMethod: '', kktError: 0 });
    expect(mixed.report).toMatchObject({ sparseIslands: 1, qpIslands: 1 });
    for (const p of [0, 1]) expect([...mixed.parts[p].rhs]).toEqual([...plain.parts[p].rhs]);
    expect(mixed.rows.multiplier[0]).toBe(plain.rows.multiplier[0]);
    expect(mixed.parts[2].rhs[0]).toBe(0);
  });

  test('rows that contradict each other are reported, and why', () => {
    const rows = new ConstraintRows();
    for (const sign of [1, -1]) {
      rows.addRow(1);
      rows.boundRow(0, Number.POSITIVE_INFINITY, 0);
      rows.addEntry(0, 0, sign);
    }
    const report = new System([createMass('squeezed', 1, 0)]).solve(rows);
    expect(report).toMatchObject({ ok: false, failedPart: 'squeezed' });
    expect(report.cause).toMatch(/contradict/);
  });
});
