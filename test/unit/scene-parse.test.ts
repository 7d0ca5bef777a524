import { SceneError, type SceneFault } from 'heddle/model';
import { parseScene, type SceneInput, validateScene } from 'heddle/scene';
import { describe, expect, test } from 'vitest';

/** A scene with one of most things, valid. */
function makeScene(): SceneInput {
  return {
    heddle: 1,
    name: 'rope',
    title: 'A rope',
    materials: { cord: { density: 1000, radius: 0.002, youngsModulus: 2e9 } },
    objects: [
      {
        type: 'strand',
        id: 'rope',
        material: 'cord',
        points: [
          [0, 0, 0],
          [1, 0, 0],
        ],
        nodes: 10,
        guides: [{ id: 'corner', point: [0.5, 0, 0], body: 'table' }],
      },
    ],
    bodies: [{ id: 'table', shape: { type: 'box', size: [1, 0.1, 1] } }],
    drivers: [{ type: 'pin', on: { object: 'rope', at: 'start' } }],
    probes: [{ id: 'tip', type: 'position', on: { object: 'rope', at: 'end' } }],
    time: { step: 1e-3, duration: 1 },
    expect: [{ probe: 'tip.y', min: -1 }],
  };
}

function collect(text: string): readonly SceneFault[] {
  try {
    parseScene(text, { source: 'rope.json' });
  } catch (error) {
    if (error instanceof SceneError) return error.faults;
    throw error;
  }
  return [];
}

/** Faults of the valid scene with `change` applied. */
function faultsOf(change: (scene: ReturnType<typeof JSON.parse>) => void): readonly SceneFault[] {
  const scene = JSON.parse(JSON.stringify(makeScene()));
  change(scene);
  return collect(JSON.stringify(scene, null, 2));
}

describe('a valid scene', () => {
  test('is accepted with its defaults filled in', () => {
    const scene = parseScene(JSON.stringify(makeScene()));
    expect(scene.gravity).toEqual([0, -9.81, 0]);
    expect(scene.objects[0].mode).toBe('eol');
    expect(scene.objects[0].damping).toEqual({ mass: 0, stiffness: 0 });
    expect(scene.objects[0].remesh).toEqual({ near: 0.3, far: 0.35 });
    expect(scene.solver).toEqual({ tolerance: 1e-9 });
    expect(scene.output.framesPerSecond).toBe(60);
    expect(scene.time.adaptive).toBe(false);
    expect(scene.bodies[0].motion).toBe('static');
  });

  test('built in TypeScript validates to the same scene as its text', () => {
    expect(validateScene(makeScene())).toEqual(parseScene(JSON.stringify(makeScene())));
  });

  test('validates to itself, so that scene.json of a run is a scene', () => {
    const scene = validateScene(makeScene());
    expect(parseScene(JSON.stringify(scene))).toEqual(scene);
  });
});

describe('a fault', () => {
  test('reads as the style asks: path, found, allowed, hint, file and line', () => {
    const text = JSON.stringify(makeScene(), null, 2).replace('"youngsModulus": 2000000000', '"youngsModulus": -2e9');
    const line = text.slice(0, text.indexOf('-2e9')).split('\n').length;
    let message = '';
    try {
      parseScene(text, { source: 'scenes/rope.json' });
    } catch (error) {
      message = String(error);
    }
    expect(message).toBe(
      `SceneError: materials.cord.youngsModulus is -2e9 Pa; it must be > 0. Did you mean 2e9? (scenes/rope.json:${line})`,
    );
  });

  test('comes with all the others, of the schema and between fields', () => {
    const faults = faultsOf((scene) => {
      scene.objects[0].nodes = 1;
      scene.objects[0].material = 'chord';
      scene.drivers[0].on.object = 'robe';
      scene.time.step = '1e-3';
      scene.gravty = [0, 0, 0];
    });
    expect(faults.map((fault) => fault.path).sort()).toEqual(
      ['drivers[0].on.object', 'gravty', 'objects[0].material', 'objects[0].nodes', 'time.step'].sort(),
    );
    expect(faults.find((fault) => fault.path === 'objects[0].material')?.message).toContain('"cord"');
    expect(faults.find((fault) => fault.path === 'drivers[0].on.object')?.message).toContain('"rope"');
    expect(faults.find((fault) => fault.path === 'gravty')?.message).toContain('"gravity"');
    expect(faults.find((fault) => fault.path === 'time.step')?.message).toContain('0.001, without quotes');
  });

  test.each<[string, string, (scene: ReturnType<typeof JSON.parse>) => void, RegExp]>([
    ['missing key', 'objects[0].points', (s) => delete s.objects[0].points, /is missing; .*array of 2 to/],
    ['wrong type', 'objects', (s) => (s.objects = {}), /is an object; it must be an array/],
    ['null', 'time', (s) => (s.time = null), /is null; it must be an object/],
    ['vector of two', 'gravity', (s) => (s.gravity = [0, 1]), /has 2 entries; .*three numbers/],
    ['unknown type', 'objects[0].type', (s) => (s.objects[0].type = 'strnd'), /Did you mean "strand"/],
    ['unknown shape', 'bodies[0].shape.type', (s) => (s.bodies[0].shape.type = 'cube'), /"plane", "box"/],
    ['fraction above one', 'drivers[0].on.at', (s) => (s.drivers[0].on.at = 1.5), /is 1.5; it must be <= 1/],
    ['unknown place', 'drivers[0].on.at', (s) => (s.drivers[0].on.at = 'middle'), /"start", "end" or a fraction/],
    ['half a node', 'objects[0].nodes', (s) => (s.objects[0].nodes = 2.5), /is 2.5; it must be a whole number/],
    ['too many nodes', 'objects[0].nodes', (s) => (s.objects[0].nodes = 2e6 + 1), /is 2000001; it must be <= 2e6/],
    ['fractions out of order', 'objects[0].nodes[2]', (s) => (s.objects[0].nodes = [0, 0.5, 0.4, 1]), /increase/],
    ['fractions that stop short', 'objects[0].nodes[1]', (s) => (s.objects[0].nodes = [0, 0.9]), /last .* must be 1/],
    ['far point', 'objects[0].points[1][0]', (s) => (s.objects[0].points[1][0] = 2e9), /<= 1e9/],
    [
      'no length',
      'objects[0].points',
      (s) => {
        s.objects[0].points = [
          [1, 1, 1],
          [1, 1, 1],
        ];
      },
      /length > 0/,
    ],
    ['guide off the strand', 'objects[0].guides[0].point', (s) => (s.objects[0].guides[0].point[1] = 0.1), /0.1 m off/],
    ['dangling body', 'objects[0].guides[0].body', (s) => (s.objects[0].guides[0].body = 'tabel'), /"table"/],
    [
      'dangling guide',
      'probes[0].on.guide',
      (s) => (s.probes[0].on = { object: 'rope', guide: 'x' }),
      /Guides: corner/,
    ],
    ['at and guide', 'probes[0].on.guide', (s) => (s.probes[0].on.guide = 'corner'), /together with at/],
    ['duplicate id', 'bodies[0].id', (s) => (s.bodies[0].id = 'rope'), /already the id of objects\[0\]/],
    ['bad id', 'probes[0].id', (s) => (s.probes[0].id = 'a.b'), /letters, digits/],
    ['material without density', 'materials.cord.density', (s) => delete s.materials.cord.density, /linearDensity/],
    ['inline material', 'objects[0].material.radius', (s) => (s.objects[0].material = { radius: -1 }), /is -1 m/],
    ['scripted without keyframes', 'bodies[0].keyframes', (s) => (s.bodies[0].motion = 'scripted'), /is missing/],
    ['static with mass', 'bodies[0].mass', (s) => (s.bodies[0].mass = 1), /motion is "static"/],
    ['dynamic without mass', 'bodies[0].mass', (s) => (s.bodies[0].motion = 'dynamic'), /and so is density/],
    ['tie to nothing', 'drivers[0].body', (s) => (s.drivers[0].type = 'tie'), /and so is "to"/],
    [
      'keyframes back in time',
      'drivers[0].keyframes[1].time',
      (s) => {
        s.drivers[0].type = 'keyframes';
        s.drivers[0].keyframes = [
          { time: 1, position: [0, 0, 0] },
          { time: 1, position: [0, 0, 0] },
        ];
      },
      /times of keyframes must increase/,
    ],
    ['until before from', 'drivers[0].until', (s) => Object.assign(s.drivers[0], { from: 2, until: 1 }), /after from/],
    ['too many steps', 'time.step', (s) => (s.time.step = 1e-10), /gives 1e10 steps/],
    [
      'a smallest step above the step',
      'time.adaptive.smallest',
      (s) => (s.time.adaptive = { smallest: 1 }),
      /at most the step/,
    ],
    ['no step', 'time.step', (s) => (s.time.step = 0), /is 0 s; it must be > 0/],
    ['unknown column', 'expect[0].probe', (s) => (s.expect[0].probe = 'tip.w'), /Did you mean "tip\./],
    ['empty expectation', 'expect[0].min', (s) => delete s.expect[0].min, /give at least one/],
    [
      'way out of the folder',
      'bodies[0].shape.file',
      (s) => (s.bodies[0].shape = { type: 'mesh', file: '../a.obj' }),
      /beside/,
    ],
    ['remesh thresholds', 'objects[0].remesh', (s) => (s.objects[0].remesh = { near: 0.5 }), /greater than near/],
  ])('%s is reported at %s', (_, path, change, message) => {
    const faults = faultsOf(change);
    expect(faults.map((fault) => fault.path)).toContain(path);
    const fault = faults.find((candidate) => candidate.path === path);
    expect(fault?.message).toMatch(message);
    expect(fault?.line).toBeGreaterThan(0);
  });

  test('NaN and Infinity from TypeScript are faults', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const scene = makeScene();
      scene.time.duration = value;
      expect(() => validateScene(scene)).toThrow(`time.duration is ${value} s, not a finite number`);
    }
  });

  test('a scene that contains itself is a fault, not an endless loop', () => {
    const scene = makeScene() as Record<string, unknown>;
    scene.view = { camera: scene, other: scene, third: [scene, scene] };
    expect(() => validateScene(scene)).toThrow('contains itself');
  });

  test('keys that reach prototypes are unknown keys', () => {
    const text = JSON.stringify(makeScene());
    for (const place of ['"materials":{', '"time":{', '"objects":[{']) {
      const faults = collect(text.replace(place, `${place}"__proto__":{"polluted":true},`));
      expect(faults.map((fault) => fault.message)).toContain('is not a known key.');
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('thousands of faults are listed up to a hundred and counted', () => {
    const faults = faultsOf((scene) => {
      scene.objects[0].points = Array.from({ length: 5000 }, () => 'x');
    });
    expect(faults).toHaveLength(101);
    expect(faults[100].message).toMatch(/has \d+ more errors/);
  });
});

describe('velocity at the start', () => {
  const withVelocity = (velocity: unknown) => {
    const scene = makeScene();
    return { ...scene, objects: [{ ...scene.objects[0], velocity }] };
  };

  test('is one for the strand, or one per point', () => {
    validateScene(withVelocity([1, 0, 0]));
    validateScene(
      withVelocity([
        [0, 0, 0],
        [1, 2, 3],
      ]),
    );
  });

  test('another number of velocities than points is a fault that counts both', () => {
    expect(() =>
      validateScene(
        withVelocity([
          [0, 0, 0],
          [1, 2, 3],
          [1, 2, 3],
        ]),
      ),
    ).toThrow('objects[0].velocity has 3 velocities for 2 points');
    expect(() => validateScene(withVelocity([1, 0]))).toThrow(SceneError);
  });
});
