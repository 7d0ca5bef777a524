/**
 * INI text: `[section]`, `key=value`, `;` begins a comment. Names of sections and keys are case-insensitive, sections stand
 * in any order and may be continued later. Only the sections asked for are looked into: others may hold any lines.
 */
import { FormatError } from '../model/errors.ts';

export interface IniRow {
  /** 1-based. */
  readonly line: number;
  /** As the file spells it. */
  readonly key: string;
  /** Without white space around it and without a comment. */
  readonly value: string;
}

/** Rows by section and key, both in lower case; sections that are not `wanted` are there, without rows. */
export const readIni = (
  text: string,
  source: string,
  wanted: ReadonlySet<string>,
): Map<string, Map<string, IniRow>> => {
  const sections = new Map<string, Map<string, IniRow>>();
  let rows: Map<string, IniRow> | undefined;
  let title = '';
  for (const [i, raw] of text.split(/\r\n|\n|\r/).entries()) {
    const line = i + 1;
    const fail = (message: string): never => {
      throw new FormatError(`${source}:${line}: ${message}.`);
    };
    const statement = raw.trim();
    const header = /^\[([^\]]*)\]/.exec(statement);
    if (header !== null) {
      title = header[1].trim();
      const name = title.toLowerCase();
      if (!sections.has(name)) sections.set(name, new Map());
      rows = wanted.has(name) ? sections.get(name) : undefined;
      continue;
    }
    const comment = statement.indexOf(';');
    const content = (comment < 0 ? statement : statement.slice(0, comment)).trim();
    if (rows === undefined || content === '') continue;
    const equals = content.indexOf('=');
    if (equals < 0) fail(`${JSON.stringify(content.slice(0, 40))} in [${title}] has no "="; rows are key=value`);
    const key = content.slice(0, equals).trim();
    const earlier = rows.get(key.toLowerCase());
    if (earlier !== undefined)
      fail(`${JSON.stringify(key.slice(0, 40))} occurs twice in [${title}], first in line ${earlier.line}`);
    rows.set(key.toLowerCase(), { line, key, value: content.slice(equals + 1).trim() });
  }
  return sections;
};
