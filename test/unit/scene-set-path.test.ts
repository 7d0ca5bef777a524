import { SceneError } from 'heddle/model';
import { setPath, setPointer } from 'heddle/scene';
import { describe, expect, test } from 'vitest';

const makeRaw = () => ({ objects: [{ id: 'rope', nodes: 4, points: [[0, 0, 0]] }], time: { step: 0.1 } });

describe('setPath', () => {
  test.each<[string, (scene: ReturnType<typeof JSON.parse>) => unknown, unknown]>([
    ['objects[0].nodes=80', (s) => s.objects[0].nodes, 80],
    ['objects[0].points[0][1]=-1e-3', (s) => s.objects[0].points[0][1], -1e-3],
    ['objects[0].id=other', (s) => s.objects[0].id, 'other'],
    ['objects[0].id="80"', (s) => s.objects[0].id, '80'],
    ['time.adaptive={"smallest":1,"largest":2}', (s) => s.time.adaptive, { smallest: 1, largest: 2 }],
    ['time.note=a=b', (s) => s.time.note, 'a=b'],
    ['objects[1]={"id":"second"}', (s) => s.objects[1].id, 'second'],
    ['gravity=[0,0,0]', (s) => s.gravity, [0, 0, 0]],
  ])('sets the value of %s', (assignment, read, expected) => {
    const scene = makeRaw();
    setPath(scene, assignment);
    expect(read(scene)).toEqual(expected);
  });

  test.each([
    ['objects[0].nods.x=1', 'objects[0].nods cannot be set: there is no such key. Did you mean "nodes"?'],
    ['object[0].nodes=1', 'object cannot be set: there is no such key. Did you mean "objects"?'],
    ['objects[3].nodes=1', 'objects is an array and its indices are 0 to 0'],
    ['objects.nodes=1', 'objects is an array'],
    ['time.step.x=1', 'time.step is 0.1'],
    ['time[0]=1', 'there is no such key'],
    ['objects[0]nodes]=1', 'has no path'],
    ['.time=1', 'has no path'],
    ['nodes', 'write path=value'],
    ['=3', 'write path=value'],
    [' =3', 'has no empty path'],
  ])('%s is an error that says what is there', (assignment, words) => {
    expect(() => setPath(makeRaw(), assignment)).toThrow(SceneError);
    expect(() => setPath(makeRaw(), assignment)).toThrow(words);
  });

  test('size=NAME sets all values of that size; a later --set wins', () => {
    const sizes = { small: {}, paper: { 'objects[0].nodes': 400, 'time.step': 0.01, 'time.duration': 3 } };
    const scene = { ...makeRaw(), sizes };
    setPath(scene, 'size=paper');
    setPath(scene, 'time.step=0.5');
    expect(scene).toEqual({
      objects: [{ id: 'rope', nodes: 400, points: [[0, 0, 0]] }],
      time: { step: 0.5, duration: 3 },
      sizes,
    });
    const same = { ...makeRaw(), sizes };
    setPath(same, 'size=small');
    expect(same).toEqual({ ...makeRaw(), sizes });
    expect(() => setPath(same, 'size=papr')).toThrow('cannot be the text "papr"; the scene has "small" or "paper".');
    expect(() => setPath(makeRaw(), 'size=paper')).toThrow('size cannot be set: the scene has no "sizes".');
  });

  test('does not reach prototypes', () => {
    const scene = makeRaw();
    setPath(scene, '__proto__={"polluted":1}');
    expect(() => setPath(makeRaw(), 'constructor.prototype.polluted=1')).toThrow(SceneError);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(scene)).toBe(Object.prototype);
  });
});

describe('setPointer', () => {
  test('of very many keys is refused before any is made', () => {
    const scene = {};
    expect(() => setPointer(scene, '/a'.repeat(70), 1)).toThrow(
      'the scene has no JSON pointer of 70 keys; at most 64 are read, and a scene needs fewer than 10.',
    );
    expect(scene).toEqual({});
  });

  test.each<[string, unknown, (scene: ReturnType<typeof JSON.parse>) => unknown, unknown]>([
    ['/objects/0/nodes', 80, (s) => s.objects[0].nodes, 80],
    ['/objects/0/points/1', [1, 2, 3], (s) => s.objects[0].points[1], [1, 2, 3]],
    ['/objects/0/id', '80', (s) => s.objects[0].id, '80'],
    ['/solver/newtonIterations', 3, (s) => s.solver, { newtonIterations: 3 }],
    ['/materials/a~1b~0c/radius', 1, (s) => s.materials['a/b~c'], { radius: 1 }],
    ['/time/step', undefined, (s) => Object.keys(s.time), []],
  ])('%s := %j', (pointer, value, read, expected) => {
    const scene = makeRaw();
    setPointer(scene, pointer, value);
    expect(read(scene)).toEqual(expected);
  });

  test.each([
    ['objects/0', 'has no JSON pointer'],
    ['/objects/7/nodes', 'objects is an array and its indices are 0 to 0'],
    ['/objects/nodes', 'objects is an array'],
    ['/time/step/x', 'time.step is 0.1'],
  ])('%s is refused', (pointer, message) => {
    const scene = makeRaw();
    expect(() => setPointer(scene, pointer, 1)).toThrow(message);
    expect(scene).toEqual(makeRaw());
  });

  test('reaches no prototype', () => {
    const scene = makeRaw();
    setPointer(scene, '/__proto__/polluted', true);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
