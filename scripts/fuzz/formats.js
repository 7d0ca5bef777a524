// The formats that are fuzzed. Each makes an input of random numbers (bytes or a text) and says what reading it is: all that Heddle
// would do with such a file, short of a long run. A reader either succeeds or throws a HeddleError; judge.js looks at that.
import {
  createKnitFromKnitout,
  EXPORTERS,
  encodeChunk,
  readBcc,
  readCheckpoint,
  readFrame,
  readGltfClip,
  readGltfMesh,
  readKnitout,
  readObjCurves,
  readObjMesh,
  readObjPoses,
  readProbes,
  readScene,
  readSummary,
  readWif,
  scanChunks,
} from 'heddle/io';
import { createKnitNet, findKnitFault } from 'heddle/patterns';
import { compile, parseScene, readSceneJson, setPath, setPointer, validateScene } from 'heddle/scene';
import { damageBytes, damageJson, damageScene, damageText, pick } from './damage.js';
import * as samples from './samples.js';

/** Steps of a scene that was accepted. */
const STEPS = 2;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A scene that the file is a part of: built, and a few steps. */
function runFileScene(name, bytes, variant) {
  const scenes = samples.FILE_SCENES[name.split('.').at(-1)];
  const whole = encoder.encode(samples.OBJ);
  const scene = validateScene(scenes[variant % scenes.length]);
  runWorld(compile(scene, { readFile: (file) => (file === name ? bytes : whole) }));
}

/** Bytes of a text that was damaged as text, or as bytes. */
const damageFile = (random, text) =>
  random() < 0.7 ? encoder.encode(damageText(random, text)) : damageBytes(random, encoder.encode(text));

function requireFinite(what, values) {
  for (let i = 0; i < values.length; i++)
    if (!Number.isFinite(values[i])) throw new Error(`${what}[${i}] is ${values[i]}`);
}

function requireIndices(what, indices, count) {
  for (let i = 0; i < indices.length; i++)
    if (!(indices[i] >= 0 && indices[i] < count)) throw new Error(`${what}[${i}] is ${indices[i]} of ${count}`);
}

function checkMesh({ positions, indices, curves }) {
  requireFinite('positions', positions);
  requireIndices('indices', indices, positions.length / 3);
  for (const curve of curves) requireFinite('curve', curve);
}

function checkPoses({ poses, indices }) {
  for (const pose of poses) requireFinite('pose', pose);
  requireIndices('indices', indices, poses[0].length / 3);
}

function checkFrame({ objects }, id) {
  for (const object of objects) {
    requireFinite(`${id} ${object.id}.x`, object.x);
    for (const [name, values] of Object.entries(object.fields)) requireFinite(`${object.id}.${name}`, values);
  }
}

/** A few steps of a world: finite, or a StepError. */
function runWorld(world) {
  const probes = new Float64Array(world.probeColumns.length);
  for (let n = 0; n < STEPS; n++) world.step();
  world.writeProbes(probes);
  checkFrame(world.frame(), 'frame');
  requireFinite('probes', probes);
}

const readSceneText = (text) => {
  const scene = parseScene(text, { source: 'case.json' });
  const again = JSON.stringify(validateScene(scene));
  if (again !== JSON.stringify(scene)) throw new Error('validation of an accepted scene changes it');
  runWorld(compile(scene, { readFile: samples.readSceneFile }));
};

const readMeshes = (bytes) => {
  const text = decoder.decode(bytes);
  const failed = [
    () => checkMesh(readObjMesh(text, { source: 'case.obj' })),
    () => {
      for (const { points } of readObjCurves(text, { source: 'case.obj' }).curves) requireFinite('curve', points);
    },
    () => checkPoses(readObjPoses([samples.OBJ, text].map((file, k) => ({ text: file, source: `case-${k}.obj` })))),
    () => runFileScene('case.obj', bytes, bytes.length),
  ].map(attempt);
  rethrow(failed);
};

const readGltf = (bytes) => {
  rethrow(
    [
      () => checkMesh(readGltfMesh(bytes, { source: 'case.glb' })),
      () => checkPoses(readGltfClip(bytes, { source: 'case.glb' })),
      () => runFileScene('case.glb', bytes, bytes.length),
    ].map(attempt),
  );
};

/** What an action throws. */
function attempt(action) {
  try {
    action();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Throws what is no clear error rather than what is. */
function rethrow(errors) {
  const thrown = errors.filter((error) => error !== undefined);
  const odd = thrown.find(
    (error) => typeof error?.name !== 'string' || !/^(Heddle|Format|Scene|Step)Error$/.test(error.name),
  );
  if (thrown.length > 0) throw odd ?? thrown[0];
}

let worlds;
let frameFile;
const getWorlds = () => (worlds ??= samples.createWorlds());
const getFrameFile = () => (frameFile ??= samples.createFrameFile(getWorlds()));

function join(parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** A frame file with damage behind valid check sums, or to the whole. */
function damageFrameFile(random) {
  const { header, chunks } = getFrameFile();
  if (random() < 0.2) return damageBytes(random, join([header, ...chunks]));
  const whole = chunks.map((chunk) => {
    if (random() > 0.4) return chunk;
    const type = decoder.decode(chunk.subarray(0, 4));
    const flags = random() < 0.1 ? Math.floor(random() * 4) : new DataView(chunk.buffer).getUint32(4, true);
    const payload = chunk.subarray(16, chunk.length - 4);
    // what is counted stands in the first bytes
    const front = Math.min(payload.length, 120);
    const damaged =
      random() < 0.7
        ? join([damageBytes(random, payload.slice(0, front)), payload.subarray(front)])
        : damageBytes(random, payload.slice());
    return encodeChunk(type, damaged, flags);
  });
  if (random() < 0.2) whole.push(pick(random, whole));
  if (random() < 0.2) whole.splice(Math.floor(random() * whole.length), 1);
  return join([header, ...whole]);
}

/** What is done with a frame file: each chunk read, and the frames written in one of the formats. */
async function readFrameFile(bytes) {
  const index = scanChunks(bytes);
  const frames = [];
  const errors = [];
  for (const entry of index.entries)
    errors.push(
      attempt(() => {
        if (entry.type === 'SCEN') attempt(() => parseScene(readScene(bytes, entry).text));
        if (entry.type === 'FRAM') frames.push(readFrame(bytes, entry));
        if (entry.type === 'CKPT') readCheckpoint(bytes, entry);
        if (entry.type === 'DONE') readSummary(bytes, entry);
      }),
    );
  let probes = { columns: [], rows: [] };
  errors.push(attempt(() => (probes = readProbes(bytes, index))));
  const run = { name: 'case', frames, bodies: [], probes };
  try {
    const { files } = await EXPORTERS[bytes.length % EXPORTERS.length].write(run);
    for (const file of files) if (!(file.bytes.length >= 0)) throw new Error(`${file.path} has no bytes`);
  } catch (error) {
    errors.push(error);
  }
  rethrow(errors);
}

const KEYS = ['objects', 'nodes', 'time', 'step', 'materials', 'size', 'view', '__proto__', 'constructor', 'type', 'x'];

function makeAssignment(random) {
  if (random() < 0.5)
    return damageText(random, pick(random, ['objects[0].nodes=80', 'time.step=0.01', 'size=paper', 'view.nodes=true']));
  const parts = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
    random() < 0.7 ? pick(random, KEYS) : `[${pick(random, [0, 1, 2, 99, 1e9, -1])}]`,
  );
  return `${parts.join(pick(random, ['.', '.', '', '..', '/']))}=${damageJson(random, [1, { a: 'b' }, [2, 3], null])}`;
}

/**
 * In the order of the seeds: case n is of format n modulo their number.
 *   name, extension of a case's file, make(random) → bytes or text, read(input)
 */
export const FORMATS = [
  {
    name: 'scene',
    extension: 'json',
    make: (random) => damageScene(random, pick(random, samples.SCENE_BASES)),
    read: readSceneText,
  },
  { name: 'wif', extension: 'wif', make: (random) => damageFile(random, samples.WIF), read: readDraft },
  {
    name: 'obj',
    extension: 'obj',
    make: (random) => damageFile(random, pick(random, [samples.OBJ, samples.CLOTH])),
    read: readMeshes,
  },
  { name: 'gltf', extension: 'glb', make: damageGltf, read: readGltf },
  { name: 'frames', extension: 'heddle', make: damageFrameFile, read: readFrameFile },
  {
    name: 'scene text',
    extension: 'json',
    make: (random) => damageText(random, JSON.stringify(pick(random, samples.SCENE_BASES), null, 2), 1),
    read: readSceneText,
  },
  { name: 'knitout', extension: 'k', make: (random) => damageFile(random, samples.KNITOUT), read: readKnit },
  { name: 'bcc', extension: 'bcc', make: (random) => damageBytes(random, samples.BCC), read: readCurves },
  { name: 'set', extension: 'txt', make: makeAssignment, read: readAssignment },
  { name: 'state', extension: 'bin', make: damageState, read: readState },
];

function readDraft(bytes) {
  const draft = readWif(bytes, { source: 'case.wif' });
  if (draft.over.length !== draft.ends * draft.picks) throw new Error('a draft has other crossings than ends × picks');
  for (const { spacing, thickness, colours } of [draft.warp, draft.weft]) {
    requireFinite('spacing', spacing);
    requireFinite('thickness', thickness);
    for (const colour of colours) if (colour !== undefined) requireFinite('colour', colour);
  }
  runFileScene('case.wif', bytes, 0);
}

function damageGltf(random) {
  const { json, binary } = samples.GLTF;
  const kind = random();
  if (kind < 0.2) return damageBytes(random, samples.packGlb(JSON.stringify(json), binary));
  const damaged = random() < 0.4 ? damageBytes(random, binary) : binary;
  const text = random() < 0.85 ? damageJson(random, json) : damageText(random, JSON.stringify(json));
  if (kind < 0.8) return samples.packGlb(text, damaged);
  const uri = `data:application/octet-stream;base64,${Buffer.from(damaged).toString('base64')}`;
  const embedded = text.replace(/"buffers":\s*\[\s*\{/, `"buffers": [{ "uri": "${uri}",`);
  return encoder.encode(embedded);
}

function readKnit(bytes) {
  const program = readKnitout(bytes, { source: 'case.k' });
  const knit = createKnitFromKnitout(program, { source: 'case.k' });
  if (findKnitFault(knit) === undefined)
    createKnitNet({ knit, spacing: { wale: 0.01, course: 0.008 }, radius: 0.001, materials: [0, 0], tightness: 0.5 });
}

function readCurves(bytes) {
  for (const { points } of readBcc(bytes, { source: 'case.bcc' }).curves) requireFinite('curve', points);
}

function readAssignment(assignment) {
  const [base] = samples.SCENE_BASES;
  const raw = readSceneJson(JSON.stringify(base));
  const equals = assignment.indexOf('=');
  const failed = attempt(() => setPath(raw, assignment));
  const path = assignment.slice(0, equals).replace(/\[(\w+)\]/g, '.$1');
  const pointer = attempt(() => setPointer(structuredClone(base), `/${path.replaceAll('.', '/')}`, 1));
  rethrow([failed, pointer, attempt(() => validateScene(raw))]);
}

function damageState(random) {
  const which = Math.floor(random() * getWorlds().length);
  const state = getWorlds()[which].world.save();
  return join([Uint8Array.of(which), damageBytes(random, state.slice())]);
}

function readState(input) {
  const { text } = getWorlds()[input[0] % getWorlds().length];
  const world = compile(parseScene(text));
  world.load(input.slice(1));
  // what fits is a state, however odd its numbers: steps go on from it, or say that they cannot
  for (let n = 0; n < STEPS; n++) world.step();
}
