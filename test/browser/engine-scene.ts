/** Scenes that exercise most of the engine in a few milliseconds: a strand slides over an edge, pulled by a weight. */
import type { SceneInput } from 'heddle/scene';

export const STEPS = 200;

/** `bending` false: perfectly flexible, so that only + − × / √ are used, which every engine rounds in the same way. */
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
