/** Bodies whose mesh moves through poses: what touches them is moved by their surface. */
import { compile, parseScene } from 'heddle';
import { SceneError } from 'heddle/model';
import type { World } from 'heddle/world';
import { describe, expect, test } from 'vitest';

const encoder = new TextEncoder();

/** A box as an OBJ file, its corners where `place` puts them. */
function writeBox(size: readonly number[], place: (x: number, y: number, z: number) => readonly number[]): string {
  const lines: string[] = [];
  for (let i = 0; i < 8; i++) {
    const corner = [i & 1, (i >> 1) & 1, i >> 2].map((bit, k) => size[k] * (bit - 0.5));
    lines.push(`v ${place(corner[0], corner[1], corner[2]).join(' ')}`);
  }
  for (const face of ['1 3 4 2', '5 6 8 7', '1 2 6 5', '3 7 8 4', '1 5 7 3', '2 4 8 6']) lines.push(`f ${face}`);
  return `${lines.join('\n')}\n`;
}

/** A scene with a box whose corners go from pose to pose, ten a second, and with the same box that keyframes move. */
function build(
  scene: object,
  size: readonly number[],
  poses: readonly ((x: number, y: number, z: number) => readonly number[])[],
  keyframes?: readonly object[],
): World {
  const files = new Map(poses.map((place, k) => [`box${k}.obj`, encoder.encode(writeBox(size, place))]));
  const animation = { files: [...files.keys()].slice(1), framesPerSecond: 10 };
  const body = {
    id: 'box',
    motion: 'scripted',
    ...(keyframes
      ? { shape: { type: 'mesh', file: 'box0.obj' }, keyframes }
      : { shape: { type: 'mesh', file: 'box0.obj', animation } }),
  };
  const text = JSON.stringify({ heddle: 1, name: 'test', title: 'Test', bodies: [body], ...scene });
  return compile(parseScene(text), { readFile: (name) => files.get(name)! });
}

const moved =
  (dx: number, dy: number) =>
  (x: number, y: number, z: number): readonly number[] => [x + dx, y + dy, z];

function listPlaces(world: World): Float64Array {
  const [object] = world.frame().objects;
  return object.x;
}

const ROPE = {
  materials: { rope: { linearDensity: 0.05, radius: 0.01, stretchStiffness: 2000, bendingStiffness: 0 } },
  objects: [
    {
      type: 'strand',
      id: 'rope',
      mode: 'lagrangian',
      material: 'rope',
      nodes: 12,
      points: [
        [-0.4, 0.115, 0],
        [0.4, 0.115, 0],
      ],
      damping: { mass: 2 },
    },
  ],
  time: { step: 0.005, duration: 1 },
};

describe('a Lagrangian strand', () => {
  const poses = [0, 0.02, 0.06, 0.05].map((y) => moved(0, y));
  const keyframes = [0, 0.02, 0.06, 0.05].map((y, k) => ({ time: 0.1 * k, position: [0, y, 0] }));

  test('is moved by poses as by the keyframes of a rigid body', () => {
    const animated = build(ROPE, [1, 0.2, 0.4], poses);
    const scripted = build(ROPE, [1, 0.2, 0.4], poses, keyframes);
    for (let n = 0; n < 100; n++) {
      animated.step();
      scripted.step();
      const [a, b] = [listPlaces(animated), listPlaces(scripted)];
      for (let i = 0; i < a.length; i++) expect(Math.abs(a[i] - b[i])).toBeLessThan(1e-9);
    }
    // it has come up with the box, whose top is at 0.15 m now, less what the penalty gives way
    expect(listPlaces(animated)[1]).toBeGreaterThan(0.155);
    expect(listPlaces(animated)[1]).toBeLessThan(0.2);
  });

  test('lies on a top that bends: each end where its side is', () => {
    // the left side rises by 0.1 m, the right one stays
    const tilt = [0, 1, 1].map((up) => (x: number, y: number, z: number) => [x, y + (x < 0 ? 0.1 * up : 0), z]);
    const world = build({ ...ROPE, gravity: [0, -9.81, 0] }, [1, 0.2, 0.4], tilt);
    for (let n = 0; n < 30; n++) world.step();
    const x = listPlaces(world);
    const last = x.length - 3;
    // top at y = 0.1 + 0.1 (0.5 − x) at its middle line
    for (const at of [0, last]) {
      const top = 0.15 - 0.1 * x[at];
      expect(x[at + 1] - top).toBeGreaterThan(0.005);
      expect(x[at + 1] - top).toBeLessThan(0.06);
    }
  });
});

const CLOTH = {
  materials: {
    cord: { linearDensity: 0.006, radius: 0.00225, stretchStiffness: 1000, bendingStiffness: 4e-7, friction: 1 },
  },
  objects: [
    {
      type: 'fabric',
      id: 'cloth',
      position: [0, 0.105, 0],
      bodyFriction: 0.8,
      layers: [
        { id: 'only', pattern: { type: 'plain', warps: 5, wefts: 5, spacing: 0.0056, crimp: 0 }, material: 'cord' },
      ],
      damping: { mass: 0, stiffness: 0.0005 },
    },
  ],
  time: { step: 0.001, duration: 1 },
};

const computeMean = (x: Float64Array, k: number): number => {
  let sum = 0;
  for (let i = k; i < x.length; i += 3) sum += x[i];
  return (3 * sum) / x.length;
};

describe('a fabric', () => {
  const shifts = [0, 0, 0.03, 0.09, 0.09];
  const poses = shifts.map((x) => moved(x, 0));

  test('is carried along by friction: a top that moves in poses takes it as one that keyframes move', () => {
    const animated = build(CLOTH, [1, 0.2, 0.4], poses);
    const scripted = build(
      CLOTH,
      [1, 0.2, 0.4],
      poses,
      shifts.map((x, k) => ({ time: 0.1 * k, position: [x, 0, 0] })),
    );
    const start = computeMean(listPlaces(animated), 0);
    for (let n = 0; n < 230; n++) {
      animated.step();
      scripted.step();
      if (n % 10 > 0) continue;
      const [a, b] = [listPlaces(animated), listPlaces(scripted)];
      for (let i = 0; i < a.length; i++) expect(Math.abs(a[i] - b[i])).toBeLessThan(1e-5);
    }
    // the table has gone 48 mm: the cloth goes with it, not past it
    const way = computeMean(listPlaces(animated), 0) - start;
    expect(way).toBeGreaterThan(0.03);
    expect(way).toBeLessThan(0.0481);
  });

  test('saved and loaded goes on with the same bits', () => {
    const first = build(CLOTH, [1, 0.2, 0.4], poses);
    for (let n = 0; n < 120; n++) first.step();
    const second = build(CLOTH, [1, 0.2, 0.4], poses);
    second.load(first.save());
    for (let n = 0; n < 20; n++) {
      first.step();
      second.step();
    }
    expect(second.hash()).toBe(first.hash());
  });
});

const BLOCK = {
  objects: [
    {
      type: 'mpm',
      id: 'all',
      spacing: 0.05,
      parts: [
        {
          id: 'block',
          pattern: { type: 'fill', shape: { type: 'box', size: [0.2, 0.2, 0.2] }, jitter: 0 },
          material: { type: 'goo', density: 1000, youngsModulus: 4e3, yieldStress: 1e6, viscosity: 0 },
          position: [0, 0.225, 0],
        },
      ],
      bodies: [{ body: 'box', condition: 'sticky' }],
    },
  ],
  time: { step: 0.01, duration: 1 },
};

describe('a continuum', () => {
  const places = [
    [0, 0],
    [0.05, 0.01],
    [0.15, 0.05],
    [0.2, 0.03],
  ];

  // on a face whose normal is along each axis: what the surface has moved since its held pose counts along its normal
  test.each([
    ['x', 0],
    ['y', 1],
    ['z', 2],
  ] as const)('is moved by poses as by the keyframes of a rigid body, to rounding: lying on it along %s', (_, axis) => {
    const put = (along: number, up: number, aside: number): number[] => {
      const out = [0, 0, 0];
      out[(axis + 2) % 3] = along;
      out[axis] = up;
      out[(axis + 1) % 3] = aside;
      return out;
    };
    const [object] = BLOCK.objects;
    const scene = {
      ...BLOCK,
      gravity: put(0, -9.81, 0),
      objects: [{ ...object, parts: [{ ...object.parts[0], position: put(0, 0.225, 0) }] }],
    };
    const shifts = places.map(([along, up]) => put(along, up, 0));
    const size = put(0.83, 0.21, 0.63);
    const own = shifts.map(([dx, dy, dz]) => (x: number, y: number, z: number) => [x + dx, y + dy, z + dz]);
    const animated = build(scene, size, own);
    const scripted = build(
      scene,
      size,
      own,
      shifts.map((position, k) => ({ time: 0.1 * k, position })),
    );
    const start = listPlaces(animated).slice();
    for (let n = 0; n < 25; n++) {
      animated.step();
      scripted.step();
      const [a, b] = [listPlaces(animated), listPlaces(scripted)];
      for (let i = 0; i < a.length; i++) expect(Math.abs(a[i] - b[i])).toBeLessThan(1e-9);
    }
    // the box has gone 175 mm, and the soft block on it lags behind
    const way = computeMean(listPlaces(animated), (axis + 2) % 3) - computeMean(start, (axis + 2) % 3);
    expect(way).toBeGreaterThan(0.04);
    expect(way).toBeLessThan(0.175);
  });

  test('saved and loaded goes on with the same bits', () => {
    // turning, so that what is kept of the surface from one held pose to the next is not what it is
    const turned = [0, 0.2, 0.5, 0.6].map((angle) => (x: number, y: number, z: number) => [
      x * Math.cos(angle) + z * Math.sin(angle),
      y + 0.1 * angle,
      z * Math.cos(angle) - x * Math.sin(angle),
    ]);
    const first = build(BLOCK, [0.83, 0.21, 0.63], turned);
    for (let n = 0; n < 12; n++) first.step();
    const second = build(BLOCK, [0.83, 0.21, 0.63], turned);
    second.load(first.save());
    for (let n = 0; n < 6; n++) {
      first.step();
      second.step();
    }
    expect(second.hash()).toBe(first.hash());
  });

  test('sticks to a surface that stretches: each side goes with its own', () => {
    // twice as wide in 0.4 s; the middle stays
    const wide = [1, 1.25, 1.5, 1.75, 2].map((by) => (x: number, y: number, z: number) => [by * x, y, z]);
    const world = build(BLOCK, [0.83, 0.21, 0.63], wide);
    const start = listPlaces(world).slice();
    const low = Array.from({ length: start.length / 3 }, (_, i) => 3 * i).filter((at) => start[at + 1] < 0.14);
    for (let n = 0; n < 20; n++) world.step();
    const x = listPlaces(world);
    // u = 0.5 x at the surface after 0.2 s: the lowest particles, half a cell above it, follow it for the most part
    let [product, square] = [0, 0];
    for (const at of low) {
      product += (x[at] - start[at]) * start[at];
      square += start[at] ** 2;
    }
    expect(product / square).toBeGreaterThan(0.3);
    expect(product / square).toBeLessThan(0.6);
  });
});

describe('what such a body cannot do is said with the scene', () => {
  const files = new Map([0, 1].map((k) => [`box${k}.obj`, encoder.encode(writeBox([1, 1, 1], moved(k, 0)))]));
  files.set('other.obj', encoder.encode(`v 0 0 0\n${writeBox([1, 1, 1], moved(0, 0))}`));
  const shape = { type: 'mesh', file: 'box0.obj', animation: { files: ['box1.obj'], framesPerSecond: 24 } };
  const body = { id: 'box', motion: 'scripted', shape };
  const strand = { ...ROPE.objects[0], mode: 'eol' };
  const read = (scene: object) => {
    const text = JSON.stringify({
      heddle: 1,
      name: 'test',
      title: 'Test',
      materials: ROPE.materials,
      time: ROPE.time,
      ...scene,
    });
    return compile(parseScene(text), {
      readFile: (name) => {
        const found = files.get(name);
        if (found === undefined) throw new SceneError([{ path: '', message: `${name} is missing` }]);
        return found;
      },
    });
  };
  const animated = (animation: object, more: object = {}) => ({
    objects: [ROPE.objects[0]],
    bodies: [{ ...body, shape: { ...shape, animation, ...more } }],
  });
  const cases: [string, object, RegExp][] = [
    [
      'static',
      { objects: [ROPE.objects[0]], bodies: [{ ...body, motion: 'static' }] },
      /bodies\[0\]\.motion is "static", but the mesh has an animation/,
    ],
    ['no files', animated({ framesPerSecond: 24 }), /animation\.files is missing/],
    ['no rate', animated({ files: ['box1.obj'] }), /animation\.framesPerSecond is missing/],
    [
      'a clip of an OBJ',
      animated({ files: ['box1.obj'], framesPerSecond: 24, clip: 'run' }),
      /clip is given, but "box0.obj" has no clips/,
    ],
    [
      'files of a GLB',
      animated({ files: ['box1.obj'] }, { file: 'figure.glb' }),
      /files is given, but "figure.glb" contains its poses/,
    ],
    [
      'other vertices',
      animated({ files: ['other.obj'], framesPerSecond: 24 }),
      /other\.obj has 9 vertices and box0\.obj 8/,
    ],
    ['a missing file', animated({ files: ['none.obj'], framesPerSecond: 24 }), /none\.obj is missing/],
    [
      'an EoL strand',
      { objects: [strand], bodies: [body] },
      /objects\[0\]\.contact sets contact of the strand with "box".*only Lagrangian/,
    ],
    [
      'a rod',
      { objects: [{ type: 'rod', id: 'r', material: 'steel', points: strand.points, segments: 4 }], bodies: [body] },
      /sets contact of the rod with "box"/,
    ],
    [
      'a guide',
      {
        objects: [{ ...strand, contact: false, guides: [{ id: 'g', point: [0, 0.115, 0], body: 'box' }] }],
        bodies: [body],
      },
      /guides\[0\]\.body is "box", which is animated and cannot carry anything/,
    ],
  ];
  test.each(cases)('of %s', (_, scene, message) => {
    expect(() => read(scene)).toThrow(message);
  });

  test('nothing is wrong with what is left alone', () => {
    expect(read({ objects: [{ ...strand, contact: false }], bodies: [body] }).bodies).toHaveLength(1);
  });
});
