import { addFrameToLimits, addLimits, createFrameLimits, type Frame } from 'heddle/model';
import { expect, test } from 'vitest';

const frame = (x: number[], tension: number[], angle: number): Frame => ({
  time: 0,
  step: 0,
  objects: [
    {
      type: 'curve',
      id: 'rope',
      closed: false,
      radius: 0.5,
      restLength: 1,
      x: Float64Array.from(x),
      u: Float64Array.from([0, 1]),
      kind: new Uint8Array(2),
      fields: { tension: Float64Array.from(tension) },
    },
  ],
  bodies: [{ id: 'bar', position: [10, 0, 0], orientation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)] }],
  forces: [
    { kind: 'contact', id: 'rope', x: new Float64Array(6), f: Float64Array.of(0, 0, 1, tension[0], 4, 0) },
    { kind: 'constraint', id: 'rope', x: new Float64Array(3), f: Float64Array.of(0, -2, 0) },
  ],
});

test('limits cover every node with its radius, every field value, every body vertex in its pose and every force', () => {
  const limits = createFrameLimits();
  const vertices = new Map([['bar', [-2, 0, 0, 3, 0, 1]]]);
  addFrameToLimits(frame([0, 1, 2, 3, 4, 5], [7, -1], 0), vertices, limits);
  addFrameToLimits(frame([-6, 1, 2, 3, 4, 9], [3, 8], Math.PI / 2), vertices, limits);
  expect(limits.objects).toEqual({ low: [-6.5, 0.5, 1.5], high: [3.5, 4.5, 9.5] });
  expect(limits.ranges).toEqual({ tension: [-1, 8] });
  // |(7, 4, 0)| of the first frame, |(3, 4, 0)| of the second
  expect(limits.forces.largest).toBeCloseTo(Math.sqrt(65), 12);
  // first pose: x from 8 to 13; second, turned by 90° about z: (x, y) → (−y, x), so y from −2 to 3
  const expected = { low: [8, -2, 0], high: [13, 3, 1] };
  for (const side of ['low', 'high'] as const) {
    for (let axis = 0; axis < 3; axis++) expect(limits.bodies[side][axis]).toBeCloseTo(expected[side][axis], 12);
  }
});

test('bodies without vertices, such as planes, do not count', () => {
  const limits = createFrameLimits();
  addFrameToLimits(frame([0, 0, 0, 1, 0, 0], [0, 0], 0), new Map(), limits);
  expect(limits.bodies.low[0]).toBe(Number.POSITIVE_INFINITY);
});

test('a force of two frames among five is no lasting one; one of three in a row is', () => {
  const limits = createFrameLimits();
  const add = (t: number) => addFrameToLimits(frame([0, 0, 0, 1, 0, 0], [t, 0], 0), new Map(), limits);
  // the largest force of a frame is |(t, 4, 0)|
  for (const t of [0, 0, 300, 300, 0, 0]) add(t);
  expect(limits.forces.largest).toBeGreaterThan(300);
  expect(limits.forces.lasting).toBe(4);
  for (const t of [3, 3, 3]) add(t);
  expect(limits.forces.lasting).toBe(5);
});

test('limits of two runs together are those of all their frames', () => {
  const vertices = new Map([['bar', [-2, 0, 0, 3, 0, 1]]]);
  const frames = [frame([0, 1, 2, 3, 4, 5], [7, -1], 0), frame([-6, 1, 2, 3, 4, 9], [3, 8], Math.PI / 2)];
  const [all, first, second] = [createFrameLimits(), createFrameLimits(), createFrameLimits()];
  for (const one of frames) addFrameToLimits(one, vertices, all);
  addFrameToLimits(frames[0], vertices, first);
  addFrameToLimits(frames[1], vertices, second);
  addLimits(second, first);
  expect(first).toMatchObject({ objects: all.objects, bodies: all.bodies, ranges: all.ranges });
  expect(first.forces.largest).toBe(all.forces.largest);
});
