/** The modules beneath the studio's panels: overrides, fields from the schema, numbers, and the share link. */
import { readdirSync, readFileSync } from 'node:fs';
import { computeJsonSchema, parseScene, validateScene } from 'heddle/scene';
import { describe, expect, test } from 'vitest';
import {
  computeNudged,
  computeSlider,
  computeSliderPosition,
  computeSliderValue,
  describeNumberFault,
  readRange,
} from '../../studio/src/panels/numbers.ts';
import {
  computeOverrides,
  computeReset,
  computeWith,
  computeWithOverrides,
  formatPointer,
  parsePointer,
  readAt,
} from '../../studio/src/panels/overrides.ts';
import { computeGroup, type Field } from '../../studio/src/panels/parameter-fields.ts';
import { findSchema } from '../../studio/src/panels/schema-walk.ts';
import { decodeShare, encodeShare, isShare, LARGEST_SHARE, ShareError } from '../../studio/src/panels/share.ts';

const schema = computeJsonSchema();
const folder = new URL('../../scenes/', import.meta.url);
const scenes = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }));

const readScene = (name: string): unknown => JSON.parse(scenes.find((scene) => scene.name === `${name}.json`)!.text);

/** Every field of a scene, at any depth. */
function listFields(scene: unknown, path: readonly (string | number)[] = []): Field[] {
  const group = computeGroup(schema, scene, path, findSchema(schema, scene, path)!);
  return [...group.fields, ...group.branches.flatMap((branch) => listFields(scene, branch.path))];
}

describe('overrides', () => {
  test('a pointer keeps keys with slashes and tildes', () => {
    const path = ['a/b', 'c~d', 0, '~1'];
    expect(formatPointer(path)).toBe('/a~1b/c~0d/0/~01');
    expect(parsePointer(formatPointer(path))).toEqual(path.map(String));
    expect(() => parsePointer('time.step')).toThrow('/time/step');
  });

  test('what changed is copied, what did not is shared, nothing is changed in place', () => {
    const own = readScene('strand-winch') as { objects: unknown[]; bodies: unknown[] };
    const before = JSON.stringify(own);
    const changed = computeWith(own, ['objects', 0, 'nodes'], 40) as typeof own;
    expect(readAt(changed, ['objects', 0, 'nodes'])).toBe(40);
    expect(changed.bodies).toBe(own.bodies);
    expect(JSON.stringify(own)).toBe(before);
  });

  test('the difference of two scenes, put on the first, gives the second', () => {
    const own = readScene('strand-winch');
    let changed = computeWith(own, ['objects', 0, 'damping', 'mass'], 3);
    changed = computeWith(changed, ['gravity'], [0, -1.62, 0]);
    changed = computeWith(changed, ['solver', 'newtonIterations'], 5);
    changed = computeWith(changed, ['output'], undefined);
    changed = computeWith(changed, ['bodies', 1, 'position'], [1, 2, 3]);
    const overrides = computeOverrides(own, changed);
    expect(overrides).toEqual([
      { path: '/objects/0/damping/mass', value: 3 },
      { path: '/bodies/1/position', value: [1, 2, 3] },
      { path: '/output', value: undefined },
      { path: '/gravity', value: [0, -1.62, 0] },
      { path: '/solver', value: { newtonIterations: 5 } },
    ]);
    expect(computeWithOverrides(own, overrides)).toEqual(changed);
    expect(computeOverrides(own, own)).toEqual([]);
  });

  test('resetting a field that was added takes away the object that was added for it', () => {
    const own = { time: { step: 1 } };
    const changed = computeWith(own, ['solver', 'tolerance'], 1e-6);
    expect(computeReset(own, changed, ['solver', 'tolerance'])).toEqual(own);
    const moved = computeWith(own, ['time', 'step'], 2);
    expect(computeReset(own, moved, ['time', 'step'])).toEqual(own);
  });

  test('no path reaches a prototype', () => {
    const result = computeWith({}, ['__proto__', 'polluted'], true) as object;
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(readAt({}, ['constructor'])).toBeUndefined();
  });
});

describe('fields of the parameter panel', () => {
  test.each(scenes)('$name: every number in it has a field with help, and its own value is allowed', ({ text }) => {
    const fields = listFields(JSON.parse(text));
    expect(fields.length).toBeGreaterThan(5);
    for (const field of fields) {
      expect(field.help, field.path.join('.')).not.toBe('');
      if (field.kind !== 'number') continue;
      expect(describeNumberFault(field.value as number, readRange(field.schema)), field.path.join('.')).toBeUndefined();
    }
  });

  test('kinds, units, defaults and choices come from the schema', () => {
    const scene = readScene('strand-winch');
    const at = (...path: (string | number)[]) =>
      listFields(scene).find((field) => formatPointer(field.path) === formatPointer(path))!;
    expect(at('materials', 'rope', 'stretchStiffness')).toMatchObject({ kind: 'number', unit: 'N', isRequired: false });
    expect(at('objects', 0, 'material')).toMatchObject({ kind: 'material', isRequired: true });
    expect(at('bodies', 0, 'shape', 'size')).toMatchObject({ kind: 'vector', unit: 'm' });
    expect(at('bodies', 5, 'motion')).toMatchObject({ kind: 'choice', fallback: 'static' });
    expect(at('time', 'integrator').choices).toEqual(['euler', 'sdirk2']);
    expect(at('drivers', 0, 'body').choices).toContain('sheave');
    expect(at('drivers', 0, 'on', 'at')).toMatchObject({ kind: 'choice', choices: ['start', 'end'] });
    expect(at('drivers', 0, 'on', 'at').alternatives[0]).toMatchObject({ label: 'Fraction of the material length' });
    expect(at('objects', 0, 'spools', 0, 'speed', 1, 'value')).toMatchObject({ unit: 'm/s', value: -0.35 });
    expect(at('probes', 3, 'on', 'at')).toMatchObject({ kind: 'choice' });
    expect(listFields(scene).some((field) => field.path[0] === 'expect' || field.key === 'title')).toBe(false);
  });

  test('what is not there can be added, and additions that need no answer keep the scene valid', () => {
    for (const { name, text } of scenes) {
      const scene = JSON.parse(text);
      for (const path of [[], ['objects', 0], ['bodies', 0], ['drivers', 0], ['probes', 0], ['time'], ['view']]) {
        if (path.length > 0 && readAt(scene, path) === undefined) continue;
        const group = computeGroup(schema, scene, path, findSchema(schema, scene, path) ?? {});
        for (const { path: place, initial } of group.additions) {
          expect(readAt(scene, place)).toBeUndefined();
          if (initial === undefined || place.at(-1) === 'velocity') continue;
          const faults = listFaults(computeWith(scene, place, initial));
          expect(faults, `${name} ${formatPointer(place)}`).toEqual([]);
        }
      }
    }
    const { additions } = computeGroup(schema, readScene('strand-winch'), [], schema);
    expect(additions.map(({ key }) => key)).toEqual(expect.arrayContaining(['gravity', 'crossings', 'solver']));
  });

  function listFaults(scene: unknown): string[] {
    try {
      validateScene(scene);
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  }
});

describe('numbers', () => {
  const positive = readRange({ type: 'number', exclusiveMinimum: 0, maximum: 1e15 });
  const whole = readRange({ type: 'integer', minimum: 2, maximum: 2e6 });
  const share = readRange({ type: 'number', minimum: 0, maximum: 1 });

  test('steps are a tenth of the leading place', () => {
    expect(computeNudged(2e9, 1, positive)).toBe(2.1e9);
    expect(computeNudged(0.004, -1, positive)).toBe(0.0039);
    expect(computeNudged(31, 1, whole)).toBe(32);
    expect(computeNudged(0, 1, readRange({ type: 'number' }), 9.81)).toBe(0.1);
  });

  test('a step never leaves the range', () => {
    expect(computeNudged(2, -1, whole)).toBe(2);
    expect(computeNudged(0.97, 10, share)).toBe(1);
    let value = 1;
    for (let i = 0; i < 200; i++) value = computeNudged(value, -1, positive);
    expect(value).toBeGreaterThan(0);
  });

  test('a slider is linear over a short range and logarithmic about other values; its ends are allowed', () => {
    expect(computeSlider(0.3, share)).toEqual({ low: 0, high: 1, isLogarithmic: false });
    expect(computeSlider(50, positive)).toEqual({ low: 5, high: 500, isLogarithmic: true });
    const opening = readRange({ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 180 });
    for (const [own, range] of [
      [0.3, share],
      [50, positive],
      [31, whole],
      [35, opening],
    ] as const) {
      const slider = computeSlider(own, range)!;
      for (const position of [0, 0.25, 0.5, 1]) {
        const value = computeSliderValue(position, slider, range);
        expect(describeNumberFault(value, range), `${value}`).toBeUndefined();
        expect(computeSliderPosition(value, slider)).toBeCloseTo(position, 1);
      }
    }
  });

  test('a fault says what is allowed', () => {
    expect(describeNumberFault(-1, positive)).toBe('must be > 0');
    expect(describeNumberFault(1.5, share)).toBe('must be ≤ 1');
    expect(describeNumberFault(2.5, whole)).toBe('must be a whole number');
    expect(describeNumberFault(Number.NaN, share)).toBe('must be a number');
  });
});

describe('the share link', () => {
  test.each(scenes)('$name comes back letter for letter', async ({ text }) => {
    const hash = await encodeShare(text);
    expect(hash).toMatch(/^s1\.[\w-]+$/);
    expect(hash.length).toBeLessThan(0.75 * text.length);
    expect(await decodeShare(`#${hash}`)).toEqual({ text, files: {} });
    expect(parseScene((await decodeShare(hash)).text)).toEqual(parseScene(text));
  });

  test('texts of all planes of Unicode come back', async () => {
    const text = JSON.stringify({ title: 'Größe π ∮ 织机 🧵 \u0000' });
    expect((await decodeShare(await encodeShare(text))).text).toBe(text);
  });

  test('files come back byte for byte, each in a buffer of its own', async () => {
    const files = {
      'a.obj': new TextEncoder().encode('v 1 2 3\n'),
      'b.glb': Uint8Array.from({ length: 999 }, (_, n) => n),
    };
    const hash = await encodeShare('{"title":"π"}', files);
    expect(hash).toMatch(/^s2\.[\w-]+$/);
    const shared = await decodeShare(hash);
    expect(shared).toEqual({ text: '{"title":"π"}', files });
    expect(Object.values(shared.files).map(({ buffer }) => buffer.byteLength)).toEqual([8, 999]);
  });

  test('what is too big for a link is named, with what to do instead', async () => {
    const files = { 'big.obj': new Uint8Array(LARGEST_SHARE), 'small.obj': new Uint8Array(1024) };
    const sentence =
      'The scene has 2 bytes, big.obj 2.0 MB, small.obj 1.0 kB; a link can contain at most 2 MB. ' +
      'Send the scene file and these files; drop them together to open them.';
    await expect(encodeShare('{}', files)).rejects.toThrow(sentence);
    // bytes that do not get smaller
    const noise = new Uint8Array(1_600_000);
    let state = 1;
    for (let n = 0; n < noise.length; n++) noise[n] = (state = (state * 48271) % 2147483647) >> 8;
    await expect(encodeShare('{}', { 'noise.glb': noise })).rejects.toThrow(/characters, more than browsers accept\./);
  });

  test('a head that promises other sizes than there are is refused', async () => {
    const heads = ['{}', 'null', '7', '{"text":2}', '{"text":2,"files":[["a",1]]}', '{"text":-1,"files":[["a",3]]}'];
    for (const head of [...heads, '{"text":2,"files":[[7,0]]}', '{"text":1e9,"files":[]}', 'x'.repeat(20_000)]) {
      const hash = (await pack(text(`${head}\n{}`))).replace('s1.', 's2.');
      await expect(decodeShare(hash), head).rejects.toThrow('damaged');
    }
    const good = (await pack(text('{"text":2,"files":[["a",0]]}\n{}'))).replace('s1.', 's2.');
    expect(await decodeShare(good)).toEqual({ text: '{}', files: { a: new Uint8Array() } });
  });

  const pack = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
    const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
    const packed = Buffer.from(await new Response(stream).arrayBuffer());
    return `s1.${packed.toString('base64url')}`;
  };
  const text = (words: string) => new TextEncoder().encode(words);

  test('what is not a JSON object is refused both ways', async () => {
    for (const words of ['', '<script>alert(1)</script>', '[1]', '1', 'null', '{"a":1']) {
      await expect(encodeShare(words), words).rejects.toThrow(ShareError);
      await expect(decodeShare(await pack(text(words))), words).rejects.toThrow(ShareError);
    }
    await expect(decodeShare(await pack(new Uint8Array([0x7b, 0xff, 0x7d])))).rejects.toThrow('not text');
  });

  test('a small link that inflates to more than 2 MB is refused before it is read whole', async () => {
    const bomb = await pack(text(JSON.stringify({ a: ' '.repeat(64 * 1024 * 1024) })));
    expect(bomb.length).toBeLessThan(LARGEST_SHARE);
    await expect(decodeShare(bomb)).rejects.toThrow('more than 2 MB');
    await expect(encodeShare(JSON.stringify({ a: ' '.repeat(LARGEST_SHARE) }))).rejects.toThrow('at most 2 MB');
  });

  test('a damaged, foreign or newer link says so', async () => {
    const whole = await encodeShare(scenes[0].text);
    await expect(decodeShare(whole.slice(0, -40))).rejects.toThrow('damaged');
    await expect(decodeShare(`${whole}=`)).rejects.toThrow('damaged');
    await expect(decodeShare('s1.')).rejects.toThrow('damaged');
    await expect(decodeShare(`s3${whole.slice(2)}`)).rejects.toThrow('newer');
    await expect(decodeShare(`s2${whole.slice(2)}`)).rejects.toThrow('damaged');
    await expect(decodeShare('#scene=a')).rejects.toThrow('no scene');
    expect([isShare('#s1.abc'), isShare('s9.x'), isShare('#scene'), isShare('')]).toEqual([true, true, false, false]);
  });
});
