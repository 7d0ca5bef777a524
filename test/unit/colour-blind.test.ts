/**
 * The colour map as people with one kind of cone missing see it.
 *   linear sRGB → what is seen: G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A physiologically-based model for simulation
 *   of color vision deficiency" (2009), severity 1.
 */
import { describe, expect, test } from 'vitest';
import { computeColour } from '../../studio/src/colour-map.ts';

type Row = readonly [number, number, number];
const CONES: Readonly<Record<string, readonly [Row, Row, Row]>> = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** Linear sRGB → XYZ over the white of D65. */
const XYZ: readonly Row[] = [
  [0.4124 / 0.9505, 0.3576 / 0.9505, 0.1805 / 0.9505],
  [0.2126, 0.7152, 0.0722],
  [0.0193 / 1.089, 0.1192 / 1.089, 0.9505 / 1.089],
];

const multiply = (rows: readonly Row[], v: readonly number[]): number[] =>
  rows.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);

/** CIELAB of the colour of t [L* 0..100] without a kind of cone; differences of about 2.3 can just be told apart. */
function computeSeen(t: number, cones: readonly Row[]): readonly [number, number, number] {
  const linear = computeColour(t).map((byte) => {
    const c = byte / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  const seen = multiply(cones, linear).map((c) => Math.min(1, Math.max(0, c)));
  const [x, y, z] = multiply(XYZ, seen).map((c) => (c > 0.008856 ? Math.cbrt(c) : 7.787 * c + 16 / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

describe.each(Object.keys(CONES))('the colour map with %s', (kind) => {
  test('gets lighter all the way', () => {
    const lightness = Array.from({ length: 65 }, (_, i) => computeSeen(i / 64, CONES[kind])[0]);
    for (let i = 1; i < lightness.length; i++) expect(lightness[i], `${i} of 64`).toBeGreaterThan(lightness[i - 1]);
    // from dark to light: more than half of what there is
    expect(lightness[64] - lightness[0]).toBeGreaterThan(50);
  });

  test('has twelve values that can be told apart, and ends that nobody takes for each other', () => {
    const seen = Array.from({ length: 12 }, (_, i) => computeSeen(i / 11, CONES[kind]));
    const differ = (a: Row, b: Row) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    for (let i = 0; i < 12; i++)
      for (let j = 0; j < i; j++) expect(differ(seen[i], seen[j]), `${j} and ${i}`).toBeGreaterThan(2 * 2.3);
    expect(differ(seen[0], seen[11])).toBeGreaterThan(60);
  });
});
