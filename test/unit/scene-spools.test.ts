/** Bad input about spools, rest lengths and their probes: one sentence each. */
import { SceneError } from 'heddle/model';
import { compile, type SceneInput, validateScene } from 'heddle/scene';
import { expect, test } from 'vitest';

const scene = (): SceneInput => ({
  heddle: 1,
  name: 'winch',
  title: 'A winch',
  objects: [
    {
      type: 'strand',
      id: 'rope',
      material: 'steel-wire-rope-4mm',
      points: [
        [0, 0, 0],
        [0, -1, 0],
      ],
      nodes: 11,
      guides: [{ id: 'ring', point: [0, -0.5, 0] }],
      spools: [{ id: 'winch', end: 'start', stock: 2, radius: 0.1, speed: [{ time: 0, value: 1 }] }],
    },
  ],
  drivers: [{ type: 'rest', object: 'rope', value: 0.9 }],
  probes: [
    { id: 'w', type: 'spool', object: 'rope', spool: 'winch' },
    { id: 'l', type: 'length', object: 'rope' },
    { id: 'x', type: 'materialSpeed', on: { object: 'rope', guide: 'winch' } },
    { id: 's', type: 'materialSpeed', on: { object: 'rope', at: 'start' } },
  ],
  time: { step: 1e-3, duration: 1 },
});

function faultsOf(change: (scene: ReturnType<typeof JSON.parse>) => void): string[] {
  const value = scene();
  change(value);
  try {
    compile(validateScene(value));
  } catch (error) {
    if (error instanceof SceneError) return error.faults.map(({ path, message }) => `${path} ${message}`);
    throw error;
  }
  return [];
}

test('the scene that the faults are made of is right, and its probes read the drum', () => {
  expect(faultsOf(() => {})).toEqual([]);
  const world = compile(validateScene(scene()));
  world.step();
  const values = new Float64Array(world.probeColumns.length);
  world.writeProbes(values);
  const columns = Object.fromEntries(world.probeColumns.map((column, i) => [column, values[i]]));
  expect(columns['w.stock']).toBeCloseTo(2 - 1e-3, 12);
  expect(columns['l.material']).toBeCloseTo(1 + 1e-3, 12);
  // u falls where the start pays out; "start" is where the strand leaves its drum
  expect(columns.x).toBe(-1);
  expect(columns.s).toBe(-1);
});

const CASES: [string, (scene: ReturnType<typeof JSON.parse>) => void, RegExp][] = [
  ['two spools at one end', ({ objects: [rope] }) => rope.spools.push({ id: 'b', end: 'start', radius: 1 }), /spools\[1\]\.end is "start", already used by objects\[0\]\.spools\[0\]; use the other end\./],
  ['speed and torque', ({ objects: [rope] }) => (rope.spools[0].torque = 3), /torque is given together with speed; .*remove one of the two\./],
  ['an unknown body', ({ objects: [rope] }) => (rope.spools[0].body = 'ship'), /spools\[0\]\.body is "ship", which is not a body of this scene\./],
  ['a spool named like a guide', ({ objects: [rope] }) => (rope.guides[0].id = 'winch'), /spools\[0\]\.id is "winch", already the id of objects\[0\]\.guides\[0\]/],
  ['a negative stock', ({ objects: [rope] }) => (rope.spools[0].stock = -1), /stock is -1 m; it must be/],
  ['no radius', ({ objects: [rope] }) => delete rope.spools[0].radius, /radius is missing/],
  ['keyframes that go back', ({ objects: [rope] }) => rope.spools[0].speed.push({ time: 0, value: 2 }), /speed\[1\]\.time is 0 after 0; times of keyframes must increase\./],
  ['a speed that is text', ({ objects: [rope] }) => (rope.spools[0].speed = 'fast'), /speed is the text "fast"; it must be a number in m\/s, or an array of keyframes \{ time, value \}/],
  ['a mass at the drum', ({ objects: [rope] }) => (rope.masses = [{ at: 0, mass: 1 }]), /masses\[0\]\.at is the start, which sits on a spool; /],
  ['a pin at the drum', ({ drivers }) => drivers.push({ type: 'pin', on: { object: 'rope', at: 'start' } }), /drivers\[1\]\.on\.at is the start of "rope", which is on the spool "winch"; /],
  ['too much stock', ({ objects: [rope] }) => (rope.spools[0].stock = 1e7), /nodes in total; at most/],
  ['two rest lengths', ({ drivers }) => drivers.push({ ...drivers[0] }), /drivers\[1\]\.object already has a rest length, from drivers\[0\]; /],
  ['a rest length of nothing', ({ drivers }) => (drivers[0].object = 'rop'), /drivers\[0\]\.object is "rop", which is not an object of this scene\. Did you mean "rope"\?/],
  ['a rest length of 0', ({ drivers }) => (drivers[0].value = 0), /drivers\[0\]\.value is 0; it must be/],
  ['a probe of no spool', ({ probes }) => (probes[0].spool = 'ring'), /probes\[0\]\.spool is "ring", which is not a spool of "rope"\./],
]; // biome-ignore format: one line each

for (const [title, change, sentence] of CASES)
  test(`${title} is one sentence`, () => {
    const faults = faultsOf(change);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(sentence);
  });
