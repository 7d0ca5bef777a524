/**
 * Hand-made woven cloth for tests of frames, exporters and the view: yarns of `createWovenYarns`, each crossing two nodes half a thickness
 * above and below the cloth, which may be bent, and whose second wefts may have slid along the warps.
 */
import type { RecordedRun } from 'heddle/io';
import { type Frame, NODE_EIL, NODE_EULERIAN, NODE_LAGRANGIAN, type YarnsFrame } from 'heddle/model';
import { createPlainWeave, createWovenYarns, type Weave } from 'heddle/patterns';

type Point = readonly [number, number, number];

export interface WovenFrameOptions {
  readonly id?: string;
  readonly weave?: Weave;
  readonly warps: number;
  readonly wefts: number;
  readonly spacing?: number;
  readonly radius?: number;
  readonly layer?: number;
  /** Place of the point (x, z) of the cloth, and the way up there. */
  readonly bend?: (x: number, z: number) => { readonly at: Point; readonly up: Point };
  /** How far every second weft has slid along the warps, in spacings. */
  readonly slide?: number;
}

/** Flat on y = 0. */
const layFlat = (x: number, z: number) => ({ at: [x, 0, z] as const, up: [0, 1, 0] as const });

/**
 * Yarns: warps, then wefts. Nodes: an end, the crossings, an end. Crossings that have slid are EIL on the warp: on every other one of
 * them on the weft, too. `load` is the number of the crossing, `speed` the material coordinate.
 */
export function makeWoven(options: WovenFrameOptions): YarnsFrame {
  const {
    weave = createPlainWeave(),
    warps,
    wefts,
    spacing = 0.01,
    radius = 0.003,
    slide = 0,
    bend = layFlat,
  } = options;
  const cloth = createWovenYarns({
    weave,
    warps,
    wefts,
    spacing: { warp: spacing, weft: spacing },
    radius: { warp: radius, weft: radius },
    crimp: { warp: 0.05, weft: 0.05 },
  });
  const yarns = warps + wefts;
  const [onWarp, onWeft] = [wefts + 2, warps + 2];
  const start = Int32Array.from({ length: yarns + 1 }, (_, y) =>
    y <= warps ? y * onWarp : warps * onWarp + (y - warps) * onWeft,
  );
  const nodes = start[yarns];
  const frame = {
    x: new Float64Array(3 * nodes),
    u: new Float64Array(nodes),
    kind: new Uint8Array(nodes).fill(NODE_LAGRANGIAN),
    other: new Int32Array(nodes).fill(-1),
    fields: { speed: new Float64Array(nodes), load: new Float64Array(nodes) },
  };
  const put = (node: number, x: number, z: number, height: number, u: number) => {
    const { at, up } = bend(x, z);
    for (let k = 0; k < 3; k++) frame.x[3 * node + k] = at[k] + height * up[k];
    frame.u[node] = frame.fields.speed[node] = u;
  };
  const { warpEnds, weftEnds, warpLengths, weftLengths } = cloth;
  const moved = (j: number) => (j % 2 === 1 ? slide * spacing : 0);
  for (let i = 0; i < warps; i++) {
    put(start[i], warpEnds[6 * i], warpEnds[6 * i + 2], 0, 0);
    put(start[i + 1] - 1, warpEnds[6 * i + 3], warpEnds[6 * i + 5], 0, warpLengths[i]);
  }
  for (let j = 0; j < wefts; j++) {
    put(start[warps + j], weftEnds[6 * j], weftEnds[6 * j + 2] - moved(j), 0, 0);
    put(start[warps + j + 1] - 1, weftEnds[6 * j + 3], weftEnds[6 * j + 5] - moved(j), 0, weftLengths[j]);
  }
  for (let j = 0; j < wefts; j++)
    for (let i = 0; i < warps; i++) {
      const c = j * warps + i;
      const [warp, weft] = [start[i] + 1 + j, start[warps + j] + 1 + i];
      const side = cloth.over[c] === 1 ? 1 : -1;
      const [x, z] = [cloth.x[3 * c], cloth.x[3 * c + 2] - moved(j)];
      put(warp, x, z, side * cloth.height.warp, cloth.u[c] + moved(j));
      put(weft, x, z, -side * cloth.height.weft, cloth.v[c]);
      frame.other[warp] = weft;
      frame.other[weft] = warp;
      frame.fields.load[warp] = frame.fields.load[weft] = c;
      frame.kind[warp] = moved(j) > 0 ? NODE_EIL : NODE_EULERIAN;
      frame.kind[weft] = moved(j) > 0 && i % 2 === 0 ? NODE_EIL : NODE_EULERIAN;
    }
  return {
    type: 'yarns',
    id: options.id ?? 'cloth',
    start,
    radius: new Float64Array(yarns).fill(radius),
    restLength: Float64Array.from([...warpLengths, ...weftLengths]),
    layer: new Uint8Array(yarns).fill(options.layer ?? 0),
    group: Uint8Array.from({ length: yarns }, (_, y) => (y < warps ? 0 : 1)),
    ...frame,
  };
}

/** The cloth round a cylinder of the given radius along z [m]. */
export const rollUp = (radius: number) => (x: number, z: number) => {
  const angle = x / radius;
  return {
    at: [radius * Math.sin(angle), radius * Math.cos(angle) - radius, z] as const,
    up: [Math.sin(angle), Math.cos(angle), 0] as const,
  };
};

/** A run of a cloth whose second wefts slide by half a spacing. */
export function makeWovenRun(frameCount: number, options: WovenFrameOptions = { warps: 7, wefts: 6 }): RecordedRun {
  const frames = Array.from({ length: frameCount }, (_, f): Frame => {
    const slide = (0.5 * f) / Math.max(1, frameCount - 1);
    return { time: f / 60, step: 10 * f, objects: [makeWoven({ ...options, slide })], bodies: [], forces: [] };
  });
  return { name: 'sliding', frames, bodies: [], probes: { columns: ['time'], rows: [] } };
}
