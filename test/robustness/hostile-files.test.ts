/** Files that lie about their sizes, or are small and keep a reader busy: refused with a sentence, before memory and time are taken. */
import { readFileSync } from 'node:fs';
import {
  createKnitFromKnitout,
  decodeFrameBytes,
  encodeFrameBytes,
  readGltfClip,
  readGltfMesh,
  readKnitout,
  readObjMesh,
  readWif,
} from 'heddle/io';
import { FormatError, HeddleError, SceneError, StepError } from 'heddle/model';
import { compile, parseScene, validateScene } from 'heddle/scene';
import { describe, expect, test } from 'vitest';
import { CLOTH, FILE_SCENES, GLTF, OBJ, packGlb, SCENE_BASES } from '../../scripts/fuzz/samples.js';
import { suggest } from '../../src/model/nearest.ts';
import { readMeshFile } from '../../src/scene/sheet-mesh.ts';

type Json = Record<string, unknown>;

/** The sample asset with changes; spaces make the file as large as it claims to be. */
function makeGltf(change: (json: Json & Record<string, Json[]>) => void, bytes = 0): Uint8Array {
  const json = structuredClone(GLTF.json);
  change(json);
  return packGlb(JSON.stringify(json).padEnd(bytes), GLTF.binary);
}

const expectFormatError = (read: () => unknown, words: string | RegExp): void => {
  // once: some take a while
  let error: unknown;
  try {
    read();
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(FormatError);
  expect((error as Error).message).toMatch(words);
};

function catchFault(action: () => unknown): SceneError {
  try {
    action();
  } catch (error) {
    return error as SceneError;
  }
  throw new Error('nothing was thrown');
}

/** A list in a list in a list …, which JSON.stringify cannot write. */
const DEEP = '['.repeat(200_000) + ']'.repeat(200_000);

describe('glTF', () => {
  test('indices may be neither negative nor broken numbers', () => {
    for (const [componentType, found] of [
      [5120, '-1'],
      [5126, '0.5'],
    ] as const) {
      const file = makeGltf((json) => {
        json.accessors[2] = { ...json.accessors[2], componentType, count: 3 };
      });
      const at = file.length - GLTF.binary.length + Number(GLTF.json.bufferViews[2].byteOffset);
      if (componentType === 5120) file[at] = 255;
      else new DataView(file.buffer).setFloat32(at, 0.5, true);
      expectFormatError(() => readGltfMesh(file), `a primitive uses vertex ${found}`);
    }
  });

  test('a sparse accessor replaces elements that it has', () => {
    const file = makeGltf((json) => {
      const sparse = json.accessors.find((accessor) => accessor.sparse !== undefined)!.sparse as { indices: Json };
      sparse.indices.componentType = 5126;
      json.meshes[0].primitives[0].attributes.POSITION = json.accessors.length - 1;
    });
    const at = file.length - GLTF.binary.length + Number(GLTF.json.bufferViews[2].byteOffset);
    new DataView(file.buffer).setFloat32(at, 0.5, true);
    expectFormatError(() => readGltfMesh(file), 'a sparse accessor replaces element 0.5, which does not exist');
  });

  test('a value is said by its kind, however deep it is, and a missing one is missing', () => {
    const text = JSON.stringify(GLTF.json).replace('"componentType":5126', `"componentType":${DEEP}`);
    expectFormatError(() => readGltfMesh(packGlb(text, GLTF.binary)), 'componentType is a list of 1; it must be');
    const untyped = makeGltf((json) => delete json.accessors[0].type);
    expectFormatError(() => readGltfMesh(untyped), 'the type of accessors[0] is missing; VEC3 is needed here');
    const object = makeGltf((json) => (json.accessors[0].bufferView = {}));
    expectFormatError(() => readGltfMesh(object), 'an index into bufferViews is an object');
    const broken = packGlb('{"asset":\n\n?', new Uint8Array(0));
    expectFormatError(
      () => readGltfMesh(broken),
      /^glTF file: this is neither GLB nor glTF: its JSON is broken( at character \d+)?\.$/,
    );
  });

  test('elements without bytes are as many as the file is large, at most', () => {
    const file = makeGltf((json) => (json.accessors[0] = { type: 'VEC3', componentType: 5126, count: 4_000_000 }));
    expectFormatError(
      () => readGltfMesh(file),
      /accessors\[0\] has 4000000 elements and no bytes, in a file of \d+ bytes/,
    );
  });

  /** Lines between two of very many vertices, one in each of 1,000 nodes. */
  const makeLines = (accessors: number): Uint8Array =>
    makeGltf((json) => {
      const first = json.accessors.length;
      for (let k = 0; k < accessors; k++) json.accessors.push({ type: 'VEC3', componentType: 5126, count: 1_000_000 });
      json.accessors[2].count = 2;
      json.meshes = Array.from({ length: 1000 }, (_, k) => ({
        primitives: [{ mode: 1, attributes: { POSITION: first + (k % accessors) }, indices: 2 }],
      }));
      json.nodes = json.meshes.map((_, mesh) => ({ mesh }));
      json.scenes = [{ nodes: json.nodes.map((_, index) => index) }];
    }, 1_000_000);

  test('vertices that a thousand nodes share are read once', () => {
    expect(readGltfMesh(makeLines(1)).curves.length).toBe(1000);
  });

  test('accessors are read up to a number of numbers', () => {
    expectFormatError(() => readGltfMesh(makeLines(40)), 'its accessors have more than 100000000 numbers together');
  });

  test('nodes may not put vertices where numbers end', () => {
    for (const node of [{ scale: [1e308, 1e308, 1e308] }, { translation: [1.7e308, 0, 0] }]) {
      const file = makeGltf((json) => {
        json.nodes = [
          { mesh: 0, ...node, children: [1] },
          { mesh: 1, ...node },
        ];
        json.scenes = [{ nodes: [0] }];
      });
      expectFormatError(() => readGltfMesh(file), 'moves a vertex out of the number range');
    }
  });

  test('a clip has a number of poses that can be held', () => {
    const file = makeGltf(() => {});
    expectFormatError(() => readGltfClip(file, { framesPerSecond: 1e7 }), 'poses; at most 100000 are supported');
  });

  test('clips without a name in letters have none', () => {
    const file = makeGltf((json) => (json.animations[0].name = {}));
    expectFormatError(() => readGltfClip(file, { clip: 'all' }), 'it has no clip "all"; its clips are [""]');
  });

  test('the file is named', () => {
    expectFormatError(() => readMeshFile('a.glb', new Uint8Array(3)), 'a.glb: ');
  });
});

test('a sheet of triangles without an area, in space or in material, is refused', () => {
  const scene = validateScene(FILE_SCENES.obj.find(({ objects }: { objects: Json[] }) => objects[0].type === 'sheet'));
  const build = (text: string) => () => compile(scene, { readFile: () => new TextEncoder().encode(text) });
  expect(build(CLOTH)).not.toThrow();
  for (const [text, words] of [
    ['v 0 0 0\nv 1 0 0\nf 1 2 2\n', 'has no triangle with three different corners'],
    [CLOTH.replaceAll(/^vt .*$/gm, 'vt 0 0'), '18 of 18 triangles are inverted or flat in texture coordinates'],
    [CLOTH.replace(/^vt .*$/m, 'vt 0.5 0.5'), '1 of 18 triangles are inverted or flat in texture coordinates'],
  ]) {
    expect(build(text)).toThrow(SceneError);
    expect(build(text)).toThrow(words);
  }
});

test('a strand at a solid that cuts through itself goes on or stops, but is nowhere else', () => {
  const scene = validateScene(
    FILE_SCENES.obj.find(({ bodies }: { bodies?: Json[] }) => bodies?.[0].density !== undefined),
  );
  // the corner at 1 0 1 becomes the last
  const text = OBJ.replace('v 1 0 1\n', '').replace('v 0 1 1\n', 'v 0 1 1\nv 1 0 1\n');
  const world = compile(scene, { readFile: () => new TextEncoder().encode(text) });
  try {
    for (let n = 0; n < 2; n++) world.step();
  } catch (error) {
    expect(error).toBeInstanceOf(StepError);
  }
  for (const { x } of world.frame().objects) expect(x.every(Number.isFinite)).toBe(true);
});

describe('OBJ', () => {
  test('half a million continued lines are one statement', () => {
    const text = `v 0 0 0\nf ${'\\\n'.repeat(500_000)} 1 1 1\n`;
    expect(readObjMesh(text).indices.length).toBe(0);
  });

  test('faces of very many corners are few', () => {
    const face = `f${' 1'.repeat(1000)}\n`;
    expectFormatError(
      () => readObjMesh(`v 0 0 0\n${face.repeat(4)}`),
      ':5: there are too many faces with many corners',
    );
  });

  test('a text beyond all bounds is refused before it is one', () => {
    const bytes = new Uint8Array(256 * 1024 * 1024 + 1);
    expectFormatError(
      () => readMeshFile('big.obj', bytes),
      'big.obj has 257 MB; at most 256 MB of text are supported.',
    );
  });
});

/** Rows 1=…, 2=…, … of a section. */
const rows = (count: number, value: string): string =>
  Array.from({ length: count }, (_, k) => `${k + 1}=${value}`).join('\n');
const shafts = Array.from({ length: 2000 }, (_, k) => k + 1).join();
const few = Array.from({ length: 500 }, (_, k) => k + 1).join();

test.each([
  [
    'ends that hang on thousands of shafts',
    `[TIEUP]\n1=1\n[TREADLING]\n1=1\n[THREADING]\n${rows(60, shafts)}`,
    100_000,
  ],
  [
    'picks that press thousands of treadles with thousands of shafts',
    `[TIEUP]\n${rows(2000, few)}\n[TREADLING]\n${rows(300, shafts)}\n[THREADING]\n1=1`,
    300,
  ],
])('a WIF file is refused for %s', (_, sections, picks) => {
  const text = `[WIF]\nVersion=1.1\n[WEAVING]\nShafts=2000\nTreadles=2000\n[WARP]\nThreads=60\n[WEFT]\nThreads=${picks}\n${sections}\n`;
  expectFormatError(() => readWif(text), /ends use \d+ shafts in total and .* exceeds 268435456/);
});

test('a shaft that is named a million times in a WIF file is one', () => {
  const text = `[WIF]\nVersion=1.1\n[WEAVING]\nShafts=2\n[WARP]\nThreads=1\n[WEFT]\nThreads=60000\n[THREADING]\n1=${'2,'.repeat(1e6)}1\n[LIFTPLAN]\n1=1\n`;
  const { over } = readWif(text);
  expect(over.reduce((sum, value) => sum + value)).toBe(1);
});

describe('knitout', () => {
  test('a machine has a thousand carriers at most', () => {
    const names = Array.from({ length: 1001 }, (_, k) => k).join(' ');
    expectFormatError(() => readKnitout(`;!knitout-2\n;;Carriers: ${names}\n`), ':2: the header has 1001 carriers');
  });

  test('a carrier with a long name is quoted in part', () => {
    const long = 'x'.repeat(10_000);
    expectFormatError(() => readKnitout(`;!knitout-2\n;;Carriers: ${long}\nin 1\n`), /^.{0,200}$/);
  });

  test('passes over all needles are stitches, whose number is bounded', () => {
    const cast = Array.from({ length: 2000 }, (_, k) => `tuck + f${k} 1`);
    const passes = Array.from({ length: 2000 }, (_, k) => `knit ${k % 2 ? '-' : '+'} f${k % 2} 1`);
    const program = readKnitout([';!knitout-2', ';;Carriers: 1', 'in 1', ...cast, ...passes].join('\n'));
    expectFormatError(
      () => createKnitFromKnitout(program, { source: 'a.k' }),
      /^a\.k:\d+: there are 1001 passes over 2000 needles; at most 2000000 stitches are supported\.$/,
    );
  });
});

describe('a scene', () => {
  test('quotes a long word in part', () => {
    expect(() => parseScene(`{"heddle": ${'x'.repeat(100_000)}}`)).toThrow(/^.{0,200}$/);
  });

  test('lists of two that have three are said in words', () => {
    const cloth = structuredClone(SCENE_BASES.find(({ name }: Json) => name === 'fabric-hang'));
    cloth.objects[0].layers[0].colour = ['#fff', '#fff', '#fff'];
    const spaced = structuredClone(SCENE_BASES.find(({ name }: Json) => name === 'fabric-hang'));
    spaced.objects[0].layers[0].pattern.spacing = [0.01, 0.01, 0.01];
    for (const [scene, words] of [
      [cloth, 'objects[0].layers[0].colour is an array of 3; it must be a colour such as "#1e2430", or two'],
      [spaced, 'objects[0].layers[0].pattern.spacing is an array of 3; it must be a number in m, or two'],
    ]) {
      expect(() => validateScene(scene)).toThrow(SceneError);
      expect(() => validateScene(scene)).toThrow(words);
    }
  });
});

test('a continuum so stiff that a step has no end is given up at once', () => {
  const sand = structuredClone(SCENE_BASES.find(({ name }: Json) => name === 'mpm-sand-column'));
  sand.objects[0].parts[0].material.youngsModulus = 1e15;
  sand.time = { step: 1e6, duration: 1e7 };
  const world = compile(validateScene(sand));
  expect(() => world.step()).toThrow(StepError);
  expect(() => world.step()).toThrow(/it needs more than 100000 substeps of the grid, each of \S+ s/);
});

describe('what would take more memory or time than there is', () => {
  const expectFault = (scene: unknown, words: string | RegExp, text = ''): void => {
    const build = () => compile(validateScene(scene), { readFile: () => new TextEncoder().encode(text) });
    expect(build).toThrow(SceneError);
    expect(build).toThrow(words);
  };
  const continuum = (pattern: Json, material: Json): Json => {
    const scene = structuredClone(SCENE_BASES.find(({ name }: Json) => name === 'mpm-sand-column'));
    Object.assign(scene.objects[0].parts[0], { pattern, material });
    return scene;
  };
  const cloth = { type: 'surface', preset: 'cotton' };

  test('a solid of any size, filled with particles', () => {
    const heap = FILE_SCENES.obj.find(({ objects }: { objects: Json[] }) => objects[0].type === 'mpm');
    expectFault(
      heap,
      /the box around the shape has \S+ places; at most 10000000 are supported/,
      OBJ.replaceAll('v 1', 'v 4294967296'),
    );
  });

  test('disks, polygons and lines of a continuum', () => {
    const square = [
      [0, 0],
      [1e4, 0],
      [1e4, 1e4],
      [0, 1e4],
    ];
    const lines = [
      [
        [0, 0, 0],
        [1, 0, 0],
      ],
    ];
    for (const pattern of [
      { type: 'disk', radius: 1e4, size: 1e-3 },
      { type: 'polygon', outline: square, size: 1e-3 },
      { type: 'lines', lines, size: 0.1, copies: 1_000_000 },
    ])
      expectFault(continuum(pattern, cloth), /objects have \d+ particles in total; at most 10000000 are allowed/);
  });

  test('a sheet smaller than an atom', () => {
    const sheet = structuredClone(SCENE_BASES.find(({ name }: Json) => name === 'sheet-box-slide'));
    sheet.objects[0].shape.width = 5e-324;
    expectFault(sheet, /a triangle of its mesh has \S+ m²; it must have at least 1e-18/);
  });

  test('names of any length are said in part', () => {
    const long = `objects${'t'.repeat(5000)}`;
    expect(suggest('objects', [long])).toMatch(/^ Did you mean "objectst{53}…"\?$/);
    expect(suggest('nothing', [long])).toMatch(/^ Known: objectst{53}…\.$/);
    const sheet = structuredClone(SCENE_BASES.find(({ name }: Json) => name === 'sheet-box-slide'));
    sheet.objects[0].shape.type = 'rectangle'.repeat(100);
    const { faults } = catchFault(() => validateScene(sheet));
    expect(faults.length).toBeGreaterThan(1);
    for (const { message } of faults) expect(message.length).toBeLessThan(300);
  });
});

test('a frame with a radius that is none is refused', () => {
  const frame = compile(validateScene(SCENE_BASES[0])).frame();
  for (const radius of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    const bytes = encodeFrameBytes({
      ...frame,
      objects: frame.objects.map((object) => ({ ...object, radius })) as never,
    });
    expectFormatError(() => decodeFrameBytes(bytes), `contains a radius of ${radius} m`);
  }
});

test('a saved state that puts vertices of a sheet on edges that are not there is refused', () => {
  const sheet = compile(validateScene(SCENE_BASES.find(({ name }: Json) => name === 'sheet-rotating')));
  for (let n = 0; n < 3; n++) sheet.step();
  const { state } = sheet.models[0] as unknown as { state: { siteBody: Int32Array; siteEdge: Int32Array } };
  for (const [list, value] of [
    [state.siteBody, 7],
    [state.siteBody, -2],
    [state.siteEdge, 1000],
  ] as const) {
    const i = state.siteBody.findIndex((body) => body >= 0);
    const at = Math.max(0, i);
    const before = [state.siteBody[at], state.siteEdge[at]];
    if (list === state.siteEdge) state.siteBody[at] = 0;
    list[at] = value;
    const bytes = sheet.save();
    [state.siteBody[at], state.siteEdge[at]] = before;
    expect(() => sheet.load(bytes)).toThrow(/^The saved state puts vertex \d+ of "\w+" on edge -?\d+ of body -?\d+/);
  }
  sheet.load(sheet.save());
});

test('a saved state that has contacts of a strand with bodies that are not there is refused', () => {
  const text = readFileSync(new URL('../../scenes/strand-pyramid.json', import.meta.url), 'utf8');
  const world = compile(parseScene(text));
  const { touch } = world.models[0] as unknown as { touch: { contacts: { count: number; body: Int32Array } } };
  const { contacts } = touch;
  for (let n = 0; n < 400 && contacts.count === 0; n++) world.step();
  expect(contacts.count).toBeGreaterThan(0);
  const before = contacts.body[0];
  for (const body of [7, -1]) {
    contacts.body[0] = body;
    const bytes = world.save();
    contacts.body[0] = before;
    expect(() => world.load(bytes)).toThrow(/^The saved state has a contact with body (7|-1), which does not exist/);
  }
});

describe('a saved state', () => {
  const wrap = SCENE_BASES.find(({ name }: Json) => name === 'rod-wrap-one');
  const world = compile(validateScene(wrap));
  const state = world.save();
  const change = (words: RegExp | string, damage: (view: DataView) => void): void => {
    const bytes = state.slice();
    damage(new DataView(bytes.buffer));
    const before = world.hash();
    expect(() => world.load(bytes)).toThrow(HeddleError);
    expect(() => world.load(bytes)).toThrow(words);
    expect(world.hash()).toBe(before);
  };

  test('whose numbers of entries are none is refused, and the world stays as it was', () => {
    // the number of bytes of the signature, behind the version
    for (const count of [0.5, Number.NaN, -1, 2 ** 40])
      change(/entries where at most/, (view) => view.setFloat64(8, count, true));
  });

  test('whose texts are none is refused', () => {
    // behind the rod: what its contacts remember, a list in JSON, empty at the start
    const at = new TextDecoder('latin1').decode(state).lastIndexOf('[]');
    expect(at).toBeGreaterThan(0);
    change('contains text that is not JSON', (view) => view.setUint8(at, 0));
    change('has a text of 0.5 bytes', (view) => view.setFloat64(at - 16, 0.5, true));
    change('in the middle of a value', (view) => view.setFloat64(at - 16, 2 ** 50, true));
    change('is inconsistent', (view) => {
      view.setUint8(at, 0x20);
      view.setUint8(at + 1, 0x31);
    });
  });
});
