/** The hot loop of fabrics against that of one curve, whose formulas it has. */
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
