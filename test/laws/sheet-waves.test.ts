/** Vibrations of a sheet: waves along it, across it under tension, and of its own stiffness. */
import { type Sheet, type SheetMaterial, STRIDE } from 'heddle/sheet';
import { createFix, type Driver, World } from 'heddle/world';
import { expect, test } from 'vitest';
import { measurePeriod } from './measure.ts';
import { createCloth, createRectangle, createSheet, findVertices } from './sheets.ts';

const LENGTH = 1;
const DENSITY = 0.2;
const material = (membrane: SheetMaterial['membrane'], bending: SheetMaterial['bending']): SheetMaterial => ({
  ...createCloth(1, DENSITY),
  membrane,
  bending,
});

const isEnd = (a: number): boolean => a < 1e-9 || a > LENGTH - 1e-9;

/** A strip along the warp, stretched by `strain`, each vertex displaced by `shape` times a small amplitude along coordinate k. */
function createStrip(one: SheetMaterial, strain: number, k: number, shape: (s: number) => number): Sheet {
  const sheet = createSheet(createRectangle('alternating', LENGTH, 0.1, 0.05), one, { gravity: [0, 0, 0] }, (a, b) => [
    (1 + strain) * a,
    b,
    0,
  ]);
  const { q, count } = sheet.state;
  for (let i = 0; i < count; i++) q[STRIDE * i + k] += 1e-4 * shape(q[STRIDE * i + 3] / LENGTH);
  return sheet;
}

const holdEnds = (sheet: Sheet, components: ('x' | 'y' | 'z')[]): Driver[] =>
  findVertices(sheet, isEnd).map((label) => createFix({ model: sheet, label }, components));

/** Period of coordinate k of the vertex at s, about its mean place. */
function measure(sheet: Sheet, drivers: Driver[], timeStep: number, s: number, k: number, rest: number): number {
  const [vertex] = findVertices(sheet, (a, b) => Math.abs(a - s) < 1e-9 && b < 1e-9);
  const world = new World({ models: [sheet], drivers, timeStep, integrator: 'sdirk2' });
  return measurePeriod(world, () => sheet.state.q[STRIDE * vertex + k] - rest, 3);
}

test('a strip free at both ends rings with 2 L/c, c = √(C₁₁/ρ)', () => {
  const C = 2000;
  const sheet = createStrip(material([C, C, 0, C / 2], [0, 0, 0, 0]), 0, 0, (s) => Math.cos(Math.PI * s));
  const flat = findVertices(sheet, () => true).map((label) => createFix({ model: sheet, label }, ['y', 'z']));
  const exact = (2 * LENGTH) / Math.sqrt(C / DENSITY);
  // 20 cells a half wave, consistent mass: 1 + (π/20)²/24 too fast
  expect(measure(sheet, flat, exact / 100, 0, 0, 0) / exact).toBeCloseTo(1, 2);
});

test('a strip under tension T between two ends rings with 2 L/c, c = √(T/ρ)', () => {
  const [C, strain] = [2000, 0.01];
  const sheet = createStrip(material([C, C, 0, C / 2], [0, 0, 0, 0]), strain, 2, (s) => Math.sin(Math.PI * s));
  // C ε per material width; mass per length of the stretched strip is less by 1 + ε
  const exact = (2 * LENGTH * (1 + strain)) / Math.sqrt((C * strain * (1 + strain)) / DENSITY);
  expect(measure(sheet, holdEnds(sheet, ['x', 'y', 'z']), exact / 100, 0.5, 2, 0) / exact).toBeCloseTo(1, 2);
});

test('a strip on two supports rings with its own stiffness: ω = π²/L² √(B₁₁/ρ)', () => {
  const B = 0.01;
  const sheet = createStrip(material([2000, 2000, 0, 1000], [B, B, 0, B / 2]), 0, 2, (s) => Math.sin(Math.PI * s));
  const exact = (2 * Math.PI) / ((Math.PI / LENGTH) ** 2 * Math.sqrt(B / DENSITY));
  expect(measure(sheet, holdEnds(sheet, ['y', 'z']), exact / 100, 0.5, 2, 0) / exact).toBeCloseTo(1, 1.5);
});
