/**
 * What no single field of a scene can say: names are unique, references exist, times increase, one of two keys is
 * given, guides lie on their polyline. Works on raw values and skips what has the wrong type (the schema reports that),
 * so that these faults come together with those of the schema.
 */
import type { Limits } from '../model/limits.ts';
import { checkAnimations } from './check-animations.ts';
import { checkBody } from './check-bodies.ts';
import { checkDriver, checkRestDrivers } from './check-drivers.ts';
import { checkFabric, countFabricNodes } from './check-fabrics.ts';
import { checkMaterial, checkMaterialUse } from './check-materials.ts';
import { checkMpm, countParticles } from './check-mpm.ts';
import { checkBodyName, checkObjectName, checkUniqueIds, collectNames, type Names } from './check-names.ts';
import { checkFractions, checkIncreasing } from './check-order.ts';
import { checkExpectations, checkProbe } from './check-probes.ts';
import { checkRod } from './check-rods.ts';
import { checkSheet, checkType, countVertices } from './check-sheets.ts';
import { countStockNodes } from './check-spools.ts';
import { checkStrand, computeLength } from './check-strands.ts';
import type { LocatedFault, Report } from './faults.ts';
import type { JsonPath } from './json-text.ts';
import { eachRaw, isNumber, isRaw, type Raw } from './raw.ts';
import { findSizeFaults } from './set-path.ts';
import { formatNumber, quote } from './wording.ts';

/** All faults between fields. */
export function checkScene(value: unknown, limits: Limits): LocatedFault[] {
  const faults: LocatedFault[] = [];
  const report: Report = (path, message) => {
    faults.push({ path, message });
  };
  if (!isRaw(value)) return faults;
  const names = collectNames(value);
  checkUniqueIds(value, report);
  checkNodeTotal(value, limits, report);
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
    if (object.type === 'sheet') checkSheet(object, path, limits, report);
    else if (object.type === 'fabric') checkFabric(object, path, value, limits, report);
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
  checkTime(value, limits, report);
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
        `is ${quote(String(name))}, an MPM object or a part of one; parts of one grid are always in contact, and two grids cannot be.`,
      );
    if (touching.indexOf(name) < k) report([...path, k], `is ${quote(String(name))} again; name each object once.`);
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
    if (seen.has(id)) report(path, `is ${quote(String(id))} again; name each strand once.`);
    if (lagrangian.has(id))
      report(path, `is ${quote(String(id))}, whose mode is "lagrangian"; contact between strands needs mode "eol".`);
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
      report(path, `is ${quote(String(id))}, an MPM object; name strands, rods, sheets and fabrics.`);
    if (seen.has(id)) report(path, `is ${quote(String(id))} again; name each object once.`);
    seen.add(id);
  });
}

function checkNodeTotal(scene: Raw, limits: Limits, report: Report): void {
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
    [total, limits.nodes, 'nodes'],
    [particles, limits.particles, 'particles'],
  ] as const)
    if (count > most)
      report(
        ['objects'],
        `have ${Math.round(count)} ${noun} in total; at most ${most} are allowed. Use fewer ${noun}, or raise the limit ${noun}.`,
      );
}

/** Places of a natural strain increase. */
function checkNatural(natural: unknown, path: JsonPath, report: Report): void {
  if (!Array.isArray(natural)) return;
  const places = natural.map((entry) => (isRaw(entry) ? entry.at : undefined));
  checkIncreasing(places, (index) => [...path, index, 'at'], 'places', report);
}

function checkTime(scene: Raw, limits: Limits, report: Report): void {
  const { time } = scene;
  if (!isRaw(time)) return;
  if (isNumber(time.step) && isNumber(time.duration) && time.step > 0 && time.duration / time.step > limits.steps) {
    const steps = formatNumber(Number((time.duration / time.step).toPrecision(3)));
    report(
      ['time', 'step'],
      `gives ${steps} steps for the duration; at most ${formatNumber(limits.steps)} are allowed. Use longer steps, or raise the limit steps.`,
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
