/** A taut string: standing and running. */
import { CANCEL_X } from 'heddle/model';
import { Strand } from 'heddle/strand';
import { measureString } from 'heddle/validate';
import { createVelocity, World } from 'heddle/world';
import { expect, test } from 'vitest';
import { measurePeriod } from './measure.ts';

const RHO_A = 0.01;

for (const [strain, EA] of [
  [0.02, 500],
  [0.1, 300],
  [0.02, 2000],
] as const)
  test(`a taut string rings with ω₁ = π c/L, c = √(T λ/ρA), strain ${strain}, EA ${EA} N`, () => {
    const period = 2 / Math.sqrt((EA * strain * (1 + strain)) / RHO_A);
    // 300 steps a period: (ω h)²/… ≈ 1e-4; 40 uneven segments: (π/40)²/24 ≈ 3e-4
    expect(Math.abs(measureString(EA, strain, 41, period) / period - 1)).toBeLessThan(1e-3);
  });

for (const ratio of [0, 0.3, 0.55])
  test(`a string that runs at V rings with ω₁ = π (c² − V²)/(c L) on stations fixed along it and free across, V = ${ratio} c`, () => {
    // every node between the eyelets is Eulerian: the Doppler shift comes from Ṁq̇ − ∂T/∂q alone
    const [L, strain, EA, stations] = [1, 0.05, 400, 24];
    const lambda = 1 + strain;
    const c = Math.sqrt((EA * strain * lambda) / RHO_A);
    const V = ratio * c;
    const predicted = (2 * L * c) / (c * c - V * V);
    const tail = L + 3 * V * predicted;
    const length = tail + 1.5 * L;
    const strand = new Strand({
      id: 'string',
      material: { radius: 0.001, linearDensity: RHO_A, stretchStiffness: EA, bendingStiffness: 0 },
      points: [
        [-tail, 0, 0],
        ...Array.from({ length: stations + 1 }, (_, i): [number, number, number] => [
          (L * i) / stations,
          1e-3 * Math.sin((Math.PI * i) / stations),
          0,
        ]),
        [1.5 * L, 0, 0],
      ],
      restLength: length / lambda,
      nodes: Math.round((0.45 * stations * length) / L),
      slide: -V / lambda,
      guides: Array.from({ length: stations + 1 }, (_, i) => ({
        id: `station ${i}`,
        point: [(L * i) / stations, 1e-3 * Math.sin((Math.PI * i) / stations), 0] as const,
      })),
      gravity: [0, 0, 0],
      keep: ['start', 'end'],
    });
    const { state } = strand;
    /** Frees the inner stations across the string. */
    const freeStations = {
      prepare: () => {
        for (const guide of state.guides.slice(1, -1)) state.chain.cancelled[state.indexOf(guide.label)] = CANCEL_X;
      },
      aim: () => {},
    };
    const ends = (['start', 'end'] as const).map((at) => ({ model: strand, label: state.findLabel(at) }));
    const world = new World({
      models: [strand],
      drivers: [freeStations, ...ends.map((end) => createVelocity(end, [V, 0, 0]))],
      timeStep: predicted / 250,
      integrator: 'sdirk2',
      newtonIterations: 50,
    });
    const middle = state.guides[stations / 2].label;
    const measured = measurePeriod(world, () => state.chain.q[4 * state.indexOf(middle) + 1], 3);
    expect(Math.abs(measured / predicted - 1)).toBeLessThan(1e-3);
  });
