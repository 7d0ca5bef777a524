/** Small vibrations of rods: bending, torsion, stretch; against the frequencies of a slender bar. */
import type { Vec3 } from 'heddle/math';
import { Rod } from 'heddle/rod';
import { World } from 'heddle/world';
import { describe, expect, test } from 'vitest';
import { measurePeriod } from './measure.ts';
import { addScaled, clampStart, createMaterial, readNode, spacingFor } from './rods.ts';

const ALONG: Vec3 = [0.6, 0.48, 0.64];
const ACROSS: Vec3 = [0.8, -0.36, -0.48];
const dot = (a: Vec3, b: Vec3) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

const SEGMENTS = 40;
const DU = spacingFor(1, SEGMENTS);
/** Steps a period, and the error that they leave: (ω h)² γ-dependent, measured 1e-4 for 200. */
const STEPS = 200;
const TOLERANCE = 2e-4;

/** A clamped rod of free length 1, its points at `shape(s)` across and `pull(s)` along. */
function createClamped(shape: (s: number) => number, pull: (s: number) => number, bend: Vec3 = [1, 1, 0.8]): Rod {
  const at = Array.from({ length: SEGMENTS + 1 }, (_, i) => (i - 0.5) * DU);
  return new Rod({
    id: 'rod',
    material: createMaterial({ bend: [bend[0], bend[1], bend[2]], stretch: [1e6, 1e6, 1e6] }),
    points: at.map((s) => addScaled([0, 0, 0], [s + pull(s), ALONG], [shape(Math.max(0, s)), ACROSS])),
    restLength: 1 + 0.5 * DU,
    segments: SEGMENTS,
    normal: ACROSS,
    gravity: [0, 0, 0],
  });
}

/** Shape of a bending mode of a cantilever: cosh − cos − σ (sinh − sin). */
const mode =
  (k: number) =>
  (s: number): number => {
    const sigma = (Math.cosh(k) + Math.cos(k)) / (Math.sinh(k) + Math.sin(k));
    return Math.cosh(k * s) - Math.cos(k * s) - sigma * (Math.sinh(k * s) - Math.sin(k * s));
  };

/** Period of the share that a mode has in the motion: modes are orthogonal, so that others do not show. */
function measureMode(rod: Rod, period: number, signal: () => number): number {
  const timeStep = period / STEPS;
  const world = new World({ models: [rod], drivers: [clampStart(rod)], timeStep, integrator: 'sdirk2' });
  return measurePeriod(world, signal, 4) / period;
}

/** ∫ shape · (part of the displacement along `axis`) */
function project(rod: Rod, axis: Vec3, shape: (u: number) => number): number {
  let sum = 0;
  for (let i = 0; i <= SEGMENTS; i++) {
    const u = rod.chain.q[4 * i + 3];
    sum += (i === SEGMENTS ? 0.5 : 1) * shape(u) * (dot(readNode(rod, i), axis) - dot(axis, ALONG) * (u - 0.5 * DU));
  }
  return sum;
}

describe('a cantilever vibrates with ω = k² √(EI/ρA)/L²', () => {
  // cos k cosh k = −1
  for (const [n, k, EI] of [
    [1, 1.875104, 1],
    [2, 4.694091, 1],
    [3, 7.854757, 1],
    [1, 1.875104, 2.7],
  ])
    test(`mode ${n}, EI = ${EI} N m²`, () => {
      // ACROSS is d₁: bending about d₂
      const rod = createClamped(
        (s) => 1e-4 * mode(k)(s),
        () => 0,
        [1, EI, 0.8],
      );
      const signal = () => project(rod, ACROSS, (u) => mode(k)(Math.max(0, u - 0.5 * DU)));
      const ratio = measureMode(rod, (2 * Math.PI) / (k * k * Math.sqrt(EI)), signal);
      expect(Math.abs(ratio - 1)).toBeLessThan(TOLERANCE + (k * DU) ** 2 / 24);
    });
});

describe('a clamped rod twists with ω = (2n − 1) π c/2L, c = √(GJ/ρI_p)', () => {
  for (const n of [1, 2, 3])
    test(`mode ${n}`, () => {
      const rod = createClamped(
        () => 0,
        () => 0,
      );
      const { frame } = rod.state;
      const wave = ((2 * n - 1) * Math.PI) / 2;
      const first = frame.slice(0, 4);
      for (let e = 1; e < SEGMENTS; e++) turnAbout(frame, 4 * e, 1e-3 * Math.sin(wave * e * DU));
      const signal = () => {
        let sum = 0;
        for (let e = 1; e < SEGMENTS; e++) sum += Math.sin(wave * e * DU) * readTurn(frame, 4 * e, first);
        return sum;
      };
      const ratio = measureMode(rod, 4 / ((2 * n - 1) * Math.sqrt(0.8 / 2e-6)), signal);
      expect(Math.abs(ratio - 1)).toBeLessThan(TOLERANCE + (wave * DU) ** 2 / 12);
    });
});

/** Turns the frame at `at` about its third axis. */
function turnAbout(q: Float64Array, at: number, angle: number): void {
  const [x, y, z, w] = q.subarray(at, at + 4);
  const [c, s] = [Math.cos(angle / 2), Math.sin(angle / 2)];
  q.set([x * c + y * s, y * c - x * s, z * c + w * s, w * c - z * s], at);
}

/** Small turn of the frame at `at` from another about the third axis: 2 (q₀* q)₃. */
const readTurn = (q: Float64Array, at: number, from: Float64Array): number =>
  2 * (from[3] * q[at + 2] - from[2] * q[at + 3] - from[0] * q[at + 1] + from[1] * q[at]);

describe('a clamped rod stretches with ω = (2n − 1) π c/2L, c = √(EA/ρA)', () => {
  // stretch is held at the first node, not at the middle of the first segment
  const length = 1 + 0.5 * DU;
  for (const n of [1, 2, 3])
    test(`mode ${n}`, () => {
      const wave = ((2 * n - 1) * Math.PI) / 2 / length;
      const rod = createClamped(
        () => 0,
        (s) => 1e-5 * Math.sin(wave * (s + 0.5 * DU)),
      );
      const signal = () => project(rod, ALONG, (u) => Math.sin(wave * u));
      const ratio = measureMode(rod, (4 * length) / ((2 * n - 1) * 1e3), signal);
      expect(Math.abs(ratio - 1)).toBeLessThan(TOLERANCE + (wave * DU) ** 2 / 12);
    });
});
