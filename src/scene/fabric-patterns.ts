/** Patterns of fabrics: from what a scene says of one layer to the net of its yarns, in the layer's own frame (its face up along y, its middle at the origin). */
import { computeLayerOptions, type LayerOptions, type YarnNet } from '../fabric/index.ts';
import { type DraftThreads, readWif } from '../io/wif.ts';
import { cm, HeddleError, inch, type StrandMaterial } from '../model/index.ts';
import {
  createBasketWeave,
  createPlainWeave,
  createSatin,
  createTwill,
  createWeave,
  createWovenNet,
  createWovenYarns,
  listSatinCounters,
  measureFloats,
  type WarpAndWeft,
  type Weave,
} from '../patterns/index.ts';
import { type KnitPattern, layKnit, measureNet } from './fabric-knits.ts';
import type { SceneFabric } from './schema.ts';

export type SceneLayer = SceneFabric['layers'][number];
export type ScenePattern = SceneLayer['pattern'];
type WeavePattern = Exclude<ScenePattern, KnitPattern>;

export const isKnit = (pattern: ScenePattern): pattern is KnitPattern => 'tightness' in pattern;

/** A layer before it is put in its place. */
export interface LaidLayer {
  readonly net: YarnNet;
  readonly options: LayerOptions;
  /** x and z of its lower left corner, X = Y = 0 [m]. */
  readonly origin: readonly [number, number];
  /** Size along X and Y, ends of yarns included [m]. */
  readonly size: readonly [number, number];
  /** How far from a side of the layer its outermost yarn is, along X and Y [m]. */
  readonly rim: readonly [number, number];
  readonly warps: number;
  readonly wefts: number;
}

/** What a layer is made of: material of warps and wefts, or of yarn 0 of a knit and of the others, and their places in the list of the fabric. */
export interface LayerMaterials {
  readonly warp: StrandMaterial;
  readonly weft: StrandMaterial;
  readonly index: WarpAndWeft;
}

/** Reads a file that a pattern names. */
export type ReadPatternFile = (name: string) => Uint8Array<ArrayBuffer>;

export function layPattern(
  layer: SceneLayer,
  name: string,
  materials: LayerMaterials,
  readFile: ReadPatternFile,
): LaidLayer {
  try {
    const { pattern } = layer;
    return isKnit(pattern)
      ? layKnit(layer, pattern, name, materials)
      : layWeave(layer, pattern, name, materials, readFile);
  } catch (error) {
    // sentences of patterns begin with the function that throws them
    if (error instanceof RangeError) throw new HeddleError(error.message.replace(/^\w+: /, ''));
    throw error;
  }
}

/** A weave of a pattern, and of a draft from a file its yarns. Throws a RangeError for what is no weave. */
export function createPatternWeave(
  pattern: WeavePattern,
  readFile: ReadPatternFile,
): { readonly weave: Weave; readonly warp?: DraftThreads; readonly weft?: DraftThreads } {
  switch (pattern.type) {
    case 'plain':
      return { weave: createPlainWeave() };
    case 'basket':
      return { weave: createBasketWeave(pattern) };
    case 'twill':
      return { weave: createTwill(pattern) };
    case 'satin':
    case 'sateen':
      return {
        weave: createSatin({
          ends: pattern.ends,
          counter: pattern.counter ?? listSatinCounters(pattern.ends)[0] ?? 1,
          face: pattern.type === 'satin' ? 'warp' : 'weft',
        }),
      };
    case 'draft':
      return { weave: createWeave(pattern.rows) };
    case 'wif': {
      const draft = readWif(readFile(pattern.file), { source: pattern.file });
      return { weave: draft, warp: draft.warp, weft: draft.weft };
    }
  }
}

function layWeave(
  layer: SceneLayer,
  pattern: WeavePattern,
  name: string,
  { warp, weft, index }: LayerMaterials,
  readFile: ReadPatternFile,
): LaidLayer {
  const draft = createPatternWeave(pattern, readFile);
  const { weave } = draft;
  const spacing = chooseSpacing(pattern, draft);
  const count = (given: number | undefined, size: number | undefined, distance: number, usual: number): number =>
    given ?? (size === undefined ? usual : Math.max(1, Math.round(size / distance)));
  const warps = count(pattern.warps, pattern.width, spacing.warp, weave.ends);
  const wefts = count(pattern.wefts, pattern.height, spacing.weft, weave.picks);
  const yarns = createWovenYarns({
    weave,
    warps,
    wefts,
    spacing,
    radius: { warp: warp.radius, weft: weft.radius },
    crimp: splitPair(pattern.crimp),
    ...(pattern.margin !== undefined && { margin: pattern.margin }),
  });
  const rim = [pattern.margin ?? spacing.warp / 2, pattern.margin ?? spacing.weft / 2] as const;
  const net = createWovenNet(yarns, { materials: index });
  return {
    net,
    ...measureNet(net),
    options: computeLayerOptions(
      {
        name,
        spacing: Math.sqrt(spacing.warp * spacing.weft),
        materials: [warp, weft],
        waveHeight: (warp.radius + weft.radius) * computeChangeShare(weave),
      },
      layer,
    ),
    rim,
    warps,
    wefts,
  };
}

/** Share of the pieces between crossings on which a yarn changes sides: a yarn does so twice for each float over and the one under. */
function computeChangeShare(weave: Weave): number {
  const { warp, weft } = measureFloats(weave);
  return (warp.length + weft.length) / (weave.ends * weave.picks);
}

function chooseSpacing(pattern: WeavePattern, draft: { warp?: DraftThreads; weft?: DraftThreads }): WarpAndWeft {
  if (pattern.spacing !== undefined) return splitPair(pattern.spacing);
  const [given, unit] =
    pattern.yarnsPerInch === undefined ? [pattern.yarnsPerCentimetre, cm(1)] : [pattern.yarnsPerInch, inch(1)];
  if (given !== undefined) {
    const { warp, weft } = splitPair(given);
    return { warp: unit / warp, weft: unit / weft };
  }
  const [warp, weft] = [computeMean(draft.warp), computeMean(draft.weft)];
  if (warp === 0 || weft === 0)
    throw new HeddleError('its draft contains no yarn spacing; give spacing or yarnsPerCentimetre.');
  return { warp, weft };
}

/** Mean spacing of the threads that have one; 0 where none has. */
function computeMean(threads: DraftThreads | undefined): number {
  const known = threads === undefined ? [] : Array.from(threads.spacing).filter((value) => value > 0);
  return known.length === 0 ? 0 : known.reduce((sum, value) => sum + value, 0) / known.length;
}

const splitPair = (value: number | readonly [number, number]): WarpAndWeft =>
  typeof value === 'number' ? { warp: value, weft: value } : { warp: value[0], weft: value[1] };
