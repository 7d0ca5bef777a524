// Small valid files of every format that Heddle reads: what the fuzzer damages.
import { readFileSync } from 'node:fs';
import {
  encodeBcc,
  encodeCheckpoint,
  encodeFrame,
  encodeHeader,
  encodeProbeColumns,
  encodeProbeRows,
  encodeScene,
  encodeSummary,
} from 'heddle/io';
import { compile, parseScene } from 'heddle/scene';

const scenes = new URL('../../scenes/', import.meta.url);

/** Scenes of the gallery that are built and stepped quickly, and together use most of the format. */
const SCENES = [
  ...['strand-corner', 'strand-winch', 'strand-atwood', 'strand-wind', 'strand-hinge', 'strand-crossing'],
  ...['rod-wrap-one', 'rod-twist', 'rod-knot-overhand', 'rod-whip', 'rod-cantilever'],
  ...['sheet-rotating', 'sheet-box-slide', 'sheet-pyramid', 'sheet-drape-lagrangian', 'sheet-flag'],
  ...['fabric-hang', 'fabric-tablecloth-one', 'fabric-tag-separates', 'fabric-hammock', 'fabric-sphere-linen'],
  ...['mpm-tearing', 'mpm-sand-column', 'mpm-cloth-sphere', 'mpm-knit-curtain', 'mpm-curves-friction'],
  ...['fabric-knit-jacquard', 'mpm-cloth-twister', 'mixed-awning', 'mixed-sand-hammock'],
];

const sand = { type: 'sand', density: 1600, youngsModulus: 1e5, frictionAngle: 30 };

const strand = {
  type: 'strand',
  id: 'rope',
  material: 'hemp-rope-8mm',
  points: [
    [-1, 1.2, 0.4],
    [2, 1.2, 0.4],
  ],
  nodes: 12,
};

/** A continuum that is held, moved, pushed and blown at, and touches a strand: what no small scene of the gallery has together. */
const HELD = {
  heddle: 1,
  name: 'held',
  title: 'Held',
  objects: [
    {
      ...strand,
      points: [
        [-0.5, 0.1, 0],
        [0.5, 0.1, 0],
      ],
      nodes: 9,
      velocity: [0, -1, 0],
    },
    {
      type: 'mpm',
      id: 'grid',
      spacing: 0.05,
      touching: ['rope'],
      parts: [
        {
          id: 'cloth',
          pattern: { type: 'rectangle', width: 0.6, height: 0.6, columns: 8, rows: 8 },
          material: {
            type: 'surface',
            preset: 'cloth-curtain',
            thickness: 0.01,
            breakingStrain: 0.5,
            weibullModulus: 10,
          },
          rotation: { axis: [1, 0, 0], angle: 90 },
        },
        {
          id: 'hair',
          pattern: { type: 'bundle', radius: 0.08, length: 0.3, spacing: 0.05, segments: 5 },
          material: { type: 'curve', preset: 'hair-tubes', radius: 0.01 },
          position: [0, 0.4, 0],
        },
        {
          id: 'sand',
          pattern: { type: 'fill', shape: { type: 'box', size: [0.1, 0.1, 0.1] }, particlesPerCell: 4 },
          material: sand,
          position: [0, 0.2, 0.1],
        },
      ],
    },
  ],
  drivers: [
    { type: 'pin', on: { object: 'cloth', corner: 'left-top' } },
    { type: 'keyframes', on: { object: 'hair', at: 'start' }, keyframes: [{ time: 0.1, position: [0, 0.1, 0] }] },
    {
      type: 'force',
      on: {
        object: 'sand',
        worldBox: [
          [-1, -1, -1],
          [1, 1, 1],
        ],
      },
      value: [0, 1, 0],
    },
    { type: 'wind', velocity: [3, 0, 0] },
  ],
  probes: [{ id: 'hook', type: 'constraintForce', on: { object: 'cloth', corner: 'left-top' } }],
  time: { step: 0.002, duration: 0.1 },
};

export const SCENE_BASES = [
  ...SCENES.map((name) => JSON.parse(readFileSync(new URL(`${name}.json`, scenes), 'utf8'))),
  HELD,
];

/** A file of the gallery, as scenes name them. */
export const readSceneFile = (name) => new Uint8Array(readFileSync(new URL(name, scenes)));

const scene = (objects, more = {}) => ({
  heddle: 1,
  name: 'files',
  title: 'Files',
  objects,
  time: { step: 0.002, duration: 0.1 },
  ...more,
});

/** Scenes that a file of the format makes a part of, by the ending of the file's name. */
export const FILE_SCENES = {
  obj: [
    scene([{ ...strand, contact: true }], { bodies: [{ id: 'solid', shape: { type: 'mesh', file: 'case.obj' } }] }),
    scene([{ ...strand, contact: true }], {
      bodies: [{ id: 'solid', shape: { type: 'mesh', file: 'case.obj' }, motion: 'dynamic', density: 500 }],
    }),
    scene([{ ...strand, mode: 'lagrangian', contact: true }], {
      bodies: [
        {
          id: 'solid',
          motion: 'scripted',
          shape: {
            type: 'mesh',
            file: 'whole.obj',
            animation: { files: ['case.obj'], framesPerSecond: 10 },
          },
        },
      ],
    }),
    scene([{ type: 'sheet', id: 'cloth', material: 'leather', shape: { type: 'mesh', file: 'case.obj' } }]),
    scene([
      {
        type: 'mpm',
        id: 'continuum',
        spacing: 0.2,
        parts: [
          {
            id: 'heap',
            pattern: { type: 'fill', shape: { type: 'mesh', file: 'case.obj' }, particlesPerCell: 2 },
            material: sand,
          },
        ],
      },
    ]),
  ],
  glb: [
    scene([{ ...strand, contact: true }], { bodies: [{ id: 'solid', shape: { type: 'mesh', file: 'case.glb' } }] }),
    scene([{ ...strand, mode: 'lagrangian', contact: true }], {
      bodies: [
        { id: 'solid', motion: 'scripted', shape: { type: 'mesh', file: 'case.glb', animation: { clip: 'all' } } },
      ],
    }),
    scene([{ type: 'sheet', id: 'cloth', material: 'leather', shape: { type: 'mesh', file: 'case.glb' } }]),
  ],
  wif: [
    scene([
      {
        type: 'fabric',
        id: 'cloth',
        layers: [{ pattern: { type: 'wif', file: 'case.wif' }, material: 'cotton-yarn' }],
      },
    ]),
  ],
};

export const WIF = `; 2-2 twill
[WIF]
Version=1.1
[CONTENTS]
WEAVING=true
WARP=true
WEFT=true
THREADING=true
TIEUP=true
TREADLING=true
COLOR TABLE=true
[WEAVING]
Shafts=4
Treadles=4
Rising Shed=true
[WARP]
Threads=8
Color=1
Units=Centimeters
Spacing=0.2
Thickness=0.1
[WEFT]
Threads=4
Color=2
Units=Decipoints
Spacing=72
[COLOR PALETTE]
Entries=2
Range=0,999
[COLOR TABLE]
1=999,0,0
2=0,333,999
[WARP COLORS]
3=2
4=1,5,6,7
[WEFT SPACING]
2=144
[THREADING]
1=1
2=2
3=3
4=4
5=1
6=2
7=3
8=4
[TIEUP]
1=1,2
2=2,3
3=3,4
4=1,4
[TREADLING]
1=1
2=2
3=3,1
4=4
[LIFTPLAN]
1=1,2
2=2
3=3
4=4
`;

export const KNITOUT = `;!knitout-2
;;Machine: SWGN2
;;Gauge: 15
;;Carriers: 1 2 3
;;Position: Keep
inhook 3
x-stitch-number 61
tuck - f4 3
tuck - f2 3
tuck + f1 3
tuck + f3 3
releasehook 3
knit - f4 3
knit - f3 3
knit - f2 3
knit - f1 3
rack 0.25
xfer f2 b2
rack 0
knit + f1 3
knit + b2 3
miss + f3 3
knit + f4 3
stitch 10 0
in 1
knit - f4 1
miss - f3 1
miss - f2 1
knit - f1 1
out 1
pause
outhook 3
drop f1
drop b2
drop f3
drop f4
`;

export const OBJ = `# a cube with a polyline
mtllib none.mtl
o cube
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
vt 0 0
vt 1 0
vt 1 1
vn 0 0 1
g sides
usemtl plain
s off
f 4/1/1 3/2/1 2/3/1 1/1/1
f 5 6 7 8
f 1 2 6 5
f -7 -6 -2 -3
f 3 4 8 \\
 7
f 4//1 1//1 5//1 8//1
l 1 2 3 4 1
`;

/** A piece of cloth: a flat grid with texture coordinates. */
export const CLOTH = (() => {
  const lines = [];
  for (let j = 0; j < 4; j++) for (let i = 0; i < 4; i++) lines.push(`v ${i / 4} ${j / 4} 0`, `vt ${i / 4} ${j / 4}`);
  for (let j = 0; j < 3; j++)
    for (let i = 0; i < 3; i++) {
      const [a, b] = [4 * j + i + 1, 4 * j + i + 5];
      lines.push(`f ${[a, a + 1, b + 1, b].map((v) => `${v}/${v}`).join(' ')}`);
    }
  return `${lines.join('\n')}\n`;
})();

export const BCC = encodeBcc(
  {
    type: 'catmull-rom',
    dimensions: 3,
    curves: [
      { closed: false, points: Float64Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0) },
      { closed: true, points: Float64Array.of(0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1) },
    ],
  },
  { text: 'a sample' },
);

/** A skinned, morphing and moving tetrahedron with a line, and a clip of all three interpolations: JSON and the buffer. */
export const GLTF = (() => {
  const views = [];
  const accessors = [];
  const parts = [];
  let size = 0;
  const add = (type, componentType, values, extra = {}) => {
    const bytes = new Uint8Array(values.buffer);
    const width = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 }[type];
    views.push({ buffer: 0, byteOffset: size, byteLength: bytes.length });
    accessors.push({ bufferView: views.length - 1, componentType, count: values.length / width, type, ...extra });
    parts.push(bytes, new Uint8Array(-bytes.length & 3));
    size += bytes.length + (-bytes.length & 3);
    return accessors.length - 1;
  };
  const f32 = (...values) => Float32Array.from(values);
  const position = add('VEC3', 5126, f32(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1));
  const texture = add('VEC2', 5126, f32(0, 0, 1, 0, 1, 1, 0, 1));
  const order = add('SCALAR', 5123, Uint16Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3));
  const target = add('VEC3', 5126, f32(0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0));
  const joints = add('VEC4', 5121, Uint8Array.of(0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0));
  const weights = add('VEC4', 5126, f32(0.5, 0.5, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.75, 0.25, 0, 0));
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const inverse = add('MAT4', 5126, f32(...identity, ...identity));
  const times = add('SCALAR', 5126, f32(0, 0.05, 0.1));
  const turns = add('VEC4', 5126, f32(0, 0, 0, 1, 0, 0.3826834, 0, 0.9238795, 0, Math.SQRT1_2, 0, Math.SQRT1_2));
  const shifts = add('VEC3', 5126, f32(0, 0, 0, 0, 0.1, 0, 0, 0.2, 0));
  const spline = add('VEC3', 5126, f32(...Array.from({ length: 27 }, (_, i) => 1 + (i % 5) / 10)));
  const morph = add('SCALAR', 5126, f32(0, 0, 0.5, 0.1, 0.25, 0.2));
  accessors.push({
    componentType: 5126,
    count: 4,
    type: 'VEC3',
    sparse: {
      count: 1,
      indices: { bufferView: accessors[order].bufferView, componentType: 5123 },
      values: { bufferView: accessors[position].bufferView },
    },
  });
  const sparse = accessors.length - 1;
  const skinned = {
    attributes: { POSITION: position, TEXCOORD_0: texture, JOINTS_0: joints, WEIGHTS_0: weights },
    indices: order,
    targets: [{ POSITION: target }, { POSITION: sparse }],
  };
  const json = {
    asset: { version: '2.0' },
    extensionsUsed: ['KHR_materials_unlit'],
    scene: 0,
    scenes: [{ nodes: [0, 3] }],
    nodes: [
      { children: [1, 2], rotation: [0, 0, 0, 1] },
      { translation: [0, 1, 0] },
      { mesh: 0, skin: 0 },
      { mesh: 1, matrix: identity },
    ],
    meshes: [
      { primitives: [skinned], weights: [0.5, 0] },
      { primitives: [0, 1, 2, 3].map((mode) => ({ mode, attributes: { POSITION: position } })) },
    ],
    skins: [{ joints: [0, 1], inverseBindMatrices: inverse }],
    animations: [
      {
        name: 'all',
        channels: [
          { sampler: 0, target: { node: 0, path: 'rotation' } },
          { sampler: 1, target: { node: 1, path: 'translation' } },
          { sampler: 2, target: { node: 1, path: 'scale' } },
          { sampler: 3, target: { node: 2, path: 'weights' } },
        ],
        samplers: [
          { input: times, output: turns },
          { input: times, output: shifts, interpolation: 'STEP' },
          { input: times, output: spline, interpolation: 'CUBICSPLINE' },
          { input: times, output: morph, interpolation: 'LINEAR' },
        ],
      },
    ],
    accessors,
    bufferViews: views,
    buffers: [{ byteLength: size }],
  };
  const binary = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    binary.set(part, at);
    at += part.length;
  }
  return { json, binary };
})();

/** A GLB file of JSON text and a buffer. */
export function packGlb(text, binary) {
  const json = new TextEncoder().encode(text);
  const jsonSize = Math.ceil(json.length / 4) * 4;
  const bytes = new Uint8Array(12 + 8 + jsonSize + 8 + binary.length).fill(32);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x46546c67, true);
  view.setUint32(4, 2, true);
  view.setUint32(8, bytes.length, true);
  view.setUint32(12, jsonSize, true);
  view.setUint32(16, 0x4e4f534a, true);
  bytes.set(json, 20);
  view.setUint32(20 + jsonSize, binary.length, true);
  view.setUint32(24 + jsonSize, 0x004e4942, true);
  bytes.set(binary, 28 + jsonSize);
  return bytes;
}

/** The worlds of a few scenes, one of each model, after three steps. */
export function createWorlds() {
  return ['strand-corner', 'rod-wrap-one', 'sheet-rotating', 'fabric-tablecloth-one', 'mpm-tearing'].map((name) => {
    const text = readFileSync(new URL(`${name}.json`, scenes), 'utf8');
    const world = compile(parseScene(text));
    for (let n = 0; n < 3; n++) world.step();
    return { text, world };
  });
}

/** The chunks of a frame file of these worlds. */
export function createFrameFile(worlds) {
  const chunks = [encodeScene(worlds[0].text, { heddle: '0' }), encodeProbeColumns(['time', 'tip.y'])];
  for (const { world } of worlds) {
    chunks.push(encodeFrame(world.frame()));
    chunks.push(encodeProbeRows([Float64Array.of(0, 1), Float64Array.of(0.1, 2)]));
  }
  const [{ world }] = worlds;
  chunks.push(encodeFrame(world.frame(), { precision: 'float32' }));
  chunks.push(encodeCheckpoint({ step: world.steps, time: world.time, state: world.save() }));
  chunks.push(encodeSummary({ steps: 3 }));
  return { header: encodeHeader(), chunks };
}
