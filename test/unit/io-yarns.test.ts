/** Yarns of fabrics in frames, the frame file and every export format. */
import { WebIO } from '@gltf-transform/core';
import { validateBytes } from 'gltf-validator';
import {
  collectYarnCurves,
  computeSmoothCurve,
  computeYarnColours,
  decodeFrameBytes,
  encodeFrame,
  encodeFrameBytes,
  encodeGlb,
  encodeHeader,
  encodeObj,
  encodePly,
  encodeUsda,
  encodeVtpYarns,
  findExporter,
  flattenYarnCurves,
  listYarns,
  readBcc,
  readFrame,
  readObjCurves,
  resampleRun,
  scanChunks,
} from 'heddle/io';
import {
  addFrameToLimits,
  createFrameLimits,
  FormatError,
  type Frame,
  NODE_LAGRANGIAN,
  type YarnsFrame,
} from 'heddle/model';
import { createTwill } from 'heddle/patterns';
import { describe, expect, test } from 'vitest';
import { chooseYarnDetail } from '../../src/io/glb-yarns.ts';
import { makeRun } from './io-run.ts';
import { readPly } from './ply-reader.ts';
import { readUsda, type UsdAttribute } from './usda-reader.ts';
import { readVtp } from './vtk-reader.ts';
import { makeWoven, makeWovenRun, rollUp } from './yarns-run.ts';

const run = makeWovenRun(4);
const cloth = run.frames[2].objects[0] as YarnsFrame;
const frameOf = (...objects: Frame['objects']): Frame => ({ ...run.frames[2], objects });
const singles = (values: ArrayLike<number>) => Array.from(values, Math.fround);

/** A cloth of which one yarn in the middle is gone, as long as it was not drawn in. */
function takeOut(yarns: YarnsFrame, yarn: number): YarnsFrame {
  const [from, to] = [yarns.start[yarn], yarns.start[yarn + 1]];
  const keep = (_: number, i: number) => i < from || i >= to;
  const move = (node: number) => (node >= to ? node - (to - from) : node >= from ? -1 : node);
  return {
    ...yarns,
    start: yarns.start.map((first, y) => (y > yarn ? first - (to - from) : first)),
    x: yarns.x.filter((_, i) => keep(0, Math.floor(i / 3))),
    u: yarns.u.filter(keep),
    kind: yarns.kind.filter(keep),
    other: yarns.other.filter(keep).map(move),
    fields: Object.fromEntries(Object.entries(yarns.fields).map(([name, values]) => [name, values.filter(keep)])),
  };
}

describe('the frame file', () => {
  test('yarns come back exactly, beside strands, with yarns that have no nodes, and without any', () => {
    const none = new Float64Array(0);
    const empty: YarnsFrame = {
      ...cloth,
      start: Int32Array.of(0),
      ...{ radius: none, restLength: none, x: none, u: none, fields: {} },
      ...{ layer: new Uint8Array(0), group: new Uint8Array(0), kind: new Uint8Array(0), other: new Int32Array(0) },
    };
    for (const objects of [[cloth], [...makeRun(1).frames[0].objects, cloth], [takeOut(cloth, 3)], [empty]]) {
      expect(decodeFrameBytes(encodeFrameBytes(frameOf(...objects))).objects).toEqual(objects);
    }
  });

  test('32-bit numbers round places and values, and nothing else', () => {
    const chunk = encodeFrame(frameOf(cloth), { precision: 'float32' });
    const file = Buffer.concat([encodeHeader(), chunk]);
    const [read] = readFrame(file, scanChunks(file).entries[0]).objects as [YarnsFrame];
    expect([...read.x]).toEqual(singles(cloth.x));
    expect([...read.fields.load]).toEqual(singles(cloth.fields.load));
    for (const name of ['start', 'radius', 'restLength', 'layer', 'group', 'kind', 'other'] as const)
      expect(read[name]).toEqual(cloth[name]);
  });

  test('yarns that do not fit together are refused, writing and reading', () => {
    const refuse = (change: Partial<YarnsFrame>, words: RegExp) =>
      expect(() => encodeFrameBytes(frameOf({ ...cloth, ...change }))).toThrow(words);
    refuse({ radius: Float64Array.of(1) }, /has 13 yarns and 1 numbers of radius/);
    refuse({ kind: new Uint8Array(3) }, /110 points and 3 numbers of kind/);
    refuse({ other: new Int32Array(110).fill(110) }, /a crossing with node 110 of 110/);
    refuse({ start: cloth.start.map((first, y) => (y === 2 ? 100 : first)) }, /are not consecutive/);
    const bytes = encodeFrameBytes(frameOf(cloth));
    // the first count of nodes stands behind time, step, two counts, code, id and three counts
    const at = 8 + 8 + 4 + 4 + 4 + 4 + 'cloth'.length + 12;
    expect(new DataView(bytes.buffer).getUint32(at, true)).toBe(8);
    bytes[at] = 9;
    expect(() => decodeFrameBytes(bytes)).toThrow(FormatError);
  });
});

test('limits span yarns by their radius, and their values', () => {
  const limits = createFrameLimits();
  const flat = makeWoven({ warps: 5, wefts: 4, spacing: 0.01, radius: 0.003 });
  addFrameToLimits(frameOf(flat), new Map(), limits);
  // crests of ½ h = r above the cloth, and the radius of the yarn
  const expected = [0.025 + 0.003, 0.006, 0.02 + 0.003];
  for (let k = 0; k < 3; k++) {
    expect(limits.objects.high[k]).toBeCloseTo(expected[k], 12);
    expect(limits.objects.low[k]).toBeCloseTo(-expected[k], 12);
  }
  expect(limits.ranges.load).toEqual([0, 19]);
});

describe('smooth yarns', () => {
  const yarns = listYarns(
    makeWoven({ weave: createTwill({ over: 2, under: 2 }), warps: 8, wefts: 8, bend: rollUp(0.05) }),
  );

  test('pass through their nodes, with u and the fields linear between them', () => {
    for (const yarn of yarns) {
      const smooth = computeSmoothCurve(yarn, 4);
      expect(smooth.u.length).toBe(4 * (yarn.u.length - 1) + 1);
      for (let i = 0; i < yarn.u.length; i++) {
        expect([...smooth.x.subarray(12 * i, 12 * i + 3)]).toEqual([...yarn.x.subarray(3 * i, 3 * i + 3)]);
        expect(smooth.kind[4 * i]).toBe(yarn.kind[i]);
      }
      for (let k = 0; k < smooth.u.length; k++) expect(smooth.fields.speed[k]).toBeCloseTo(smooth.u[k], 12);
      expect(smooth.fields.load[6]).toBeCloseTo((yarn.fields.load[1] + yarn.fields.load[2]) / 2, 12);
    }
  });

  test('have no kinks: the turn at each point falls as pieces get shorter, where the polyline turns by up to a right angle', () => {
    const largestTurn = (x: Float64Array) => {
      let largest = 0;
      for (let i = 3; i + 5 < x.length; i += 3) {
        const [a, b] = [0, 1].map((s) => [0, 1, 2].map((k) => x[i + 3 * s + k] - x[i + 3 * s - 3 + k]));
        const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        largest = Math.max(largest, Math.acos(Math.min(1, dot / (Math.hypot(...a) * Math.hypot(...b)))));
      }
      return largest;
    };
    for (const yarn of yarns) {
      const plain = largestTurn(yarn.x);
      const [four, eight] = [4, 8].map((pieces) => largestTurn(computeSmoothCurve(yarn, pieces).x));
      expect(plain).toBeGreaterThan(0.4);
      expect(four).toBeLessThan(0.75 * plain);
      // a curve with a corner would turn there by the same angle however fine it is
      expect(eight).toBeLessThan(0.6 * four);
    }
  });

  test('crossings that pass each other do not break the yarn', () => {
    const [yarn] = yarns;
    // the third node slides to a hundredth of a radius from the second, whose height it does not have
    const x = yarn.x.slice();
    for (const k of [0, 2]) x[9 + k] = x[6 + k];
    x[11] += 0.01 * yarn.radius;
    const near = computeSmoothCurve(
      { ...yarn, x: x.map((value, i) => (i === 10 ? x[7] + 0.3 * yarn.radius : value)) },
      4,
    );
    const steps = Array.from({ length: near.u.length - 1 }, (_, i) =>
      Math.hypot(...[0, 1, 2].map((k) => near.x[3 * i + 3 + k] - near.x[3 * i + k])),
    );
    expect(Math.min(...steps)).toBeGreaterThan(0.1 * yarn.radius);
    expect(near.u.length).toBe(4 * (yarn.u.length - 2) + 1);
    expect([near.u[0], near.u.at(-1)]).toEqual([yarn.u[0], yarn.u.at(-1)]);
  });
});

describe('tubes in OBJ and PLY', () => {
  const vertices = (text: string) => [...text.matchAll(/^v (\S+) (\S+) (\S+)$/gm)].map((m) => m.slice(1).map(Number));

  test('lie with all OBJ vertices a radius from the smooth yarns, in one group; polylines have the nodes to the bit', () => {
    const text = encodeObj(frameOf(cloth), { sides: 6 });
    expect(text.match(/^g /gm)).toEqual(['g ']);
    const corners = vertices(text);
    const smooth = listYarns(cloth).map((yarn) => computeSmoothCurve(yarn, 16).x);
    expect(corners.length).toBeGreaterThan(7 * 4 * 90);
    for (let v = 0; v < corners.length; v += 37) {
      let nearest = Number.POSITIVE_INFINITY;
      for (const x of smooth)
        for (let i = 0; i < x.length; i += 3)
          nearest = Math.min(nearest, Math.hypot(...corners[v].map((value, k) => value - x[i + k])));
      expect(nearest).toBeLessThan(1.12 * 0.003);
    }
    const lines = encodeObj(frameOf(cloth), { curves: 'polyline' });
    expect(vertices(lines).flat()).toEqual([...cloth.x]);
    expect(lines.match(/^l /gm)?.length).toBe(13);
  });

  test('know the yarn, layer and group of their PLY vertices; nodes are joined along yarns only', () => {
    const upper = makeWoven({ id: 'upper', warps: 3, wefts: 2, layer: 2 });
    const { elements, comments } = readPly(encodePly(frameOf(cloth, upper)));
    expect(comments.slice(1)).toEqual(['object 0 cloth', 'object 1 upper']);
    for (const [object, yarns] of [cloth, upper].entries()) {
      const of = elements.vertex.filter((vertex) => vertex.object === object);
      expect(new Set(of.map(({ yarn }) => yarn))).toEqual(new Set(yarns.radius.keys()));
      for (const { yarn, layer, group, u, speed } of of) {
        expect([layer, group]).toEqual([yarns.layer[yarn as number], yarns.group[yarn as number]]);
        expect(speed as number).toBeCloseTo(u as number, 6);
      }
    }
    const nodes = readPly(encodePly(frameOf(cloth), { curves: 'points' })).elements;
    expect(nodes.vertex.map(({ kind }) => kind)).toEqual([...cloth.kind]);
    expect(nodes.edge.length).toBe(cloth.u.length - 13);
  });
});

test('a VTK file has yarns as polylines with their values, crossings name each other, and empty yarns are left out', () => {
  const gone = takeOut(cloth, 2);
  const { piece, arrays } = readVtp(encodeVtpYarns(frameOf(cloth, gone)));
  expect(piece.attributes).toMatchObject({ NumberOfPoints: '212', NumberOfLines: '25' });
  expect(arrays('Points').Points).toEqual([...cloth.x, ...gone.x]);
  const points = arrays('PointData');
  expect(points.u).toEqual([...cloth.u, ...gone.u]);
  expect(points.kind).toEqual([...cloth.kind, ...gone.kind]);
  expect(points.load).toEqual([...cloth.fields.load, ...gone.fields.load]);
  expect(points.radius).toEqual(new Array(212).fill(0.003));
  for (const [node, other] of (points.other as number[]).entries())
    if (other >= 0) expect((points.other as number[])[other]).toBe(node);
  expect((points.other as number[]).filter((other) => other >= 0).length).toBe(2 * 42 + 2 * 36);
  const cells = arrays('CellData');
  expect(cells.yarn).toEqual([
    ...Array.from({ length: 13 }, (_, y) => y),
    0,
    1,
    ...Array.from({ length: 10 }, (_, y) => y + 3),
  ]);
  expect(cells.group.slice(0, 13)).toEqual([...cloth.group]);
  expect(arrays('Lines').offsets.slice(-2)).toEqual([212 - 9, 212]);
});

describe('USD', () => {
  const read = (...args: Parameters<typeof encodeUsda>) =>
    readUsda(new TextDecoder().decode(encodeUsda(...args).bytes)).prims.sliding.children.cloth;
  const at = (attribute: UsdAttribute, f: number) => attribute.samples.get(f) ?? attribute.value;

  test('a fabric is one cubic curve prim that passes through all nodes, with values a yarn and a node', () => {
    const frames = run.frames.map((frame, f) => (f === 1 ? { ...frame, objects: [takeOut(cloth, 0)] } : frame));
    const { type, attributes } = read({ ...run, frames });
    expect(type).toBe('BasisCurves');
    expect([attributes.type.value, attributes.basis.value, attributes.wrap.value]).toEqual([
      'cubic',
      'catmullRom',
      'pinned',
    ]);
    for (const [f, { objects }] of frames.entries()) {
      const yarns = objects[0] as YarnsFrame;
      const counts = at(attributes.curveVertexCounts, f) as number[];
      expect(counts.length).toBe(f === 1 ? 12 : 13);
      expect(counts.reduce((a, b) => a + b)).toBe(yarns.u.length);
      expect((at(attributes['primvars:kind'], f) as number[]).length).toBe(yarns.u.length);
      expect((at(attributes.points, f) as number[][])[5][0]).toBeCloseTo(yarns.x[15], 8);
      expect((at(attributes.widths, f) as number[]).length).toBe(counts.length);
    }
    expect(attributes.widths.metadata).toEqual({ interpolation: 'uniform' });
    expect(attributes['primvars:load'].metadata).toEqual({ interpolation: 'vertex' });
  });

  test('tubes on fixed material points keep their faces', () => {
    const { type, attributes } = read(run, { curves: 'tube' });
    expect(type).toBe('Mesh');
    expect(attributes.faceVertexIndices.samples.size).toBe(0);
    expect(attributes.points.samples.size).toBe(4);
    const u = attributes['primvars:u'].value as number[];
    expect(Math.max(...u)).toBeCloseTo(Math.max(...cloth.restLength), 6);
  });
});

describe('fixed material points', () => {
  test('the same material lies where the smooth yarn is, in every frame', () => {
    const fixed = resampleRun(run, 33).frames.map(({ objects }) => objects[0] as YarnsFrame);
    for (const [f, yarns] of fixed.entries()) {
      expect(yarns.u).toEqual(fixed[0].u);
      expect(new Set(yarns.kind)).toEqual(new Set([NODE_LAGRANGIAN]));
      expect(yarns.u.length).toBe(13 * 33);
      const [ends, original] = [yarns.start, run.frames[f].objects[0] as YarnsFrame];
      for (let y = 0; y < 13; y++)
        for (let k = 0; k < 3; k++) {
          expect(yarns.x[3 * ends[y] + k]).toBe(original.x[3 * original.start[y] + k]);
          expect(yarns.x[3 * ends[y + 1] - 3 + k]).toBe(original.x[3 * original.start[y + 1] - 3 + k]);
        }
      // `speed` is u, so it must come out as the u of the point
      for (let i = 0; i < yarns.u.length; i++) expect(yarns.fields.speed[i]).toBeCloseTo(yarns.u[i], 12);
    }
    // the wefts did slide under fixed points of the warps: those follow
    expect(fixed[3].x).not.toEqual(fixed[0].x);
  });

  test('a yarn that a frame lacks is as it was before', () => {
    const frames = run.frames.map((frame, f) => (f === 2 ? { ...frame, objects: [takeOut(cloth, 4)] } : frame));
    const [before, gap] = resampleRun({ ...run, frames }, 20)
      .frames.slice(1)
      .map(({ objects }) => objects[0] as YarnsFrame);
    const part = ({ x, start }: YarnsFrame, y: number) => x.subarray(3 * start[y], 3 * start[y + 1]);
    expect(part(gap, 4)).toEqual(part(before, 4));
    expect(part(gap, 5)).not.toEqual(part(before, 5));
  });

  test('OBJ and PLY have one topology', async () => {
    for (const name of ['obj', 'ply']) {
      const { files } = await findExporter(name).write(run, { samples: 30 });
      const sizes = [...files].map(({ bytes }) => new TextDecoder('latin1').decode(bytes).match(/^(f |element).*/gm));
      expect(sizes.length).toBe(4);
      for (const size of sizes) expect(size).toEqual(sizes[0]);
      // 30 rings and two of each cap, of 7 vertices: the points are not made finer again
      const [first] = await findExporter(name)
        .write(run, { samples: 30 })
        .then((result) => [...result.files]);
      const text = new TextDecoder('latin1').decode(first.bytes);
      expect(name === 'obj' ? text.match(/^v /gm)?.length : Number(/element vertex (\d+)/.exec(text)?.[1])).toBe(
        13 * 34 * 7,
      );
    }
  });
});

describe('GLB', () => {
  test('a fabric is one mesh that morphs, coloured by layer and group, and the validator finds nothing', async () => {
    const { bytes, report } = await encodeGlb(run, { samples: 24, sides: 5 });
    expect(report.notes).toEqual([]);
    const { issues } = await validateBytes(bytes);
    expect(issues.messages).toEqual([]);
    const document = await new WebIO().readBinary(bytes);
    const [mesh] = document.getRoot().listMeshes();
    const [primitive] = mesh.listPrimitives();
    expect(primitive.listTargets().length).toBe(3);
    const colours = primitive.getAttribute('COLOR_0')!.getArray()!;
    const palette = computeYarnColours(cloth);
    expect([...colours.slice(0, 3)]).toEqual([...palette.slice(0, 3)]);
    expect([...colours.slice(-3)]).toEqual([...palette.slice(-3)]);
    expect([...palette.slice(0, 3)]).not.toEqual([...palette.slice(-3)]);
    // 13 yarns of 24 rings and 4 of caps, 6 vertices each
    expect(report.vertices).toBe(13 * 28 * 6);
  });

  test('what is too large gets fewer sides and rings, then fewer yarns, and says so', () => {
    const large = makeWoven({ warps: 60, wefts: 60 });
    const choose = (frames: number) => {
      const notes: string[] = [];
      const { samples, sides } = chooseYarnDetail('cloth', new Array(frames).fill(large), {}, notes);
      const rings = samples.reduce((sum, { length }) => sum + (length > 0 ? length + 4 : 0), 0);
      return {
        notes,
        sides,
        yarns: samples.filter(({ length }) => length > 0).length,
        places: rings * (sides + 1) * frames,
      };
    };
    expect(choose(10)).toMatchObject({ notes: [], sides: 8, yarns: 120 });
    const [some, many, most] = [120, 200, 1200].map(choose);
    expect(some).toMatchObject({ notes: [], sides: 4, yarns: 120 });
    expect(many).toMatchObject({ sides: 3, yarns: 120 });
    expect(many.notes.join()).toMatch(/instead of 30240 rings on the yarns of "cloth"/);
    expect(most.notes.join()).toMatch(/one of every 2 of the 120 yarns/);
    for (const { places } of [some, many, most]) {
      expect(places).toBeLessThanOrEqual(2e7);
      expect(places).toBeGreaterThan(1e7);
    }
  });
});

describe('yarn curves', () => {
  test('are Catmull-Rom curves in BCC that pass through all nodes and end there', async () => {
    const { files } = await findExporter('bcc').write(run);
    const list = [...files];
    expect(list.map(({ path }) => path)).toEqual([1, 2, 3, 4].map((n) => `bcc/sliding.000${n}.bcc`));
    const read = readBcc(list[2].bytes);
    expect(read).toMatchObject({ type: 'catmull-rom', dimensions: 3, upAxis: 1 });
    expect(read.curves.length).toBe(13);
    const flat = flattenYarnCurves(read, 3).curves;
    for (const [y, yarn] of listYarns(cloth).entries()) {
      expect(flat[y].points.length).toBe(3 * (3 * (yarn.u.length - 1) + 1));
      for (let i = 0; i < yarn.u.length; i++)
        expect([...flat[y].points.subarray(9 * i, 9 * i + 3)]).toEqual(singles(yarn.x.subarray(3 * i, 3 * i + 3)));
    }
  });

  test('are lines in OBJ that read back to the same doubles, strands and loops included', async () => {
    const frame = frameOf(...makeRun(1).frames[0].objects, cloth);
    const { files } = await findExporter('obj-curves').write({ ...run, frames: [frame] });
    const [{ path, bytes }] = [...files];
    expect(path).toBe('curves/sliding.0001.obj');
    const read = readObjCurves(new TextDecoder().decode(bytes));
    const curves = collectYarnCurves(frame, 'polyline').curves;
    expect(read.curves.length).toBe(15);
    expect(read.curves.map(({ closed }) => closed)).toEqual(curves.map(({ closed }) => closed));
    for (const [k, { points }] of read.curves.entries()) expect([...points]).toEqual([...curves[k].points]);
  });
});
