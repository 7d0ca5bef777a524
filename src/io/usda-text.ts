/**
 * The text of a USD layer (usda 1.0): indented lines, identifiers, quoted strings, numbers, and attributes with time
 * samples. An attribute that is the same at all times gets a plain value; one that changes gets its first value (for
 * readers that show a single instant) and `timeSamples`. USD interpolates arrays of equal length linearly and holds the
 * earlier one where lengths differ, so that counts and points always fit together.
 */
import { concatenateBytes } from './png.ts';

/** Characters that are collected before they become bytes: one text may not be longer than engines allow. */
const PIECE = 1 << 20;

export class UsdaText {
  readonly #bytes: Uint8Array[] = [];
  readonly #codes: readonly number[];
  #text = '';
  #indent = '';

  /** `codes` are the time codes of the frames, increasing. */
  constructor(codes: readonly number[]) {
    this.#codes = codes;
  }

  line(text: string): void {
    this.#text += text === '' ? '\n' : `${this.#indent}${text}\n`;
    if (this.#text.length > PIECE) this.#flush();
  }

  /** A line, lines that are further in, and a closing line. */
  block(opening: string, closing: string, inner: () => void): void {
    this.line(opening);
    this.#indent += '    ';
    inner();
    this.#indent = this.#indent.slice(4);
    this.line(closing);
  }

  /** An attribute with one value a frame; `interpolation` is the metadata of a primvar. */
  attribute(declaration: string, values: readonly string[], interpolation?: string): void {
    if (interpolation === undefined) this.line(`${declaration} = ${values[0]}`);
    else {
      const metadata = () => this.line(`interpolation = "${interpolation}"`);
      this.block(`${declaration} = ${values[0]} (`, ')', metadata);
    }
    if (values.every((value) => value === values[0])) return;
    this.block(`${declaration.replace(/^uniform /, '')}.timeSamples = {`, '}', () => {
      for (const [f, value] of values.entries()) this.line(`${this.#codes[f]}: ${value},`);
    });
  }

  finish(): Uint8Array<ArrayBuffer> {
    this.#flush();
    return concatenateBytes(this.#bytes);
  }

  #flush(): void {
    this.#bytes.push(new TextEncoder().encode(this.#text));
    this.#text = '';
  }
}

/** Names that stand for ids below one prim: letters, digits and `_`, none twice. */
export function createIdentifiers(): (id: string) => string {
  const taken = new Set<string>();
  return (id) => {
    const plain = id.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d|$)/, '_');
    let name = plain;
    for (let n = 2; taken.has(name); n++) name = `${plain}_${n}`;
    taken.add(name);
    return name;
  };
}

/** A string in double quotes. */
export function quote(text: string): string {
  const escaped = text
    .replace(/[\\"]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not stand in a string
  return `"${escaped.replace(/[\u0000-\u001f\u007f]/g, ' ')}"`;
}

/** Nine digits: as many as a 32-bit number has. −0 becomes 0, so that what rests is seen to rest. */
export function formatSingle(value: number): string {
  return String(Number(value.toPrecision(9)) + 0);
}

/** `[a, b, …]`. */
export function formatNumbers(values: ArrayLike<number>): string {
  return `[${Array.from(values, formatSingle).join(', ')}]`;
}

/** `[(x, y, z), …]`: tuples of `width` numbers. */
export function formatTuples(values: ArrayLike<number>, width: number): string {
  const tuples: string[] = [];
  for (let i = 0; i < values.length; i += width) {
    const numbers: string[] = [];
    for (let k = 0; k < width; k++) numbers.push(formatSingle(values[i + k]));
    tuples.push(`(${numbers.join(', ')})`);
  }
  return `[${tuples.join(', ')}]`;
}
