/** Small valid scenes that together use most of the format; short runs, so that accepted damaged ones can be run. */

import type { SceneInput } from 'heddle/scene';

const cord = { density: 1000, radius: 0.002, youngsModulus: 2e8 };

const corner: SceneInput = {
  heddle: 1,
  name: 'corner',
  title: 'A strand over a corner',
  materials: { cord },
  objects: [
    {
      type: 'strand',
      id: 'rope',
      material: 'cord',
      points: [
        [-0.5, 0, 0],
        [0, 0, 0],
        [0, -0.5, 0],
      ],
      nodes: 9,
      guides: [{ id: 'edge', point: [0, 0, 0], body: 'table' }],
      masses: [{ at: 'end', mass: 0.2 }],
      damping: { mass: 0.1, stiffness: 1e-4 },
      remesh: { near: 0.3, far: 0.35 },
    },
  ],
  bodies: [{ id: 'table', shape: { type: 'box', size: [1, 0.1, 1] }, position: [-0.5, -0.05, 0] }],
  drivers: [
    { type: 'velocity', on: { object: 'rope', at: 'start' }, value: [-0.2, 0, 0], until: 0.1 },
    { type: 'wind', velocity: [1, 0, 0] },
  ],
  probes: [
    { id: 'tip', type: 'position', on: { object: 'rope', at: 'end' } },
    { id: 'slide', type: 'materialSpeed', on: { object: 'rope', guide: 'edge' } },
    { id: 'E', type: 'energy' },
  ],
  time: { step: 0.005, duration: 0.1 },
  output: { framesPerSecond: 30 },
  view: { camera: { position: [0, 0, 2], target: [0, 0, 0], fieldOfView: 35 }, checker: 0.05, background: '#ffffff' },
  expect: [{ probe: 'tip.y', min: -2, max: 2 }],
};

const pendulum: SceneInput = {
  heddle: 1,
  name: 'pendulum',
  title: 'Two strands and their loads',
  gravity: [0.3, -9.8, 0.1],
  objects: [
    {
      type: 'strand',
      id: 'left',
      mode: 'lagrangian',
      material: { linearDensity: 0.01, radius: 0.003, stretchStiffness: 500, bendingStiffness: 0, friction: 0.2 },
      points: [
        [0, 0, 0],
        [0.3, -0.1, 0],
      ],
      nodes: [0, 0.1, 0.25, 0.7, 1],
      restLength: 0.35,
      contact: true,
    },
    {
      type: 'strand',
      id: 'right',
      material: 'cotton-thread',
      points: [
        [0.21, -0.07, 0],
        [0.6, 0, 0],
      ],
      nodes: 4,
      velocity: [0, 0, 0.1],
    },
  ],
  bodies: [
    { id: 'load', shape: { type: 'sphere', radius: 0.05 }, position: [0.3, -0.15, 0], motion: 'dynamic', mass: 0.1 },
    {
      id: 'paddle',
      shape: { type: 'capsule', radius: 0.02, length: 0.1 },
      motion: 'scripted',
      keyframes: [
        { time: 0, position: [0, -1, 0] },
        { time: 0.1, position: [0, -0.9, 0], rotation: { axis: [0, 0, 1], angle: 30 } },
      ],
    },
    { id: 'floor', shape: { type: 'plane' }, position: [0, -2, 0], rotation: { axis: [1, 0, 0], angle: 5 } },
  ],
  drivers: [
    { type: 'pin', on: { object: 'left', at: 'start' } },
    { type: 'fix', on: { object: 'right', at: 'end' }, components: ['x', 'y'] },
    { type: 'tie', on: { object: 'left', at: 'end' }, body: 'load' },
    { type: 'tie', on: { object: 'right', at: 'start' }, to: { object: 'left', at: 0.7 } },
    { type: 'force', on: { object: 'right', at: 0.5 }, value: [0, 0, -0.1], from: 0.02 },
  ],
  probes: [
    { id: 'load', type: 'body', body: 'load' },
    { id: 'floor', type: 'contactForce', body: 'floor' },
    { id: 'n', type: 'counts', object: 'left' },
    { id: 'T', type: 'tension', on: { object: 'left', at: 0.5 } },
  ],
  time: { step: 0.002, duration: 0.05, integrator: 'sdirk2', adaptive: { tolerance: 0.05, smallest: 1e-4 } },
  solver: { newtonIterations: 3, tolerance: 1e-8 },
};

const winch: SceneInput = {
  heddle: 1,
  name: 'winch',
  title: 'A winch and a muscle',
  objects: [
    {
      type: 'strand',
      id: 'rope',
      material: 'hemp-rope-8mm',
      points: [
        [0, 0, 0],
        [0.4, 0.2, 0],
        [0.5, -0.3, 0],
      ],
      nodes: 8,
      guides: [{ id: 'ring', point: [0.4, 0.2, 0], stop: true }],
      spools: [
        {
          id: 'winch',
          end: 'start',
          stock: 1,
          radius: 0.1,
          speed: [
            { time: 0, value: 0 },
            { time: 0.02, value: -1 },
          ],
        },
        { id: 'drum', end: 'end', body: 'load', stock: 0.1, radius: 0.05, inertia: 0.001, torque: 0.1, brake: 0.05 },
      ],
    },
  ],
  bodies: [
    { id: 'load', shape: { type: 'sphere', radius: 0.05 }, position: [0.5, -0.3, 0], motion: 'dynamic', mass: 3 },
  ],
  drivers: [
    {
      type: 'rest',
      object: 'rope',
      value: [
        { time: 0, value: 1 },
        { time: 0.05, value: 0.9 },
      ],
      until: 0.04,
    },
  ],
  probes: [
    { id: 'w', type: 'spool', object: 'rope', spool: 'winch' },
    { id: 'l', type: 'length', object: 'rope' },
  ],
  time: { step: 0.002, duration: 0.05 },
};

export const FUZZ_BASES: readonly SceneInput[] = [corner, pendulum, winch];
