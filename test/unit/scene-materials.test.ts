import { computeStrandMaterial, DEFAULT_FRICTION, MATERIAL_PRESETS, tex } from 'heddle/model';
import { sceneSchema } from 'heddle/scene';
import { describe, expect, test } from 'vitest';

describe('computeStrandMaterial', () => {
  test('derives ρA, EA and EI of a solid round section', () => {
    const [density, radius, youngsModulus] = [1140, 5e-4, 2.7e9];
    const material = computeStrandMaterial({ density, radius, youngsModulus });
    expect(material.linearDensity).toBeCloseTo(density * Math.PI * radius ** 2, 15);
    expect(material.stretchStiffness / (youngsModulus * Math.PI * radius ** 2)).toBeCloseTo(1, 14);
    expect(material.bendingStiffness / ((youngsModulus * Math.PI * radius ** 4) / 4)).toBeCloseTo(1, 14);
    expect(material.friction).toBe(DEFAULT_FRICTION);
  });

  test('lets direct values win; EI from EA alone is EA r²/4', () => {
    const given = { density: 1, radius: 0.1, youngsModulus: 1, linearDensity: 2, stretchStiffness: 3, friction: 0 };
    expect(computeStrandMaterial({ ...given, bendingStiffness: 0 })).toEqual({
      linearDensity: 2,
      stretchStiffness: 3,
      bendingStiffness: 0,
      radius: 0.1,
      friction: 0,
    });
    const solid = computeStrandMaterial({ linearDensity: 1, radius: 0.1, stretchStiffness: 100 });
    expect(solid.bendingStiffness).toBeCloseTo((100 * 0.1 ** 2) / 4, 14);
  });

  test('a yarn count is a mass per length, and with a density it gives the radius', () => {
    const count = { youngsModulus: 1e9, density: 900 };
    for (const [unit, value, perLength] of [
      ['tex', 30, 30e-6],
      ['dtex', 300, 30e-6],
      ['denier', 270, 30e-6],
      ['Nm', 100 / 3, 30e-6],
      ['Ne', 590.5412 / 30, 30e-6],
    ] as const) {
      const material = computeStrandMaterial({ ...count, yarnCount: { unit, value } });
      expect(material.linearDensity / perLength).toBeCloseTo(1, 4);
      expect(900 * Math.PI * material.radius ** 2).toBeCloseTo(material.linearDensity, 15);
    }
    const wide = computeStrandMaterial({ ...count, radius: 1e-3, yarnCount: { unit: 'tex', value: 30 } });
    expect([wide.radius, wide.linearDensity]).toEqual([1e-3, tex(30)]);
  });

  test('says what is missing', () => {
    expect(() => computeStrandMaterial({ radius: 1, youngsModulus: 1 })).toThrow('neither density nor linearDensity');
    expect(() => computeStrandMaterial({ radius: 1, density: 1 })).toThrow('neither youngsModulus nor stretch');
  });
});

describe('named materials', () => {
  test.each(MATERIAL_PRESETS.map((preset) => [preset.name, preset] as const))(
    '%s is usable in a scene',
    (_, preset) => {
      const { name, title, source, ...description } = preset;
      expect(name).toMatch(/^[a-z0-9-]+$/);
      expect(title.length * source.length).toBeGreaterThan(0);
      expect(sceneSchema.shape.materials.unwrap().valueType.safeParse(description).success).toBe(true);
      // no rope bends harder than a solid rod of the same modulus
      const material = computeStrandMaterial(preset);
      const solid = computeStrandMaterial({ ...preset, bendingStiffness: undefined });
      expect(material.bendingStiffness).toBeGreaterThan(0);
      expect(material.bendingStiffness).toBeLessThanOrEqual(solid.bendingStiffness);
    },
  );

  test('have unique names', () => {
    expect(new Set(MATERIAL_PRESETS.map((preset) => preset.name)).size).toBe(MATERIAL_PRESETS.length);
  });

  test('agree with the weight and stretch their sources state', () => {
    const find = (name: string) => computeStrandMaterial(MATERIAL_PRESETS.find((preset) => preset.name === name)!);
    expect(find('climbing-rope-10mm').linearDensity).toBeCloseTo(0.065, 3);
    expect((80 * 9.81) / find('climbing-rope-10mm').stretchStiffness).toBeCloseTo(0.08, 3);
    expect(find('cotton-thread').linearDensity).toBeCloseTo(30e-6, 7);
    expect(find('cotton-yarn').linearDensity).toBeCloseTo(29.5e-6, 7);
    expect(find('cotton-yarn').stretchStiffness).toBeCloseTo(68, 0);
    expect(find('denim-yarn').linearDensity).toBeCloseTo(84.4e-6, 7);
    expect(find('denim-yarn').stretchStiffness).toBeCloseTo(169, 0);
    expect(find('wool-yarn').linearDensity).toBeCloseTo(71.4e-6, 7);
    expect(find('wool-yarn').stretchStiffness).toBeCloseTo(35, 0);
    expect(find('steel-wire-rope-4mm').linearDensity).toBeCloseTo(0.062, 3);
    expect(find('kite-line-dyneema-1mm').linearDensity).toBeCloseTo(0.5e-3, 5);
    expect(find('hemp-rope-8mm').stretchStiffness / 48e3).toBeCloseTo(1, 2);
    expect(find('nylon-cord-2mm').stretchStiffness / 3.8e3).toBeCloseTo(1, 1);
  });
});
