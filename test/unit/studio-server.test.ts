/** `heddle studio`: what its server gives and refuses, and how it starts and ends. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request, type Server } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createStudioServer, listen, splitPath } from '../../src/cli/studio-server.ts';
import { makeWorkplace } from './cli-fixtures.ts';

const SECRET = 'this must never leave the machine';
let folder: string;
let app: string;
let server: Server;
let port: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-studio-'));
  app = join(folder, 'app');
  mkdirSync(join(app, 'assets'), { recursive: true });
  mkdirSync(join(app, '.hidden'));
  mkdirSync(join(folder, 'app-beside'));
  writeFileSync(join(folder, 'secret.txt'), SECRET);
  writeFileSync(join(folder, 'app-beside/secret.txt'), SECRET);
  writeFileSync(join(app, '.env'), SECRET);
  writeFileSync(join(app, '.hidden/secret.txt'), SECRET);
  writeFileSync(join(app, 'index.html'), '<!doctype html><title>Heddle</title>');
  writeFileSync(join(app, 'assets/index-B1x_9fQz.js'), 'export {};');
  writeFileSync(join(app, 'assets/plain.css'), 'body {}');
  const names = ['code.wasm', 'scene.json', 'picture.png', 'font.woff2', 'icon.svg', 'strange.xyz', 'UPPER.PNG'];
  for (const name of names) writeFileSync(join(app, name), name);
  symlinkSync(join(folder, 'secret.txt'), join(app, 'link.txt'));
  symlinkSync(folder, join(app, 'up'));
  symlinkSync(join(app, 'scene.json'), join(app, 'inner.json'));
  server = createStudioServer(app);
  port = await listen(server, '127.0.0.1', 0);
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Asks for the path exactly as it is written; fetch would tidy it up first. */
function ask(path: string, method = 'GET', headers: Record<string, string> = {}, at = port): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: at, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('latin1');
      response.on('data', (part) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    asked.on('error', reject);
    asked.end();
  });
}

/** Sends bytes that no client library would send. */
function askRaw(line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`${line}\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`),
    );
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (part) => (text += part));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

describe('the studio server', () => {
  test('gives the files of its folder with their types; / is index.html', async () => {
    const types: Record<string, string> = {
      '/': 'text/html; charset=utf-8',
      '/index.html': 'text/html; charset=utf-8',
      '/index.html?scene=a%2Fb#c': 'text/html; charset=utf-8',
      '/assets/index-B1x_9fQz.js': 'text/javascript; charset=utf-8',
      '/assets/plain.css': 'text/css; charset=utf-8',
      '/code.wasm': 'application/wasm',
      '/scene.json': 'application/json; charset=utf-8',
      '/picture.png': 'image/png',
      '/UPPER.PNG': 'image/png',
      '/font.woff2': 'font/woff2',
      '/icon.svg': 'image/svg+xml',
      '/strange.xyz': 'application/octet-stream',
    };
    for (const [path, type] of Object.entries(types)) {
      const { status, headers, text } = await ask(path);
      expect(status, path).toBe(200);
      expect(headers['content-type'], path).toBe(type);
      expect(headers['content-length']).toBe(String(text.length));
    }
    expect((await ask('/')).text).toContain('<title>Heddle</title>');
  });

  test('refuses every way out of its folder', async () => {
    const ways = [
      '/../secret.txt',
      '/../app-beside/secret.txt',
      '/assets/../../secret.txt',
      '/%2e%2e/secret.txt',
      '/%2e%2e%2fsecret.txt',
      '/..%2fsecret.txt',
      '/.%2e/secret.txt',
      '/%252e%252e/secret.txt',
      '/%252e%252e%252fsecret.txt',
      '/..\\secret.txt',
      '/..%5csecret.txt',
      '/assets\\..\\..\\secret.txt',
      '/%c0%ae%c0%ae/secret.txt',
      '/%u002e%u002e/secret.txt',
      '/index.html%00',
      '/index.html%00.png',
      '/%00/../secret.txt',
      '/link.txt',
      '/up/secret.txt',
      '/up/app/index.html',
      '/inner.json',
      '/.env',
      '/.hidden/secret.txt',
      '//secret.txt',
      '///etc/passwd',
      `/${folder}/secret.txt`,
      '/C:/Windows/win.ini',
      '/C%3A%5CWindows%5Cwin.ini',
      '/index.html/',
      '/index.html/..',
      '/./index.html',
      '/assets',
      '/assets/',
      '/%',
      '/%zz',
      '/no-such-file.js',
      '/constructor',
      `/${'a/'.repeat(3000)}a`,
      `/${'a'.repeat(5000)}`,
    ];
    for (const path of ways) {
      const { status, text } = await ask(path);
      expect(status, path).toBe(404);
      expect(text, path).not.toContain(SECRET);
      // nor does the answer repeat what was asked
      expect(text).toBe('There is no such file.\n');
    }
    expect((await ask('/')).status).toBe(200);
  });

  test('refuses targets that are no paths', async () => {
    for (const line of [`GET ../secret.txt HTTP/1.1`, 'GET http://127.0.0.1/index.html HTTP/1.1', 'GET * HTTP/1.1']) {
      const text = await askRaw(line);
      expect(text, line).toMatch(/^HTTP\/1\.1 40[04] /);
      expect(text).not.toContain(SECRET);
    }
    expect(splitPath('index.html')).toBeUndefined();
    expect(splitPath('/a/b.js')).toEqual(['a', 'b.js']);
  });

  test('answers only who asks for this machine by its address or as localhost', async () => {
    const names = [
      'localhost',
      'LOCALHOST:80',
      '127.0.0.1',
      `127.0.0.1:${port}`,
      '[::1]:80',
      '192.168.1.2',
      '[fe80::1]',
    ];
    for (const Host of names) expect((await ask('/', 'GET', { Host })).status, Host).toBe(200);
    const others = [
      ...[
        'evil.example',
        `evil.example:${port}`,
        'localhost.evil.example',
        '127.0.0.1.evil.example',
        'evil.example#localhost',
      ],
      ...[
        '127.0.0.1@evil.example',
        'localhost:80:80',
        '[::1',
        '::1',
        '127.1',
        '0x7f000001',
        ' ',
        'localhost.',
        '[localhost]',
      ],
    ];
    for (const Host of others) {
      const { status, text } = await ask('/', 'GET', { Host });
      expect([status, text], Host).toEqual([421, 'Ask for localhost or the address of this machine.\n']);
    }
    // no request is answered without one
    expect(await askRaw('GET / HTTP/1.0\r\nHost:')).toMatch(/^HTTP\/1\.1 4(00|21) /);
  });

  test('every answer carries the policy and the isolation headers', async () => {
    for (const [path, method, host] of [
      ['/', 'GET'],
      ['/', 'HEAD'],
      ['/none', 'GET'],
      ['/', 'POST'],
      ['/', 'GET', 'evil.example'],
    ]) {
      const { headers } = await ask(path, method, host === undefined ? {} : { Host: host });
      const policy = headers['content-security-policy'] ?? '';
      const rules = Object.fromEntries(
        policy.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1).join(' ')]),
      );
      expect(rules).toEqual({
        'default-src': "'none'",
        'script-src': "'self' 'wasm-unsafe-eval'",
        'worker-src': "'self' blob:",
        'style-src': "'self'",
        'img-src': "'self' data: blob:",
        'connect-src': "'self'",
        'font-src': "'self'",
        'base-uri': "'none'",
        'form-action': "'none'",
        'frame-ancestors': "'none'",
      });
      expect(headers).toMatchObject({
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test('HEAD has the headers of GET and no body; other methods get 405', async () => {
    const [get, head] = [await ask('/'), await ask('/', 'HEAD')];
    expect(head.text).toBe('');
    for (const name of ['content-type', 'content-length', 'etag']) expect(head.headers[name]).toBe(get.headers[name]);
    expect((await ask('/none', 'HEAD')).status).toBe(404);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE']) {
      const { status, headers } = await ask('/', method);
      expect(status, method).toBe(405);
      expect(headers.allow).toBe('GET, HEAD');
    }
  });

  test('files with a hash in their name last; others are asked for again and sent only when they changed', async () => {
    const asset = await ask('/assets/index-B1x_9fQz.js');
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    for (const path of ['/', '/assets/plain.css', '/scene.json']) {
      expect((await ask(path)).headers['cache-control'], path).toBe('no-cache');
    }
    const { headers } = await ask('/scene.json');
    const tag = headers.etag ?? '';
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await ask('/scene.json', 'GET', { 'If-None-Match': known });
      expect([again.status, again.text, again.headers.etag], known).toEqual([304, '', tag]);
    }
    writeFileSync(join(app, 'scene.json'), '{"changed": true}');
    const changed = await ask('/scene.json', 'GET', { 'If-None-Match': tag });
    expect([changed.status, changed.text]).toEqual([200, '{"changed": true}']);
    expect((await ask('/none', 'GET', { 'If-None-Match': '*' })).status).toBe(404);
  });
});

/** Starts the command; resolves to its output once it says its address, with the interrupt to end it. */
async function startStudio(...argv: string[]) {
  let stdout = '';
  let interrupt = () => {};
  let said = () => {};
  const address = new Promise<void>((resolve) => {
    said = resolve;
  });
  const write = (text: string) => {
    stdout += text;
    if (/^Heddle studio: /m.test(stdout)) said();
  };
  const done = makeWorkplace().runWith(
    {
      studio: app,
      stdout: { write, isTerminal: false, columns: undefined },
      onInterrupt: (listener) => {
        interrupt = listener;
        return () => {};
      },
    },
    'studio',
    ...argv,
  );
  await Promise.race([address, done]);
  onTestFinished(async () => {
    interrupt();
    await done;
  });
  return { stdout, interrupt: () => interrupt(), done };
}

describe('heddle studio', () => {
  test('says its address in the last line, listens on 127.0.0.1 alone, and ends cleanly at an interrupt', async () => {
    const studio = await startStudio('--port', '0');
    const lines = studio.stdout.trimEnd().split('\n');
    const match = /^Heddle studio: http:\/\/127\.0\.0\.1:(\d+)\/$/.exec(lines.at(-1) ?? '');
    expect(match).not.toBeNull();
    const at = Number(match?.[1]);
    expect((await ask('/', 'GET', {}, at)).text).toContain('Heddle');
    const others = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    for (const { address } of others.filter(({ internal, family }) => !internal && family === 'IPv4')) {
      const reached = await new Promise((resolve) => {
        const socket = connect(at, address, () => resolve(true));
        socket.on('error', () => resolve(false));
      });
      expect(reached, address).toBe(false);
    }
    // a connection that a browser keeps open does not keep the command alive
    const socket = connect(at, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.on('error', () => {});
    studio.interrupt();
    expect(await studio.done).toMatchObject({ code: 0, stderr: '' });
    await expect(ask('/', 'GET', {}, at)).rejects.toThrow(/ECONNREFUSED/);
  });

  test('takes the next free port when the one asked for is in use, and says so', async () => {
    const { stdout } = await startStudio('--port', String(port));
    const match = /^Port (\d+) is in use; using (\d+)\.\nHeddle studio: http:\/\/127\.0\.0\.1:(\d+)\/\n$/.exec(stdout);
    expect(match?.[1]).toBe(String(port));
    expect(Number(match?.[2])).toBeGreaterThan(port);
    expect(match?.[3]).toBe(match?.[2]);
    expect((await ask('/', 'GET', {}, Number(match?.[2]))).status).toBe(200);
  });

  test('says what to do when the app is not built, and refuses wrong options', async () => {
    const place = makeWorkplace();
    const missing = await place.runWith({ studio: join(folder, 'none') }, 'studio');
    expect(missing.code).toBe(2);
    expect(missing.stderr).toMatch(
      /^FileError: The studio is not built: .*index\.html does not exist; run npm run build\.\n$/,
    );
    for (const bad of ['-1', '65536', 'x', '1.5', '']) {
      const { code, stderr } = await place.runWith({ studio: app }, 'studio', '--port', bad);
      expect([code, /whole number from 0 to 65535/.test(stderr)], bad).toEqual([2, true]);
    }
    const host = await place.runWith({ studio: app }, 'studio', '--host', '203.0.113.7', '--port', '0');
    expect(host.code).toBe(2);
    expect(host.stderr).toMatch(/--host "203\.0\.113\.7" is not an address of this machine/);
  });
});
