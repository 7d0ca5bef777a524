/** A small recorded run for the exporter tests: a rope drawn over a corner beside a turning cube, and a closed loop. */
import type { BodyGeometry, RecordedRun } from 'heddle/io';
import type { CurveFrame, Frame } from 'heddle/model';

export const cube: BodyGeometry = (() => {
  const positions: number[] = [];
  const normals: number[] = [];
  const indices: number[] = [];
  for (let axis = 0; axis < 3; axis++) {
    for (const sign of [-1, 1]) {
      const first = positions.length / 3;
      for (const [p, q] of [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ]) {
        const corner = [0, 0, 0];
        corner[axis] = 0.1 * sign;
        corner[(axis + 1) % 3] = 0.1 * p * sign;
        corner[(axis + 2) % 3] = 0.1 * q;
        positions.push(...corner);
        const normal = [0, 0, 0];
        normal[axis] = sign;
        normals.push(...normal);
      }
      indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
    }
  }
  return { id: 'cube', positions, normals, indices, colour: [0.6, 0.6, 0.65] };
})();

/** Material [0, 1] m drawn by `slide` m round the corner at the origin: along −x before it, down −y after it. */
function makeRope(slide: number, nodes: number): CurveFrame {
  const corner = 0.5 - slide;
  const spread = Array.from({ length: nodes }, (_, i) => i / (nodes - 1)).filter((u) => Math.abs(u - corner) > 0.02);
  const u = Float64Array.from([...spread, corner].sort((a, b) => a - b));
  const x = Float64Array.from([...u].flatMap((at) => (at < corner ? [at - corner, 0, 0] : [0, corner - at, 0])));
  const kind = Uint8Array.from(u, (at) => (at === corner ? 1 : 0));
  return { type: 'curve', id: 'rope', closed: false, radius: 0.01, restLength: 1, x, u, kind, fields: { speed: u } };
}

function makeLoop(turn: number): CurveFrame {
  const angles = Array.from({ length: 20 }, (_, i) => (i / 20) * 2 * Math.PI);
  const x = angles.flatMap((a) => [0.3 * Math.cos(a + turn), 0.5, 0.3 * Math.sin(a + turn)]);
  const u = Float64Array.from(angles, (_, i) => 0.09 * i);
  const kind = new Uint8Array(20);
  return {
    type: 'curve',
    id: 'loop',
    closed: true,
    radius: 0.02,
    restLength: 1.8,
    x: Float64Array.from(x),
    u,
    kind,
    fields: {},
  };
}

export function makeRun(frameCount: number, still = false): RecordedRun {
  const frames = Array.from({ length: frameCount }, (_, f): Frame => {
    const t = still ? 0 : f / Math.max(1, frameCount - 1);
    const half = 2 * t;
    return {
      time: f / 60,
      step: 10 * f,
      objects: [makeRope(0.3 * t, still ? 12 : 12 + (f % 3)), makeLoop(0)],
      bodies: [
        { id: 'cube', position: [0.4 + t, 0, 0], orientation: [0, 0, Math.sin(half), Math.cos(half)] },
        { id: 'rest', position: [0, -1, 0], orientation: [0, 0, 0, 1] },
      ],
      forces: [],
    };
  });
  const probes = { columns: ['time', 'tip.y'], rows: frames.map((frame) => [frame.time, -0.5]) };
  return { name: 'over-corner', frames, bodies: [cube, { ...cube, id: 'rest' }], probes, checker: 0.05 };
}
