// Draws the pictures of README.md and docs/ anew into docs/pictures: node scripts/make-pictures.js [names]
// Each is a frame of a gallery scene, or an animation of several side by side, simulated and drawn by Heddle. Needs Chromium. Plots are drawn by
// scripts/plot-*.js.
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { main, root, run, SetupError, setUp } from './setup.js';

const heddle = join(root, 'bin/heddle.js');
const pictures = join(root, 'docs/pictures');
/** Largest picture and largest animation that are kept in the repository [bytes]. */
const [LARGEST, LARGEST_ANIMATION] = [300_000, 2_000_000];

/** Name of the picture → scene, time [s], size, and values of the scene to change for it. */
const closeUp = 'view.camera={"position":[0.22,0.2,0.72],"target":[-0.03,-0.06,0],"fieldOfView":28}';
const shoulders = 'view.camera={"position":[1.3,1.9,2.0],"target":[0,1.12,0]}';
const figure = 'view.camera={"position":[0.12,0.02,1],"target":[0,0,0],"fieldOfView":28}';
const line = 'view.camera={"position":[1.4,0.9,1.9],"target":[0,0.5,0],"fieldOfView":34}';
const PICTURES = {
  'corner-near': { scene: 'strand-corner', time: 0.067, size: '480x400', set: [closeUp] },
  'corner-disabled': { scene: 'strand-corner', time: 0.25, size: '480x400', set: [closeUp] },
  'corner-back': { scene: 'strand-corner', time: 0.45, size: '480x400', set: [closeUp] },
  corner: { scene: 'strand-corner', time: 1.5, size: '720x480' },
  'corner-lagrangian': { scene: 'strand-corner-lagrangian', time: 0.9, size: '720x480' },
  'sheet-edge': { scene: 'sheet-edge', time: 1, size: '720x480' },
  'sheet-edge-lagrangian': { scene: 'sheet-edge-lagrangian', time: 1, size: '720x480' },
  'sheet-drape': { scene: 'sheet-drape', time: 0.8, size: '640x426' },
  'sheet-drape-lagrangian': { scene: 'sheet-drape-lagrangian', time: 0.8, size: '640x426' },
  'sheet-two': { scene: 'sheet-two', time: 0.4, size: '720x480' },
  'sheet-two-lagrangian': { scene: 'sheet-two-lagrangian', time: 0.29, size: '720x480' },
  'sheet-pyramid': { scene: 'sheet-pyramid', time: 0.55, size: '600x400' },
  'sheet-pyramid-lagrangian': { scene: 'sheet-pyramid-lagrangian', time: 0.55, size: '600x400' },
  'sheet-box-slide': { scene: 'sheet-box-slide', time: 0.55, size: '720x480' },
  'sheet-curtain': { scene: 'sheet-curtain', time: 2.2, size: '720x480' },
  catenary: { scene: 'strand-catenary', time: 0.25, size: '720x400' },
  ring: { scene: 'strand-ring', time: 1.4, size: '720x480' },
  wind: { scene: 'strand-wind', time: 1, size: '720x480' },
  hinge: { scene: 'strand-hinge', time: 1.2, size: '720x480' },
  bollard: { scene: 'strand-bollard', time: 1.3, size: '720x480' },
  atwood: { scene: 'strand-atwood', time: 0.6, size: '720x480' },
  winch: { scene: 'strand-winch', time: 2.05, size: '720x480' },
  tackle: { scene: 'strand-tackle', time: 1.5, size: '720x480' },
  clothesline: { scene: 'strand-clothesline', time: 9, size: '720x400' },
  belt: { scene: 'strand-belt', time: 1.2, size: '720x400' },
  pyramid: { scene: 'strand-pyramid', time: 0.3, size: '720x480' },
  'strand-edge': { scene: 'strand-edge', time: 0.9, size: '720x480' },
  lasso: { scene: 'strand-lasso', time: 0.6, size: '720x400' },
  crossing: { scene: 'strand-crossing', time: 0.8, size: '720x480' },
  twist: { scene: 'strand-twist', time: 2.5, size: '720x400' },
  'cradle-across': { scene: 'strand-cradle', time: 0.5, size: '720x480', set: [figure] },
  cradle: { scene: 'strand-cradle', time: 2.6, size: '720x480', set: [figure] },
  running: { scene: 'strand-running', time: 0.45, size: '720x400' },
  'rod-whip': { scene: 'rod-whip', time: 0.215, size: '720x480' },
  'rod-twist': { scene: 'rod-twist', time: 5.4, size: '720x480' },
  'rod-knot-overhand': { scene: 'rod-knot-overhand', time: 0.7, size: '720x480' },
  'rod-edge': { scene: 'rod-edge', time: 1.2, size: '720x480' },
  'rod-wrap-four': { scene: 'rod-wrap-four', time: 1, size: '720x480' },
  'fabric-tablecloth': { scene: 'fabric-tablecloth-turned', time: 0.1, size: '600x400' },
  'fabric-sphere': { scene: 'fabric-sphere-honeycomb', time: 0.05, size: '640x426' },
  'mpm-poncho': { scene: 'mpm-poncho', time: 1.3, size: '640x426', set: ['size=fine', shoulders] },
  'mpm-knit-curtain': { scene: 'mpm-knit-curtain', time: 0.66, size: '640x426' },
  'rod-cantilever': { scene: 'rod-cantilever', time: 5, size: '720x480' },
  'mixed-clothesline': { scene: 'mixed-clothesline', time: 0.6, size: '480x300', set: [line] },
};

const ropeCamera = 'view.camera={"position":[0.6,0.42,1.3],"target":[-0.17,-0.2,0],"fieldOfView":33}';
const clothCamera = 'view.camera={"position":[1.15,0.8,1.25],"target":[-0.04,-0.05,0],"fieldOfView":31}';
const rope = [ropeCamera, 'view.markers=0'];

/** Name of the animation → rows of scenes side by side with their titles, size of each, and which of their frames. */
const ANIMATIONS = {
  edge: {
    rows: [
      [
        { scene: 'strand-corner', title: 'EoL: a node stays on the edge', set: rope },
        { scene: 'strand-corner-lagrangian', title: 'Lagrangian: the rope cuts the edge', set: rope },
      ],
      [
        { scene: 'sheet-edge', title: 'EoL: vertices stay on the edge', set: [clothCamera] },
        { scene: 'sheet-edge-lagrangian', title: 'Lagrangian: the cloth cuts the edge', set: [clothCamera] },
      ],
    ],
    size: [400, 300],
    until: 2,
    every: 4,
    framesPerSecond: 15,
    hold: 1,
  },
};

/** Calls the command; its exit code other than 0 is thrown. */
function heddleDoes(...args) {
  const code = run(process.execPath, [heddle, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (code !== 0) throw new SetupError(`heddle ${args.join(' ')} ended with ${code}.`);
}

const listAssignments = (set) => set.flatMap((assignment) => ['--set', assignment]);

/** Says how large a picture has become, and refuses one that is too large. */
function report(target, largest) {
  const { size } = statSync(target);
  console.log(`${relative(process.cwd(), target)}  ${Math.round(size / 1000)} kB`);
  if (size > largest) {
    throw new SetupError(
      `${target} has ${size} bytes; at most ${largest} belong into the repository: make it smaller.`,
    );
  }
}

function makePicture(name, { scene, time, size, set = [] }, folder) {
  const out = join(folder, name);
  heddleDoes('run', scene, '--out', out, ...listAssignments(set));
  heddleDoes('render', out, '--time', String(time), '--size', size);
  const [file] = readdirSync(join(out, 'png'));
  const target = join(pictures, `${name}.png`);
  copyFileSync(join(out, 'png', file), target);
  report(target, LARGEST);
}

async function makeAnimation(name, { rows, size, until, every, ...options }, folder) {
  const { encodeAnimatedPng } = await import('../dist/cli/animated-png.js');
  const { decodePng, tile } = await import('../dist/cli/palette-png.js');
  const drawn = rows.map((row) =>
    row.map(({ scene, title, set }) => {
      const out = join(folder, name, scene);
      const changes = listAssignments([...set, `title=${title}`]);
      heddleDoes('run', scene, '--out', out, '--until', String(until), ...changes);
      heddleDoes('render', out, '--every', String(every), '--size', size.join('x'));
      return readdirSync(join(out, 'png'))
        .sort()
        .map((file) => join(out, 'png', file));
    }),
  );
  function* decodeFrames() {
    for (let f = 0; f < drawn[0][0].length; f++) {
      yield tile(drawn.map((row) => row.map((files) => decodePng(readFileSync(files[f])))));
    }
  }
  const target = join(pictures, `${name}.png`);
  writeFileSync(target, encodeAnimatedPng(decodeFrames, options));
  report(target, LARGEST_ANIMATION);
}

await main(async () => {
  const { browser, noBrowser } = await setUp();
  if (browser === undefined) throw new SetupError(noBrowser);
  process.env.CHROMIUM_PATH = browser;
  mkdirSync(pictures, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'heddle-pictures-'));
  try {
    const all = [...Object.keys(PICTURES), ...Object.keys(ANIMATIONS)];
    for (const name of process.argv.length > 2 ? process.argv.slice(2) : all) {
      if (name in PICTURES) makePicture(name, PICTURES[name], folder);
      else if (name in ANIMATIONS) await makeAnimation(name, ANIMATIONS[name], folder);
      else throw new SetupError(`There is no picture ${name}; there are ${all.join(', ')}.`);
    }
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
