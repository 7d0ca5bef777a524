/**
 * Bends with lent length (`src/strand/bend-loan.ts`): forces against differences of the energy, and the loan itself.
 */
import { addBendingSystem, BendingStencil, CurveChain } from 'heddle/curve';
import { createRandom } from 'heddle/math';
import { NODE_EULERIAN, NODE_LAGRANGIAN } from 'heddle/model';
import { BlockBanded } from 'heddle/sparse';
import { Strand } from 'heddle/strand';
import { createKeyframes, World } from 'heddle/world';
import { expect, test } from 'vitest';

const MATERIAL = { radius: 1e-3, linearDensity: 0.01, stretchStiffness: 100, bendingStiffness: 0.3 };
const GUIDE = 2;
const STAGE = { h: 1, linearized: false, massDamping: 0, stiffnessDamping: 0, gravity: new Float64Array(3) };

/** Five nodes of which the third is an E-node; `lent` have loans from it. */
function createChain(seed: number, lent: readonly number[]): CurveChain {
  const random = createRandom(seed);
  const chain = new CurveChain(MATERIAL, 5);
  chain.count = 5;
  for (let i = 0; i < 5; i++) {
    for (let k = 0; k < 3; k++) chain.q[4 * i + k] = (k === 0 ? i : 0) + 0.4 * random.uniform();
    chain.q[4 * i + 3] = i + 0.1 * random.uniform();
    chain.label[i] = i;
    chain.kind[i] = i === GUIDE ? NODE_EULERIAN : NODE_LAGRANGIAN;
  }
  chain.bendSpan[GUIDE] = 2;
  for (const i of lent) {
    chain.bendLoan[i] = i === GUIDE ? 0.9 : -0.8;
    chain.bendGuide[i] = GUIDE;
    chain.bendOrigin[i] = chain.q[4 * GUIDE + 3] - 0.25;
  }
  return chain;
}

function computeEnergy(chain: CurveChain): number {
  const stencil = new BendingStencil();
  stencil.bendingStiffness = MATERIAL.bendingStiffness;
  let sum = 0;
  for (let i = 1; i < 4; i++) {
    stencil.setSpan(chain, i);
    stencil.set(chain.q, 4 * i - 4);
    sum += stencil.energy;
  }
  return sum;
}

test.each([[[]], [[2]], [[1]], [[3]], [[1, 2, 3]]])('bends at %j with loans push as their energy falls', (lent) => {
  for (let seed = 1; seed <= 4; seed++) {
    const chain = createChain(seed, lent);
    const matrix = new BlockBanded(5, 4, 2);
    const rhs = new Float64Array(20);
    addBendingSystem(chain, STAGE, new BendingStencil(), matrix, rhs);
    expect(Math.hypot(...rhs)).toBeGreaterThan(0.01);
    if (lent.length > 0) expect(Math.abs(rhs[4 * GUIDE + 3])).toBeGreaterThan(1e-4);
    for (let c = 0; c < 20; c++) {
      if (c % 4 === 3 && c !== 4 * GUIDE + 3) continue;
      const [at, step] = [chain.q[c], 1e-5];
      chain.q[c] = at + step;
      const above = computeEnergy(chain);
      chain.q[c] = at - step;
      const below = computeEnergy(chain);
      chain.q[c] = at;
      expect(rhs[c]).toBeCloseTo(-(above - below) / (2 * step), 7);
    }
  }
});

test('the stiffness of bends with loans is that of its stencils, material coordinate of the guide and all', () => {
  const chain = createChain(7, [1, 2, 3]);
  const matrix = new BlockBanded(5, 4, 2);
  addBendingSystem(chain, STAGE, new BendingStencil(), matrix, new Float64Array(20));
  const stencil = new BendingStencil();
  stencil.bendingStiffness = MATERIAL.bendingStiffness;
  const dense = new Float64Array(400);
  for (let i = 1; i < 4; i++) {
    stencil.setSpan(chain, i);
    stencil.set(chain.q, 4 * i - 4);
    const isFree = (r: number) => r % 4 < 3 || i - 1 + (r >> 2) === GUIDE;
    for (let r = 0; r < 12; r++)
      for (let c = 0; c < 12; c++)
        if (isFree(r) && isFree(c))
          dense[20 * (4 * i - 4 + r) + 4 * i - 4 + c] +=
            stencil.inPlaneStiffness * stencil.inPlane[r] * stencil.inPlane[c] +
            stencil.outOfPlaneStiffness * stencil.outOfPlane[r] * stencil.outOfPlane[c];
  }
  expect(Math.abs(dense[20 * 11 + 11])).toBeGreaterThan(1e-4);
  const [x, column] = [new Float64Array(20), new Float64Array(20)];
  for (let k = 0; k < 20; k++) {
    x.fill(0)[k] = 1;
    matrix.multiply(x, column);
    for (let i = 0; i < 20; i++) expect(column[i]).toBeCloseTo(dense[20 * i + k], 10);
  }
});

/** A rope that is drawn over a corner. */
function createRope() {
  const strand = new Strand({
    id: 'rope',
    material: { radius: 0.003, linearDensity: 0.05, stretchStiffness: 5000, bendingStiffness: 2e-4 },
    points: [
      [-0.5, 0, 0],
      [0, 0, 0],
      [0.1, -0.6, 0.1],
    ],
    nodes: 23,
    guides: [{ id: 'corner', point: [0, 0, 0] }],
    masses: [{ at: 'end', mass: 0.3 }],
    keep: ['start'],
  });
  const hand = createKeyframes({ model: strand, label: strand.state.findLabel('start') }, (time, out) => {
    out[0] = -0.5 - 0.15 * (1 - Math.cos(3 * time));
    out[1] = out[2] = 0;
  });
  return { strand, world: new World({ models: [strand], drivers: [hand], timeStep: 2e-3 }) };
}

test('loans are made, given back, and part of the state', () => {
  const { strand, world } = createRope();
  const { chain, guides } = strand.state;
  const { label } = guides[0];
  let [largest, over, shortest] = [0, 0, 0];
  for (let n = 0; n < 500; n++) {
    world.step();
    const loan = chain.bendLoan[label] / chain.bendSpan[label];
    expect(loan).toBeGreaterThanOrEqual(0);
    if (largest > 0 && loan === 0) over++;
    largest = Math.max(largest, loan);
    for (let i = 0; i < chain.count; i++) {
      const other = chain.bendLoan[chain.label[i]];
      if (chain.label[i] !== label) expect(other).toBeLessThanOrEqual(0);
      shortest = Math.min(shortest, other);
    }
  }
  expect(strand.state.remeshings).toBeGreaterThan(6);
  expect(largest).toBeGreaterThan(1e-3);
  expect(largest).toBeLessThan(1);
  expect(over).toBeGreaterThan(50);
  expect(shortest).toBe(0.1 - 1);

  // saved in the middle of a loan, another world goes on to the same bits
  let tries = 0;
  while (chain.bendLoan[label] === 0 && tries++ < 500) world.step();
  expect(chain.bendLoan[label]).toBeGreaterThan(0);
  const other = createRope();
  other.world.load(world.save());
  for (let n = 0; n < 100; n++) {
    world.step();
    other.world.step();
  }
  expect(other.world.hash()).toBe(world.hash());
});
