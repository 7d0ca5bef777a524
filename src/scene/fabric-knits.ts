/** Knitted patterns of fabrics: from what a scene says to a grid of stitches and the net of its yarns. */
import { computeLayerOptions, type YarnNet } from '../fabric/index.ts';
import {
  addBorder,
  createGarter,
  createHeelStitch,
  createJacquard,
  createKnit,
  createKnitNet,
  createLetters,
  createLinenStitch,
  createRib,
  createSeed,
  createSlipHoneycomb,
  createStockinette,
  findKnitFault,
  type Knit,
  repeatKnit,
} from '../patterns/index.ts';
import type { LaidLayer, LayerMaterials, SceneLayer, ScenePattern } from './fabric-patterns.ts';

export type KnitPattern = Extract<ScenePattern, { tightness: number }>;

/** One repeat of a knit. Throws a RangeError for what is no knit. */
export function createPatternKnit(pattern: KnitPattern): Knit {
  switch (pattern.type) {
    case 'stockinette':
      return createStockinette();
    case 'garter':
      return createGarter();
    case 'seed':
      return createSeed();
    case 'linen':
      return createLinenStitch();
    case 'heel':
      return createHeelStitch();
    case 'rib':
      return createRib(pattern);
    case 'honeycomb':
      return createSlipHoneycomb({ width: pattern.cellWidth, height: pattern.cellHeight });
    case 'chart':
      return createKnit(pattern.rows, pattern.carriers === undefined ? {} : { carriers: pattern.carriers });
    case 'jacquard':
      return createJacquard(pattern.picture ?? createLetters(pattern.letters ?? ''));
  }
}

export function layKnit(
  layer: SceneLayer,
  pattern: KnitPattern,
  name: string,
  { warp, weft, index }: LayerMaterials,
): LaidLayer {
  const repeat = createPatternKnit(pattern);
  const bare = repeatKnit(repeat, {
    courses: pattern.courses ?? repeat.courses,
    wales: pattern.wales ?? repeat.wales,
  });
  const border = pattern.border ?? (findKnitFault(bare) === undefined ? 0 : 1);
  const knit = border > 0 ? addBorder(bare, { below: border, above: border, sides: border }) : bare;
  const [wale, course] = pattern.spacing;
  const { tightness, floatLength, heldLength, lengths, edges, margin } = pattern;
  const net = createKnitNet({
    knit,
    spacing: { wale, course },
    // one radius serves the whole grid
    radius: Math.max(warp.radius, weft.radius),
    materials: [index.warp, ...Array<number>(9).fill(index.weft)],
    tightness,
    floatLength,
    heldLength,
    lengths,
    edges,
    ...(margin !== undefined && { margin }),
  });
  const { origin, size } = measureNet(net);
  return {
    net,
    options: computeLayerOptions(
      { name, spacing: computeSpacing(net), materials: [warp, weft], waveHeight: warp.radius + weft.radius },
      layer,
    ),
    origin,
    size,
    rim: [wale, course],
    warps: 0,
    wefts: net.yarnLength.length,
  };
}

/** Lower left corner (x, z) and size of a flat net [m]. */
export function measureNet({ x }: YarnNet): Pick<LaidLayer, 'origin' | 'size'> {
  let [left, right, low, high] = [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  ];
  for (let i = 0; i < x.length; i += 3) {
    left = Math.min(left, x[i]);
    right = Math.max(right, x[i]);
    low = Math.max(low, x[i + 2]);
    high = Math.min(high, x[i + 2]);
  }
  return { origin: [left, low], size: [right - left, low - high] };
}

/** Mean length of yarn from node to node [m]. */
function computeSpacing({ yarnLength, yarn }: YarnNet): number {
  let [length, sides] = [0, 0];
  for (const one of yarnLength) length += one;
  for (const one of yarn) if (one >= 0) sides++;
  return length / (sides - yarnLength.length);
}
