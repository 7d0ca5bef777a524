// Reads the cases of some seeds, one line of JSON for each on stdout. A thread beside it watches: a case that takes too much processor
// time or memory ends the process, and the last line says which it was.
import { mkdirSync, writeFileSync, writeSync } from 'node:fs';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

/** Processor time of one case [s]; of the first, which builds worlds to damage, too. */
const MOST_SECONDS = Number(process.env.FUZZ_SECONDS ?? 20);
/** Memory of the process [MB]. */
const MOST_MEGABYTES = Number(process.env.FUZZ_MEGABYTES ?? 1500);
/** How often the thread looks [ms]. */
const INTERVAL = 50;

const say = (line) => writeSync(1, `${JSON.stringify(line)}\n`);
const measureSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
const describeSlow = () => `more than ${MOST_SECONDS} s of processor time`;

/** Seed at hand and processor time when it began [ms]. */
const [SEED, BEGUN] = [0, 1];

if (isMainThread) await readCases();
else watch();

async function readCases() {
  const [first, last, step] = process.argv.slice(2, 5).map(Number);
  const folder = process.argv[5];
  const { createRandom } = await import('heddle/math');
  const { FORMATS } = await import('./formats.js');
  const { judge } = await import('./judge.js');
  const control = new Int32Array(new SharedArrayBuffer(8));
  const begin = (seed) => {
    control[BEGUN] = 1000 * measureSeconds();
    control[SEED] = seed;
  };
  begin(first);
  new Worker(new URL(import.meta.url), { workerData: control }).unref();
  for (let seed = first; seed < last; seed += step) {
    const format = FORMATS[seed % FORMATS.length];
    begin(seed);
    say({ begin: seed, format: format.name });
    const random = createRandom(seed);
    const input = format.make(() => random.uniform());
    if (folder !== undefined) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(`${folder}/${seed}.${format.extension}`, input);
    }
    let error;
    try {
      await format.read(input);
    } catch (thrown) {
      error = thrown;
    }
    // the thread does not see cases that end before it looks
    const seconds = measureSeconds() - control[BEGUN] / 1000;
    const fault = judge(error) ?? (seconds > MOST_SECONDS ? describeSlow() : undefined);
    const sentence = folder === undefined ? undefined : error?.message;
    say({ end: seed, outcome: error === undefined ? 'read' : 'refused', fault, sentence });
  }
  process.exit();
}

function watch() {
  const control = workerData;
  setInterval(() => {
    const seconds = measureSeconds() - control[BEGUN] / 1000;
    const megabytes = process.memoryUsage.rss() / 2 ** 20;
    const fault =
      seconds > MOST_SECONDS
        ? describeSlow()
        : megabytes > MOST_MEGABYTES
          ? `more than ${MOST_MEGABYTES} MB of memory`
          : undefined;
    if (fault === undefined) return;
    say({ end: control[SEED], outcome: 'ended', fault });
    process.kill(process.pid, 'SIGKILL');
  }, INTERVAL);
}
