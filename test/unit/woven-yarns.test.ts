/** Flat woven cloth: places and material coordinates of crossings, lengths by Peirce's geometry, refusals. */
import {
  createBasketWeave,
  createPlainWeave,
  createSatin,
  createTwill,
  createWovenYarns,
  exchangeWarpAndWeft,
  type WovenYarnsOptions,
} from 'heddle/patterns';
import { expect, test } from 'vitest';

const CLOTH: WovenYarnsOptions = {
  weave: createTwill({ over: 3, under: 1 }),
  warps: 6,
  wefts: 5,
  spacing: { warp: 0.9e-3, weft: 1.1e-3 },
  radius: { warp: 0.2e-3, weft: 0.25e-3 },
  warpShare: 0.35,
};

/** l by bisection of θ in Peirce's equations p = (l − Dθ) cos θ + D sin θ, h = (l − Dθ) sin θ + D (1 − cos θ). */
function solvePeirce(p: number, D: number, h: number): number {
  let [low, high] = [0, Math.PI / 2];
  for (let k = 0; k < 200; k++) {
    const angle = (low + high) / 2;
    const straight = (p - D * Math.sin(angle)) / Math.cos(angle);
    if (straight * Math.sin(angle) + D * (1 - Math.cos(angle)) < h) low = angle;
    else high = angle;
  }
  return (p - D * Math.sin(low)) / Math.cos(low) + D * low;
}

test('a yarn that changes sides has the length of Peirce’s geometry, a float the length of the cloth', () => {
  const yarns = createWovenYarns(CLOTH);
  const { spacing, radius } = CLOTH;
  const D = 2 * (radius.warp + radius.weft);
  const warp = solvePeirce(spacing.weft, D, 0.35 * D);
  const weft = solvePeirce(spacing.warp, D, 0.65 * D);
  expect(warp / spacing.weft).toBeGreaterThan(1.02);
  expect(weft / spacing.warp).toBeGreaterThan(1.1);
  let changes = 0;
  for (let j = 0; j < 5; j++)
    for (let i = 0; i < 6; i++) {
      const c = 6 * j + i;
      if (j > 0) {
        const isChange = yarns.over[c] !== yarns.over[c - 6];
        expect(yarns.u[c] - yarns.u[c - 6]).toBeCloseTo(isChange ? warp : spacing.weft, 14);
        if (isChange) changes++;
      }
      if (i > 0)
        expect(yarns.v[c] - yarns.v[c - 1]).toBeCloseTo(yarns.over[c] === yarns.over[c - 1] ? spacing.warp : weft, 14);
    }
  expect(changes).toBeGreaterThan(8);
  // centre lines at a crossing are a radius of each apart
  expect(yarns.height.warp + yarns.height.weft).toBeCloseTo(radius.warp + radius.weft, 16);
  expect(yarns.height.warp).toBeCloseTo((0.35 * D) / 2, 16);
});

test('straight yarns have no crimp; a jammed plain cloth of equal yarns is √3 diameters wide and has the crimp 2π/3√3 − 1', () => {
  const plain = { ...CLOTH, weave: createPlainWeave(), warpShare: 0 };
  const straight = createWovenYarns({ ...plain, spacing: { warp: 2e-3, weft: 2e-3 } });
  expect(straight.u[6] - straight.u[0]).toBeCloseTo(2e-3, 17);
  // D = 4r, h = D/2, so that t = 0 at p = √3 D/2 and θ = 60°
  const r = 1e-4;
  const p = 2 * Math.sqrt(3) * r;
  const equal = { ...CLOTH, weave: createPlainWeave(), warpShare: 0.5, radius: { warp: r, weft: r } };
  const jammed = createWovenYarns({ ...equal, spacing: { warp: p, weft: p } });
  expect((jammed.u[6] - jammed.u[0]) / p).toBeCloseTo((2 * Math.PI) / (3 * Math.sqrt(3)), 6);
  expect(() => createWovenYarns({ ...equal, spacing: { warp: 0.999 * p, weft: p } })).toThrow(
    /the weft cannot change sides between crossings .* Widen the spacing, use thinner yarns/,
  );
});

test('crossings lie where their yarns cross, from end to end, and a given crimp is the crimp of the cloth', () => {
  const yarns = createWovenYarns({ ...CLOTH, crimp: { warp: 0.08, weft: 0.03 }, margin: 2e-3 });
  const { x, u, v, warpEnds, weftEnds, warpLengths, weftLengths } = yarns;
  expect([...x.subarray(0, 3)]).toEqual([-2.5 * 0.9e-3, 0, 2 * 1.1e-3]);
  for (let c = 0; c < 30; c++) {
    const [i, j] = [c % 6, Math.floor(c / 6)];
    // on the line between the ends of both yarns, in the order of u and v
    expect(x[3 * c]).toBeCloseTo(warpEnds[6 * i], 17);
    expect(x[3 * c + 2]).toBeCloseTo(weftEnds[6 * j + 2], 17);
    expect(u[c]).toBeCloseTo(2e-3 + (warpEnds[6 * i + 2] - 2e-3 - x[3 * c + 2]) * 1.08, 15);
    expect(v[c]).toBeCloseTo(2e-3 + (x[3 * c] - weftEnds[6 * j] - 2e-3) * 1.03, 15);
  }
  for (const length of warpLengths) expect(length).toBeCloseTo(4e-3 + 4 * 1.1e-3 * 1.08, 15);
  for (const length of weftLengths) expect(length).toBeCloseTo(4e-3 + 5 * 0.9e-3 * 1.03, 15);
  for (let k = 0; k < 6; k++) expect(warpEnds[6 * k + 2] - warpEnds[6 * k + 5]).toBeCloseTo(4e-3 + 4 * 1.1e-3, 15);
  for (let k = 0; k < 5; k++) expect(weftEnds[6 * k + 3] - weftEnds[6 * k]).toBeCloseTo(4e-3 + 5 * 0.9e-3, 15);
});

test('a cloth with warp and weft exchanged has u and v, and sides, exchanged', () => {
  for (const weave of [
    createTwill({ over: 2, under: 1 }),
    createSatin({ ends: 5, counter: 2 }),
    createBasketWeave({ ends: 2, picks: 1 }),
  ]) {
    const own = createWovenYarns({ ...CLOTH, weave });
    const other = createWovenYarns({
      weave: exchangeWarpAndWeft(weave),
      warps: 5,
      wefts: 6,
      spacing: { warp: 1.1e-3, weft: 0.9e-3 },
      radius: { warp: 0.25e-3, weft: 0.2e-3 },
      warpShare: 0.65,
    });
    for (let j = 0; j < 5; j++)
      for (let i = 0; i < 6; i++) {
        const [c, d] = [6 * j + i, 5 * i + j];
        expect(other.over[d]).toBe(1 - own.over[c]);
        expect(other.u[d]).toBeCloseTo(own.v[c], 15);
        expect(other.v[d]).toBeCloseTo(own.u[c], 15);
      }
    expect([...other.warpLengths].map((l) => l.toFixed(12))).toEqual([...own.weftLengths].map((l) => l.toFixed(12)));
  }
});

test('parameters that make no cloth are refused', () => {
  expect(() => createWovenYarns({ ...CLOTH, warps: 0 })).toThrow('warps is 0; give a whole number, 1 or more.');
  expect(() => createWovenYarns({ ...CLOTH, warps: 2.5 })).toThrow('warps is 2.5');
  expect(() => createWovenYarns({ ...CLOTH, spacing: { warp: Number.NaN, weft: 1 } })).toThrow('spacing.warp is NaN');
  expect(() => createWovenYarns({ ...CLOTH, radius: { warp: 1e-4, weft: -1 } })).toThrow('radius.weft is -1');
  expect(() => createWovenYarns({ ...CLOTH, radius: { warp: 5e-4, weft: 1e-4 } })).toThrow('side by side need 0.001');
  expect(() => createWovenYarns({ ...CLOTH, crimp: { warp: 0, weft: -0.1 } })).toThrow('crimp.weft is -0.1');
  expect(() => createWovenYarns({ ...CLOTH, warpShare: 1.2 })).toThrow('warpShare is 1.2');
  expect(() => createWovenYarns({ ...CLOTH, margin: 0 })).toThrow('margin is 0');
});
