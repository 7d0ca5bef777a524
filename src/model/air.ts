/**
 * Air drag of thin things, as strands, sheets and continua share it. Impulses of h seconds over the velocity of the air past a point, w = wind − v:
 *     half of a segment     h ½ ρ C_d d (l/2) |w|, w across the segment          d diameter, l length
 *     third of a triangle   h ½ ρ (A/3) |w| C_t, of all of w, and as much with C_n − C_t of what is across
 */
import type { Span } from './model.ts';

export interface Air {
  /** World velocity of the air [m/s]. */
  readonly velocity: readonly [number, number, number];
  /** ρ [kg/m³] */
  readonly airDensity: number;
  /** C_d of the cross-section of a curve; C_n of a plate across the flow [1], C_t, skin friction, is a fiftieth of it. */
  readonly dragCoefficient: number;
}

/** Air that may blow for a while. */
export interface Wind extends Air, Span {}

/** C_t over C_n: skin friction of rough cloth beside the drag of a plate. */
const SKIN = 0.02;

/** Of half a segment [N s per m/s]. */
export const computeSegmentDrag = (air: Air, h: number, radius: number, length: number, speed: number): number =>
  h * 0.5 * air.airDensity * air.dragCoefficient * 2 * radius * 0.5 * length * speed;

/** Of a third of a triangle of twice that area, with all of w [N s per m/s]. */
export const computeSkinDrag = (air: Air, h: number, twice: number, speed: number): number =>
  (h * air.airDensity * air.dragCoefficient * twice * speed * SKIN) / 12;

/** What a triangle has besides, with what of w is across it [N s per m/s]. */
export const computeCrossDrag = (skin: number): number => (skin * (1 - SKIN)) / SKIN;
