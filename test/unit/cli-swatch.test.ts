/** What `heddle swatch` writes and says; what swatches measure is in test/laws. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeWorkplace } from './cli-fixtures.ts';

const SMALL = ['--size', '0.0016,0.0032', '--points', '2'];

describe('heddle swatch', () => {
  test('writes a CSV file for each test and a plot for each kind', async () => {
    const place = makeWorkplace();
    const { code, stdout } = await place.run('swatch', 'plain', ...SMALL);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^test +nodes +width \[mm\] +gauge \[mm\] +initial stiffness +by construction +largest$/m);
    expect(stdout).toMatch(/^stretch-warp +56 +1\.600 +2\.800 +[\d.]+ N\/m +EA\/p +[\d.]+ N\/m at 0\.0500$/m);
    expect(stdout).toMatch(/^stretch-bias .* no, simulated /m);
    expect(stdout).toContain('Yarns are straight: the model has no crimp.');
    const folder = join(place.folder, 'out/swatch-plain');
    const tests = ['bend-warp', 'bend-weft', 'shear', 'stretch-bias', 'stretch-warp', 'stretch-weft'];
    expect(readdirSync(folder).sort()).toEqual(
      [...tests.map((name) => `${name}.csv`), 'bend.svg', 'shear.svg', 'stretch.svg'].sort(),
    );
    const [header, ...rows] = readFileSync(join(folder, 'stretch-warp.csv'), 'utf8').trimEnd().split('\r\n');
    expect(header).toBe('extension [1],force per width [N/m],kinetic share [1],steps [1]');
    expect(rows.map((row) => Number(row.split(',')[0]))).toEqual([0, 0.025, 0.05]);
    expect(readFileSync(join(folder, 'shear.csv'), 'utf8')).toMatch(
      /^shear angle \[rad\],shear force per length \[N\/m\],/,
    );
    expect(readFileSync(join(folder, 'bend-warp.csv'), 'utf8')).toMatch(
      /^curvature \[1\/m\],moment per width \[N m\/m\],/,
    );
    const plot = readFileSync(join(folder, 'stretch.svg'), 'utf8');
    expect(plot.match(/<polyline/g)).toHaveLength(3);
    for (const text of ['plain: stretch', 'extension [1]', 'force per width [N/m]', 'warp', 'weft', 'bias'])
      expect(plot).toContain(`>${text}</text>`);
  });

  test('--json prints the curves; --test, --strain, --material and --set are heeded', async () => {
    const place = makeWorkplace();
    const argv = ['swatch', 'twill', '--test', 'stretch-weft', '--strain', '0.02', '--out', 'here', '--json'];
    const yarn = [
      '--material',
      'denim-yarn',
      '--spacing',
      '0.0008',
      '--set',
      'pattern.over=3',
      '--set',
      'pattern.under=1',
    ];
    const { code, stdout } = await place.run(...argv, ...yarn, '--size', '0.0032,0.0064', '--points', '1');
    expect(code).toBe(0);
    const { fabric, curves } = JSON.parse(stdout);
    expect(fabric).toBe('twill');
    expect(curves).toHaveLength(1);
    expect(curves[0]).toMatchObject({ test: 'stretch-weft', stressUnit: 'N/m', nodes: 56 });
    expect(curves[0].points[1].strain).toBe(0.02);
    expect(readdirSync(join(place.folder, 'here')).sort()).toEqual(['stretch-weft.csv', 'stretch.svg']);
  });

  test('says that yarns are straight, and which stiffnesses are therefore the same for every weave', async () => {
    const place = makeWorkplace();
    const measure = async (weave: string) => {
      const { stdout } = await place.run('swatch', weave, ...SMALL, '--points', '1', '--json');
      return JSON.parse(stdout);
    };
    const [plain, twill] = [await measure('plain'), await measure('twill')];
    expect(plain.yarns).toBe('straight');
    const formulas = plain.curves.map((curve: { byConstruction: string | null }) => curve.byConstruction);
    expect(formulas).toEqual(['EA/p', 'EA/p', null, 'k L/(p_warp p_weft)', 'EI/p', 'EI/p']);
    for (const [n, formula] of formulas.entries())
      if (formula !== null)
        expect(twill.curves[n].initialStiffness / plain.curves[n].initialStiffness).toBeCloseTo(1, 3);
    expect((await place.run('swatch', '--help')).stdout).toContain('Yarns are straight: the model has no crimp.');
  });

  test('takes the lowest layer of a scene', async () => {
    const place = makeWorkplace();
    const makeLayer = (stretchStiffness: number) => ({
      pattern: { type: 'plain', width: 1, height: 1, spacing: [0.003, 0.004] },
      material: { radius: 5e-4, linearDensity: 1e-3, stretchStiffness, bendingStiffness: 1e-7 },
    });
    const scene = {
      ...{ heddle: 1, name: 'two', title: 'Two', time: { step: 1e-3, duration: 1 } },
      objects: [{ type: 'fabric', id: 'cloth', layers: [makeLayer(500), makeLayer(70)] }],
    };
    writeFileSync(join(place.folder, 'two.json'), JSON.stringify(scene));
    const argv = ['swatch', 'two.json', '--size', '0.016,0.03', '--points', '1', '--json'];
    const { code, stdout } = await place.run(...argv, '--test', 'stretch-warp', '--test', 'stretch-weft');
    expect(code).toBe(0);
    const [warp, weft] = JSON.parse(stdout).curves;
    expect(warp.initialStiffness / (500 / 0.003)).toBeCloseTo(1, 6);
    expect(weft.initialStiffness / (500 / 0.004)).toBeCloseTo(1, 6);
  });

  test.each([
    ['an unknown name', ['plian'], 'Did you mean "plain"?'],
    ['a scene without a fabric', ['strand-ring'], 'the scene has no fabric'],
    ['an unknown test', ['plain', '--test', 'stretch-wrap'], 'Did you mean "stretch-warp"?'],
    ['a size that is none', ['plain', '--size', '3'], 'not a width and length in metres'],
    ['a size of too few yarns', ['plain', '--size', '0.001,0.01'], 'needs 4 in each direction'],
    ['an unknown key', ['plain', '--set', 'pattern.over=1'], 'pattern.over is not a known key'],
    ['yarns that are too close', ['plain', '--spacing', '1e-4'], 'side by side need'],
    ['a material of a scene', ['fabric-hang', '--material', 'wool-yarn'], '--material is for named weaves'],
    ['no points', ['plain', '--points', '0'], 'not a number of points'],
  ])('%s is a mistake of the user', async (_, argv, sentence) => {
    const { code, stderr } = await makeWorkplace().run('swatch', ...argv);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });
});
