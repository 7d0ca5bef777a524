/** `heddle swatch`: cuts swatches from a cloth and measures them: force against extension in warp, weft and bias, shear and bending, as CSV and plots. */

import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { encodeCsv, encodeLinePlot } from '../io/index.ts';
import { HeddleError } from '../model/errors.ts';
import { suggest } from '../model/nearest.ts';
import { createSwatchCloth, setPath, validateScene } from '../scene/index.ts';
import { measureSwatch, SWATCH_QUANTITIES, SWATCH_TESTS, type SwatchCurve } from '../world/index.ts';
import { padCells } from './cells.ts';
import type { Context } from './context.ts';
import { makeFolder, showPath, writeWhole } from './files.ts';
import { listGallery } from './gallery.ts';
import { readLimits } from './limits.ts';
import { findScenePath, type LoadedScene, loadScene } from './scene-source.ts';

interface SwatchCommandOptions {
  readonly set: readonly string[];
  readonly material?: string;
  readonly spacing?: number;
  readonly test: readonly string[];
  readonly size?: readonly [number, number];
  readonly strain?: number;
  readonly shear?: number;
  readonly curvature?: number;
  readonly points?: number;
  readonly out?: string;
  readonly json?: boolean;
}

/** Weaves that can be named instead of a scene, each with what its pattern says; --set changes it. */
const WEAVES: Readonly<Record<string, object>> = {
  plain: {},
  twill: { over: 2, under: 2 },
  satin: { ends: 5 },
  sateen: { ends: 5 },
  basket: { ends: 2, picks: 2 },
};

/** What a named weave is made of. */
const YARN = { material: 'cotton-yarn', spacing: 4e-4 } as const;

/** What a table or a plot of a swatch does not show. */
const STRAIGHT_YARNS = `Yarns are straight: the model has no crimp. Initial stiffnesses "by construction" follow from yarn and spacing (EA, EI per yarn, k per crossing,
p from yarn to yarn) and are the same for every weave; real cloth is softer in warp and weft until its crimp is drawn out.`;

export function configureSwatch(command: Command, context: Context): void {
  command
    .argument('<fabric>', `scene with a fabric, whose lowest layer is measured; or ${Object.keys(WEAVES).join(', ')}`)
    .option(
      '--set <path=value>',
      'change the scene, or the layer of a named weave (pattern.over=3); may be repeated',
      collect,
      [],
    )
    .option('--material <name>', `named weave: built-in material of the yarns (default: ${YARN.material})`)
    .option('--spacing <length>', `named weave: distance between yarns [m] (default: ${YARN.spacing})`, parsePositive)
    .option(
      '--test <name>',
      `run only this test; may be repeated: ${SWATCH_TESTS.map(({ name }) => name).join(', ')}`,
      collect,
      [],
    )
    .option('--size <width,length>', 'size of the strips [m] (default: 16 and 40 spacings)', parseSize)
    .option('--strain <extension>', 'largest extension (default: 0.05)', parsePositive)
    .option('--shear <angle>', 'largest shear angle [rad] (default: 0.35)', parsePositive)
    .option('--curvature <curvature>', 'largest curvature [1/m] (default: a half turn of the strip)', parsePositive)
    .option('--points <count>', 'points per curve (default: 10)', parsePoints)
    .option('--out <folder>', 'folder for the files (default: out/swatch-NAME)')
    .option(
      '--json',
      'print one JSON object instead of the table: {fabric, yarns, curves: [{test, byConstruction, initialStiffness, points, …}]}',
    )
    .addHelpText(
      'after',
      `
${STRAIGHT_YARNS}

Examples:
  heddle swatch plain                                   cotton, plain weave, some seconds
  heddle swatch twill --set pattern.over=3 --set pattern.under=1 --material denim-yarn --spacing 8e-4
  heddle swatch fabric-hang --strain 0.2 --points 20    the cloth of a scene
  heddle swatch plain --test stretch-bias --test shear`,
    )
    .action((fabric: string, options: SwatchCommandOptions) => runSwatch(fabric, options, context));
}

const collect = (text: string, before: readonly string[]): string[] => [...before, text];

function parsePositive(text: string): number {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw new InvalidArgumentError(`"${text}" is not a number > 0.`);
  return value;
}

function parseSize(text: string): [number, number] {
  const parts = text.split(',').map(Number);
  if (parts.length !== 2 || !parts.every((part) => part > 0 && Number.isFinite(part)))
    throw new InvalidArgumentError(`"${text}" is not a width and length in metres; write for example 0.02,0.05.`);
  return [parts[0], parts[1]];
}

function parsePoints(text: string): number {
  const points = Number(text);
  if (!(Number.isInteger(points) && points >= 1 && points <= 10_000))
    throw new InvalidArgumentError(`"${text}" is not a number of points from 1 to 10000.`);
  return points;
}

function runSwatch(fabric: string, options: SwatchCommandOptions, context: Context): void {
  const unknown = options.test.find((name) => !SWATCH_TESTS.some((test) => test.name === name));
  if (unknown !== undefined)
    throw new HeddleError(
      `"${unknown}" is no test of a swatch.${suggest(
        unknown,
        SWATCH_TESTS.map(({ name }) => name),
        'Tests',
      )}`,
    );
  const { scene, readFile, name } = loadFabric(fabric, options, context);
  const cloth = createSwatchCloth(scene, readFile);
  const print = (text: string): void => {
    if (options.json !== true) context.stdout.write(text);
  };
  const { size, strain, shear, curvature, points } = options;
  const tests = options.test.length > 0 ? options.test : SWATCH_TESTS.map((test) => test.name);
  const columns = ['test', 'nodes', 'width [mm]', 'gauge [mm]', 'initial stiffness', 'by construction', 'largest'];
  print(`${formatCells(columns)}\n`);
  const curves = tests.flatMap((test) => {
    const found = measureSwatch(cloth, { tests: [test], size, strain, shear, curvature, points });
    for (const curve of found) print(formatCurve(curve));
    return found;
  });
  const folder = resolve(context.folder, options.out ?? join('out', `swatch-${name}`));
  makeFolder(folder);
  const files = [...listTables(curves), ...listPlots(curves, name)];
  for (const [file, text] of files) writeWhole(join(folder, file), text);
  print(`\n${STRAIGHT_YARNS}\n\n${files.map(([file]) => file).join(', ')} in ${showPath(folder, context.folder)}\n`);
  if (options.json === true)
    context.stdout.write(`${JSON.stringify({ fabric: name, yarns: 'straight', curves: curves.map(describeCurve) })}\n`);
}

function loadFabric(
  fabric: string,
  options: SwatchCommandOptions,
  context: Context,
): Pick<LoadedScene, 'scene' | 'readFile'> & { readonly name: string } {
  if (!Object.hasOwn(WEAVES, fabric)) {
    const given = options.material === undefined ? options.spacing && '--spacing' : '--material';
    if (given) throw new HeddleError(`${given} is for named weaves; change a scene with --set instead.`);
    if (/^[\w-]+$/.test(fabric) && !listGallery().includes(fabric))
      throw new HeddleError(
        `"${fabric}" is neither a weave nor a gallery scene.${suggest(fabric, [...Object.keys(WEAVES), ...listGallery().filter((scene) => scene.startsWith('fabric'))], 'Weaves and scenes')}`,
      );
    const loaded = loadScene(findScenePath(fabric, context.folder), context.folder, options.set, readLimits(context));
    return { ...loaded, name: loaded.scene.name };
  }
  const { material = YARN.material, spacing = YARN.spacing } = options;
  const pattern = { type: fabric, warps: 1, wefts: 1, spacing, ...WEAVES[fabric] };
  const raw = {
    heddle: 1,
    name: fabric,
    title: fabric,
    // the bench takes its own steps
    time: { step: 1e-3, duration: 1 },
    objects: [{ type: 'fabric', id: 'cloth', layers: [{ pattern, material }] }],
  };
  for (const assignment of options.set) setPath(raw, `objects[0].layers[0].${assignment}`);
  const readFile = (): never => {
    throw new HeddleError('A named weave has no files; write a scene to use a draft.');
  };
  return { scene: validateScene(raw, { source: `the weave ${fabric}` }), readFile, name: fabric };
}

const WIDTHS = [14, 7, 12, 12, 26, 22, 30];

const describeCurve = ({ test, ...rest }: SwatchCurve): object => ({
  test: test.name,
  byConstruction: test.byConstruction,
  ...SWATCH_QUANTITIES[test.kind],
  ...rest,
});

const formatCells = (cells: readonly string[]): string => padCells(cells, WIDTHS, 1);

/** With so many digits, and no more zeros than they need. */
const formatNumber = (value: number, digits: number): string => String(Number(value.toPrecision(digits)));

function formatCurve({ test, nodes, width, gauge, initialStiffness, points }: SwatchCurve): string {
  const { strainUnit, stressUnit, stiffnessUnit } = SWATCH_QUANTITIES[test.kind];
  const { strain, stress } = points[points.length - 1];
  const at = strainUnit === '1' ? '' : ` ${strainUnit}`;
  return `${formatCells([
    test.name,
    String(nodes),
    (1000 * width).toPrecision(4),
    (1000 * gauge).toPrecision(4),
    `${formatNumber(initialStiffness, 5)} ${stiffnessUnit}`,
    test.byConstruction ?? 'no, simulated',
    `${formatNumber(stress, 4)} ${stressUnit} at ${strain.toPrecision(3)}${at}`,
  ])}\n`;
}

/** A CSV file for each curve. */
const listTables = (curves: readonly SwatchCurve[]): [string, string][] =>
  curves.map(({ test, points }) => {
    const { strain, strainUnit, stress, stressUnit } = SWATCH_QUANTITIES[test.kind];
    const columns = [`${strain} [${strainUnit}]`, `${stress} [${stressUnit}]`, 'kinetic share [1]', 'steps [1]'];
    const rows = points.map((point) => [point.strain, point.stress, point.kineticShare, point.steps]);
    return [`${test.name}.csv`, encodeCsv({ columns, rows })];
  });

/** A plot for each kind of test; of curves whose heights differ by more than ten, with a logarithmic axis. */
function listPlots(curves: readonly SwatchCurve[], name: string): [string, string][] {
  return (['stretch', 'shear', 'bend'] as const).flatMap((kind): [string, string][] => {
    const own = curves.filter(({ test }) => test.kind === kind);
    if (own.length === 0) return [];
    const { strain, strainUnit, stress, stressUnit } = SWATCH_QUANTITIES[kind];
    const heights = own.map(({ points }) => points[points.length - 1].stress);
    const isLogarithmic = Math.min(...heights) > 0 && Math.max(...heights) > 10 * Math.min(...heights);
    const plot = encodeLinePlot({
      title: `${name}: ${kind}`,
      xLabel: `${strain} [${strainUnit}]`,
      yLabel: `${stress} [${stressUnit}]`,
      isLogarithmic,
      // without strain the force is what rounding leaves, which has no place on a logarithmic axis
      curves: own.map(({ test, points }) => ({
        name: test.title,
        points: points.slice(isLogarithmic ? 1 : 0).map((point) => [point.strain, point.stress] as const),
      })),
    });
    return [[`${kind}.svg`, plot]];
  });
}
