/** The hot loop of fabrics against that of one curve, whose formulas it has, and its damping. */
import { CurveChain, writeAxialSystem } from 'heddle/curve';
import { createRandom } from 'heddle/math';
import { NODE_EULERIAN } from 'heddle/model';
import { BlockBanded } from 'heddle/sparse';
import { expect, test } from 'vitest';
import { addSegments, type FabricStage } from '../../src/fabric/segments.ts';
import { createFabric, createNet, LAYER } from '../laws/fabrics.ts';

const MATERIAL = { linearDensity: 0.3, stretchStiffness: 40, bendingStiffness: 0, radius: 0.01, restFactor: 0.93 };
const NODES = 7;

for (const linearized of [true, false])
  for (const keepsMomentum of [true, false])
    test(`one yarn is one curve: same A and r, linearized ${linearized}, keeps momentum ${keepsMomentum}`, () => {
      const random = createRandom(4);
      const chain = new CurveChain(MATERIAL, NODES);
      chain.count = NODES;
      const net = createNet(
        [{ length: NODES }],
        Array.from({ length: NODES }, (_, i) => ({ x: [i, 0, 0], sides: [[0, 0.7 * i + 0.1]] })),
      );
      const fabric = createFabric(net, { materials: [MATERIAL], layers: [{ ...LAYER, spacing: 1 }] });
      const { state, stencils, part } = fabric;
      for (let i = 0; i < NODES; i++) {
        // the third segment is slack
        const slack = i < 3 ? 0 : 0.6;
        const place = [i - slack, 0, 0, 0.7 * i + 0.1].map((x) => x + random.uniform(-0.1, 0.1));
        for (let k = 0; k < 4; k++) {
          chain.q[4 * i + k] = state.q[5 * i + k] = place[k];
          chain.qBase[4 * i + k] = state.qBase[5 * i + k] = place[k] + random.uniform(-0.02, 0.02);
          chain.v[4 * i + k] = state.v[5 * i + k] = random.uniform(-1, 1);
          chain.vBase[4 * i + k] = state.vBase[5 * i + k] = random.uniform(-1, 1);
        }
        chain.kind[i] = NODE_EULERIAN;
      }
      const stage: FabricStage = {
        h: 0.03,
        linearized,
        keepsMomentum,
        isExact: false,
        isGuess: false,
        massDamping: 0.7,
        stiffnessDamping: 0.02,
        gravity: Float64Array.of(1.2, -9.7, 0.8),
      };
      const banded = new BlockBanded(NODES, 4, 1);
      const [r, mine] = [new Float64Array(4 * NODES), new Float64Array(part.rhs.length)];
      writeAxialSystem(chain, stage, banded, r);
      part.matrix.values.fill(0);
      addSegments(state, stencils, stage, part.matrix.values, mine, null);
      const [unit, column] = [new Float64Array(4 * NODES), new Float64Array(4 * NODES)];
      const [wide, other] = [new Float64Array(part.matrix.size), new Float64Array(part.matrix.size)];
      expect(Math.hypot(...r)).toBeGreaterThan(0.1);
      for (let k = 0; k < 4 * NODES; k++) {
        const at = 5 * (k >> 2) + (k & 3);
        expect(mine[at]).toBeCloseTo(r[k], 12);
        unit.fill(0)[k] = 1;
        wide.fill(0)[at] = 1;
        banded.multiply(unit, column);
        part.matrix.multiply(wide, other);
        for (let j = 0; j < 4 * NODES; j++) expect(other[5 * (j >> 2) + (j & 3)]).toBeCloseTo(column[j], 12);
      }
    });

/** A bent yarn in three segments at q = q̂ + h v, and its stage. */
function createDamped(stiffnessDamping: number) {
  const net = createNet(
    [{ length: 4 }],
    Array.from({ length: 4 }, (_, i) => ({ x: [i, 0, 0], sides: [[0, 0.9 * i + 0.1]] })),
  );
  const fabric = createFabric(net, { materials: [MATERIAL], layers: [{ ...LAYER, spacing: 1 }] });
  const { q, qBase, count } = fabric.state;
  const random = createRandom(8);
  qBase.set(q);
  for (let i = 0; i < count; i++)
    for (let k = 0; k < 3; k++) qBase[5 * i + k] = q[5 * i + k] + random.uniform(-0.1, 0.1);
  const stage: FabricStage = {
    ...{
      h: 0.03,
      linearized: false,
      keepsMomentum: true,
      isExact: true,
      isGuess: false,
      massDamping: 0,
      stiffnessDamping,
    },
    gravity: new Float64Array(3),
  };
  const writeRhs = (v: ArrayLike<number>): Float64Array => {
    const { state, stencils, part } = fabric;
    for (let k = 0; k < 5 * count; k++) {
      state.v[k] = v[k];
      q[k] = qBase[k] + stage.h * v[k];
    }
    const rhs = new Float64Array(5 * count);
    part.matrix.values.fill(0);
    addSegments(state, stencils, stage, part.matrix.values, rhs, null);
    return rhs;
  };
  return { fabric, stage, writeRhs };
}

test('damped segments have A = −∂r/∂v in all places, where their yarn runs and turns by 0.3 rad in the step', () => {
  const { fabric, writeRhs } = createDamped(0.05);
  const { count } = fabric.state;
  const random = createRandom(9);
  // apart by 0.3 m/s per m, and turning
  const v = Float64Array.from({ length: 5 * count }, (_, k) =>
    k % 5 === 0 ? 8 * Math.floor(k / 5) : k % 5 < 3 ? 10 * Math.floor(k / 5) + random.uniform(-1, 1) : 0,
  );
  const start = writeRhs(v);
  expect(Math.hypot(...start)).toBeGreaterThan(1);
  const columns = [0, 1, 2, 5, 6, 7, 11, 12, 15].map((at) => {
    const unit = new Float64Array(fabric.part.matrix.size);
    const product = new Float64Array(fabric.part.matrix.size);
    unit[at] = 1;
    fabric.part.matrix.multiply(unit, product);
    return { at, product };
  });
  const e = 1e-5;
  for (const { at, product } of columns) {
    const [less, more] = [-e, e].map((by) => writeRhs(v.map((one, k) => (k === at ? one + by : one))));
    for (let i = 0; i < count; i++)
      for (let k = 5 * i; k < 5 * i + 3; k++) {
        const slope = (less[k] - more[k]) / (2 * e);
        expect(Math.abs(slope - product[k])).toBeLessThan(1e-6);
      }
  }
});

test('damping of the stiffness does not resist a turn: r of a yarn that turns by 0.5 rad in the step is that without damping', () => {
  const [sine, cosine] = [Math.sin(0.5), Math.cos(0.5)];
  const [damped, free] = [0.05, 0].map((beta) => {
    const { fabric, stage, writeRhs } = createDamped(beta);
    const { qBase, count } = fabric.state;
    const v = new Float64Array(5 * count);
    for (let i = 0; i < count; i++) {
      const [x, y] = [qBase[5 * i], qBase[5 * i + 1]];
      v[5 * i] = (cosine * x - sine * y - x) / stage.h;
      v[5 * i + 1] = (sine * x + cosine * y - y) / stage.h;
    }
    return writeRhs(v);
  });
  expect(Math.hypot(...free)).toBeGreaterThan(0.1);
  for (let k = 0; k < free.length; k++) expect(damped[k]).toBeCloseTo(free[k], 9);
});
