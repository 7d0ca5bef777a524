/** A taut string: standing and running. */
import { CANCEL_X } from 'heddle/model';
import { Strand } from 'heddle/strand';
import { createVelocity, World } from 'heddle/world';
import { expect, test } from 'vitest';
import { createWorld, measurePeriod, readProbe, unevenFractions } from './measure.ts';

const RHO_A = 0.01;

for (const [strain, EA] of [
  [0.02, 500],
  [0.1, 300],
  [0.02, 2000],
] as const)
  test(`wave speed: ω₁ = π c/L, c = √(T λ/ρA), strain ${strain}, EA ${EA} N`, () => {
    // T = EA (λ − 1); ρA is mass per material length, so per world length it is ρA/λ
    const L = 1;
    const lambda = 1 + strain;
    const c = Math.sqrt((EA * strain * lambda) / RHO_A);
    const amplitude = 1e-4;
    const fractions = unevenFractions(41);
    const world = createWorld({
      gravity: [0, 0, 0],
      objects: [
        {
          type: 'strand',
          id: 'string',
          material: { radius: 0.001, linearDensity: RHO_A, stretchStiffness: EA, bendingStiffness: 0 },
          points: fractions.map((s): [number, number, number] => [L * s, amplitude * Math.sin(Math.PI * s), 0]),
          restLength: L / lambda,
          nodes: fractions,
        },
      ],
      drivers: [
        { type: 'pin', on: { object: 'string', at: 'start' } },
        { type: 'pin', on: { object: 'string', at: 'end' } },
      ],
      probes: [{ id: 'middle', type: 'position', on: { object: 'string', at: 0.5 } }],
      time: { step: L / c / 150, duration: 100, integrator: 'sdirk2' },
      solver: { newtonIterations: 10 },
    });
    const measured = measurePeriod(world, () => readProbe(world, 'middle.y'), 4);
    // 300 steps a period: (ω h)²/… ≈ 1e-4; 40 uneven segments: (π/40)²/24 ≈ 3e-4
    expect(Math.abs((measured * c) / (2 * L) - 1)).toBeLessThan(1e-3);
  });

for (const ratio of [0, 0.3, 0.55])
  test(`running string: ω₁ = π (c² − V²)/(c L) between eyelets, V = ${ratio} c`, () => {
    // all modes of a running string are multiples of ω₁, so any motion has this period
    const [L, strain, EA] = [1, 0.05, 400];
    const lambda = 1 + strain;
    const c = Math.sqrt((EA * strain * lambda) / RHO_A);
    const V = ratio * c;
    const predicted = (2 * L * c) / (c * c - V * V);
    const crossings = 3;
    const tail = L + crossings * V * predicted;
    const inner = Array.from({ length: 31 }, (_, i) => i / 30);
    const world = createWorld({
      gravity: [0, 0, 0],
      objects: [
        {
          type: 'strand',
          id: 'string',
          material: { radius: 0.001, linearDensity: RHO_A, stretchStiffness: EA, bendingStiffness: 0 },
          points: [
            [-tail, 0, 0],
            ...inner.map((s): [number, number, number] => [L * s, 1e-3 * Math.sin(Math.PI * s), 0]),
            [L + 0.5 * L, 0, 0],
          ],
          restLength: (tail + 1.5 * L) / lambda,
          nodes: unevenFractions(Math.round((24 * (tail + 1.5 * L)) / L)),
          slide: -V / lambda,
          guides: [
            { id: 'left', point: [0, 0, 0] },
            { id: 'right', point: [L, 0, 0] },
          ],
        },
      ],
      drivers: [
        { type: 'velocity', on: { object: 'string', at: 'start' }, value: [V, 0, 0] },
        { type: 'velocity', on: { object: 'string', at: 'end' }, value: [V, 0, 0] },
      ],
      time: { step: predicted / 250, duration: 100, integrator: 'sdirk2' },
      solver: { newtonIterations: 20 },
    });
    /** Lateral position of the string at the world station x = L/2. */
    const signal = () => {
      const { x } = world.frame().objects[0];
      let i = 0;
      while (x[3 * i + 3] < 0.5 * L) i++;
      const t = (0.5 * L - x[3 * i]) / (x[3 * i + 3] - x[3 * i]);
      return x[3 * i + 1] + t * (x[3 * i + 4] - x[3 * i + 1]);
    };
    const measured = measurePeriod(world, signal, crossings);
    // 24 uneven segments between the eyelets: measured 5e-4, and 1e-4 with 48
    expect(Math.abs(measured / predicted - 1)).toBeLessThan(1e-3);
  });

for (const ratio of [0, 0.3, 0.55])
  test(`running string: ω₁ = π (c² − V²)/(c L) on stations fixed along it, free across, V = ${ratio} c`, () => {
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
