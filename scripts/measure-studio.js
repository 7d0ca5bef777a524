// Measures the page's own work for every picture of a scene: node scripts/measure-studio.js [scene …] (after npm run build)
// Opens each scene of the gallery in Chromium, traces it for a while and prints the processor time of the page's main thread for
// a message of the worker (with the updates that follow), for drawing a picture, and for style, layout and painting of the page.
// For 60 pictures a second their sum must stay well below 16 ms. The graphics card's work is left out: draw calls are dropped,
// since a machine without a card would measure its software.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const chosen = process.argv.slice(2);
const names =
  chosen.length > 0
    ? chosen
    : readdirSync(join(root, 'scenes'))
        .filter((file) => file.endsWith('.json'))
        .map((file) => file.slice(0, -'.json'.length));
/** How long a scene is watched [ms]. */
const WATCHED = 1500;

/** Runs in the page before anything else. */
function dropDrawCalls() {
  for (const name of ['drawElements', 'drawArrays', 'drawElementsInstanced', 'drawArraysInstanced']) {
    WebGL2RenderingContext.prototype[name] = () => {};
  }
}

const computeMedian = (values) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** Processor times of the main thread of the page by the name of the event [ms]. */
function readTrace(bytes) {
  const { traceEvents } = JSON.parse(bytes.toString());
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  const times = {};
  for (const { pid, tid, ph, name, tdur = 0 } of traceEvents) {
    if (ph !== 'X' || !threads.some((thread) => thread.pid === pid && thread.tid === tid)) continue;
    times[name] ??= [];
    times[name].push(tdur / 1000);
  }
  return (name) => times[name] ?? [];
}

async function measure(address, name) {
  // a browser for each scene: its trace then has one page
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--enable-unsafe-swiftshader'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.addInitScript(dropDrawCalls);
    await page.goto(`${address}#/scene/${name}`);
    const look = (see) =>
      page.evaluate(`(${see})(document.querySelector('heddle-app')?.shadowRoot?.querySelector('heddle-scene'))`);
    while (!(await look((scene) => scene?.player.playing && scene.player.step > 3))) await page.waitForTimeout(50);
    await browser.startTracing(page, { categories: ['devtools.timeline'] });
    await page.waitForTimeout(WATCHED);
    const read = readTrace(await browser.stopTracing());
    const ratio = await look((scene) => scene.player.ratio);
    const parts = ['UpdateLayoutTree', 'Layout', 'PrePaint', 'Paint', 'Layerize', 'Commit'];
    return {
      ratio,
      message: computeMedian(read('HandlePostMessage')),
      picture: computeMedian(read('FireAnimationFrame')),
      layout: parts.reduce((sum, part) => sum + computeMedian(read(part)), 0),
    };
  } finally {
    await browser.close();
  }
}

const server = spawn(process.execPath, [join(root, 'bin/heddle.js'), 'studio', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const address = /http:\S+/.exec(String((await once(server.stdout, 'data'))[0]))[0];
try {
  console.log('scene                     real time  message ms  picture ms  style, layout, paint ms');
  for (const name of names) {
    const { ratio, message, picture, layout } = await measure(address, name);
    const write = (value, width) => value.toFixed(2).padStart(width);
    console.log(
      `${name.padEnd(26)}${write(ratio, 9)} ${write(message, 11)} ${write(picture, 11)} ${write(layout, 24)}`,
    );
  }
} finally {
  server.kill();
}
