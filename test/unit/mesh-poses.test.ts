import { Accessor, type AnimationSampler, type Buffer, Document, WebIO } from '@gltf-transform/core';
import fc from 'fast-check';
import { readGltfClip, readObjPoses } from 'heddle/io';
import { createRandom } from 'heddle/math';
import { FormatError } from 'heddle/model';
import { AnimationMixer, type Mesh, type Object3D, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { describe, expect, test } from 'vitest';

const CORNERS = Float32Array.from([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]);
const FACES = Uint16Array.from([
  ...[3, 2, 1, 3, 1, 0, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4],
  ...[2, 3, 7, 2, 7, 6, 1, 2, 6, 1, 6, 5, 0, 4, 7, 0, 7, 3],
]);
const random = createRandom(11);
const randomly = (count: number): Float32Array<ArrayBuffer> =>
  Float32Array.from({ length: count }, () => random.uniform(-1, 1));
const rotations = (count: number): Float32Array<ArrayBuffer> =>
  Float32Array.from(
    Array.from({ length: count }, () => {
      const q = randomly(4);
      const length = Math.hypot(...q);
      return [...q].map((value) => value / length);
    }).flat(),
  );

type Numbers = Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;

/** A GLB with a clip over two cubes: one on an animated node under another, with morph targets, one that hangs on three joints. */
async function writeClip(interpolation: 'LINEAR' | 'STEP' | 'CUBICSPLINE'): Promise<Uint8Array> {
  const document = new Document();
  const buffer = document.createBuffer();
  const times = [0.1, 0.5, 0.6, 1.3];
  const keys = interpolation === 'CUBICSPLINE' ? 3 * times.length : times.length;
  const make = (type: 'SCALAR' | 'VEC3' | 'VEC4' | 'MAT4', values: Numbers): Accessor =>
    document
      .createAccessor()
      .setType(Accessor.Type[type])
      .setArray(values)
      .setBuffer(buffer as Buffer);
  const animation = document.createAnimation('jump');
  const animate = (
    node: ReturnType<Document['createNode']>,
    path: 'translation' | 'rotation' | 'scale' | 'weights',
    output: Accessor,
  ) => {
    const sampler: AnimationSampler = document
      .createAnimationSampler()
      .setInput(make('SCALAR', Float32Array.from(times)))
      .setOutput(output)
      .setInterpolation(interpolation);
    animation
      .addSampler(sampler)
      .addChannel(document.createAnimationChannel().setTargetNode(node).setTargetPath(path).setSampler(sampler));
  };
  const scene = document.createScene();
  document.getRoot().setDefaultScene(scene);
  const cube = () =>
    document.createPrimitive().setAttribute('POSITION', make('VEC3', CORNERS)).setIndices(make('SCALAR', FACES));

  const parent = document.createNode('parent').setTranslation([0.5, 1, 2]).setScale([1.5, 0.5, 2]);
  const morphed = cube();
  for (let m = 0; m < 2; m++)
    morphed.addTarget(document.createPrimitiveTarget().setAttribute('POSITION', make('VEC3', randomly(24))));
  const child = document.createNode('child').setMesh(document.createMesh().addPrimitive(morphed).setWeights([0, 0]));
  parent.addChild(child);
  scene.addChild(parent);
  animate(parent, 'rotation', make('VEC4', rotations(keys)));
  animate(child, 'translation', make('VEC3', randomly(3 * keys)));
  animate(
    child,
    'scale',
    make(
      'VEC3',
      randomly(3 * keys).map((value) => 1.5 + value),
    ),
  );
  animate(child, 'weights', make('SCALAR', randomly(2 * keys)));

  const joints = [0, 1, 2].map((j) => document.createNode(`joint ${j}`).setTranslation([0.1 * j, 0.4, 0]));
  joints[0].addChild(joints[1]);
  joints[1].addChild(joints[2]);
  scene.addChild(joints[0]);
  for (const joint of joints) animate(joint, 'rotation', make('VEC4', rotations(keys)));
  animate(joints[0], 'translation', make('VEC3', randomly(3 * keys)));
  const inverse = Float32Array.from(
    [0, 1, 2].flatMap((j) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -0.1 * j, -0.4 * (j + 1), 0.2, 1]),
  );
  const skin = document.createSkin().setInverseBindMatrices(make('MAT4', inverse));
  for (const joint of joints) skin.addJoint(joint);
  const weights = Float32Array.from(
    Array.from({ length: 8 }, (_, v) => [v / 8, 0.5 * (1 - v / 8), 0.5 * (1 - v / 8), 0]).flat(),
  );
  const which = Uint16Array.from(Array.from({ length: 8 }, () => [0, 1, 2, 0]).flat());
  const skinned = cube().setAttribute('JOINTS_0', make('VEC4', which)).setAttribute('WEIGHTS_0', make('VEC4', weights));
  scene.addChild(
    document
      .createNode('skinned')
      .setTranslation([7, 7, 7])
      .setMesh(document.createMesh().addPrimitive(skinned))
      .setSkin(skin),
  );
  return new WebIO().writeBinary(document);
}

describe('clips of glTF files', () => {
  test.each(['LINEAR', 'STEP', 'CUBICSPLINE'] as const)(
    'nodes, morph targets and skins are where three.js has them, %s',
    async (interpolation) => {
      const bytes = await writeClip(interpolation);
      const { poses, indices, interval } = readGltfClip(bytes, { framesPerSecond: 20 });
      expect(interval).toBeCloseTo(1.3 / 26, 7);
      expect(poses).toHaveLength(27);
      expect(indices).toHaveLength(72);
      const loaded = await new GLTFLoader().parseAsync(bytes.slice().buffer as ArrayBuffer, '');
      const mixer = new AnimationMixer(loaded.scene);
      mixer.clipAction(loaded.animations[0]).play();
      // at the end the last step is taken
      const compared = interpolation === 'STEP' ? poses.slice(0, -1) : poses;
      for (const [k, pose] of compared.entries()) {
        // three.js goes back to the start at the end of the clip
        mixer.setTime(Math.min(k * interval, 1.3 - 1e-6));
        loaded.scene.updateMatrixWorld(true);
        const wanted: number[] = [];
        loaded.scene.traverse((object: Object3D) => {
          const mesh = object as Mesh;
          if (!mesh.isMesh) return;
          for (let v = 0; v < 8; v++)
            wanted.push(...mesh.getVertexPosition(v, new Vector3()).applyMatrix4(mesh.matrixWorld));
        });
        const found = sortPoints(pose);
        const expected = sortPoints(Float64Array.from(wanted));
        for (let i = 0; i < 48; i++) expect(Math.abs(found[i] - expected[i])).toBeLessThan(2e-5);
      }
    },
  );

  test('what is missing is said', async () => {
    const document = new Document();
    document.createBuffer();
    document.createScene();
    const none = await new WebIO().writeBinary(document);
    expect(() => readGltfClip(none, { source: 'still.glb' })).toThrow(/still\.glb: it has no animation/);
    const bytes = await writeClip('STEP');
    expect(() => readGltfClip(bytes, { clip: 'walk' })).toThrow(/no clip "walk"; its clips are \["jump"\]/);
    expect(readGltfClip(bytes, { clip: 'jump' }).poses.length).toBe(79);
  });

  test('any damage ends in poses or a FormatError', async () => {
    const bytes = await writeClip('CUBICSPLINE');
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, value) => {
        const damaged = bytes.slice();
        damaged[at] = value;
        try {
          readGltfClip(damaged, { framesPerSecond: 2 });
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError);
        }
      }),
      { numRuns: 300, seed: 5 },
    );
  });
});

const obj = (shift: number, faces = 'f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n'): string =>
  `v 0 0 0\nv 1 0 ${shift}\nv 0 1 0\nv 0 ${shift} 1\n${faces}`;

describe('OBJ sequences', () => {
  test('have the triangles of the first file in every pose', () => {
    const { poses, indices } = readObjPoses([
      { text: obj(0), source: 'a.obj' },
      { text: obj(0.5), source: 'b.obj' },
    ]);
    expect([...indices]).toEqual([0, 1, 2, 0, 2, 3, 2, 1, 3, 1, 0, 3]);
    expect([...poses[1].subarray(6, 9)]).toEqual([1, 0, 0.5]);
    expect([...poses[1].subarray(9, 12)]).toEqual([0, 0.5, 1]);
  });

  test('vertices that lie together in all poses are one, those that part are not', () => {
    const split = (shift: number): string =>
      `v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv ${shift} 0 0\nf 1 3 2\nf 5 2 4\nf 2 3 4\nf 3 1 4\n`;
    const read = (second: number): number =>
      readObjPoses([
        { text: split(0), source: 'a.obj' },
        { text: split(second), source: 'b.obj' },
      ]).poses[1].length / 3;
    expect(read(0)).toBe(4);
    expect(read(0.1)).toBe(5);
  });

  test('files that do not fit together are refused by name', () => {
    const read = (text: string) => () =>
      readObjPoses([
        { text: obj(0), source: 'a.obj' },
        { text, source: 'b.obj' },
      ]);
    expect(read(`v 0 0 0\n${obj(0)}`)).toThrow('b.obj has 5 vertices and a.obj 4');
    expect(read(obj(0, 'f 1 3 2\nf 1 4 2\nf 2 3 4\nf 3 1 4\n'))).toThrow(
      'b.obj has different faces from a.obj from line 6 on',
    );
    expect(read(obj(0, 'f 1 3 2\n'))).toThrow('b.obj has different faces from a.obj');
    expect(read('v 0 0 0\n')).toThrow('b.obj has no face');
  });
});

/** Points in an order of their own, so that readers that keep other orders can be compared. */
function sortPoints(x: Float64Array): number[] {
  const points = Array.from({ length: x.length / 3 }, (_, v) => [x[3 * v], x[3 * v + 1], x[3 * v + 2]]);
  points.sort((a, b) => Math.round(1e4 * (a[0] - b[0])) || Math.round(1e4 * (a[1] - b[1])) || a[2] - b[2]);
  return points.flat();
}
