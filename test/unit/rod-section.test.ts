/** Cross-sections: areas, moments and torsion constants against integrals and series; overrides. */
import { computeRodMaterial, type RodSection } from 'heddle/rod';
import { describe, expect, test } from 'vitest';

const E = 2e9;
const NU = 0.3;
const G = E / (2 * (1 + NU));
const RHO = 1200;
const MATERIAL = { youngsModulus: E, poissonRatio: NU, density: RHO };

/** ∫ dA, ∫ y² dA, ∫ x² dA over a shape given by the half height at x, |x| < half: the midpoint rule. */
function integrate(half: number, height: (x: number) => number): [number, number, number] {
  const n = 200_000;
  const dx = (2 * half) / n;
  const sums: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const x = -half + (i + 0.5) * dx;
    const h = height(x);
    sums[0] += 2 * h * dx;
    sums[1] += (2 / 3) * h ** 3 * dx;
    sums[2] += x * x * 2 * h * dx;
  }
  return sums;
}

describe('a section has A, I₁ = ∫ y², I₂ = ∫ x², x along d₁', () => {
  const cases: readonly [string, RodSection, [number, number, number], number, number][] = [
    ['circle', { shape: 'circle', radius: 2e-3 }, integrate(2e-3, (x) => Math.sqrt(4e-6 - x * x)), 0.9, 2e-3],
    [
      'ellipse',
      { shape: 'ellipse', a: 3e-3, b: 1e-3 },
      integrate(3e-3, (x) => 1e-3 * Math.sqrt(1 - (x / 3e-3) ** 2)),
      0.9,
      1e-3,
    ],
    ['rectangle', { shape: 'rectangle', width: 4e-3, thickness: 1e-3 }, integrate(2e-3, () => 5e-4), 5 / 6, 5e-4],
    [
      'upright rectangle',
      { shape: 'rectangle', width: 1e-3, thickness: 5e-3 },
      integrate(5e-4, () => 2.5e-3),
      5 / 6,
      5e-4,
    ],
  ];
  for (const [name, section, [area, first, second], shear, radius] of cases)
    test(name, () => {
      const made = computeRodMaterial(MATERIAL, section);
      const near = (value: number, expected: number) => expect(Math.abs(value / expected - 1)).toBeLessThan(1e-6);
      near(made.linearDensity, RHO * area);
      near(made.stretch[2], E * area);
      near(made.stretch[0], shear * G * area);
      near(made.stretch[1], shear * G * area);
      near(made.bend[0], E * first);
      near(made.bend[1], E * second);
      near(made.inertia[0], RHO * first);
      near(made.inertia[1], RHO * second);
      near(made.inertia[2], RHO * (first + second));
      expect(made.radius).toBe(radius);
    });
});

describe('a section has the torsion constant of de Saint-Venant', () => {
  test('circle: π r⁴/2', () => {
    const { bend } = computeRodMaterial(MATERIAL, { shape: 'circle', radius: 1.5e-3 });
    expect(bend[2] / ((G * Math.PI * 1.5e-3 ** 4) / 2)).toBeCloseTo(1, 12);
  });

  test('ellipse: π a³ b³/(a² + b²), that of a circle where a = b', () => {
    const { bend } = computeRodMaterial(MATERIAL, { shape: 'ellipse', a: 2e-3, b: 1e-3 });
    expect(bend[2] / ((G * Math.PI * 8e-18) / 5e-6)).toBeCloseTo(1, 12);
    const round = computeRodMaterial(MATERIAL, { shape: 'ellipse', a: 2e-3, b: 2e-3 });
    expect(round.bend[2] / computeRodMaterial(MATERIAL, { shape: 'circle', radius: 2e-3 }).bend[2]).toBeCloseTo(1, 12);
  });

  // J = w t³/3 (1 − 192 t/(π⁵ w) Σ_{odd n} tanh(n π w/2t)/n⁵)
  for (const ratio of [1, 1.5, 2, 4, 10, 50])
    test(`rectangle, w/t = ${ratio}: the series, within 0.5 %, both ways up`, () => {
      const [t, w] = [1e-3, ratio * 1e-3];
      let sum = 0;
      for (let n = 1; n < 200; n += 2) sum += Math.tanh((n * Math.PI * w) / (2 * t)) / n ** 5;
      const exact = ((w * t ** 3) / 3) * (1 - ((192 * t) / (Math.PI ** 5 * w)) * sum);
      for (const [width, thickness] of [
        [w, t],
        [t, w],
      ]) {
        const { bend } = computeRodMaterial(MATERIAL, { shape: 'rectangle', width, thickness });
        expect(Math.abs(bend[2] / (G * exact) - 1)).toBeLessThan(5e-3);
      }
    });
});

describe('what is given directly', () => {
  test('takes the place of what the section would give', () => {
    const section: RodSection = { shape: 'rectangle', width: 4e-3, thickness: 1e-3 };
    const plain = computeRodMaterial(MATERIAL, section);
    const made = computeRodMaterial(
      { ...MATERIAL, bendingStiffness: 3 * plain.bend[0], stretchStiffness: 17, linearDensity: 0.5, friction: 0.4 },
      section,
    );
    expect(made.bend[0] / plain.bend[0]).toBeCloseTo(3, 12);
    expect(made.bend[1] / plain.bend[1]).toBeCloseTo(3, 12);
    expect(made.bend[2] / plain.bend[2]).toBeCloseTo(3, 12);
    expect(made.stretch[2]).toBe(17);
    expect(made.linearDensity).toBe(0.5);
    expect(made.friction).toBe(0.4);
    const direct = computeRodMaterial(MATERIAL, section, { twistStiffness: 0.01, shearStiffness: 5 });
    expect(direct.bend[2]).toBe(0.01);
    expect(direct.bend[0]).toBe(plain.bend[0]);
    expect([...direct.stretch.slice(0, 2)]).toEqual([5, 5]);
  });

  test('the circle of the material is taken where there is no section', () => {
    expect(computeRodMaterial({ ...MATERIAL, radius: 2e-3 })).toEqual(
      computeRodMaterial(MATERIAL, { shape: 'circle', radius: 2e-3 }),
    );
  });

  test('a material that says too little is refused with what it lacks', () => {
    expect(() => computeRodMaterial(MATERIAL)).toThrow(/radius.*section/);
    expect(() => computeRodMaterial({ youngsModulus: E, radius: 1e-3 })).toThrow(/density/);
    expect(() => computeRodMaterial({ density: RHO, radius: 1e-3 })).toThrow(/youngsModulus/);
  });
});
