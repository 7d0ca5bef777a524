/** What no single field of a strand can say: its loop, its guides on the polyline, its velocities. */
import { computeHypot3 } from '../math/index.ts';
import { checkBodyName, type Names } from './check-names.ts';
import { checkFractions, checkKeyframeTimes } from './check-order.ts';
import { checkSpools } from './check-spools.ts';
import type { Report } from './faults.ts';
import type { JsonPath } from './json-text.ts';
import { eachRaw, isNumber, isPoint, isRaw, type Point, type Raw } from './raw.ts';
import { formatNumber } from './wording.ts';

export function checkStrand(object: Raw, path: JsonPath, names: Names, report: Report): void {
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
    report([...path, 'points'], 'are all equal; the polyline must have a length > 0 m.');
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
      'are given, but the strand is closed and has no end for a spool; remove one of the two.',
    );
  const nodes = Array.isArray(object.nodes) ? object.nodes.length - 1 : object.nodes;
  if (isNumber(nodes) && nodes < 3)
    report([...path, 'nodes'], `gives ${formatNumber(nodes)} nodes of a closed strand; it needs at least 3.`);
}

export function computeLength(points: readonly Point[]): number {
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
