/** Scenes that between them use every part of the state, for the tests of determinism, resuming and replay. */
import { compile, type SceneInput, validateScene } from 'heddle/scene';
import type { World } from 'heddle/world';

type Vector = [number, number, number];
type Scene = Partial<SceneInput> & Pick<SceneInput, 'objects' | 'time'>;

const CORD = { radius: 0.003, linearDensity: 0.02, stretchStiffness: 400, bendingStiffness: 0 };
const STIFF = { ...CORD, bendingStiffness: 2e-4 };

const corner = (more: object): SceneInput['objects'][number] => ({
  type: 'strand',
  id: 'rope',
  material: CORD,
  points: [
    [-0.6, 0, 0],
    [0, 0, 0],
    [0.05, -0.6, 0.1],
  ],
  nodes: 15,
  guides: [{ id: 'corner', point: [0, 0, 0] }],
  ...more,
});

const probes: SceneInput['probes'] = [
  { id: 'tip', type: 'velocity', on: { object: 'rope', at: 'end' } },
  { id: 'f', type: 'constraintForce', on: { object: 'rope', at: 'start' } },
  { id: 'E', type: 'energy' },
  { id: 'L', type: 'angularMomentum' },
  { id: 'n', type: 'counts' },
];

export const SCENES: Readonly<Record<string, Scene>> = {
  'remeshing round a corner': {
    objects: [corner({ slide: -0.8 })],
    probes,
    time: { step: 2e-3, duration: 1 },
  },
  'a loop that runs over its seam': {
    objects: [
      {
        type: 'strand',
        id: 'rope',
        material: STIFF,
        closed: true,
        points: [
          [0, 0, 0],
          [0.6, 0.1, 0],
          [0.3, -0.5, 0.1],
        ],
        nodes: 14,
        slide: 1.5,
        guides: [
          { id: 'corner', point: [0, 0, 0] },
          { id: 'other', point: [0.6, 0.1, 0], friction: 0.05 },
        ],
      },
    ],
    drivers: [{ type: 'force', on: { object: 'rope', at: 0.45 }, value: [0.1, 0, 0.2], from: 0.06, until: 0.14 }],
    probes: [...probes, { id: 'du', type: 'materialSpeed', on: { object: 'rope', guide: 'corner' } }],
    time: { step: 2e-3, duration: 1 },
  },
  'sticking and slipping over a pulley': {
    objects: [
      corner({
        nodes: 13,
        guides: [
          { id: 'corner', point: [0, 0, 0], friction: 0.3, law: 'round', pulley: { radius: 0.05, inertia: 1e-4 } },
        ],
        masses: [
          { at: 'start', mass: 0.02 },
          { at: 'end', mass: 0.03 },
        ],
      }),
    ],
    drivers: [{ type: 'force', on: { object: 'rope', at: 'end' }, value: [0, -0.5, 0], from: 0.06, until: 0.14 }],
    probes: [...probes, { id: 'du', type: 'materialSpeed', on: { object: 'rope', guide: 'corner' } }],
    time: { step: 2e-3, duration: 1 },
  },
  'a guide jammed against a heavy end, bending': {
    objects: [corner({ slide: -2.5, nodes: 16, material: STIFF, masses: [{ at: 0.44, mass: 0.05 }] })],
    probes: [...probes, { id: 'du', type: 'materialSpeed', on: { object: 'rope', guide: 'corner' } }],
    time: { step: 2e-3, duration: 1 },
  },
  'a ring on a hinged body, sdirk2, wind': {
    objects: [corner({ guides: [{ id: 'corner', point: [0, 0, 0], body: 'arm' }] })],
    bodies: [
      {
        id: 'arm',
        shape: { type: 'box', size: [0.3, 0.04, 0.05] },
        motion: 'dynamic',
        mass: 0.3,
        position: [-0.1, 0.02, 0],
        angularVelocity: [0, 0, 0.2],
        hinge: { point: [-0.2, 0, 0], axis: [0, 0, 1] },
      },
    ],
    drivers: [
      { type: 'pin', on: { object: 'rope', at: 'start' }, until: 0.05 },
      { type: 'wind', velocity: [1, 0, 4], from: 0.03, until: 0.12 },
    ],
    probes: [...probes, { id: 'arm', type: 'body', body: 'arm' }],
    time: { step: 2e-3, duration: 1, integrator: 'sdirk2' },
    solver: { newtonIterations: 20 },
  },
  'a scripted arm, adaptive steps, a free body on a tie': {
    objects: [corner({ guides: [{ id: 'corner', point: [0, 0, 0], body: 'arm' }] })],
    bodies: [
      {
        id: 'arm',
        shape: { type: 'sphere', radius: 0.05 },
        motion: 'scripted',
        keyframes: [
          { time: 0, position: [0, 0, 0] },
          { time: 0.13, position: [0.1, 0.05, 0.02], rotation: { axis: [1, 2, 3], angle: 50 } },
        ],
      },
      { id: 'load', shape: { type: 'box', size: [0.06, 0.1, 0.03] }, motion: 'dynamic', density: 900, position: [0.06, -0.62, 0.1], angularVelocity: [1, 5, 2] },
    ], // biome-ignore format: one line
    drivers: [
      { type: 'tie', on: { object: 'rope', at: 'end' }, body: 'load' },
      { type: 'velocity', on: { object: 'rope', at: 'start' }, value: [-0.4, 0.1, 0], from: 0.04 },
    ],
    probes: [...probes, { id: 'load', type: 'body', body: 'load' }, { id: 'arm', type: 'body', body: 'arm' }],
    time: { step: 4e-3, duration: 1, adaptive: { tolerance: 2e-3, smallest: 1e-5 } },
  },
  'contact of a Lagrangian strand with a box and a free ball': {
    objects: [
      {
        type: 'strand',
        id: 'rope',
        material: STIFF,
        mode: 'lagrangian',
        points: [
          [-0.4, 0.06, 0],
          [0.4, 0.1, 0.05],
        ],
        nodes: 17,
        velocity: [0, -1, 0],
      },
    ],
    bodies: [
      { id: 'box', shape: { type: 'box', size: [0.2, 0.1, 0.4] } },
      {
        id: 'ball',
        shape: { type: 'sphere', radius: 0.06 },
        motion: 'dynamic',
        mass: 0.5,
        position: [0.3, -0.02, 0.04],
      },
    ],
    drivers: [{ type: 'force', on: { object: 'rope', at: 'start' }, value: [0.05, 0, 0.1], until: 0.08 }],
    probes: [
      ...probes,
      { id: 'box', type: 'contactForce', body: 'box' },
      { id: 'ball', type: 'contactForce', body: 'ball' },
    ],
    time: { step: 1e-3, duration: 1 },
  },
  'a drum that slips on its brake and runs out, sdirk2': {
    objects: [
      corner({
        spools: [
          {
            id: 'drum',
            end: 'start',
            stock: 0.35,
            radius: 0.05,
            inertia: 2e-5,
            brake: 0.005,
            torque: [
              { time: 0, value: 0.002 },
              { time: 0.3, value: -0.001 },
            ],
          },
        ],
        masses: [{ at: 'end', mass: 0.1 }],
      }),
    ],
    probes: [
      ...probes,
      { id: 'd', type: 'spool', object: 'rope', spool: 'drum' },
      { id: 'l', type: 'length', object: 'rope' },
    ],
    time: { step: 4e-3, duration: 1, integrator: 'sdirk2' },
  },
  'a winch on a free body, a muscle, an end that slips out of a ring': {
    objects: [
      corner({ spools: [{ id: 'drum', end: 'end', body: 'ship', stock: 0.4, radius: 0.02, speed: [{ time: 0, value: 1 }, { time: 0.1, value: -5 }] }] }),
    ], // biome-ignore format: one line
    bodies: [
      { id: 'ship', shape: { type: 'sphere', radius: 0.05 }, motion: 'dynamic', mass: 2, position: [0.05, -0.6, 0.1] },
    ],
    drivers: [
      {
        type: 'rest',
        object: 'rope',
        value: [
          { time: 0.02, value: 1 },
          { time: 0.1, value: 0.9 },
        ],
      },
    ],
    probes: [
      ...probes,
      { id: 'd', type: 'spool', object: 'rope', spool: 'drum' },
      { id: 'ship', type: 'body', body: 'ship' },
    ],
    time: { step: 2e-3, duration: 1 },
  },
  'strands tied to each other': {
    gravity: [0.5, -9, 1],
    objects: [0, 1, 2].map((i) => ({
      type: 'strand' as const,
      id: i === 0 ? 'rope' : `rope ${i}`.replace(' ', '-'),
      material: CORD,
      points: [[0, 0, 0], [0.4 * Math.cos(2 * i), -0.1 * i, 0.4 * Math.sin(2 * i)]] as Vector[],
      nodes: 6 + i,
    })), // biome-ignore format: short
    drivers: [
      { type: 'tie', on: { object: 'rope', at: 'start' }, to: { object: 'rope-1', at: 'start' } },
      { type: 'tie', on: { object: 'rope-2', at: 'start' }, to: { object: 'rope-1', at: 'start' }, until: 0.1 },
      { type: 'pin', on: { object: 'rope-1', at: 'end' } },
    ],
    probes,
    time: { step: 2e-3, duration: 1 },
  },
};

export const createWorld = (scene: Scene): World =>
  compile(validateScene({ heddle: 1, name: 'test', title: 'test', ...scene }));

/** Everything a user can read off a world, as text: equal only where every bit is. */
export function describeWorld(world: World): string {
  const values = new Float64Array(world.probeColumns.length);
  world.writeProbes(values);
  const exact = (_: string, value: unknown) =>
    ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : Object.is(value, -0) ? '-0' : value;
  return JSON.stringify([world.hash(), world.time, world.steps, [...values], world.energy(), world.frame()], exact);
}
