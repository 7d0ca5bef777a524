/**
 * JSON laid out as the gallery's scenes are: two spaces a level, what fits on a line of 120 columns stays on it, the
 * scene itself always one member a line. Texts and numbers stay letter for letter; keys given twice stay twice.
 */

const WIDTH = 120;
const TOKEN = /"(?:[^"\\\n]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

interface Node {
  /** Opening bracket, or the scalar itself. */
  readonly text: string;
  /** Members of an object or entries of an array. */
  readonly entries: { readonly key: string | undefined; readonly value: Node }[];
}

/** The text formatted; undefined when it is not JSON. */
export function formatJson(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const tokens = text.match(TOKEN) ?? [];
  const [node] = readNode(tokens, 0);
  return `${printNode(node, 0, 0, true)}\n`;
}

/** The value that starts at a token, and the index of the token behind it; the text is known to be valid. */
function readNode(tokens: readonly string[], start: number): [Node, number] {
  const text = tokens[start];
  if (text !== '{' && text !== '[') return [{ text, entries: [] }, start + 1];
  const node: Node = { text, entries: [] };
  let index = start + 1;
  while (tokens[index] !== '}' && tokens[index] !== ']') {
    if (tokens[index] === ',') index++;
    const key = text === '{' ? tokens[index] : undefined;
    if (key !== undefined) index += 2;
    const [value, next] = readNode(tokens, index);
    node.entries.push({ key, value });
    index = next;
  }
  return [node, index + 1];
}

/** `taken` is the number of columns before and after the value on its first line. */
function printNode(node: Node, depth: number, taken: number, isSpread = false): string {
  if (node.text !== '{' && node.text !== '[') return node.text;
  const close = node.text === '{' ? '}' : ']';
  if (node.entries.length === 0) return node.text + close;
  if (!isSpread) {
    const line = printLine(node);
    if (2 * depth + taken + line.length <= WIDTH) return line;
  }
  const indent = '  '.repeat(depth + 1);
  const lines = node.entries.map(({ key, value }) => {
    const head = key === undefined ? '' : `${key}: `;
    return `${indent}${head}${printNode(value, depth + 1, head.length + 1)}`;
  });
  return `${node.text}\n${lines.join(',\n')}\n${'  '.repeat(depth)}${close}`;
}

function printLine(node: Node): string {
  if (node.text !== '{' && node.text !== '[') return node.text;
  const inner = node.entries
    .map(({ key, value }) => (key === undefined ? '' : `${key}: `) + printLine(value))
    .join(', ');
  if (node.text === '[') return `[${inner}]`;
  return inner === '' ? '{}' : `{ ${inner} }`;
}
