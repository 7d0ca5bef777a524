/** Stretch, shear, bend and twist of a rod: gradients and stiffnesses against central differences, and what a rigid motion leaves alone. */
import { createRandom, spinQuaternion } from 'heddle/math';
import { BendElement, computeRodMaterial, Rod, StretchElement } from 'heddle/rod';
import { describe, expect, it } from 'vitest';

const EPS = 1e-5;

/** Two nodes (x, u), two frames; all that the energies of a segment and a node read. */
function createState(seed: number): { x: Float64Array; q: Float64Array } {
  const random = createRandom(seed);
  const x = Float64Array.from({ length: 8 }, () => random.uniform() - 0.5);
  x[3] = 0.1;
  x[7] = 0.7 + random.uniform();
  const q = new Float64Array(8);
  for (let f = 0; f < 2; f++) {
    q[4 * f + 3] = 1;
    spinQuaternion(
      q,
      4 * f,
      Float64Array.from({ length: 3 }, () => 1.2 * (random.uniform() - 0.5)),
      0,
      1,
    );
  }
  return { x, q };
}

function createStretch(): StretchElement {
  const element = new StretchElement();
  element.C.set([3, 3, 7]);
  element.slack.set([0.02, -0.03, 0.05]);
  return element;
}

function createBend(): BendElement {
  const element = new BendElement();
  element.K.set([2, 5, 1.3]);
  element.natural.set([0.4, -0.2, 0.9]);
  return element;
}

type Move = (k: number, by: number) => void;

/** Central differences of a vector function. */
function difference(move: Move, k: number, read: () => number[]): number[] {
  move(k, EPS);
  const up = read();
  move(k, -2 * EPS);
  const down = read();
  move(k, EPS);
  return up.map((value, n) => (value - down[n]) / (2 * EPS));
}

const spin = (q: Float64Array, f: number, k: number, by: number): void =>
  spinQuaternion(q, 4 * f, Float64Array.of(0, 0, 0, 1, 0, 0), 3 - k, by);

describe.each([1, 2, 3, 4])('energies of a rod, state %i', (seed) => {
  it('stretch and shear: ∂V/∂(x, δ, Δu) is the difference of V', () => {
    const { x, q } = createState(seed);
    const element = createStretch();
    const read = () => {
      element.set(x, 0, q, 0);
      return [element.energy];
    };
    read();
    const gradient = element.gradient.slice();
    expect(Math.hypot(...gradient)).toBeGreaterThan(0.1);
    for (let k = 0; k < 3; k++)
      expect(
        difference(
          (c, by) => {
            x[4 + c] += by;
          },
          k,
          read,
        )[0],
      ).toBeCloseTo(gradient[k], 7);
    for (let k = 0; k < 3; k++)
      expect(difference((c, by) => spin(q, 0, c, by), k, read)[0]).toBeCloseTo(gradient[3 + k], 7);
    expect(
      difference(
        (_, by) => {
          x[7] += by;
        },
        0,
        read,
      )[0],
    ).toBeCloseTo(gradient[6], 7);
  });

  it('stretch and shear: the exact stiffness is the difference of the gradient, symmetric part in δδ', () => {
    const { x, q } = createState(seed);
    const element = createStretch();
    const read = () => {
      element.set(x, 0, q, 0);
      return [...element.gradient.subarray(0, 6)];
    };
    read();
    element.setStiffness(true);
    const [xx, xd, dd] = [element.xx.slice(), element.xd.slice(), element.dd.slice()];
    const turned: number[][] = [];
    for (let k = 0; k < 3; k++) {
      const byX = difference(
        (c, by) => {
          x[4 + c] += by;
        },
        k,
        read,
      );
      turned.push(difference((c, by) => spin(q, 0, c, by), k, read));
      for (let r = 0; r < 3; r++) {
        expect(byX[r]).toBeCloseTo(xx[3 * r + k], 6);
        expect(byX[3 + r]).toBeCloseTo(xd[3 * k + r], 6);
        expect(turned[k][r]).toBeCloseTo(xd[3 * r + k], 6);
      }
    }
    // gradients at turned frames are taken about turned axes: their difference has a skew part of half the moment
    for (let k = 0; k < 3; k++)
      for (let r = 0; r < 3; r++) expect(0.5 * (turned[k][3 + r] + turned[r][3 + k])).toBeCloseTo(dd[3 * r + k], 6);
  });

  it('bend and twist: ∂V/∂(δa, δb, l) is the difference of V', () => {
    const { q } = createState(seed);
    const element = createBend();
    let l = 0.6;
    const read = () => {
      element.set(q, 0, 4, l);
      return [element.energy];
    };
    read();
    const gradient = element.gradient.slice();
    expect(Math.hypot(...gradient)).toBeGreaterThan(0.1);
    for (let k = 0; k < 6; k++)
      expect(difference((c, by) => spin(q, c < 3 ? 0 : 1, c % 3, by), k, read)[0]).toBeCloseTo(gradient[k], 6);
    expect(
      difference(
        (_, by) => {
          l += by;
        },
        0,
        read,
      )[0],
    ).toBeCloseTo(gradient[6], 6);
  });

  it('bend and twist: the exact stiffness is the difference of the gradient', () => {
    const { q } = createState(seed);
    const element = createBend();
    const read = () => {
      element.set(q, 0, 4, 0.6);
      return [...element.gradient.subarray(0, 6)];
    };
    read();
    element.setStiffness(true);
    const [aa, ba, bb] = [element.aa.slice(), element.ba.slice(), element.bb.slice()];
    const by = Array.from({ length: 6 }, (_, k) =>
      difference((c, size) => spin(q, c < 3 ? 0 : 1, c % 3, size), k, read),
    );
    for (let r = 0; r < 3; r++)
      for (let s = 0; s < 3; s++) {
        expect(0.5 * (by[s][r] + by[r][s])).toBeCloseTo(aa[3 * r + s], 5);
        expect(0.5 * (by[3 + s][3 + r] + by[3 + r][3 + s])).toBeCloseTo(bb[3 * r + s], 5);
        expect(by[s][3 + r]).toBeCloseTo(ba[3 * r + s], 5);
      }
  });

  it('have stiffnesses by material length that are the differences of the gradients', () => {
    const { x, q } = createState(seed);
    const [stretch, bend] = [createStretch(), createBend()];
    let l = 0.6;
    const read = () => {
      stretch.set(x, 0, q, 0);
      bend.set(q, 0, 4, l);
      return [...stretch.gradient.subarray(3, 6), ...bend.gradient];
    };
    read();
    const turn = [0, 1, 2].map((r) => stretch.computeTurnStiffness(r));
    const length = new Float64Array(7);
    bend.writeLengthStiffness(length);
    expect(Math.hypot(...turn)).toBeGreaterThan(0.01);
    const lengthen: Move = (_, by) => {
      x[7] += by;
      l += by;
    };
    const by = difference(lengthen, 0, read);
    for (let r = 0; r < 3; r++) expect(by[r]).toBeCloseTo(-turn[r], 6);
    for (let k = 0; k < 7; k++) expect(by[3 + k]).toBeCloseTo(length[k], 5);
  });

  it('a rigid motion of nodes and frames changes neither energy; a stiffness without its indefinite part is positive semi-definite', () => {
    const { x, q } = createState(seed);
    const [stretch, bend] = [createStretch(), createBend()];
    stretch.set(x, 0, q, 0);
    bend.set(q, 0, 4, 0.6);
    const before = [stretch.energy, bend.energy];
    const a = Math.cos(0.7);
    const b = Math.sin(0.7);
    for (let n = 0; n < 2; n++) {
      const [y, z] = [x[4 * n + 1], x[4 * n + 2]];
      x[4 * n] += 3;
      x[4 * n + 1] = a * y - b * z;
      x[4 * n + 2] = b * y + a * z;
      const [i, j, k, w] = q.subarray(4 * n, 4 * n + 4);
      const [s, c] = [Math.sin(0.35), Math.cos(0.35)];
      q.set([c * i + s * w, c * j - s * k, c * k + s * j, c * w - s * i], 4 * n);
    }
    stretch.set(x, 0, q, 0);
    bend.set(q, 0, 4, 0.6);
    expect(stretch.energy).toBeCloseTo(before[0], 12);
    expect(bend.energy).toBeCloseTo(before[1], 12);
    stretch.setStiffness(false);
    bend.setStiffness(false);
    const random = createRandom(seed + 100);
    for (let n = 0; n < 50; n++) {
      const d = Array.from({ length: 6 }, () => random.uniform() - 0.5);
      expect(quadratic(stretch.xx, stretch.xd, stretch.dd, d)).toBeGreaterThan(-1e-12);
      expect(quadratic(bend.bb, bend.ba, bend.aa, d)).toBeGreaterThan(-1e-12);
    }
  });
});

it('rows and columns of a node that slides are the differences of what a rod at rest is pushed by', () => {
  const h = 0.01;
  const random = createRandom(7);
  const rod = new Rod({
    id: 'rod',
    material: computeRodMaterial({ density: 1e-3, radius: 0.05, youngsModulus: 1e5, poissonRatio: 0.4 }),
    points: Array.from({ length: 8 }, (_, n) => [0.1 * n, 0.02 * random.uniform(), 0.02 * random.uniform()] as const),
    segments: 7,
    gravity: [0, 0, 0],
    natural: [0, 0, 0],
  });
  const { state, part } = rod;
  const { chain, count } = state;
  // sheared, too; hardly any inertia, whose convected spin is not in the matrix
  for (let k = 0; k < 3 * (count - 1); k++) spin(state.frame, Math.floor(k / 3), k % 3, 0.2 * random.uniform());
  for (const label of [2, 4]) rod.setSliding(chain.label[label], true);
  rod.beginStep();
  const stage = { h, time: h, start: 0, step: h, full: h, order: 1, rows: 0, linearized: true } as const;
  rod.beginStage(stage, 0, 0);
  rod.applyTargets();
  const read = (): number[] => {
    rod.assemble();
    return [...part.rhs.subarray(0, 7 * count)];
  };
  const move: Move = (k, by) => {
    const [i, c] = [Math.floor(k / 7), k % 7];
    if (c < 4) {
      chain.v[4 * i + c] += by;
      chain.q[4 * i + c] += h * by;
    } else {
      state.omega[3 * i + c - 4] += by;
      spin(state.frame, i, c - 4, h * by);
    }
  };
  read();
  const [late, matrix] = [[...part.late], new Float64Array((7 * count) ** 2)];
  const n = 7 * count;
  for (let band = 0; band < 2; band++)
    for (let i = 0; i + band < count; i++)
      for (let r = 0; r < 7; r++)
        for (let c = 0; c < 7; c++) {
          const [row, column] = [7 * (i + band) + r, 7 * i + c];
          matrix[row * n + column] = matrix[column * n + row] = part.matrix.bands[band][49 * i + 7 * r + c];
        }
  for (let e = 0; e < part.links.count; e++) {
    const [row, column] = [part.links.row[e], part.links.column[e]];
    matrix[row * n + column] += part.links.value[e];
    matrix[column * n + row] += part.links.value[e];
  }
  expect(late).toEqual([7 * 2 + 3, 7 * 4 + 3]);
  expect(part.links.count).toBeGreaterThan(0);
  for (const u of late) {
    const by = difference(move, u, read);
    const scale = Math.abs(by[u]);
    for (let k = 0; k < n; k++) expect(Math.abs(by[k] + matrix[k * n + u])).toBeLessThan(1e-7 * scale);
  }
});

/** dᵀ [P Q; Qᵀ S] d of 3 × 3 blocks. */
function quadratic(P: Float64Array, Q: Float64Array, S: Float64Array, d: number[]): number {
  let sum = 0;
  for (let r = 0; r < 3; r++)
    for (let s = 0; s < 3; s++)
      sum += d[r] * P[3 * r + s] * d[s] + 2 * d[r] * Q[3 * r + s] * d[3 + s] + d[3 + r] * S[3 * r + s] * d[3 + s];
  return sum;
}
