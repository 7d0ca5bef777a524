// The skin of a smooth union of capsules as a closed mesh, by surface nets on a grid, drawn to it by Newton.

/** Distance to a capsule whose radius changes along it. */
export function computeCapsuleDistance([a, b, ra, rb], p) {
  let [along, square] = [0, 0];
  for (let k = 0; k < 3; k++) {
    along += (p[k] - a[k]) * (b[k] - a[k]);
    square += (b[k] - a[k]) ** 2;
  }
  const s = Math.min(1, Math.max(0, along / square));
  const off = [0, 1, 2].map((k) => p[k] - a[k] - s * (b[k] - a[k]));
  return Math.hypot(...off) - ra - s * (rb - ra);
}

/** The smooth union: −b log Σ exp(−d/b), b a quarter of how far surfaces flow together. */
function computeField({ capsules, blend }, p) {
  const distances = capsules.map((capsule) => computeCapsuleDistance(capsule, p));
  const least = Math.min(...distances);
  let sum = 0;
  for (const d of distances) sum += Math.exp((-4 * (d - least)) / blend);
  return least - (blend / 4) * Math.log(sum);
}

function computeGradient(union, p) {
  const e = 1e-4;
  return [0, 1, 2].map((k) => {
    const [up, down] = [[...p], [...p]];
    up[k] += e;
    down[k] -= e;
    return (computeField(union, up) - computeField(union, down)) / (2 * e);
  });
}

/**
 * Vertices [x, y, z] and corners of triangles, outwards: one vertex a cell that the surface goes through, one quad an edge of the grid.
 *   capsules  ends and radii there, [a, b, ra, rb] [m]
 *   blend     how far surfaces of two capsules flow together [m]
 *   cell      side of the grid [m], which has a corner `low` and a `size`; along x its middle is 0
 */
export function createBlendedSurface(union) {
  const { cell: side, size } = union;
  const low = [...union.low];
  const count = size.map((length) => Math.ceil(length / side) + 1);
  // half of the grid is the mirror image of the other
  low[0] = -((count[0] - 1) / 2) * side;
  const at = (i, j, k) => (i * count[1] + j) * count[2] + k;
  const place = (i, j, k) => [low[0] + i * side, low[1] + j * side, low[2] + k * side];
  const value = new Float64Array(count[0] * count[1] * count[2]);
  for (let i = 0; i < count[0]; i++)
    for (let j = 0; j < count[1]; j++)
      for (let k = 0; k < count[2]; k++) value[at(i, j, k)] = computeField(union, place(i, j, k));
  const vertices = [];
  const vertexOf = new Map();
  const isIn = (i, j, k) => value[at(i, j, k)] < 0;
  for (let i = 0; i + 1 < count[0]; i++)
    for (let j = 0; j + 1 < count[1]; j++)
      for (let k = 0; k + 1 < count[2]; k++) {
        const sum = [0, 0, 0];
        let crossings = 0;
        for (let edge = 0; edge < 12; edge++) {
          const axis = edge >> 2;
          const from = [i, j, k];
          from[(axis + 1) % 3] += edge & 1;
          from[(axis + 2) % 3] += (edge >> 1) & 1;
          const to = [...from];
          to[axis]++;
          const [a, b] = [value[at(...from)], value[at(...to)]];
          if (a < 0 === b < 0) continue;
          const [p, q] = [place(...from), place(...to)];
          for (let m = 0; m < 3; m++) sum[m] += p[m] + (a / (a - b)) * (q[m] - p[m]);
          crossings++;
        }
        if (crossings === 0) continue;
        vertexOf.set(at(i, j, k), vertices.length);
        vertices.push(sum.map((total) => total / crossings));
      }
  const triangles = [];
  for (let i = 1; i + 1 < count[0]; i++)
    for (let j = 1; j + 1 < count[1]; j++)
      for (let k = 1; k + 1 < count[2]; k++)
        for (let axis = 0; axis < 3; axis++) {
          const to = [i, j, k];
          to[axis]++;
          if (isIn(i, j, k) === isIn(...to)) continue;
          const corner = (b, c) => {
            const cell = [i, j, k];
            cell[(axis + 1) % 3] -= b;
            cell[(axis + 2) % 3] -= c;
            return vertexOf.get(at(...cell));
          };
          const quad = [corner(1, 1), corner(0, 1), corner(0, 0), corner(1, 0)];
          if (!isIn(i, j, k)) quad.reverse();
          // along the shorter diagonal
          const length = (a, b) => Math.hypot(...[0, 1, 2].map((m) => vertices[a][m] - vertices[b][m]));
          const turn = length(quad[0], quad[2]) <= length(quad[1], quad[3]) ? 0 : 1;
          const [a, b, c, d] = [0, 1, 2, 3].map((m) => quad[(m + turn) % 4]);
          triangles.push(a, b, c, a, c, d);
        }
  for (const p of vertices)
    for (let n = 0; n < 4; n++) {
      const gradient = computeGradient(union, p);
      const square = gradient.reduce((total, g) => total + g * g, 0);
      const step = computeField(union, p) / square;
      for (let m = 0; m < 3; m++) p[m] -= step * gradient[m];
    }
  return { vertices, triangles };
}
