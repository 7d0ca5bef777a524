/** Variants of a scene that the studio offers to compare it with: each is a scene that can be built, and another one. */
import { readdirSync, readFileSync } from 'node:fs';
import { setPointer, validateScene } from 'heddle/scene';
import { describe, expect, test } from 'vitest';
import { suggestComparisons } from '../../studio/src/app/comparisons.ts';

const folder = new URL('../../scenes/', import.meta.url);
const scenes = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }));

describe('comparisons', () => {
  test.each(scenes)('$name: each is valid and differs from the scene', ({ text }) => {
    const suggestions = suggestComparisons(JSON.parse(text));
    expect(suggestions.length).toBeGreaterThan(1);
    expect(new Set(suggestions.map(({ title }) => title)).size).toBe(suggestions.length);
    for (const { title, overrides } of suggestions) {
      const raw = JSON.parse(text);
      for (const { path, value } of overrides) setPointer(raw, path, value);
      expect(raw, title).not.toEqual(JSON.parse(text));
      expect(() => validateScene(raw), title).not.toThrow();
    }
  });

  const titlesOf = (name: string) =>
    suggestComparisons(JSON.parse(scenes.find((scene) => scene.name === name)!.text)).map(({ title }) => title);

  test('of a fabric have no Lagrangian mode, which it does not know', () => {
    expect(titlesOf('strand-corner.json')).toContain('Lagrangian nodes only');
    expect(titlesOf('fabric-hammock.json')).not.toContain('Lagrangian nodes only');
  });

  test('of a continuum speak of its friction, its memory and its grid, as far as it has them', () => {
    const cloth = titlesOf('mpm-cloth-sand.json');
    expect(cloth).toEqual(
      expect.arrayContaining(['no friction', 'layers stick (APIC)', 'deformation by the grid only']),
    );
    const sand = titlesOf('mpm-sand-column.json');
    expect(sand).toContain('no friction');
    for (const title of ['layers stick (APIC)', 'deformation by the grid only', 'Lagrangian nodes only'])
      expect(sand).not.toContain(title);
  });
});
