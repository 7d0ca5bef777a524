/** Entries of a scene's lists: what the parameter panel adds, doubles and takes away leaves a scene that can be built. */
import { readdirSync, readFileSync } from 'node:fs';
import { compile, computeJsonSchema, type Scene, validateScene } from 'heddle/scene';
import { describe, expect, test } from 'vitest';
import { computeCopy } from '../../studio/src/panels/list-copies.ts';
import { computeEdited, type ListEdit } from '../../studio/src/panels/list-edits.ts';
import { computeRemoval, describeNeed, describeRest } from '../../studio/src/panels/list-removals.ts';
import { type Path, readAt } from '../../studio/src/panels/overrides.ts';
import { findListSchema, listEntryForms } from '../../studio/src/panels/scene-lists.ts';

const schema = computeJsonSchema();
const folder = new URL('../../scenes/', import.meta.url);
const readFile = (name: string) => new Uint8Array(readFileSync(new URL(name, folder)));
const scenes = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => ({ name, scene: JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as unknown }));
const find = (name: string) => scenes.find((entry) => entry.name === `${name}.json`)!.scene;

const TOP = ['materials', 'objects', 'bodies', 'drivers', 'probes'];
const INSIDE = {
  strand: ['guides', 'spools', 'masses', 'points'],
  rod: ['masses'],
  sheet: ['folds'],
  fabric: ['layers', 'seams'],
  mpm: ['parts', 'bodies'],
};

/** Lists of a scene: those of the top (also when absent), those inside the first and last object of each type, and keyframes. */
function listLists(scene: unknown): Path[] {
  const objects = readAt(scene, ['objects']) as { type: keyof typeof INSIDE; points?: unknown }[];
  const inside = objects.flatMap((object, i) => {
    const { type, points } = object;
    const alike = objects.filter((other) => other.type === type);
    if (object !== alike[0] && object !== alike.at(-1)) return [];
    // a rod has points or a shape
    return [...INSIDE[type], ...(type === 'rod' && points ? ['points'] : [])].map((key): Path => ['objects', i, key]);
  });
  const timed = ['drivers', 'bodies'].flatMap((list) =>
    ((readAt(scene, [list]) ?? []) as unknown[]).flatMap((entry, i) =>
      ['keyframes', 'value'].filter((key) => isTimed(readAt(entry, [key]))).map((key): Path => [list, i, key]),
    ),
  );
  return [...TOP.map((key) => [key]), ...inside, ...timed];
}
const isTimed = (value: unknown) => Array.isArray(value) && readAt(value[0], ['time']) !== undefined;

/** First and last entries of all lists, by path. */
const listPaths = (scene: unknown): Path[] =>
  listLists(scene).flatMap((list) => {
    const value = readAt(scene, list);
    if (Array.isArray(value))
      return [...new Set([0, value.length - 1])].filter((i) => i in value).map((i): Path => [...list, i]);
    return Object.keys((value ?? {}) as object).map((key): Path => [...list, key]);
  });

/** Why a scene is not valid or cannot be built; empty when it can. */
function describeFault(scene: unknown, build = (valid: Scene): unknown => compile(valid, { readFile })): string {
  try {
    build(validateScene(scene));
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

interface Change {
  readonly label: string;
  readonly edits: Parameters<typeof computeEdited>[1];
}

/** Every change alone makes another scene, a valid one. */
function expectValid(scene: unknown, changes: readonly Change[]): void {
  for (const { label, edits } of changes) {
    const changed = computeEdited(scene, edits);
    expect(changed).not.toEqual(scene);
    expect(
      describeFault(changed, () => {}),
      label,
    ).toBe('');
  }
}

/**
 * Changes can be built: all together, or half of them and the other half where they are in each other's way, and so on: what keeps one from being built
 * keeps all together.
 */
function expectBuilt(scene: unknown, changes: readonly Change[]): void {
  if (changes.length === 0) return;
  const edits = changes.flatMap((change) => change.edits);
  const fault = describeFault(computeEdited(scene, edits));
  if (fault === '') return;
  expect(changes.length, `${changes[0].label}: ${fault}`).toBeGreaterThan(1);
  const half = changes.length >> 1;
  for (const part of [changes.slice(0, half), changes.slice(half)]) expectBuilt(scene, part);
}

describe('entries of lists', () => {
  test.each(scenes)('$name: whatever is added, the scene can be built', ({ scene }) => {
    const [apart, together]: [Change[], Change[]] = [[], []];
    for (const list of listLists(scene)) {
      expect(findListSchema(schema, scene, list), list.join('.')).toBeDefined();
      for (const { label, help, edits } of listEntryForms(schema, scene, list)) {
        const change = { label: `${list.join('.')} ${label}`, edits };
        expect(help.length, change.label).toBeGreaterThan(5);
        // new objects all have the same place, which is in each other's way but for continua
        (list.length === 1 && list[0] === 'objects' && label !== 'mpm' ? apart : together).push(change);
      }
    }
    expect(apart.length + together.length).toBeGreaterThan(25);
    expectValid(scene, [...apart, ...together]);
    expectBuilt(scene, together);
    for (const change of apart) expectBuilt(scene, [change]);
  });

  test.each(scenes)('$name: whatever is doubled, the scene can be built', ({ scene }) => {
    const copies: Change[] = [];
    for (const path of listPaths(scene)) {
      const edits = computeCopy(scene, path);
      if (edits === undefined) continue;
      const list = path.slice(0, -1);
      expect(Object.keys(readAt(computeEdited(scene, edits), list) as object).length).toBe(
        Object.keys(readAt(scene, list) as object).length + 1,
      );
      copies.push({ label: path.join('.'), edits });
    }
    expectValid(scene, copies);
    expectBuilt(scene, copies);
  });

  test.each(scenes)('$name: nothing names what was taken away', ({ scene }) => {
    for (const path of listPaths(scene)) {
      if (describeNeed(schema, scene, path) !== undefined) continue;
      // the polyline changes its shape, and guides may come off it
      if (path.at(-2) === 'points') continue;
      const changed = computeEdited(scene, computeRemoval(scene, path));
      // not built: a strand may touch a body that it was fastened to before, and start inside it
      expect(
        describeFault(changed, () => {}),
        path.join('.'),
      ).toBe('');
    }
  });
});

describe('what is offered', () => {
  const winch = find('strand-winch');
  const labels = (scene: unknown, ...path: Path) => listEntryForms(schema, scene, path).map(({ label }) => label);

  test('one form for each type of a union, with what the scene has no place for left out', () => {
    const bare = { objects: [{ type: 'strand', id: 'a', points: [[0, 0, 0], [1, 0, 0]] }] }; // biome-ignore format: points
    expect(labels(bare, 'drivers')).toEqual(['pin', 'fix', 'velocity', 'keyframes', 'force', 'rest', 'wind']);
    expect(labels(winch, 'drivers')).toContain('tie');
    expect(labels(bare, 'probes')).not.toContain('spool');
    expect(labels(winch, 'probes')).toContain('spool');
    expect(labels(bare, 'bodies')).toEqual(['plane', 'box', 'sphere', 'capsule', 'cylinder', 'convex']);
    expect(labels(bare, 'objects', 0, 'guides')).toEqual(['guide']);
    expect(labels(bare, 'gravity')).toEqual([]);
  });

  test('names are free, also beside one that was given a number', () => {
    const [form] = listEntryForms(schema, winch, ['bodies']);
    const once = computeEdited(winch, form.edits);
    const [again] = listEntryForms(schema, once, ['bodies']);
    expect(readAt(again.edits[0].insert, ['id'])).toBe('plane-2');
    expect(readAt(computeCopy(winch, ['probes', 0])?.[0].insert, ['id'])).toMatch(/-2$/);
  });

  test('a keyframe comes half way to the next, or behind the last', () => {
    const path = ['objects', 0, 'spools', 0, 'speed'];
    const times = (edits: ReturnType<typeof computeCopy>) =>
      (readAt(computeEdited(winch, edits!), path) as { time: number }[]).map(({ time }) => time);
    expect(times(computeCopy(winch, [...path, 0]))).toEqual([0.4, 0.6, 0.8, 2.4, 2.8]);
    expect(times(computeCopy(winch, [...path, 3]))).toEqual([0.4, 0.8, 2.4, 2.8, 3.2]);
  });

  test('removal tells what goes with it, and what must stay', () => {
    const body = readAt(winch, ['bodies']) as { id: string }[];
    const edits = computeRemoval(winch, ['bodies', body.findIndex(({ id }) => id === 'load')]);
    expect(describeRest(edits)).toBe('1 driver, 1 probe and 2 expectations');
    expect(describeNeed(schema, winch, ['objects', 0])).toBe('At least 1 object must stay.');
    expect(describeNeed(schema, winch, ['materials', 'rope'])).toBe('rope is made of rope.');
    expect(describeNeed(schema, winch, ['drivers', 0])).toBeUndefined();
  });

  test('edits of one change name places before it', () => {
    const scene = { a: [0, 1, 2, 3], b: { c: 1 } };
    const edits = [{ path: ['a', 1] }, { path: ['a', 3] }, { path: ['b', 'c'] }];
    expect(computeEdited(scene, edits)).toEqual({ a: [0, 2], b: {} });
    expect(computeEdited(scene, [{ path: ['a', 4], insert: 4 }, { path: ['a', 0] }])).toEqual({
      a: [1, 2, 3, 4],
      b: { c: 1 },
    });
    expect(computeEdited(scene, [{ path: ['new', 0], insert: 'x' }])).toEqual({ ...scene, new: ['x'] });
    expect(computeEdited(scene, [{ path: ['a', 9] }])).toEqual(scene);
  });

  test('paths of named sizes go with the entries that they lead into', () => {
    const scene = { a: [{ n: 1 }, { n: 2 }, { n: 3 }], sizes: { fine: { 'a[0].n': 10, 'a[2].n': 30, 'b[2].n': 5 } } };
    const sizesAfter = (edits: readonly ListEdit[]) => readAt(computeEdited(scene, edits), ['sizes', 'fine']);
    const expected = { 'a[0].n': 10, 'a[3].n': 30, 'b[2].n': 5 };
    expect(sizesAfter([{ path: ['a', 1], insert: { n: 4 } }])).toEqual(expected);
    expect(sizesAfter(computeRemoval(scene, ['a', 0]))).toEqual({ 'a[1].n': 30, 'b[2].n': 5 });
    expect(sizesAfter(computeRemoval(scene, ['a', 2]))).toEqual({ 'a[0].n': 10, 'b[2].n': 5 });
  });
});
