/** `touching` in scenes: what is refused, and what objects that start in one place are told. */
import { compile, type SceneInput, validateScene } from 'heddle';
import { expect, test } from 'vitest';
import { createFalling, createLaid, MATERIALS } from '../laws/mixed-scenes.ts';

const faultsOf = (scene: SceneInput): string => {
  try {
    compile(validateScene(scene));
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

test.each([
  ['rope', 'touching.objects[0] is "rope", which is no'],
  ['grid', 'touching.objects[0] is "grid", an MPM object; name strands, rods, sheets and fabrics.'],
])('%s is refused', (name, message) => {
  const scene = createFalling('strand', 'rod', { objects: [name] });
  const grid: SceneInput['objects'][number] = {
    type: 'mpm',
    id: 'grid',
    spacing: 0.05,
    parts: [
      {
        id: 'sand',
        pattern: { type: 'fill', shape: { type: 'box', size: [0.1, 0.1, 0.1] } },
        material: { type: 'sand', density: 1500, youngsModulus: 1e5, frictionAngle: 30 },
      },
    ],
  };
  expect(faultsOf({ ...scene, objects: [...scene.objects, grid] })).toContain(message);
});

test('an object that is named twice is refused', () => {
  expect(faultsOf(createFalling('strand', 'rod', { objects: ['low', 'low'] }))).toContain(
    'touching.objects[1] is "low" again; name each object once.',
  );
});

const createAt = (y: number): SceneInput => ({
  heddle: 1,
  name: 'laid',
  title: 'Laid',
  materials: MATERIALS,
  objects: [createLaid('sheet', 'cloth', 0, false), createLaid('rod', 'stick', y, true)],
  time: { step: 1e-3, duration: 1 },
});

test('what starts in one place, or crosses, is told so', () => {
  expect(faultsOf(createAt(0))).toMatch(
    /it coincides with rod "stick" at the start.*start them 0\.0\d+ m apart, or remove one from "touching"/,
  );
  const through: SceneInput = createAt(0.1);
  const [cloth] = through.objects;
  const stick = {
    ...createLaid('rod', 'stick', 0, true),
    points: [[0.01, -0.1, 0.013], [0.02, 0.1, 0.017]], // biome-ignore format: points
  } as SceneInput['objects'][number];
  expect(faultsOf({ ...through, objects: [cloth, stick] })).toMatch(
    /crosses (sheet "cloth"|rod "stick") at the start.*move them apart, or remove one from "touching"/,
  );
  expect(faultsOf({ ...through, objects: [cloth, stick], touching: { objects: [] } })).toBe('');
  expect(faultsOf(createAt(0.01))).toBe('');
});
