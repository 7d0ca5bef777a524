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

describe('heddle bench --peers', () => {
  const peers = ['bench', 'strand', '--peers', '--sizes', '4', '--seconds', '0.05'];

  test('--json ends with a row for each rope of each engine, Heddle first', async () => {
    const { code, stdout, stderr } = await makeWorkplace().run(...peers, '--json');
    expect([code, stderr]).toEqual([0, '']);
    const { model, rows, demands } = JSON.parse(stdout);
    expect(model).toBe('strand');
    expect(rows[0]).toMatchObject({ engine: 'heddle', nodes: 4, stepsPerSecond: 60, iterations: 1, ratio: 1 });
    expect([...new Set(rows.map((row: { engine: string }) => row.engine))]).toEqual(['heddle', 'jolt', 'rapier']);
    for (const row of rows) {
      expect(row).toMatchObject({ nodes: 4, finite: true, tipSpeed: null });
      expect(row.seconds).toBeCloseTo(0.05, 9);
      expect(row.msPerSecond).toBeGreaterThan(0);
      expect(row.ratio).toBeCloseTo(row.msPerSecond / rows[0].msPerSecond, 9);
      expect(row.stretch).toBeGreaterThanOrEqual(row.swingStretch);
    }
    expect(demands).toHaveLength(rows.filter((row: { engine: string }) => row.engine === 'heddle').length);
  });

  test('every engine lets the same rope fall: after 0.3 s the tip is where a pendulum would be', async () => {
    const { loadPeers } = await import('../../bench/peers.js');
    // φ̈ = −(g/L') cos φ from horizontal, L' = L (M + m/3)/(M + m/2), by small steps
    let [angle, speed] = [0, 0];
    for (let n = 0; n < 30_000; n++)
      angle += 1e-5 * (speed += (1e-5 * 9.81 * 0.21 * Math.cos(angle)) / (0.2 + 0.02 / 3));
    for (const { engine, loaded } of await loadPeers())
      for (const { variant, create } of engine.variants) {
        const rope = create({ nodes: 4, step: 1 / 600, effort: 1 }, loaded);
        for (let n = 0; n < 180; n++) rope.step();
        rope.writePath();
        const [x, y, z] = rope.path.slice(-3);
        rope.free();
        // the tip has fallen by 0.42 m; Rapier's multibody is 14 mm off, all others 0.3 to 5 mm
        expect(Math.hypot(x - Math.cos(angle), y + Math.sin(angle), z), `${engine.name}, ${variant}`).toBeLessThan(
          0.02,
        );
      }
  });

  test('without --json a table, what it must show and the settings', async () => {
    const { stdout } = await makeWorkplace().run(...peers);
    expect(stdout).toMatch(/engine +rope of +nodes +steps\/s +iter\. +swing % +all % +tip m\/s +ms\/s +x heddle/);
    expect(stdout).toMatch(/^rapier +rope joints +4 +600 +x10 /m);
    expect(stdout).toMatch(
      /holds {2}stretch in the swing at 4 nodes, sdirk2, 1000 steps\/s, %: [\d.e-]+, at most 0\.1/,
    );
    expect(stdout).toContain("times the engine's default");
  });

  test('engines that are not installed are named with the command that installs them', async () => {
    const { loadPeers } = await import('../../bench/peers.js');
    const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
    await expect(loadPeers(() => Promise.reject(missing))).rejects.toThrow(
      'jolt-physics and @dimforge/rapier3d-compat are not installed, and --peers measures them: run "npm install --no-save jolt-physics @dimforge/rapier3d-compat"',
    );
    const other = new Error('a mistake inside');
    await expect(loadPeers(() => Promise.reject(other))).rejects.toBe(other);
  });

  test.each([
    ['a rope without segments', [...peers.slice(0, 3), '--sizes', '2'], 'at least 3'],
    ['no time', ['bench', '--peers', '--seconds', '0'], '"0" is no time in seconds'],
    ['a time without peers', ['bench', '--seconds', '1'], '--seconds is for --peers'],
  ])('%s is a mistake of the user', async (_, argv, sentence) => {
    const { code, stderr } = await makeWorkplace().run(...argv);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });

  test('--help shows it', async () => {
    const { stdout } = await makeWorkplace().run('bench', '--help');
    expect(stdout).toContain('--peers');
    expect(stdout).toContain('heddle bench strand --peers');
  });
});
