/** The modules beneath the studio's editor: where the cursor stands, what could be written there, and the layout. */
import { readdirSync, readFileSync } from 'node:fs';
import { computeJsonSchema, parseScene } from 'heddle/scene';
import { describe, expect, test } from 'vitest';
import { computeCompletion } from '../../studio/src/panels/completion.ts';
import { listPieces } from '../../studio/src/panels/editor-code.ts';
import { findCursor } from '../../studio/src/panels/json-cursor.ts';
import { formatJson } from '../../studio/src/panels/json-format.ts';
import { findFaultColumns, listTokens } from '../../studio/src/panels/json-tokens.ts';

const schema = computeJsonSchema();
const folder = new URL('../../scenes/', import.meta.url);
const scenes = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }));

/** The text without its `|`, and where that stood. */
function split(marked: string): [string, number] {
  const offset = marked.indexOf('|');
  return [marked.slice(0, offset) + marked.slice(offset + 1), offset];
}
const cursorAt = (marked: string) => findCursor(...split(marked));
const complete = (marked: string) => computeCompletion(schema, ...split(marked));
const labels = (marked: string) => complete(marked).suggestions.map(({ label }) => label);

/** The text after the first suggestion (or the one of that label) was taken. */
function accept(marked: string, label?: string): string {
  const [text] = split(marked);
  const { from, to, suggestions } = complete(marked);
  const chosen = label === undefined ? suggestions[0] : suggestions.find((entry) => entry.label === label)!;
  return text.slice(0, from) + chosen.insert + text.slice(to);
}

describe('the cursor in JSON', () => {
  test.each([
    ['{ | }', 'key', []],
    ['{ "ti| }', 'key', []],
    ['{ "time": { "step": 1, "|" } }', 'key', ['time']],
    ['{ "time": | }', 'value', ['time']],
    ['{ "time": {"integrator": "eu|"} }', 'value', ['time', 'integrator']],
    ['{ "objects": [{}, { "mode": "|', 'value', ['objects', 1, 'mode']],
    ['{ "gravity": [0, |', 'value', ['gravity', 1]],
    ['{ "gravity": [0, -9.8|1', 'value', ['gravity', 1]],
    ['{ "a": 1 | }', 'none', []],
    ['{ "a"| : 1 }', 'none', []],
    ['|', 'value', []],
    ['{ "a": { "b": 1, }, "c": { "|', 'key', ['c']],
    ['{ "a": { "b": [1, 2 }, "|', 'key', []],
    ['{ "a": "x\\"y", "|" }', 'key', []],
  ] as const)('stands at its path in %s', (marked, place, path) => {
    expect(cursorAt(marked)).toMatchObject({ place, path });
  });

  test('the value is read as far as it goes, after the cursor as well', () => {
    expect(cursorAt('{ "objects": [{ | "type": "strand", "id": "rope" }').value).toEqual({
      objects: [{ type: 'strand', id: 'rope' }],
    });
  });

  test.each(scenes)('$name: every offset has a cursor, and the whole text is read as JSON.parse does', ({ text }) => {
    expect(findCursor(text, text.length).value).toEqual(JSON.parse(text));
    for (let offset = 0; offset < Math.min(text.length, 3000); offset += 37) {
      const cursor = findCursor(text, offset);
      expect(cursor.from).toBeLessThanOrEqual(offset);
      expect(cursor.to).toBeGreaterThanOrEqual(offset);
    }
  });
});

describe('completion', () => {
  test('keys of the scene that are not there yet', () => {
    expect(labels('{ "heddle": 1, | }')).toEqual(expect.arrayContaining(['name', 'objects', 'gravity']));
    expect(labels('{ "heddle": 1, | }')).not.toContain('heddle');
    expect(labels('{ "objects": [], "obj|" }')).toEqual([]);
  });

  test('keys of the kind of object it is, wherever its type stands', () => {
    expect(labels('{ "drivers": [{ |, "type": "wind" }] }')).toEqual(
      expect.arrayContaining(['velocity', 'airDensity', 'dragCoefficient']),
    );
    expect(labels('{ "drivers": [{ "type": "wind", | }] }')).not.toContain('on');
    expect(labels('{ "drivers": [{ | }] }')).toContain('type');
    expect(labels('{ "bodies": [{ "shape": { "type": "capsule", "| } }] }')).toEqual(['radius', 'length']);
  });

  test('offers words of a choice, true and false, the default, and names of the scene', () => {
    expect(labels('{ "time": { "integrator": "|" } }')).toEqual(['euler', 'sdirk2']);
    expect(labels('{ "view": { "nodes": | } }')).toEqual(['true', 'false']);
    expect(labels('{ "gravity": | }')[0]).toBe('[0, -9.81, 0]');
    const scene =
      '{ "objects": [{ "type": "strand", "id": "rope" }], "drivers": [{ "type": "pin", "on": { "object": "|" } }] }';
    expect(labels(scene)).toEqual(['rope']);
    expect(labels('{ "materials": { "silk": {} }, "objects": [{ "type": "strand", "material": "|" }] }')).toEqual(
      expect.arrayContaining(['silk', 'hemp-rope-8mm']),
    );
    expect(labels('{ "probes": [{ "type": "|" }] }')).toEqual(
      expect.arrayContaining(['position', 'energy', 'passage']),
    );
  });

  test('what was typed comes first, also from the middle of a word', () => {
    expect(labels('{ "objects": [{ "type": "strand", "sti|" }] }')).toEqual([]);
    expect(labels('{ "materials": { "a": { "stiff|" } } }')).toEqual([
      'stretchStiffness',
      'bendingStiffness',
      'tensileStiffness',
      'shearStiffness',
    ]);
  });

  test('taking a suggestion gives JSON that can be written on', () => {
    expect(accept('{ "heddle": 1, "tit|" }')).toBe('{ "heddle": 1, "title":  }');
    expect(accept('{ "tit|": "a" }')).toBe('{ "title": "a" }');
    expect(accept('{ "time": { "integrator": "s|" } }')).toBe('{ "time": { "integrator": "sdirk2" } }');
    expect(accept('{ "time": { "integrator": "| }, "solver": {} }', 'sdirk2')).toBe(
      '{ "time": { "integrator": "sdirk2" }, "solver": {} }',
    );
    expect(accept('{ | }', 'heddle')).toBe('{ "heddle": 1 }');
    const body = accept('{ "bodies": [{ "id": "a", "shape": | }] }', 'box');
    expect(JSON.parse(body).bodies[0].shape).toEqual({ type: 'box', size: [1, 1, 1] });
  });
});

describe('the layout of JSON', () => {
  test.each(scenes)('$name keeps its meaning, and formatting twice changes nothing', ({ text }) => {
    const formatted = formatJson(text)!;
    expect(JSON.parse(formatted)).toEqual(JSON.parse(text));
    expect(parseScene(formatted)).toEqual(parseScene(text));
    expect(formatJson(formatted)).toBe(formatted);
    for (const line of formatted.split('\n')) if (/[[{]/.test(line)) expect(line.length).toBeLessThanOrEqual(120);
  });

  test('numbers and texts stay letter for letter, keys given twice stay twice', () => {
    expect(formatJson('{"a":1.50e+3,"a":"\\u00e9[,]","b":{},"c":[]}')).toBe(
      '{\n  "a": 1.50e+3,\n  "a": "\\u00e9[,]",\n  "b": {},\n  "c": []\n}\n',
    );
  });

  test('what is not JSON is left alone', () => {
    expect(formatJson('{ "a": }')).toBeUndefined();
  });
});

describe('the colours of JSON', () => {
  const kinds = (line: string) => listTokens(line).map(({ kind, from, to }) => [kind, line.slice(from, to)]);
  const ALL = { first: 0, last: 1, left: 0, right: 1e9 };

  test('tell keys, texts, numbers, literals and marks apart', () => {
    expect(kinds('  "a\\"b" : "c:", "d": [-1.5e-3, true, null],')).toEqual([
      ['key', '"a\\"b"'],
      ['mark', ':'],
      ['string', '"c:"'],
      ['mark', ','],
      ['key', '"d"'],
      ['mark', ':'],
      ['mark', '['],
      ['number', '-1.5e-3'],
      ['mark', ','],
      ['literal', 'true'],
      ['mark', ','],
      ['literal', 'null'],
      ['mark', ']'],
      ['mark', ','],
    ]);
  });

  test('what is no JSON has no colour of JSON, and a text without end goes to the end of its line', () => {
    expect(kinds('01 tru 1e "open')).toEqual([
      ['other', '01'],
      ['other', 'tru'],
      ['other', '1e'],
      ['string', '"open'],
    ]);
  });

  test.each(scenes)('$name: the pieces of a line are the line, whatever is in sight', ({ text }) => {
    for (const line of text.split('\n')) {
      for (const sight of [ALL, { ...ALL, left: 20, right: 40 }]) {
        const pieces = listPieces(line, sight, [{ path: 'objects[0].nodes', message: '' }]);
        expect(pieces.map((piece) => piece.text).join('')).toBe(line);
      }
    }
  });

  test('a line of a million letters makes only as many pieces as are in sight', () => {
    const line = JSON.stringify({ a: Array.from({ length: 200_000 }, (_, i) => i) });
    const pieces = listPieces(line, { ...ALL, left: 5000, right: 5200 }, []);
    expect(pieces.length).toBeLessThan(100);
    expect(pieces.some(({ kind }) => kind === 'number')).toBe(true);
  });

  test('a fault underlines the value of its key, in brackets if need be, the key of a long value, else the line', () => {
    const under = (line: string, path: string) => {
      const { from, to } = findFaultColumns(line, path);
      return line.slice(from, to);
    };
    expect(under('  { "id": "a", "nodes": -1 }', 'objects[0].nodes')).toBe('-1');
    expect(under('  "gravity": [0, 1], "x": 1', 'gravity')).toBe('[0, 1]');
    expect(under('  "points": [[0, 0], [1]], "x": 1', 'objects[0].points[1]')).toBe('[[0, 0], [1]]');
    expect(under('  "objects": [', 'objects')).toBe('[');
    expect(under('  "time":', 'time')).toBe('"time"');
    expect(under('   what is this ', '')).toBe('what is this');
  });
});
