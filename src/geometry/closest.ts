/**
 * Closest points between points, segments and triangles.
 *
 * Every function takes its vertices one after the other in `x` (three coordinates each), overwrites `weights` with one
 * barycentric weight a vertex, and returns the squared distance [m²]; the closest points are the weighted sums:
 *   point–segment      x = p · a b           weights 1 · a b
 *   point–triangle     x = p · a b c         weights 1 · a b c
 *   segment–segment    x = a b · c d         weights a b · c d
 *   segment–triangle   x = a b · c d e       weights a b · c d e
 *   triangle–triangle  x = a b c · d e f     weights a b c · d e f
 * Weights of each side are ≥ 0 and sum to 1. Zero-length segments and triangles without area are allowed: they count as
 * the point or the segment that they are. The distance is measured between the two points returned.
 * The first three allocate nothing.
 */

/** Squared sine of the angle below which the common perpendicular is ill-conditioned and the ends are tried as well. */
const NEARLY_PARALLEL = 1e-8;

const clamp01 = (t: number): number => (t > 0 ? Math.min(t, 1) : 0);

/** Where the foot of a point on the segment from vertex a to b lies, in [0, 1]. */
const footOnSegment = (x: Float64Array, a: number, b: number, px: number, py: number, pz: number): number => {
  const ux = x[3 * b] - x[3 * a];
  const uy = x[3 * b + 1] - x[3 * a + 1];
  const uz = x[3 * b + 2] - x[3 * a + 2];
  const square = ux * ux + uy * uy + uz * uz;
  const along = (px - x[3 * a]) * ux + (py - x[3 * a + 1]) * uy + (pz - x[3 * a + 2]) * uz;
  return square > 0 ? clamp01(along / square) : 0;
};

/** Coordinate k of the point at t between vertices a and b; the ends are met exactly. */
const between = (x: Float64Array, a: number, b: number, t: number, k: number): number =>
  (1 - t) * x[3 * a + k] + t * x[3 * b + k];

const squareBetween = (x: Float64Array, a: number, b: number, s: number, c: number, d: number, t: number): number =>
  (between(x, a, b, s, 0) - between(x, c, d, t, 0)) ** 2 +
  (between(x, a, b, s, 1) - between(x, c, d, t, 1)) ** 2 +
  (between(x, a, b, s, 2) - between(x, c, d, t, 2)) ** 2;

/** Foot of the point at s of a–b on c–d. */
const footOfPoint = (x: Float64Array, a: number, b: number, s: number, c: number, d: number): number =>
  footOnSegment(x, c, d, between(x, a, b, s, 0), between(x, a, b, s, 1), between(x, a, b, s, 2));

export const writeClosestPointSegment = (x: Float64Array, weights: Float64Array): number => {
  const t = footOnSegment(x, 1, 2, x[0], x[1], x[2]);
  weights[0] = 1;
  weights[1] = 1 - t;
  weights[2] = t;
  return squareBetween(x, 0, 0, 0, 1, 2, t);
};

/** Segments a–b and c–d of x; writes the four weights into out[0…3]. */
const writeSegments = (x: Float64Array, a: number, b: number, c: number, d: number, out: Float64Array): number => {
  const ux = x[3 * b] - x[3 * a];
  const uy = x[3 * b + 1] - x[3 * a + 1];
  const uz = x[3 * b + 2] - x[3 * a + 2];
  const vx = x[3 * d] - x[3 * c];
  const vy = x[3 * d + 1] - x[3 * c + 1];
  const vz = x[3 * d + 2] - x[3 * c + 2];
  const wx = x[3 * c] - x[3 * a];
  const wy = x[3 * c + 1] - x[3 * a + 1];
  const wz = x[3 * c + 2] - x[3 * a + 2];
  // Cross products: uu vv − uv² would lose the angle between the lines below 1e-8.
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  let bestS = 0;
  let bestT = 0;
  let best = Infinity;
  if (nn > 0) {
    // Where the common perpendicular of the lines stands; clamped, then each foot on the other [Ericson 2005, §5.1.9].
    const along = (wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz;
    bestT = footOfPoint(x, a, b, clamp01(along / nn), c, d);
    bestS = footOfPoint(x, c, d, bestT, a, b);
    best = squareBetween(x, a, b, bestS, c, d, bestT);
  }
  if (!(nn > NEARLY_PARALLEL * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz))) {
    for (let end = 0; end < 4; end++) {
      const s = end < 2 ? end : footOfPoint(x, c, d, end - 2, a, b);
      const t = end < 2 ? footOfPoint(x, a, b, end, c, d) : end - 2;
      const square = squareBetween(x, a, b, s, c, d, t);
      if (square < best) {
        bestS = s;
        bestT = t;
        best = square;
      }
    }
  }
  out[0] = 1 - bestS;
  out[1] = bestS;
  out[2] = 1 - bestT;
  out[3] = bestT;
  return best;
};

export const writeClosestSegmentSegment = (x: Float64Array, weights: Float64Array): number =>
  writeSegments(x, 0, 1, 2, 3, weights);

/** A point against the triangle of vertices c, c + 1, c + 2 of x; writes three weights at out[at]. */
const writePointTriangle = (
  x: Float64Array,
  c: number,
  px: number,
  py: number,
  pz: number,
  out: Float64Array,
  at: number,
): number => {
  const o = 3 * c;
  const ux = x[o + 3] - x[o];
  const uy = x[o + 4] - x[o + 1];
  const uz = x[o + 5] - x[o + 2];
  const vx = x[o + 6] - x[o];
  const vy = x[o + 7] - x[o + 1];
  const vz = x[o + 8] - x[o + 2];
  const wx = px - x[o];
  const wy = py - x[o + 1];
  const wz = pz - x[o + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  let best = Infinity;
  if (nn > 0) {
    const beta = ((wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz) / nn;
    const gamma = ((uy * wz - uz * wy) * nx + (uz * wx - ux * wz) * ny + (ux * wy - uy * wx) * nz) / nn;
    const alpha = 1 - beta - gamma;
    if (alpha >= 0 && beta >= 0 && gamma >= 0) {
      best =
        (wx - beta * ux - gamma * vx) ** 2 + (wy - beta * uy - gamma * vy) ** 2 + (wz - beta * uz - gamma * vz) ** 2;
      out[at] = alpha;
      out[at + 1] = beta;
      out[at + 2] = gamma;
      if (nn > NEARLY_PARALLEL * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz)) return best;
    }
  }
  // The foot is outside, so the closest point lies on a side; slivers try both.
  for (let side = 0; side < 3; side++) {
    const a = c + side;
    const b = c + ((side + 1) % 3);
    const t = footOnSegment(x, a, b, px, py, pz);
    const square =
      (px - between(x, a, b, t, 0)) ** 2 + (py - between(x, a, b, t, 1)) ** 2 + (pz - between(x, a, b, t, 2)) ** 2;
    if (square < best) {
      best = square;
      out[at + side] = 1 - t;
      out[at + ((side + 1) % 3)] = t;
      out[at + ((side + 2) % 3)] = 0;
    }
  }
  return best;
};

export const writeClosestPointTriangle = (x: Float64Array, weights: Float64Array): number => {
  weights[0] = 1;
  return writePointTriangle(x, 1, x[0], x[1], x[2], weights, 1);
};

/** Where the segment a–b meets the plane of the triangle at vertex c, clamped to [0, 1]; 0 where it is parallel. */
const crossingParameter = (x: Float64Array, a: number, b: number, c: number): number => {
  const o = 3 * c;
  const [ux, uy, uz] = [x[o + 3] - x[o], x[o + 4] - x[o + 1], x[o + 5] - x[o + 2]];
  const [vx, vy, vz] = [x[o + 6] - x[o], x[o + 7] - x[o + 1], x[o + 8] - x[o + 2]];
  const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const height = (p: number): number =>
    nx * (x[3 * p] - x[o]) + ny * (x[3 * p + 1] - x[o + 1]) + nz * (x[3 * p + 2] - x[o + 2]);
  const [ha, hb] = [height(a), height(b)];
  return ha === hb ? 0 : clamp01(ha / (ha - hb));
};

/**
 * Segment a–b against the triangle at vertex c: writes [1 − s, s, three weights] into `weights` at a, b and c where it
 * beats `best`; all other weights of the segment's side become zero. Returns the better of the two.
 */
const improveSegmentTriangle = (
  x: Float64Array,
  pair: { a: number; b: number; c: number },
  best: number,
  weights: Float64Array,
): number => {
  const { a, b, c } = pair;
  const firstOfSide = c === 0 ? 3 : 0;
  const lastOfSide = c === 0 ? weights.length : c;
  const trial = new Float64Array(4);
  const accept = (s: number): void => {
    weights.fill(0, firstOfSide, lastOfSide);
    weights[a] = 1 - s;
    weights[b] = s;
  };
  // The crossing with the plane, then both ends.
  for (const s of [crossingParameter(x, a, b, c), 0, 1]) {
    const square = writePointTriangle(
      x,
      c,
      between(x, a, b, s, 0),
      between(x, a, b, s, 1),
      between(x, a, b, s, 2),
      trial,
      0,
    );
    if (square < best) {
      best = square;
      accept(s);
      for (let k = 0; k < 3; k++) weights[c + k] = trial[k];
    }
  }
  for (let side = 0; side < 3; side++) {
    const next = (side + 1) % 3;
    const square = writeSegments(x, a, b, c + side, c + next, trial);
    if (square < best) {
      best = square;
      accept(trial[1]);
      weights[c + side] = trial[2];
      weights[c + next] = trial[3];
      weights[c + ((side + 2) % 3)] = 0;
    }
  }
  return best;
};

export const writeClosestSegmentTriangle = (x: Float64Array, weights: Float64Array): number =>
  improveSegmentTriangle(x, { a: 0, b: 1, c: 2 }, Infinity, weights);

export const writeClosestTriangleTriangle = (x: Float64Array, weights: Float64Array): number => {
  let best = Infinity;
  for (let side = 0; side < 3; side++) {
    const next = (side + 1) % 3;
    best = improveSegmentTriangle(x, { a: side, b: next, c: 3 }, best, weights);
    best = improveSegmentTriangle(x, { a: 3 + side, b: 3 + next, c: 0 }, best, weights);
  }
  return best;
};
