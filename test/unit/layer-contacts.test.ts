import { describe, expect, test } from 'vitest';
import {
  addLayerContacts,
  type LayerOptions,
  ROLE_BETWEEN,
  ROLE_CROSSING,
  ROLE_POINT,
  ROLE_STITCH,
  type YarnNet,
} from '../../src/fabric/index.ts';
import { quaternionFromAxisAngle, type Vec3 } from '../../src/math/index.ts';
import { createPlainWeave, createWovenNet, createWovenYarns, joinNets, placeNet } from '../../src/patterns/index.ts';

const [SPACING, RADIUS] = [5.6e-3, 2.25e-3];
const MATERIAL = { linearDensity: 1e-4, stretchStiffness: 500, bendingStiffness: 1e-8, radius: RADIUS };

const LAYER: LayerOptions = {
  name: 'cloth',
  spacing: SPACING,
  shearStiffness: 0,
  wrappingStiffness: 0,
  parallelStiffness: 0,
  frictionStiffness: 100,
  preload: 0,
};

function createPatch(warps: number, wefts: number, position: Vec3 = [0, 0, 0], angle = 0): YarnNet {
  const yarns = createWovenYarns({
    weave: createPlainWeave(),
    warps,
    wefts,
    spacing: { warp: SPACING, weft: SPACING },
    radius: { warp: RADIUS, weft: RADIUS },
    crimp: { warp: 0, weft: 0 },
  });
  return placeNet(createWovenNet(yarns), position, quaternionFromAxisAngle([0, 1, 0], angle));
}

const stack = (...nets: YarnNet[]) => joinNets(nets);
const connect = (net: YarnNet, layers: number, stitches: { points: Vec3[]; pitch?: number }[] = [], between = true) =>
  addLayerContacts(net, {
    layers: Array.from({ length: layers }, () => LAYER),
    materials: [MATERIAL],
    between,
    stitches: stitches.map((line) => ({ ...line, layers: [0, 1] })),
  });

/** Nodes of a role. */
const list = ({ role }: YarnNet, wanted: number) => Array.from(role.keys()).filter((i) => role[i] === wanted);

/** Place of a yarn at a material coordinate, by its crossings and ends. */
function locate(net: YarnNet, yarn: number, u: number): number[] {
  const sides = Array.from(net.yarn.keys()).filter(
    (side) => net.yarn[side] === yarn && [ROLE_CROSSING, ROLE_POINT].includes(net.role[side >> 1]),
  );
  sides.sort((a, b) => net.u[a] - net.u[b]);
  const next = sides.findIndex((side) => net.u[side] >= u);
  const [a, b] = [sides[Math.max(0, next - 1)], sides[Math.max(1, next)]];
  const t = (u - net.u[a]) / (net.u[b] - net.u[a]);
  return [0, 1, 2].map((k) => (1 - t) * net.x[3 * (a >> 1) + k] + t * net.x[3 * (b >> 1) + k]);
}

/** What every node between layers must be: on both of its yarns, the higher layer on top, up along the layers' normal y. */
function expectSound(before: YarnNet, net: YarnNet): void {
  const count = before.role.length;
  for (const key of ['x', 'yarn', 'u', 'role', 'over', 'turn'] as const)
    expect(net[key].subarray(0, before[key].length)).toEqual(before[key]);
  for (let i = count; i < net.role.length; i++) {
    const [first, second] = [net.yarn[2 * i], net.yarn[2 * i + 1]];
    expect(net.yarnLayer[first]).toBeGreaterThan(net.yarnLayer[second]);
    expect(net.over[i]).toBe(1);
    const ends = [0, 1].map((s) => {
      const [yarn, u] = [net.yarn[2 * i + s], net.u[2 * i + s]];
      expect(u).toBeGreaterThan(0);
      expect(u).toBeLessThan(net.yarnLength[yarn]);
      const [here, ahead] = [locate(net, yarn, u), locate(net, yarn, u + 1e-6)];
      // its own y is the middle of the layers
      expect(Math.hypot(here[0] - net.x[3 * i], here[2] - net.x[3 * i + 2])).toBeLessThan(1e-12);
      return ahead.map((value, k) => value - here[k]);
    });
    const up = ends[0][2] * ends[1][0] - ends[0][0] * ends[1][2];
    expect(Math.sign(up)).toBe(net.turn[i]);
  }
}

describe('nodes between layers', () => {
  test('aligned layers of n² crossings have 2n²: each upper yarn on each lower yarn across it', () => {
    const before = stack(createPatch(7, 5), createPatch(7, 5));
    const net = connect(before, 2);
    expectSound(before, net);
    const between = list(net, ROLE_BETWEEN);
    expect(between.length).toBe(2 * 7 * 5);
    const pairs = new Set(between.map((i) => `${net.yarn[2 * i]} ${net.yarn[2 * i + 1]}`));
    expect(pairs.size).toBe(between.length);
    for (const i of between) expect(net.yarnGroup[net.yarn[2 * i]]).not.toBe(net.yarnGroup[net.yarn[2 * i + 1]]);
  });

  test('turned layers have one wherever yarns cross, in all four combinations, as brute force finds them', () => {
    const before = stack(createPatch(9, 12), createPatch(8, 10, [0.004, 0.003, -0.002], 0.6));
    const net = connect(before, 2);
    expectSound(before, net);
    const combinations = new Set<string>();
    const found = new Set<string>();
    for (const i of list(net, ROLE_BETWEEN)) {
      const [first, second] = [net.yarn[2 * i], net.yarn[2 * i + 1]];
      combinations.add(`${net.yarnGroup[first]}${net.yarnGroup[second]}`);
      found.add(`${first} ${second}`);
    }
    expect([...combinations].sort()).toEqual(['00', '01', '10', '11']);
    // yarns are straight: they cross where both lines do
    const wanted = new Set<string>();
    const end = (yarn: number, u: number) => locate(before, yarn, u);
    for (let a = 0; a < before.yarnLayer.length; a++)
      for (let b = 0; b < before.yarnLayer.length; b++) {
        if (!(before.yarnLayer[a] === 1 && before.yarnLayer[b] === 0)) continue;
        const [p, q, r, s] = [end(a, 0), end(a, before.yarnLength[a]), end(b, 0), end(b, before.yarnLength[b])];
        const [d, e, w] = [
          [q[0] - p[0], q[2] - p[2]],
          [s[0] - r[0], s[2] - r[2]],
          [r[0] - p[0], r[2] - p[2]],
        ];
        const det = d[0] * e[1] - d[1] * e[0];
        const along = (w[0] * e[1] - w[1] * e[0]) / det;
        const across = (w[0] * d[1] - w[1] * d[0]) / det;
        const [endA, endB] = [(0.1 * SPACING) / before.yarnLength[a], (0.1 * SPACING) / before.yarnLength[b]];
        if (along > endA && along < 1 - endA && across > endB && across < 1 - endB) wanted.add(`${a} ${b}`);
      }
    expect(wanted.size).toBeGreaterThan(150);
    expect(found).toEqual(wanted);
  });

  test('nearly parallel yarns have none, and layers out of reach have none', () => {
    const angle = Math.asin(0.19);
    const net = connect(stack(createPatch(20, 20), createPatch(20, 20, [0, 0, 0], angle)), 2);
    for (const i of list(net, ROLE_BETWEEN))
      expect(net.yarnGroup[net.yarn[2 * i]]).not.toBe(net.yarnGroup[net.yarn[2 * i + 1]]);
    expect(list(net, ROLE_BETWEEN).length).toBeGreaterThan(400);
    const wider = connect(stack(createPatch(20, 20), createPatch(20, 20, [0, 0, 0], Math.asin(0.21))), 2);
    expect(
      list(wider, ROLE_BETWEEN).some((i) => net.yarnGroup[wider.yarn[2 * i]] === net.yarnGroup[wider.yarn[2 * i + 1]]),
    ).toBe(true);
    const apart = (gap: number) =>
      list(connect(stack(createPatch(4, 4), createPatch(4, 4, [0, gap, 0])), 2), ROLE_BETWEEN).length;
    expect([apart(2.4 * RADIUS), apart(2.6 * RADIUS)]).toEqual([32, 0]);
  });

  test('a layer hides what is below it: the third lies on the first only beside the second', () => {
    const [wide, half, third] = [createPatch(12, 12), createPatch(6, 12, [-3 * SPACING, 0, 0]), createPatch(12, 12)];
    const before = stack(wide, half, third);
    const net = connect(before, 3);
    expectSound(before, net);
    const count = (upper: number, lower: number) =>
      list(net, ROLE_BETWEEN).filter(
        (i) => net.yarnLayer[net.yarn[2 * i]] === upper && net.yarnLayer[net.yarn[2 * i + 1]] === lower,
      );
    expect(count(1, 0).length).toBe(2 * 72);
    expect(count(2, 1).length).toBe(2 * 72);
    // the second ends at x = 0: its last warp is half a spacing before, and its ends are at 0
    expect(count(2, 0).length).toBe(2 * 60);
    for (const i of count(2, 0)) expect(net.x[3 * i]).toBeGreaterThan(0.75 * SPACING);
  });

  test('leave bent yarns of cloth on a bent cloth no gap at their nodes and no pair twice', () => {
    // both laid on a cylinder about z, the upper one a little further out
    const bend = (net: YarnNet, radius: number): YarnNet => ({
      ...net,
      x: net.x.map((_, i) => {
        const [x, z] = [net.x[i - (i % 3)], net.x[i - (i % 3) + 2]];
        return [radius * Math.sin(x / 0.03), radius * Math.cos(x / 0.03), z][i % 3];
      }),
    });
    const net = connect(stack(bend(createPatch(12, 9), 0.03), bend(createPatch(12, 9), 0.033)), 2);
    expect(list(net, ROLE_BETWEEN).length).toBe(2 * 12 * 9);
  });

  test('are 128,000 for the three tablecloths of the paper with their 96,000 crossings', () => {
    const n = 179;
    const net = connect(stack(createPatch(n, n), createPatch(n, n), createPatch(n, n)), 3);
    expect(list(net, ROLE_CROSSING).length).toBe(3 * n * n);
    expect(list(net, ROLE_BETWEEN).length).toBe(4 * n * n);
  });
});

describe('stitches', () => {
  test('a seam holds the crossings nearest to its line, one a pitch, and other nodes between the layers slide', () => {
    const before = stack(createPatch(11, 11), createPatch(11, 11));
    const line: Vec3[] = [
      [-5 * SPACING, 0, 4.2 * SPACING],
      [5 * SPACING, 0, 4.2 * SPACING],
    ];
    const net = connect(before, 2, [{ points: line }]);
    expectSound(before, net);
    const sewn = list(net, ROLE_STITCH);
    // both pairs of yarns in each of eleven places
    expect(sewn.length).toBe(22);
    for (const i of sewn) expect(net.x[3 * i + 2]).toBeCloseTo(4 * SPACING, 12);
    expect(list(net, ROLE_BETWEEN).length).toBe(2 * 121 - 22);
    const only = connect(before, 2, [{ points: line, pitch: 2 * SPACING }], false);
    expect(list(only, ROLE_STITCH).length).toBe(12);
    expect(list(only, ROLE_BETWEEN).length).toBe(0);
  });

  test('a seam goes on round its corners with the same pitch', () => {
    const net = connect(stack(createPatch(11, 11), createPatch(11, 11)), 2, [
      {
        points: [
          [-5 * SPACING, 0, 0],
          [-5 * SPACING, 0, 3 * SPACING],
          [0, 0, 3 * SPACING],
        ],
        pitch: 2 * SPACING,
      },
    ]);
    const places = list(net, ROLE_STITCH).map((i) => [0, 2].map((k) => Math.round(net.x[3 * i + k] / SPACING)).join());
    expect([...new Set(places)].sort()).toEqual(['-4,3', '-5,0', '-5,2', '-2,3', '0,3'].sort());
  });

  test('a seam beside the cloth is refused with a sentence', () => {
    expect(() => connect(stack(createPatch(3, 3), createPatch(3, 3)), 2, [{ points: [[1, 0, 0]] }])).toThrow(
      /A seam between the layers "cloth" and "cloth" has no crossing/,
    );
  });
});
