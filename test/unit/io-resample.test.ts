import { resampleRun, writeResampledValues } from 'heddle/io';
import { describe, expect, test } from 'vitest';
import { makeRun } from './io-run.ts';

describe('a run on fixed material points', () => {
  const run = makeRun(9);
  const fixed = resampleRun(run, 101);

  test('has the same material coordinates in all frames, over all the material', () => {
    for (const [f, { objects, time, bodies }] of fixed.frames.entries()) {
      expect(objects.map(({ u }) => u.length)).toEqual([101, 101]);
      for (const [c, curve] of objects.entries()) {
        expect([...curve.u]).toEqual([...fixed.frames[0].objects[c].u]);
        expect([...curve.kind]).toEqual(new Array(101).fill(0));
      }
      expect([time, bodies]).toEqual([run.frames[f].time, run.frames[f].bodies]);
    }
    const [rope, loop] = fixed.frames[0].objects;
    expect([rope.u[0], rope.u[100]]).toEqual([0, 1]);
    // the closed curve does not repeat its first point
    expect(loop.u[100]).toBeCloseTo((1.8 * 100) / 101, 12);
  });

  test('x(u) is where the material is: on the rope round the corner, whatever nodes there were', () => {
    for (const [f, { objects }] of fixed.frames.entries()) {
      const nodes = run.frames[f].objects[0];
      const corner = nodes.u[nodes.kind.indexOf(1)];
      const { u, x } = objects[0];
      for (let i = 0; i < u.length; i++) {
        const expected = u[i] < corner ? [u[i] - corner, 0, 0] : [0, corner - u[i], 0];
        for (let k = 0; k < 3; k++) expect(x[3 * i + k]).toBeCloseTo(expected[k], 12);
        // the field of this rope is its u
        expect(objects[0].fields.speed[i]).toBeCloseTo(u[i], 12);
      }
    }
  });

  test('without a number it takes twice the nodes, from 48 to 512', () => {
    expect(resampleRun(run).frames[0].objects.map(({ u }) => u.length)).toEqual([48, 48]);
  });

  test('a frame that lacks a curve shows it as before', () => {
    const frames = run.frames.map((frame, f) => (f === 3 ? { ...frame, objects: [frame.objects[0]] } : frame));
    const { objects } = resampleRun({ ...run, frames }, 50).frames[3];
    expect(objects.map(({ id }) => id)).toEqual(['rope', 'loop']);
  });

  test('values of a closed curve are periodic', () => {
    const out = new Float64Array(3);
    const curve = { closed: true, restLength: 3, u: Float64Array.of(0.5, 1.5, 2.5) };
    // node values 10, 20, 60; the segment from u = 2.5 to 3.5 leads back to 10
    writeResampledValues(curve, Float64Array.of(10, 20, 60), Float64Array.of(2, 3, 4), out);
    expect([...out]).toEqual([40, 35, 15]);
  });
});
