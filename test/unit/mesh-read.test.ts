import { Document, Primitive, WebIO } from '@gltf-transform/core';
import fc from 'fast-check';
import { createShape } from 'heddle/bodies';
import { TriangleMesh, triangulatePolygon, weldVertices } from 'heddle/geometry';
import { type MeshFile, readGltfMesh, readObjMesh } from 'heddle/io';
import { createRandom, quaternionFromAxisAngle, rotateVec3, type Vec3 } from 'heddle/math';
import { FormatError } from 'heddle/model';
import { describe, expect, test } from 'vitest';

const toMesh = (file: MeshFile): TriangleMesh => new TriangleMesh(file.positions, file.indices);
const expectFormatError = (read: () => unknown, words: string | RegExp): void => {
  expect(read).toThrow(FormatError);
  expect(read).toThrow(words);
};

const CUBE = `# a unit cube of quads
o cube
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 3 4 8 7
f 2 3 7 6
f 1 5 8 4
`;

describe('polygons', () => {
  test('a concave polygon is cut into triangles that cover it, turned the same way', () => {
    const outline: Vec3[] = [
      [0, 0, 0],
      [4, 0, 0],
      [4, 3, 0],
      [3, 1, 0],
      [2, 3, 0],
      [1, 1, 0],
      [0, 3, 0],
    ];
    const q = quaternionFromAxisAngle([1, 2, -1], 2.2);
    for (const points of [outline, outline.map((p) => rotateVec3(q, p))]) {
      const triangles = triangulatePolygon(points);
      expect(triangles.length).toBe(15);
      const mesh = new TriangleMesh(Float64Array.from(points.flat()), Int32Array.from(triangles));
      expect(mesh.validate()).toEqual([]);
      expect(mesh.borderEdges().length).toBe(7);
      expect(mesh.area()).toBeCloseTo(area(outline), 12);
    }
  });
  const area = (points: readonly Vec3[]): number =>
    points.reduce((sum, p, i) => {
      const next = points[(i + 1) % points.length];
      return sum + (p[0] * next[1] - p[1] * next[0]) / 2;
    }, 0);

  test('random star-shaped polygons keep their area (seed 1)', () => {
    const random = createRandom(1);
    for (let trial = 0; trial < 50; trial++) {
      const n = random.integer(3, 30);
      const points = Array.from({ length: n }, (_, i): Vec3 => {
        const [angle, r] = [(2 * Math.PI * i) / n, random.uniform(0.2, 1)];
        return [r * Math.cos(angle), r * Math.sin(angle), 0];
      });
      const mesh = new TriangleMesh(Float64Array.from(points.flat()), Int32Array.from(triangulatePolygon(points)));
      expect(mesh.triangleCount).toBe(n - 2);
      expect(mesh.area()).toBeCloseTo(area(points), 12);
    }
  });

  test('a crossed or flat polygon still gives n − 2 triangles', () => {
    expect(
      triangulatePolygon([
        [0, 0, 0],
        [1, 1, 0],
        [1, 0, 0],
        [0, 1, 0],
      ]).length,
    ).toBe(6);
    expect(
      triangulatePolygon([
        [0, 0, 0],
        [1, 0, 0],
        [2, 0, 0],
        [3, 0, 0],
        [4, 0, 0],
      ]).length,
    ).toBe(9);
    expect(
      triangulatePolygon([
        [0, 0, 0],
        [1, 0, 0],
      ]),
    ).toEqual([]);
  });
});

test('welding joins what is in one place and drops what has no area', () => {
  const positions = [0, 0, 0, 1, 0, 0, 0, 1, 0, -0, 0, 0, 9, 9, 9];
  const welded = weldVertices(positions, [0, 1, 2, 3, 2, 1, 0, 3, 1]);
  expect(Array.from(welded.indices)).toEqual([0, 1, 2, 0, 2, 1]);
  expect(welded.positions.length).toBe(9);
  expect(Array.from(welded.triangles)).toEqual([0, 1]);
});

describe('OBJ', () => {
  test('a cube of quads is a solid of volume 1', () => {
    const file = readObjMesh(CUBE);
    const mesh = toMesh(file);
    expect(mesh.validate({ closed: true })).toEqual([]);
    expect(mesh.massProperties().volume).toBeCloseTo(1, 14);
    expect([mesh.vertexCount, mesh.triangleCount]).toEqual([8, 12]);
    expect(file.texcoords).toBeUndefined();
    expect(file.curves).toEqual([]);
    expect(createShape({ type: 'mesh', mesh }).sharpEdges().length).toBe(12);
  });

  test('negative indices, forward references, continued lines, comments, CRLF and all forms of corners', () => {
    const text = [
      'v 0 0 0 # origin',
      'v 1 0 0 1.0',
      'vt 0.5',
      'vt 0.25 0.75',
      'vn 0 0 1',
      'f -2//1 2/-1/1 3/1',
      'v 0 1 0 0.5 0.5 0.5',
      'f 1 \\',
      '  3 2',
      'usemtl red',
    ].join('\r\n');
    const file = readObjMesh(text);
    expect(Array.from(file.indices)).toEqual([0, 1, 2, 0, 2, 1]);
    expect(Array.from(file.positions)).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    expect(Array.from(file.texcoords!.slice(0, 6))).toEqual([0, 0, 0.25, 0.75, 0.5, 0]);
  });

  test('polylines become curves', () => {
    const file = readObjMesh('v 0 0 0\nv 1 0 0\nv 1 2 0\nl 1 2 3\nl -1/ -3\n');
    expect(file.curves.map((curve) => Array.from(curve))).toEqual([
      [0, 0, 0, 1, 0, 0, 1, 2, 0],
      [1, 2, 0, 0, 0, 0],
    ]);
    expect(file.indices.length).toBe(0);
  });

  test('what a mesh writes as text is read back exactly', () => {
    const coordinate = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 3, maxLength: 12 }), (points) => {
        const distinct = [...new Map(points.map((p) => [p.map((x) => x + 0).join(), p])).values()];
        fc.pre(distinct.length >= 3);
        const faces = distinct.slice(2).map((_, i) => `f ${i + 1} ${i + 2} ${i + 3}`);
        const file = readObjMesh([...distinct.map((p) => `v ${p.join(' ')}`), ...faces].join('\n'));
        expect(Array.from(file.positions)).toEqual(distinct.flat().map((x) => x + 0));
        expect(file.indices.length).toBe(3 * faces.length);
      }),
    );
  });

  test.each([
    ['', 'has 0 vertices but no face'],
    ['v 0 0 0\n', 'has 1 vertices but no face'],
    [CUBE.slice(0, 60), /:\d+: v has [12] numbers; it needs 3 to 8/],
    [CUBE.slice(0, 97), /has 8 vertices but no face|:11: the element has/],
    ['v 0 0 0\nv 1 0 0\nv 0 1 x\nf 1 2 3', ':3: v has "x" instead of a finite number'],
    ['v 0 0 Infinity', ':1: v has "Infinity"'],
    ['v 0 0 0\nf 1 2 3', ':2: vertex 2 is used; the file has 1'],
    ['v 0 0 0\nf 1 1 -2', ':2: the corner -2 is a relative index before the first of 1 so far'],
    ['v 0 0 0\nf 1 1 0', 'whole numbers other than 0'],
    ['v 0 0 0\nf 1 1 1.5', 'whole numbers other than 0'],
    ['v 0 0 0\nf 1 1 99999999999', 'whole numbers other than 0'],
    ['v 0 0 0\nf 1 1 1/7', ':2: texture coordinate 7 is used; the file has 0'],
    ['v 0 0 0\nf 1/1/1/1 1 1', 'at most 3 are allowed'],
    ['v 0 0 0\nf 1 1', ':2: the element has 2 corners; 3 to 1000 are allowed'],
    [`v 0 0 0\nf${' 1'.repeat(1001)}`, 'has 1001 corners'],
    ['v 0 0 0\ncstype bezier', ':2: "cstype" begins a free-form'],
    ['\u0000\u0001glTF', 'is not an OBJ statement'],
    ['{"asset": {}}', 'is not an OBJ statement'],
  ])('%j is refused with its line', (text, words) => {
    expectFormatError(() => readObjMesh(text), words);
  });

  test('the name of the file stands before the line', () => {
    expectFormatError(() => readObjMesh('w', { source: 'anvil.obj' }), 'anvil.obj:1: "w" is not');
  });

  test('any damage to a file ends in a mesh or a FormatError', () => {
    const random = createRandom(4);
    for (let trial = 0; trial < 500; trial++) {
      const at = random.integer(0, CUBE.length - 1);
      const noise = String.fromCharCode(random.integer(0, 127)).repeat(random.integer(0, 3));
      const text = CUBE.slice(0, at) + noise + CUBE.slice(at + random.integer(0, 5));
      try {
        const file = readObjMesh(text);
        expect(
          toMesh(file)
            .validate()
            .filter(({ kind }) => kind === 'index' || kind === 'coordinate'),
        ).toEqual([]);
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError);
      }
    }
  });
});

/** An L-shaped tree of nodes over a tetrahedron, written by an independent library. */
const createDocument = (): Document => {
  const document = new Document();
  const buffer = document.createBuffer();
  const accessor = (type: 'SCALAR' | 'VEC2' | 'VEC3', array: Float32Array | Uint16Array) =>
    document
      .createAccessor()
      .setType(type)
      .setArray(array as Float32Array<ArrayBuffer>)
      .setBuffer(buffer);
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor('VEC3', Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)))
    .setAttribute('TEXCOORD_0', accessor('VEC2', Float32Array.of(0, 0, 1, 0, 0, 1, 0.5, 0.5)))
    .setIndices(accessor('SCALAR', Uint16Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3)));
  const mesh = document.createMesh().addPrimitive(primitive);
  const q = quaternionFromAxisAngle([0, 0, 1], Math.PI / 2);
  const child = document.createNode('child').setMesh(mesh).setTranslation([1, 0, 0]).setScale([2, 1, 1]);
  const parent = document
    .createNode('parent')
    .setRotation([...q])
    .setTranslation([0, 0, 5])
    .addChild(child);
  const mirrored = document.createNode('mirrored').setMesh(mesh).setScale([-1, 1, 1]).setTranslation([-9, 0, 0]);
  document.createScene().addChild(parent).addChild(mirrored);
  return document;
};

describe('glTF', () => {
  const io = new WebIO();

  test('meshes are placed by their nodes and stay outward, mirrored ones too', async () => {
    const file = readGltfMesh(await io.writeBinary(createDocument()));
    const mesh = toMesh(file);
    expect(mesh.validate({ closed: true })).toEqual([]);
    expect(mesh.massProperties().volume).toBeCloseTo(2 / 6 + 1 / 6, 6);
    // child: (1, 0, 0) → scaled (2, 0, 0) → moved (3, 0, 0) → turned to y (0, 3, 0) → moved (0, 3, 5)
    const points = Array.from({ length: mesh.vertexCount }, (_, v) =>
      mesh.vertex(v).map((x) => Math.round(x * 1e6) / 1e6 + 0),
    );
    expect(points).toContainEqual([0, 3, 5]);
    expect(points).toContainEqual([-10, 0, 0]);
    expect(file.texcoords!.length).toBe(2 * file.indices.length);
    expect(Array.from(file.texcoords!.slice(0, 6))).toEqual([0, 0, 0, 1, 1, 0]);
  });

  test('embedded JSON gives the same as GLB', async () => {
    const document = createDocument();
    const { json, resources } = await io.writeJSON(document, {});
    const [[name, bytes]] = Object.entries(resources);
    expect(json.buffers![0].uri).toBe(name);
    json.buffers![0].uri = `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`;
    const text = new TextEncoder().encode(JSON.stringify(json));
    expect(readGltfMesh(text)).toEqual(readGltfMesh(await io.writeBinary(document)));
    json.buffers![0].uri = 'anvil.bin';
    const external = new TextEncoder().encode(JSON.stringify(json));
    expectFormatError(() => readGltfMesh(external), 'buffers[0] is in another file ("anvil.bin"); export GLB');
  });

  test('a shape written with split vertices comes back as the same closed solid', async () => {
    const shape = createShape({ type: 'cylinder', radius: 0.5, length: 2 });
    const { positions, normals, indices } = shape.tessellate();
    const document = new Document();
    const buffer = document.createBuffer();
    const add = (type: 'SCALAR' | 'VEC3', array: Float32Array | Uint32Array) =>
      document
        .createAccessor()
        .setType(type)
        .setArray(array as Float32Array<ArrayBuffer>)
        .setBuffer(buffer);
    const primitive = document
      .createPrimitive()
      .setAttribute('POSITION', add('VEC3', positions))
      .setAttribute('NORMAL', add('VEC3', normals))
      .setIndices(add('SCALAR', indices));
    document.createScene().addChild(document.createNode().setMesh(document.createMesh().addPrimitive(primitive)));
    const mesh = toMesh(readGltfMesh(await io.writeBinary(document)));
    expect(mesh.validate({ closed: true })).toEqual([]);
    expect(mesh.massProperties().volume / shape.mass!.volume).toBeCloseTo(1, 2);
  });

  test('is read with strips, fans, lines, quantised and sparse numbers', async () => {
    const document = new Document();
    const buffer = document.createBuffer();
    const square = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0);
    const add = (mode: 1 | 2 | 3 | 5 | 6, array: Float32Array | Uint8Array, normalized = false): void => {
      const accessor = document
        .createAccessor()
        .setType('VEC3')
        .setNormalized(normalized)
        .setArray(array as Float32Array<ArrayBuffer>)
        .setBuffer(buffer);
      const primitive = document.createPrimitive().setMode(mode).setAttribute('POSITION', accessor);
      scene.addChild(document.createNode().setMesh(document.createMesh().addPrimitive(primitive)));
    };
    const scene = document.createScene();
    add(Primitive.Mode.TRIANGLE_STRIP, square);
    add(Primitive.Mode.TRIANGLE_FAN, Float32Array.of(0, 0, 2, 1, 0, 2, 1, 1, 2, 0, 1, 2));
    add(Primitive.Mode.LINE_STRIP, square);
    add(Primitive.Mode.LINE_LOOP, square.slice(0, 9));
    add(Primitive.Mode.LINES, square);
    add(Primitive.Mode.LINE_STRIP, Uint8Array.of(0, 51, 255, 255, 0, 0), true);
    const file = readGltfMesh(await io.writeBinary(document));
    const mesh = toMesh(file);
    expect(mesh.validate()).toEqual([]);
    expect(mesh.area()).toBeCloseTo(2, 12);
    const normals = mesh.faceNormals();
    for (let t = 0; t < 4; t++) expect(normals[3 * t + 2]).toBe(1);
    expect(file.curves.map((curve) => curve.length / 3)).toEqual([4, 4, 2, 2, 2]);
    expect(Array.from(file.curves[4])).toEqual([0, 0.2, 1, 1, 0, 0]);
    expect(file.texcoords).toBeUndefined();

    const sparse = new Document();
    const array = new Float32Array(30);
    array.set(square, 9);
    const accessor = sparse
      .createAccessor()
      .setType('VEC3')
      .setArray(array)
      .setSparse(true)
      .setBuffer(sparse.createBuffer());
    const indices = sparse
      .createAccessor()
      .setArray(Uint16Array.of(3, 4, 5))
      .setBuffer(sparse.getRoot().listBuffers()[0]);
    const primitive = sparse.createPrimitive().setAttribute('POSITION', accessor).setIndices(indices);
    sparse.createScene().addChild(sparse.createNode().setMesh(sparse.createMesh().addPrimitive(primitive)));
    expect(Array.from(readGltfMesh(await io.writeBinary(sparse)).positions)).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  });

  const text = (json: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(json));
  const asset = { version: '2.0' };
  const withNodes = (nodes: unknown[]): Uint8Array => text({ asset, scenes: [{ nodes: [0] }], nodes });
  const withPosition = (accessor: unknown, more = {}): Uint8Array =>
    text({
      asset,
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
      accessors: [accessor],
      bufferViews: [{ buffer: 0, byteLength: 12 }],
      buffers: [{ byteLength: 12, uri: `data:;base64,${Buffer.from(new Uint8Array(12)).toString('base64')}` }],
      ...more,
    });
  test.each([
    ['no JSON', new TextEncoder().encode('v 0 0 0'), 'neither GLB nor glTF'],
    ['empty file', new Uint8Array(0), 'neither GLB nor glTF'],
    ['a list', text([]), 'not an object'],
    ['version 1', text({ asset: { version: '1.0' } }), 'only glTF 2.x'],
    ['nothing in it', text({ asset }), 'no triangles and no lines'],
    ['Draco', text({ asset, extensionsRequired: ['KHR_draco_mesh_compression'] }), 'KHR_draco_mesh_compression'],
    ['missing node', text({ asset, scenes: [{ nodes: [3] }] }), 'nodes[3] is used, but the file has only 0'],
    ['a ring of nodes', withNodes([{ children: [1] }, { children: [0] }]), 'two parents'],
    ['a node twice', withNodes([{ children: [1, 1] }, {}]), 'two parents'],
    ['a matrix too short', withNodes([{ matrix: [1, 2, 3] }]), '16 finite numbers'],
    ['a rotation of words', withNodes([{ rotation: ['a', 0, 0, 1] }]), '4 finite numbers'],
    ['a missing mesh', withNodes([{ mesh: 0 }]), 'meshes[0] is used'],
    ['a huge accessor', withPosition({ type: 'VEC3', componentType: 5126, count: 1e9 }), 'count is 1000000000'],
    ['a negative count', withPosition({ type: 'VEC3', componentType: 5126, count: -1 }), 'count is -1'],
    ['the wrong type', withPosition({ type: 'VEC4', componentType: 5126, count: 1 }), 'VEC3 is needed'],
    [
      'an odd component',
      withPosition({ type: 'VEC3', componentType: 5130, count: 1, bufferView: 0 }),
      '5130 is unknown',
    ],
    [
      'elements beyond the view',
      withPosition({ type: 'VEC3', componentType: 5126, count: 2, bufferView: 0 }),
      'do not fit',
    ],
    [
      'an offset beyond it',
      withPosition({ type: 'VEC3', componentType: 5126, count: 1, bufferView: 0, byteOffset: 4 }),
      'do not fit',
    ],
    [
      'a view beyond the buffer',
      withPosition(
        { type: 'VEC3', componentType: 5126, count: 1, bufferView: 0 },
        { bufferViews: [{ buffer: 0, byteLength: 13 }] },
      ),
      'byteLength is 13',
    ],
    [
      'a buffer that is not there',
      withPosition({ type: 'VEC3', componentType: 5126, count: 1, bufferView: 0 }, { buffers: [{}] }),
      'no uri',
    ],
    [
      'bad base64',
      withPosition(
        { type: 'VEC3', componentType: 5126, count: 1, bufferView: 0 },
        { buffers: [{ uri: 'data:;base64,*' }] },
      ),
      'base64',
    ],
  ])('%s is refused', (_name, bytes, words) => {
    expectFormatError(() => readGltfMesh(bytes, { source: 'anvil.glb' }), words);
    expectFormatError(() => readGltfMesh(bytes, { source: 'anvil.glb' }), 'anvil.glb: ');
  });

  test('a tree of 100,000 nodes in depth is read', () => {
    const nodes = Array.from({ length: 100_000 }, (_, i) => ({ children: [i + 1] }));
    expectFormatError(() => readGltfMesh(withNodes([...nodes, {}])), 'no triangles');
  });

  test('every truncation and any damage ends in a mesh or a FormatError', async () => {
    const bytes = await io.writeBinary(createDocument());
    const check = (damaged: Uint8Array): boolean => {
      try {
        const faults = toMesh(readGltfMesh(damaged)).validate();
        expect(faults.filter(({ kind }) => kind === 'index' || kind === 'coordinate')).toEqual([]);
        return true;
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError);
        return false;
      }
    };
    for (let length = 0; length < bytes.length; length += 7) expect(check(bytes.slice(0, length))).toBe(false);
    const random = createRandom(6);
    for (let trial = 0; trial < 2000; trial++) {
      const damaged = bytes.slice();
      for (let i = 0; i < 3; i++) damaged[random.integer(0, damaged.length - 1)] = random.integer(0, 255);
      check(damaged);
    }
  });
});
