/** Scenes of the docs: blocks `json scene` are whole scenes, blocks `json object` one object of a scene. All of them are built and stepped. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile, parseScene } from 'heddle';
import { expect, test } from 'vitest';
import { PAGES } from '../../scripts/build-docs.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const pages = PAGES.flatMap(([, names]) => names as string[]).map((page) => ({
  page,
  text: readFileSync(join(ROOT, page), 'utf8'),
}));

const readBlocks = (text: string, name: string): string[] =>
  [...text.matchAll(/^```json (\w+)\n([\s\S]*?)^```$/gm)].filter((match) => match[1] === name).map((match) => match[2]);

/** An object of a page in a scene, with the body that one of them names. */
const wrapObject = (object: string): string =>
  `{ "heddle": 1, "name": "page", "title": "An object of a page", "objects": [${object}],
     "bodies": [{ "id": "rail", "shape": { "type": "box", "size": [1, 0.1, 0.1] }, "position": [0, 5, 0] }],
     "time": { "step": 0.001, "duration": 1 } }`;

const scenes = pages.flatMap(({ page, text }) => [
  ...readBlocks(text, 'scene').map((scene) => [page, scene] as const),
  ...readBlocks(text, 'object').map((object) => [page, wrapObject(object)] as const),
]);

test.each(scenes)('a scene of %s is valid and can be stepped', (_, text) => {
  const scene = parseScene(text);
  const world = compile(scene, { readFile: (name) => new Uint8Array(readFileSync(join(ROOT, 'scenes', name))) });
  for (let n = 0; n < 3; n++) world.step();
  expect(world.time).toBeCloseTo(3 * scene.time.step, 12);
});

test.each(['strand', 'rod', 'sheet', 'fabric', 'mpm', 'mixed', 'animated-bodies'])(
  'the page of %s begins with what it is for, a short scene and a picture',
  (model) => {
    const { text } = pages.find(({ page }) => page === `docs/reference/${model}.md`)!;
    const [first] = text.split(/^## /m);
    const [title, purpose] = first.split('\n\n');
    expect(title).toMatch(/^# /);
    expect(purpose).toMatch(/\bUse it\b/);
    const [scene] = readBlocks(first, 'scene');
    expect(scene.trimEnd().split('\n').length).toBeLessThanOrEqual(18);
    expect(first).toMatch(/^!\[.+\]\(\.\.\/pictures\/.+\.png\)$/m);
  },
);
