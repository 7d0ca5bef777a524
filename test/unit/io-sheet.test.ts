/** Sheets and particles in every format: what is written is what the frames hold, also where the mesh changes. */
import { WebIO } from '@gltf-transform/core';
import { validateBytes } from 'gltf-validator';
import {
  computeCreasedMesh,
  computeVertexNormals,
  decodeFrameBytes,
  encodeFrameBytes,
  encodeGlb,
  encodeObj,
  encodePly,
  encodePlySequence,
  encodeUsda,
  encodeVtkSequence,
  encodeVtpPoints,
  encodeVtpSurfaces,
  findExporter,
  GROUP_COLOURS,
  PLY_PARTICLE,
  readFrame,
  scanChunks,
  writeSurfaceNormals,
} from 'heddle/io';
import {
  addFrameToLimits,
  createFrameLimits,
  FormatError,
  type Frame,
  type PointsFrame,
  type SurfaceFrame,
} from 'heddle/model';
import { describe, expect, test } from 'vitest';
import { makeRun } from './io-run.ts';
import { readPly } from './ply-reader.ts';
import { makeGrid, makeParticles, makeSheet, makeSheetRun, placeSheet } from './sheet-run.ts';
import { readUsda, type UsdAttribute } from './usda-reader.ts';
import { readVtp } from './vtk-reader.ts';

const run = makeSheetRun(5);
const frame = run.frames[2];
const [cloth, sand] = frame.objects as [SurfaceFrame, PointsFrame];
const singles = (values: ArrayLike<number>) => Array.from(values, Math.fround);

/** A run of one mixed frame: strands, a sheet and particles. */
const mixed = {
  ...makeRun(3),
  frames: makeRun(3).frames.map((one, f) => ({ ...one, objects: [...one.objects, ...run.frames[f].objects] })),
};

describe('the frame file', () => {
  const decode = (one: Frame) => decodeFrameBytes(encodeFrameBytes(one)).objects;

  test('sheets and particles come back exactly, beside curves', () => {
    for (const one of [...run.frames, ...mixed.frames]) expect(decode(one)).toEqual(one.objects);
    const empty = { ...frame, objects: [makeParticles(0), { ...cloth, fields: {}, creases: new Int32Array(0) }] };
    expect(decode(empty)).toEqual(empty.objects);
  });

  test('a file of version 0.1 before sheets is still read', () => {
    const old =
      'iUhFRERMRQoBAAAAAAAAAEZSQU0AAAAA2gAAAAAAAAAAAAAAAADgPwAAAAAAABRAAQAAAAEAAAABAAAABAAAAHJvcGUAAAAAexSuR+F6hD8AAAAAAADwPwIAAAABAAAAAAAAAAAAAAAAAAAAAADwPwAAAAAAAABAAAAAAAAACEAAAAAAAAAQQAAAAAAAABRAAAAAAAAAAAAAAAAAAADwPwABBQAAAHNwZWVkAAAAAAAAHEAAAAAAAAAgQAMAAABib3gAAAAAAADwPwAAAAAAAABAAAAAAAAACEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADwP/vN0/E=';
    const bytes = new Uint8Array(Buffer.from(old, 'base64'));
    const read = readFrame(bytes, scanChunks(bytes).entries[0]);
    expect(read).toMatchObject({ time: 0.5, step: 5, bodies: [{ id: 'box', position: [1, 2, 3] }] });
    expect(read.objects).toEqual([
      {
        type: 'curve',
        id: 'rope',
        closed: false,
        radius: 0.01,
        restLength: 1,
        x: Float64Array.of(0, 1, 2, 3, 4, 5),
        u: Float64Array.of(0, 1),
        kind: Uint8Array.of(0, 1),
        fields: { speed: Float64Array.of(7, 8) },
      },
    ]);
  });

  test('corners that are no vertices are refused, writing and reading', () => {
    const wrong = { ...cloth, triangles: Int32Array.of(0, 1, cloth.kind.length) };
    expect(() => encodeFrameBytes({ ...frame, objects: [wrong] })).toThrow(/135 vertices, one of them 135/);
    const bytes = encodeFrameBytes({ ...frame, objects: [{ ...cloth, triangles: Int32Array.of(0, 1, 77) }] });
    const at = bytes.findIndex(
      (_, i) => new DataView(bytes.buffer).getUint32(Math.min(i, bytes.length - 4), true) === 77,
    );
    bytes[at + 1] = 1;
    expect(() => decodeFrameBytes(bytes)).toThrow(FormatError);
  });
});

test('limits span sheets by half their thickness and particles by their radius', () => {
  const limits = createFrameLimits();
  addFrameToLimits({ ...frame, objects: [makeGrid({ columns: 3, rows: 3 }), makeParticles(8, 1)] }, new Map(), limits);
  const r = makeParticles(8).radius;
  expect(limits.objects.high).toEqual([1.001, 0.001, 0.601]);
  expect(limits.objects.low.map((value) => Math.round(1e9 * value) / 1e9)).toEqual([-r, -1 - r, -r]);
  expect(limits.ranges.strain).toEqual([0, 2.2]);
  expect(limits.ranges.speed).toEqual([0, 0.5]);
});

describe('shading', () => {
  test('along a crease each side has its own normal, elsewhere a vertex has one', () => {
    const flatSides = makeGrid({
      columns: 5,
      rows: 4,
      crease: 0.5,
      place: (X, Y) => (X <= 0.5 ? [X, 0, Y] : [0.5, 0.5 - X, Y]),
    });
    const mesh = computeCreasedMesh(flatSides);
    expect(mesh.source.length).toBe(flatSides.kind.length + 4);
    const normals = new Float64Array(3 * mesh.source.length);
    writeSurfaceNormals(flatSides.x, mesh, normals);
    for (const [corner, vertex] of mesh.indices.entries()) {
      expect(mesh.source[vertex]).toBe(flatSides.triangles[corner]);
      const t = 3 * Math.floor(corner / 3);
      const middle = [0, 1, 2].reduce((sum, k) => sum + flatSides.X[2 * flatSides.triangles[t + k]] / 3, 0);
      // counter-clockwise in (X, Y) → x × z = −y on top, and −x where it hangs
      const expected = middle < 0.5 ? [0, -1, 0] : [-1, 0, 0];
      for (let k = 0; k < 3; k++) expect(normals[3 * vertex + k]).toBeCloseTo(expected[k], 12);
    }
  });

  test('where a crease ends inside the sheet the vertex stays one', () => {
    const sheet = makeSheet(0);
    const part = computeCreasedMesh({ ...sheet, creases: sheet.creases.subarray(0, 6) });
    // 4 vertices lie on the shortened crease; its inner end is not split
    expect(part.source.length).toBe(sheet.kind.length + 3);
  });
});

describe('OBJ', () => {
  const parse = (text: string) => {
    const rows = (key: string) =>
      text
        .split('\n')
        .filter((line) => line.startsWith(`${key} `))
        .map((line) => line.split(' ').slice(1));
    return { v: rows('v'), vt: rows('vt'), vn: rows('vn'), f: rows('f'), p: rows('p'), g: rows('g') };
  };

  test('a sheet is its triangles with X as texture, sharp normals on the crease; particles are points', () => {
    const { v, vt, vn, f, p, g } = parse(encodeObj(frame, { repeat: 0.1 }));
    expect(g.flat()).toEqual(['cloth', 'sand']);
    expect(v.flat().map(Number)).toEqual([...cloth.x, ...sand.x]);
    expect(vt.flat().map(Number)).toEqual(Array.from(cloth.X, (value) => Number((value / 0.1).toPrecision(9))));
    expect(vn.length).toBe(cloth.kind.length + 9);
    expect(f.flatMap((corners) => corners.map((corner) => Number(corner.split('/')[0]) - 1))).toEqual([
      ...cloth.triangles,
    ]);
    expect(f.flat().every((corner) => corner.split('/')[0] === corner.split('/')[1])).toBe(true);
    expect(p.flat().map(Number)).toEqual(Array.from(sand.group, (_, i) => cloth.kind.length + i + 1));
  });

  test('with strands the indices count on', () => {
    const text = encodeObj(mixed.frames[1]);
    const { v, f, p } = parse(text);
    const largest = Math.max(...f.flat().map((corner) => Number(corner.split('/')[0])), ...p.flat().map(Number));
    expect(largest).toBe(v.length);
  });
});

describe('PLY', () => {
  test('vertices carry X as s and t, fields, kinds and groups; particles have no faces', () => {
    const { elements, comments } = readPly(encodePly(frame));
    const { vertex, face } = elements;
    expect(vertex.length).toBe(cloth.kind.length + sand.group.length);
    expect(face.flatMap((row) => row.vertex_indices)).toEqual([...cloth.triangles]);
    expect(comments.slice(1)).toEqual(['object 0 cloth', 'object 1 sand']);
    const normals = computeVertexNormals(cloth);
    for (let i = 0; i < cloth.kind.length; i++) {
      const row = vertex[i];
      expect([row.x, row.y, row.z]).toEqual(singles(cloth.x.subarray(3 * i, 3 * i + 3)));
      expect([row.nx, row.ny, row.nz]).toEqual(singles(normals.subarray(3 * i, 3 * i + 3)));
      expect([row.s, row.t, row.u]).toEqual(singles([cloth.X[2 * i], cloth.X[2 * i + 1], cloth.X[2 * i]]));
      expect([row.strain, row.speed]).toEqual(singles([cloth.fields.strain[i], 0]));
      expect([row.kind, row.group, row.object]).toEqual([cloth.kind[i], 0, 0]);
    }
    for (let i = 0; i < sand.group.length; i++) {
      const row = vertex[cloth.kind.length + i];
      expect([row.x, row.y, row.z]).toEqual(singles(sand.x.subarray(3 * i, 3 * i + 3)));
      expect([row.speed, row.kind, row.group, row.object]).toEqual([
        Math.fround(sand.fields.speed[i]),
        PLY_PARTICLE,
        sand.group[i],
        1,
      ]);
    }
  });

  test('all files of a run have the same properties, also where a frame lacks sheet and particles', () => {
    const lacking = {
      ...mixed,
      frames: [{ ...mixed.frames[0], objects: mixed.frames[0].objects.slice(0, 2) }, mixed.frames[1]],
    };
    const names = [...encodePlySequence(lacking)].map(({ bytes }) => Object.keys(readPly(bytes).elements.vertex[0]));
    expect(names[0]).toEqual(names[1]);
    expect(names[0].slice(-5)).toEqual(['s', 't', 'kind', 'group', 'object']);
  });
});

describe('VTK', () => {
  test('a sheet is triangles and crease lines with X and fields as the same doubles', () => {
    const { piece, arrays } = readVtp(encodeVtpSurfaces(frame));
    expect(piece.attributes).toMatchObject({
      NumberOfPoints: String(cloth.kind.length),
      NumberOfLines: '8',
      NumberOfPolys: String(cloth.triangles.length / 3),
    });
    expect(arrays('Points').Points).toEqual([...cloth.x]);
    const points = arrays('PointData');
    expect(points.X).toEqual([...cloth.X]);
    expect(points.kind).toEqual([...cloth.kind]);
    expect(points.strain).toEqual([...cloth.fields.strain]);
    expect(arrays('Lines').connectivity).toEqual([...cloth.creases]);
    expect(arrays('Polys').connectivity).toEqual([...cloth.triangles]);
    expect(arrays('Polys').offsets.at(-1)).toBe(cloth.triangles.length);
    // lines are counted before polygons
    const { crease, object } = arrays('CellData');
    expect(crease).toEqual([...new Array(8).fill(1), ...new Array(cloth.triangles.length / 3).fill(0)]);
    expect(object).toEqual(crease.map(() => 0));
  });

  test('particles are vertex cells with group and radius', () => {
    const { piece, arrays } = readVtp(encodeVtpPoints(frame));
    expect(piece.attributes).toMatchObject({ NumberOfVerts: String(sand.group.length), NumberOfPolys: '0' });
    expect(arrays('Points').Points).toEqual([...sand.x]);
    expect(arrays('PointData')).toEqual({
      group: [...sand.group],
      radius: Array.from(sand.group, () => sand.radius),
      object: Array.from(sand.group, () => 0),
      speed: [...sand.fields.speed],
    });
    expect(arrays('Verts').connectivity).toEqual(Array.from(sand.group, (_, i) => i));
  });

  test('a run has files of the parts that it has, and the collection names them', () => {
    const files = [...encodeVtkSequence(run)];
    expect(files.map(({ path }) => path).slice(0, 2)).toEqual([
      'vtk/over-edge.surfaces.0001.vtp',
      'vtk/over-edge.points.0001.vtp',
    ]);
    expect(files.length).toBe(11);
    const entries = [...files[10].text.matchAll(/part="(\d)" file="([^"]+)"/g)].map(([, part, file]) => [
      part,
      `vtk/${file}`,
    ]);
    expect(entries.map(([, path]) => path)).toEqual(files.slice(0, 10).map(({ path }) => path));
    expect(entries.slice(0, 2).map(([part]) => part)).toEqual(['3', '4']);
  });
});

describe('USD', () => {
  const read = (...args: Parameters<typeof encodeUsda>) =>
    readUsda(new TextDecoder().decode(encodeUsda(...args).bytes)).prims.over_edge.children;
  const at = (attribute: UsdAttribute, f: number) => attribute.samples.get(f) ?? attribute.value;
  const flat = (value: unknown) => (value as number[][]).flat(2);
  const expectNear = (actual: unknown, expected: ArrayLike<number>) => {
    const values = flat(actual);
    expect(values.length).toBe(expected.length);
    for (let i = 0; i < values.length; i++)
      expect(Math.abs(values[i] - expected[i])).toBeLessThan(1e-8 * Math.max(1, Math.abs(expected[i])));
  };

  test('points, faces, st and creases of a sheet change together', () => {
    const { cloth: prim } = read(run);
    expect(prim.type).toBe('Mesh');
    const counts = new Set<number>();
    for (const [f, { objects }] of run.frames.entries()) {
      const sheet = objects[0] as SurfaceFrame;
      counts.add(sheet.kind.length);
      expectNear(at(prim.attributes.points, f), sheet.x);
      expect(at(prim.attributes.faceVertexIndices, f)).toEqual([...sheet.triangles]);
      expect(at(prim.attributes.faceVertexCounts, f)).toEqual(new Array(sheet.triangles.length / 3).fill(3));
      expectNear(
        at(prim.attributes['primvars:st'], f),
        sheet.X.map((value) => value / 0.1),
      );
      expectNear(at(prim.attributes['primvars:X'], f), sheet.X);
      expect(at(prim.attributes['primvars:kind'], f)).toEqual([...sheet.kind]);
      expectNear(at(prim.attributes['primvars:strain'], f), sheet.fields.strain);
      expect(at(prim.attributes.creaseIndices, f)).toEqual([...sheet.creases]);
      expect(flat(at(prim.attributes.normals, f)).length).toBe(3 * sheet.triangles.length);
    }
    expect(counts.size).toBeGreaterThan(1);
    expect(prim.attributes.normals.metadata).toEqual({ interpolation: 'faceVarying' });
    expect(prim.attributes['primvars:st'].metadata).toEqual({ interpolation: 'vertex' });
  });

  test('has no time samples of faces and st in usda-fixed, whose points follow the material', async () => {
    const [{ bytes }] = (await findExporter('usda-fixed').write(run, { samples: 200 })).files as {
      bytes: Uint8Array;
    }[];
    const { cloth: prim } = readUsda(new TextDecoder().decode(bytes)).prims.over_edge.children;
    for (const name of ['faceVertexIndices', 'faceVertexCounts', 'primvars:st', 'primvars:X', 'primvars:kind']) {
      expect(prim.attributes[name].samples.size, name).toBe(0);
    }
    const X = flat(prim.attributes['primvars:X'].value);
    expect(X.length / 2).toBeGreaterThanOrEqual(200);
    for (let f = 0; f < 5; f++) {
      const points = flat(at(prim.attributes.points, f));
      const c = 0.5 - (0.3 * f) / 4;
      let seen = 0;
      for (let v = 0; v < X.length / 2; v++) {
        if (X[2 * v] > c) continue;
        seen++;
        expect(points[3 * v]).toBeCloseTo(X[2 * v] - c, 7);
        expect(points[3 * v + 2]).toBeCloseTo(0.6 - X[2 * v + 1], 7);
      }
      expect(seen).toBeGreaterThan(10);
    }
  });

  test('particles are Points whose number changes, coloured by group', () => {
    const { sand: prim } = read(run);
    expect(prim.type).toBe('Points');
    for (const [f, { objects }] of run.frames.entries()) {
      const cloud = objects[1] as PointsFrame;
      expectNear(at(prim.attributes.points, f), cloud.x);
      expect(at(prim.attributes['primvars:group'], f)).toEqual([...cloud.group]);
      expect((at(prim.attributes['primvars:displayColor'], f) as number[][]).length).toBe(cloud.group.length);
      expect((at(prim.attributes.widths, f) as number[])[0]).toBeCloseTo(2 * cloud.radius, 8);
    }
  });
});

describe('GLB', () => {
  const open = async (...args: Parameters<typeof encodeGlb>) => {
    const { bytes, report } = await encodeGlb(...args);
    const result = await validateBytes(bytes, { maxIssues: 0 });
    expect(result.issues.messages).toEqual([]);
    expect(result.issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
    const root = (await new WebIO().readBinary(bytes)).getRoot();
    const primitive = (id: string) =>
      root
        .listMeshes()
        .find((mesh) => mesh.getName() === id)!
        .listPrimitives()[0];
    return { root, primitive, report };
  };

  test('the validator finds nothing in sheets and particles, with strands, alone, in one frame and at rest', async () => {
    const still = { ...run, frames: [0, 1, 2].map((f) => ({ ...frame, time: f })) };
    const none = { ...run, frames: run.frames.map((one) => ({ ...one, objects: [one.objects[0], makeParticles(0)] })) };
    for (const one of [run, mixed, still, none, { ...run, frames: [frame] }]) await open(one);
    const { root } = await open(still);
    expect(root.listAnimations()).toEqual([]);
  });

  test('a sheet whose mesh changes has one topology, and mesh + target stands where the material is', async () => {
    const { root, primitive } = await open(run, { samples: 300 });
    const mesh = primitive('cloth');
    const base = mesh.getAttribute('POSITION')!.getArray()!;
    const texture = mesh.getAttribute('TEXCOORD_0')!.getArray()!;
    expect(texture.length / 2).toBeGreaterThanOrEqual(300);
    expect(mesh.listTargets().length).toBe(4);
    expect(mesh.getMaterial()!.getDoubleSided()).toBe(true);
    for (let f = 0; f < 5; f++) {
      const shift = f === 0 ? null : mesh.listTargets()[f - 1].getAttribute('POSITION')!.getArray()!;
      const c = 0.5 - (0.3 * f) / 4;
      for (let v = 0; v < texture.length / 2; v++) {
        const [X, Y] = [0.1 * texture[2 * v], 0.1 * texture[2 * v + 1]];
        const [x, y, z] = placeSheet(X, Y, c);
        const at = (k: number) => base[3 * v + k] + (shift ? shift[3 * v + k] : 0);
        expect(Math.abs(at(1) - y)).toBeLessThan(1e-6);
        expect(Math.abs(at(2) - z)).toBeLessThan(1e-6);
        // the wave between vertices is cut
        expect(Math.abs(at(0) - x)).toBeLessThan(X <= c ? 1e-6 : 0.02);
      }
    }
    const paths = root
      .listAnimations()[0]
      .listChannels()
      .map((channel) => [channel.getTargetNode()?.getName(), channel.getTargetPath()]);
    expect(paths).toEqual([
      ['cloth', 'weights'],
      ['sand', 'weights'],
    ]);
  });

  test('particles that come later wait where they appear; all are coloured by group', async () => {
    const { primitive } = await open(run);
    const mesh = primitive('sand');
    expect(mesh.getMode()).toBe(0);
    const base = mesh.getAttribute('POSITION')!.getArray()!;
    expect(base.length).toBe(3 * 40);
    for (let f = 0; f < 5; f++) {
      const shift = f === 0 ? null : mesh.listTargets()[f - 1].getAttribute('POSITION')!.getArray()!;
      for (let p = 0; p < 40; p++) {
        // particle p is there from the frame with 20 + 5 f > p on
        const from = Math.max(f, Math.ceil((p + 1 - 20) / 5));
        const { x } = run.frames[from].objects[1];
        for (let k = 0; k < 3; k++) {
          expect(base[3 * p + k] + (shift ? shift[3 * p + k] : 0)).toBeCloseTo(x[3 * p + k], 6);
        }
      }
    }
    const colours = mesh.getAttribute('COLOR_0')!.getArray()!;
    const { group } = run.frames[4].objects[1] as PointsFrame;
    const red = (p: number) =>
      255 * (colours[3 * p] <= 0.0031308 ? 12.92 * colours[3 * p] : 1.055 * colours[3 * p] ** (1 / 2.4) - 0.055);
    for (let p = 0; p < 40; p++) expect(red(p)).toBeCloseTo(GROUP_COLOURS[group[p]][0], 3);
  });
});
