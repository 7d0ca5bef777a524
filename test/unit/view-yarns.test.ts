/** Rings of vertices along the yarns of a fabric, as the view draws them. */
import { computeSmoothCurve, computeYarnColours, listYarns } from 'heddle/io';
import type { YarnsFrame } from 'heddle/model';
import { createTwill } from 'heddle/patterns';
import { describe, expect, test } from 'vitest';
import { GrowingGeometry } from '../../studio/src/growing-geometry.ts';
import {
  chooseNodes,
  chooseYarnDetail,
  writeRings,
  type YarnDetail,
  type YarnRings,
} from '../../studio/src/yarn-rings.ts';
import { makeWoven, rollUp } from './yarns-run.ts';

const twill = makeWoven({
  weave: createTwill({ over: 2, under: 2 }),
  warps: 9,
  wefts: 8,
  bend: rollUp(0.04),
  slide: 0.3,
});
const createRings = (): YarnRings => ({ nodes: new Int32Array(0), starts: new Int32Array(0), topology: '' });

function write(
  yarns: YarnsFrame,
  detail: YarnDetail,
  straight = false,
  into = { geometry: new GrowingGeometry(), rings: createRings() },
) {
  const { geometry, rings } = into;
  chooseNodes(yarns, straight, rings);
  writeRings(yarns, yarns.fields.speed, computeYarnColours(yarns), detail, straight, rings, geometry);
  const read = (name: string) => geometry.geometry.getAttribute(name).array as Float32Array;
  const count = geometry.geometry.drawRange.count;
  return { read, into, indices: Array.from((geometry.geometry.index!.array as Uint32Array).subarray(0, count)) };
}

/** Length of the smooth yarns, finely measured. */
const measureYarns = (yarns: YarnsFrame): number =>
  listYarns(yarns).reduce((sum, yarn) => {
    const { x } = computeSmoothCurve(yarn, 40);
    let length = 0;
    for (let i = 3; i < x.length; i += 3)
      length += Math.hypot(x[i] - x[i - 3], x[i + 1] - x[i - 2], x[i + 2] - x[i - 1]);
    return sum + length;
  }, 0);

describe('tubes', () => {
  test('are closed and as large as π r² times their length: triangles look outwards, all round, ends included', () => {
    const detail = { pieces: 8, sides: 24 };
    const { read, indices } = write(twill, detail);
    const p = read('position');
    let volume = 0;
    for (let t = 0; t < indices.length; t += 3) {
      const [a, b, c] = indices.slice(t, t + 3).map((v) => [p[3 * v], p[3 * v + 1], p[3 * v + 2]]);
      volume +=
        (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) /
        6;
    }
    // a polygon of n sides in a circle has ½ n sin(2π/n) r²; by Pappus a bend changes nothing
    const section = 0.5 * 24 * Math.sin((2 * Math.PI) / 24) * 0.003 ** 2;
    expect(volume / (section * measureYarns(twill))).toBeGreaterThan(0.98);
    expect(volume / (section * measureYarns(twill))).toBeLessThan(1.01);
  });

  test('normals look away from the centre line, values and u are linear, paints are those of the yarns', () => {
    const { read, indices } = write(twill, { pieces: 4, sides: 6 });
    const [p, n, m, paint] = ['position', 'normal', 'material', 'paint'].map(read);
    const used = [...new Set(indices)];
    // rings of a yarn: a pole, 4 a segment and one more, a pole
    expect(used.length).toBe(7 * listYarns(twill).reduce((sum, { u }) => sum + 4 * (u.length - 1) + 3, 0));
    for (const v of used) {
      expect(Math.hypot(n[3 * v], n[3 * v + 1], n[3 * v + 2])).toBeCloseTo(1, 5);
      expect(m[3 * v + 1]).toBeCloseTo(m[3 * v], 6);
    }
    // the first ring behind the pole stands round the end of the first warp
    for (let v = 7; v < 14; v++) {
      const away = [0, 1, 2].map((k) => p[3 * v + k] - twill.x[k]);
      expect(Math.hypot(...away)).toBeCloseTo(0.003, 6);
      expect(away[0] * n[3 * v] + away[1] * n[3 * v + 1] + away[2] * n[3 * v + 2]).toBeCloseTo(0.003, 6);
    }
    const colours = computeYarnColours(twill);
    expect([...paint.subarray(0, 3)]).toEqual([...colours.subarray(0, 3)]);
    const last = used.at(-1)!;
    expect([...paint.subarray(3 * last, 3 * last + 3)]).toEqual([...colours.subarray(-3)]);
  });

  test('a frame with other nodes gets other triangles, one with the same keeps them', () => {
    const first = write(twill, { pieces: 2, sides: 4 });
    const { topology } = first.into.rings;
    write({ ...twill, x: twill.x.map((value) => 2 * value) }, { pieces: 2, sides: 4 }, false, first.into);
    expect(first.into.rings.topology).toBe(topology);
    const fewer = makeWoven({ warps: 5, wefts: 4 });
    const { indices } = write(fewer, { pieces: 2, sides: 4 }, false, first.into);
    expect(first.into.rings.topology).not.toBe(topology);
    expect(Math.max(...indices)).toBe(5 * listYarns(fewer).reduce((sum, { u }) => sum + 2 * (u.length - 1) + 3, 0) - 1);
  });
});

test('ribbons stand on the smooth centre lines, with their direction and a width to each side', () => {
  const { read, indices } = write(twill, { pieces: 2, sides: 0 });
  const [p, n, across] = ['position', 'normal', 'across'].map(read);
  const smooth = listYarns(twill).flatMap((yarn) => [...computeSmoothCurve(yarn, 2).x]);
  expect(Math.max(...indices)).toBe((2 * smooth.length) / 3 - 1);
  for (let i = 0; i < smooth.length; i++) {
    const ring = Math.floor(i / 3);
    for (const v of [2 * ring, 2 * ring + 1]) expect(p[3 * v + (i % 3)]).toBeCloseTo(smooth[i], 6);
    expect([across[4 * ring], across[4 * ring + 2]].map((r) => Math.round(r * 1e9))).toEqual([-3e6, 3e6]);
  }
  // at the first end the yarn leaves along its first segment
  const way = [0, 1, 2].map((k) => twill.x[3 + k] - twill.x[k]);
  for (let k = 0; k < 3; k++) expect(n[k]).toBeCloseTo(way[k] / Math.hypot(...way), 5);
});

test('mesh lines show every node and straight segments', () => {
  const { read, indices } = write(twill, { pieces: 2, sides: 0 }, true);
  const p = read('position');
  const yarns = listYarns(twill);
  expect(Math.max(...indices)).toBe(2 * (2 * twill.u.length - yarns.length) - 1);
  // of the first yarn: nodes, and halfway between them
  const [{ x }] = yarns;
  for (let ring = 0; ring <= 2 * (x.length / 3 - 1); ring++)
    for (let k = 0; k < 3; k++) {
      const [i, j] = [Math.floor(ring / 2), Math.ceil(ring / 2)];
      expect(p[6 * ring + k]).toBeCloseTo((x[3 * i + k] + x[3 * j + k]) / 2, 6);
    }
});

test('yarns are drawn the plainer the more segments there are: no more triangles than allowed while there is a plainer way', () => {
  let before = Number.POSITIVE_INFINITY;
  for (const segments of [10, 100, 1000, 1600, 3000, 8000, 12_000, 24_000, 40_000, 460_000]) {
    const { pieces, sides } = chooseYarnDetail(segments, 48_000);
    const each = 2 * pieces * Math.max(1, sides);
    expect(each).toBeLessThanOrEqual(before);
    if (segments <= 24_000) expect(each * segments).toBeLessThanOrEqual(48_000);
    else expect({ pieces, sides }).toEqual({ pieces: 1, sides: 0 });
    before = each;
  }
});
