/** Ranks of nodes: they rise along yarns, whatever lies on what, and are worth it. */
import { compile, type Scene, validateScene } from 'heddle';
import type { Fabric } from 'heddle/fabric';
import { describe, expect, test } from 'vitest';
import { YarnRanks } from '../../src/fabric/ranks.ts';
import { createFabric, createNet } from '../laws/fabrics.ts';

const YARN = { linearDensity: 4e-5, radius: 1.6e-4, stretchStiffness: 50, bendingStiffness: 1e-9, friction: 0.2 };
const STIFF = { ...YARN, stretchStiffness: 250, bendingStiffness: 5e-9 };
const plain = (count: number) => ({ type: 'plain', warps: count, wefts: count, spacing: 6e-4, crimp: 0 });

const SEWN = {
  layers: [
    { id: 'shirt', pattern: plain(16), material: 'yarn' },
    { id: 'tag', pattern: plain(8), material: 'stiff', position: [1.5e-4, 0, 1.5e-4] },
  ],
  seams: [0.003, 0.0066].map((x) => ({
    layers: [0, 1],
    line: [
      [x, 0.003],
      [x, 0.0066],
    ],
  })),
  damping: { mass: 20, stiffness: 5e-4 },
};

const CLOTHS: Record<string, object> = {
  'one layer upright': { layers: [{ pattern: plain(9), material: 'yarn' }], rotation: { axis: [1, 0, 0], angle: 90 } },
  'three layers, turned': {
    layers: [0, 40, 215].map((angle) => ({
      pattern: plain(9),
      material: 'yarn',
      rotation: { axis: [0, 1, 0], angle },
    })),
  },
  'three layers, yarn on yarn': { layers: [0, 1, 2].map(() => ({ pattern: plain(9), material: 'yarn' })) },
  'sewn on': SEWN,
  'a knit of one yarn': {
    layers: [{ pattern: { type: 'stockinette', courses: 6, wales: 6, spacing: [2e-3, 1.5e-3] }, material: 'yarn' }],
  },
};

function createWorld(cloth: object, drivers: object[] = []) {
  const scene = {
    heddle: 1,
    name: 'cloth',
    title: 'Cloth',
    materials: { yarn: YARN, stiff: STIFF },
    objects: [{ type: 'fabric', id: 'cloth', ...cloth }],
    drivers,
    time: { step: 2e-3, duration: 1 },
    gravity: [0, 0, 0],
  };
  const world = compile(validateScene(scene) as Scene);
  return { world, fabric: world.models[0] as Fabric };
}

/** Yarns whose EoL nodes have neither rising nor falling ranks. */
function countBroken({ state }: Fabric, rank: Int32Array): number {
  const { eol, eolStart, yarnCount } = state;
  let broken = 0;
  for (let y = 0; y < yarnCount; y++) {
    let [rises, falls] = [0, 0];
    for (let k = eolStart[y] + 1; k < eolStart[y + 1]; k++) {
      const step = rank[eol[k] >> 1] - rank[eol[k - 1] >> 1];
      if (step > 0) rises++;
      else falls++;
    }
    if (rises > 0 && falls > 0) broken++;
  }
  return broken;
}

describe.each(Object.entries(CLOTHS))('%s', (_name, cloth) => {
  test('ranks rise along every yarn', () => {
    const { fabric } = createWorld(cloth);
    const { state } = fabric;
    const rank = new YarnRanks(state).write(state, new Uint8Array(state.capacity));
    expect(rank).toBeDefined();
    expect(countBroken(fabric, rank!)).toBe(0);
    expect(new Set(rank).size).toBeGreaterThan(12);
  });
});

test('yarns that run in a ring have no ranks', () => {
  // both lead to the right; they cross at 0 and at 1, the second there first
  const net = createNet(
    [{ length: 3 }, { length: 9 }],
    [
      { x: [-1, 0, 0], sides: [[0, 0]] },
      {
        x: [0, 0, 0],
        sides: [
          [0, 1],
          [1, 5],
        ],
      },
      {
        x: [1, 0, 0],
        sides: [
          [0, 2],
          [1, 3],
        ],
      },
      { x: [2, 0, 0], sides: [[0, 3]] },
      { x: [-2, 0, 1], sides: [[1, 0]] },
      { x: [3, 0, 1], sides: [[1, 9]] },
    ],
  );
  const { state } = createFabric(net);
  expect(new YarnRanks(state).write(state, new Uint8Array(state.capacity))).toBeUndefined();
});

test('a tag sewn on cloth that is drawn is solved in some twenty iterations', () => {
  const side = (name: string, way: number) => ({
    type: 'velocity',
    on: { object: 'cloth', layer: 'shirt', side: name },
    value: [0, 0, way],
  });
  const { world, fabric } = createWorld(SEWN, [side('bottom', 0.015), side('top', -0.015)]);
  let most = 0;
  const { part } = fabric;
  const solve = part.solve.bind(part);
  part.solve = () => {
    const isSolved = solve();
    most = Math.max(most, part.iterations);
    return isSolved;
  };
  for (let n = 0; n < 3; n++) world.step();
  // 19 with ranks, 199 with the order that a search finds and fill
  expect(most).toBeGreaterThan(5);
  expect(most).toBeLessThan(40);
});
