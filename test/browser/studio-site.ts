/**
 * The studio as a person gets it, for tests from the side of Node: the built app behind the server of `heddle studio`,
 * opened in Chromium. Each visit is a profile of its own: nothing is cached, nothing is kept.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { launchChromium } from '../../src/cli/chromium.ts';
import type { HeddleScenePage } from '../../studio/src/app/scene-page.ts';
import { HANG_LIMIT } from './hang-limit.ts';
import { pause as pauseScene, settle } from './scene-acts.ts';
import { lookUntil } from './until.ts';

const COMMAND = fileURLToPath(new URL('../../bin/heddle.js', import.meta.url));

declare global {
  /** In the pages of a visit: the scene page that is open. */
  var findScene: () => HeddleScenePage;
}

/** A visit with a small page, at rest until it is asked to run: without a graphics card it is drawing that takes the time. */
export const CALM = { viewport: { width: 480, height: 640 }, reducedMotion: 'reduce' } as const;

export interface Site {
  /** Ends with a slash. */
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts `heddle studio` and reads its address from the line that it writes. */
export async function startStudio(): Promise<Site> {
  const server = spawn(process.execPath, [COMMAND, 'studio', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  while (!said.includes('\n')) said += String((await once(server.stdout, 'data'))[0]);
  const address = /^Heddle studio: (http:\S+)$/m.exec(said)?.[1];
  if (address === undefined) throw new Error(`heddle studio wrote ${JSON.stringify(said)} instead of its address`);
  const stop = async () => {
    if (server.exitCode !== null || !server.kill('SIGINT')) return;
    await once(server, 'exit');
  };
  return { address, stop };
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors and warnings of the console (the policy's among them), errors that nobody caught, requests that failed. */
  readonly complaints: string[];
  /** Addresses that were asked for. */
  readonly requests: string[];
}

/** A browser that ends with the test file or test that asked for it. */
export async function openBrowser(ending: (close: () => Promise<void>) => void): Promise<Browser> {
  const browser = await launchChromium();
  ending(() => browser.close());
  return browser;
}

export interface Studio {
  /** Ends with a slash. */
  readonly address: string;
  /** `startVisit` with the browser of the file. */
  visit(options?: BrowserContextOptions): Promise<Visit>;
  /** A visit that goes on in the next test, until the end of the file. */
  stay(options?: BrowserContextOptions): Promise<Visit>;
}

/** The studio and a browser, for all tests of the file that asks for them. */
export function useStudio(): Studio {
  let site: Site;
  let browser: Browser;
  beforeAll(async () => {
    site = await startStudio();
    browser = await openBrowser(afterAll);
  });
  afterAll(() => site.stop());
  return {
    get address() {
      return site.address;
    },
    visit: (options) => startVisit(browser, options),
    stay: (options) => openVisit(browser, options),
  };
}

/** A blank page in a fresh profile, gone after the test. */
export async function startVisit(browser: Browser, options?: BrowserContextOptions): Promise<Visit> {
  const visit = await openVisit(browser, options);
  onTestFinished(() => visit.context.close());
  return visit;
}

/** A blank page in a fresh profile, gone with the browser. */
async function openVisit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, ...options });
  await context.addInitScript(() => {
    globalThis.findScene = () => document.querySelector('heddle-app')!.shadowRoot!.querySelector('heddle-scene')!;
  });
  const page = await context.newPage();
  // before vitest ends the test: this error says what was waited for
  page.setDefaultTimeout(0.9 * HANG_LIMIT);
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isOfSoftwareDrawing(message.text())) {
      complaints.push(message.text());
    }
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('requestfailed', (request) => complaints.push(`${request.url()} ${request.failure()?.errorText}`));
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.url()} ${response.status()}`);
  });
  page.on('request', (request) => requests.push(request.url()));
  return { page, context, complaints, requests };
}

/** What Chromium itself says of graphics without a graphics card. */
const isOfSoftwareDrawing = (text: string): boolean => /GPU stall|software WebGL|swiftshader/i.test(text);

/** Waits until `see` gives something true in the page, and gives that; `argument` is given to it. */
export const until = <Result, Argument>(
  page: Page,
  see: (argument: Argument) => Result,
  argument?: Argument,
): Promise<NonNullable<Result>> =>
  untilIn(page, () => page.evaluate(see as (argument: unknown) => Result, argument), String(see));

/** `until` with something that is looked for from here, for example in a picture of the page. */
export const untilIn = <Result>(
  page: Page,
  look: () => Promise<Result>,
  name = String(look),
): Promise<NonNullable<Result>> =>
  lookUntil(look, () => page.evaluate(() => new Promise(requestAnimationFrame)), name) as Promise<NonNullable<Result>>;

/** Opens a panel of the scene page by its tab, and waits until all of it is there. */
export async function openPanel(page: Page, title: string): Promise<void> {
  // in the page: a narrow one shows only some of the tabs
  await page.evaluate((title) => {
    const tabs = [...findScene().shadowRoot!.querySelectorAll<HTMLElement>('[role=tab]')];
    tabs.find((tab) => tab.textContent!.trim() === title)!.click();
  }, title);
  await until(page, () => {
    const { ready, panel, shadowRoot } = findScene();
    const content = [...shadowRoot!.querySelectorAll('#panel *')].map(
      (element) => element.shadowRoot?.textContent ?? '',
    );
    return ready.has(panel) && !content.some((text) => text.includes('Loading'));
  });
  await page.evaluate(settle);
}

/** Opens an address of the app and waits for a scene that shows its first frame. */
export async function openScene(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await until(page, () => {
    const scene = document.querySelector('heddle-app')?.shadowRoot && findScene();
    return scene?.player.frame !== undefined && scene.viewport?.canvas !== null;
  });
}

/** Pauses the scene that is open, and waits until it is so. */
export async function pause(page: Page): Promise<void> {
  const scene = await page.evaluateHandle(() => findScene());
  await scene.evaluate(pauseScene);
}

/** Takes the scene from its start to a step and gives the hash of the state there. */
export async function runFromStart(page: Page, step: number): Promise<string> {
  await pause(page);
  await page.evaluate(() => findScene().run.reset());
  await until(page, () => {
    const { run } = findScene();
    return run.step === 0 && run.recorded[1] === 0;
  });
  await page.evaluate((step) => findScene().run.runTo(step), step);
  return until(
    page,
    (step) => {
      const { run } = findScene();
      return run.step === step && run.hash;
    },
    step,
  );
}

/** What the player of the scene page says of itself. */
export function readPlayer(page: Page): Promise<{ step: number; playing: boolean; message: string; last: number }> {
  return page.evaluate(() => {
    const { player, run } = findScene();
    return { step: player.step, playing: player.playing, message: run.message, last: player.recorded[1] };
  });
}
