/**
 * The rope of `heddle bench strand --peers`: what every engine builds, and how its path is read.
 *
 * A cord of 1 m and 20 g, 2 mm thick, E = 5 GPa, with 200 g at its tip, held at the other end and let go from horizontal.
 * n nodes are n − 1 segments of equal length and mass. At the bottom a pendulum pulls with
 *
 *   T(s) = M (g + v²/L) + ∫ₛᴸ (g + v² s'/L²) m/L ds',   v² = 2 g L (M + m/2)/(M + m/3)
 *
 *   M, m  mass at the tip, of the rope [kg]     L  length [m]     v  speed of the tip [m/s]     T  tension [N]
 *
 * and EA is 15.7 kN, so the material itself gives a length strain of 0.0393 %.
 */

export const ROPE = {
  length: 1,
  mass: 0.02,
  tipMass: 0.2,
  radius: 1e-3,
  youngsModulus: 5e9,
  gravity: 9.81,
};

/** EA [N]. */
export const stretchStiffness = ROPE.youngsModulus * Math.PI * ROPE.radius ** 2;

/** Length strain at the bottom of the swing by the formula above, averaged over the rope [1]. */
export function computePendulumStrain() {
  const { length, mass, tipMass, gravity } = ROPE;
  const speedSquared = (2 * gravity * length * (tipMass + mass / 2)) / (tipMass + mass / 3);
  const tension = tipMass * (gravity + speedSquared / length) + mass * (gravity / 2 + speedSquared / (3 * length));
  return tension / stretchStiffness;
}

/** Mass of each node when the segments' masses are shared by their ends and the tip is added [kg]. */
export function computeNodeMasses(nodes) {
  const segment = ROPE.mass / (nodes - 1);
  return Float64Array.from({ length: nodes }, (_, i) => {
    if (i === nodes - 1) return segment / 2 + ROPE.tipMass;
    return i === 0 ? segment / 2 : segment;
  });
}

/** Mass [kg] and moments of inertia [kg m²] of one segment as a solid cylinder along x. */
export function computeSegment(nodes) {
  const { length, mass, radius } = ROPE;
  const [l, m] = [length / (nodes - 1), mass / (nodes - 1)];
  return { length: l, mass: m, axial: 0.5 * m * radius ** 2, across: (m * (3 * radius ** 2 + l ** 2)) / 12 };
}

/** Radius of a steel ball of the tip's mass [m]. */
export const ballRadius = Math.cbrt((3 * ROPE.tipMass) / (4 * Math.PI * 7850));

/** Length of the path through points x, y, z, … [m]. */
export function computePathLength(path) {
  let length = 0;
  for (let i = 3; i < path.length; i += 3)
    length += Math.hypot(path[i] - path[i - 3], path[i + 1] - path[i - 2], path[i + 2] - path[i - 1]);
  return length;
}

/**
 * Writes the two ends of a segment that is centred at a point and turned by a unit quaternion from the x axis: R e_x is
 * (1 − 2(y² + z²), 2(xy + wz), 2(xz − wy)).
 */
export function writeSegmentEnds(path, at, position, rotation, length) {
  const { x, y, z, w } = rotation;
  const half = length / 2;
  const direction = [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)];
  const centre = [position.x, position.y, position.z];
  for (let k = 0; k < 3; k++) {
    path[at + k] = centre[k] - half * direction[k];
    path[at + 3 + k] = centre[k] + half * direction[k];
  }
}
