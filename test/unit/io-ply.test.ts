import { computeTube, encodePly, encodePlySequence, PLY_BODY } from 'heddle/io';
import { PLYLoader } from 'three/examples/jsm/loaders/PLYLoader.js';
import { describe, expect, test } from 'vitest';
import { cube, makeRun } from './io-run.ts';
import { readPly } from './ply-reader.ts';

const run = makeRun(3);
const frame = run.frames[1];

describe('PLY', () => {
  test('points are the nodes with u, fields and kinds; edges join them and close loops', () => {
    const { comments, elements } = readPly(encodePly(frame, { curves: 'points' }));
    const [rope, loop] = frame.objects;
    expect(comments.slice(1)).toEqual(['object 0 rope', 'object 1 loop']);
    const nodes = elements.vertex;
    expect(nodes.length).toBe(rope.u.length + loop.u.length);
    for (let i = 0; i < rope.u.length; i++) {
      expect([nodes[i].x, nodes[i].y, nodes[i].z]).toEqual([...rope.x.subarray(3 * i, 3 * i + 3)].map(Math.fround));
      expect(nodes[i]).toMatchObject({
        u: Math.fround(rope.u[i]),
        speed: Math.fround(rope.u[i]),
        kind: rope.kind[i],
        object: 0,
      });
    }
    expect(nodes[rope.u.length]).toMatchObject({ speed: 0, object: 1 });
    const edges = elements.edge.map(({ vertex1, vertex2 }) => [vertex1, vertex2]);
    expect(edges.length).toBe(rope.u.length - 1 + loop.u.length);
    expect(edges.at(-1)).toEqual([nodes.length - 1, rope.u.length]);
    expect(edges).not.toContainEqual([rope.u.length - 1, rope.u.length]);
  });

  test('tubes are those of the curves, with values linear in u; bodies stand in their pose', () => {
    const { elements } = readPly(encodePly(frame, { bodies: [cube] }));
    const tubes = frame.objects.map((curve) => computeTube(curve));
    const counts = tubes.map(({ positions }) => positions.length / 3);
    expect(elements.vertex.length).toBe(counts[0] + counts[1] + 24);
    const rope = elements.vertex.slice(0, counts[0]);
    for (const [v, vertex] of rope.entries()) {
      expect([vertex.x, vertex.y, vertex.z]).toEqual([...tubes[0].positions.subarray(3 * v, 3 * v + 3)]);
      expect([vertex.nx, vertex.ny, vertex.nz]).toEqual([...tubes[0].normals.subarray(3 * v, 3 * v + 3)]);
      // the field of this rope is its u
      expect(vertex.speed as number).toBeCloseTo(vertex.u as number, 6);
    }
    // the E-node's rings are the only ones of that kind
    const corner = frame.objects[0].u[frame.objects[0].kind.indexOf(1)];
    const eulerian = rope.filter(({ kind }) => kind === 1);
    expect(eulerian.length).toBeGreaterThan(10);
    for (const { u } of eulerian) expect(Math.abs((u as number) - corner)).toBeLessThan(0.05);
    const body = elements.vertex.slice(-24);
    const [qx, qy, qz, qw] = frame.bodies[0].orientation;
    expect([qx, qy]).toEqual([0, 0]);
    const angle = 2 * Math.atan2(qz, qw);
    for (const [v, vertex] of body.entries()) {
      const [x, y, z] = [0, 1, 2].map((k) => cube.positions[3 * v + k]);
      expect(vertex.x as number).toBeCloseTo(
        frame.bodies[0].position[0] + x * Math.cos(angle) - y * Math.sin(angle),
        6,
      );
      expect(vertex.y as number).toBeCloseTo(x * Math.sin(angle) + y * Math.cos(angle), 6);
      expect(vertex.z as number).toBeCloseTo(z, 6);
      expect(vertex).toMatchObject({ kind: PLY_BODY, object: 2, u: 0 });
    }
    const corners = elements.face.flatMap(({ vertex_indices }) => vertex_indices as number[]);
    expect(elements.face.every(({ vertex_indices }) => (vertex_indices as number[]).length === 3)).toBe(true);
    const shifted = [
      ...tubes[0].indices,
      ...tubes[1].indices.map((i) => i + counts[0]),
      ...(cube.indices as number[]).map((i) => i + counts[0] + counts[1]),
    ];
    expect(corners).toEqual(shifted);
  });

  test('a value at the seam of a closed curve goes back to that of its first node', () => {
    // a triangle: turns of more than 95° are rounded by rings between the nodes
    const triangle = {
      ...frame.objects[1],
      radius: 0.1,
      restLength: 3,
      u: Float64Array.of(0, 1, 2),
      x: Float64Array.of(0, 0, 0, 1, 0, 0, 0.5, Math.sqrt(0.75), 0),
      kind: Uint8Array.of(0, 0, 2),
      fields: { height: Float64Array.of(0, 1, 2) },
    };
    const { vertex } = readPly(encodePly({ ...frame, objects: [triangle] }, { sides: 4 })).elements;
    const between = vertex.filter(({ u }) => (u as number) > 2 && (u as number) < 3);
    expect(between.length).toBeGreaterThan(0);
    for (const [v, row] of vertex.entries()) {
      // the rings before the first node, and the last, which closes the tube on the first, have that node's values
      const atSeam = (row.u as number) < 0 || v >= vertex.length - 5;
      const u = atSeam ? 0 : (row.u as number);
      // node 2 is followed by node 0: 2 → 0 over the last segment
      expect(row.height as number).toBeCloseTo(u <= 2 ? u : 2 * (3 - u), 5);
      expect(row.kind).toBe(u >= 1.5 && u < 2.5 ? 2 : 0);
    }
    expect(vertex.at(-1)?.height).toBe(0);
  });

  test('a sequence is numbered, and all its files have the same properties', () => {
    const files = [...encodePlySequence(run)];
    expect(files.map(({ path }) => path)).toEqual([1, 2, 3].map((n) => `ply/over-corner.000${n}.ply`));
    for (const { bytes } of files) {
      const { vertex } = readPly(bytes).elements;
      expect(Object.keys(vertex[0])).toEqual(['x', 'y', 'z', 'nx', 'ny', 'nz', 'u', 'speed', 'kind', 'object']);
    }
  });

  test("three's PLYLoader reads the same", () => {
    const loader = new PLYLoader();
    loader.setCustomPropertyNameMapping({ u: ['u'], kind: ['kind'] });
    const bytes = encodePly(frame, { bodies: [cube] });
    const geometry = loader.parse(bytes.buffer);
    const { vertex, face } = readPly(bytes).elements;
    expect(Array.from(geometry.attributes.position.array)).toEqual(vertex.flatMap(({ x, y, z }) => [x, y, z]));
    expect(Array.from(geometry.attributes.u.array)).toEqual(vertex.map(({ u }) => u));
    expect(Array.from(geometry.attributes.kind.array)).toEqual(vertex.map(({ kind }) => kind));
    expect(geometry.index?.count).toBe(3 * face.length);
  });
});
