/**
 * Centre lines of rods with a formula: straight lines, arcs, circles, helices, spirals. All segments of a curve have the
 * same length, so that material coordinates i · length/segments leave it unstretched; its points lie on the smooth curve.
 *
 *     helix    (c θ, r cos θ, r sin θ),  c = pitch/2π      κ = r/(r² + c²),  τ = c/(r² + c²)      [1/m]
 *     spiral   R(θ) = inner + (outer − inner) θ/θ_end      (Archimedes)
 *
 * A rod with natural curvature κ and natural torsion τ, and no load, is the helix. Lengths in m, angles in rad.
 */
import { measureAlong } from '../geometry/index.ts';
import { computeSineCosine, lerpVec3, type Vec3 } from '../math/index.ts';
import { checkPositive, checkSegments } from './checks.ts';
import { createEvenPolyline, type EvenPolyline } from './even-polyline.ts';

export interface HelixOptions {
  /** Of the axis from the centre line [m]. */
  readonly radius: number;
  /** Advance along the axis in one turn [m]. */
  readonly pitch: number;
  readonly turns: number;
  readonly segments: number;
  /** Right-handed by default, as a common screw. */
  readonly handedness?: 'right' | 'left';
}

export interface Helix extends EvenPolyline {
  /** Unit tangents of the smooth curve at the points, three coordinates each. */
  readonly tangents: Float64Array;
  /** Natural curvature of a rod that rests in this shape [1/m]. */
  readonly curvature: number;
  /** Its natural torsion [1/m], negative for a left-handed helix. */
  readonly torsion: number;
}

/** A straight line from one point to another. */
export function createStraight(options: { from: Vec3; to: Vec3; segments: number }): EvenPolyline {
  const { from, to, segments } = options;
  checkSegments('createStraight', segments);
  return measure(segments, (i) => lerpVec3(from, to, i / segments));
}

/** An arc of a circle in the xy-plane: from the origin along x, bending to y. A negative angle bends to −y. */
export function createArc(options: { radius: number; angle: number; segments: number }): EvenPolyline {
  const { radius, angle, segments } = options;
  checkPositive('createArc', { radius });
  checkSegments('createArc', segments);
  const side = Math.sign(angle);
  return measure(segments, (i) => {
    const [sine, cosine] = computeSineCosine((Math.abs(angle) * i) / segments);
    return [radius * sine, side * radius * (1 - cosine), 0];
  });
}

/** A circle about the origin in the xy-plane, counter-clockwise from x; closed: the first point is not repeated. */
export function createCircle(options: { radius: number; segments: number }): EvenPolyline {
  const { radius, segments } = options;
  checkPositive('createCircle', { radius });
  checkSegments('createCircle', segments, 3);
  const closed = measure(segments, (i) => {
    const [sine, cosine] = computeSineCosine((2 * Math.PI * (i % segments)) / segments);
    return [radius * cosine, radius * sine, 0];
  });
  return { points: closed.points.slice(0, 3 * segments), length: closed.length };
}

/** A helix about the x-axis, from x = 0 on; a telephone cord. */
export function createHelix({ radius, pitch, turns, segments, handedness = 'right' }: HelixOptions): Helix {
  checkPositive('createHelix', { radius, pitch, turns });
  checkSegments('createHelix', segments);
  const rise = pitch / (2 * Math.PI);
  const square = radius * radius + rise * rise;
  const speed = Math.sqrt(square);
  const hand = handedness === 'right' ? 1 : -1;
  const tangents = new Float64Array(3 * (segments + 1));
  const polyline = measure(segments, (i) => {
    const point = computeHelixPoint(radius, rise, (2 * Math.PI * turns * i) / segments, hand);
    tangents[3 * i] = rise / speed;
    tangents[3 * i + 1] = (-hand * point[2]) / speed;
    tangents[3 * i + 2] = (hand * point[1]) / speed;
    return point;
  });
  return { ...polyline, tangents, curvature: radius / square, torsion: (hand * rise) / square };
}

/** (c θ, r cos θ, ± r sin θ), with the same bits on every JavaScript engine; `hand`: 1 right-handed, −1 left-handed. */
export function computeHelixPoint(radius: number, rise: number, angle: number, hand: number): Vec3 {
  const [sine, cosine] = computeSineCosine(angle);
  return [rise * angle, radius * cosine, hand * radius * sine];
}

/** A spiral of Archimedes about the origin in the xy-plane, counter-clockwise from x; the radii may be either way round. */
export function createSpiral(options: {
  innerRadius: number;
  outerRadius: number;
  turns: number;
  segments: number;
}): EvenPolyline {
  const { innerRadius, outerRadius, turns, segments } = options;
  checkPositive('createSpiral', { outerRadius, turns });
  if (innerRadius !== 0) checkPositive('createSpiral', { innerRadius });
  checkSegments('createSpiral', segments);
  const spiral = (t: number, out: Float64Array, at: number): void => {
    const radius = innerRadius + (outerRadius - innerRadius) * t;
    const [sine, cosine] = computeSineCosine(2 * Math.PI * turns * t);
    out[at] = radius * cosine;
    out[at + 1] = radius * sine;
    out[at + 2] = 0;
  };
  return createEvenPolyline(spiral, 1, segments);
}

function measure(segments: number, pointAt: (i: number) => Vec3): EvenPolyline {
  const points = new Float64Array(3 * (segments + 1));
  for (let i = 0; i <= segments; i++) points.set(pointAt(i), 3 * i);
  return { points, length: measureAlong(points)[segments] };
}
