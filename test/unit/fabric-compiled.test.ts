/** The compiled loops of a fabric's assembly have the bits of those in TypeScript, on one domain and on two. */
import { addLayerContacts } from 'heddle/fabric';
import { createRandom, quaternionFromAxisAngle } from 'heddle/math';
import { computeEnergy, NetPart } from 'heddle/model';
import { joinNets, placeNet } from 'heddle/patterns';
import { expect, test } from 'vitest';
import { CompiledAssembly } from '../../src/fabric/compiled-assembly.ts';
import type { Fabric, FabricOptions } from '../../src/fabric/index.ts';
import { addSegments, type FabricStage } from '../../src/fabric/segments.ts';
import type { FabricSystem } from '../../src/fabric/terms.ts';
import { createFabric, createNet, createPlainNet, LAYER, SPACING, YARN } from '../laws/fabrics.ts';

const MATERIALS = [
  { ...YARN, bendingStiffness: 3e-5, restFactor: 0.97 },
  { ...YARN, linearDensity: 4e-3, stretchStiffness: 700 },
  { ...YARN, bendingStiffness: 0 },
];

/** Moves everything about; where it is `flat` bends stay straight, which has formulas of its own. */
function shake({ state }: Fabric, flat: boolean): void {
  const random = createRandom(7);
  const { q, v, qBase, vBase, yarn, yarnMaterial, count } = state;
  for (let k = 0; k < 3 * count; k++) state.gap[k] = random.uniform(-0.1, 0.1) * SPACING;
  for (let y = 0; y < state.yarnCount; y++) yarnMaterial[y] = y % MATERIALS.length;
  for (let k = 0; k < 5 * count; k++) {
    const isThere = k % 5 < 3 || yarn[2 * Math.floor(k / 5) + (k % 5) - 3] >= 0;
    qBase[k] = q[k] + (isThere ? random.uniform(-0.1, 0.1) * SPACING : 0);
    if (isThere && !flat) q[k] += random.uniform(-0.2, 0.2) * SPACING;
    v[k] = isThere ? random.uniform(-1, 1) : 0;
    vBase[k] = isThere ? random.uniform(-1, 1) : 0;
  }
}

/** Matrix, right-hand side and forces of sides, by both kinds of loops. */
function assembleBoth(
  fabric: Fabric,
  stage: FabricStage,
  isWhole: boolean,
): { systems: FabricSystem[]; part: NetPart } {
  const { state, stencils, terms } = fabric;
  const compiled = new CompiledAssembly();
  const room = compiled.computeRoom(state, stencils);
  const part = new NetPart('cloth', stencils.pattern, undefined, undefined, state.capacity, room);
  compiled.layOut(part, state, stencils, terms);
  const systems = [true, false].map((isCompiled) => {
    const values = isWhole ? (isCompiled ? part.matrix.values : new Float64Array(part.matrix.values.length)) : null;
    const rhs = new Float64Array(5 * state.capacity);
    const system = { values, rhs, sideForce: isWhole ? null : new Float64Array(6 * state.capacity), moved: null };
    if (isCompiled) expect(compiled.write(state, stage, system)).toBe(true);
    else addSegments(state, stencils, stage, values, rhs, system.sideForce);
    terms.add(state, stencils, stage, system, isCompiled);
    return system;
  });
  const energy = { kinetic: 0, stretch: 0, bending: 0, gravity: 0, contact: 0, total: 0 };
  expect(compiled.addEnergy(state, energy)).toBe(true);
  terms.addEnergy(state, stencils, energy, true);
  const { stretch, bending, contact } = computeEnergy([fabric]);
  expect([energy.stretch, energy.bending, energy.contact]).toEqual([stretch, bending, contact]);
  expect(stretch).toBeGreaterThan(0);
  return { systems, part };
}

function expectSame({ systems: [compiled, plain] }: { systems: FabricSystem[] }): void {
  for (const name of ['values', 'rhs', 'sideForce'] as const) {
    const [a, b] = [compiled[name], plain[name]];
    expect(a === null).toBe(b === null);
    if (a === null || b === null) continue;
    expect(b.some((value) => value !== 0)).toBe(true);
    expect(a.findIndex((value, k) => !Object.is(value, b[k]))).toBe(-1);
  }
}

const STAGE: FabricStage = {
  h: 1e-3,
  linearized: false,
  keepsMomentum: true,
  isExact: true,
  isGuess: false,
  massDamping: 0.3,
  stiffnessDamping: 1e-4,
  gravity: Float64Array.of(1, -9.81, 2),
};
const OPTIONS: Partial<FabricOptions> = { materials: MATERIALS, gravity: [1, -9.81, 2] };

for (const [name, change] of [
  ['exact', {}],
  ['linearised', { linearized: true, isExact: false }],
  ['second order', { keepsMomentum: false }],
  ['a guess', { isGuess: true }],
  ['a guess, positive part', { isGuess: true, isExact: false }],
  ['positive part, no damping', { isExact: false, massDamping: 0, stiffnessDamping: 0 }],
] as const)
  for (const isFlat of [false, true])
    test(`${isFlat ? 'flat' : 'crumpled'} cloth: ${name}`, () => {
      const fabric = createFabric(createPlainNet(5, 6), OPTIONS);
      shake(fabric, isFlat);
      for (const isWhole of [true, false]) expectSame(assembleBoth(fabric, { ...STAGE, ...change }, isWhole));
    });

test('a yarn that crosses itself: both sides of a bend are one node', () => {
  const nodes = [1, 2, 3].map((u) => ({ x: [u, 0.3 * u * u, 0] as const, sides: [[0, u] as const] }));
  const crossing = { x: [1, 2, 0.2] as const, sides: [[0, 0.5] as const, [0, 1.5] as const] };
  const net = createNet([{ length: 6 }], [...nodes, crossing]);
  const fabric = createFabric(net, { materials: MATERIALS, layers: [{ ...LAYER, spacing: 1 }] });
  const { sides } = fabric.stencils.bends;
  expect(sides[0] >> 1).toBe(sides[2] >> 1);
  shake(fabric, false);
  for (const isWhole of [true, false]) expectSame(assembleBoth(fabric, STAGE, isWhole));
});

test('the compiled kernels of a fabric agree with TypeScript on two domains and two threads', () => {
  const fabric = createFabric(createPlainNet(64, 64), OPTIONS);
  shake(fabric, false);
  const { systems, part } = assembleBoth(fabric, STAGE, true);
  expect(part.solver.layout.domains).toBe(2);
  expectSame({ systems });
  part.solver.dispose();
});

for (const [across, list] of [
  [0.4, 'singles'],
  [0.05, 'doubles'],
] as const)
  for (const linearized of [false, true])
    test(`the compiled kernels of a fabric agree with TypeScript for contacts of EIL nodes, ${list}, ${linearized ? 'linearised' : 'exact'}`, () => {
      const turn = quaternionFromAxisAngle([0, 1, 0], 0.004);
      const upper = placeNet(createPlainNet(3), [0.03 * SPACING, 0, across * SPACING], turn);
      const layers = [LAYER, { ...LAYER, spacing: 1.1 * SPACING }];
      const net = addLayerContacts(joinNets([createPlainNet(3), upper]), { layers, materials: MATERIALS });
      const fabric = createFabric(net, { ...OPTIONS, layers, friction: new Float64Array(4) });
      expect(fabric.stencils[list].count).toBeGreaterThan(3);
      shake(fabric, false);
      const stage = { ...STAGE, linearized, isExact: !linearized };
      for (const isWhole of [true, false]) expectSame(assembleBoth(fabric, stage, isWhole));
    });

test('the compiled kernels of a fabric agree with TypeScript for layers of different stiffness', () => {
  const net = joinNets([createPlainNet(3), createPlainNet(4)]);
  const layers = [LAYER, { ...LAYER, shearStiffness: 0.3 * LAYER.shearStiffness, spacing: 1.1 * SPACING }];
  const fabric = createFabric(net, { ...OPTIONS, layers, friction: new Float64Array(4) });
  shake(fabric, false);
  for (const isWhole of [true, false]) expectSame(assembleBoth(fabric, STAGE, isWhole));
});
