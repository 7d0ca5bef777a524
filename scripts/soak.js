// Runs worlds for very long: node scripts/soak.js [run …] [--share 0.01] [--csv FILE] (after npm run build)
// Every run takes its number of steps (times --share), looks at memory, energy, mass and the least distance of neighbouring nodes a hundred times, and
// prints what they did; --csv writes every look. Memory is what is used after garbage collection: JavaScript's heap and array buffers. Exit code 1 where
//   - memory grows: the second half of a run needs more than the first half by more than MORE_MEMORY,
//   - energy: a run that keeps its energy differs from its start by more than `keeps`, relative to that; a run that only loses it ends with more;
//     one that is driven has more of it, that of gravity left out, in its second half than DRIVEN times what it had in its first,
//   - mass differs from its start by more than MASS, relative to that; a number is not finite; nodes meet; there are fewer remeshings than `remeshings`.
import { readFileSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { compile, parseScene, validateScene } from 'heddle';

const MORE_MEMORY = 1e6;
const DRIVEN = 1.5;
const MASS = 1e-9;
const LOOKS = 100;

const SCENES = new URL('../scenes/', import.meta.url);

/** A scene of the gallery, which is run on beyond its end. */
const fromGallery = (name) => () =>
  compile(parseScene(readFileSync(new URL(`${name}.json`, SCENES), 'utf8')), {
    readFile: (file) => new Uint8Array(readFileSync(new URL(file, SCENES))),
  });

/** A closed belt that runs through five guides: nodes of its material are taken out before each of them and put in behind it, for ever. */
const createBelt = (gravity, slack) => () => {
  const points = Array.from({ length: 5 }, (_, k) => {
    const angle = (2 * Math.PI * k) / 5;
    return [0.5 * Math.cos(angle), 0.5 * Math.sin(angle), 0];
  });
  const belt = {
    type: 'strand',
    id: 'belt',
    closed: true,
    material: { radius: 0.006, linearDensity: 0.15, stretchStiffness: 3000, bendingStiffness: 0 },
    points,
    nodes: 20,
    slide: 3,
    restLength: 5 * Math.sin(Math.PI / 5) * slack,
    guides: points.map((point, k) => ({ id: `g${k}`, point })),
  };
  const scene = { heddle: 1, name: 'belt', title: 'Belt', gravity, objects: [belt], time: { step: 1e-3, duration: 1 } };
  return compile(validateScene(scene));
};

/** What runs: steps, the world, and what its energy does: kept to a share, only lost, or driven. */
const RUNS = {
  belt: { steps: 1e6, remeshings: 1e5, keeps: 1e-6, create: createBelt([0, 0, 0], 0.99) },
  'slack-belt': { steps: 2e5, remeshings: 1e4, loses: true, create: createBelt([0, -9.81, 0], 1.02) },
  'strand-lasso': { steps: 5000, create: fromGallery('strand-lasso') },
  'rod-cord': { steps: 3000, create: fromGallery('rod-cord') },
  'sheet-flag': { steps: 3000, create: fromGallery('sheet-flag') },
  'sheet-drape': { steps: 1500, create: fromGallery('sheet-drape') },
  'fabric-hang': { steps: 5000, create: fromGallery('fabric-hang') },
  'mpm-cloth-sphere': { steps: 3000, create: fromGallery('mpm-cloth-sphere') },
};

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

function measureMemory() {
  collectGarbage();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return { heap: heapUsed, buffers: arrayBuffers, rss };
}

/** Of all objects and bodies that forces move; continua have theirs from their particles [kg]. */
function computeMass(world) {
  return world.models.reduce((sum, model) => {
    const particles = model.continuum?.points.mass;
    if (particles) return sum + particles.reduce((a, b) => a + b, 0);
    return sum + (model.computeMass?.() ?? model.body.mass);
  }, 0);
}

/** Least distance of neighbours: of material coordinates along curves, of edges in the material of sheets; elsewhere of no meaning [m]. */
function computeSpacing(world) {
  let least = Number.POSITIVE_INFINITY;
  for (const object of world.frame().objects) {
    if (object.type === 'curve')
      for (let i = 1; i < object.u.length; i++) least = Math.min(least, object.u[i] - object.u[i - 1]);
    if (object.type === 'surface')
      for (let k = 0; k < object.triangles.length; k++) {
        const [a, b] = [object.triangles[k], object.triangles[k % 3 === 2 ? k - 2 : k + 1]];
        least = Math.min(
          least,
          Math.hypot(object.X[2 * b] - object.X[2 * a], object.X[2 * b + 1] - object.X[2 * a + 1]),
        );
      }
  }
  return least;
}

const largest = (rows, read) => rows.reduce((most, row) => Math.max(most, read(row)), 0);

/** What does not hold of a run, as sentences. */
function findFaults({ keeps, loses, remeshings = 0 }, rows, share) {
  const [first, second] = [rows.slice(1, rows.length >> 1), rows.slice(rows.length >> 1)];
  const memory = ({ heap, buffers }) => heap + buffers;
  const growth = largest(second, memory) - largest(first, memory);
  const [start, end] = [rows[0], rows[rows.length - 1]];
  const drift = largest(rows, ({ energy }) => Math.abs(energy / start.energy - 1));
  const faults = [];
  if (growth > MORE_MEMORY) faults.push(`memory grows by ${(growth / 1e6).toFixed(1)} MB`);
  if (!rows.every(({ energy, mass }) => Number.isFinite(energy) && Number.isFinite(mass)))
    faults.push('not a finite number');
  if (keeps !== undefined && drift > keeps) faults.push(`energy differs by ${drift.toExponential(1)}`);
  if (loses && end.energy > start.energy) faults.push('energy was gained');
  const size = ({ motion }) => motion;
  if (keeps === undefined && !loses && largest(second, size) > DRIVEN * largest(rows.slice(0, rows.length >> 1), size))
    faults.push('energy grows');
  if (largest(rows, ({ mass }) => Math.abs(mass / start.mass - 1)) > MASS) faults.push('mass changes');
  if (!rows.every(({ spacing }) => spacing > 0)) faults.push('nodes meet');
  if (end.remeshings < remeshings * share) faults.push(`only ${end.remeshings} remeshings`);
  return faults;
}

/** Runs one; returns its looks. */
function soak(name, { create, steps }, share) {
  const world = create();
  const count = Math.max(LOOKS, Math.round(steps * share));
  const rows = [];
  let [remeshings, rejected, rescues] = [0, 0, 0];
  const look = (step) => {
    const { total, gravity } = world.energy();
    rows.push({
      run: name,
      step,
      ...measureMemory(),
      energy: total,
      motion: total - gravity,
      mass: computeMass(world),
      spacing: computeSpacing(world),
      nodes: world.nodeCount,
      remeshings,
      rejected,
      rescues,
    });
  };
  look(0);
  for (let n = 1; n <= count; n++) {
    const report = world.step();
    remeshings += report.remeshings;
    rejected += report.rejected;
    rescues += report.rescues;
    if (Math.floor((n * LOOKS) / count) > Math.floor(((n - 1) * LOOKS) / count)) look(n);
  }
  return rows;
}

const words = process.argv.slice(2);
const take = (option) => {
  const at = words.indexOf(option);
  return at < 0 ? undefined : words.splice(at, 2)[1];
};
const share = Number(take('--share') ?? 1);
const csv = take('--csv');
const names = words.length > 0 ? words : Object.keys(RUNS);
const unknown = names.find((name) => !(name in RUNS));
if (unknown !== undefined || !(share > 0)) {
  console.error(
    unknown === undefined
      ? '--share must be above 0.'
      : `There is no run "${unknown}"; there are ${Object.keys(RUNS).join(', ')}.`,
  );
  process.exit(2);
}

const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
const all = [];
let isGood = true;
console.log(
  '| run | steps | remeshings | rejected | rescues | heap MB, middle and end | buffers MB | rss MB | energy J, start and end | mass kg | least spacing m | ms a step | |',
);
console.log('|---|---|---|---|---|---|---|---|---|---|---|---|---|');
for (const name of names) {
  const before = process.cpuUsage();
  const rows = soak(name, RUNS[name], share);
  const { user, system } = process.cpuUsage(before);
  const faults = findFaults(RUNS[name], rows, share);
  isGood &&= faults.length === 0;
  all.push(...rows);
  const [start, middle, end] = [rows[0], rows[rows.length >> 1], rows[rows.length - 1]];
  const cells = [
    name,
    end.step,
    end.remeshings,
    end.rejected,
    end.rescues,
    `${megabytes(middle.heap)}, ${megabytes(end.heap)}`,
    `${megabytes(middle.buffers)}, ${megabytes(end.buffers)}`,
    megabytes(end.rss),
    `${start.energy.toPrecision(8)}, ${end.energy.toPrecision(8)}`,
    end.mass.toPrecision(6),
    Number.isFinite(end.spacing) ? Math.min(...rows.map(({ spacing }) => spacing)).toPrecision(3) : '–',
    ((user + system) / 1000 / end.step).toPrecision(3),
    faults.join('; ') || 'holds',
  ];
  console.log(`| ${cells.join(' | ')} |`);
  if (csv) {
    const columns = Object.keys(all[0]);
    writeFileSync(csv, `${[columns, ...all.map((row) => columns.map((column) => row[column]))].join('\n')}\n`);
  }
}
process.exitCode = isGood ? 0 : 1;
