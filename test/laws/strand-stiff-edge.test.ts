/** Friction of strands with bending stiffness at edges and rounds: it comes from the push on the node, whatever the mesh. */
import { measureStiffEdge, predictStiffEdge } from 'heddle/validate';
import { expect, test } from 'vitest';
import { createWorld } from './measure.ts';

test('an elastica on both sides of one Coulomb contact slips at T₂/T₁ = (√(1 + m²) + m)², m = μ sin ½d', () => {
  // 1.326 for 90° and μ = 0.2, by hand: r² − 2.08 r + 1 = 0
  expect(predictStiffEdge(0.2, Math.PI / 2)).toBeCloseTo(1.04 + Math.sqrt(1.04 ** 2 - 1), 10);
  for (const mu of [0.05, 0.3, 0.8])
    for (const d of [0.3, 1, 2]) {
      const m = mu * Math.sin(d / 2);
      expect(predictStiffEdge(mu, d)).toBeCloseTo((Math.sqrt(1 + m * m) + m) ** 2, 8);
    }
});

for (const nodes of [41, 81, 161, 321])
  for (const direction of [1, -1] as const)
    test(`a cable of 12 mm with EI = 1.5 N m² under 500 kg, ${direction > 0 ? 'pulled up' : 'let down'} over an edge of 90° with μ = 0.2, slips at T₂/T₁ = 1.326^±1 with ${nodes} nodes`, () => {
      const ratio = measureStiffEdge({ friction: 0.2, turn: Math.PI / 2, nodes, direction });
      expect(Math.abs(ratio / predictStiffEdge(0.2, Math.PI / 2) ** direction - 1)).toBeLessThan(0.01);
    });

for (const nodes of [41, 161])
  test(`the edge of a box holds a stiff cable as an elastica on both sides of one contact says, with ${nodes} nodes`, () => {
    const ratio = measureStiffEdge({ friction: 0.2, turn: Math.PI / 2, nodes, site: 'box' });
    expect(Math.abs(ratio / predictStiffEdge(0.2, Math.PI / 2) - 1)).toBeLessThan(0.01);
  });

for (const nodes of [41, 161])
  test(`a round guide holds a stiff cable by the turn of the pulls on it, T₂/T₁ = exp(μ d), with ${nodes} nodes`, () => {
    const ratio = measureStiffEdge({ friction: 0.2, turn: Math.PI / 2, nodes, site: 'round' });
    expect(Math.abs(ratio / Math.exp(0.1 * Math.PI) - 1)).toBeLessThan(0.01);
  });

test('a straight stiff cable without load runs through guides with friction as through one without', () => {
  const measure = (friction: number, law: 'edge' | 'round') => {
    const world = createWorld({
      gravity: [0, 0, 0],
      objects: [
        {
          type: 'strand',
          id: 'cable',
          material: { radius: 0.006, linearDensity: 0.5, stretchStiffness: 2e6, bendingStiffness: 1.5 },
          points: [
            [-1, 0, 0],
            [1, 0, 0],
          ],
          velocity: [1, 0, 0],
          nodes: 40,
          guides: [{ id: 'edge', point: [0, 0, 0], friction, law }],
        },
      ],
      time: { step: 1e-3, duration: 1 },
    });
    for (let n = 0; n < 20; n++) world.step();
    return world.energy().kinetic;
  };
  const free = measure(0, 'edge');
  expect(free).toBeGreaterThan(0.4);
  for (const law of ['edge', 'round'] as const) expect(measure(0.5, law) / free).toBeCloseTo(1, 6);
});
