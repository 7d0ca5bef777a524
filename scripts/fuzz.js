// Damages files of every format that Heddle reads and reads them: node scripts/fuzz.js (after npm run build)
//   --cases 10000     how many
//   --seed 0          of the first; case n is the same for ever, whatever else is run
//   --only gltf       one format
//   --keep DIR        where cases that show a fault are written (out/fuzz), with what was wrong
//   --replay SEED     one case again, written to DIR, with its error
//   --json            one JSON object at the end instead of lines
// Each case must be read, or refused by one of Heddle's errors in clear sentences: no other exception, no more than 20 s of processor
// time, no more than 1.5 GB of memory (FUZZ_SECONDS, FUZZ_MEGABYTES). Exit code 1 where one is not.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const CHILD = fileURLToPath(new URL('./fuzz/child.js', import.meta.url));
/** Heap of the child [MB]; an overflow ends it, and that is a fault of the case. */
const HEAP = 1200;

const { values: options } = parseArgs({
  options: {
    cases: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '0' },
    only: { type: 'string' },
    keep: { type: 'string', default: 'out/fuzz' },
    replay: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

/** Reads the cases first, first + step, … below last in a process of its own until it ends; returns the seed to go on with. */
async function runChild({ first, last, step }, result, folder) {
  const seeds = [first, last, step].map(String);
  const args = [`--max-old-space-size=${HEAP}`, CHILD, ...seeds, ...(folder ? [folder] : [])];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (part) => (stderr = (stderr + part).slice(-4000)));
  let open;
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (text) => {
    const line = JSON.parse(text);
    if (line.begin !== undefined) {
      open = line;
      return;
    }
    // a case that has ended may be ended by the watching thread once more
    if (open === undefined) return;
    const counts = (result.formats[open.format] ??= { cases: 0, read: 0, refused: 0, faults: 0 });
    counts.cases++;
    if (line.fault === undefined) counts[line.outcome]++;
    else noteFault(line.end, open.format, line.fault);
    if (folder && line.sentence) console.log(line.sentence);
    open = undefined;
  });
  const noteFault = (seed, format, fault) => {
    result.formats[format].faults++;
    result.faults.push({ seed, format, fault });
    if (!options.json) console.log(`\ncase ${seed} (${format}): ${fault}`);
  };
  const [code, signal] = await new Promise((resolve) => child.on('close', (...ended) => resolve(ended)));
  if (open === undefined && code === 0) return last;
  if (open !== undefined) {
    result.formats[open.format] ??= { cases: 0, read: 0, refused: 0, faults: 0 };
    result.formats[open.format].cases++;
    noteFault(
      open.begin,
      open.format,
      `the process ended (${signal ?? code}): ${stderr.split('\n').slice(-12).join(' ')}`,
    );
    return open.begin + step;
  }
  const seen = result.faults.at(-1);
  if (seen === undefined || seen.seed < first)
    throw new Error(`the process ended before a case (${signal ?? code}): ${stderr}`);
  return seen.seed + step;
}

async function main() {
  const result = { seed: Number(options.seed), formats: {}, faults: [] };
  if (options.replay !== undefined) {
    const seed = Number(options.replay);
    await runChild({ first: seed, last: seed + 1, step: 1 }, result, options.keep);
    if (result.faults.length === 0) console.log(`case ${seed} is in ${options.keep} and shows no fault.`);
    return result.faults.length;
  }
  const { FORMATS } = await import('./fuzz/formats.js');
  const chosen = FORMATS.findIndex(({ name }) => name === options.only);
  if (options.only !== undefined && chosen < 0) {
    console.error(`--only "${options.only}" is no format; they are ${FORMATS.map(({ name }) => name).join(', ')}.`);
    return 1;
  }
  const step = chosen < 0 ? 1 : FORMATS.length;
  const shift = chosen < 0 ? 0 : (chosen - (result.seed % step) + step) % step;
  const first = result.seed + shift;
  const last = first + step * Number(options.cases);
  for (let seed = first; seed < last; ) seed = await runChild({ first: seed, last, step }, result);
  return conclude(result);
}

/** Writes the files that show a fault, and what was wrong with them. */
async function keep(faults) {
  const { FORMATS } = await import('./fuzz/formats.js');
  const { createRandom } = await import('heddle/math');
  mkdirSync(options.keep, { recursive: true });
  writeFileSync(`${options.keep}/faults.json`, `${JSON.stringify(faults, null, 2)}\n`);
  for (const { seed } of faults) {
    const { make, extension } = FORMATS[seed % FORMATS.length];
    const random = createRandom(seed);
    writeFileSync(
      `${options.keep}/${seed}.${extension}`,
      make(() => random.uniform()),
    );
  }
}

async function conclude(result) {
  const { faults, formats } = result;
  if (faults.length > 0) await keep(faults);
  if (options.json) console.log(JSON.stringify(result));
  else {
    console.log('format        cases   read  refused  faults');
    for (const [name, { cases, read, refused, faults: wrong }] of Object.entries(formats))
      console.log(`${name.padEnd(12)}${[cases, read, refused, wrong].map((n) => String(n).padStart(7)).join(' ')}`);
    const word = faults.length === 0 ? 'no fault' : `${faults.length} faults; replay one with --replay SEED`;
    console.log(`${options.cases} cases from seed ${result.seed} on: ${word}`);
  }
  return faults.length;
}

process.exitCode = (await main()) > 0 ? 1 : 0;
