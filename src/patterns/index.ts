export { createPlacedHelix, type PlacedHelixOptions } from './arcs.ts';
export {
  type BundleOptions,
  type CurveSet,
  createBundle,
  createHairField,
  createPolylineSet,
  type HairFieldOptions,
  joinCourses,
  joinCurves,
  rollCurves,
  trimCurves,
} from './curve-sets.ts';
export {
  createArc,
  createCircle,
  createHelix,
  createSpiral,
  createStraight,
  type Helix,
  type HelixOptions,
} from './curves.ts';
export { type CurveWriter, createEvenPolyline, type EvenPolyline } from './even-polyline.ts';
export { type FilledPoints, type FillOptions, fillShape } from './fill.ts';
export { createKnitCurves, type KnitCurve, type KnitCurvesOptions } from './knit-curves.ts';
export { createKnitNet, type KnitNetOptions } from './knit-net.ts';
export type { KnitYarnsOptions } from './knit-yarns.ts';
export { computeYokeGrowth, countYokeLoops, createYoke, type YokeOptions } from './knit-yoke.ts';
export {
  addBorder,
  type BorderOptions,
  createChart,
  createGarter,
  createHeelStitch,
  createJacquard,
  createKnit,
  createLinenStitch,
  createRib,
  createSeed,
  createSlipHoneycomb,
  createStockinette,
  findKnitFault,
  type Knit,
  type KnitOptions,
  repeatKnit,
  STITCH_KNIT,
  STITCH_LETTERS,
  STITCH_PURL,
  STITCH_SLIP,
  STITCH_SLIP_FRONT,
  turnOver,
} from './knits.ts';
export { createKnot, KNOTS, type Knot, type KnotCurve, type KnotOptions } from './knots.ts';
export { createLetters, type LettersOptions } from './letters.ts';
export { cutNet, joinNets, placeNet } from './nets.ts';
export { createPile, type PileOptions } from './pile.ts';
export { createTubeMesh, type TubeMesh, type TubeOptions } from './tube-mesh.ts';
export {
  createBasketWeave,
  createDraft,
  createPlainWeave,
  createSatin,
  createTwill,
  createWeave,
  exchangeWarpAndWeft,
  findWeaveFault,
  isWarpOver,
  listSatinCounters,
  measureFloats,
  type SatinOptions,
  type TwillOptions,
  type Weave,
} from './weaves.ts';
export { createWovenNet, GROUP_WARP, GROUP_WEFT, type WovenNetOptions } from './woven-net.ts';
export { createWovenYarns, type WarpAndWeft, type WovenYarns, type WovenYarnsOptions } from './woven-yarns.ts';
