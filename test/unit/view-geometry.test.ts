/** The parts of the view that need no browser: the colour map, the refined curve, the camera, the grid's steps. */
import { addFrameToLimits, type CurveFrame, createFrameLimits, NODE_EULERIAN } from 'heddle/model';
import { PerspectiveCamera, Vector3 } from 'three';
import { describe, expect, test } from 'vitest';
import { computeSubject, placeCamera } from '../../studio/src/camera.ts';
import { computeColour } from '../../studio/src/colour-map.ts';
import { computeRoundStep } from '../../studio/src/ground.ts';
import { computeRefinedCurve } from '../../studio/src/refine.ts';

/** CIE lightness L* of sRGB bytes [0..100]. */
function computeLightness(rgb: readonly number[]): number {
  const [r, g, b] = rgb.map((byte) => {
    const c = byte / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  const y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return y > 0.008856 ? 116 * Math.cbrt(y) - 16 : 903.3 * y;
}

test('the colour map gets lighter by even steps', () => {
  const steps = 32;
  const lightness = Array.from({ length: steps + 1 }, (_, i) => computeLightness(computeColour(i / steps)));
  const mean = (lightness[steps] - lightness[0]) / steps;
  expect(mean).toBeGreaterThan(1.8);
  for (let i = 0; i < steps; i++) {
    const step = lightness[i + 1] - lightness[i];
    expect(step, `step ${i}`).toBeGreaterThan(0.4 * mean);
    expect(step, `step ${i}`).toBeLessThan(2 * mean);
  }
});

test.each([
  [0.19, 0.1],
  [0.2, 0.2],
  [7, 5],
  [1300, 1000],
])('the round step below %d is %d', (value, step) => expect(computeRoundStep(value)).toBeCloseTo(step, 12));

/** Nodes on a circle of radius 1 in the plane z = 0, from angle 0 over `angle`. */
function createArc(count: number, angle: number, closed = false): CurveFrame {
  const x = new Float64Array(3 * count);
  const u = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const a = (angle * i) / (closed ? count : count - 1);
    x.set([Math.cos(a), Math.sin(a), 0], 3 * i);
    u[i] = a;
  }
  const kind = new Uint8Array(count);
  return { type: 'curve', id: 'arc', closed, radius: 0.01, restLength: angle, x, u, kind, fields: {} };
}

/** Largest distance of the refined curve's segment middles from the unit circle. */
function computeDeviation(x: Float64Array, closed: boolean): number {
  const count = x.length / 3;
  let largest = 0;
  for (let i = 0; i < (closed ? count : count - 1); i++) {
    const j = (i + 1) % count;
    const radius = Math.hypot(x[3 * i] + x[3 * j], x[3 * i + 1] + x[3 * j + 1]) / 2;
    largest = Math.max(largest, Math.abs(1 - radius));
  }
  return largest;
}

describe('the refined curve', () => {
  test('passes through all nodes with their material coordinates', () => {
    const arc = createArc(6, 2);
    const fine = computeRefinedCurve(arc);
    for (let i = 0; i < 6; i++) {
      const k = fine.node.indexOf(i);
      expect(k).toBeGreaterThanOrEqual(0);
      expect(fine.u[k]).toBe(arc.u[i]);
      for (let axis = 0; axis < 3; axis++) expect(fine.x[3 * k + axis]).toBeCloseTo(arc.x[3 * i + axis], 14);
    }
    for (let k = 1; k < fine.u.length; k++) expect(fine.u[k]).toBeGreaterThan(fine.u[k - 1]);
  });

  test('is far nearer to a circle than the polyline, open or closed', () => {
    const ring = createArc(12, 2 * Math.PI, true);
    // polyline: 1 − cos(15°) = 0.034
    expect(computeDeviation(ring.x, true)).toBeCloseTo(1 - Math.cos(Math.PI / 12), 12);
    expect(computeDeviation(computeRefinedCurve(ring).x, true)).toBeLessThan(0.004);
    expect(computeRefinedCurve(ring).u.at(-1)).toBeLessThan(2 * Math.PI);
  });

  test('keeps the corner at an E-node: both sides arrive straight', () => {
    // a right angle at node 1; as L-node it would be rounded only below 60°, so it is 40° here
    const bend = (kind: number): CurveFrame => ({
      ...createArc(3, 1),
      x: Float64Array.of(0, 0, 0, 1, 0, 0, 1 + Math.cos(0.7), Math.sin(0.7), 0),
      kind: Uint8Array.of(0, kind, 0),
    });
    const deviation = (curve: CurveFrame) => {
      const fine = computeRefinedCurve(curve);
      let largest = 0;
      for (let k = 0; k < fine.u.length && fine.node[k] <= 1; k++)
        largest = Math.max(largest, Math.abs(fine.x[3 * k + 1]));
      return largest;
    };
    expect(deviation(bend(NODE_EULERIAN))).toBe(0);
    expect(deviation(bend(0))).toBeGreaterThan(0.01);
  });

  test('leaves a straight line as it is', () => {
    const line = { ...createArc(5, 1), x: Float64Array.from({ length: 15 }, (_, i) => (i % 3 === 0 ? i / 3 : 0)) };
    expect(computeRefinedCurve(line).u).toEqual(line.u);
  });
});

test.each([
  [1.78, [2, 1, 0.1]],
  [0.6, [2, 1, 0.1]],
  [1.78, [0.1, 3, 2]],
] as const)(
  'at aspect %d the camera sees the whole of a box of size %j and fills the picture with it',
  (aspect, size) => {
    const limits = createFrameLimits();
    const arc = {
      ...createArc(2, 1),
      radius: 1e-9,
      x: Float64Array.from([5, 6, 7, 5 + size[0], 6 + size[1], 7 + size[2]]),
    };
    addFrameToLimits({ time: 0, step: 0, objects: [arc], bodies: [], forces: [] }, new Map(), limits);
    const camera = new PerspectiveCamera();
    camera.aspect = aspect;
    placeCamera(camera, {}, computeSubject(limits));
    let [across, up] = [0, 0];
    for (let i = 0; i < 8; i++) {
      const corner = new Vector3(5 + (i & 1 ? size[0] : 0), 6 + (i & 2 ? size[1] : 0), 7 + (i & 4 ? size[2] : 0));
      corner.project(camera);
      across = Math.max(across, Math.abs(corner.x));
      up = Math.max(up, Math.abs(corner.y));
    }
    expect(Math.max(across, up)).toBeLessThan(0.9);
    expect(Math.max(across, up)).toBeGreaterThan(0.85);
  },
);
