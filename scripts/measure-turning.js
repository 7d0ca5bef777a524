// Measures how fast the studio draws while the camera turns: node scripts/measure-turning.js [scene [path=value …]] (after npm run build)
// Opens a scene of the gallery in Chromium, changes values of it by their JSON pointers, and turns the camera for a while, first paused,
// then while it simulates. Prints pictures a second, frames that came from the simulation, and processor time for a picture (and a frame) of the
// page's process (the simulation's worker included) and of the one that draws, which without a graphics card is software. Default: 200,000 grains.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const [name = 'mpm-sand-column', ...changes] = process.argv.slice(2);
if (process.argv.length === 2) changes.push('/objects/0/spacing=0.0168');
/** How long the camera turns [ms]. */
const WATCHED = 8000;
/** Ticks of the processor clock in /proc a second. */
const TICKS = 100;

/** Processor time of this process's children so far, by what Chromium calls them [s]. */
function readTimes() {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n');
  const processes = rows.map((row) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row));
  const own = new Set([String(process.pid)]);
  for (let before = 0; before < own.size; ) {
    before = own.size;
    for (const [, pid, parent] of processes) if (own.has(parent)) own.add(pid);
  }
  const times = {};
  for (const [, pid, , command] of processes) {
    const type = /--type=([\w-]+)/.exec(command)?.[1];
    if (!own.has(pid) || type === undefined) continue;
    try {
      const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13);
      times[type] = (times[type] ?? 0) + (Number(user) + Number(system)) / TICKS;
    } catch {
      // it has ended meanwhile
    }
  }
  return times;
}

/** Runs in the page: turns the camera; returns what was seen. */
async function turn([isPlaying, watched]) {
  const scene = document.querySelector('heddle-app').shadowRoot.querySelector('heddle-scene');
  if (isPlaying) scene.player.play();
  else scene.player.pause();
  const card = scene.viewport.canvas.getContext('webgl2');
  const { fenceSync } = card;
  const seen = { pictures: 0, frames: 0 };
  card.fenceSync = (...condition) => {
    seen.pictures++;
    return fenceSync.apply(card, condition);
  };
  const stage = scene.viewport.shadowRoot.querySelector('.stage');
  const start = performance.now();
  for (let last = scene.player.frame; performance.now() - start < watched; last = scene.player.frame) {
    stage.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
    await new Promise(requestAnimationFrame);
    if (scene.player.frame !== last) seen.frames++;
  }
  delete card.fenceSync;
  const renderer = card.getExtension('WEBGL_debug_renderer_info').UNMASKED_RENDERER_WEBGL;
  return {
    ...seen,
    seconds: (performance.now() - start) / 1000,
    points: scene.player.frame.objects.reduce((sum, { x }) => sum + x.length / 3, 0),
    renderer: card.getParameter(renderer),
  };
}

const server = spawn(process.execPath, [join(root, 'bin/heddle.js'), 'studio', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const address = /http:\S+/.exec(String((await once(server.stdout, 'data'))[0]))[0];
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--enable-unsafe-swiftshader'] });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${address}#/scene/${name}`);
  const look = (see, ...values) =>
    page.evaluate(
      `(${see})(document.querySelector('heddle-app')?.shadowRoot?.querySelector('heddle-scene'), ...${JSON.stringify(values)})`,
    );
  while (!(await look((scene) => scene?.player.frame !== undefined))) await page.waitForTimeout(50);
  await look((scene) => scene.player.pause());
  for (const change of changes) {
    const [path, value] = change.split('=');
    await look((scene, path, value) => scene.override(path, value), path, JSON.parse(value));
  }
  await page.waitForTimeout(2000);
  for (const isPlaying of [false, true]) {
    const before = readTimes();
    const { pictures, frames, seconds, points, renderer } = await page.evaluate(turn, [isPlaying, WATCHED]);
    const after = readTimes();
    const perPicture = (type) => ((1000 * (after[type] - before[type])) / pictures).toFixed(0);
    if (!isPlaying) console.log(`${name}: ${points} points, drawn by ${renderer}`);
    console.log(
      `${isPlaying ? 'simulating' : 'paused    '}  ${(pictures / seconds).toFixed(1)} pictures/s, ${(frames / seconds).toFixed(2)} frames/s; ` +
        `processor time a picture: page ${perPicture('renderer')} ms, drawing ${perPicture('gpu-process')} ms` +
        (isPlaying ? `; a frame: page ${((1000 * (after.renderer - before.renderer)) / frames).toFixed(0)} ms` : ''),
    );
  }
} finally {
  await browser.close();
  server.kill();
}
