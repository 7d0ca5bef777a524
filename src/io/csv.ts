/**
 * Probe tables as CSV (RFC 4180: CRLF, quotes where needed) and as JSON.
 * Numbers are written with the fewest digits that read back to the same double. CSV spells non-finite values NaN,
 * Infinity and -Infinity; JSON has no such numbers and gets null.
 */

/** Rows of numbers under named columns: what the probes of a run recorded. */
export interface ProbeTable {
  readonly columns: readonly string[];
  /** Unit of each column, '1' for pure numbers; left out where they are not known. */
  readonly units?: readonly string[] | undefined;
  readonly rows: readonly ArrayLike<number>[];
}

/** The header line, with its line end. */
export function encodeCsvHeader(columns: readonly string[]): string {
  return `${columns.map(quoteCell).join(',')}\r\n`;
}

/** One line of values, with its line end. */
export function encodeCsvRow(values: ArrayLike<number>): string {
  let line = '';
  for (let i = 0; i < values.length; i++) line += (i === 0 ? '' : ',') + formatNumber(values[i]);
  return `${line}\r\n`;
}

/** The whole table as CSV text. */
export function encodeCsv(table: ProbeTable): string {
  checkRows(table);
  return encodeCsvHeader(table.columns) + table.rows.map((row) => encodeCsvRow(row)).join('');
}

/** `{"columns": [names], "units": [where known], "rows": [[values], …]}`, or with `byColumn` `{"name": [values], …}`. */
export function encodeProbeJson(table: ProbeTable, options: { readonly byColumn?: boolean } = {}): string {
  checkRows(table);
  if (options.byColumn) {
    const members = table.columns.map((name, c) => {
      const values = table.rows.map((row) => formatJsonNumber(row[c]));
      return `  ${JSON.stringify(name)}: [${values.join(', ')}]`;
    });
    return members.length === 0 ? '{}\n' : `{\n${members.join(',\n')}\n}\n`;
  }
  const rows = table.rows.map((row) => `    [${Array.from(row, formatJsonNumber).join(', ')}]`);
  const list = rows.length === 0 ? '[]' : `[\n${rows.join(',\n')}\n  ]`;
  const units = table.units === undefined ? '' : `  "units": ${JSON.stringify(table.units)},\n`;
  return `{\n  "columns": ${JSON.stringify(table.columns)},\n${units}  "rows": ${list}\n}\n`;
}

/** Shortest text that reads back to the same double; unlike `String` it keeps the sign of −0. */
function formatNumber(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

function formatJsonNumber(value: number): string {
  return Number.isFinite(value) ? formatNumber(value) : 'null';
}

function quoteCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function checkRows(table: ProbeTable): void {
  const row = table.rows.findIndex((values) => values.length !== table.columns.length);
  if (row >= 0) {
    throw new RangeError(
      `Probe row ${row} has ${table.rows[row].length} values; the table has ${table.columns.length} columns.`,
    );
  }
}
