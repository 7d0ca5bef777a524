/**
 * A link that contains the whole scene:
 *     #s1. + base64url(deflate-raw(UTF-8 text))                                      a scene alone
 *     #s2. + base64url(deflate-raw(head, line feed, UTF-8 text, files one after the other))   with the meshes that it names
 * The head is JSON: {"text": bytes of the text, "files": [[name, bytes], …]}. The text is kept as it was written. What comes
 * in is judged before it is used: alphabet, size while it is inflated (a small link can inflate to gigabytes), sizes in the
 * head, UTF-8, and that it is a JSON object. Whether it is a scene, the schema says.
 */

/** The encodings; another one gets another prefix. */
const ALONE = 's1.';
const WITH_FILES = 's2.';

/** Most bytes of scene text and files that a link may hold, before compression. */
export const LARGEST_SHARE = 2 * 1024 * 1024;
/** Longest link [characters]: browsers cut or refuse addresses beyond 2 million. */
export const LONGEST_LINK = 1_900_000;
/** Most bytes of the head: names are short. */
const LARGEST_HEAD = 16 * 1024;

/** A scene's text with the files that it names. */
export interface SharedScene {
  readonly text: string;
  readonly files: Readonly<Record<string, Uint8Array<ArrayBuffer>>>;
}

/** A link that cannot be made or read; the message is for the person who has it. */
export class ShareError extends Error {
  override readonly name = 'ShareError';
}

/** The part of a link after `#` that holds the scene, and the files that it names, if any. */
export async function encodeShare(text: string, files: SharedScene['files'] = {}): Promise<string> {
  checkJson(text);
  const bytes = new TextEncoder().encode(text);
  const entries = Object.entries(files);
  const total = entries.reduce((sum, [, { length }]) => sum + length, bytes.length);
  if (total > LARGEST_SHARE) throw refuseSize(bytes.length, entries, 'a link can contain at most 2 MB');
  const head = { text: bytes.length, files: entries.map(([name, { length }]) => [name, length]) };
  const parts =
    entries.length === 0 ? [bytes] : [`${JSON.stringify(head)}\n`, bytes, ...entries.map(([, content]) => content)];
  const packed = await readAll(pipe(parts, new CompressionStream('deflate-raw')), Number.POSITIVE_INFINITY);
  const link = (entries.length === 0 ? ALONE : WITH_FILES) + encodeBase64Url(packed);
  if (link.length > LONGEST_LINK)
    throw refuseSize(bytes.length, entries, `the link would have ${link.length} characters, more than browsers accept`);
  return link;
}

/** Says what is too big, and what to do instead. */
function refuseSize(text: number, files: readonly [string, Uint8Array][], limit: string): ShareError {
  const sizes = files.map(([name, { length }]) => `${name} ${formatSize(length)}`);
  const what = [`The scene has ${formatSize(text)}`, ...sizes].join(', ');
  const remedy =
    files.length === 0
      ? 'Send the scene file instead.'
      : 'Send the scene file and these files; drop them together to open them.';
  return new ShareError(`${what}; ${limit}. ${remedy}`);
}

/** Does the part of an address after `#` (with or without it) claim to be a shared scene? */
export function isShare(hash: string): boolean {
  return /^#?s\d+\./.test(hash);
}

/** The scene of a link's hash (with or without `#`). Throws a ShareError for anything that is not JSON inside. */
export async function decodeShare(hash: string): Promise<SharedScene> {
  const body = hash.startsWith('#') ? hash.slice(1) : hash;
  if (!isShare(body)) throw new ShareError('The link contains no scene.');
  const prefix = body.slice(0, ALONE.length);
  if (prefix !== ALONE && prefix !== WITH_FILES) {
    throw new ShareError('The link was made by a newer version; this version reads links that begin with s1. or s2.');
  }
  const all = await inflate(decodeBase64Url(body.slice(prefix.length)));
  const { text, files } = prefix === ALONE ? { text: all, files: {} } : split(all);
  const words = decodeText(text);
  checkJson(words);
  return { text: words, files };
}

/** Text and files of what a link with files holds. */
function split(all: Uint8Array<ArrayBuffer>): { text: Uint8Array; files: SharedScene['files'] } {
  const end = all.subarray(0, LARGEST_HEAD).indexOf(0x0a);
  const head = readHead(all.subarray(0, Math.max(0, end)));
  const sizes = [head.text, ...head.files.map(([, size]) => size)];
  if (sizes.reduce((sum, size) => sum + size, end + 1) !== all.length) throw damaged();
  let offset = end + 1;
  // copies: each has a buffer of its own, which goes to the simulation
  const [text, ...contents] = sizes.map((size) => all.slice(offset, (offset += size)));
  return { text, files: Object.fromEntries(head.files.map(([name], n) => [name, contents[n]])) };
}

function readHead(bytes: Uint8Array): { text: number; files: [string, number][] } {
  let head: { text?: unknown; files?: unknown } | null;
  try {
    head = JSON.parse(decodeText(bytes));
  } catch {
    throw damaged();
  }
  const isSize = (size: unknown) => Number.isSafeInteger(size) && (size as number) >= 0;
  const isFile = (file: unknown) => Array.isArray(file) && typeof file[0] === 'string' && isSize(file[1]);
  if (!isSize(head?.text) || !Array.isArray(head?.files) || !head.files.every(isFile)) throw damaged();
  return head as { text: number; files: [string, number][] };
}

const damaged = (): ShareError => new ShareError('The link is damaged: it was cut off or changed.');

async function inflate(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await readAll(pipe([packed], new DecompressionStream('deflate-raw')), LARGEST_SHARE + LARGEST_HEAD);
  } catch (error) {
    if (error instanceof ShareError) throw error;
    throw damaged();
  }
}

function pipe(parts: BlobPart[], through: CompressionStream | DecompressionStream) {
  return new Blob(parts).stream().pipeThrough(through);
}

/** Joins a stream; stops reading as soon as it is longer than `largest`. */
async function readAll(stream: ReadableStream<Uint8Array>, largest: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > largest) {
      await reader.cancel().catch(() => {});
      throw new ShareError('The link contains more than 2 MB, which is too large to open.');
    }
    chunks.push(value);
  }
  const all = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.length;
  }
  return all;
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ShareError('The link contains something that is not text.');
  }
}

function checkJson(text: string): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ShareError('This is not JSON and therefore not a scene.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ShareError('This is JSON, but not an object and therefore not a scene.');
  }
}

function encodeBase64Url(bytes: Uint8Array): string {
  let binary = '';
  // in pieces: a call takes only so many arguments
  for (let i = 0; i < bytes.length; i += 0x2000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x2000));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]+$/.test(text) || text.length % 4 === 1) {
    throw new ShareError('The link is damaged: it has invalid or missing characters.');
  }
  if (text.length > 2 * LARGEST_SHARE) throw new ShareError('The link is longer than any link of the studio.');
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

const formatSize = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} kB` : `${(bytes / (1024 * 1024)).toFixed(1)} MB`;
};
