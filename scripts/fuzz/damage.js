// Damage done on purpose to bytes, to text and to values of JSON; the same for the same random numbers.

/** Numbers at the edges of what programs expect. */
const ODD_NUMBERS = [0, -0, -1, 1, 0.5, 255, 256, 65535, 65536, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 53, 1e9 + 1];
const ODD_REALS = [
  ...ODD_NUMBERS,
  1e308,
  -1e308,
  5e-324,
  1e38,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
];
const ODD_TOKENS = [
  ...['0', '-0', '-1', '1', '1e9', '1e308', '-1e308', '1e999', '5e-324', 'NaN', 'Infinity', '0x10', '1_000', '٣'],
  ...['4294967295', '4294967296', '2147483648', '9007199254740993', '99999999999999999999', '1,5', '--1', '+', '.'],
  ...['', ' ', '"', "'", '\\', '/', '//', '#', ';', '[', ']', '{', '}', '=', '\u0000', '\uFEFF', '\uD800', '\u202E'],
  ...['__proto__', 'constructor', 'toString', '../../etc/passwd', '<img src=x onerror=alert(1)>', 'true', 'null'],
];

export const pick = (random, list) => list[Math.floor(random() * list.length)];
const below = (random, n) => Math.floor(random() * n);

/** Where a piece of `most` bytes or letters may begin and end. */
function chooseSpan(random, length, most = 64) {
  const from = below(random, length + 1);
  return [from, Math.min(length, from + 1 + below(random, most))];
}

const BYTE_DAMAGES = [
  // one bit
  (random, bytes) => {
    if (bytes.length > 0) bytes[below(random, bytes.length)] ^= 1 << below(random, 8);
    return bytes;
  },
  (random, bytes) => {
    if (bytes.length > 0) bytes[below(random, bytes.length)] = pick(random, [0, 1, 127, 128, 255]);
    return bytes;
  },
  // a number in one of the shapes that files have: counts that lie, offsets beyond the end, coordinates that are none
  (random, bytes) => {
    if (bytes.length < 8) return bytes;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const step = pick(random, [1, 2, 4, 8]);
    const at = Math.min(bytes.length - 8, step * below(random, bytes.length / step));
    const kind = below(random, 5);
    if (kind === 0) view.setFloat32(at, pick(random, ODD_REALS), true);
    else if (kind === 1) view.setFloat64(at, pick(random, ODD_REALS), true);
    else if (kind === 2) view.setUint16(at, pick(random, ODD_NUMBERS), true);
    else if (kind === 3) view.setUint32(at, pick(random, ODD_NUMBERS), true);
    else view.setBigUint64(at, BigInt.asUintN(64, BigInt(Math.trunc(pick(random, ODD_NUMBERS)))), true);
    return bytes;
  },
  // a count that is a little off
  (random, bytes) => {
    if (bytes.length < 4) return bytes;
    const at = below(random, bytes.length - 3);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    view.setInt32(at, view.getInt32(at, true) + below(random, 9) - 4, true);
    return bytes;
  },
  // cut off
  (random, bytes) => bytes.slice(0, below(random, bytes.length + 1)),
  // a piece taken out, put in twice, or moved
  (random, bytes) => {
    const [from, to] = chooseSpan(random, bytes.length);
    return join(bytes.subarray(0, from), bytes.subarray(to));
  },
  (random, bytes) => {
    const [from, to] = chooseSpan(random, bytes.length, 512);
    return join(bytes.subarray(0, to), bytes.subarray(from));
  },
  (random, bytes) => {
    const [from, to] = chooseSpan(random, bytes.length);
    const at = below(random, bytes.length + 1);
    return join(bytes.subarray(0, at), bytes.subarray(from, to), bytes.subarray(at));
  },
  // rubbish behind the end
  (random, bytes) =>
    join(
      bytes,
      Uint8Array.from({ length: below(random, 300) }, () => below(random, 256)),
    ),
];

function join(...parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** A copy of the bytes with one to four faults. */
export function damageBytes(random, original) {
  let bytes = original.slice();
  for (let n = 1 + below(random, 4); n > 0; n--) bytes = pick(random, BYTE_DAMAGES)(random, bytes);
  return bytes;
}

/** What damage may add to a text, about. */
const MOST_LETTERS = 500_000;

const TEXT_DAMAGES = [
  // a number or a word
  (random, text) => replaceToken(random, text, () => pick(random, ODD_TOKENS)),
  (random, text) => replaceToken(random, text, () => pick(random, ODD_TOKENS)),
  (random, text) =>
    replaceToken(random, text, (token) => `${Number(token) * pick(random, [-1, 0, 2, 1e3, 1e12, 0.1])}`),
  (random, text) => replaceToken(random, text, (token) => token + token),
  // lines removed, doubled, exchanged
  (random, text) => changeLines(random, text, (lines, at) => lines.splice(at, 1 + below(random, 5))),
  (random, text) => changeLines(random, text, (lines, at) => lines.splice(at, 0, lines[below(random, lines.length)])),
  (random, text) =>
    changeLines(random, text, (lines, at) => {
      const other = below(random, lines.length);
      [lines[at], lines[other]] = [lines[other], lines[at]];
    }),
  (random, text) => text.slice(0, below(random, text.length + 1)),
  (random, text) => {
    const at = below(random, text.length + 1);
    return text.slice(0, at) + pick(random, ODD_TOKENS) + text.slice(at);
  },
  // a very long line, very many lines, deep nesting
  (random, text) => {
    const at = below(random, text.length + 1);
    return text.slice(0, at) + pick(random, ODD_TOKENS).repeat(below(random, 20_000)) + text.slice(at);
  },
  (random, text) =>
    changeLines(random, text, (lines, at) => {
      const most = Math.min(3000, MOST_LETTERS / (1 + lines[at].length));
      lines.splice(at, 0, ...Array(below(random, most)).fill(lines[at]));
    }),
  (_random, text) => text.replaceAll('\n', '\r'),
];

function replaceToken(random, text, replace) {
  const tokens = [...text.matchAll(/-?\d+(\.\d+)?|[A-Za-z_]+/g)];
  if (tokens.length === 0) return text;
  const { index, 0: token } = pick(random, tokens);
  return text.slice(0, index) + replace(token) + text.slice(index + token.length);
}

function changeLines(random, text, change) {
  const lines = text.split('\n');
  change(lines, below(random, lines.length));
  return lines.join('\n');
}

/** The text with one fault, up to `most`. */
export function damageText(random, original, most = 4) {
  let text = original;
  for (let n = 1 + below(random, most); n > 0; n--) text = pick(random, TEXT_DAMAGES)(random, text);
  return text;
}

/** Values that stand for others in JSON text: written without quotes after the value is made text. */
const RAW = new Map([
  ['@huge', '1e999'],
  ['@tiny', '-1e999'],
  ['@nan', 'NaN'],
  ['@infinity', 'Infinity'],
]);

const ODD_VALUES = [
  ...[null, true, false, '', 'x', 'NaN', 'Infinity', '1e999', '@huge', '@tiny', 0, -0, -1, 1e308, -1e308, 5e-324],
  ...[1e9 + 1, 2_000_001, 0.5, [], {}, [[]], [1, 2], [0, 0, 0], { type: 'nothing' }, 'a'.repeat(300), '\u0000'],
  '../../etc/passwd',
];

const isContainer = (value) => typeof value === 'object' && value !== null;

function collectPlaces(value, places = []) {
  if (!isContainer(value)) return places;
  for (const key of Object.keys(value)) {
    const place = { parent: value, key: Array.isArray(value) ? Number(key) : key };
    places.push(place);
    collectPlaces(read(place), places);
  }
  return places;
}

const read = ({ parent, key }) => parent[key];

function write({ parent, key }, value) {
  parent[key] = value;
}

function remove({ parent, key }) {
  if (Array.isArray(parent)) parent.splice(key, 1);
  else delete parent[key];
}

function misspell(random, word) {
  const at = below(random, word.length + 1);
  return random() < 0.5 ? word.slice(0, at) + word.slice(at + 1) : `${word.slice(0, at)}q${word.slice(at)}`;
}

const VALUE_DAMAGES = [
  (_, place) => remove(place),
  (random, place) => write(place, structuredClone(pick(random, ODD_VALUES))),
  (random, place) => write(place, structuredClone(pick(random, ODD_VALUES))),
  // a number scaled, negated or made odd
  (random, place) => {
    const value = read(place);
    if (typeof value === 'number') write(place, value * pick(random, [-1, 1e12, -1e-12, 1e300, 0, 1.5, 2]));
    else if (typeof value === 'string') write(place, misspell(random, value));
  },
  // a misspelt key
  (random, place) => {
    if (Array.isArray(place.parent)) return;
    place.parent[misspell(random, String(place.key))] = read(place);
    remove(place);
  },
  // an unknown key
  (random, { parent }) => {
    if (!Array.isArray(parent)) parent[pick(random, ['extra', 'constructor', 'toString', 'nodess', ''])] = 1;
  },
  // an element twice: duplicate ids, times that stand still
  (_, place) => {
    if (Array.isArray(place.parent)) place.parent.push(structuredClone(read(place)));
  },
  // a value from somewhere else in the same container
  (random, place) => {
    const other = pick(random, Object.keys(place.parent));
    write(place, structuredClone(place.parent[other]));
  },
  // deep nesting
  (random, place) => {
    let value = read(place);
    for (let depth = below(random, 100); depth > 0; depth--) value = random() < 0.5 ? [value] : { a: value };
    write(place, value);
  },
];

/** A copy of a value of JSON with one to three faults, as JSON text; numbers may stand there that JSON has not. */
export function damageJson(random, original) {
  const value = structuredClone(original);
  for (let n = 1 + below(random, 3); n > 0; n--) {
    const places = collectPlaces(value);
    if (places.length > 0) pick(random, VALUE_DAMAGES)(random, pick(random, places));
  }
  let text = JSON.stringify(value, null, 2);
  for (const [marker, raw] of RAW) text = text.replaceAll(`"${marker}"`, raw);
  return text;
}

const SCENE_TEXT_DAMAGES = [
  (random, text) => text.slice(0, below(random, text.length)),
  (random, text) => {
    const at = below(random, text.length);
    return text.slice(0, at) + pick(random, ['{', '}', ',', '"', 'NaN', '\n', '//', '\u0000', '[[[[']) + text.slice(at);
  },
  (_, text) => text.replace('{', '{"__proto__": {"polluted": true}, '),
  (_, text) => text.replace('"heddle"', '"heddle": 1, "heddle"'),
  (_, text) => '['.repeat(100_000) + text,
];

/** The text of a damaged scene. */
export function damageScene(random, base) {
  const text = damageJson(random, base);
  return random() < 0.1 ? pick(random, SCENE_TEXT_DAMAGES)(random, text) : text;
}
