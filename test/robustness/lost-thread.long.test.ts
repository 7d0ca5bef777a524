/**
 * The second thread of the kernels is killed while it computes, for real: its worker is terminated in the middle of a part, or its heap is full when it has done one and not said so.
 * The step is taken without it, to the bits of one thread: nothing is lost, and there is nothing to say.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Runs a scene until its second thread was lost while it had a part, and one step more; then as many steps without threads. */
const CHILD = `
const [way, name, ...changes] = process.argv.slice(1);
const threads = process.getBuiltinModule('node:worker_threads');
const [JOB, CLAIM, DONE] = [0, 1, 2];
const STOP = -1;
let current;
let isKilled = false;
let lost = 0;
const said = [];

const { Worker } = threads;
threads.Worker = class extends Worker {
  constructor(source, options) {
    const isHungry = way === 'out of memory';
    const done = 'outcome = 1;';
    if (!source.includes(done)) throw new Error('the thread is not what it was');
    const hog = 'if ((globalThis.parts = (globalThis.parts ?? 0) + 1) === 3) for (const hog = []; ; ) hog.push(Array.from({ length: 1e4 }, () => ({})));';
    super(isHungry ? source.replace(done, hog + done) : source, {
      ...options,
      ...(isHungry && { resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 } }),
    });
    current = { worker: this, control: options.workerData.control };
    this.on('error', ({ code }) => said.push(code));
  }
};

/** Whether the second thread has taken a part and not done it. */
const isComputing = () => Atomics.load(current.control, CLAIM) === 1 && Atomics.load(current.control, DONE) === 0;

const { Instance } = WebAssembly;
WebAssembly.Instance = function (...args) {
  const { exports } = new Instance(...args);
  const watch = (kernel) => (...args) => {
    const domain = args[1];
    // given up: the part that it had taken is done here
    if (domain === 1 && current !== undefined && Atomics.load(current.control, JOB) === STOP && isComputing()) lost++;
    const result = kernel(...args);
    if (domain === 0 && current !== undefined && !isKilled && way === 'terminated') {
      for (let looks = 0; looks < 2000 && !isComputing(); looks++);
      isKilled = isComputing();
      if (isKilled) current.worker.terminate();
    }
    return result;
  };
  return { exports: Object.fromEntries(Object.entries(exports).map(([key, value]) => [key, typeof value === 'function' ? watch(value) : value])) };
};

const { compile, parseScene, setPointer } = await import('heddle/scene');
const { readFileSync } = await import('node:fs');
const build = () =>
  compile(
    parseScene(readFileSync('scenes/' + name + '.json', 'utf8'), {
      change: (raw) => {
        for (const change of changes) setPointer(raw, change.split('=')[0], Number(change.split('=')[1]));
      },
    }),
  );
let world;
while (lost === 0) {
  isKilled = false;
  world = build();
  while (lost === 0 && !isKilled && world.steps < 300) {
    world.step();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
world.step();
delete globalThis.SharedArrayBuffer;
current = undefined;
const alone = build();
while (alone.steps < world.steps) alone.step();
console.log(JSON.stringify({ lost, said, hash: world.hash(), alone: alone.hash(), rejected: world.report.rejected }));
process.exit();
`;

const run = promisify(execFile);

test.concurrent.each([
  ['fabric-hang', 'out of memory', '/objects/0/layers/0/pattern/warps=64', '/objects/0/layers/0/pattern/wefts=64'],
  ['mpm-sand-column', 'terminated', '/objects/0/spacing=0.04'],
])('%s goes on to the same bits when its second thread is %s', async (name, way, ...changes) => {
  const cwd = fileURLToPath(new URL('../../', import.meta.url));
  const args = ['--input-type=module', '-e', CHILD, '--', way, name, ...changes];
  const { stdout, stderr } = await run(process.execPath, args, { cwd });
  expect(stderr).toBe('');
  const { lost, said, hash, alone } = JSON.parse(stdout);
  // what it had taken, done here
  expect(lost).toBeGreaterThan(0);
  expect(said).toEqual(way === 'out of memory' ? ['ERR_WORKER_OUT_OF_MEMORY'] : []);
  expect(hash).toBe(alone);
});
