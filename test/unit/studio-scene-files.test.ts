/** Which files the studio brings to a simulation: all that a scene names, wherever it names them. */
import { expect, test } from 'vitest';
import { listSceneFiles, pickSceneFiles } from '../../studio/src/simulation/scene-files.ts';

const SCENE = JSON.stringify({
  name: 'file',
  view: { file: 'no-part-of-the-world.obj' },
  bodies: [{ shape: { type: 'mesh', file: 'a.obj', animation: { files: ['b.obj', 'c.obj'] } } }],
  objects: [
    { type: 'sheet', shape: { type: 'mesh', file: 'd.obj' } },
    { type: 'fabric', layers: [{ pattern: { type: 'wif', file: 'e.wif' } }] },
    { type: 'mpm', parts: [{ pattern: { type: 'mesh', file: 'f.obj' } }, { pattern: { shape: { file: 'a.obj' } } }] },
  ],
});

test('files of bodies, poses, sheets, drafts and parts of continua are found, each once', () => {
  expect(listSceneFiles(SCENE).sort()).toEqual(['a.obj', 'b.obj', 'c.obj', 'd.obj', 'e.wif', 'f.obj']);
  expect(pickSceneFiles(SCENE, { 'f.obj': 1, 'g.obj': 2 })).toEqual({ 'f.obj': 1 });
});

test('what is no scene has none, and depth has an end', () => {
  for (const text of ['', '[', 'null', '7', '{"objects": 3}', '{"bodies": [null, {"shape": null}]}'])
    expect(listSceneFiles(text)).toEqual([]);
  const deep = `${'{"a":'.repeat(3000)}{"file":"x.obj"}${'}'.repeat(3000)}`;
  expect(listSceneFiles(`{"objects": [${deep}]}`)).toEqual([]);
});
