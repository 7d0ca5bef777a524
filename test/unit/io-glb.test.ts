import { WebIO } from '@gltf-transform/core';
import { validateBytes } from 'gltf-validator';
import { encodeGlb, type RecordedRun } from 'heddle/io';
import { describe, expect, test } from 'vitest';
import { makeRun } from './io-run.ts';

async function validate(run: RecordedRun) {
  const { bytes, report } = await encodeGlb(run);
  const result = await validateBytes(bytes, { maxIssues: 0 });
  return { bytes, report, result };
}

async function open(run: RecordedRun) {
  const { bytes } = await encodeGlb(run);
  const root = (await new WebIO().readBinary(bytes)).getRoot();
  const primitive = (id: string) =>
    root
      .listMeshes()
      .find((mesh) => mesh.getName() === id)!
      .listPrimitives()[0];
  const channels = root.listAnimations().flatMap((animation) => animation.listChannels());
  return { root, primitive, channels };
}

describe('the Khronos validator', () => {
  test.each([
    ['a run', makeRun(12)],
    ['a run of two frames', makeRun(2)],
    ['a run of one frame', makeRun(1)],
    ['a run in which nothing moves', makeRun(5, true)],
    ['a run without bodies', { ...makeRun(4), bodies: [] }],
    ['a run without curves', { ...makeRun(4), frames: makeRun(4).frames.map((frame) => ({ ...frame, objects: [] })) }],
    ['a run that starts late', { ...makeRun(6), frames: makeRun(6).frames.slice(3) }],
    ['ids in other scripts', { ...makeRun(2), name: 'Schnüre 縄' }],
  ])('finds no error, warning or unused part in %s', async (_, run) => {
    const { result } = await validate(run);
    expect(result.issues.messages).toEqual([]);
    expect(result.issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
    expect(result.info.extensionsUsed ?? []).toEqual([]);
  });
});

describe('animation', () => {
  test('names are ids, curves morph, bodies move, what rests has no channel', async () => {
    const { root, channels } = await open(makeRun(6));
    expect(root.listNodes().map((node) => node.getName())).toEqual(['rope', 'loop', 'cube', 'rest']);
    const animated = channels.map((channel) => [channel.getTargetNode()?.getName(), channel.getTargetPath()]);
    expect(animated).toEqual([
      ['rope', 'weights'],
      ['cube', 'translation'],
      ['cube', 'rotation'],
    ]);
    for (const channel of channels) {
      expect(channel.getSampler()?.getInterpolation()).toBe('LINEAR');
      expect(channel.getSampler()?.getInput()?.getCount()).toBe(6);
    }
    expect(root.listTextures()[0].getSize()).toEqual([32, 32]);
  });

  test('a translucent body is blended', async () => {
    const run = makeRun(2);
    const [cube, rest] = run.bodies;
    const { primitive } = await open({ ...run, bodies: [{ ...cube, opacity: 0.3 }, rest] });
    const look = (id: string) => {
      const material = primitive(id).getMaterial()!;
      return [material.getAlphaMode(), material.getBaseColorFactor()[3]];
    };
    expect(look('cube')).toEqual(['BLEND', 0.3]);
    expect(look('rest')).toEqual(['OPAQUE', 1]);
  });

  test('the weights are one target at a time and zero at the first frame', async () => {
    const { channels } = await open(makeRun(4));
    const weights = [...(channels[0].getSampler()?.getOutput()?.getArray() ?? [])];
    expect(weights).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
  });

  test('a target has the number of its frame in the run as its name, also where frames are left out', async () => {
    const listNames = async (run: RecordedRun) => {
      const { primitive } = await open(run);
      return primitive('rope')
        .listTargets()
        .map((target) => target.getName());
    };
    expect(await listNames(makeRun(4))).toEqual(['frame 2', 'frame 3', 'frame 4']);
    const { frames, ...run } = makeRun(4);
    expect(await listNames({ ...run, frames: [frames[0], frames[0], frames[2], frames[3]] })).toEqual([
      'frame 3',
      'frame 4',
    ]);
  });

  test('mesh + target of a frame stands where the material is in that frame, and carries its u', async () => {
    const run = makeRun(7);
    const { primitive } = await open(run);
    const mesh = primitive('rope');
    const base = mesh.getAttribute('POSITION')!.getArray()!;
    const texture = mesh.getAttribute('TEXCOORD_0')!.getArray()!;
    for (let f = 0; f < 7; f++) {
      const shift = f === 0 ? null : mesh.listTargets()[f - 1].getAttribute('POSITION')!.getArray()!;
      const corner = 0.5 - 0.3 * (f / 6);
      // skip the caps: 2 rings of 9 vertices at each end
      for (let ring = 2; ring < base.length / 27 - 2; ring++) {
        const centre = [0, 0, 0];
        for (let j = 0; j < 8; j++) {
          for (let k = 0; k < 3; k++) {
            const at = 3 * (9 * ring + j) + k;
            centre[k] += (base[at] + (shift ? shift[at] : 0)) / 8;
          }
        }
        const u = texture[2 * 9 * ring] * 0.1;
        const expected = u < corner ? [u - corner, 0, 0] : [0, corner - u, 0];
        expect(Math.hypot(centre[0] - expected[0], centre[1] - expected[1], centre[2])).toBeLessThan(1e-5);
      }
    }
  });

  test('rotations take the short way: no sign change between key frames', async () => {
    const run = makeRun(40);
    // q and −q are one rotation; a world may give either
    const frames = run.frames.map((frame, f) => {
      const [x, y, z, w] = frame.bodies[0].orientation;
      const turned = {
        ...frame.bodies[0],
        orientation: f % 3 === 1 ? ([-x, -y, -z, -w] as const) : ([x, y, z, w] as const),
      };
      return { ...frame, bodies: [turned] };
    });
    const { channels } = await open({ ...run, frames });
    const rotations = channels[2].getSampler()!.getOutput()!.getArray()!;
    for (let f = 1; f < 40; f++) {
      let cosine = 0;
      for (let k = 0; k < 4; k++) cosine += rotations[4 * f + k] * rotations[4 * f - 4 + k];
      expect(cosine).toBeGreaterThan(0.9);
    }
  });

  test('a run of more than 250 frames is thinned evenly and the report says so', async () => {
    const { report, result } = await validate({ ...makeRun(700), bodies: [] });
    expect(report).toMatchObject({ frames: 250, recordedFrames: 700 });
    expect(report.notes.join()).toMatch(/250 of the 700 frames/);
    expect(result.issues.messages).toEqual([]);
    const { channels, primitive } = await open(makeRun(700));
    const names = primitive('rope')
      .listTargets()
      .map((target) => target.getName());
    expect(names).toEqual(Array.from({ length: 249 }, (_, f) => `frame ${1 + Math.round(((f + 1) * 699) / 249)}`));
    const times = channels[0].getSampler()!.getInput()!.getArray()!;
    expect(times[0]).toBe(0);
    expect(times[249]).toBeCloseTo(699 / 60, 5);
    for (let f = 1; f < 250; f++) expect(Math.abs(times[f] - times[f - 1] - 699 / 60 / 249)).toBeLessThan(1.01 / 60);
  });

  test('frames of equal time are left out with a note', async () => {
    const run = makeRun(4);
    const { report, result } = await validate({ ...run, frames: [...run.frames, run.frames[3]] });
    expect(report.frames).toBe(4);
    expect(report.notes.length).toBe(1);
    expect(result.issues.numErrors).toBe(0);
  });

  test('a short run has nothing to note, and the same run gives the same bytes', async () => {
    const first = await encodeGlb(makeRun(5));
    expect(first.report.notes).toEqual([]);
    expect((await encodeGlb(makeRun(5))).bytes).toEqual(first.bytes);
  });

  test('no frames, and positions that are not finite, are refused with a sentence', async () => {
    const run = makeRun(2);
    await expect(encodeGlb({ ...run, frames: [] })).rejects.toThrow(/no frames/);
    run.frames[1].objects[0].x[0] = Number.NaN;
    await expect(encodeGlb(run)).rejects.toThrow(/"rope" has positions that are not finite/);
  });
});
