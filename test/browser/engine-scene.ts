/** Scenes that exercise most of the engine in a few milliseconds: a strand slides over an edge, pulled by a weight. */
import type { SceneInput } from 'heddle/scene';

export const STEPS = 200;

export const createEngineScene = (bending: boolean): SceneInput => ({
  heddle: 1,
  name: 'slide',
  title: 'A strand slides over an edge',
  objects: [
    {
      type: 'strand',
      id: 'rope',
      material: { density: 1000, radius: 0.004, youngsModulus: 5e7, ...(bending ? {} : { bendingStiffness: 0 }) },
      points: [
        [-0.5, 0, 0.1],
        [0, 0, 0],
        [0.05, -0.6, 0],
      ],
      nodes: 24,
      guides: [{ id: 'edge', point: [0, 0, 0] }],
      masses: [{ at: 'end', mass: 0.05 }],
    },
  ],
  probes: [
    { id: 'tip', type: 'position', on: { object: 'rope', at: 'end' } },
    { id: 'E', type: 'energy' },
  ],
  time: { step: 0.001, duration: 1 },
});

/** Turned, scripted and hinged bodies, a guide that rides on one, contact, wind and second-order steps. */
export const createBodiesScene = (): SceneInput => ({
  heddle: 1,
  name: 'bodies',
  title: 'A strand over a turning beam',
  objects: [
    {
      type: 'strand',
      id: 'rope',
      material: { density: 1000, radius: 0.004, youngsModulus: 5e7 },
      points: [
        [-0.5, 0, 0.1],
        [0, 0, 0],
        [0.05, -0.6, 0],
      ],
      nodes: 24,
      guides: [{ id: 'edge', point: [0, 0, 0], body: 'beam' }],
    },
  ],
  bodies: [
    {
      id: 'beam',
      shape: { type: 'cylinder', radius: 0.05, length: 0.4 },
      position: [0, -0.0541, 0],
      rotation: { axis: [1, 0.2, 0.1], angle: 77 },
      motion: 'scripted',
      keyframes: [
        { time: 0, rotation: { axis: [1, 0.2, 0.1], angle: 77 } },
        { time: 0.2, position: [0.02, -0.06, 0.01], rotation: { axis: [0.3, 1, 0.2], angle: 40 } },
      ],
    },
    {
      id: 'flap',
      shape: { type: 'box', size: [0.1, 0.3, 0.02] },
      position: [0.3, -0.5, 0],
      rotation: { axis: [0, 0.3, 1], angle: 21 },
      motion: 'dynamic',
      density: 300,
      angularVelocity: [0.1, 0.4, 0.2],
      hinge: { point: [0.3, -0.3, 0], axis: [0.1, 0.2, 1] },
    },
  ],
  drivers: [{ type: 'wind', velocity: [1, 0, 2] }],
  time: { step: 0.001, duration: 1, integrator: 'sdirk2' },
});

/** The scenes whose state hash must be the same in Node and in Chromium. */
export const ENGINE_SCENES: readonly SceneInput[] = [
  createEngineScene(false),
  createEngineScene(true),
  createBodiesScene(),
];
