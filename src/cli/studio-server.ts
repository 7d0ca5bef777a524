/**
 * The server of the studio: the files of one folder over HTTP, and nothing else. GET and HEAD only.
 *
 * A path is taken apart into plain names (letters, digits, `_ - . + @`, none starting with a dot) before the disk is asked,
 * and the file that is found must be the very path that was asked for: what a link leads to is not served. What comes in from this
 * machine must ask for it by an address or as localhost: a page elsewhere whose name leads here (DNS rebinding) gets nothing. Every answer
 * carries a strict content security policy and the headers that isolate the page from other origins (so that it may share
 * memory with its workers).
 *
 * Caching: files under assets/ have a hash of their content in their name and last for ever; all others are asked for again
 * with the hash of their content (ETag) and are not sent twice.
 */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { lstat, readFile, realpath } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { extname, join } from 'node:path';
import { HeddleError } from '../model/errors.ts';

export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of every answer. */
const HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
} as const;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.obj': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.glb': 'model/gltf-binary',
};

/** A name in a path: nothing that a file system reads as more than a name. */
const PLAIN_NAME = /^[\w+@-][\w.+@-]*$/;

/** A name with a hash of the content, as Vite gives it: `index-B1x_9fQz.js`. */
const HASHED_NAME = /-[\w-]{8}\.\w+$/;

/** Names below the folder that a request path leads to; undefined when it is not made of plain names. */
export function splitPath(url: string): string[] | undefined {
  if (!url.startsWith('/')) return undefined;
  let path: string;
  try {
    path = decodeURIComponent(url.slice(1).replace(/[?#].*$/s, ''));
  } catch {
    return undefined;
  }
  if (path === '') return ['index.html'];
  const names = path.split('/');
  return names.every((name) => PLAIN_NAME.test(name)) ? names : undefined;
}

/** The file of that path, or undefined when there is none in the folder. */
async function findFile(folder: string, url: string): Promise<{ path: string; names: readonly string[] } | undefined> {
  const names = splitPath(url);
  if (names === undefined) return undefined;
  const path = join(folder, ...names);
  try {
    // a link on the way, even to a file inside, makes the two differ
    return (await realpath(path)) === path && (await lstat(path)).isFile() ? { path, names } : undefined;
  } catch {
    return undefined;
  }
}

async function answer(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '' } = request;
  const isHead = method === 'HEAD';
  if (method !== 'GET' && !isHead) return refuse(response, 405, 'Only GET and HEAD are supported.', isHead);
  if (isLoopback(request.socket.localAddress ?? '') && !isLocalName(request.headers.host ?? ''))
    return refuse(response, 421, 'Ask for localhost or the address of this machine.', isHead);
  const file = await findFile(folder, url);
  if (file === undefined) return refuse(response, 404, 'There is no such file.', isHead);
  const bytes = await readFile(file.path);
  const tag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  const lasting = file.names[0] === 'assets' && HASHED_NAME.test(file.path);
  const headers = {
    ...HEADERS,
    'Cache-Control': lasting ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: tag,
  };
  if (isKnown(request.headers['if-none-match'], tag)) {
    response.writeHead(304, headers).end();
    return;
  }
  const type = TYPES[extname(file.path).toLowerCase()] ?? 'application/octet-stream';
  response.writeHead(200, { ...headers, 'Content-Type': type, 'Content-Length': bytes.length });
  response.end(isHead ? undefined : bytes);
}

/** Whether an address leads to this machine alone; IPv4 may be written as IPv6. */
const isLoopback = (address: string): boolean => address === '::1' || /^(::ffff:)?127\./.test(address);

/** Whether the Host of a request is localhost or an address, which no one can point elsewhere, with or without a port. */
export function isLocalName(host: string): boolean {
  const name = host.replace(/:\d{1,5}$/, '');
  if (/^localhost$/i.test(name)) return true;
  return isIP(name) === 4 || (/^\[.*\]$/.test(name) && isIP(name.slice(1, -1)) === 6);
}

/** Whether one of the tags that the browser has is this one (RFC 9110 §13.1.2, weak comparison). */
function isKnown(known: string | undefined, tag: string): boolean {
  if (known === undefined) return false;
  return known.split(',').some((candidate) => [tag, '*'].includes(candidate.trim().replace(/^W\//, '')));
}

function refuse(response: ServerResponse, status: number, sentence: string, isHead: boolean): void {
  const bytes = Buffer.from(`${sentence}\n`);
  response.writeHead(status, {
    ...HEADERS,
    'Cache-Control': 'no-store',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': bytes.length,
    ...(status === 405 ? { Allow: 'GET, HEAD', Connection: 'close' } : {}),
  });
  response.end(isHead ? undefined : bytes);
}

/** A server for the files below `folder`, which does not listen yet. */
export function createStudioServer(folder: string): Server {
  const root = realpathSync(folder);
  return createServer((request, response) => {
    answer(root, request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'The file could not be read.', request.method === 'HEAD');
    });
  });
}

/** Ports that are tried after the one that was asked for. */
const MORE_PORTS = 50;

/** Listens on `port`, or on the next free one; returns the port. 0 takes any. */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  const last = port === 0 ? 0 : Math.min(65535, port + MORE_PORTS);
  for (let candidate = port; candidate <= last; candidate++) {
    const error = await tryPort(server, host, candidate);
    if (error === undefined) return (server.address() as AddressInfo).port;
    if (error.code !== 'EADDRINUSE') throw describeListenError(error, host, candidate);
  }
  throw new HeddleError(`The ports ${port} to ${last} are all in use; choose another with --port.`);
}

function tryPort(server: Server, host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const onListening = () => settle(undefined);
    const settle = (error: NodeJS.ErrnoException | undefined): void => {
      server.off('error', settle).off('listening', onListening);
      resolve(error);
    };
    server.once('error', settle).once('listening', onListening);
    server.listen(port, host);
  });
}

function describeListenError(error: NodeJS.ErrnoException, host: string, port: number): HeddleError {
  if (error.code === 'EACCES') {
    const message = `Port ${port} cannot be used: permission denied; choose one above 1023 with --port.`;
    return new HeddleError(message, { cause: error });
  }
  return new HeddleError(
    `--host "${host}" is not an address of this machine (${error.code}); leave it out for 127.0.0.1, or give 0.0.0.0 for all.`,
    { cause: error },
  );
}
