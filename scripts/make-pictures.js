// Draws the pictures of README.md and docs/ anew into docs/pictures: node scripts/make-pictures.js [names]
// Each is a frame of a gallery scene, simulated and drawn by Heddle. Needs Chromium. Plots are drawn by scripts/plot-*.js.
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { main, root, run, setUp } from './setup.js';

const heddle = join(root, 'bin/heddle.js');
const pictures = join(root, 'docs/pictures');
/** Largest picture that is kept in the repository [bytes]. */
const LARGEST = 300_000;

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
  edge: { scene: 'strand-edge', time: 0.9, size: '720x480' },
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

function makePicture(name, { scene, time, size, set = [] }, folder) {
  const out = join(folder, name);
  const assignments = set.flatMap((assignment) => ['--set', assignment]);
  const steps = [
    ['run', scene, '--out', out, ...assignments],
    ['render', out, '--time', String(time), '--size', size],
  ];
  for (const args of steps) {
    const code = run(process.execPath, [heddle, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
    if (code !== 0) return code;
  }
  const [file] = readdirSync(join(out, 'png'));
  const target = join(pictures, `${name}.png`);
  copyFileSync(join(out, 'png', file), target);
  const { size: bytes } = statSync(target);
  console.log(`${relative(process.cwd(), target)}  ${Math.round(bytes / 1000)} kB`);
  if (bytes <= LARGEST) return 0;
  console.error(`${name}.png has ${bytes} bytes; at most ${LARGEST} belong into the repository: make it smaller.`);
  return 1;
}

await main(async () => {
  const { browser, noBrowser } = await setUp();
  if (browser === undefined) {
    console.error(noBrowser);
    return 1;
  }
  process.env.CHROMIUM_PATH = browser;
  mkdirSync(pictures, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'heddle-pictures-'));
  try {
    const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PICTURES);
    for (const name of names) {
      const picture = PICTURES[name];
      if (picture === undefined) {
        console.error(`There is no picture ${name}; there are ${Object.keys(PICTURES).join(', ')}.`);
        return 2;
      }
      const code = makePicture(name, picture, folder);
      if (code !== 0) return code;
    }
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
