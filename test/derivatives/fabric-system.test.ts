/**
 * The whole system of a Newton iteration of a fabric, at v = v̂ = 0, where inertia has no part in r and c = Ṁ v − ∂T/∂q none in its slope:
 *     r = −h ∇V        A = −∂r/∂v = M + h² ∂²V/∂q²
 * r in every free coordinate against central differences of the energy. A is exact for stretch, inertia, parallel contact, friction and bodies, and for
 * bending, shear, wrapping and EIL contact (Gauss–Newton) where their residuals vanish: yarns straight, angles at rest, gaps closed.
 */
import { Body, PlaneShape } from 'heddle/bodies';
import { addLayerContacts, type Fabric, type FabricOptions, type YarnNet } from 'heddle/fabric';
import { createRandom, quaternionFromAxisAngle } from 'heddle/math';
import { computeEnergy, type Stage } from 'heddle/model';
import { createKnitNet, createStockinette, joinNets, placeNet, repeatKnit } from 'heddle/patterns';
import { describe, expect, test } from 'vitest';
import { createFabric, createPlainNet, LAYER, SPACING, YARN } from '../laws/fabrics.ts';

const h = 1e-3;
const GRAVITY = [1, -9.81, 2] as const;
const STIFF = { ...YARN, bendingStiffness: 1e-4 };

interface SystemCase {
  readonly name: string;
  readonly net: () => YarnNet;
  readonly options: Partial<FabricOptions>;
  /** Noise of places and of material coordinates, relative to the spacing. */
  readonly noise: readonly [number, number];
  /** Noise of places out of the plane; that of the others if not given. */
  readonly offset?: number;
  /** Distance of anchors, relative to the spacing. */
  readonly slip?: number;
  /** Whether there is contact, which might be missed. */
  readonly isTouching?: boolean;
  /** Whether all forces vanish. */
  readonly isAtRest?: boolean;
  /** Whether A is exact. */
  readonly isExact: boolean;
}

/** Two layers, one turned by little and shifted, so that crossings of one lie near those with the other: on both yarns, or on one where `across` is large. */
function createStack(across: number): YarnNet {
  const upper = placeNet(
    createPlainNet(3),
    [0.03 * SPACING, 0, across * SPACING],
    quaternionFromAxisAngle([0, 1, 0], 0.004),
  );
  return addLayerContacts(joinNets([createPlainNet(3), upper]), { layers: [LAYER, LAYER], materials: [YARN] });
}
const createDoubles = () => createStack(0.05);
const createSingles = () => createStack(0.4);

const BARE = { ...LAYER, shearStiffness: 0, parallelStiffness: 0, preload: 0 };
const LIMP = { ...YARN, bendingStiffness: 0 };
/** So heavy that slack segments keep their exact stiffness (`DEFINITE` of segments.ts). */
const HEAVY = { ...LIMP, linearDensity: 600 };
const TWO = { layers: [BARE, BARE], friction: new Float64Array(4), materials: [LIMP] };
const knit = () =>
  createKnitNet({
    knit: repeatKnit(createStockinette(), { courses: 3, wales: 3 }),
    spacing: { wale: 5e-3, course: 4e-3 },
    radius: 5e-4,
  });

const CASES: readonly SystemCase[] = [
  {
    name: 'stretch and weight, slack and tight',
    net: () => createPlainNet(3, 4),
    options: { layers: [BARE], materials: [LIMP], gravity: GRAVITY },
    noise: [0.1, 0.1],
    isExact: false,
  },
  {
    name: 'stretch of heavy yarns, slack and tight',
    net: () => createPlainNet(3, 4),
    options: { layers: [BARE], materials: [HEAVY] },
    noise: [0.1, 0.1],
    isExact: true,
  },
  {
    name: 'bending and shear',
    net: () => createPlainNet(3, 4),
    options: { layers: [{ ...BARE, shearStiffness: 10 }], materials: [{ ...STIFF, stretchStiffness: 1 }] },
    noise: [0.1, 0.1],
    isExact: false,
  },
  {
    name: 'bending and shear at rest',
    net: () => createPlainNet(3, 4),
    options: { layers: [{ ...BARE, shearStiffness: 10 }], materials: [{ ...STIFF, linearDensity: 600 }] },
    noise: [0, 0.05],
    isExact: true,
  },
  {
    name: 'parallel contact',
    net: () => createPlainNet(3, 4),
    options: { layers: [{ ...BARE, parallelStiffness: 1e6 }], materials: [HEAVY] },
    noise: [0.05, 0.35],
    isTouching: true,
    isExact: true,
  },
  {
    name: 'friction that sticks',
    net: () => createPlainNet(3, 4),
    options: { layers: [{ ...BARE, preload: 10, frictionStiffness: 1e5 }], materials: [HEAVY] },
    noise: [0.01, 0],
    slip: 0.003,
    isExact: true,
  },
  {
    // so heavy that it goes on slipping
    name: 'friction that surely slips',
    net: () => createPlainNet(3, 4),
    options: {
      layers: [{ ...BARE, preload: 10, frictionStiffness: 1e6 }],
      materials: [{ ...LIMP, linearDensity: 60 }],
    },
    noise: [0.01, 0],
    slip: 0.05,
    isExact: true,
  },
  {
    // the matrix is that of a parabola above V
    name: 'friction that slips and may stick',
    net: () => createPlainNet(3, 4),
    options: { layers: [{ ...BARE, preload: 10, frictionStiffness: 1e6 }], materials: [LIMP] },
    noise: [0.01, 0],
    slip: 0.05,
    isExact: false,
  },
  ...[createSingles, createDoubles].flatMap((net, k): SystemCase[] => [
    { name: `EIL nodes of ${k + 1} sides, open gaps`, net, options: TWO, noise: [0.002, 0.002], isExact: false },
    {
      name: `EIL nodes of ${k + 1} sides, closed gaps`,
      net,
      options: TWO,
      noise: [0, 0],
      isAtRest: true,
      isExact: true,
    },
  ]),
  {
    name: 'wrapping',
    net: knit,
    options: { layers: [{ ...BARE, wrappingStiffness: 10 }], materials: [{ ...LIMP, stretchStiffness: 1 }] },
    noise: [0.02, 0.005],
    isExact: false,
  },
  {
    name: 'contact with a body',
    net: () => createPlainNet(3, 4),
    options: {
      layers: [BARE],
      materials: [HEAVY],
      bodies: [new Body({ id: 'ground', shape: new PlaneShape(), position: [0, -1.5 * YARN.radius, 0] })],
    },
    noise: [0.01, 0.01],
    isTouching: true,
    isExact: true,
  },
];

const STAGE: Stage = {
  h,
  time: h,
  start: 0,
  step: h,
  full: h,
  order: 1,
  rows: 0,
  isHeap: false,
  linearized: false,
};

/** A fabric at the start of a stage, at rest in a place that is off by noise. */
function begin({ net, options, noise, offset = noise[0], slip = 0 }: SystemCase): Fabric {
  const fabric = createFabric(net(), options);
  fabric.detect(h);
  fabric.adapt();
  fabric.beginStep();
  fabric.beginStage(STAGE, 0, 0);
  const { qBase, q, cancelled, anchor, count, yarn } = fabric.state;
  const random = createRandom(5);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 5; k++) {
      const size = k === 1 ? offset : noise[k < 3 ? 0 : 1];
      if (!(cancelled[i] & (1 << k))) qBase[5 * i + k] += size * SPACING * random.uniform(-1, 1);
    }
    if (yarn[2 * i + 1] < 0) continue;
    const angle = random.uniform(0, 2 * Math.PI);
    anchor[2 * i] = qBase[5 * i + 3] - slip * SPACING * Math.cos(angle);
    anchor[2 * i + 1] = qBase[5 * i + 4] - slip * SPACING * Math.sin(angle);
  }
  q.set(qBase);
  return fabric;
}

/** Moves one coordinate by a velocity, or back. */
function set(fabric: Fabric, at: number, speed: number): void {
  const { q, qBase, v } = fabric.state;
  v[at] = speed;
  q[at] = qBase[at] + h * speed;
}

/** V, without kinetic energy. */
function computePotential(fabric: Fabric): number {
  const { stretch, bending, gravity, contact } = computeEnergy([fabric]);
  return stretch + bending + gravity + contact;
}

const listFree = ({ state: { cancelled, count } }: Fabric): number[] =>
  Array.from({ length: 5 * count }, (_, at) => at).filter((at) => !((cancelled[Math.floor(at / 5)] >> (at % 5)) & 1));

function findAsymmetry(A: Float64Array, n: number): number {
  let worst = 0;
  for (let i = 0; i < n; i++)
    for (let j = 0; j < i; j++) worst = Math.max(worst, Math.abs(A[n * i + j] - A[n * j + i]));
  return worst;
}

/** Whether there is a Cholesky factor. */
function isPositive(A: Float64Array, n: number): boolean {
  const L = A.slice();
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      let sum = L[n * i + j];
      for (let k = 0; k < j; k++) sum -= L[n * i + k] * L[n * j + k];
      if (i > j) L[n * i + j] = sum / L[n * j + j];
      else if (!(sum > 0)) return false;
      else L[n * j + j] = Math.sqrt(sum);
    }
  }
  return true;
}

for (const systemCase of CASES)
  describe(systemCase.name, () => {
    if (!systemCase.isAtRest)
      test('the residual r is −h ∇V in every free coordinate', () => {
        const fabric = begin(systemCase);
        const free = listFree(fabric);
        fabric.assemble(STAGE);
        const r = fabric.part.rhs.slice();
        const scale = Math.max(...free.map((at) => Math.abs(r[at])));
        expect(scale).toBeGreaterThan(1e-4);
        if (systemCase.isTouching) expect(computeEnergy([fabric]).contact).toBeGreaterThan(1e-5);
        const speed = (1e-5 * SPACING) / h;
        let worst = 0;
        for (const at of free) {
          set(fabric, at, speed);
          const after = computePotential(fabric);
          set(fabric, at, -speed);
          const before = computePotential(fabric);
          set(fabric, at, 0);
          worst = Math.max(worst, Math.abs(r[at] + (after - before) / (2 * speed)));
        }
        expect(worst).toBeLessThan(1e-6 * scale);
      });

    test(systemCase.isExact ? 'A = −∂r/∂v' : 'A is symmetric and positive', () => {
      const fabric = begin(systemCase);
      const free = listFree(fabric);
      const n = fabric.part.matrix.size;
      const column = (at: number): Float64Array => {
        const [unit, out] = [new Float64Array(n), new Float64Array(n)];
        unit[at] = 1;
        fabric.part.matrix.multiply(unit, out);
        return out;
      };
      fabric.assemble(STAGE);
      if (!systemCase.isExact) {
        fabric.takePositivePart();
        fabric.assemble(STAGE);
      }
      const columns = free.map(column);
      const scale = Math.max(...columns.map((one, k) => one[free[k]]));
      const A = Float64Array.from(free.flatMap((row) => columns.map((one) => one[row])));
      expect(findAsymmetry(A, free.length)).toBeLessThan(1e-12 * scale);
      if (!systemCase.isExact) {
        expect(isPositive(A, free.length)).toBe(true);
        return;
      }
      const speed = (1e-6 * SPACING) / h;
      const read = (at: number, v: number): Float64Array => {
        set(fabric, at, v);
        fabric.assemble(STAGE);
        return fabric.part.rhs.slice();
      };
      let worst = 0;
      free.forEach((at, k) => {
        const [after, before] = [read(at, speed), read(at, -speed)];
        set(fabric, at, 0);
        for (const row of free)
          worst = Math.max(worst, Math.abs(columns[k][row] + (after[row] - before[row]) / (2 * speed)));
      });
      expect(worst).toBeLessThan(3e-6 * scale);
    });
  });

test('slack segments of light yarns keep the matrix definite, as near to their exact stiffness as that goes', () => {
  const slack: SystemCase = {
    name: 'slack',
    net: () => createPlainNet(3, 4),
    options: { layers: [BARE], materials: [LIMP] },
    noise: [0.1, 0.1],
    isExact: false,
  };
  const fabric = begin(slack);
  const free = listFree(fabric);
  fabric.assemble(STAGE);
  const read = (): Float64Array => {
    const out = new Float64Array(fabric.part.matrix.size);
    return Float64Array.from(
      free.flatMap((column) => {
        const unit = new Float64Array(fabric.part.matrix.size);
        unit[column] = 1;
        fabric.part.matrix.multiply(unit, out);
        return free.map((row) => out[row]);
      }),
    );
  };
  const near = read();
  expect(isPositive(near, free.length)).toBe(true);
  // the positive part is farther: without what is below zero
  fabric.takePositivePart();
  fabric.assemble(STAGE);
  const far = read();
  let sum = 0;
  for (let k = 0; k < free.length; k++) {
    const less = far[(free.length + 1) * k] - near[(free.length + 1) * k];
    expect(less).toBeGreaterThanOrEqual(0);
    sum += less;
  }
  expect(sum).toBeGreaterThan(1e-6);
});

test('the stacks have EIL nodes of one and of two sides', () => {
  expect(createFabric(createSingles(), TWO).stencils.singles.count).toBeGreaterThan(3);
  expect(createFabric(createDoubles(), TWO).stencils.doubles.count).toBeGreaterThan(3);
});
