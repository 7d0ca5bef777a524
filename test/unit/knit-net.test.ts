/** The net of yarns of a knit: who crosses whom, which lies on top, how long yarn is, how near centre lines come. */
import { ROLE_CROSSING, ROLE_POINT, type YarnNet } from 'heddle/fabric';
import { computeLinkingNumber, computePolylineDistance, computeSelfClearance, measureAlong } from 'heddle/geometry';
import {
  addBorder,
  createGarter,
  createHeelStitch,
  createJacquard,
  createKnit,
  createKnitCurves,
  createKnitNet,
  createLinenStitch,
  createRib,
  createSeed,
  createSlipHoneycomb,
  createStockinette,
  type Knit,
  type KnitCurve,
  type KnitYarnsOptions,
  repeatKnit,
  turnOver,
} from 'heddle/patterns';
import { expect, test } from 'vitest';

/** The tightest knit of round yarns: w = 8r, c = 7r. */
const RADIUS = 1e-4;
const SPACING = { wale: 8e-4, course: 7e-4 };

const place = (knit: Knit): KnitYarnsOptions => ({ knit, spacing: SPACING, radius: RADIUS });
const piece = (knit: Knit, courses = 6, wales = 6): Knit => addBorder(repeatKnit(knit, { courses, wales }));

const KNITS: Readonly<Record<string, Knit>> = {
  stockinette: piece(createStockinette()),
  garter: piece(createGarter()),
  'rib 1 × 1': piece(createRib({ knit: 1, purl: 1 })),
  'rib 3 × 2': piece(createRib({ knit: 3, purl: 2 })),
  seed: piece(createSeed()),
  linen: piece(createLinenStitch()),
  heel: piece(createHeelStitch()),
  honeycomb: piece(createSlipHoneycomb({ width: 3, height: 2 })),
  'held to the top': addBorder(createKnit(['sks', 'skk', 'kpf']), { above: 0 }),
  'jacquard of two': piece(createJacquard(['0110', '1001', '1100'])),
  'slips of two': addBorder(createKnit(['kfkk', 'ksks'], { carriers: ['0110', '1100'] })),
  'jacquard of three': piece(createJacquard(['012', '120', '201'])),
};
const named = Object.entries(KNITS);

/** Nodes of each yarn in order along it, each with its side. */
function listYarns({ yarn, u, yarnLength }: YarnNet): { node: number; side: number }[][] {
  const yarns: { node: number; side: number }[][] = Array.from(yarnLength, () => []);
  for (let k = 0; k < yarn.length; k++) if (yarn[k] >= 0) yarns[yarn[k]].push({ node: k >> 1, side: k & 1 });
  for (const nodes of yarns) nodes.sort((a, b) => u[2 * a.node + a.side] - u[2 * b.node + b.side]);
  return yarns;
}

/** O where a yarn is over, U where it is under, in order along it. */
const listOver = (net: YarnNet, yarn: number): string =>
  listYarns(net)
    [yarn].filter(({ node }) => net.role[node] === ROLE_CROSSING)
    .map(({ node, side }) => (net.over[node] === (side === 0 ? 1 : -1) ? 'O' : 'U'))
    .join('');

test.each(named)(
  'each stitch of %s has four crossings, each float past a wale two, each edge two per wale',
  (_, knit) => {
    const net = createKnitNet(place(knit));
    const { courses, wales, stitches, carriers } = knit;
    let [stitchCount, floats, yarns] = [0, 0, 2];
    for (let j = 0; j < courses; j++) {
      const present = new Set(carriers.subarray(j * wales, (j + 1) * wales)).size;
      yarns += present;
      for (let i = 0; i < wales; i++) {
        const isLoop = stitches[j * wales + i] < 2;
        if (isLoop && j > 0) stitchCount++;
        floats += isLoop ? present - 1 : present;
      }
    }
    const crossings = 4 * stitchCount + 2 * floats + 4 * wales;
    expect(net.yarnLength).toHaveLength(yarns);
    expect(net.role.filter((role) => role === ROLE_CROSSING)).toHaveLength(crossings);
    expect(net.role).toHaveLength(crossings + 2 * yarns);
    expect(net.wraps).toHaveLength(4 * stitchCount);
  },
);

test.each(named)('the coordinates of %s grow along each yarn from one end to the other', (_, knit) => {
  const net = createKnitNet(place(knit));
  for (const [y, nodes] of listYarns(net).entries()) {
    const u = nodes.map(({ node, side }) => net.u[2 * node + side]);
    expect(nodes.length).toBeGreaterThan(2);
    expect([u[0], u[u.length - 1]]).toEqual([0, net.yarnLength[y]]);
    for (let k = 1; k < u.length; k++) expect(u[k] - u[k - 1]).toBeGreaterThan(0.1 * RADIUS);
    for (const [k, { node }] of nodes.entries())
      expect(net.role[node]).toBe(k === 0 || k === nodes.length - 1 ? ROLE_POINT : ROLE_CROSSING);
  }
});

test.each(named)('the two yarns of a wrap in %s are neighbours on both, and wind round each other', (_, knit) => {
  const net = createKnitNet(place(knit));
  const at = new Map<number, number>();
  for (const nodes of listYarns(net)) for (const [k, { node, side }] of nodes.entries()) at.set(2 * node + side, k);
  for (let k = 0; k < net.wraps.length; k += 2) {
    const [a, b] = net.wraps.subarray(k, k + 2);
    for (const side of [0, 1]) {
      expect(net.yarn[2 * a + side]).toBe(net.yarn[2 * b + side]);
      expect((at.get(2 * b + side) as number) - (at.get(2 * a + side) as number)).toBe(1);
    }
    // over and under change places, and so does the turn: half a winding at each, the same way round
    expect([net.over[a], net.turn[a]]).toEqual([-net.over[b], -net.turn[b]]);
  }
});

test('along a course of stockinette a yarn goes under and over in pairs, eight crossings a stitch', () => {
  const net = createKnitNet(place(repeatKnit(createStockinette(), { courses: 5, wales: 3 })));
  // yarn 0 casts on, yarn 1 is the first course, yarn 6 binds off
  expect(listOver(net, 3)).toBe('UOOUUOOU'.repeat(3));
  // by the cast-on yarn at both legs, by the next course at the head
  expect(listOver(net, 1)).toBe('OOUUOU'.repeat(3));
  expect(listOver(net, 5)).toBe('UOOUOU'.repeat(3));
  expect(listOver(net, 0)).toBe('UO'.repeat(3));
  expect(listOver(net, 6)).toBe('UO'.repeat(3));
});

test('in a purl stitch all is the other way round; rib has wales of either, seed changes at every stitch', () => {
  const course = (knit: Knit): string => listOver(createKnitNet(place(repeatKnit(knit, { courses: 5, wales: 4 }))), 3);
  // feet and legs are of the loop itself, the four in the middle of the one drawn through it
  const [knit, purl] = ['UOOUUOOU', 'OUUOOUUO'];
  expect(course(createKnit(['p']))).toBe(purl.repeat(4));
  expect(course(createRib({ knit: 1, purl: 1 }))).toBe((knit + purl).repeat(2));
  // course 2 of garter is knit, with purl above it
  expect(course(createGarter())).toBe('UOUOOUOU'.repeat(4));
  expect(course(createSeed())).toBe('UOUOOUOUOUOUUOUO'.repeat(2));
});

test('a slipped stitch has no crossing of its own: the float passes both legs of the loop that is held', () => {
  const knit = createKnit(['kkk', 'ksk', 'kkk']);
  const net = createKnitNet(place(knit));
  expect(listOver(net, 2)).toBe('UOOUUOOU' + 'UU' + 'UOOUUOOU');
  // the loop that is held lies over the float between its own crossings
  expect(listOver(net, 1)).toBe('OOUUOU' + 'OOOUUOOU' + 'OOUUOU');
  const front = createKnitNet(place(createKnit(['kkk', 'kfk', 'kkk'])));
  expect(listOver(front, 2)).toBe('UOOUUOOU' + 'OO' + 'UOOUUOOU');
  expect(listOver(front, 1)).toBe('OOUUOU' + 'OUOUUOUU' + 'OOUUOU');
});

test('in jacquard the yarn that does not knit floats behind, below or above the one that does', () => {
  const knit = createKnit(['kk', 'kk', 'kk'], { carriers: ['0', '01', '0'] });
  const net = createKnitNet(place(knit));
  // yarns: cast-on, course 0, course 1 carrier 0 and 1, course 2, bind-off
  expect(Array.from(net.yarnGroup)).toEqual([0, 0, 0, 1, 0, 0]);
  expect(listOver(net, 2)).toBe('UOO' + 'OUUO' + 'OOU' + 'UU');
  expect(listOver(net, 3)).toBe('UU' + 'UOOUUOOU');
  const crossed = (yarn: number): number[] =>
    listYarns(net)
      [yarn].map(({ node, side }) => net.yarn[2 * node + 1 - side])
      .filter((other) => other >= 0);
  // carrier 1 floats past the legs of carrier 0's loop, carrier 0 past those of the loop that carrier 1 draws its own through
  expect(crossed(2)).toEqual([1, 1, 3, 4, 4, 4, 4, 3, 1, 1, 1, 1]);
  expect(crossed(3)).toEqual([2, 2, 1, 1, 4, 4, 4, 4, 1, 1]);
});

test.each(named.filter(([name]) => !/jacquard|of two/.test(name)))(
  'the piece %s seen from the back is the piece that was turned over',
  (_, knit) => {
    const [net, turned] = [createKnitNet(place(knit)), createKnitNet(place(turnOver(knit)))];
    // turned about a vertical line: x and y change sign, yarns run the other way, top is bottom
    const key = (x: number, z: number, a: number, b: number): string =>
      `${[x, z].map((value) => Math.round(value / 1e-9)).join()}:${a},${b}`;
    const seen = new Map<string, number>();
    const isEdge = (y: number): boolean => y === 0 || y === net.yarnLength.length - 1;
    for (let n = 0; n < net.role.length; n++)
      seen.set(key(-net.x[3 * n], net.x[3 * n + 2], net.yarn[2 * n], net.yarn[2 * n + 1]), n);
    expect(seen.size).toBe(net.role.length);
    for (let n = 0; n < net.role.length; n++) {
      const [a, b] = turned.yarn.subarray(2 * n, 2 * n + 2);
      const m = seen.get(key(turned.x[3 * n], turned.x[3 * n + 2], a, b)) as number;
      expect(m).toBeDefined();
      // edges are worked from the face, and go under left legs and over right ones on either side
      if (!isEdge(a)) expect(turned.over[n] + net.over[m]).toBe(0);
      if (b >= 0) expect(turned.turn[n] + net.turn[m]).toBe(0);
      expect(turned.u[2 * n] / net.yarnLength[a]).toBeCloseTo(1 - net.u[2 * m] / net.yarnLength[a], 2);
    }
  },
);

/** Places where two polylines cross, seen from above along a direction that is nearly y: segments and parts of both. */
function listCrossings(a: Float64Array, b: Float64Array): { i: number; j: number; s: number; t: number }[] {
  const flat = (p: Float64Array, k: number): [number, number] => [
    p[3 * k] + 0.0137 * p[3 * k + 1],
    -p[3 * k + 2] + 0.0071 * p[3 * k + 1],
  ];
  const found = [];
  for (let i = 0; i + 1 < a.length / 3; i++) {
    const [p, q] = [flat(a, i), flat(a, i + 1)];
    for (let j = 0; j + 1 < b.length / 3; j++) {
      const [v, w] = [flat(b, j), flat(b, j + 1)];
      const det = (q[0] - p[0]) * (w[1] - v[1]) - (q[1] - p[1]) * (w[0] - v[0]);
      const s = ((v[0] - p[0]) * (w[1] - v[1]) - (v[1] - p[1]) * (w[0] - v[0])) / det;
      const t = ((v[0] - p[0]) * (q[1] - p[1]) - (v[1] - p[1]) * (q[0] - p[0])) / det;
      if (s >= 0 && s < 1 && t >= 0 && t < 1) found.push({ i, j, s, t });
    }
  }
  return found;
}

test.each(named)('the centre lines of %s cross where the net says, as often, as high and as turned', (_, knit) => {
  const net = createKnitNet(place(knit));
  const curves = createKnitCurves(place(knit));
  expect(curves).toHaveLength(net.yarnLength.length);
  const nodes = new Map<string, number[]>();
  for (let n = 0; n < net.role.length; n++) {
    if (net.role[n] !== ROLE_CROSSING) continue;
    const [a, b] = net.yarn.subarray(2 * n, 2 * n + 2);
    expect(a).not.toBe(b);
    const key = `${Math.min(a, b)},${Math.max(a, b)}`;
    nodes.set(key, [...(nodes.get(key) ?? []), n]);
  }
  for (let a = 0; a < curves.length; a++)
    for (let b = a + 1; b < curves.length; b++) {
      const [p, q] = [curves[a].points, curves[b].points];
      const crossings = listCrossings(p, q);
      const met = nodes.get(`${a},${b}`) ?? [];
      expect([a, b, crossings.length]).toEqual([a, b, met.length]);
      const free = new Set(met);
      for (const { i, j, s, t } of crossings) {
        const at = (c: Float64Array, k: number, part: number, d: number): number =>
          c[3 * k + d] + part * (c[3 * k + 3 + d] - c[3 * k + d]);
        const distance = (n: number): number =>
          Math.hypot(at(p, i, s, 0) - net.x[3 * n], at(p, i, s, 2) - net.x[3 * n + 2]);
        const nearest = [...free].reduce((best, n) => (distance(n) < distance(best) ? n : best));
        free.delete(nearest);
        expect(distance(nearest)).toBeLessThan(0.3 * RADIUS);
        const sign = net.yarn[2 * nearest] === a ? 1 : -1;
        expect(Math.sign(at(p, i, s, 1) - at(q, j, t, 1)) * sign).toBe(net.over[nearest]);
        // x is to the right, −z up
        const [dx, dz] = [p[3 * i + 3] - p[3 * i], p[3 * i + 5] - p[3 * i + 2]];
        const [ex, ez] = [q[3 * j + 3] - q[3 * j], q[3 * j + 5] - q[3 * j + 2]];
        expect(Math.sign(dx * -ez + dz * ex) * sign).toBe(net.turn[nearest]);
        // the node lies midway between them
        expect(net.x[3 * nearest + 1]).toBeCloseTo((at(p, i, s, 1) + at(q, j, t, 1)) / 2, 5);
      }
    }
  for (const { points } of curves) expect(countSelfCrossings(points)).toBe(0);
});

/** Crossings of a yarn with itself, seen from above. */
const countSelfCrossings = (points: Float64Array): number =>
  listCrossings(points, points).filter(({ i, j, s, t }) => Math.abs(i + s - j - t) > 1.5).length;

/** A part of a curve, closed far behind (−1) or before (1) the cloth. */
function closeCurve(points: Float64Array, from: number, to: number, side: 1 | -1): Float64Array {
  const part = points.subarray(3 * from, 3 * (to + 1));
  const far = 100 * SPACING.wale * side;
  const n = part.length;
  return Float64Array.from([...part, part[n - 3], far, part[n - 1], part[0], far, part[2]]);
}

/** Linking number of a part of one curve with a part of another, the first closed behind the cloth and the second before it. */
const link = (a: KnitCurve, aFrom: number, aTo: number, b: KnitCurve, bFrom: number, bTo: number): number =>
  computeLinkingNumber(closeCurve(a.points, aFrom, aTo, -1), closeCurve(b.points, bFrom, bTo, 1));

test('half a loop winds round the loop below, to the left in knit and to the right in purl; a whole loop can be drawn out of it', () => {
  const segments = 4;
  for (const [letter, sign] of [
    ['k', -1],
    ['p', 1],
  ] as const) {
    const curves = createKnitCurves({ ...place(repeatKnit(createKnit([letter]), { courses: 4, wales: 3 })), segments });
    // a tail, then ten stretches a loop, of which five go up
    const [start, half] = [segments * 11, segments * 5];
    const [lower, upper] = [curves[2], curves[3]];
    const whole = lower.points.length / 3 - 1;
    expect(link(upper, start, start + half, lower, 0, whole)).toBe(sign);
    expect(link(upper, start + half, start + 2 * half, lower, 0, whole)).toBe(-sign);
    expect(link(upper, start, start + 2 * half, lower, 0, whole)).toBe(0);
    // two courses apart nothing is linked
    expect(link(curves[4], start, start + half, lower, 0, whole)).toBe(0);
  }
});

test('the yarns that cast on and bind off are linked with every loop of their course: it cannot be drawn out', () => {
  const segments = 4;
  const curves = createKnitCurves({ ...place(repeatKnit(createSeed(), { courses: 3, wales: 4 })), segments });
  for (let wale = 0; wale < 4; wale++) {
    const start = segments * (1 + 10 * wale);
    const [castOn, first, last, bindOff] = [curves[0], curves[1], curves[3], curves[4]];
    expect(link(last, start, start + 10 * segments, bindOff, 0, bindOff.points.length / 3 - 1)).not.toBe(0);
    // feet of the first course: from head to head
    if (wale < 3)
      expect(
        link(first, start + 5 * segments, start + 15 * segments, castOn, 0, castOn.points.length / 3 - 1),
      ).not.toBe(0);
  }
});

test.each(named.filter(([name]) => !/three|slips of two/.test(name)))('round yarns have room in %s', (name, knit) => {
  const curves = createKnitCurves({ ...place(knit), segments: 6 });
  let nearest = Number.POSITIVE_INFINITY;
  for (const [a, { points }] of curves.entries()) {
    nearest = Math.min(nearest, computeSelfClearance(points, { neighbours: 6 * RADIUS }));
    for (const other of curves.slice(a + 1)) nearest = Math.min(nearest, computePolylineDistance(points, other.points));
  }
  // measured, rounded down: feet between knit and purl, and floats that come to the face, leave the least
  const least = /rib|seed/.test(name) ? 1.48 : /linen|held/.test(name) ? 1.4 : 1.59;
  expect(nearest / RADIUS).toBeGreaterThan(least);
  expect(nearest / RADIUS).toBeLessThan(2);
});

test('material coordinates are lengths of the centre lines, times the tightness', () => {
  for (const knit of [KNITS.honeycomb, KNITS['jacquard of two'], KNITS.seed]) {
    const net = createKnitNet(place(knit));
    const tight = createKnitNet({ ...place(knit), tightness: 0.8 });
    const curves = createKnitCurves({ ...place(knit), segments: 100 });
    for (const [y, { points }] of curves.entries()) {
      const along = measureAlong(points);
      expect(net.yarnLength[y] / along[along.length - 1]).toBeCloseTo(1, 4);
      expect(tight.yarnLength[y] / net.yarnLength[y]).toBeCloseTo(0.8, 12);
    }
    expect(tight.x).toEqual(net.x);
  }
});

test('straight lengths start a knit without stretch, tight ones stretched evenly; places stay', () => {
  for (const knit of [KNITS.stockinette, KNITS.linen, KNITS['jacquard of two']]) {
    const curved = createKnitNet(place(knit));
    const net = createKnitNet({ ...place(knit), lengths: 'straight', tightness: 0.8 });
    expect(net.x).toEqual(curved.x);
    let [straight, along] = [0, 0];
    for (const [y, nodes] of listYarns(net).entries()) {
      for (const [k, { node, side }] of nodes.entries()) {
        if (k === 0) continue;
        const before = nodes[k - 1];
        const chord = Math.hypot(...[0, 1, 2].map((d) => net.x[3 * node + d] - net.x[3 * before.node + d]));
        const rest = net.u[2 * node + side] - net.u[2 * before.node + before.side];
        expect(rest / chord).toBeCloseTo(0.8, 9);
        straight += chord;
      }
      along += curved.yarnLength[y];
    }
    expect(straight / along).toBeLessThan(0.93);
  }
  const short = createKnitNet({ ...place(KNITS.heel), lengths: 'straight', floatLength: 0.5 });
  expect(short.yarnLength[2]).toBeLessThan(createKnitNet({ ...place(KNITS.heel), lengths: 'straight' }).yarnLength[2]);
});

test('a stitch of jersey has the 33.3 radii of yarn of Peirce’s loop, to 2 %', () => {
  // w = 8r, c = 2√3 · 2r, 16.66 diameters of yarn
  const knit = repeatKnit(createStockinette(), { courses: 5, wales: 20 });
  const spacing = { wale: 8, course: 4 * Math.sqrt(3) };
  const net = createKnitNet({ knit, spacing, radius: 1, margin: 1 });
  const stitch = (net.yarnLength[3] - 2) / 20;
  expect(Math.abs(stitch / 33.32 - 1)).toBeLessThan(0.02);
});

test('floats and held legs have lengths at rest of their own', () => {
  const knit = addBorder(createKnit(['kkk', 'ksk', 'kkk']));
  const [net, short, held] = [{}, { floatLength: 0.5 }, { heldLength: 0.5 }].map((lengths) =>
    createKnitNet({ ...place(knit), ...lengths }),
  );
  // yarns: cast-on, border, course 0, 1 (floats at wale 1), 2, border, bind-off
  const changed = (other: YarnNet): number[] =>
    Array.from(net.yarnLength, (length, y) => (other.yarnLength[y] < length ? y : -1)).filter((y) => y >= 0);
  expect(changed(short)).toEqual([3]);
  expect(net.yarnLength[3] - short.yarnLength[3]).toBeCloseTo(0.5 * SPACING.wale, 5);
  expect(changed(held)).toEqual([2]);
  // two legs, each longer by a course
  expect(held.yarnLength[2]).toBeLessThan(net.yarnLength[2] - SPACING.course);
});

test('carriers have their materials; ends reach beyond the outermost gaps by the margin', () => {
  const net = createKnitNet({ ...place(KNITS['jacquard of two']), materials: [2, 5], margin: 1e-3 });
  expect(Array.from(net.yarnMaterial)).toEqual(Array.from(net.yarnGroup, (group) => (group === 0 ? 2 : 5)));
  const xs = Array.from({ length: net.role.length }, (_, n) => net.x[3 * n]);
  expect(Math.max(...xs)).toBeCloseTo(3 * SPACING.wale + 1e-3, 12);
  expect(Math.min(...xs)).toBeCloseTo(-3 * SPACING.wale - 1e-3, 12);
});

test('knits that round yarns have no room for are refused with the spacing they need', () => {
  const knit = createStockinette();
  const create = (wale: number, course: number, radius: number) => () =>
    createKnitNet({ knit, spacing: { wale, course }, radius });
  expect(create(7.9, 7, 1)).toThrow(/spacing.wale is 7.9 m; loops of round yarns of radius 1 m need 8 m/);
  expect(create(8, 4.9, 1)).toThrow(/spacing.course is 4.9 m; .* need 5 m/);
  expect(create(8, 5, 0)).toThrow(/radius is 0/);
  expect(() => createKnitNet({ ...place(createKnit(['s'])), tightness: 1 })).toThrow(/the first course slips/);
  expect(() => createKnitNet({ ...place(knit), tightness: -1 })).toThrow(/tightness is -1/);
});

test('57,600 stitches are a net of 230,884 nodes', () => {
  const net = createKnitNet(place(repeatKnit(createStockinette(), { courses: 240, wales: 240 })));
  // 239 · 240 stitches of four, two edges of 480, 242 yarns
  expect(net.role).toHaveLength(4 * 239 * 240 + 960 + 484);
  expect(net.x.every(Number.isFinite)).toBe(true);
});
