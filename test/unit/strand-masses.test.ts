import { computeStrandMaterial } from 'heddle/model';
import { Strand } from 'heddle/strand';
import { expect, test } from 'vitest';

const material = computeStrandMaterial({
  linearDensity: 0.01,
  radius: 0.002,
  stretchStiffness: 100,
  bendingStiffness: 0,
});

test('a point mass is carried by its own node, also behind nodes that wait disabled', () => {
  // 11 nodes at steps of 0.1 m; the one at 0.3 m is nearer to the guide at 0.31 m than near × spacing
  const { state } = new Strand({
    id: 'rope',
    material,
    points: [
      [0, 0, 0],
      [1, 0, 0],
    ],
    nodes: 11,
    guides: [{ id: 'ring', point: [0.31, 0, 0] }],
    masses: [
      { at: 0.7, mass: 2 },
      { at: 'end', mass: 3 },
    ],
  });
  const { chain } = state;
  expect(state.disabledCount).toBe(1);
  expect(state.disabled[1]).toBeCloseTo(0.3, 12);
  const carried = Array.from({ length: chain.count }, (_, i) => [chain.q[4 * i + 3], chain.pointMass[i]]);
  expect(carried.filter(([, mass]) => mass > 0)).toEqual([
    [expect.closeTo(0.7, 12), 2],
    [1, 3],
  ]);
});
