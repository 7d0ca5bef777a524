/** Contacts of curves: what rows they give, between which places, and that runs go on from saved states with the same bits. */
import { CurveChain, CurveContacts, type TouchingCurve } from 'heddle/curve';
import { ChainBoxes } from 'heddle/geometry';
import { createRandom } from 'heddle/math';
import {
  CANCEL_POSITION,
  CANCEL_U,
  CANCEL_Z,
  ConstraintRows,
  type Stage,
  StateReader,
  StateWriter,
} from 'heddle/model';
import { describe, expect, test } from 'vitest';
import { CurveSearch } from '../../src/curve/curve-search.ts';
import { CurveSide } from '../../src/curve/curve-side.ts';
import { createCurveWorld, strand, type Vector } from '../laws/curve-scenes.ts';

const R = 0.01;
const STAGE: Stage = {
  h: 0.01,
  time: 0.01,
  start: 0,
  step: 0.01,
  full: 0.01,
  order: 1,
  rows: 0,
  isHeap: false,
  linearized: true,
};

/** A chain of nodes with seven unknowns each that moves as it is told. */
class Curve implements TouchingCurve {
  readonly id: string;
  readonly chain: CurveChain;
  readonly stride = 7;
  readonly radius = R;
  readonly friction: number;
  readonly inserted: number[] = [];
  readonly pushes = new Map<number, Vector>();

  constructor(id: string, points: readonly Vector[], { period = 0, friction = 0 } = {}) {
    this.id = id;
    this.friction = friction;
    const material = { linearDensity: 1, stretchStiffness: 1, bendingStiffness: 0, radius: R };
    const chain = new CurveChain(material, points.length + 2, period);
    let u = 0;
    points.forEach((x, i) => {
      if (i > 0) u += Math.hypot(...x.map((c, k) => c - points[i - 1][k]));
      chain.q.set([...x, u], 4 * i);
      chain.label[i] = 100 - i;
      chain.cancelled[i] = CANCEL_U;
    });
    chain.count = points.length;
    if (period > 0) chain.closeAt(0);
    chain.beginStep();
    this.chain = chain;
  }

  addContactForce(i: number, ...f: Vector): void {
    const sum = this.pushes.get(i) ?? [0, 0, 0];
    this.pushes.set(i, [sum[0] + f[0], sum[1] + f[1], sum[2] + f[2]]);
  }

  clearContactForces(): void {
    this.pushes.clear();
  }

  indexOf(label: number): number {
    return this.chain.label.indexOf(label);
  }

  insertNode(u: number): number {
    this.inserted.push(u);
    return 0;
  }

  setSliding(): void {}

  hold(bits: number): this {
    for (let i = 0; i < this.chain.count; i++) this.chain.cancelled[i] |= bits;
    return this;
  }
}

function touch(curves: readonly Curve[], { self = false, insertsNodes = false } = {}) {
  const contacts = new CurveContacts(
    curves.map((curve, part) => ({ curve, part: 3 + part })),
    { self, insertsNodes },
  );
  const rows = new ConstraintRows();
  contacts.beginStep();
  contacts.addRows(rows, STAGE);
  return { contacts, rows };
}

/** Solves nothing: every row has that impulse, and things stay where they are. */
function press(contacts: CurveContacts, rows: ConstraintRows, impulse: number): void {
  rows.multiplier.fill(impulse, 0, rows.count);
  contacts.clearForces();
  contacts.takeMultipliers(rows, STAGE);
}

const listEntries = (rows: ConstraintRows, row: number) =>
  Array.from({ length: rows.start[row + 1] - rows.start[row] }, (_, n) => {
    const e = rows.start[row] + n;
    return [rows.part[e], rows.coordinate[e], rows.value[e]] as const;
  });

const readEntry = (rows: ConstraintRows, row: number, part: number, coordinate: number): number | undefined =>
  listEntries(rows, row).find((entry) => entry[0] === part && entry[1] === coordinate)?.[2];

describe('two crossing segments', () => {
  /** The second is below, its material runs along −x through the nodes at 0.3 m/s while the nodes stand; u at its first node is free. */
  function cross() {
    const a = new Curve(
      'a',
      [
        [0.1, 0.019, -0.1],
        [0.1, 0.019, 0.3],
      ],
      { friction: 0.8 },
    );
    const b = new Curve(
      'b',
      [
        [0, 0, 0],
        [0.4, 0, 0],
      ],
      { friction: 0.2 },
    );
    b.chain.cancelled[0] = CANCEL_Z;
    b.chain.v[3] = b.chain.v[7] = 0.3;
    return { a, b };
  }

  test('get n·Σ w ẋ ≥ (keep − gap)/h, brought apart by at most 2 % of what they keep', () => {
    const { a, b } = cross();
    const { rows } = touch([a, b]);
    expect(rows.count).toBe(1);
    expect([rows.lower[0], rows.upper[0]]).toEqual([0, Number.POSITIVE_INFINITY]);
    expect(rows.residual[0]).toBeCloseTo((0.02 * 2 * R) / STAGE.h, 12);
    const along = listEntries(rows, 0).filter(([, c]) => c % 7 === 1);
    for (const [n, [part, coordinate, value]] of [
      [3, 1, 0.75],
      [3, 8, 0.25],
      [4, 1, -0.75],
      [4, 8, -0.25],
    ].entries()) {
      expect(along[n].slice(0, 2)).toEqual([part, coordinate]);
      expect(along[n][2]).toBeCloseTo(value, 12);
    }
  });

  test('rub with the velocity of the material: u̇ where it is free, a residual where it is prescribed', () => {
    const { a, b } = cross();
    const { contacts, rows } = touch([a, b]);
    press(contacts, rows, 0.05);
    expect(contacts.revise(STAGE)).toBe(true);
    rows.clear();
    contacts.addRows(rows, STAGE);
    expect(rows.count).toBe(3);
    // μ N h = √(0.8 · 0.2) λ
    expect(rows.upper[1]).toBeCloseTo(0.4 * 0.05, 12);
    expect(rows.lower[1]).toBeCloseTo(-0.4 * 0.05, 12);
    // first tangent along the sliding: the material of b goes along −x, that of a stands
    expect(rows.residual[1]).toBeCloseTo(-0.3, 12);
    expect(rows.residual[2]).toBeCloseTo(0, 12);
    expect(readEntry(rows, 1, 4, 0)).toBeCloseTo(-0.75, 12);
    // −w (−F·t) of the free node, F = 1 along x; nothing of the other one, of the held z and of a's u
    expect(readEntry(rows, 1, 4, 3)).toBeCloseTo(0.75, 12);
    expect(readEntry(rows, 1, 4, 10)).toBeUndefined();
    expect(readEntry(rows, 1, 4, 2)).toBeUndefined();
    expect(readEntry(rows, 1, 3, 3)).toBeUndefined();
    // gaps close with ẋ
    expect(readEntry(rows, 0, 4, 3)).toBeUndefined();
  });

  test('push with forces that add up to nothing', () => {
    const { a, b } = cross();
    const { contacts, rows } = touch([a, b]);
    press(contacts, rows, 0.05);
    expect(a.pushes.get(0)![1]).toBeCloseTo(0.75 * 5, 12);
    expect(b.pushes.get(1)![1]).toBeCloseTo(-0.25 * 5, 12);
    expect([...a.pushes.values(), ...b.pushes.values()].reduce((sum, f) => sum + f[1], 0)).toBeCloseTo(0, 12);
    const [onA, onB] = contacts.forces();
    expect(onA.f[1]).toBeCloseTo(5, 12);
    expect(Array.from(onB.x)).toEqual([0.1, 0, 0].map((x) => expect.closeTo(x, 12)));
  });

  test('that nothing can move along the line between them get no row', () => {
    const { a, b } = cross();
    expect(touch([a.hold(CANCEL_POSITION), b]).rows.count).toBe(1);
    expect(touch([a, b.hold(CANCEL_POSITION)]).rows.count).toBe(0);
    const other = cross();
    expect(touch([other.a.hold(2), other.b.hold(2)]).rows.count).toBe(0);
  });
});

test('curves in a plane rub along it: there is no row across', () => {
  const a = new Curve(
    'a',
    [
      [-0.1, 0.02, 0],
      [0.1, 0.02, 0],
    ],
    { friction: 1 },
  );
  const b = new Curve(
    'b',
    [
      [0, -0.1, 0],
      [0.01, 0, 0],
    ],
    { friction: 1 },
  );
  const { contacts, rows } = touch([a.hold(CANCEL_Z), b.hold(CANCEL_Z)]);
  b.chain.v[0] = b.chain.v[4] = 0.1;
  press(contacts, rows, 0.05);
  contacts.revise(STAGE);
  rows.clear();
  contacts.addRows(rows, STAGE);
  expect(rows.count).toBe(2);
  expect(listEntries(rows, 1).every(([, coordinate]) => coordinate % 7 < 2)).toBe(true);
});

test('parallel segments have a row at each end of their overlap, each place once', () => {
  const line = (id: string, y: number, xs: number[]) =>
    new Curve(
      id,
      xs.map((x): Vector => [x, y, 0]),
    );
  // at 0.05, 0.1, 0.13, 0.2, 0.25
  expect(touch([line('a', 0, [0, 0.1, 0.2, 0.3]), line('b', 2 * R, [0.05, 0.13, 0.25])]).rows.count).toBe(5);
  expect(touch([line('a', 0, [0, 0.1, 0.2]), line('b', 2 * R, [0, 0.1, 0.2])]).rows.count).toBe(3);
});

test('the last segment of a loop ends in its first node', () => {
  const corners: Vector[] = [
    [0, 0, 0],
    [0.2, 0, 0],
    [0.2, 0, 0.2],
    [0, 0, 0.2],
  ];
  const loop = new Curve('loop', corners, { period: 0.8 });
  const rod = new Curve('rod', [
    [-0.1, 2 * R, 0.05],
    [0.1, 2 * R, 0.05],
  ]);
  const { rows } = touch([loop, rod]);
  expect(rows.count).toBe(1);
  expect(listEntries(rows, 0).flatMap(([part, c]) => (part === 3 && c % 7 === 1 ? [c] : []))).toEqual([22, 1]);
});

describe('a curve and itself', () => {
  const arc = (radius: number, angle: number, spacing: number): Curve => {
    const n = Math.ceil((radius * angle) / spacing);
    return new Curve(
      'arc',
      Array.from({ length: n + 1 }, (_, i): Vector => {
        const t = (angle * i) / n;
        return [radius * Math.cos(t), 0, radius * Math.sin(t)];
      }),
    );
  };

  test.each([0.15, 0.4, 1, 2, 3.3])('a bend never touches itself: nodes %s r apart', (spacing) => {
    for (const radius of [1.15, 1.3, 1.5, 2, 3, 5, 20])
      for (const angle of [Math.PI / 2, 0.8 * Math.PI, Math.PI, 1.1 * Math.PI]) {
        const curve = arc(radius * R, angle, spacing * R);
        expect([radius, angle, touch([curve], { self: true }).rows.count]).toEqual([radius, angle, 0]);
      }
  });

  test.each([0.3, 1, 2])('a loop of radius 2 r that closes is found: nodes %s r apart', (spacing) => {
    const around = (gap: number) => 2 * Math.PI - 2 * Math.asin(gap / 4);
    expect(touch([arc(2 * R, around(2.2), spacing * R)], { self: true }).rows.count).toBe(0);
    expect(touch([arc(2 * R, around(1.98), spacing * R)], { self: true }).rows.count).toBeGreaterThan(0);
    expect(touch([arc(2 * R, around(1.98), spacing * R)], { self: false }).rows.count).toBe(0);
  });
});

test('nodes are asked for where segments push far from theirs, once, again after a step is taken back, and by a resumed run', () => {
  const a = new Curve('a', [
    [-0.2, 2 * R, 0],
    [0.3, 2 * R, 0],
  ]);
  const b = new Curve('b', [
    [0, 0, -0.015],
    [0, 0, 0.4],
  ]);
  const { contacts, rows } = touch([a, b], { insertsNodes: true });
  press(contacts, rows, 1);
  contacts.endStep();
  for (let n = 1; n <= 2; n++) {
    contacts.adapt();
    contacts.rollBack();
    // b has a node 1.5 r away
    expect(a.inserted).toEqual(Array.from({ length: n }, () => expect.closeTo(0.2, 12)));
    expect(b.inserted).toEqual([]);
  }
  const writer = new StateWriter();
  contacts.writeState(writer);
  const other = touch([a, b], { insertsNodes: true }).contacts;
  const reader = new StateReader(writer.finish());
  other.readState(reader);
  reader.finish();
  other.adapt();
  expect(a.inserted).toHaveLength(3);
  press(contacts, rows, 0);
  contacts.endStep();
  contacts.adapt();
  expect(a.inserted).toHaveLength(3);
});

test('a run that is saved and loaded after every step has the same bits', () => {
  const create = () => {
    const lines = [0, 1, 2, 3].map((n) =>
      strand(
        `s${n}`,
        [
          [-0.1 * Math.cos(n), 0.011 * n, -0.1 * Math.sin(n)],
          [0.12 * Math.cos(n), 0.011 * n, 0.12 * Math.sin(n)],
        ],
        7,
        { gravity: [0, -9.81, 0], friction: 0.4, velocity: [0.2 * n, -0.1 * n, 0] },
      ),
    );
    return createCurveWorld(lines, { self: true, timeStep: 0.005, drivers: lines[0].pinAll() });
  };
  const whole = create();
  let resumed = create();
  let pushing = 0;
  for (let n = 0; n < 40; n++) {
    whole.world.step();
    resumed.world.step();
    pushing += whole.contacts.pushing;
    expect(resumed.world.hash()).toBe(whole.world.hash());
    const fresh = create();
    fresh.world.load(resumed.world.save());
    resumed = fresh;
  }
  expect(pushing).toBeGreaterThan(30);
});

test('a node that moves where nobody expected it is found: what hits without a row gets one, what went through is refused', () => {
  const a = new Curve('a', [
    [-0.1, 0.1, 0.01],
    [0.1, 0.1, -0.01],
  ]);
  const b = new Curve('b', [
    [0, 0, -0.1],
    [0, 0, 0.1],
  ]);
  for (const [y, count, fault] of [
    [0.025, 0, null],
    [0.018, 1, null],
    [-0.05, 1, '"a" and "b" pass through each other'],
  ] as const) {
    const { contacts, rows } = touch([a, b]);
    expect(rows.count).toBe(0);
    a.chain.q[1] = a.chain.q[5] = y;
    expect(contacts.revise(STAGE)).toBe(count > 0);
    expect([contacts.count, contacts.findFault()]).toEqual([count, fault]);
    contacts.addRows(rows, STAGE);
    // the side where it was
    if (count > 0) expect(readEntry(rows, 0, 3, 1)).toBeGreaterThan(0.4);
    a.chain.q[1] = a.chain.q[5] = 0.1;
  }
});

test('boxes of chains find the pairs that touch, and each once', () => {
  const random = createRandom(7);
  const make = (count: number) => {
    const x = Float64Array.from({ length: 6 * count }, () => random.uniform());
    const y = x.map((value) => value + 0.1 * random.uniform());
    const boxes = new ChainBoxes();
    boxes.update(count, x, y, 0.03);
    const overlaps = (i: number, z: Float64Array, w: Float64Array, j: number): boolean =>
      [0, 1, 2].every((k) => {
        const low = (p: Float64Array, q: Float64Array, e: number) =>
          Math.min(p[6 * e + k], p[6 * e + 3 + k], q[6 * e + k], q[6 * e + 3 + k]);
        const high = (p: Float64Array, q: Float64Array, e: number) =>
          Math.max(p[6 * e + k], p[6 * e + 3 + k], q[6 * e + k], q[6 * e + 3 + k]);
        return low(x, y, i) - 0.06 <= high(z, w, j) && low(z, w, j) - 0.06 <= high(x, y, i);
      });
    return { x, y, boxes, count, overlaps };
  };
  for (const n of [1, 2, 3, 7, 8, 21]) {
    const [a, b] = [make(n), make(5)];
    const found: string[] = [];
    const expected: string[] = [];
    a.boxes.visitPairs(b.boxes, (i, j) => found.push(`${i} ${j}`));
    a.boxes.visitOwnPairs((i, j) => found.push(`own ${i} ${j}`));
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < 5; j++) if (a.overlaps(i, b.x, b.y, j)) expected.push(`${i} ${j}`);
      for (let j = i + 1; j < n; j++) if (a.overlaps(i, a.x, a.y, j)) expected.push(`own ${i} ${j}`);
    }
    expect(found.sort()).toEqual(expected.sort());
  }
});

test('a search that knows where most curves are finds the hits of one that knows nothing', () => {
  const random = createRandom(8);
  const draw = (size: number): Vector => [
    random.uniform(-size, size),
    random.uniform(-size, size),
    random.uniform(-size, size),
  ];
  const curves = Array.from({ length: 14 }, (_, n) => {
    const [place, way] = [draw(0.2), draw(0.05)];
    return new Curve(
      `${n}`,
      Array.from(
        { length: 6 },
        (_, i): Vector => [place[0] + i * way[0], place[1] + i * way[1], place[2] + i * way[2]],
      ),
    );
  });
  const [known, fresh] = [0, 1].map(() => curves.map((curve, n) => new CurveSide(curve, n)));
  for (const side of [...known, ...fresh]) side.beginStep();
  for (const side of known) side.writePrediction(STAGE.h);
  const search = new CurveSearch(known, () => true);
  search.findNear(0.002, () => {});
  let found = 0;
  for (let round = 0; round < 30; round++) {
    for (const { chain } of curves) {
      const size = random.uniform(0, 1) < 0.25 ? 0.02 : 0.001;
      for (let k = 0; k < 4 * chain.count; k++) if (k % 4 < 3) chain.q[k] += random.uniform(-size, size);
    }
    const list = (sides: readonly CurveSide[], one: CurveSearch): string[] => {
      const hits: string[] = [];
      for (const side of sides) side.writePresent();
      one.findHits(sides === known ? 0.005 : 0, ({ first, second, points, weights }) =>
        hits.push([first, second, ...points, ...weights].join()),
      );
      return hits.sort();
    };
    for (const side of fresh) side.writePrediction(STAGE.h);
    const other = new CurveSearch(fresh, () => true);
    other.findNear(0, () => {});
    const hits = list(fresh, other);
    expect(list(known, search)).toEqual(hits);
    found += hits.length;
  }
  expect(found).toBeGreaterThan(50);
});
