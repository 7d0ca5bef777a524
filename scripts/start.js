// npm start: sets up what is missing, simulates the scene that README.md begins with, draws pictures of it, says which files to
// open, and serves the studio until Ctrl-C. It ends before the studio with --once, with CI=true and with HEDDLE_NO_STUDIO=1.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { main, root, run, SetupError, setUp } from './setup.js';

const heddle = join(root, 'bin/heddle.js');
/** What README.md begins with; where it is not in the gallery, that one's first scene. */
const SHOWN = 'strand-corner';

/** Whether a variable of the environment says yes. */
const isSet = (name) => !['', '0', 'false', undefined].includes(process.env[name]?.toLowerCase());

/** Simulates and draws a scene; returns the exit code. */
function showFirstScene({ browser, noBrowser }) {
  const { scenes } = JSON.parse(execFileSync(process.execPath, [heddle, 'list', '--json'], { encoding: 'utf8' }));
  if (scenes.length === 0) throw new SetupError('The gallery (scenes/) is empty, so there is nothing to simulate.');
  const { name } = scenes.find((scene) => scene.name === SHOWN) ?? scenes[0];
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
}

await main(async () => {
  const code = showFirstScene(await setUp());
  if (code !== 0 || process.argv.includes('--once') || isSet('CI') || isSet('HEDDLE_NO_STUDIO')) return code;
  console.log('\nServing the studio until Ctrl-C:');
  // in this process, so that whatever ends npm start ends the server, too
  const { runCommand } = await import('../dist/cli/index.js');
  return runCommand(['studio']);
});
