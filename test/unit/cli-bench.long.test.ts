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

  test('prints a table with the numbers of the paper without --json', async () => {
    const { stdout } = await makeWorkplace().run('bench', 'strand', '--sizes', '7');
    expect(stdout).toMatch(/nodes +mode +ms\/step +ns\/node/);
    expect(stdout).toMatch(/^ +7 +eol +[\d.]+ .* 0\.1$/m);
    expect(stdout).toMatch(/eol over lagrangian at 7 nodes: [\d.]+, at most 1\.6/);
  });

  test.each([
    ['an unknown model', ['bench', 'strnd'], 'Did you mean "strand"?'],
    ['a size without guides', ['bench', '--sizes', '800,6'], 'at least 7'],
    ['a size that is no number', ['bench', '--sizes', '1k,many'], '"many" is not a number of nodes'],
  ])('%s is a mistake of the user', async (_, argv, sentence) => {
    const { code, stderr } = await makeWorkplace().run(...argv);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });
});

describe('heddle bench cli', () => {
  test('--json ends with a row for each command, as a ratio to bare Node, and demands of three of them', async () => {
    const { code, stdout, stderr } = await makeWorkplace().run('bench', 'cli', '--starts', '1', '--json');
    expect([code, stderr]).toEqual([0, '']);
    const { model, rows, demands } = JSON.parse(stdout);
    expect(model).toBe('cli');
    for (const { command, ms, nodeMs, ratio, wallMs, wallRatio } of rows) {
      expect(command).toMatch(/^[\w -]+$/);
      for (const number of [ms, wallMs, wallRatio]) expect(number).toBeGreaterThan(0);
      expect(ratio).toBeCloseTo(ms / nodeMs, 9);
    }
    expect(demands).toEqual(
      ['--version', '--help', 'list'].map((command, k) => ({
        demand: `heddle ${command} over node -e 0`,
        value: rows[k].ratio,
        limit: 2,
        holds: rows[k].ratio <= 2,
      })),
    );
  });

  test('--sizes is a mistake of the user, told with the benchmarks that have sizes', async () => {
    const { code, stderr } = await makeWorkplace().run('bench', 'cli', '--sizes', '7');
    expect(code).toBe(2);
    expect(stderr).toMatch(/--sizes is for "heddle bench strand", .* and "heddle bench mpm"; leave it out\.\n$/);
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
      /passes {2}stretch in the swing at 4 nodes, sdirk2, 1000 steps\/s, %: [\d.e-]+, at most 0\.1/,
    );
    expect(stdout).toContain("multiples of the engine's default");
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
    ['no time', ['bench', '--peers', '--seconds', '0'], '"0" is not a time in seconds'],
    [
      'a time without peers',
      ['bench', '--seconds', '1'],
      '--seconds is for "heddle bench strand --peers" and "heddle bench sheet --peers"',
    ],
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

describe('heddle bench sheet', () => {
  const bench = ['bench', 'sheet', '--sizes', '9,25', '--steps', '3'];
  const share = expect.toSatisfy((value: unknown) => typeof value === 'number' && value >= 0 && value <= 1, 'a share');

  test('--json ends with the six rows of Table 7.1, the sizes and the exponent', async () => {
    const { code, stdout, stderr } = await makeWorkplace().run(...bench, '--json');
    expect([code, stderr]).toEqual([0, '']);
    const { model, rows, scaling, exponent, demands } = JSON.parse(stdout);
    expect(model).toBe('sheet');
    expect(rows.map((row: { scene: string; mode: string }) => [row.scene, row.mode])).toEqual(
      ['edge', 'corner', 'slide'].flatMap((scene) => ['lagrangian', 'eol'].map((mode) => [scene, mode])),
    );
    for (const row of rows) {
      expect(row).toMatchObject({
        steps: 3,
        fault: null,
        sliding: share,
        detection: share,
        remeshing: share,
        transfer: 0,
      });
      expect(row.detection + row.remeshing + row.transfer + row.integration).toBeCloseTo(1, 9);
      expect(row.msPerStep).toBeGreaterThan(0);
      expect(row.paper).toHaveLength(7);
    }
    const [lagrangian, eol] = rows;
    // the thesis' numbers of vertices; the crease lies on the edge from the start
    expect([lagrangian.vertices, lagrangian.sliding, rows[2].vertices]).toEqual([174, 0, 464]);
    expect(eol.sliding).toBeGreaterThan(0.04);
    expect(eol.ratio).toBeCloseTo(eol.msPerStep / lagrangian.msPerStep, 9);
    expect(scaling.map((row: { vertices: number }) => row.vertices)).toEqual([9, 25]);
    for (const row of scaling) {
      expect(row.ratio).toBeCloseTo(row.msPerStep / row.referenceMs, 6);
      expect(row.usPerVertex).toBeCloseTo((1e3 * row.msPerStep) / row.vertices, 6);
    }
    const [few, many] = scaling;
    expect(exponent).toBeCloseTo(Math.log(many.msPerStep / few.msPerStep) / Math.log(25 / 9), 6);
    expect(demands.map((demand: { demand: string }) => demand.demand)).toContain('eol over lagrangian, slide');
  });

  test('prints both tables with the numbers of the thesis without --json', async () => {
    const { stdout } = await makeWorkplace().run(...bench);
    expect(stdout).toMatch(/scene +mode +#V +%E +%CD +%RM +%VT +%VI +ms +ratio/);
    expect(stdout).toMatch(/^edge +eol +1\d\d( +[\d.]+){7} +135 +29\.6 +3\.9 +1\.7 +40\.4 +51\.9 +127\.9$/m);
    expect(stdout).toMatch(/vertices +ms\/step +us\/vertex +x ref\. +Newton/);
    expect(stdout).toMatch(/^ms ~ vertices\^-?[\d.]+$/m);
    expect(stdout).toMatch(/eol over lagrangian, corner: [\d.e+]+, at most 1\.3/);
  });

  test('a scene that cannot go on is a row with the reason', async () => {
    const { measureScenes } = await import('../../bench/sheet.js');
    const { scenes } = await import('../../bench/sheet-scenes.js');
    const [edge] = scenes;
    const describeScene = edge.describe;
    try {
      edge.describe = () => {
        throw new Error('no such cloth');
      };
      const [row] = measureScenes(2);
      expect(row).toMatchObject({ scene: 'edge', mode: 'lagrangian', steps: 0, fault: 'no such cloth' });
    } finally {
      edge.describe = describeScene;
    }
  });

  test.each([
    ['a cloth without an inner vertex', ['bench', 'sheet', '--sizes', '4'], 'at least 9'],
    ['a number of steps for a strand', ['bench', '--steps', '5'], '--steps is for "heddle bench sheet"'],
    ['no step', ['bench', 'sheet', '--steps', '0'], '"0" is not a number of steps'],
    ['a task without peers', ['bench', 'sheet', '--task', 'hang'], '--task is for'],
    ['an unknown task', ['bench', 'sheet', '--peers', '--task', 'hng'], 'Did you mean "hang"?'],
  ])('%s is a mistake of the user', async (_, argv, sentence) => {
    const { code, stderr } = await makeWorkplace().run(...argv);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });
});

describe('heddle bench sheet --peers', () => {
  const peers = ['bench', 'sheet', '--peers', '--sizes', '36', '--seconds', '0.6'];

  test('--json ends with a row for each cloth of each engine, Heddle first', async () => {
    const { code, stdout, stderr } = await makeWorkplace().run(...peers, '--json');
    expect([code, stderr]).toEqual([0, '']);
    const { rows, demands } = JSON.parse(stdout);
    expect(rows.map((row: { engine: string; variant: string }) => `${row.engine} ${row.variant}`)).toEqual([
      'heddle default',
      'heddle lagrangian',
      'jolt example',
      'jolt tuned',
      'rapier default',
      'rapier stiff',
    ]);
    for (const { vertices, hang, edge } of rows) {
      expect(vertices).toBe(36);
      if (hang !== null) {
        expect(hang).toMatchObject({ finite: true });
        expect(hang.seconds).toBeCloseTo(0.6, 9);
        expect(hang.worst).toBeGreaterThanOrEqual(hang.most);
        expect(hang.most).toBeGreaterThan(0);
      }
      expect(edge.seconds).toBeCloseTo(0.2, 9);
      expect(edge.worstDeviation).toBeGreaterThanOrEqual(edge.deviation);
    }
    // the cloth slides round the edge and stays out of the box
    expect(rows[0].edge.depth).toBe(0);
    expect(rows[0].edge.deviation).toBeLessThan(0.05);
    expect(rows[1].edge.depth).toBeGreaterThan(1e-3);
    expect(demands).toHaveLength(5);
  });

  test('--task leaves the other one out', async () => {
    const { stdout } = await makeWorkplace().run(...peers, '--task', 'hang', '--json');
    const { rows, demands } = JSON.parse(stdout);
    expect(rows.map((row: { edge: unknown }) => row.edge)).toEqual([null, null, null, null, null]);
    expect(rows.every((row: { hang: { most: number } }) => row.hang.most > 0)).toBe(true);
    expect(demands).toHaveLength(2);
  });

  test('prints a table and the settings without --json', async () => {
    const { stdout } = await makeWorkplace().run(...peers);
    expect(stdout).toMatch(/engine +cloth +vertices +mean % +95th % +max % +ms\/step +dev\. m\/s/);
    expect(stdout).toMatch(/^jolt +tuned +36( +[\d.<]+){9}/m);
    expect(stdout).toMatch(/drawn, depth in the box at 36 vertices, mm: 0\.00, at most 0/);
    expect(stdout).toContain('long-range attachments, 90 iterations');
  });

  test('the depth of a straight line through a corner is that of its deepest point', async () => {
    const { computeSegmentDepth } = await import('../../bench/sheet-peers-cloth.js');
    // from above the top to beside the side, past the corner at (0, 0): min(p, q) is largest where both are the same
    expect(computeSegmentDepth(3, -1, -1, 3)).toBe(1);
    expect(computeSegmentDepth(-1, -1, -3, -1)).toBe(0);
    expect(computeSegmentDepth(2, 1, 4, 3)).toBe(3);
  });
});

describe('heddle bench rod', () => {
  const bench = ['bench', 'rod', '--sizes', '10,20', '--steps', '3'];
  const positive = expect.toSatisfy((value: unknown) => typeof value === 'number' && value > 0, 'a number > 0');

  test('--json ends with the eight rows of Table 1, both modes of each size and the exponents', async () => {
    const { code, stdout, stderr } = await makeWorkplace().run(...bench, '--json');
    expect([code, stderr]).toEqual([0, '']);
    const { model, rows, scaling, exponents, demands } = JSON.parse(stdout);
    expect(model).toBe('rod');
    // the paper's numbers of nodes at the start
    expect(rows.map((row: { least: number }) => row.least)).toEqual([11, 20, 36, 49, 47, 107, 81, 73]);
    for (const row of rows) {
      expect(row).toMatchObject({ steps: 3, fault: null, ratio: positive, factor: positive });
      expect(row.least).toBe(row.paper.least);
      const { total, ...stages } = row.ms as Record<string, number>;
      // the stages are shares of the total by the clock, which has more than they
      expect(Object.values(stages).reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(1.0001 * total);
      expect(row.factor).toBeCloseTo(row.paper.ms.total / total, 6);
    }
    expect(scaling.map((row: { nodes: number; mode: string }) => [row.nodes, row.mode])).toEqual([
      [10, 'lagrangian'],
      [10, 'rh'],
      [20, 'lagrangian'],
      [20, 'rh'],
    ]);
    for (const row of scaling) {
      expect(row).toMatchObject({ rods: 1, newtonIterations: positive, referenceMs: positive });
      expect(row.usPerNode).toBeCloseTo((1e3 * row.msPerStep) / row.nodes, 6);
    }
    const [few, , many] = scaling;
    expect(exponents.lagrangian).toBeCloseTo(Math.log(many.msPerStep / few.msPerStep) / Math.log(2), 6);
    expect(demands.filter((one: { limit: number }) => one.limit === 0.1)).toHaveLength(8);
  });

  test('nodes of the adaptive rod move while it is timed', async () => {
    const { measureScaling } = await import('../../bench/rod.js');
    const [lagrangian, rh] = measureScaling([100]);
    expect(lagrangian.nodeSpeed).toBe(0);
    expect(rh.nodeSpeed).toBeGreaterThan(1e-3);
  });

  test('prints both tables with the numbers of the paper without --json', async () => {
    const { stdout } = await makeWorkplace().run(...bench);
    expect(stdout).toMatch(/figure +scene +#V +collision +resample +force +solve +total/);
    expect(stdout).toMatch(/^ +paper +49–153 +0\.724 +0\.410 +5\.55 +29\.7 +36\.4 +82$/m);
    expect(stdout).toMatch(/rods +nodes +mode +ms\/step +us\/node/);
    expect(stdout).toMatch(/^ms ~ nodes\^-?[\d.]+ {2}rh$/m);
  });

  test.each([
    ['a rod without a wave', ['bench', 'rod', '--sizes', '9'], 'at least 10'],
    ['peers that there are none of', ['bench', 'rod', '--peers'], 'without --peers'],
  ])('%s is a mistake of the user', async (_, argv, sentence) => {
    const { code, stderr } = await makeWorkplace().run(...argv);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });
});

describe('heddle bench fabric', () => {
  const tiny = ['bench', 'fabric', '--shares', '0.001', '--steps', '2', '--sizes', '9'];

  test('--json ends with a row for each scene of Table 1 at each share, and for each weave', async () => {
    const { code, stdout } = await makeWorkplace().run(...tiny, '--json');
    expect(code).toBe(0);
    const { model, rows, scaling, demands } = JSON.parse(stdout);
    expect(model).toBe('fabric');
    expect(rows.map(({ scene, step }: { scene: string; step: number }) => [scene, step])).toEqual([
      ['tablecloth', 1e-3],
      ['pocket', 1e-3],
      ['tag', 2e-3],
      ['knit 1', 5e-4],
      ['knit 2', 5e-4],
    ]);
    const positive = expect.toSatisfy((value: unknown) => typeof value === 'number' && value > 0, 'a number > 0');
    for (const row of rows) {
      expect(row).toMatchObject({ share: 0.001, fault: null, secondsPerStep: positive, newton: positive });
      expect(row).toMatchObject({ processBytes: positive, solverBytes: positive });
      expect(row.lagrangian + row.within + row.between).toBeGreaterThanOrEqual(row.nodes);
      expect(row.eil).toBeLessThan(row.nodes);
    }
    // aligned layers touch twice in each cell, at two faces: as many as 4/3 of the crossings, as in the paper
    expect(rows[0].between / rows[0].within).toBeCloseTo(4 / 3, 9);
    expect(scaling).toHaveLength(1);
    expect(scaling[0]).toMatchObject({ crossings: 9, msPerStep: positive, referenceMs: positive, smallFault: null });
    expect(demands.map((demand: { demand: string }) => demand.demand)).toEqual([
      'energy gained at 1 ms over the kinetic, 9 crossings',
      'energy gained at 0.1 ms over the kinetic, 9 crossings',
    ]);
  });

  test('prints the columns of Table 1 with its rows without --json', async () => {
    const { stdout } = await makeWorkplace().run(...tiny);
    expect(stdout).toMatch(
      /^scene +size +Lagr\. +within +between +EIL +h \[ms\] +s\/step +sub +Newton +PCG +MB +solver/m,
    );
    expect(stdout).toMatch(/^ {2}paper +100 % +1,576 +96,290 +132,200 +79,019 +1 +15\.9$/m);
    expect(stdout).toMatch(/^ {2}paper +100 % +208 +55,520 +- +602 +0\.5 +15\.53$/m);
    expect(stdout).toMatch(/^ +crossings +ms\/step +us\/node +x ref\. +Newton +public ms +demand/m);
  });

  test.each([
    ['--full of another model', ['bench', 'rod', '--full'], '--full is for "heddle bench fabric"'],
    ['--shares of another model', ['bench', 'rod', '--shares', '0.1'], '--shares is for "heddle bench fabric"'],
    ['a share above 1', ['bench', 'fabric', '--shares', '2'], '"2" is not a share'],
    ['peers', ['bench', 'fabric', '--peers'], '--peers is for "heddle bench strand --peers"'],
    ['a weave of one crossing', ['bench', 'fabric', '--sizes', '2'], 'at least 4'],
  ])('%s is a mistake of the user', async (_, argv, sentence) => {
    const { code, stderr } = await makeWorkplace().run(...argv);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });
});
