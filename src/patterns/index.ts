export { createPlacedHelix, type PlacedHelixOptions } from './arcs.ts';
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
export { createKnot, KNOTS, type Knot, type KnotCurve, type KnotOptions } from './knots.ts';
export { createPile, type PileOptions } from './pile.ts';
