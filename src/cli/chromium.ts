/**
 * Finds the browser that draws images: a Chromium or Chrome that is already on the machine, driven without a window by
 * playwright-core, an optional peer of the package. Heddle never downloads a browser by itself; `npm test` and `npm start`
 * may install Debian's.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { HeddleError } from '../model/errors.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];

const PLACES = [
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** For a browser in a container or as root that nobody sees: no sandbox, no calls home. */
export const CHROMIUM_FLAGS: readonly string[] = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--enable-unsafe-swiftshader',
];

/** An image was asked for and there is nothing to draw it with. */
export class ChromiumError extends HeddleError {
  override readonly name = 'ChromiumError';
}

/** Says what to install when there is no browser. */
export const NO_CHROMIUM =
  'No Chromium or Chrome was found to draw with; install one (Debian: apt-get install chromium) or set CHROMIUM_PATH to its program.';

/** Path of a Chromium or Chrome: CHROMIUM_PATH, then the PATH, then the usual places. */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const chosen = environment.CHROMIUM_PATH;
  if (chosen !== undefined && chosen !== '') return existsSync(chosen) ? chosen : undefined;
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...onPath, ...PLACES].find((path) => existsSync(path));
}

/** Says what to install when there is nothing to drive the browser with. */
const NO_PLAYWRIGHT =
  'The package playwright-core, which drives the browser that draws images, is not installed; run npm install playwright-core where heddle is installed.';

/** Path of the browser; where it or the package that drives it is missing, the error says what to install. */
export function requireChromium(findPackage = createRequire(import.meta.url).resolve): string {
  try {
    findPackage('playwright-core');
  } catch (cause) {
    throw new ChromiumError(NO_PLAYWRIGHT, { cause });
  }
  const found = findChromium();
  if (found !== undefined) return found;
  const chosen = process.env.CHROMIUM_PATH;
  throw new ChromiumError(
    chosen === undefined || chosen === ''
      ? NO_CHROMIUM
      : `CHROMIUM_PATH is "${chosen}", and there is no such file; set it to the program of a Chromium or Chrome, or remove it.`,
  );
}

/** Starts the browser without a window, in a fresh profile; the caller closes it. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = requireChromium();
  const playwright = await import('playwright-core');
  try {
    // one that does not start ends, and that is an error; on a busy machine one that does may take minutes
    return await playwright.chromium.launch({ executablePath, args: [...CHROMIUM_FLAGS], timeout: 0 });
  } catch (cause) {
    const reason = String(cause instanceof Error ? cause.message : cause).split('\n')[0];
    throw new ChromiumError(
      `${executablePath} did not start (${reason}); set CHROMIUM_PATH to another Chromium or Chrome.`,
      { cause },
    );
  }
}
