/** Variants of a scene that are worth comparing it with. */
import type { Override } from '../simulation/protocol.ts';

export interface Comparison {
  readonly title: string;
  readonly overrides: readonly Override[];
  readonly overlaid: boolean;
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (scene: unknown, key: string): readonly unknown[] => {
  const list = isObject(scene) ? scene[key] : undefined;
  return Array.isArray(list) ? list : [];
};

/** Values of all materials that name a key, replaced. */
function replaceInMaterials(scene: unknown, key: string, value: unknown): Override[] {
  const named = isObject(scene) && isObject(scene.materials) ? scene.materials : {};
  return Object.entries(named)
    .filter(([, material]) => isObject(material) && key in material && material[key] !== value)
    .map(([name]) => ({ path: `/materials/${name}/${key}`, value }));
}

/** Types of objects whose nodes may be Lagrangian only. */
const MODE_TYPES: readonly unknown[] = ['strand', 'rod', 'sheet'];
/** Materials of continua in which something rubs, and those of elements. */
const RUBBING: readonly unknown[] = ['surface', 'curve', 'sand'];
const ELEMENTS: readonly unknown[] = ['surface', 'curve'];

/** Values of a key of all parts of continua with one of some materials, replaced. */
function replaceInParts(scene: unknown, materials: readonly unknown[], key: string, value: unknown): Override[] {
  return listOf(scene, 'objects').flatMap((object, i) =>
    listOf(object, 'parts').flatMap((part, j) => {
      const { material } = part as Json;
      const isOne = isObject(material) && materials.includes(material.type) && material[key] !== value;
      return isOne ? [{ path: `/objects/${i}/parts/${j}/material/${key}`, value }] : [];
    }),
  );
}

/** Comparisons that make sense for a scene. */
export function suggestComparisons(scene: unknown): Omit<Comparison, 'overlaid'>[] {
  const objects = listOf(scene, 'objects');
  const replaceInObjects = (isOne: (object: Json) => boolean, key: string, value: unknown) =>
    objects.flatMap((object, i) =>
      isObject(object) && isOne(object) && object[key] !== value ? [{ path: `/objects/${i}/${key}`, value }] : [],
    );
  const findRough = (owner: unknown, path: string) =>
    listOf(owner, 'bodies').flatMap((body, i) =>
      isObject(body) && Number(body.friction) > 0 ? [{ path: `${path}/bodies/${i}/friction`, value: 0 }] : [],
    );
  const hasElements = (object: Json) =>
    listOf(object, 'parts').some((part) => isObject(part) && isObject(part.material) && ELEMENTS.includes(part.material.type)); // biome-ignore format: one question
  const step = isObject(scene) && isObject(scene.time) ? Number(scene.time.step) : Number.NaN;
  const suggestions = [
    {
      title: 'Lagrangian nodes only',
      overrides: replaceInObjects(({ type }) => MODE_TYPES.includes(type), 'mode', 'lagrangian'),
    },
    {
      title: 'no friction',
      overrides: [
        ...replaceInMaterials(scene, 'friction', 0),
        ...replaceInParts(scene, RUBBING, 'frictionAngle', 0),
        ...findRough(scene, ''),
        ...objects.flatMap((object, i) => findRough(object, `/objects/${i}`)),
      ],
    },
    { title: 'no bending stiffness', overrides: replaceInMaterials(scene, 'bendingStiffness', 0) },
    // without memory particles have the velocity of the grid, in which layers stick to each other
    { title: 'layers stick (APIC)', overrides: replaceInParts(scene, ELEMENTS, 'memory', 0) },
    { title: 'deformation by the grid only', overrides: replaceInObjects(hasElements, 'deformation', 'grid') },
    { title: 'half the gravity', overrides: [{ path: '/gravity', value: [0, -4.905, 0] }] },
    { title: 'half the time step', overrides: step > 0 ? [{ path: '/time/step', value: step / 2 }] : [] },
  ];
  return suggestions.filter(({ overrides }) => overrides.length > 0);
}
