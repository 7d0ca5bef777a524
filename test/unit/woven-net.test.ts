/** Woven cloth as a net of yarns: sides of crossings, order along yarns, which yarn is on top, and layers put together. */
import { ROLE_CROSSING, ROLE_POINT, type YarnNet } from 'heddle/fabric';
import { quaternionFromAxisAngle, rotateVec3, type Vec3 } from 'heddle/math';
import {
  createPlainWeave,
  createTwill,
  createWovenNet,
  createWovenYarns,
  GROUP_WARP,
  GROUP_WEFT,
  joinNets,
  placeNet,
  type WovenYarnsOptions,
} from 'heddle/patterns';
import { expect, test } from 'vitest';

const CLOTH: WovenYarnsOptions = {
  weave: createTwill({ over: 2, under: 1 }),
  warps: 5,
  wefts: 4,
  spacing: { warp: 0.9e-3, weft: 1.1e-3 },
  radius: { warp: 0.2e-3, weft: 0.25e-3 },
};

/** Sides of nodes on a yarn, in the order of the material. */
function listSides(net: YarnNet, yarn: number): number[] {
  const sides = [...net.yarn.keys()].filter((side) => net.yarn[side] === yarn);
  return sides.sort((a, b) => net.u[a] - net.u[b]);
}

const placeOf = (net: YarnNet, node: number): Vec3 => [net.x[3 * node], net.x[3 * node + 1], net.x[3 * node + 2]];

test('a yarn runs from its end at 0 over its crossings to its end at its length, and is nowhere shorter than its place', () => {
  const net = createWovenNet(createWovenYarns(CLOTH), { materials: { warp: 1, weft: 2 } });
  expect(net.role.length).toBe(5 * 4 + 2 * 9);
  for (let yarn = 0; yarn < 9; yarn++) {
    const isWarp = yarn < 5;
    const sides = listSides(net, yarn);
    const nodes = sides.map((side) => side >> 1);
    expect(sides.length).toBe(isWarp ? 6 : 7);
    expect(sides.slice(1, -1).every((side) => side % 2 === (isWarp ? 0 : 1))).toBe(true);
    expect(nodes.map((node) => net.role[node])).toEqual([
      ROLE_POINT,
      ...Array(isWarp ? 4 : 5).fill(ROLE_CROSSING),
      ROLE_POINT,
    ]);
    expect(net.u[sides[0]]).toBe(0);
    expect(net.u[sides[sides.length - 1]]).toBe(net.yarnLength[yarn]);
    for (let k = 1; k < nodes.length; k++) {
      const [a, b] = [placeOf(net, nodes[k - 1]), placeOf(net, nodes[k])];
      const step = net.u[sides[k]] - net.u[sides[k - 1]];
      // warps along −z, wefts along x
      const distance = isWarp ? a[2] - b[2] : b[0] - a[0];
      expect(distance).toBeGreaterThan(0);
      expect(step).toBeGreaterThan(distance * (1 - 1e-12));
    }
    expect(net.yarnGroup[yarn]).toBe(isWarp ? GROUP_WARP : GROUP_WEFT);
    expect(net.yarnMaterial[yarn]).toBe(isWarp ? 1 : 2);
  }
});

test('the warp is on top where the weave says so, and up is the face of the cloth', () => {
  const yarns = createWovenYarns(CLOTH);
  const net = createWovenNet(yarns);
  for (let c = 0; c < 20; c++) {
    expect(net.over[c]).toBe(yarns.over[c] === 1 ? 1 : -1);
    // directions along increasing material coordinates
    const [warp, weft] = [net.yarn[2 * c], net.yarn[2 * c + 1]].map((yarn) => {
      const sides = listSides(net, yarn);
      const [a, b] = [placeOf(net, sides[0] >> 1), placeOf(net, sides[sides.length - 1] >> 1)];
      return [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    });
    expect(Math.sign(warp[2] * weft[0] - warp[0] * weft[2]) * net.turn[c]).toBe(1);
  }
  for (let node = 20; node < net.role.length; node++) {
    expect(net.over[node]).toBe(0);
    expect(net.yarn[2 * node + 1]).toBe(-1);
  }
});

test('a placed net is turned, then moved; the net itself stays', () => {
  const net = createWovenNet(createWovenYarns(CLOTH));
  const rotation = quaternionFromAxisAngle([1, 2, 3], 0.7);
  const placed = placeNet(net, [0.1, 0.2, 0.3], rotation);
  for (let node = 0; node < net.role.length; node++) {
    const expected = rotateVec3(rotation, placeOf(net, node));
    for (let k = 0; k < 3; k++) expect(placed.x[3 * node + k]).toBeCloseTo(expected[k] + 0.1 * (k + 1), 15);
  }
  expect(net.x[1]).toBe(0);
});

test('joined nets keep their yarns, nodes and windings, each on its own layers', () => {
  const lower = createWovenNet(createWovenYarns(CLOTH));
  const upper = createWovenNet(createWovenYarns({ ...CLOTH, weave: createPlainWeave(), warps: 3 }));
  const wound = { ...upper, wraps: Int32Array.of(0, 4, 1, 5) };
  const both = joinNets([lower, wound]);
  const all = joinNets([both, wound]);
  expect([...both.yarnLayer]).toEqual([...Array(9).fill(0), ...Array(7).fill(1)]);
  expect([...all.yarnLayer.subarray(16)]).toEqual(Array(7).fill(2));
  const [yarns, nodes] = [16, lower.role.length + upper.role.length];
  for (let side = 0; side < upper.yarn.length; side++) {
    expect(all.yarn[2 * nodes + side]).toBe(upper.yarn[side] < 0 ? -1 : upper.yarn[side] + yarns);
    expect(all.u[2 * nodes + side]).toBe(upper.u[side]);
  }
  expect([...all.wraps]).toEqual([
    ...wound.wraps.map((node) => node + lower.role.length),
    ...wound.wraps.map((node) => node + nodes),
  ]);
  expect(all.x.length).toBe(3 * (nodes + upper.role.length));
  expect(() => joinNets([])).toThrow('joinNets: there is no fabric');
});
