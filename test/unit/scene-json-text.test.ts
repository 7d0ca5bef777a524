import { hasMoreValues, SceneError } from 'heddle/model';
import { parseScene } from 'heddle/scene';
import { describe, expect, test } from 'vitest';
import { findLines, readJson } from '../../src/scene/json-text.ts';

describe('readJson', () => {
  test('refuses more values than memory is meant for before it makes one of them', () => {
    const text = `[${'{},'.repeat(4_000_000)}{}]`;
    const memory = process.memoryUsage().heapUsed;
    const { value, faults } = readJson(text);
    expect(process.memoryUsage().heapUsed - memory).toBeLessThan(20e6);
    expect(value).toBe(undefined);
    expect(faults).toEqual([
      { path: '', message: 'has more than 4000000 values; put large meshes into files of their own.' },
    ]);
  });

  const countValues = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce((sum: number, inner) => sum + countValues(inner), 1)
      : 1;

  test.each([
    '{}',
    '[ ]',
    '[[],[{}],{"a":[\n]}]',
    '{"a,b": "[1,2,3]", "c": [1, 2, {"d": null}], "": "\\"", "e": "\\\\", "f": "\\\\\\",,,"}',
  ])('counts the values of %s', (text) => {
    const values = countValues(JSON.parse(text));
    const long = text.padEnd(200);
    expect(hasMoreValues(long, values)).toBe(false);
    expect(hasMoreValues(long, values - 1)).toBe(true);
  });

  test.each([
    '{}',
    '[]',
    ' [1, -2.5e-3, 0, 1E5, true, false, null, "a\\u00e9\\n\\"\\\\/\\/", {"a": {"b": []}}] ',
    '"\\ud83d\\ude00 text"',
    '{"": 1, "constructor": 2}',
    '-0',
  ])('reads %s as JSON.parse does', (text) => {
    expect(readJson(text)).toEqual({ value: JSON.parse(text), faults: [] });
  });

  test.each<[string, number, number, string]>([
    ['', 1, 1, 'empty'],
    ['{\n "a": 1,\n}', 3, 1, 'there is a comma before "}"'],
    ['{"a" 1}', 1, 6, '"1" is found instead of ":" after the key "a"'],
    ['[1 2]', 1, 4, '"2" is found instead of ","'],
    ['{a: 1}', 1, 2, 'a key in double quotes'],
    ["{'a': 1}", 1, 2, 'single quote'],
    ['[1,\n NaN]', 2, 2, 'NaN is not a JSON value'],
    ['[01]', 1, 2, '01 is not a number of JSON'],
    ['[1.]', 1, 2, '1. is not a number of JSON'],
    ['[+1]', 1, 2, '"+" is found instead of a value'],
    ['[-]', 1, 2, '"-" is not followed by a number'],
    ['["a\nb"]', 1, 4, 'line break'],
    ['["a', 1, 2, 'has no end'],
    ['["\\x"]', 1, 3, 'no escape of JSON'],
    ['{"a": 1} x', 1, 10, 'follows the end'],
    ['{"a": 1 // one\n}', 1, 9, 'no comments'],
    ['{"a": [', 1, 8, 'the end of the text'],
  ])('says where %j is wrong', (text, line, column, words) => {
    expect(() => JSON.parse(text)).toThrow();
    const { value, faults } = readJson(text);
    expect(value).toBeUndefined();
    expect(faults).toHaveLength(1);
    expect(faults[0].message).toContain(`line ${line}, column ${column}: `);
    expect(faults[0].message).toContain(words);
    expect(faults[0].line).toBe(line);
  });

  test('reports duplicate keys with path and line', () => {
    const { faults } = readJson('{"a": [\n {"b": 1,\n "b": 2}]}');
    expect(faults).toEqual([
      { path: 'a[0].b', message: 'is given twice in the same object; remove one of the two.', line: 3 },
    ]);
  });

  test('depth 64 is read, depth 65 and a megabyte of brackets are refused', () => {
    const nest = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(readJson(nest(64)).faults).toEqual([]);
    expect(readJson(nest(65)).faults[0].message).toContain('deeper than 64');
    expect(readJson('['.repeat(1e6)).faults[0].message).toContain('deeper than 64');
  });

  test('a text above 64 MB is refused before it is read', () => {
    expect(() => parseScene(' '.repeat(64 * 1024 * 1024 + 1))).toThrow(SceneError);
  });
});

test('findLines gives the line of a key, of an element, and of the nearest ancestor of what is missing', () => {
  const text = '{\n "a": {\n  "b": [1,\n   2]\n },\n "c": 3\n}';
  const paths = [['a'], ['a', 'b'], ['a', 'b', 1], ['c'], ['a', 'x', 'y'], ['z'], []];
  expect(findLines(text, paths)).toEqual([2, 3, 4, 6, 2, 1, 1]);
});
