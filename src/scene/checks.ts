/**
 * What no single field of a scene can say: names are unique, references exist, times increase, one of two keys is
 * given, guides lie on their polyline. Works on raw values and skips what has the wrong type (the schema reports that),
 * so that these faults come together with those of the schema.
 */

import { computeHypot3 } from '../math/index.ts';
import { suggest } from '../model/nearest.ts';
import { checkAnimations, isAnimated } from './check-animations.ts';
import { checkFabric, countFabricNodes } from './check-fabrics.ts';
import { checkMaterial, checkMaterialUse } from './check-materials.ts';
import { checkMpm, countParticles } from './check-mpm.ts';
import { checkDirection, checkFrameDriver, checkRod } from './check-rods.ts';
import {
  checkPlace,
  checkProbeKind,
  checkSheet,
  checkType,
  collectKinds,
  countVertices,
  type ObjectKind,
  PLACE_KEYS,
} from './check-sheets.ts';
import {
  checkSpoolProbe,
  checkSpools,
  checkSpoolUse,
  collectSpools,
  countStockNodes,
  type SpoolNames,
} from './check-spools.ts';
import type { LocatedFault, Report } from './faults.ts';
import type { JsonPath } from './json-text.ts';
import { eachRaw, isNumber, isPoint, isRaw, type Point, type Raw } from './raw.ts';
import { PROBE_COLUMNS } from './schema.ts';
import { LIMITS } from './schema-parts.ts';
import { findSizeFaults } from './set-path.ts';
import { formatNumber, formatPath, quote } from './wording.ts';

interface Names {
  /** Names of the guides of each object, spools among them. */
  readonly objects: ReadonlyMap<string, ReadonlySet<string>>;
  readonly spools: ReadonlyMap<string, SpoolNames>;
  readonly bodies: ReadonlySet<string>;
  readonly kinds: ReadonlyMap<string, ObjectKind>;
}

/** All faults between fields. */
export function checkScene(value: unknown): LocatedFault[] {
  const faults: LocatedFault[] = [];
  const report: Report = (path, message) => {
    faults.push({ path, message });
  };
  if (!isRaw(value)) return faults;
  const names = collectNames(value);
  checkUniqueIds(value, report);
  checkNodeTotal(value, report);
  if (isRaw(value.materials)) {
    for (const [name, material] of Object.entries(value.materials)) {
      if (isRaw(material) && name !== '__proto__')
        checkMaterial(material, ['materials', name], report, findRodWithSection(name, value));
    }
  }
  eachRaw(value.objects, ['objects'], (object, path) => {
    if (object.type === 'mpm') {
      checkMpm(object, path, report, (name, at) => checkBodyName(name, at, names, report));
      checkTouchedObjects(object.touching, [...path, 'touching'], names, report);
      return;
    }
    if (object.type !== 'fabric') checkMaterialUse(object.material, [...path, 'material'], object, value, report);
    if (object.type === 'sheet') checkSheet(object, path, report);
    else if (object.type === 'fabric') checkFabric(object, path, value, report);
    else if (object.type === 'rod') {
      if (Array.isArray(object.segments)) checkFractions(object.segments, [...path, 'segments'], report);
      checkNatural(object.natural, [...path, 'natural'], report);
      checkRod(object, path, report, computeLength);
    } else checkStrand(object, path, names, report);
  });
  eachRaw(value.bodies, ['bodies'], (body, path) => checkBody(body, path, report));
  eachRaw(value.drivers, ['drivers'], (driver, path) => checkDriver(driver, path, names, report));
  checkAnimations(value, report);
  checkRestDrivers(value, report);
  eachRaw(value.probes, ['probes'], (probe, path) => checkProbe(probe, path, names, report));
  checkCrossings(value, names, report);
  checkTouching(value, names, report);
  checkTime(value, report);
  checkExpectations(value, report);
  for (const { path, message } of findSizeFaults(value)) report(path, message);
  return faults;
}

/** A continuum touches other types of objects, each once. */
function checkTouchedObjects(touching: unknown, path: JsonPath, names: Names, report: Report): void {
  if (!Array.isArray(touching)) return;
  touching.forEach((name, k) => {
    checkObjectName(name, [...path, k], names, report);
    const type = names.kinds.get(String(name))?.type;
    if (type === 'mpm' || type === 'part')
      report(
        [...path, k],
        `is ${quote(String(name))}, a continuum or a part of one; parts of one grid touch anyway, and two grids do not.`,
      );
    if (touching.indexOf(name) < k) report([...path, k], `is ${quote(String(name))} a second time; name each once.`);
  });
}

/** A rod with a section of its own that is made of a material: that needs no radius then. */
function findRodWithSection(material: string, { objects }: Raw): Raw | undefined {
  let found: Raw | undefined;
  eachRaw(objects, [], (object) => {
    if (object.type === 'rod' && object.material === material && object.section !== undefined) found = object;
  });
  return found;
}

/** Strands that cross exist, once each, and let material slide. */
function checkCrossings({ crossings, objects }: Raw, names: Names, report: Report): void {
  if (!isRaw(crossings) || !Array.isArray(crossings.objects)) return;
  const seen = new Set<unknown>();
  const lagrangian = new Set<unknown>();
  eachRaw(objects, [], (object) => {
    if (object.type === 'strand' && object.mode === 'lagrangian') lagrangian.add(object.id);
  });
  crossings.objects.forEach((id, k) => {
    const path = ['crossings', 'objects', k];
    checkObjectName(id, path, names, report);
    checkType(id, 'strand', path, names.kinds, report);
    if (seen.has(id)) report(path, `is ${quote(String(id))} a second time; name each strand once.`);
    if (lagrangian.has(id))
      report(path, `is ${quote(String(id))}, whose mode is "lagrangian"; strands that cross need mode "eol".`);
    seen.add(id);
  });
}

/** Objects that touch others exist, once each, and are no continua. */
function checkTouching({ touching }: Raw, names: Names, report: Report): void {
  if (!isRaw(touching) || !Array.isArray(touching.objects)) return;
  const seen = new Set<unknown>();
  touching.objects.forEach((id, k) => {
    const path = ['touching', 'objects', k];
    checkObjectName(id, path, names, report);
    const type = names.kinds.get(String(id))?.type;
    if (type === 'mpm' || type === 'part')
      report(path, `is ${quote(String(id))}, a continuum; name strands, rods, sheets and fabrics.`);
    if (seen.has(id)) report(path, `is ${quote(String(id))} a second time; name each object once.`);
    seen.add(id);
  });
}

function collectNames(scene: Raw): Names {
  const objects = new Map<string, ReadonlySet<string>>();
  eachRaw(scene.objects, [], (object) => {
    const guides = new Set<string>();
    for (const list of [object.guides, object.spools])
      eachRaw(list, [], (guide) => {
        if (typeof guide.id === 'string') guides.add(guide.id);
      });
    if (typeof object.id === 'string') objects.set(object.id, guides);
    if (object.type === 'mpm')
      eachRaw(object.parts, [], ({ id }) => {
        if (typeof id === 'string') objects.set(id, new Set());
      });
  });
  const bodies = new Set<string>();
  eachRaw(scene.bodies, [], (body) => {
    if (typeof body.id === 'string') bodies.add(body.id);
  });
  return { objects, spools: collectSpools(scene), bodies, kinds: collectKinds(scene) };
}

function checkUniqueIds(scene: Raw, report: Report): void {
  // objects and bodies share their names, as the parts of a frame do
  const things = new Map<string, JsonPath>();
  const checkId = (taken: Map<string, JsonPath>) => (entry: Raw, path: JsonPath) => {
    if (typeof entry.id !== 'string') return;
    const first = taken.get(entry.id);
    if (first === undefined) taken.set(entry.id, path);
    else report([...path, 'id'], `is ${quote(entry.id)}, already the id of ${formatPath(first)}; give it another.`);
  };
  eachRaw(scene.objects, ['objects'], checkId(things));
  eachRaw(scene.objects, ['objects'], (object, path) => {
    if (object.type === 'mpm') eachRaw(object.parts, [...path, 'parts'], checkId(things));
  });
  eachRaw(scene.bodies, ['bodies'], checkId(things));
  eachRaw(scene.probes, ['probes'], checkId(new Map()));
  eachRaw(scene.objects, ['objects'], (object, path) => {
    const taken = new Map<string, JsonPath>();
    eachRaw(object.guides, [...path, 'guides'], checkId(taken));
    eachRaw(object.spools, [...path, 'spools'], checkId(taken));
  });
}

function checkNodeTotal(scene: Raw, report: Report): void {
  let [total, particles] = [0, 0];
  eachRaw(scene.objects, [], (object) => {
    if (object.type === 'mpm') particles += countParticles(object);
    for (const nodes of [object.nodes, object.segments])
      if (isNumber(nodes)) total += nodes;
      else if (Array.isArray(nodes)) total += nodes.length;
    total +=
      object.type === 'sheet'
        ? countVertices(object)
        : object.type === 'fabric'
          ? countFabricNodes(object)
          : countStockNodes(object, computeLength);
  });
  for (const [count, most, noun] of [
    [total, LIMITS.nodes, 'nodes'],
    [particles, LIMITS.particles, 'particles'],
  ] as const)
    if (count > most)
      report(
        ['objects'],
        `have ${Math.round(count)} ${noun} together; at most ${most} are allowed. Use fewer ${noun}.`,
      );
}

function checkStrand(object: Raw, path: JsonPath, names: Names, report: Report): void {
  if (Array.isArray(object.nodes)) checkFractions(object.nodes, [...path, 'nodes'], report);
  const { remesh } = object;
  if (isRaw(remesh)) {
    const near = remesh.near ?? 0.3;
    const far = remesh.far ?? 0.35;
    if (isNumber(near) && isNumber(far) && far <= near) {
      report([...path, 'remesh'], `has far ${formatNumber(far)}; it must be greater than near, ${formatNumber(near)}.`);
    }
  }
  eachRaw(object.guides, [...path, 'guides'], (guide, at) => {
    if (typeof guide.body === 'string') checkBodyName(guide.body, [...at, 'body'], names, report);
  });
  eachRaw(object.spools, [...path, 'spools'], (spool, at) => {
    if (typeof spool.body === 'string') checkBodyName(spool.body, [...at, 'body'], names, report);
    checkKeyframeTimes(spool.speed, [...at, 'speed'], report);
    checkKeyframeTimes(spool.torque, [...at, 'torque'], report);
  });
  checkSpools(object, path, report);
  const { points, velocity } = object;
  if (!Array.isArray(points) || points.length < 2 || !points.every(isPoint)) return;
  if (Array.isArray(velocity) && Array.isArray(velocity[0]) && velocity.length !== points.length) {
    const found = `has ${velocity.length} velocities for ${points.length} points`;
    report([...path, 'velocity'], `${found}; give one for the whole strand, or one per point.`);
  }
  checkLoop(object, path, report);
  const outline = object.closed === true ? [...points, points[0]] : points;
  const length = computeLength(outline);
  if (length === 0) {
    report([...path, 'points'], 'all lie in one place; the polyline must have a length > 0 m.');
    return;
  }
  eachRaw(object.guides, [...path, 'guides'], (guide, at) => {
    if (isPoint(guide.point)) checkOnPolyline(guide.point, outline, length, [...at, 'point'], report);
  });
}

/** A loop has at least three nodes; fraction 1 is its first again. */
function checkLoop(object: Raw, path: JsonPath, report: Report): void {
  if (object.closed !== true) return;
  if (Array.isArray(object.spools) && object.spools.length > 0)
    report(
      [...path, 'spools'],
      'are given, but the strand is closed and has no end to wind up; remove one of the two.',
    );
  const nodes = Array.isArray(object.nodes) ? object.nodes.length - 1 : object.nodes;
  if (isNumber(nodes) && nodes < 3)
    report([...path, 'nodes'], `makes ${formatNumber(nodes)} nodes of a closed strand; it needs at least 3.`);
}

function checkFractions(nodes: readonly unknown[], path: JsonPath, report: Report): void {
  if (!nodes.every(isNumber) || nodes.length < 2) return;
  if (nodes[0] !== 0) report([...path, 0], `is ${formatNumber(nodes[0])}; the first fraction must be 0.`);
  const last = nodes.length - 1;
  if (nodes[last] !== 1) report([...path, last], `is ${formatNumber(nodes[last])}; the last fraction must be 1.`);
  checkIncreasing(nodes, (index) => [...path, index], 'fractions', report);
}

/** Reports the first value that is not greater than the one before. */
function checkIncreasing(
  values: readonly unknown[],
  pathOf: (index: number) => JsonPath,
  noun: string,
  report: Report,
): void {
  for (let i = 1; i < values.length; i++) {
    const before = values[i - 1];
    const value = values[i];
    if (!isNumber(before) || !isNumber(value) || value > before) continue;
    const message = `is ${formatNumber(value)} after ${formatNumber(before)}; ${noun} must increase.`;
    report(pathOf(i), message);
    return;
  }
}

/** Places of a natural strain increase. */
function checkNatural(natural: unknown, path: JsonPath, report: Report): void {
  if (!Array.isArray(natural)) return;
  const places = natural.map((entry) => (isRaw(entry) ? entry.at : undefined));
  checkIncreasing(places, (index) => [...path, index, 'at'], 'places', report);
}

function computeLength(points: readonly Point[]): number {
  let length = 0;
  for (let i = 1; i < points.length; i++) {
    const [ax, ay, az] = points[i - 1];
    const [bx, by, bz] = points[i];
    length += computeHypot3(bx - ax, by - ay, bz - az);
  }
  return length;
}

function checkOnPolyline(point: Point, points: readonly Point[], length: number, path: JsonPath, report: Report): void {
  const [px, py, pz] = point;
  let smallest = Number.POSITIVE_INFINITY;
  let nearest = point;
  for (let i = 1; i < points.length; i++) {
    const [ax, ay, az] = points[i - 1];
    const [dx, dy, dz] = [points[i][0] - ax, points[i][1] - ay, points[i][2] - az];
    const square = dx * dx + dy * dy + dz * dz;
    const along = square === 0 ? 0 : ((px - ax) * dx + (py - ay) * dy + (pz - az) * dz) / square;
    const s = Math.min(1, Math.max(0, along));
    const distance = computeHypot3(ax + s * dx - px, ay + s * dy - py, az + s * dz - pz);
    if (distance < smallest) {
      smallest = distance;
      nearest = [ax + s * dx, ay + s * dy, az + s * dz];
    }
  }
  if (smallest <= 1e-6 * length) return;
  const there = nearest.map((component) => formatNumber(Number(component.toPrecision(6)))).join(', ');
  report(
    path,
    `is ${formatNumber(Number(smallest.toPrecision(3)))} m off the polyline of its strand; the nearest point on it is [${there}].`,
  );
}

function checkBodyName(name: string, path: JsonPath, names: Names, report: Report): void {
  if (names.bodies.has(name)) return;
  const hint = names.bodies.size === 0 ? ' The scene has no bodies.' : suggest(name, [...names.bodies], 'Bodies');
  report(path, `is ${quote(name)}, which is no body of this scene.${hint}`);
}

/** Checks a reference to an object; its guides when it exists. */
function checkObjectName(name: unknown, path: JsonPath, names: Names, report: Report): ReadonlySet<string> | undefined {
  if (typeof name !== 'string') return undefined;
  const guides = names.objects.get(name);
  if (guides === undefined) {
    report(
      path,
      `is ${quote(name)}, which is no object of this scene.${suggest(name, [...names.objects.keys()], 'Objects')}`,
    );
  }
  return guides;
}

function checkRotation(owner: Raw, path: JsonPath, report: Report): void {
  if (isRaw(owner.rotation)) checkDirection(owner.rotation.axis, [...path, 'rotation', 'axis'], report);
}

const DYNAMIC_KEYS = ['mass', 'density', 'velocity', 'angularVelocity', 'hinge'] as const;

function checkBody(body: Raw, path: JsonPath, report: Report): void {
  const motion = body.motion ?? 'static';
  checkRotation(body, path, report);
  if (isRaw(body.hinge)) checkDirection(body.hinge.axis, [...path, 'hinge', 'axis'], report);
  eachRaw(body.keyframes, [...path, 'keyframes'], (keyframe, at) => checkRotation(keyframe, at, report));
  checkKeyframeTimes(body.keyframes, [...path, 'keyframes'], report);
  // what a wrong motion would mean for the other keys nobody knows
  if (motion !== 'static' && motion !== 'scripted' && motion !== 'dynamic') return;
  if (motion === 'scripted' && body.keyframes === undefined && !isAnimated(body)) {
    report([...path, 'keyframes'], 'is missing; a scripted body follows keyframes.');
  }
  if (motion !== 'scripted' && body.keyframes !== undefined) {
    report([...path, 'keyframes'], `is given, but motion is ${quote(motion)}; set motion to "scripted".`);
  }
  if (motion === 'dynamic') {
    if (body.mass === undefined && body.density === undefined) {
      report([...path, 'mass'], 'is missing, and so is density; a dynamic body needs one of the two.');
    }
    if (body.mass !== undefined && body.density !== undefined) {
      report([...path, 'density'], 'is given together with mass; remove one of the two.');
    }
    if (isRaw(body.shape) && body.shape.type === 'plane') {
      report([...path, 'motion'], 'is "dynamic", but a plane is infinite; use a box, or "static" or "scripted".');
    }
    return;
  }
  for (const key of DYNAMIC_KEYS) {
    if (body[key] === undefined) continue;
    report([...path, key], `is given, but motion is ${quote(motion)}; set motion to "dynamic" or remove it.`);
  }
}

/** Times of keyframes, an array at `path`, increase. */
function checkKeyframeTimes(keyframes: unknown, path: JsonPath, report: Report): void {
  if (!Array.isArray(keyframes)) return;
  const times = keyframes.map((keyframe) => (isRaw(keyframe) ? keyframe.time : undefined));
  checkIncreasing(times, (index) => [...path, index, 'time'], 'times of keyframes', report);
}

/** Drivers of a frame at an end of a rod. */
const FRAME_DRIVERS: readonly string[] = ['clamp', 'turn', 'twist'];

function checkDriver(driver: Raw, path: JsonPath, names: Names, report: Report): void {
  for (const key of ['on', 'to']) {
    const place = driver[key];
    if (!isRaw(place)) continue;
    checkObjectName(place.object, [...path, key, 'object'], names, report);
    checkPlace(place, [...path, key], names.kinds, report);
    checkSpoolUse(place, [...path, key], names.spools, report);
  }
  const from = driver.from ?? 0;
  if (isNumber(from) && isNumber(driver.until) && driver.until <= from) {
    report([...path, 'until'], `is ${formatNumber(driver.until)} s; it must be after from, ${formatNumber(from)} s.`);
  }
  checkKeyframeTimes(driver.keyframes, [...path, 'keyframes'], report);
  for (const key of ['value', 'angle', 'rate']) checkKeyframeTimes(driver[key], [...path, key], report);
  if (driver.type === 'clamp')
    eachRaw(driver.keyframes, [...path, 'keyframes'], (keyframe, at) => checkRotation(keyframe, at, report));
  checkObjectName(driver.object, [...path, 'object'], names, report);
  if (FRAME_DRIVERS.includes(String(driver.type))) {
    if (isRaw(driver.on)) checkType(driver.on.object, 'rod', [...path, 'on', 'object'], names.kinds, report);
    checkFrameDriver(driver, path, report);
  }
  if (driver.type === 'wind' && [...names.kinds.values()].some((kind) => kind.type === 'fabric'))
    report([...path, 'type'], 'is "wind", which does not act on fabrics yet, and the scene has one; remove the wind.');
  if (driver.type === 'rest') checkType(driver.object, 'strand', [...path, 'object'], names.kinds, report);
  if (driver.type !== 'tie') return;
  const isPart = (place: unknown): boolean => isRaw(place) && names.kinds.get(String(place.object))?.type === 'part';
  if (driver.to !== undefined && (isPart(driver.on) || isPart(driver.to)))
    report(
      [...path, 'to'],
      'is given, and one of the two is a part of a continuum, which is tied to static and scripted bodies only; give "body".',
    );
  if (typeof driver.body === 'string') checkBodyName(driver.body, [...path, 'body'], names, report);
  if (driver.body === undefined && driver.to === undefined) {
    report([...path, 'body'], 'is missing, and so is "to"; a tie needs one of the two.');
  }
  if (driver.body !== undefined && driver.to !== undefined) {
    report([...path, 'to'], 'is given together with body; remove one of the two.');
  }
}

/** A strand has one natural length. */
function checkRestDrivers(scene: Raw, report: Report): void {
  const taken = new Map<unknown, JsonPath>();
  eachRaw(scene.drivers, ['drivers'], ({ type, object }, path) => {
    if (type !== 'rest') return;
    const first = taken.get(object);
    if (first === undefined) taken.set(object, path);
    else
      report(
        [...path, 'object'],
        `has a rest length already, from ${formatPath(first)}; write both as keyframes of one.`,
      );
  });
}

function checkProbe(probe: Raw, path: JsonPath, names: Names, report: Report): void {
  if (typeof probe.body === 'string') checkBodyName(probe.body, [...path, 'body'], names, report);
  checkObjectName(probe.object, [...path, 'object'], names, report);
  if (probe.type === 'spool') checkSpoolProbe(probe, path, names.spools, report);
  checkProbeKind(probe, path, names.kinds, report);
  for (const key of PLACE_KEYS) {
    const on = probe[key];
    if (isRaw(on)) checkProbePlace(on, [...path, key], names, report);
  }
}

function checkProbePlace(on: Raw, path: JsonPath, names: Names, report: Report): void {
  const guides = checkObjectName(on.object, [...path, 'object'], names, report);
  checkPlace(on, path, names.kinds, report, true);
  if (typeof on.guide === 'string' && guides !== undefined && !guides.has(on.guide)) {
    const hint = guides.size === 0 ? ' It has no guides.' : suggest(on.guide, [...guides], 'Guides');
    report([...path, 'guide'], `is ${quote(on.guide)}, which is no guide of ${quote(String(on.object))}.${hint}`);
  }
}

function checkTime(scene: Raw, report: Report): void {
  const { time } = scene;
  if (!isRaw(time)) return;
  if (isNumber(time.step) && isNumber(time.duration) && time.step > 0 && time.duration / time.step > LIMITS.steps) {
    const steps = formatNumber(Number((time.duration / time.step).toPrecision(3)));
    report(
      ['time', 'step'],
      `makes ${steps} steps of the duration; at most ${formatNumber(LIMITS.steps)} are allowed.`,
    );
  }
  const { adaptive } = time;
  if (!isRaw(adaptive) || !isNumber(adaptive.smallest) || !isNumber(time.step)) return;
  if (adaptive.smallest > time.step) {
    report(
      ['time', 'adaptive', 'smallest'],
      `is ${formatNumber(adaptive.smallest)} s; it must be at most the step, ${formatNumber(time.step)} s.`,
    );
  }
}

function checkExpectations(scene: Raw, report: Report): void {
  const columns = new Set<string>();
  eachRaw(scene.probes, [], (probe) => {
    if (typeof probe.id !== 'string' || typeof probe.type !== 'string') return;
    const endings = Object.hasOwn(PROBE_COLUMNS, probe.type) ? PROBE_COLUMNS[probe.type as 'position'] : [];
    for (const ending of endings) columns.add(probe.id + ending);
  });
  eachRaw(scene.expect, ['expect'], (expectation, path) => {
    if (typeof expectation.probe === 'string' && !columns.has(expectation.probe)) {
      const hint =
        columns.size === 0 ? ' The scene has no probes.' : suggest(expectation.probe, [...columns], 'Columns');
      report([...path, 'probe'], `is ${quote(expectation.probe)}, which is no column of a probe.${hint}`);
    }
    const { min, max } = expectation;
    if (min === undefined && max === undefined)
      report([...path, 'min'], 'is missing, and so is max; give at least one.');
    if (isNumber(min) && isNumber(max) && min > max) {
      report([...path, 'min'], `is ${formatNumber(min)}; it must be at most max, ${formatNumber(max)}.`);
    }
  });
}
