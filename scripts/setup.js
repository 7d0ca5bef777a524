// What a fresh clone needs before anything else: packages, the build, and a browser for pictures and browser tests.
// Uses only what Node itself brings. Each part does nothing when it is already done.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** A part of the set-up failed; the message is one sentence for the user. */
export class SetupError extends Error {}

/** Runs a program without input; its output is shown. Returns its exit code. */
export function run(program, args, options = {}) {
  const result = spawnSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], ...options });
  if (result.error) throw new SetupError(`${program} could not be started: ${result.error.message}.`);
  return result.status ?? 1;
}

/** Path of the command-line program of an installed package. */
function findProgram(name) {
  const folder = join(root, 'node_modules', name);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : (bin[name.split('/').at(-1)] ?? Object.values(bin)[0]));
}

/** Runs the command-line program of an installed package with this Node. */
export function runPackage(name, args, options = {}) {
  return run(process.execPath, [findProgram(name), ...args], options);
}

/** Starts a program beside others and gives a promise of its exit code. `say` receives its output piece by piece. */
export function startProgram(path, args, { say, ...options }) {
  const program = spawn(path, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
  for (const stream of [program.stdout, program.stderr]) stream.setEncoding('utf8').on('data', say);
  return new Promise((end, fail) => {
    program.on('error', (error) => fail(new SetupError(`${path} could not be started: ${error.message}.`)));
    program.on('close', (code) => end(code ?? 1));
  });
}

/** `startProgram` for the command-line program of an installed package, with this Node. */
export const startPackage = (name, args, options) =>
  startProgram(process.execPath, [findProgram(name), ...args], options);

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new SetupError(`This is Node ${process.versions.node}; Heddle needs Node 20.19 or newer: https://nodejs.org.`);
}

/** True when every package the lock file asks for is there in that version (optional ones may be missing). */
function arePackagesInstalled() {
  const installed = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  const packages = (path) => JSON.parse(readFileSync(path, 'utf8')).packages ?? {};
  const found = packages(installed);
  return Object.entries(packages(join(root, 'package-lock.json'))).every(([path, wanted]) => {
    if (!path.startsWith('node_modules/') || wanted.link) return true;
    if (found[path] === undefined) return wanted.optional === true || wanted.peer === true;
    return found[path].version === wanted.version && existsSync(join(root, path));
  });
}

function installPackages() {
  if (arePackagesInstalled()) return;
  console.log('Installing packages …');
  const npm = process.env.npm_execpath;
  // not `npm ci`: that refuses a lock file made where the registry lacks the optional packages of other platforms.
  // Like this the locked versions are installed, the lock file stays as it is, and such packages are still found.
  const args = ['install', '--no-save', '--no-audit', '--no-fund'];
  const code = npm?.endsWith('.js')
    ? run(process.execPath, [npm, ...args])
    : run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { shell: process.platform === 'win32' });
  if (code !== 0)
    throw new SetupError('The packages could not be installed (see above); check the network and run it again.');
}

function newestChange(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newestChange(join(path, name))));
}

/** Builds of the studio, in order: the first empties studio/dist. Configuration → a file that it makes. */
const STUDIO_BUILDS = { 'vite.config.ts': 'dist/render-page.js', 'vite.app.config.ts': 'dist/app/index.html' };

async function buildStudio() {
  const studio = join(root, 'studio');
  const builds = Object.entries(STUDIO_BUILDS).filter(([config]) => existsSync(join(studio, config)));
  const made = builds.map(([, file]) => join(studio, file));
  const sources = [
    ...['src', 'scenes', 'package-lock.json'].map((path) => join(root, path)),
    ...readdirSync(studio)
      .filter((name) => !['dist', 'node_modules'].includes(name))
      .map((name) => join(studio, name)),
  ];
  const newest = Math.max(...sources.map(newestChange));
  if (made.every((file) => existsSync(file) && newest <= statSync(file).mtimeMs)) return;
  console.log('Building the studio …');
  for (const [config] of builds) {
    const args = ['build', '--config', config, '--logLevel', 'warn'];
    const code = await startPackage('vite', args, { cwd: studio, say: (text) => process.stdout.write(text) });
    if (code !== 0) throw new SetupError('The studio does not build (see above).');
  }
}

function compile() {
  // tsc looks at what changed by itself
  if (runPackage('typescript', ['-b', '.', 'studio']) !== 0) {
    throw new SetupError('The sources do not compile (see above).');
  }
}

const isOnPath = (name) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, name)));

/** Path of the browser, installed from Debian's packages when it is missing and we may; undefined when there is none. */
function provideBrowser({ findChromium }) {
  const found = findChromium();
  if (found !== undefined || process.env.CHROMIUM_PATH) return found;
  if (process.getuid?.() !== 0 || !isOnPath('apt-get')) return undefined;
  console.log('Installing chromium for pictures and browser tests …');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', '-qq'], { env });
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation'], { env });
  return findChromium();
}

/** Sets up what needs no browser: packages, and the engine with its command. */
export function setUpEngine() {
  checkNode();
  installPackages();
  compile();
}

/**
 * After `setUpEngine`, and beside other programs: builds the studio and looks for a browser. `browser` is undefined when there is none and none could be
 * installed; `noBrowser` is then the sentence that says what to do.
 */
export async function setUpPages() {
  await buildStudio();
  const chromium = await import('../dist/cli/chromium.js');
  return { browser: provideBrowser(chromium), noBrowser: chromium.NO_CHROMIUM };
}

/** Sets everything up, as `setUpPages` says. */
export function setUp() {
  setUpEngine();
  return setUpPages();
}

/** Runs a script's main function; a failed set-up prints its sentence and ends with 1. */
export async function main(job) {
  try {
    process.exitCode = await job();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
