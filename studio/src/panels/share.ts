/**
 * A link that contains the whole scene: `#s1.` + base64url(deflate-raw(UTF-8 text)).
 * The text is kept as it was written. What comes in is judged before it is used: alphabet, size while it is inflated
 * (a small link can inflate to gigabytes), UTF-8, and that it is a JSON object. Whether it is a scene, the schema says.
 */

/** Version 1 of the encoding; another one gets another prefix. */
const PREFIX = 's1.';

/** Most bytes of scene text that a link may hold, before compression. */
export const LARGEST_SHARE = 2 * 1024 * 1024;

/** A link that cannot be made or read; the message is for the person who has it. */
export class ShareError extends Error {
  override readonly name = 'ShareError';
}

/** The part of a link after `#` that holds the scene text. */
export async function encodeShare(text: string): Promise<string> {
  checkJson(text);
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > LARGEST_SHARE) {
    throw new ShareError(
      `The scene has ${formatSize(bytes.length)}; a link holds at most 2 MB. Send the file instead.`,
    );
  }
  const packed = await readAll(pipe(bytes, new CompressionStream('deflate-raw')), Number.POSITIVE_INFINITY);
  return PREFIX + encodeBase64Url(packed);
}

/** Does the part of an address after `#` (with or without it) claim to be a shared scene? */
export function isShare(hash: string): boolean {
  return /^#?s\d+\./.test(hash);
}

/** The scene text of a link's hash (with or without `#`). Throws a ShareError for anything that is not JSON inside. */
export async function decodeShare(hash: string): Promise<string> {
  const body = hash.startsWith('#') ? hash.slice(1) : hash;
  if (!isShare(body)) throw new ShareError('The link holds no scene.');
  if (!body.startsWith(PREFIX)) {
    throw new ShareError('The link was made by a newer version; this one reads links that begin with s1.');
  }
  const packed = decodeBase64Url(body.slice(PREFIX.length));
  const text = decodeText(await inflate(packed));
  checkJson(text);
  return text;
}

async function inflate(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  try {
    return await readAll(pipe(packed, new DecompressionStream('deflate-raw')), LARGEST_SHARE);
  } catch (error) {
    if (error instanceof ShareError) throw error;
    throw new ShareError('The link is damaged: it was cut short or changed on its way.');
  }
}

function pipe(bytes: Uint8Array<ArrayBuffer>, through: CompressionStream | DecompressionStream) {
  return new Blob([bytes]).stream().pipeThrough(through);
}

/** Joins a stream; stops reading as soon as it is longer than `largest`. */
async function readAll(stream: ReadableStream<Uint8Array>, largest: number): Promise<Uint8Array> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > largest) {
      await reader.cancel().catch(() => {});
      throw new ShareError('The link holds more than 2 MB of text; it is not opened.');
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
    throw new ShareError('The link holds something that is not text.');
  }
}

function checkJson(text: string): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ShareError('This is not JSON, so it is no scene.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ShareError('This is JSON, but not an object, so it is no scene.');
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
    throw new ShareError('The link is damaged: it has characters that do not belong in it, or lacks some.');
  }
  if (text.length > 2 * LARGEST_SHARE) throw new ShareError('The link is longer than any that is made here.');
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

const formatSize = (bytes: number): string => `${(bytes / (1024 * 1024)).toFixed(1)} MB`;
