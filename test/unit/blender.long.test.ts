/**
 * GLB, OBJ and PLY in the real Blender, which is started without a window: names, materials, animation, and vertices at
 * three times beside Heddle's positions. Needs Blender 3.4 or later, by the search path or BLENDER_PATH.
 *
 * Blender has z up: (x, y, z) of Heddle is (x, −z, y) there, which its importers of GLB and OBJ do and that of PLY leaves to the user.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compile, type Frame, parseScene } from 'heddle';
import { computeBodyGeometry, findExporter, type RecordedRun } from 'heddle/io';
import { isMoment } from 'heddle/scene';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type BlenderFile,
  computeFrameShapes,
  computeMaterialShapes,
  findBlender,
  joinShapes,
  type OpenedFile,
  openInBlender,
  type Shape,
  selectUsed,
} from './blender-fixtures.ts';
import { leaningRun } from './leaning-cube.ts';

/** Most that a coordinate may differ [m]. */
const TOLERANCE = 1e-5;
/** Of the timeline in Blender, and of the recorded frames. */
const FRAMES_PER_SECOND = 60;
/** Simulated time of each scene [s]. */
const DURATION = 0.1;

const SCENES = new URL('../../scenes/', import.meta.url);
const readFile = (name: string) => new Uint8Array(readFileSync(new URL(name, SCENES)));

function record(name: string): RecordedRun {
  const scene = parseScene(readFileSync(new URL(`${name}.json`, SCENES), 'utf8'));
  const world = compile(scene, { readFile });
  const { step } = scene.time;
  const frames: Frame[] = [];
  for (; world.steps * step <= DURATION; world.step()) {
    if (isMoment(world.steps, step, FRAMES_PER_SECOND)) frames.push(world.frame());
  }
  const bodies = computeBodyGeometry(world, scene);
  return { name, frames, bodies, probes: { columns: [], rows: [] }, framesPerSecond: FRAMES_PER_SECOND };
}

const KINDS: readonly (readonly [string, () => RecordedRun])[] = [
  ['a strand', () => record('strand-corner')],
  ['a rod', () => record('rod-edge')],
  ['a sheet', () => record('sheet-edge')],
  ['a fabric', () => record('fabric-hang')],
  ['an MPM scene', () => record('mpm-cloth-sand')],
  ['a mixed scene', () => record('mixed-clothesline')],
  ['a body that deforms', () => leaningRun],
];
const FORMATS = ['glb', 'obj', 'ply'] as const;
type Format = (typeof FORMATS)[number];

/** Places of the three frames that are compared: the first, one in the middle and the last. */
const choosePlaces = ({ frames }: RecordedRun): number[] => [0, Math.floor(frames.length / 2), frames.length - 1];

const computeTimelineFrame = ({ frames }: RecordedRun, f: number): number =>
  (frames[f].time - frames[0].time) * FRAMES_PER_SECOND;

/** From Blender's axes to Heddle's. */
const turnUp = (positions: Float32Array): Float64Array => {
  const turned = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) turned.set([positions[i], positions[i + 2], -positions[i + 1]], i);
  return turned;
};

function expectSamePlaces(found: ArrayLike<number>, expected: ArrayLike<number>): void {
  expect(found.length).toBe(expected.length);
  let worst = 0;
  for (let i = 0; i < expected.length; i++) worst = Math.max(worst, Math.abs(found[i] - expected[i]));
  expect(worst).toBeLessThan(TOLERANCE);
}

const hasFaces = ({ indices }: Shape): boolean => indices !== undefined;

const blender = findBlender();
if (blender === undefined) {
  process.stderr.write(
    'No file is opened in Blender, because it was not found; install it (Debian: apt-get install --no-install-recommends blender python3-numpy) or set BLENDER_PATH.\n',
  );
}

describe.skipIf(blender === undefined)('Blender', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-blender-'));
  const runs = new Map<string, RecordedRun>();
  const opened = new Map<string, OpenedFile[]>();

  /** Writes the files of a run, and says which of them are to be opened at which places of the timeline. */
  async function write(run: RecordedRun, format: Format): Promise<BlenderFile[]> {
    const { files } = await findExporter(format).write(run);
    const paths = [...files].map(({ path, bytes }) => {
      const target = join(folder, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, bytes);
      return target;
    });
    const places = choosePlaces(run);
    if (format !== 'glb') return places.map((f) => ({ path: paths[f], frames: [0] }));
    return [{ path: paths[0], frames: places.map((f) => computeTimelineFrame(run, f)) }];
  }

  beforeAll(async () => {
    const jobs: { readonly key: string; readonly file: BlenderFile }[] = [];
    for (const [kind, create] of KINDS) {
      const run = create();
      runs.set(kind, run);
      for (const format of FORMATS)
        for (const file of await write(run, format)) jobs.push({ key: `${kind} ${format}`, file });
    }
    const files = jobs.map(({ file }) => file);
    for (const [k, file] of openInBlender(blender!, folder, FRAMES_PER_SECOND, files).entries()) {
      const { key } = jobs[k];
      opened.set(key, [...(opened.get(key) ?? []), file]);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  describe.each(KINDS.map(([kind]) => kind))('%s', (kind) => {
    test('opens as a GLB with an object and a material per id, which moves on the timeline', () => {
      const run = runs.get(kind)!;
      const [{ objects, actions }] = opened.get(`${kind} glb`)!;
      const shapes = computeMaterialShapes(run, 0);
      expect(Object.keys(objects).sort()).toEqual(shapes.map(({ id }) => id).sort());
      for (const [id, { materials }] of Object.entries(objects)) expect(materials).toEqual([id]);
      const moving = run.frames[0].objects.map(({ id }) => id);
      const names = ['Basis', ...run.frames.slice(1).map((_, f) => `frame ${f + 2}`)];
      for (const id of moving) {
        expect(objects[id].shapeKeys).toEqual(names);
        const [first, last] = actions[`${run.name}_${id}`];
        expect(first).toBe(0);
        expect(last).toBeCloseTo(computeTimelineFrame(run, run.frames.length - 1), 5);
      }
    });

    test('has the vertices of Heddle in a GLB at three times, to 1e-5 m', () => {
      const run = runs.get(kind)!;
      const [{ objects }] = opened.get(`${kind} glb`)!;
      for (const [k, f] of choosePlaces(run).entries()) {
        for (const shape of computeMaterialShapes(run, f)) {
          expectSamePlaces(turnUp(objects[shape.id].frames[k]), selectUsed(shape));
        }
      }
    });

    test('has the vertices of Heddle in three OBJ files, each object by its id, to 1e-5 m', () => {
      const run = runs.get(kind)!;
      const files = opened.get(`${kind} obj`)!;
      for (const [k, f] of choosePlaces(run).entries()) {
        // Blender reads no points of OBJ files
        const shapes = computeFrameShapes(run, f).filter(hasFaces);
        expect(Object.keys(files[k].objects).sort()).toEqual(shapes.map(({ id }) => id).sort());
        for (const shape of shapes) {
          const { frames, faces } = files[k].objects[shape.id];
          expect(faces).toBe(shape.indices!.length / 3);
          expectSamePlaces(turnUp(frames[0]), selectUsed(shape));
        }
      }
    });

    test('has the vertices of Heddle in three PLY files, all in one mesh, to 1e-5 m', () => {
      const run = runs.get(kind)!;
      const files = opened.get(`${kind} ply`)!;
      for (const [k, f] of choosePlaces(run).entries()) {
        const [object, ...others] = Object.values(files[k].objects);
        expect(others).toEqual([]);
        const { positions, indices } = joinShapes(computeFrameShapes(run, f));
        expect(object.faces).toBe(indices.length / 3);
        expectSamePlaces(object.frames[0], positions);
      }
    });
  });
});
