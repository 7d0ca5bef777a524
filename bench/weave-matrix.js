// Stiffness matrices of plain weaves as a fabric's Newton step has them, M/h² + K, without a fabric: for measuring solvers.
//
//     node (i, j)   x, u on warp i, v on weft j; number j · ends + i; a draped surface with crimp and random sliding
//     inertia       m/h² (δx − F δu)² of both yarns          stretch   EA/Δu (t·δΔx − λ δΔu)² + T/l |across|²
//     bending       2EI/D |across part of δ(t₁ − t₀)|²       shear     k_x L δφ²        friction   k_f (δu² + δv²)
//     EIL           a part of the crossings: their warp is straight there, x held on it by K = 1000 EA/Δu through the interpolation
import { createRandom } from 'heddle/math';
import { BlockPattern, BlockSparse } from 'heddle/sparse';

export const COTTON = {
  stretchStiffness: 300, // EA [N]
  bendingStiffness: 1e-8, // EI [N m²]
  linearDensity: 6e-5, // [kg/m]
  spacing: 1e-3, // [m]
  shearStiffness: 1e-2, // k_x [N/rad²]
  frictionStiffness: 100, // k_f [N/m]
  eilShare: 0,
  h: 1e-3, // [s]
};

/** Matrix of ends × picks crossings, with a right-hand side of the size of gravity and random forces. */
export function createWeaveMatrix(ends, picks, options = {}) {
  const o = { ...COTTON, ...options };
  const random = createRandom(o.seed ?? 1);
  const n = ends * picks;
  const s = o.spacing;
  const width = s * ends;
  const x = new Float64Array(3 * n);
  const u = [new Float64Array(n), new Float64Array(n)];
  for (let j = 0; j < picks; j++)
    for (let i = 0; i < ends; i++) {
      const k = j * ends + i;
      const [a, b] = [(i * s) / width, (j * s) / width];
      x[3 * k] = i * s * 1.01 + (o.noise ?? 0.002) * s * random.uniform(-1, 1);
      x[3 * k + 1] = j * s * 1.005 + (o.noise ?? 0.002) * s * random.uniform(-1, 1);
      x[3 * k + 2] =
        (o.bulge ?? 0.15) * width * Math.sin(4 * a + 1) * Math.cos(3 * b) +
        (o.crimp ?? 0) * s * ((i + j) % 2 === 0 ? 1 : -1);
      u[0][k] = 1.02 * s * (j + (o.noise ?? 0.002) * random.uniform(-1, 1));
      u[1][k] = 1.02 * s * (i + (o.noise ?? 0.002) * random.uniform(-1, 1));
    }
  const isEil = Uint8Array.from({ length: n }, () => 0);
  for (let j = 1; j < picks - 1; j++)
    for (let i = 0; i < ends; i++) {
      const k = j * ends + i;
      if (!isEil[k - ends] && random.uniform() < o.eilShare) isEil[k] = 1;
    }
  // along yarn `side` from node k: the next EoL node in a direction, −1 at the end
  const step = (side, k, way) => {
    const i = k % ends;
    const j = (k - i) / ends;
    if (side === 1) return i + way < 0 || i + way >= ends ? -1 : k + way;
    for (let to = j + way; to >= 0 && to < picks; to += way) if (!isEil[to * ends + i]) return to * ends + i;
    return -1;
  };
  const terms = [];
  // [weight, [node, coordinate, factor] …]: weight · (Σ factor δq)²
  const add = (weight, ...parts) => terms.push(weight, parts.length / 3, ...parts);
  const along = (a, b) => {
    const d = [0, 1, 2].map((c) => x[3 * b + c] - x[3 * a + c]);
    const l = Math.hypot(...d);
    return { l, t: d.map((value) => value / l) };
  };
  const across = (t) => {
    const least = Math.abs(t[2]) < 0.7 ? [0, 0, 1] : [1, 0, 0];
    const dot = least.reduce((sum, value, c) => sum + value * t[c], 0);
    const raw = least.map((value, c) => value - dot * t[c]);
    const l = Math.hypot(...raw);
    const a = raw.map((value) => value / l);
    return [a, [t[1] * a[2] - t[2] * a[1], t[2] * a[0] - t[0] * a[2], t[0] * a[1] - t[1] * a[0]]];
  };
  for (let k = 0; k < n; k++) {
    for (const side of [0, 1]) {
      if (side === 0 && isEil[k]) {
        const [a, c] = [step(0, k, -1), step(0, k, 1)];
        const D = u[0][c] - u[0][a];
        const [wa, wc] = [(u[0][c] - u[0][k]) / D, (u[0][k] - u[0][a]) / D];
        for (let r = 0; r < 3; r++) {
          const F = (x[3 * c + r] - x[3 * a + r]) / D;
          add((1000 * o.stretchStiffness) / s, a, r, wa, c, r, wc, a, 3, -wa * F, c, 3, -wc * F, k, 3, F, k, r, -1);
        }
        add(o.frictionStiffness, k, 3, 1);
        continue;
      }
      const next = step(side, k, 1);
      const last = step(side, k, -1);
      const q = 3 + side;
      // inertia with the mean gradient
      const [from, to] = [last < 0 ? k : last, next < 0 ? k : next];
      const du2 = u[side][to] - u[side][from];
      for (let r = 0; r < 3; r++)
        add((o.linearDensity * 0.5 * du2) / o.h ** 2, k, r, 1, k, q, -(x[3 * to + r] - x[3 * from + r]) / du2);
      add(o.frictionStiffness, k, q, 1);
      if (next < 0) continue;
      const { l, t } = along(k, next);
      const du = u[side][next] - u[side][k];
      const stretch = l / du;
      add(
        o.stretchStiffness / du,
        next,
        0,
        t[0],
        next,
        1,
        t[1],
        next,
        2,
        t[2],
        next,
        q,
        -stretch,
        k,
        0,
        -t[0],
        k,
        1,
        -t[1],
        k,
        2,
        -t[2],
        k,
        q,
        stretch,
      );
      const tension = Math.max(0, o.stretchStiffness * (stretch - 1)) / l;
      for (const d of across(t))
        if (tension > 0)
          add(tension, next, 0, d[0], next, 1, d[1], next, 2, d[2], k, 0, -d[0], k, 1, -d[1], k, 2, -d[2]);
      if (last < 0) continue;
      const before = along(last, k);
      const D = u[side][next] - u[side][last];
      for (const d of across(t)) {
        const parts = [];
        for (let r = 0; r < 3; r++)
          parts.push(next, r, d[r] / l, k, r, -d[r] / l - d[r] / before.l, last, r, d[r] / before.l);
        add((2 * o.bendingStiffness) / D, ...parts);
      }
    }
    const ws = [0, 1].map((side) => {
      const [a, b] = [step(side, k, -1), step(side, k, 1)];
      return [a < 0 ? k : a, b < 0 ? k : b];
    });
    if (isEil[k] || ws.some(([a, b]) => a === b)) continue;
    const [A, B] = ws.map(([a, b]) => along(a, b));
    const cosine = A.t.reduce((sum, value, c) => sum + value * B.t[c], 0);
    const sine = Math.sqrt(1 - cosine * cosine);
    const parts = [];
    for (let r = 0; r < 3; r++) {
      const ga = -(B.t[r] - cosine * A.t[r]) / (sine * A.l);
      const gb = -(A.t[r] - cosine * B.t[r]) / (sine * B.l);
      parts.push(ws[0][1], r, ga, ws[0][0], r, -ga, ws[1][1], r, gb, ws[1][0], r, -gb);
    }
    add(o.shearStiffness * s, ...parts);
  }
  const [rows, columns] = [[], []];
  const eachTerm = (visit) => {
    for (let at = 0; at < terms.length; at += 2 + 3 * terms[at + 1]) visit(terms[at], at + 2, terms[at + 1]);
  };
  eachTerm((_weight, at, count) => {
    for (let a = 0; a < count; a++)
      for (let b = 0; b < a; b++)
        if (terms[at + 3 * a] !== terms[at + 3 * b]) {
          rows.push(terms[at + 3 * a]);
          columns.push(terms[at + 3 * b]);
        }
  });
  const matrix = new BlockSparse(BlockPattern.fromPairs(n, rows, columns), 5);
  eachTerm((weight, at, count) => {
    for (let a = 0; a < count; a++)
      for (let b = 0; b < count; b++) {
        const [i, j] = [terms[at + 3 * a], terms[at + 3 * b]];
        if (i < j) continue;
        const place = matrix.pattern.slot(i, j) * 25 + 5 * terms[at + 3 * a + 1] + terms[at + 3 * b + 1];
        matrix.values[place] += weight * terms[at + 3 * a + 2] * terms[at + 3 * b + 2];
      }
  });
  const b = new Float64Array(5 * n);
  for (let k = 0; k < n; k++)
    for (let r = 0; r < 5; r++)
      b[5 * k + r] = (r === 2 ? -9.81 : 0) * o.linearDensity * s + 1e-4 * random.uniform(-1, 1);
  return { matrix, b, x, isEil };
}
