import { describe, expect, test } from 'vitest';
import { Body, createShape, type ShapeDescription } from '../../src/bodies/index.ts';
import { EdgeHold, type FabricTerm, SolidContact, SolidFriction } from '../../src/fabric/index.ts';
import { createRandom, quaternionFromAxisAngle } from '../../src/math/index.ts';

const TURN = quaternionFromAxisAngle([0.4, -0.7, 0.6], 0.9);
const createBody = (description: ShapeDescription) =>
  new Body({ id: 'body', shape: createShape(description), position: [0.2, -0.1, 0.3], orientation: TURN });

/** A point of the world from one of the body's frame. */
function toWorld(body: Body, local: readonly number[]): Float64Array {
  const out = new Float64Array(3);
  body.writeLocalToWorld(local, out);
  return out;
}

function createContact(body: Body): SolidContact {
  const term = new SolidContact();
  term.body = body;
  term.stiffness = 70;
  term.reach = 0.4;
  return term;
}

function createFriction(limit: number): SolidFriction {
  const term = new SolidFriction();
  term.stiffness = 9;
  term.limit = limit;
  term.normal.set([0.36, 0.48, 0.8]);
  term.tangent.set([0.9, -0.5, 0.3]);
  term.slip.set([0.05, -0.02, 0.04]);
  term.start.set([0.1, 0.2, -0.3, 0.6]);
  return term;
}

function createHold(): EdgeHold {
  const term = new EdgeHold();
  term.stiffness = 30;
  term.point.set([0.3, 0.1, -0.2]);
  term.direction.set([0.48, -0.6, 0.64]);
  return term;
}

const [PLANE, BOX] = [createBody({ type: 'plane' }), createBody({ type: 'box', size: [1, 0.8, 1.2] })];
const CASES: { name: string; create: () => FabricTerm; base: ArrayLike<number>; isFlat?: boolean }[] = [
  { name: 'contact with a plane, smooth end', create: () => createContact(PLANE), base: toWorld(PLANE, [1, 0.37, 2]) },
  { name: 'contact with a plane, deep', create: () => createContact(PLANE), base: toWorld(PLANE, [1, -0.2, 2]) },
  { name: 'contact with a face', create: () => createContact(BOX), base: toWorld(BOX, [0.1, 0.2, 0.75]) },
  { name: 'friction that sticks', create: () => createFriction(50), base: [0.3, 0.4, -0.1, 0.7] },
  { name: 'friction that slips', create: () => createFriction(1.1), base: [0.3, 0.4, -0.1, 0.2] },
  { name: 'hold on an edge', create: createHold, base: [0.1, 0.4, -0.3] },
];

const evaluate = (create: () => FabricTerm, q: ArrayLike<number>) => {
  const term = create();
  term.set(q, true);
  return term;
};

/** Smallest eigenvalue is not below −slack: Cholesky of the matrix and a shift. */
function isPositive(K: Float64Array, n: number, shift: number): boolean {
  const L = K.slice();
  for (let j = 0; j < n; j++) {
    let d = L[j * n + j] + shift;
    for (let k = 0; k < j; k++) d -= L[j * n + k] ** 2;
    if (!(d > 0)) return false;
    L[j * n + j] = Math.sqrt(d);
    for (let i = j + 1; i < n; i++) {
      let sum = L[i * n + j];
      for (let k = 0; k < j; k++) sum -= L[i * n + k] * L[j * n + k];
      L[i * n + j] = sum / L[j * n + j];
    }
  }
  return true;
}

for (const { name, create, base } of CASES)
  test(`${name}: gradient and Hessian are derivatives of V, positive semi-definite`, () => {
    const random = createRandom(3);
    for (let trial = 0; trial < 20; trial++) {
      const q = Float64Array.from(base, (value) => value + random.uniform(-0.008, 0.008));
      const { size, gradient, hessian, energy } = evaluate(create, q);
      expect(q.length).toBe(size);
      expect(energy).toBeGreaterThan(0);
      const scale = 1 + Math.hypot(...gradient, ...hessian);
      expect(Math.hypot(...gradient)).toBeGreaterThan(1e-2);
      const step = 1e-6;
      for (let c = 0; c < size; c++) {
        const high = evaluate(create, q.with(c, q[c] + step));
        const low = evaluate(create, q.with(c, q[c] - step));
        expect(Math.abs(gradient[c] - (high.energy - low.energy) / (2 * step))).toBeLessThan(1e-8 * scale);
        for (let r = 0; r < size; r++)
          expect(Math.abs(hessian[size * r + c] - (high.gradient[r] - low.gradient[r]) / (2 * step))).toBeLessThan(
            1e-7 * scale,
          );
      }
      expect(isPositive(hessian, size, 1e-10 * scale)).toBe(true);
    }
  });

describe('contact with round bodies', () => {
  const shapes: [ShapeDescription, number[]][] = [
    [{ type: 'sphere', radius: 0.6 }, [0.3, 0.5, 0.2]],
    [{ type: 'capsule', radius: 0.3, length: 1 }, [0.3, 0.2, 0.2]],
    [{ type: 'cylinder', radius: 0.3, length: 1 }, [0.3, 0.2, 0.2]],
    [
      {
        type: 'convex',
        points: [
          [0, 0, 0],
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ],
      },
      [0.4, 0.4, 0.4],
    ],
  ];
  test.each(shapes)('has the gradient of V and the Hessian V″ n nᵀ: %o', (shape, local) => {
    const body = createBody(shape);
    const q = toWorld(body, local);
    const { gradient, hessian, touch, energy } = evaluate(() => createContact(body), q) as SolidContact;
    expect(energy).toBeGreaterThan(0);
    const step = 1e-6;
    for (let c = 0; c < 3; c++) {
      const at = (by: number) => evaluate(() => createContact(body), q.with(c, q[c] + by)).energy;
      expect(Math.abs(gradient[c] - (at(step) - at(-step)) / (2 * step))).toBeLessThan(1e-7);
    }
    // along the normal the force grows as the Hessian says
    const along = [1, -1].map((sign) => {
      const moved = q.map((value, k) => value + sign * step * touch[1 + k]);
      return evaluate(() => createContact(body), moved).gradient.reduce((sum, g, k) => sum + g * touch[1 + k], 0);
    });
    let slope = 0;
    for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) slope += touch[1 + r] * hessian[3 * r + c] * touch[1 + c];
    expect(slope).toBeCloseTo((along[0] - along[1]) / (2 * step), 4);
    expect(slope).toBeGreaterThan(1);
  });
});

test('contact begins at the reach, without a jump of force or stiffness, and pushes out', () => {
  const at = (height: number) => {
    const { push, hessian, gradient, touch } = evaluate(
      () => createContact(PLANE),
      toWorld(PLANE, [0, height, 0]),
    ) as SolidContact;
    return { push, hessian: hessian.slice(), out: -gradient.reduce((sum, g, k) => sum + g * touch[1 + k], 0) };
  };
  expect(at(0.4001).push).toBe(0);
  expect(at(0.4 - 1e-9).hessian[0]).toBeLessThan(1e-5);
  // the smooth end is as wide as the reach: it ends at the surface itself
  expect(at(1e-9).hessian[0]).toBeCloseTo(at(-1e-9).hessian[0], 4);
  expect(at(0.2).out).toBeCloseTo((70 * 0.2 ** 2) / (2 * 0.4), 9);
  expect(at(-0.2).out).toBeCloseTo(70 * (0.6 - 0.2), 9);
});

test('friction feels the motion of material: a node that slides along a yarn at rest feels none', () => {
  const term = createFriction(1);
  term.slip.fill(0);
  const [F, n] = [term.tangent, term.normal];
  // F lies in the face here
  const off = F[0] * n[0] + F[1] * n[1] + F[2] * n[2];
  for (let k = 0; k < 3; k++) F[k] -= off * n[k];
  term.set(
    Float64Array.from([0, 1, 2, 3], (k) => term.start[k] + 0.3 * (k < 3 ? F[k] : 1)),
    true,
  );
  expect(Math.hypot(...term.gradient)).toBeLessThan(1e-12);
  // a yarn drawn through a node that stands still is held by the limit, along the yarn
  term.set(
    Float64Array.from([0, 1, 2, 3], (k) => term.start[k] + (k < 3 ? 0 : 0.5)),
    true,
  );
  expect(term.gradient[3]).toBeCloseTo(1 * Math.hypot(...F), 12);
  // and so are nodes that carry their material along, by the limit in every direction of the face
  for (const angle of [0, 1, 2, 3]) {
    const side = [0, 1, 2].map((k) => {
      const [a, b] = [(k + 1) % 3, (k + 2) % 3];
      const across = n[a] * F[b] - n[b] * F[a];
      return Math.cos(angle) * F[k] + Math.sin(angle) * across;
    });
    term.set(
      Float64Array.from([0, 1, 2, 3], (k) => term.start[k] + (k < 3 ? side[k] : 0)),
      true,
    );
    expect(Math.hypot(...term.gradient.subarray(0, 3))).toBeCloseTo(1, 12);
  }
});

test('the PSD-projected Hessian of friction that slips is that of a parabola above V that touches it', () => {
  const term = createFriction(1.1);
  term.sure = 10;
  const q = Float64Array.of(0.3, 0.4, -0.1, 0.2);
  term.set(q, true);
  const [energy, gradient, exact] = [term.energy, term.gradient.slice(), term.hessian.slice()];
  term.set(q, false);
  const H = term.hessian.slice();
  expect(term.gradient).toEqual(gradient);
  expect(Math.hypot(...H.map((value, k) => value - exact[k]))).toBeGreaterThan(0.1);
  expect(isPositive(H, 4, 1e-10)).toBe(true);
  const random = createRandom(8);
  for (let trial = 0; trial < 200; trial++) {
    const d = Float64Array.from(q, () => random.uniform(-1, 1));
    let parabola = energy;
    for (let r = 0; r < 4; r++) {
      parabola += gradient[r] * d[r];
      for (let c = 0; c < 4; c++) parabola += 0.5 * d[r] * H[4 * r + c] * d[c];
    }
    term.set(
      q.map((value, k) => value + d[k]),
      false,
    );
    expect(term.energy).toBeLessThan(parabola + 1e-12);
  }
});
