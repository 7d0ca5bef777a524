/** Swatches of woven cloth (`measureSwatch`) against what their yarns say. */
import { HeddleError } from 'heddle';
import { createPlainWeave, createTwill } from 'heddle/patterns';
import { makeSwatchCloth, SWATCH_WARP, SWATCH_WEFT } from 'heddle/validate';
import { measureSwatch, type SwatchCloth, type SwatchOptions } from 'heddle/world';
import { describe, expect, test } from 'vitest';

const measure = (cloth: SwatchCloth, name: string, options: SwatchOptions = {}) =>
  measureSwatch(cloth, { tests: [name], size: [4e-3, 1e-2], points: 4, ...options })[0];

describe('a swatch of straight yarns', () => {
  const cloth = makeSwatchCloth(createPlainWeave(), false);

  // grips go with the yarns and nothing else is stretched: exact up to what is left of motion
  test.each([
    ['stretch-warp', SWATCH_WARP.stretchStiffness / 4e-4],
    ['stretch-weft', SWATCH_WEFT.stretchStiffness / 5e-4],
  ])('%s has the force EA ε/p per width', (name, stiffness) => {
    for (const { strain, stress } of measure(cloth, name).points.slice(1))
      expect(stress / (stiffness * strain)).toBeCloseTo(1, 6);
  });

  // the polygon of the yarns is a solution of the discrete rod: EI θ²/(2p) for each turn θ = κp
  test.each([
    ['bend-warp', SWATCH_WARP.bendingStiffness / 4e-4],
    ['bend-weft', SWATCH_WEFT.bendingStiffness / 5e-4],
  ])('%s has the moment EI κ/p per width', (name, stiffness) => {
    for (const { strain, stress } of measure(cloth, name).points.slice(1))
      expect(stress / (stiffness * strain)).toBeCloseTo(1, 6);
  });

  // ½ k_x L γ² at each of the crossings, which have p_warp p_weft each; yarns end beside the frame, so that its outer crossings push a little more on their neighbours
  test('in a picture frame has the shear force k_x L γ/(p_warp p_weft) per length', () => {
    const { shearStiffness, spacing } = cloth.layer;
    const G = (shearStiffness * spacing) / (4e-4 * 5e-4);
    for (const { strain, stress } of measure(cloth, 'shear').points.slice(1))
      expect(Math.abs(stress / (G * strain) - 1)).toBeLessThan(2e-3);
  });
});

describe('plain weave', () => {
  const cloth = makeSwatchCloth(createPlainWeave(), true);
  const curves = new Map(
    measureSwatch(cloth, {
      tests: ['stretch-warp', 'stretch-weft', 'stretch-bias'],
      size: [4e-3, 1e-2],
      points: 4,
    }).map((curve) => [curve.test.name, curve]),
  );

  test('warp and weft have the same curve', () => {
    const [warp, weft] = [curves.get('stretch-warp')!, curves.get('stretch-weft')!];
    expect(warp.nodes).toBe(weft.nodes);
    warp.points.slice(1).forEach(({ strain, stress }, n) => {
      expect(weft.points[n + 1].strain).toBe(strain);
      expect(weft.points[n + 1].stress / stress).toBeCloseTo(1, 6);
    });
  });

  // inextensible yarns that shear evenly by γ = 2ε have σ = 4 G ε, G = k_x L/p²: grips that keep the width add to it; with EA/p = 175 kN/m and G = 58 N/m that is far below
  test('on the bias it is as soft as its crossings turn, hundreds of times softer than along the yarns', () => {
    const bias = curves.get('stretch-bias')!;
    const G = cloth.layer.shearStiffness / cloth.layer.spacing;
    expect(bias.initialStiffness).toBeGreaterThan(4 * G);
    expect(bias.initialStiffness).toBeLessThan(8 * G);
    const ratio = curves.get('stretch-warp')!.initialStiffness / bias.initialStiffness;
    expect(ratio).toBeGreaterThan(200);
    for (const { kineticShare } of bias.points) expect(kineticShare).toBeLessThan(1e-9);
  });

  test('on the bias it stiffens when its yarns turn into the pull', () => {
    const { points } = measure(cloth, 'stretch-bias', { strain: 0.3, points: 6, size: [2.4e-3, 6e-3] });
    const slope = (n: number) => (points[n].stress - points[n - 1].stress) / (points[n].strain - points[n - 1].strain);
    expect(slope(6)).toBeGreaterThan(3 * slope(1));
  });

  test('a curve does not depend on how many points it is measured at', () => {
    const few = measure(cloth, 'stretch-bias', { strain: 0.04, points: 1 }).points[1];
    const many = measure(cloth, 'stretch-bias', { strain: 0.04, points: 4 }).points[4];
    expect(few.stress / many.stress).toBeCloseTo(1, 9);
  });
});

describe('swatches are refused', () => {
  const cloth = makeSwatchCloth(createTwill({ over: 2, under: 2 }), true);

  test.each<[string, SwatchOptions, string]>([
    ['of a test that there is not a validt', { tests: ['stretch-wrap'] }, '"stretch-wrap" is not a swatch test'],
    ['of fewer than four yarns', { size: [1e-3, 1e-2] }, '3 × 25 yarns; stretch-warp needs 4 in each direction'],
    [
      'on the bias where yarns are held twice',
      { tests: ['stretch-bias'], size: [1e-2, 1e-2] },
      'too short for the bias',
    ],
  ])('in one sentence: %s', (_, options, sentence) => {
    expect(() => measureSwatch(cloth, options)).toThrow(HeddleError);
    expect(() => measureSwatch(cloth, options)).toThrow(sentence);
  });
});
