/** A strand over the edge of a box, made up: known nodes at known places, for tests of the view. */
import type { BodyGeometry } from 'heddle/io';
import { type CurveFrame, type Frame, NODE_EULERIAN, NODE_LAGRANGIAN } from 'heddle/model';

/** A box of full size (0.6, 0.4, 0.6) about its own origin. */
export function createBox(): BodyGeometry {
  const positions: number[] = [];
  for (let i = 0; i < 8; i++) positions.push(i & 1 ? 0.3 : -0.3, i & 2 ? 0.2 : -0.2, i & 4 ? 0.3 : -0.3);
  const quads = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ];
  const indices = quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);
  return { id: 'table', positions, normals: positions, indices, colour: [0.5, 0.5, 0.5] };
}

/** Lies on the box (top at y = 0) towards +x, passes the edge at x = 0.3 by an E-node and hangs down. */
export function createStrand(): CurveFrame {
  const nodes: [number, number, number, number, number][] = [];
  for (let i = 0; i <= 4; i++) nodes.push([-0.1 + 0.1 * i, 0.01, 0, 0.1 * i, NODE_LAGRANGIAN]);
  nodes[4][4] = NODE_EULERIAN;
  for (let i = 1; i <= 4; i++) nodes.push([0.3 + 0.02 * i, 0.01 - 0.1 * i, 0, 0.4 + 0.1 * i, NODE_LAGRANGIAN]);
  return {
    type: 'curve',
    id: 'rope',
    closed: false,
    radius: 0.01,
    restLength: 0.8,
    x: Float64Array.from(nodes.flatMap((node) => node.slice(0, 3))),
    u: Float64Array.from(nodes, (node) => node[3]),
    kind: Uint8Array.from(nodes, (node) => node[4]),
    fields: { tension: Float64Array.from(nodes, (_, i) => i), speed: new Float64Array(nodes.length).fill(0.5) },
  };
}

export function createFrame(): Frame {
  return {
    time: 0.25,
    step: 250,
    objects: [createStrand()],
    bodies: [{ id: 'table', position: [0, -0.2, 0], orientation: [0, 0, 0, 1] }],
    forces: [],
  };
}

export const sampleScene = {
  name: 'sample',
  title: 'Strand over an edge',
  bodies: [{ id: 'table', shape: { type: 'box' } }],
  view: { checker: 0.02, camera: { position: [0.2, 0.25, 2], target: [0.2, -0.15, 0], fieldOfView: 30 } },
} as const;
