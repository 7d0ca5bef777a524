/** `heddle studio`: serves the web studio from the package until Ctrl-C. */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, InvalidArgumentError } from 'commander';
import type { Context } from './context.ts';
import { FileError, showPath } from './files.ts';
import { createStudioServer, listen } from './studio-server.ts';

/** The built app that comes with the package. */
export const STUDIO = fileURLToPath(new URL('../../studio/dist/app/', import.meta.url));

const PORT = 4720;

interface StudioOptions {
  readonly port: number;
  readonly host: string;
  readonly open?: boolean;
}

const EXAMPLES = `
Examples:
  heddle studio                       on this machine only; Ctrl-C ends it
  heddle studio --open                also open it in the browser
  heddle studio --port 8080
  heddle studio --host 0.0.0.0        also for other machines: everyone who reaches this one can open it`;

export function configureStudio(command: Command, context: Context): void {
  command
    .option('--port <number>', 'port; the next free one if it is in use, 0 for any free port', parsePort, PORT)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--open', 'open it in the browser')
    .addHelpText('after', EXAMPLES)
    .action((options: StudioOptions) => serveStudio(options, context));
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
  return port;
}

/** Serves until an interrupt. */
async function serveStudio({ port, host, open }: StudioOptions, context: Context): Promise<void> {
  const folder = context.studio ?? STUDIO;
  if (!existsSync(join(folder, 'index.html'))) {
    const missing = showPath(join(folder, 'index.html'), context.folder);
    throw new FileError(`The studio is not built: ${missing} does not exist; run npm run build.`);
  }
  const server = createStudioServer(folder);
  const taken = await listen(server, host, port);
  const ended = new Promise<void>((resolve) => {
    const stop = context.onInterrupt(() => {
      stop();
      server.close(() => resolve());
      server.closeAllConnections();
    });
  });
  if (port !== 0 && taken !== port) context.stdout.write(`Port ${port} is in use; using ${taken}.\n`);
  if (!isLoopback(host)) {
    context.stdout.write(
      'Other machines that reach this one can open the studio. Browsers isolate pages only on localhost and https, so there it may run slower.\n',
    );
  }
  const address = `http://${formatHost(host)}:${taken}/`;
  context.stdout.write(`Heddle studio: ${address}\n`);
  if (open === true) openBrowser(address, context);
  await ended;
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\./.test(host);

/** The host as it stands in an address; one that means all addresses is reached by 127.0.0.1. */
function formatHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** Opens an address with the program that the system has for it. */
function openBrowser(address: string, context: Context): void {
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open', address]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', address]
        : ['xdg-open', address];
  const fail = () => context.stderr.write(`No browser could be opened; open ${address} yourself.\n`);
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  child.on('error', fail);
  child.on('exit', (code) => {
    if (code !== 0) fail();
  });
  child.unref();
}
