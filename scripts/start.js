// npm start: sets up what is missing, simulates the first scene of the gallery, draws pictures of it and says which
// files to open.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { main, root, run, SetupError, setUp } from './setup.js';

const heddle = join(root, 'bin/heddle.js');

await main(async () => {
  const { browser, noBrowser } = await setUp();
  const { scenes } = JSON.parse(execFileSync(process.execPath, [heddle, 'list', '--json'], { encoding: 'utf8' }));
  if (scenes.length === 0) throw new SetupError('The gallery (scenes/) is empty, so there is nothing to simulate.');
  const { name } = scenes[0];
  const out = join(root, 'out', name);
  const shown = (path) => relative(process.cwd(), join(out, path));

  const code = run(process.execPath, [heddle, 'run', name, '--out', out, '--format', 'glb', '--overwrite']);
  if (code !== 0) return code;
  if (browser !== undefined) {
    const drawn = run(process.execPath, [heddle, 'render', out, '--every', '15'], {
      env: { ...process.env, CHROMIUM_PATH: browser },
    });
    if (drawn !== 0) return drawn;
  } else {
    console.error(`There are no pictures. ${noBrowser}`);
  }

  const pictures = existsSync(join(out, 'png'))
    ? readdirSync(join(out, 'png')).filter((file) => /\.png$/.test(file))
    : [];
  console.log(`\nOpen these:`);
  if (pictures.length > 0)
    console.log(`  ${shown(join('png', pictures.sort().at(-1)))}   the last of ${pictures.length} pictures`);
  console.log(`  ${shown(`${name}.glb`)}   the animation, for Blender or any glTF viewer`);
  console.log(`  ${shown('probes.csv')}   measured values over time`);
  return 0;
});
