// Draws the thumbnails of the studio's gallery anew: node scripts/make-thumbnails.js [SCENE …]
// One picture of every scene of the gallery, simulated and drawn by Heddle, at a moment that shows what it is about, into
// studio/public/thumbnails. Drawn at twice the size and halved, so that thin cords stay smooth; the lines with title and key
// are cut off, because at that size nobody could read them. Needs Chromium.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { main, root, run, SetupError, setUp } from './setup.js';

const heddle = join(root, 'bin/heddle.js');
const scenes = join(root, 'scenes');
const thumbnails = join(root, 'studio/public/thumbnails');
/** Width and height of a thumbnail in pixels, and the largest file that is kept in the repository. */
const [WIDTH, HEIGHT, LARGEST] = [480, 300, 25_000];

/** Rows with writing, above and below, before the picture is halved; a scale of colours has its title above it. */
const [ABOVE, BELOW, BELOW_SCALE] = [56, 48, 72];

const camera = (position, target, fieldOfView) => `view.camera=${JSON.stringify({ position, target, fieldOfView })}`;

/** Moments [s] and values to change where the middle of the scene, as it is, is not the best picture. */
const MOMENTS = {
  'fabric-hammock': { time: 0.3 },
  'fabric-hang': { time: 1.2 },
  'fabric-incline-slides': { time: 0.15 },
  'fabric-incline-stays': { time: 0.15 },
  'fabric-pocket': { time: 0.024 },
  'fabric-scarf': { time: 0.12 },
  'fabric-tablecloth-one': { time: 0.24 },
  'fabric-tablecloth-slippery': { time: 0.16 },
  'fabric-tablecloth-three': { time: 0.16 },
  'fabric-tablecloth-turned': { time: 0.1 },
  'fabric-tablecloth-two': { time: 0.16 },
  'fabric-tag-across': { time: 0.04 },
  'fabric-tag-along': { time: 0.04 },
  'fabric-tag-separates': { time: 0.03 },
  'fabric-tag-sheared': { time: 0.04 },
  'mixed-awning': { time: 0.3 },
  'mixed-clothesline': { time: 0.6, set: [camera([1.4, 0.9, 1.9], [0, 0.5, 0], 34)] },
  'mixed-eyelet': { time: 0.56, set: [camera([0.34, 0.22, 0.64], [0.01, 0, 0], 34)] },
  'mixed-pulleys': { time: 0.42 },
  'mixed-sand-hammock': { time: 0.44, set: [camera([0.2, 0.2, 0.36], [0, -0.02, 0], 35)] },
  'mpm-carpet': { time: 0.95, set: [camera([-0.5, 0.9, 1.6], [0.1, 0.15, 0], 40)] },
  'mpm-cloth-curtain': { time: 0.7 },
  'mpm-cloth-curtains': { time: 1.1 },
  'mpm-cloth-sand': { time: 0.5 },
  'mpm-cloth-slime': { time: 0.85, set: [camera([1, 1.9, 2], [0, 0.8, 0], 34)] },
  'mpm-cloth-sphere': { time: 0.7 },
  'mpm-cloth-twister': { time: 1 },
  'mpm-curtain-goo': { time: 0.42 },
  'mpm-curtain-sand': { time: 0.42 },
  'mpm-curves-compared': { time: 0.6, set: [camera([0, 0.9, 3.2], [0, 0.72, 0], 31)] },
  'mpm-curves-friction': { time: 1, set: [camera([0, 0.6, 3.1], [0, 0.36, 0], 38)] },
  'mpm-hair-tubes': { time: 0.45 },
  'mpm-knit-anisotropy': { time: 0.3 },
  'mpm-knit-curtain': { time: 0.66 },
  'mpm-knit-sweater': { time: 0.6, set: [camera([0.75, 0.95, 1.75], [0, 0.33, 0], 38)] },
  'mpm-knit-twister': { time: 1.1 },
  'mpm-poncho': { time: 1.4, set: [camera([1.0, 1.75, 1.6], [0, 1.25, 0], 40)] },
  'mpm-sand-column': { time: 0.6 },
  'mpm-tearing': { time: 0.45 },
  'rod-knot-double-overhand': { time: 1.3, set: [camera([0, 0.07, 0.26], [0, 0, 0], 32)] },
  'rod-knot-figure-eight': { time: 1, set: [camera([-0.03, 0.07, 0.26], [-0.03, 0, 0], 32)] },
  'rod-knot-holds': { time: 0.6, set: [camera([0.02, -0.1, 1.45], [0.02, -0.23, 0], 33)] },
  'rod-knot-overhand': { time: 0.62, set: [camera([0, 0.07, 0.22], [0, 0, 0], 32)] },
  'rod-knot-stevedore': { time: 1.3, set: [camera([-0.03, 0.07, 0.26], [-0.03, 0, 0], 32)] },
  'rod-twist': { time: 5.1, set: [camera([0, 0.09, 0.5], [0, 0.03, 0], 33)] },
  'rod-whip': { time: 0.215, set: [camera([0.8, 1.12, 1.25], [0.8, 1.05, 0], 36)] },
  'rod-wrap-four': { time: 0.45, set: [camera([0.5, 0.4, 1.5], [0, 0.02, 0], 38)] },
  'rod-wrap-one': { time: 0.4, set: [camera([0.5, 0.25, 0.7], [0, 0, 0], 36)] },
  'rod-wrap-two': { time: 0.45, set: [camera([0.45, 0.3, 1], [0, 0, 0], 38)] },
  'rod-cord': { time: 1.2, set: [camera([0.18, 0.2, 0.85], [0, 0.1, 0], 36)] },
  'rod-spaghetti': { time: 0.48 },
  'sheet-box-slide': { time: 0.55 },
  'sheet-curtain': { time: 2.2 },
  'sheet-drape': { time: 0.8 },
  'sheet-pyramid': { time: 0.55 },
  'sheet-pyramid-lagrangian': { time: 0.55 },
  'sheet-drape-lagrangian': { time: 0.8 },
  'sheet-tablecloth': { time: 0.5 },
  'sheet-tablecloth-lagrangian': { time: 0.5 },
  'sheet-rotating': { time: 0.8 },
  'sheet-rotating-lagrangian': { time: 1.3 },
  'sheet-corner': { time: 0.35 },
  'sheet-corner-lagrangian': { time: 0.35 },
  'sheet-slide': { time: 0.6 },
  'sheet-slide-lagrangian': { time: 0.6 },
  'sheet-two': { time: 0.4 },
  'sheet-two-lagrangian': { time: 0.29 },
  'strand-atwood': { time: 0.6, set: [camera([0.75, 0.1, 2.3], [0, -0.46, 0], 36)] },
  'strand-belt': { time: 1.2 },
  'strand-bollard': { time: 1.3, set: [camera([0.5, 0.12, 1.3], [0, -0.22, 0], 38)] },
  'strand-catenary': { time: 0.25 },
  'strand-clothesline': { time: 9 },
  'strand-corner': { time: 1.5 },
  'strand-corner-lagrangian': { time: 0.9 },
  'strand-cradle': { time: 2.6, set: [camera([0.12, 0.02, 1.1], [0, 0, 0], 30)] },
  'strand-crossing': { time: 0.8 },
  'strand-edge': { time: 0.9 },
  'strand-hinge': { time: 1.2 },
  'strand-lasso': { time: 0.6 },
  'strand-pendulum': { time: 2.04, set: [camera([0.55, -0.1, 3], [0, -0.5, 0], 27)] },
  'strand-pyramid': { time: 0.3, set: [camera([1.5, 1.15, 1.5], [0.05, 0.14, 0], 26)] },
  'strand-ring': { time: 1.4, set: [camera([1.2, 0.75, 3], [0.05, -0.08, 0], 23)] },
  'strand-running': { time: 0.45 },
  'strand-tackle': { time: 1.5, set: [camera([1, -0.25, 2.9], [0.21, -0.56, 0], 36)] },
  'strand-timing': { time: 1, set: [camera([0, 0.1, 2.6], [-0.1, 0.05, 0], 40)] },
  'strand-twist': { time: 2.5 },
  'strand-winch': { time: 2.05 },
  'strand-wind': { time: 1, set: [camera([1.25, 0.35, 2.3], [0.22, -0.36, 0], 32)] },
};

async function makeThumbnail(name, folder) {
  const { crop, decodePng, encodeFewColours, halve } = await import('../dist/cli/palette-png.js');
  const out = join(folder, name);
  const { time: end, view } = JSON.parse(readFileSync(join(scenes, `${name}.json`), 'utf8'));
  const below = (view?.colour ?? 'checker') === 'checker' ? BELOW : BELOW_SCALE;
  const { time = end.duration / 2, set = [] } = MOMENTS[name] ?? {};
  const until = ['--until', String(Math.min(end.duration, time + 2 * end.step))];
  const steps = [
    ['run', name, '--out', out, ...until, ...set.flatMap((assignment) => ['--set', assignment])],
    ['render', out, '--time', String(time), '--size', `${2 * WIDTH}x${ABOVE + 2 * HEIGHT + below}`],
  ];
  for (const args of steps) {
    const code = run(process.execPath, [heddle, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
    if (code !== 0) throw new SetupError(`heddle ${args.join(' ')} ended with ${code}.`);
  }
  const [file] = readdirSync(join(out, 'png'));
  const drawn = decodePng(readFileSync(join(out, 'png', file)));
  const picture = halve(crop(drawn, 0, ABOVE, 2 * WIDTH, 2 * HEIGHT));
  // fewer colours until it is small enough
  let bytes = encodeFewColours(picture, 256);
  for (let colours = 128; bytes.length > LARGEST && colours >= 16; colours /= 2) {
    bytes = encodeFewColours(picture, colours);
  }
  const target = join(thumbnails, `${name}.png`);
  writeFileSync(target, bytes);
  console.log(`${relative(process.cwd(), target)}  ${(bytes.length / 1000).toFixed(1)} kB`);
}

await main(async () => {
  const { browser, noBrowser } = await setUp();
  if (browser === undefined) throw new SetupError(noBrowser);
  process.env.CHROMIUM_PATH = browser;
  const all = readdirSync(scenes)
    .filter((file) => file.endsWith('.json'))
    .map((file) => basename(file, '.json'));
  const asked = process.argv.slice(2);
  const unknown = asked.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new SetupError(`"${unknown}" is no scene of the gallery.`);
  mkdirSync(thumbnails, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'heddle-thumbnails-'));
  try {
    for (const name of asked.length > 0 ? asked : all) await makeThumbnail(name, folder);
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
