/** The shape of what `heddle bench` says; how fast anything is, no test asks. */
import { describe, expect, test } from 'vitest';
import { makeWorkplace } from './cli-fixtures.ts';

describe('heddle bench', () => {
  test('--json ends with {model, rows, demands}, a row for each mode of each size', async () => {
    const { code, stdout } = await makeWorkplace().run('bench', 'strand', '--sizes', '7,40', '--json');
    expect(code).toBe(0);
    const { model, rows, demands } = JSON.parse(stdout);
    expect(model).toBe('strand');
    expect(rows.map((row: { nodes: number; mode: string }) => [row.nodes, row.mode])).toEqual([
      [7, 'eol'],
      [7, 'lagrangian'],
      [40, 'eol'],
      [40, 'lagrangian'],
    ]);
    const positive = expect.toSatisfy((value: unknown) => typeof value === 'number' && value > 0, 'a number > 0');
    const stage = expect.toSatisfy((value: unknown) => typeof value === 'number' && value >= 0, 'a number >= 0');
    for (const row of rows)
      expect(row).toMatchObject({
        scene: 'strand-timing',
        msPerStep: positive,
        nsPerNode: positive,
        ratio: positive,
        referenceMs: positive,
        lagrangianRatio: positive,
        stages: { detect: stage, adapt: stage, assemble: stage, solve: stage, advance: stage },
        substepsPerStep: 1,
        steps: 100,
      });
    for (const { nodes, activeNodes, msPerStep, nsPerNode, referenceMs, ratio } of rows) {
      expect(Math.abs(activeNodes - nodes)).toBeLessThanOrEqual(5);
      expect(nsPerNode).toBeCloseTo((msPerStep * 1e6) / nodes, 6);
      expect(ratio).toBeCloseTo(msPerStep / referenceMs, 6);
    }
    expect(demands.map((demand: { limit: number }) => demand.limit)).toEqual([1.6, 1.6]);
  });

  test('material slides through the guides while it is timed', async () => {
    const { stdout } = await makeWorkplace().run('bench', '--sizes', '200', '--json');
    const [eol, lagrangian] = JSON.parse(stdout).rows;
    expect(eol.remeshingsPerStep).toBeGreaterThan(0.02);
    expect(lagrangian.remeshingsPerStep).toBe(0);
  });

  test('without --json a table with the numbers of the paper', async () => {
    const { stdout } = await makeWorkplace().run('bench', 'strand', '--sizes', '7');
    expect(stdout).toMatch(/nodes +mode +ms\/step +ns\/node/);
    expect(stdout).toMatch(/^ +7 +eol +[\d.]+ .* 0\.1$/m);
    expect(stdout).toMatch(/eol over lagrangian at 7 nodes: [\d.]+, at most 1\.6/);
  });

  test.each([
    ['an unknown model', ['bench', 'strnd'], 'Did you mean "strand"?'],
    ['a size without guides', ['bench', '--sizes', '800,6'], 'at least 7'],
    ['a size that is no number', ['bench', '--sizes', '1k,many'], '"many" is no number of nodes'],
  ])('%s is a mistake of the user', async (_, argv, sentence) => {
    const { code, stderr } = await makeWorkplace().run(...argv);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });
});
