/** Fabrics in scenes: what is refused and how, where yarns lie, which nodes a region names, stiffnesses that nobody gave. */
import { readdirSync, readFileSync } from 'node:fs';
import { compile, SceneError, type SceneFabric, validateScene } from 'heddle';
import { type Fabric, ROLE_BETWEEN, ROLE_CROSSING, ROLE_POINT, ROLE_STITCH } from 'heddle/fabric';
import { setPath } from 'heddle/scene';
import { describe, expect, test } from 'vitest';
import { type FabricPlan, listFabricNodes, planFabric } from '../../src/scene/compile-fabric.ts';

type Json = Record<string, unknown>;

const YARN = { radius: 1e-4, density: 955, youngsModulus: 2e9, bendingStiffness: 4e-9, friction: 0.3 };
const PLAIN = { type: 'plain', warps: 6, wefts: 4, spacing: [5e-4, 7e-4] };

const makeLayer = (rest: Json = {}): Json => ({ pattern: PLAIN, material: 'yarn', ...rest });

const makeScene = (fabric: Json = {}, rest: Json = {}): Json => ({
  heddle: 1,
  name: 'fabric',
  title: 'Fabric',
  materials: { yarn: YARN, cloth: { thickness: 1e-3, arealDensity: 0.2, tensileStiffness: 500 } },
  objects: [{ type: 'fabric', id: 'cloth', layers: [makeLayer()], ...fabric }],
  time: { step: 1e-3, duration: 1 },
  ...rest,
});

const refuse = (): Uint8Array<ArrayBuffer> => {
  throw new Error('no file is to be read');
};

function plan(fabric: Json = {}, readFile = refuse): FabricPlan {
  const scene = validateScene(makeScene(fabric));
  return planFabric(scene.objects[0] as SceneFabric, scene, readFile);
}

function findFaults(scene: Json): string[] {
  try {
    validateScene(scene);
    return [];
  } catch (error) {
    if (!(error instanceof SceneError)) throw error;
    return error.faults.map(({ path, message }) => `${path} ${message}`);
  }
}

const faultsOf = (layer: Json): string[] => findFaults(makeScene({ layers: [makeLayer(layer)] }));
const patternFaults = (pattern: Json): string[] => faultsOf({ pattern });

describe('where yarns lie', () => {
  test('a layer is as wide as its yarns times their spacing, its middle at its position, and has all crossings and ends', () => {
    const { options, layers } = plan({ position: [1, 2, 3] });
    const { net } = options;
    expect(net.role.filter((role) => role === ROLE_CROSSING).length).toBe(24);
    expect(net.role.filter((role) => role === ROLE_POINT).length).toBe(20);
    expect(layers[0].size[0]).toBeCloseTo(6 * 5e-4, 15);
    expect(layers[0].size[1]).toBeCloseTo(4 * 7e-4, 15);
    for (const [k, middle] of [1, 2, 3].entries()) {
      const values = Array.from(net.role.keys(), (i) => net.x[3 * i + k]);
      expect((Math.min(...values) + Math.max(...values)) / 2).toBeCloseTo(middle, 12);
    }
  });

  test('spacing, yarns per centimetre and yarns per inch say the same; a size says how many yarns', () => {
    const byCount = plan().options.net;
    const { spacing: _, ...rest } = PLAIN;
    for (const pattern of [
      { ...rest, yarnsPerCentimetre: [20, 100 / 7] },
      { ...rest, yarnsPerInch: [50.8, 2.54e-2 / 7e-4] },
      { type: 'plain', width: 3e-3, height: 2.8e-3, spacing: [5e-4, 7e-4] },
    ]) {
      const { net } = plan({ layers: [makeLayer({ pattern })] }).options;
      expect(net.x.length).toBe(byCount.x.length);
      for (let k = 0; k < net.x.length; k++) expect(net.x[k]).toBeCloseTo(byCount.x[k], 14);
    }
  });

  test('a fabric is turned as a whole, a layer about its own middle', () => {
    const turned = plan({
      position: [1, 0, 0],
      rotation: { axis: [0, 0, 1], angle: 90 },
      layers: [makeLayer(), makeLayer({ position: [0.1, 0, 0], rotation: { axis: [0, 1, 0], angle: 90 } })],
    });
    const { net } = turned.options;
    const [, upper] = turned.layers;
    expect([...net.yarnLayer]).toEqual([...Array(10).fill(0), ...Array(10).fill(1)]);
    // lower: x → y; upper: its x is −z first, so it stays; its middle 0.1 along x comes to y
    for (let i = 0; i < 24; i++) {
      const [X, Y] = [turned.layers[0].place[2 * i] - 1.5e-3, turned.layers[0].place[2 * i + 1] - 1.4e-3];
      expect(net.x[3 * i]).toBeCloseTo(1, 14);
      expect(net.x[3 * i + 1]).toBeCloseTo(X, 14);
      expect(net.x[3 * i + 2]).toBeCloseTo(-Y, 14);
      const j = upper.firstNode + i;
      expect(net.x[3 * j]).toBeCloseTo(1, 14);
      expect(net.x[3 * j + 1]).toBeCloseTo(0.1 - Y, 14);
      expect(net.x[3 * j + 2]).toBeCloseTo(-X, 14);
    }
  });

  test('warps and wefts may differ, and a material that several layers share is there once', () => {
    const { options } = plan({
      layers: [makeLayer({ secondMaterial: { ...YARN, radius: 1.2e-4, friction: 0.5 } }), makeLayer()],
    });
    expect(options.materials.map(({ radius }) => radius)).toEqual([1e-4, 1.2e-4]);
    expect([...options.net.yarnMaterial.subarray(0, 10)]).toEqual([...Array(6).fill(0), ...Array(4).fill(1)]);
    expect([...options.friction]).toEqual([0.4, Math.sqrt(0.4 * 0.3), Math.sqrt(0.4 * 0.3), 0.3]);
    expect(plan({ friction: 0, layers: [makeLayer({ friction: 0.7 }), makeLayer()] }).options.friction).toEqual(
      Float64Array.of(0.7, 0, 0, 0.3),
    );
  });

  test('a draft from a file brings its weave, its yarns and their spacing', () => {
    const text =
      '[WIF]\nVersion=1.1\n[CONTENTS]\n[WEAVING]\nShafts=2\nTreadles=2\n[WARP]\nThreads=4\nUnits=Centimeters\nSpacing=0.05\n[WEFT]\nThreads=2\nUnits=Centimeters\nSpacing=0.06\n' +
      '[THREADING]\n1=1\n2=2\n3=1\n4=2\n[TIEUP]\n1=1\n2=2\n[TREADLING]\n1=1\n2=2\n';
    const { layers, options } = plan({ layers: [makeLayer({ pattern: { type: 'wif', file: 'a.wif' } })] }, () =>
      new TextEncoder().encode(text),
    );
    expect([layers[0].warps, layers[0].wefts]).toEqual([4, 2]);
    expect(layers[0].size[0]).toBeCloseTo(4 * 5e-4, 15);
    expect(layers[0].size[1]).toBeCloseTo(2 * 6e-4, 15);
    expect([...options.net.over.subarray(0, 8)]).toEqual([1, -1, 1, -1, -1, 1, -1, 1]);
  });
});

describe('knits', () => {
  const KNIT = { type: 'stockinette', courses: 6, wales: 8, spacing: [1.2e-3, 0.9e-3] };
  const knit = (pattern: Json, layer: Json = {}) =>
    plan({ layers: [makeLayer({ pattern: { ...KNIT, ...pattern }, ...layer })] });

  test('start at rest with straight lengths; tightness scales the yarn', () => {
    const { options, layers } = knit({});
    const { net } = options;
    const tight = knit({ tightness: 0.8 }).options.net;
    // four crossings a stitch but in the first course, and what casts on and binds off; those of the two outermost wales are bound
    const count = (role: number, { role: roles }: typeof net) => roles.filter((one) => one === role).length;
    const bound = 2 * (4 * 5 + 4);
    expect(count(ROLE_STITCH, net)).toBe(bound);
    expect(count(ROLE_CROSSING, net)).toBe((4 * 5 + 4) * 8 - bound);
    expect(count(ROLE_STITCH, knit({ edges: 'free' }).options.net)).toBe(0);
    for (const [yarn, length] of net.yarnLength.entries()) expect(tight.yarnLength[yarn] / length).toBeCloseTo(0.8, 12);
    // about as large as its stitches
    expect(layers[0].size[0] / (8 * 1.2e-3)).toBeGreaterThan(0.9);
    expect(layers[0].size[0] / (9.5 * 1.2e-3)).toBeLessThan(1);
    const order = [...net.yarn.keys()].filter((side) => net.yarn[side] === 2).sort((a, b) => net.u[a] - net.u[b]);
    for (let k = 1; k < order.length; k++) {
      const [a, b] = [order[k - 1] >> 1, order[k] >> 1];
      const distance = Math.hypot(...[0, 1, 2].map((n) => net.x[3 * b + n] - net.x[3 * a + n]));
      expect((net.u[order[k]] - net.u[order[k - 1]]) / distance).toBeCloseTo(1, 9);
    }
    const left = listFabricNodes({ side: 'left' }, knit({}));
    expect(left.length).toBeGreaterThan(12);
    expect(left.length).toBeLessThan(net.role.length / 4);
  });

  test('words are knitted in two yarns, each of its material', () => {
    const { options } = knit(
      { type: 'jacquard', letters: 'H', courses: undefined, wales: undefined },
      { secondMaterial: { ...YARN, friction: 0.5 } },
    );
    expect(new Set(options.net.yarnGroup)).toEqual(new Set([0, 1]));
    for (const [yarn, group] of options.net.yarnGroup.entries()) expect(options.net.yarnMaterial[yarn]).toBe(group);
  });

  test('what cannot be knitted is refused', () => {
    const faults = (pattern: Json) => patternFaults({ ...KNIT, ...pattern });
    expect(faults({ type: 'jacquard' })).toEqual([
      'objects[0].layers[0].pattern.picture is missing, and so are letters; give one of the two.',
    ]);
    expect(faults({ type: 'honeycomb', cellWidth: 2 })[0]).toMatch(
      'pattern is not a valid knit: width is 2; give an odd number',
    );
    expect(faults({ type: 'chart', rows: ['kk', 'k'] })[0]).toMatch(
      'pattern is not a valid knit: chart[1] has 1 wales',
    );
    expect(faults({ type: 'chart', rows: ['kx'] })[0]).toMatch('pattern.rows[0] is the text "kx"');
    expect(faults({ spacing: 1e-3 })[0]).toMatch('it must be two distances [wale, course] in m');
  });
});

describe('stiffnesses that nobody gave', () => {
  const L = Math.sqrt(5e-4 * 7e-4);
  const EA = 2e9 * Math.PI * 1e-8;

  test('come from the yarn and the spacing', () => {
    const [layer] = plan().options.layers;
    expect(layer.spacing).toBeCloseTo(L, 15);
    // a quarter of a stiffly joined grid: 3 EI φ²/L = ½ (4 k) L φ²
    expect(layer.shearStiffness / ((6 * 4e-9) / L ** 2 / 4)).toBeCloseTo(1, 12);
    expect(layer.wrappingStiffness / ((2 * 4e-9) / L ** 2)).toBeCloseTo(1, 12);
    expect(layer.parallelStiffness / (2e9 / 100)).toBeCloseTo(1, 12);
    expect(layer.frictionStiffness / (EA / L)).toBeCloseTo(1, 12);
    expect(layer.preload / ((2.4 * 4e-9 * 2e-4) / L ** 3)).toBeCloseTo(1, 12);
  });

  test('where yarns float they press less: a 3/1 twill changes sides half as often as a plain weave', () => {
    const twill = { ...PLAIN, type: 'twill', over: 3, under: 1 };
    const [layer] = plan({ layers: [makeLayer({ pattern: twill })] }).options.layers;
    expect(layer.preload / plan().options.layers[0].preload).toBeCloseTo(0.5, 12);
  });

  test('what is given wins', () => {
    const given = { shearStiffness: 1, wrappingStiffness: 2, parallelStiffness: 3, frictionStiffness: 4, preload: 0 };
    expect(plan({ layers: [makeLayer({ id: 'a', ...given })] }).options.layers[0]).toMatchObject({
      name: 'a',
      ...given,
    });
  });
});

describe('regions of a fabric', () => {
  const two = () => plan({ layers: [makeLayer({ id: 'lower' }), makeLayer()] });

  test('a corner is its crossing and the two ends beside it; a side its outermost yarn and the ends of the others', () => {
    const fabric = plan();
    const { role, yarn } = fabric.options.net;
    const corner = listFabricNodes({ corner: 'right-bottom' }, fabric);
    expect(corner.map((i) => role[i])).toEqual([ROLE_CROSSING, ROLE_POINT, ROLE_POINT]);
    expect([yarn[2 * corner[0]], yarn[2 * corner[0] + 1]]).toEqual([5, 6]);
    const side = listFabricNodes({ side: 'left' }, fabric);
    expect(side.filter((i) => role[i] === ROLE_CROSSING)).toEqual([0, 6, 12, 18]);
    expect(side.filter((i) => role[i] === ROLE_POINT).map((i) => yarn[2 * i])).toEqual([0, 0, 6, 7, 8, 9]);
  });

  test('a point is the nearest crossing, a box and yarns are all nodes in and on them', () => {
    const fabric = plan();
    expect(listFabricNodes({ at: [1.2e-3, 0] }, fabric)).toEqual([2]);
    expect(listFabricNodes({ box: [[4e-4, 3e-4], [0, 2e-3]] }, fabric).filter((i) => i < 24)).toEqual([0, 6, 12]); // biome-ignore format: pairs
    expect(listFabricNodes({ warps: [5, 99] }, fabric)).toEqual([5, 11, 17, 23, 34, 35]);
    expect(listFabricNodes({ wefts: [3, 3] }, fabric)).toEqual([18, 19, 20, 21, 22, 23, 42, 43]);
    expect(listFabricNodes({ worldBox: [[-1, -1, -1], [1, 1, -1e-3]] }, fabric).filter((i) => i < 24)).toEqual([18, 19, 20, 21, 22, 23]); // biome-ignore format: pairs
    expect(() => listFabricNodes({ box: [[9, 9], [10, 10]] }, fabric)).toThrow('no node of fabric "cloth" is in that region'); // biome-ignore format: pairs
  });

  test('without a layer a region is that of all, with one only of it', () => {
    const fabric = two();
    expect(listFabricNodes({ at: [0, 0] }, fabric)).toEqual([0, 44]);
    expect(listFabricNodes({ at: [0, 0], layer: 1 }, fabric)).toEqual([44]);
    expect(listFabricNodes({ at: [0, 0], layer: 'lower' }, fabric)).toEqual([0]);
  });
});

describe('what is refused', () => {
  test('counts, sizes and spacings that are missing or given twice', () => {
    expect(patternFaults({ type: 'plain', wefts: 3, height: 1 })).toEqual([
      'objects[0].layers[0].pattern.warps is missing, and so is width; give one of the two.',
      'objects[0].layers[0].pattern.height is given together with wefts; remove one of the two.',
      'objects[0].layers[0].pattern.spacing is missing; give one of "spacing", "yarnsPerCentimetre" or "yarnsPerInch".',
    ]);
    expect(patternFaults({ ...PLAIN, yarnsPerInch: 20 })).toEqual([
      'objects[0].layers[0].pattern.yarnsPerInch is given together with spacing; remove one of the two.',
    ]);
  });

  test('what is no weave', () => {
    expect(patternFaults({ ...PLAIN, type: 'twill', over: 2, under: 2, shift: 4 })[0]).toMatch(
      /^objects\[0\]\.layers\[0\]\.pattern is not a valid weave: shift is 4, which leaves picks/,
    );
    expect(patternFaults({ ...PLAIN, type: 'satin', ends: 6 })[0]).toMatch('no counter makes a satin of 6 ends');
    expect(patternFaults({ ...PLAIN, type: 'draft', rows: ['XX', '.X'] })[0]).toMatch('never changes sides');
    expect(patternFaults({ ...PLAIN, type: 'knot' })[0]).toMatch(/pattern is "?knot|must be "plain", "basket"/);
  });

  test('materials that are none, or none of yarns', () => {
    expect(faultsOf({ material: 'yran' })).toEqual([
      'objects[0].layers[0].material is "yran", which is neither a material of this scene nor a built-in material. Did you mean "yarn"?',
    ]);
    expect(faultsOf({ secondMaterial: 'cloth' })).toEqual([
      'objects[0].layers[0].secondMaterial is "cloth", which has no radius; a yarn needs a material with one.',
    ]);
    expect(faultsOf({ material: { density: 900, youngsModulus: 1e9 } })).toEqual([
      'objects[0].layers[0].material.radius is missing; a yarn needs it.',
    ]);
    expect(faultsOf({ material: { density: 900, youngsModulus: 1e9, yarnCount: { unit: 'tex', value: 30 } } })).toEqual(
      [],
    );
  });

  test('layers and seams that do not fit', () => {
    const line = [[0, 0], [1e-3, 0]]; // biome-ignore format: pairs
    const seams = [
      { layers: [0, 2], line },
      { layers: ['a', 0], line },
      { layers: [0, 'b'], line: [[0, 0], [0, 0]] }, // biome-ignore format: pairs
    ];
    expect(findFaults(makeScene({ layers: [makeLayer({ id: 'a' }), makeLayer({ id: 'a' })], seams }))).toEqual([
      'objects[0].layers[1].id is "a", already the id of another layer; use another id.',
      'objects[0].seams[0].layers[1] is 2, which is not a layer of the fabric; it has 2, from 0 to 1. Names: a, a.',
      'objects[0].seams[1].layers has the same layer twice; a seam joins two layers.',
      'objects[0].seams[2].line has the same point twice; give two different ones.',
      'objects[0].seams[2].layers[1] is "b", which is not a layer of the fabric; it has 2, from 0 to 1. Names: a, a.',
    ]);
  });

  test('places that a fabric has not', () => {
    const drivers = [
      { type: 'pin', on: { object: 'cloth' } },
      { type: 'pin', on: { object: 'cloth', at: 'start' } },
      { type: 'pin', on: { object: 'cloth', side: 'left', warps: [0, 1] } },
      { type: 'pin', on: { object: 'cloth', wefts: [3, 1] } },
      { type: 'pin', on: { object: 'cloth', side: 'left', layer: 1 } },
      { type: 'clamp', on: { object: 'cloth', at: 'start' } },
      { type: 'wind', velocity: [1, 0, 0] },
    ];
    expect(findFaults(makeScene({}, { drivers }))).toEqual([
      'drivers[0].on.at is missing; on a fabric give one of "at", "corner", "side", "box", "worldBox", "warps" or "wefts".',
      'drivers[1].on.at is "start", a location on a strand; on a fabric give [X, Y] in m.',
      'drivers[2].on.warps is given together with side; remove one of the two.',
      'drivers[3].on.wefts is [3, 1]; the first yarn must not be after the last.',
      'drivers[4].on.layer is 1, which is not a layer of the fabric; it has 1, from 0 to 0.',
      'drivers[5].on.at is "start", a location on a strand; on a fabric give [X, Y] in m.',
      'drivers[5].on.object is "cloth", a fabric; it must be a rod.',
      'drivers[6].type is "wind", which does not act on fabrics yet, and the scene has one; remove the wind.',
    ]);
  });
});

describe('sizes of a scene', () => {
  const folder = new URL('../../scenes/', import.meta.url);
  const sized = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const text = readFileSync(new URL(name, folder), 'utf8');
      return Object.keys(JSON.parse(text).sizes ?? {}).map((size) => ({ name, size, text }));
    });

  test.each(sized)('$name is valid in size $size', ({ size, text }) => {
    const raw = JSON.parse(text);
    setPath(raw, `size=${size}`);
    expect(findFaults(raw)).toEqual([]);
  });

  test('paths that lead nowhere are faults, each with its line', () => {
    const sizes = { paper: { 'objects[0].layers[0].pattern.warps': 100, 'objects[1].id': 1, 'a b': 2 } };
    expect(findFaults(makeScene({}, { sizes }))).toEqual([
      'sizes.paper["objects[1].id"] is not a path of the scene: objects[1] cannot be set: objects is an array and its indices are 0 to 0.',
      'sizes.paper["a b"] is not a path of the scene: it has no path "a b" (character 2); write keys with dots and indices in brackets, such as objects[0].nodes.',
    ]);
  });
});

describe('fabrics that run', () => {
  const run = (fabric: Json, rest: Json, steps: number) => {
    const world = compile(validateScene(makeScene(fabric, rest)));
    for (let k = 0; k < steps; k++) world.step();
    const values = new Float64Array(world.probeColumns.length);
    world.writeProbes(values);
    return { world, value: (column: string) => values[world.probeColumns.indexOf(column)] };
  };
  /** Yarns of the upper layer cross those of the lower just before their crossings. */
  const SHIFTED = [makeLayer(), makeLayer({ position: [-2e-5, 0, 2e-5] })];
  // 6 warps of 4 · 0.7 mm and 4 wefts of 6 · 0.5 mm
  const MASS = 955 * Math.PI * 1e-8 * (6 * 2.8e-3 + 4 * 3e-3);

  test('what holds a fabric at rest carries its weight; its corners stay where they are', () => {
    const probes = [
      { id: 'force', type: 'constraintForce', on: { object: 'cloth', side: 'top' } },
      { id: 'top', type: 'position', on: { object: 'cloth', side: 'top' } },
      { id: 'bottom', type: 'velocity', on: { object: 'cloth', side: 'bottom' } },
      { id: 'load', type: 'load', object: 'cloth' },
      { id: 'tension', type: 'tension', on: { object: 'cloth', side: 'top' } },
    ];
    const drivers = [{ type: 'pin', on: { object: 'cloth', side: 'top' } }];
    const { value } = run(
      { rotation: { axis: [1, 0, 0], angle: 90 }, damping: { mass: 200 } },
      { probes, drivers },
      60,
    );
    expect(value('force.y') / (9.81 * MASS)).toBeCloseTo(1, 3);
    expect(Math.abs(value('force.x')) + Math.abs(value('force.z'))).toBeLessThan(1e-3 * 9.81 * MASS);
    expect(Math.abs(value('bottom.y'))).toBeLessThan(1e-4);
    expect(value('tension')).toBeGreaterThan(0);
  });

  test('a force on a row of crossings is the whole force, and stretches the warps by F/(n EA)', () => {
    const EA = 2e9 * Math.PI * 1e-8;
    const row = (weft: number) => ({
      object: 'cloth',
      box: [
        [2e-4, (weft + 0.4) * 7e-4],
        [2.8e-3, (weft + 0.6) * 7e-4],
      ],
    });
    const probes = [
      { id: 'length', type: 'extension', from: row(0), to: row(3) },
      { id: 'hold', type: 'constraintForce', on: row(0) },
    ];
    const drivers = [
      { type: 'pin', on: row(0) },
      { type: 'force', on: row(3), value: [0, 0, -6] },
    ];
    const { value } = run({ damping: { mass: 3000 } }, { probes, drivers, gravity: [0, 0, 0] }, 60);
    expect(value('hold.z')).toBeCloseTo(6, 4);
    expect(value('length.length')).toBeCloseTo(2.1e-3 * (1 + 6 / (6 * EA)), 7);
    expect(value('length.extension') / (6 / (6 * EA))).toBeCloseTo(1, 3);
  });

  test('nodes are counted as in the paper’s Table 1, and two runs end in the same bits', () => {
    const probes = [
      { id: 'nodes', type: 'fabric', object: 'cloth' },
      { id: 'counts', type: 'counts' },
      { id: 'slip', type: 'slip', object: 'cloth' },
    ];
    const drivers = [
      { type: 'pin', on: { object: 'cloth', corner: 'left-top' } },
      { type: 'pin', on: { object: 'cloth', corner: 'right-top' } },
    ];
    const layers = [makeLayer(), makeLayer()];
    const start = run({ layers }, { probes, drivers }, 0);
    expect(start.value('nodes.between')).toBe(48);
    const one = run({ layers }, { probes, drivers }, 1);
    expect(one.value('nodes.lagrangian')).toBe(40);
    expect(one.value('nodes.within')).toBe(48);
    expect(one.value('nodes.between')).toBe(48);
    expect(one.value('counts.nodes')).toBe(136);
    expect(one.value('nodes.share')).toBeCloseTo(one.value('nodes.eil') / 136, 12);
    expect(one.value('nodes.eil')).toBeGreaterThan(0);
    expect(run({ layers }, { probes, drivers }, 1).world.hash()).toBe(one.world.hash());
  });

  test('what is held in a stack of layers stays: its crossings are nodes of both their yarns, whatever lies in the same place', () => {
    const drivers = ['left-top', 'right-top'].map((corner) => ({ type: 'pin', on: { object: 'cloth', corner } }));
    const { world } = run({ layers: SHIFTED }, { drivers }, 10);
    const { state } = world.models[0] as Fabric;
    // crossings of warps 0 and 5 with weft 3 of the lower layer
    for (const [node, x] of [
      [18, -1.25e-3],
      [23, 1.25e-3],
    ]) {
      expect([state.eil[2 * node], state.eil[2 * node + 1]]).toEqual([0, 0]);
      expect(state.q[5 * node]).toBeCloseTo(x, 12);
      expect(state.q[5 * node + 1]).toBeCloseTo(0, 12);
    }
  });

  test('the floor carries the weight of a fabric that lies on it', () => {
    const { value } = run(
      { position: [0, 2e-4, 0], damping: { mass: 20 } },
      {
        bodies: [{ id: 'floor', shape: { type: 'plane' } }],
        probes: [{ id: 'floor', type: 'contactForce', body: 'floor' }],
        solver: { newtonIterations: 30, tolerance: 1e-7 },
      },
      30,
    );
    expect(value('floor.y') / (-9.81 * MASS)).toBeCloseTo(1, 4);
  });

  test('a seam sews yarns of two layers where it runs in the layer that it names, however that is turned', () => {
    const layers = [makeLayer(), makeLayer({ rotation: { axis: [0, 1, 0], angle: 180 } })];
    const sewn = (line: unknown, first: number) => {
      const fabric = {
        layers,
        position: [1, 0, 0],
        contacts: { atStart: false },
        seams: [{ layers: [first, 1 - first], line }],
      };
      const { state } = run(fabric, {}, 0).world.models[0] as Fabric;
      const nodes = [...state.role.subarray(0, state.count).keys()].filter((i) => state.role[i] === ROLE_STITCH);
      expect(state.role.includes(ROLE_BETWEEN)).toBe(false);
      return nodes.map((i) => [state.q[5 * i] - 1, state.q[5 * i + 2]]);
    };
    const line = [[2.5e-4, 1.05e-3], [2.75e-3, 1.05e-3]]; // biome-ignore format: pairs
    // weft 1 of the lower layer is at z = 0.35 mm; the upper is turned round, so its weft 1 lies at −z
    for (const [first, z] of [
      [0, 0.35e-3],
      [1, -0.35e-3],
    ] as const) {
      const places = sewn(line, first);
      expect(places.length).toBeGreaterThanOrEqual(4);
      for (const place of places) expect(place[1]).toBeCloseTo(z, 9);
      const x = places.map(([value]) => value);
      expect(Math.min(...x)).toBeCloseTo(-1.25e-3, 9);
      expect(Math.max(...x)).toBeCloseTo(1.25e-3, 9);
    }
  });

  test('a run that was saved and loaded goes on with the same bits', () => {
    const scene = validateScene(
      makeScene(
        { layers: SHIFTED },
        { drivers: [{ type: 'pin', on: { object: 'cloth', corner: 'left-top' }, from: 3e-3 }] },
      ),
    );
    const [one, other] = [compile(scene), compile(scene)];
    for (let k = 0; k < 5; k++) one.step();
    other.load(one.save());
    for (let k = 0; k < 5; k++) {
      one.step();
      other.step();
    }
    expect(other.hash()).toBe(one.hash());
  });
});
