/** Pieces cut out of woven nets. */
import { ROLE_CROSSING, ROLE_POINT } from 'heddle/fabric';
import { quaternionFromAxisAngle } from 'heddle/math';
import { createPlainWeave, createWovenNet, createWovenYarns, cutNet, placeNet } from 'heddle/patterns';
import { expect, test } from 'vitest';

const createNet = (warps: number, wefts: number) =>
  createWovenNet(
    createWovenYarns({
      weave: createPlainWeave(),
      warps,
      wefts,
      spacing: { warp: 1, weft: 1 },
      radius: { warp: 0.1, weft: 0.1 },
      crimp: { warp: 0, weft: 0.25 },
    }),
  );

test('cut along its yarns a cloth is the smaller cloth', () => {
  const [cut, small] = [cutNet(createNet(8, 10), 4, 6), createNet(4, 6)];
  expect(cut.role).toEqual(small.role);
  expect(cut.yarn).toEqual(small.yarn);
  expect(cut.over).toEqual(small.over);
  expect(cut.turn).toEqual(small.turn);
  for (const [k, value] of cut.x.entries()) expect(value).toBeCloseTo(small.x[k], 12);
  // of crimped wefts half the length to the next crossing is more than half the spacing
  for (const [y, length] of cut.yarnLength.entries()) expect(length).toBeCloseTo(y < 4 ? 6 : 4 * 1.25, 12);
});

test('a cut larger than the cloth leaves it as it is', () => {
  const net = createNet(3, 3);
  expect(cutNet(net, 10, 10)).toEqual(net);
});

test('cut on the bias yarns have the length between their ends, and ends lie at most half a spacing outside', () => {
  const turned = placeNet(createNet(40, 40), [0, 0, 0], quaternionFromAxisAngle([0, 1, 0], Math.PI / 4));
  const net = cutNet(turned, 8, 16);
  const { x, yarn, u, role, yarnLength, yarnGroup } = net;
  const ends = new Map<number, number[]>();
  for (let i = 0; i < role.length; i++) {
    const isEnd = yarn[2 * i + 1] < 0;
    expect(role[i]).toBe(isEnd ? ROLE_POINT : ROLE_CROSSING);
    const reach = isEnd ? Math.SQRT1_2 / 2 + 1e-9 : 0;
    expect(Math.abs(x[3 * i])).toBeLessThanOrEqual(4 + reach);
    expect(Math.abs(x[3 * i + 2])).toBeLessThanOrEqual(8 + reach);
    if (isEnd) ends.set(yarn[2 * i], [...(ends.get(yarn[2 * i]) ?? []), i]);
  }
  // one crossing has the area of a square of the spacing
  expect(role.filter((one) => one === ROLE_CROSSING).length / (8 * 16)).toBeCloseTo(1, 1);
  expect(ends.size).toBe(yarnLength.length);
  for (const [y, [a, b]] of ends) {
    const distance = Math.hypot(x[3 * b] - x[3 * a], x[3 * b + 2] - x[3 * a + 2]);
    expect(u[2 * a]).toBeCloseTo(0, 12);
    expect(u[2 * b]).toBeCloseTo(yarnLength[y], 12);
    expect(yarnLength[y]).toBeCloseTo(distance * (yarnGroup[y] === 0 ? 1 : 1.25), 9);
  }
});

test('nothing inside, and knits, are refused', () => {
  expect(() => cutNet(createNet(4, 4), 0.1, 0.1)).toThrow('no crossing lies inside');
  expect(() => cutNet({ ...createNet(4, 4), wraps: Int32Array.of(0, 1) }, 9, 9)).toThrow(
    'only woven fabrics can be cut',
  );
});
