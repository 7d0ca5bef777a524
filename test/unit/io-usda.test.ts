import { encodeUsda, findExporter, resampleRun } from 'heddle/io';
import { HeddleError } from 'heddle/model';
import { USDLoader } from 'three/examples/jsm/loaders/USDLoader.js';
import { describe, expect, test } from 'vitest';
import { cube, makeRun } from './io-run.ts';
import { readUsda, type UsdAttribute } from './usda-reader.ts';

const run = makeRun(7);
const textOf = (...args: Parameters<typeof encodeUsda>) => new TextDecoder().decode(encodeUsda(...args).bytes);
const read = (...args: Parameters<typeof encodeUsda>) => readUsda(textOf(...args));
/** Value of an attribute at frame f. */
const at = (attribute: UsdAttribute, f: number) => attribute.samples.get(f) ?? attribute.value;

function expectNear(actual: unknown, expected: ArrayLike<number>, relative = 6e-8): void {
  const values = (actual as number[][]).flat(2);
  expect(values.length).toBe(expected.length);
  for (let i = 0; i < values.length; i++) {
    expect(Math.abs(values[i] - expected[i])).toBeLessThanOrEqual(relative * Math.max(1, Math.abs(expected[i])));
  }
}

describe('USD', () => {
  test('the layer says units, up axis, default prim and the times of its frames', () => {
    const { metadata, prims } = read(run);
    expect(metadata).toMatchObject({
      defaultPrim: 'over_corner',
      metersPerUnit: 1,
      upAxis: 'Y',
      timeCodesPerSecond: 60,
      framesPerSecond: 60,
      startTimeCode: 0,
      endTimeCode: 6,
    });
    expect(Object.keys(prims)).toEqual(['over_corner']);
    expect(Object.keys(prims.over_corner.children)).toEqual(['rope', 'loop', 'cube', 'rest']);
  });

  test('curves whose nodes come and go have counts, points and primvars that fit at every time', () => {
    const { rope, loop } = read(run).prims.over_corner.children;
    expect(rope.type).toBe('BasisCurves');
    expect(rope.attributes.type).toMatchObject({ type: 'uniform token', value: 'linear' });
    expect(rope.attributes.wrap.value).toBe('nonperiodic');
    expect(loop.attributes.wrap.value).toBe('periodic');
    const counts = new Set<number>();
    for (const [f, frame] of run.frames.entries()) {
      const curve = frame.objects[0];
      const count = (at(rope.attributes.curveVertexCounts, f) as number[])[0];
      counts.add(count);
      expect(count).toBe(curve.u.length);
      expectNear(at(rope.attributes.points, f), curve.x);
      expectNear(at(rope.attributes['primvars:u'], f), curve.u);
      expect(at(rope.attributes['primvars:kind'], f)).toEqual([...curve.kind]);
      expectNear(at(rope.attributes['primvars:speed'], f), curve.fields.speed);
      const [low, high] = at(rope.attributes.extent, f) as number[][];
      for (let i = 0; i < curve.x.length; i++) {
        expect(low[i % 3]).toBeLessThanOrEqual(curve.x[i] - curve.radius + 1e-8);
        expect(high[i % 3]).toBeGreaterThanOrEqual(curve.x[i] + curve.radius - 1e-8);
      }
    }
    // the run is one in which the topology does change
    expect(counts.size).toBeGreaterThan(1);
    for (const name of ['primvars:u', 'primvars:kind', 'primvars:speed']) {
      expect(rope.attributes[name].metadata).toEqual({ interpolation: 'vertex' });
    }
    expect(rope.attributes.widths).toMatchObject({ value: [0.02], metadata: { interpolation: 'constant' } });
    expect(rope.attributes['primvars:displayColor'].value).toHaveLength(1);
  });

  test('what never changes has no time samples; a changing value also has its first as default', () => {
    const { rope, loop, rest } = read(run).prims.over_corner.children;
    for (const { samples } of [...Object.values(loop.attributes), ...Object.values(rest.attributes)]) {
      expect(samples.size).toBe(0);
    }
    expect([...rope.attributes.points.samples.keys()]).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(rope.attributes.points.value).toEqual(rope.attributes.points.samples.get(0));
    // there and back again is a change, too
    const [first, second] = run.frames;
    const frames = [first, second, first].map((frame, f) => ({ ...frame, time: f / 60 }));
    expect(read({ ...run, frames }).prims.over_corner.children.rope.attributes.points.samples.size).toBe(3);
  });

  test('bodies are meshes whose translate and orient (w first) are their poses', () => {
    const body = read(run).prims.over_corner.children.cube;
    expect(body.type).toBe('Mesh');
    const { attributes } = body;
    expect(attributes.xformOpOrder.value).toEqual(['xformOp:translate', 'xformOp:orient']);
    expect(attributes.subdivisionScheme.value).toBe('none');
    expect(attributes.faceVertexCounts.value).toEqual(new Array(12).fill(3));
    expect(attributes.faceVertexIndices.value).toEqual(cube.indices);
    expectNear(attributes.points.value, cube.positions);
    for (const [f, { bodies }] of run.frames.entries()) {
      expect(at(attributes['xformOp:translate'], f)).toEqual(bodies[0].position);
      const [w, x, y, z] = at(attributes['xformOp:orient'], f) as number[];
      const [qx, qy, qz, qw] = bodies[0].orientation;
      // q and −q are the same turn
      expect(Math.abs(w * qw + x * qx + y * qy + z * qz)).toBeCloseTo(1, 7);
    }
    const turns = [...attributes['xformOp:orient'].samples.values()] as number[][];
    for (let f = 1; f < turns.length; f++) {
      expect(turns[f].reduce((sum, value, k) => sum + value * turns[f - 1][k], 0)).toBeGreaterThan(0);
    }
  });

  test('a translucent body says how opaque it is, an opaque one need not', () => {
    const bodies = run.bodies.map((body) => (body.id === 'cube' ? { ...body, opacity: 0.3 } : body));
    const { cube: pale, rest } = read({ ...run, bodies }).prims.over_corner.children;
    expectNear(pale.attributes['primvars:displayOpacity'].value, [0.3]);
    expect(pale.attributes['primvars:displayOpacity'].metadata).toEqual({ interpolation: 'constant' });
    expect(rest.attributes['primvars:displayOpacity']).toBeUndefined();
  });

  test('tubes on fixed material points have one topology and move', () => {
    const { rope, loop } = read(run, { curves: 'tube', samples: 30 }).prims.over_corner.children;
    for (const prim of [rope, loop]) {
      expect(prim.type).toBe('Mesh');
      const indices = prim.attributes.faceVertexIndices.value as number[];
      const points = prim.attributes.points.value as number[][];
      expect(prim.attributes.faceVertexCounts.value).toEqual(new Array(indices.length / 3).fill(3));
      expect(Math.max(...indices)).toBe(points.length - 1);
      expect(prim.attributes['primvars:st'].value).toHaveLength(points.length);
      for (const value of prim.attributes.points.samples.values()) expect(value).toHaveLength(points.length);
    }
    expect(rope.attributes.points.samples.size).toBe(7);
    expect(rope.attributes.faceVertexIndices.samples.size).toBe(0);
    // u of the rings: each is the same piece of material at all times, so at frame f it lies at x(u)
    const u = rope.attributes['primvars:u'].value as number[];
    for (const [f, frame] of run.frames.entries()) {
      const corner = frame.objects[0].u[frame.objects[0].kind.indexOf(1)];
      const points = at(rope.attributes.points, f) as number[][];
      for (const [v, point] of points.entries()) {
        // half a sample and a radius from the corner rings are mitred
        if (Math.abs(u[v] - corner) < 0.04) continue;
        const centre = u[v] < corner ? [u[v] - corner, 0, 0] : [0, corner - u[v], 0];
        const distance = Math.hypot(...point.map((value, k) => value - centre[k]));
        expect(distance).toBeLessThan(0.0101);
      }
    }
  });

  test('a resampled run gives curves with one topology', async () => {
    const { files } = await findExporter('usda').write(run, { samples: 25 });
    const [{ path, bytes }] = [...files];
    expect(path).toBe('over-corner.usda');
    const { rope } = readUsda(new TextDecoder().decode(bytes)).prims.over_corner.children;
    expect(rope.attributes.curveVertexCounts).toMatchObject({ value: [25], samples: new Map() });
    expect(rope.attributes['primvars:u'].samples.size).toBe(0);
    const fixed = resampleRun(run, 25);
    for (const [f, frame] of fixed.frames.entries()) expectNear(at(rope.attributes.points, f), frame.objects[0].x);
  });

  test('frame k has the code k though its step came a little later; a last frame between two codes keeps its time', () => {
    const late = run.frames.map((frame, f) => ({ ...frame, time: f / 60 + (f === 0 ? 0 : 0.0011) }));
    const [last] = late.splice(-1);
    const frames = [...late, { ...last, time: 5.5 / 60 }];
    const { metadata, prims } = read({ ...run, frames, framesPerSecond: 60 });
    const codes = [...prims.over_corner.children.rope.attributes.points.samples.keys()];
    expect(codes).toEqual([0, 1, 2, 3, 4, 5, 5.5]);
    expect(metadata.endTimeCode).toBe(5.5);
  });

  test('frames that are no later than the one before are left out, and the notes say so', () => {
    const frames = [...run.frames.slice(0, 3), run.frames[2], run.frames[3]];
    expect(encodeUsda({ ...run, frames }).notes.join()).toMatch(
      /^1 frames were left out of the USD file because their time is not later/,
    );
    expect(encodeUsda(run).notes).toEqual([]);
  });

  test('ids that are no identifiers are renamed without clashes and kept; strings are escaped', () => {
    const [first, second] = run.frames[0].objects;
    const objects = [
      { ...first, id: 'a-b' },
      { ...second, id: 'a_b' },
      { ...first, id: '3 "x"\\' },
    ];
    const frames = [{ ...run.frames[0], objects, bodies: [] }];
    const { prims } = read({ ...run, name: '2"\n', frames, bodies: [] });
    const { children } = prims._2__;
    expect(Object.keys(children)).toEqual(['a_b', 'a_b_2', '_3__x__']);
    expect(children.a_b.metadata).toEqual({ customData: { id: 'a-b' } });
    expect(children.a_b_2.metadata).toEqual({ customData: { id: 'a_b' } });
    expect(children._3__x__.metadata).toEqual({ customData: { id: '3 "x"\\' } });
  });

  test('values that are not finite are refused with their id', () => {
    const broken = {
      ...run.frames[0].objects[0],
      x: run.frames[0].objects[0].x.map((x, i) => (i === 4 ? Number.NaN : x)),
    };
    const frames = [{ ...run.frames[0], objects: [broken] }];
    expect(() => encodeUsda({ ...run, frames })).toThrow(HeddleError);
    expect(() => encodeUsda({ ...run, frames })).toThrow(/"rope" has values that are not finite/);
    expect(() => encodeUsda({ ...run, frames: [] })).toThrow(/no frames/);
  });

  test("three's USDLoader reads bodies with their motion, and tubes", () => {
    const group = new USDLoader().parse(textOf(run, { curves: 'tube', samples: 30 })) as unknown as {
      getObjectByName(name: string): { geometry: { attributes: Record<string, { count: number }> } };
      animations: { tracks: { name: string; times: Float32Array }[] }[];
    };
    expect(group.getObjectByName('cube').geometry.attributes.position.count).toBe(36);
    const corners = (
      read(run, { curves: 'tube', samples: 30 }).prims.over_corner.children.rope.attributes.faceVertexIndices
        .value as number[]
    ).length;
    expect(group.getObjectByName('rope').geometry.attributes.position.count).toBe(corners);
    expect(Object.keys(group.getObjectByName('rope').geometry.attributes).sort()).toEqual(['normal', 'position', 'uv']);
    const tracks = group.animations.flatMap((clip) => clip.tracks);
    expect(tracks.map(({ name }) => name).sort()).toEqual(['cube.position', 'cube.quaternion']);
    for (const { times } of tracks) expect(times[6]).toBeCloseTo(0.1, 6);
  });
});
