import { encodeCsv, encodeCsvRow, encodeProbeJson } from 'heddle/io';
import { expect, test } from 'vitest';

const values = [0, -0, 0.1, 1 / 3, 1e-320, Number.MAX_VALUE, -123456789.12345679, 5e-324, 2 ** 53 + 2];

test('numbers of a CSV read back to the same doubles', () => {
  const cells = encodeCsvRow(values).trimEnd().split(',').map(Number);
  expect(cells).toEqual(values);
  expect(Object.is(cells[1], -0)).toBe(true);
});

test('CSV lines end with CRLF and names are quoted where RFC 4180 asks for it', () => {
  const table = { columns: ['time', 'a,b', 'say "x"', 'two\nlines'], rows: [[0, 1, 2.5, Number.NaN]] };
  expect(encodeCsv(table)).toBe('time,"a,b","say ""x""","two\nlines"\r\n0,1,2.5,NaN\r\n');
  expect(encodeCsv({ columns: ['time'], rows: [] })).toBe('time\r\n');
});

test('probe JSON is {columns, rows} or by column, and reads back exactly', () => {
  const table = { columns: values.map((_, i) => `p${i}`), rows: [Float64Array.from(values), values.map((v) => -v)] };
  const read = JSON.parse(encodeProbeJson(table));
  expect(read).toEqual({ columns: table.columns, rows: [values, values.map((v) => -v)] });
  expect(JSON.parse(encodeProbeJson(table, { byColumn: true })).p3).toEqual([1 / 3, -1 / 3]);
});

test('JSON has null where a value is not finite, and empty tables are valid', () => {
  expect(JSON.parse(encodeProbeJson({ columns: ['a'], rows: [[Number.NaN], [1]] })).rows).toEqual([[null], [1]]);
  expect(JSON.parse(encodeProbeJson({ columns: [], rows: [] }))).toEqual({ columns: [], rows: [] });
  expect(JSON.parse(encodeProbeJson({ columns: [], rows: [] }, { byColumn: true }))).toEqual({});
});

test('a row of the wrong length is refused', () => {
  const table = { columns: ['a', 'b'], rows: [[1, 2], [3]] };
  expect(() => encodeCsv(table)).toThrow(/row 1 has 1 values; the table has 2 columns/);
  expect(() => encodeProbeJson(table)).toThrow(/row 1/);
});
