/** Sheets of a scene, and the regions of them that drivers and probes name. */
import type { Body } from '../bodies/index.ts';
import type { MeshFile } from '../io/mesh-file.ts';
import {
  computeSheetMaterial,
  HeddleError,
  MATERIAL_PRESETS,
  SHEET_MATERIAL_PRESETS,
  type SheetMaterial,
} from '../model/index.ts';
import { listRegion, type MaterialPoint, Sheet, type SheetRegion, STRIDE } from '../sheet/index.ts';
import type { On, Scene, SceneSheet } from './schema.ts';
import { createSheetStart } from './sheet-mesh.ts';

/** A vertex deeper in a body than this share of the body's size starts inside it. */
const DEPTH = 1e-6;
const DEGREE = Math.PI / 180;

export function createSheetMaterial(object: SceneSheet, scene: Scene): SheetMaterial {
  const { material } = object;
  if (typeof material !== 'string') return computeSheetMaterial(material);
  const presets = [...SHEET_MATERIAL_PRESETS, ...MATERIAL_PRESETS];
  return computeSheetMaterial(scene.materials[material] ?? presets.find(({ name }) => name === material)!);
}

export function createSheet(
  object: SceneSheet,
  scene: Scene,
  bodies: ReadonlyMap<string, Body>,
  readMesh: (file: string) => MeshFile,
): Sheet {
  const material = createSheetMaterial(object, scene);
  const sheet = new Sheet({
    ...object,
    ...createSheetStart(object, readMesh),
    material,
    sizing: object.sizing && { ...object.sizing, angle: object.sizing.angle * DEGREE },
    gravity: scene.gravity,
    obstacles: chooseSheetObstacles(object, scene, bodies),
  });
  const { state } = sheet;
  if (object.velocity) for (let i = 0; i < state.count; i++) state.v.set(object.velocity, STRIDE * i);
  for (const on of listPlaces(object.id, scene))
    for (const i of listRegion(state, createRegion(on, object, sheet))) state.kept[i] = 1;
  checkStart(sheet);
  return sheet;
}

/** All bodies but those that a tie keeps the sheet on. */
function chooseSheetObstacles(object: SceneSheet, scene: Scene, bodies: ReadonlyMap<string, Body>): Body[] {
  if (object.contact === false) return [];
  const tied = new Set<string | undefined>();
  for (const driver of scene.drivers)
    if (driver.type === 'tie' && driver.on.object === object.id) tied.add(driver.body);
  if (object.contact === undefined) return [...bodies.values()].filter(({ id }) => !tied.has(id));
  const dynamic = [...bodies.values()].find(({ id, motion }) => motion === 'dynamic' && tied.has(id));
  if (dynamic)
    throw new HeddleError(
      `contact is true, but the sheet is tied to the dynamic body "${dynamic.id}", and contact would push it off; remove contact.`,
    );
  return [...bodies.values()];
}

/** Where drivers hold or push a sheet. */
function listPlaces(id: string, scene: Scene): On[] {
  return scene.drivers.flatMap((driver) => {
    if (driver.type === 'wind' || driver.type === 'rest') return [];
    const places = driver.type === 'tie' && driver.to ? [driver.on, driver.to] : [driver.on];
    return places.filter(({ object }) => object === id);
  });
}

/** A sheet starts outside bodies, half its thickness counted. */
function checkStart({ state, touch }: Sheet): void {
  if (touch === undefined) return;
  const place = new Float64Array(3);
  touch.bodies.forEach((body, b) => {
    const facets = touch.facets[b];
    let [deepest, at] = [DEPTH * facets.size, -1];
    for (let i = 0; i < state.count; i++) {
      touch.start[b].writeLocal(state.q, STRIDE * i, place, 0);
      const depth = facets.computeDepth(place[0], place[1], place[2]);
      if (depth > deepest) [deepest, at] = [depth, i];
    }
    if (at < 0) return;
    const [x, y, z] = Array.from(state.q.subarray(STRIDE * at, STRIDE * at + 3), (value) =>
      Number(value.toPrecision(4)),
    );
    throw new HeddleError(
      `its vertex at [${x}, ${y}, ${z}] is ${Number(deepest.toPrecision(3))} m inside body "${body.id}", with half its thickness included; move it out.`,
    );
  });
}

/** The vertices or material that a scene names. */
export function createRegion(on: Omit<On, 'object'>, { id, shape }: SceneSheet, { state }: Sheet): SheetRegion {
  if (on.worldBox) return { labels: listInside(state, on.worldBox, id) };
  if (on.box) return requireVertices({ box: on.box }, state, id);
  if (Array.isArray(on.at)) return { at: on.at };
  return findRectangleRegion(on, shape, `sheet "${id}"`);
}

/** A corner or side of a rectangle. */
export function findRectangleRegion(
  on: Pick<On, 'corner' | 'side'>,
  shape: { readonly type: string; readonly width?: number; readonly height?: number },
  what: string,
): { readonly at: MaterialPoint } | { readonly box: readonly [MaterialPoint, MaterialPoint] } {
  const { type, width, height } = shape;
  if (type !== 'rectangle' || width === undefined || height === undefined)
    throw new HeddleError(`${what} is not a rectangle and has no sides or corners.`);
  if (on.corner) {
    const [column, row] = on.corner.split('-');
    return { at: [column === 'left' ? 0 : width, row === 'bottom' ? 0 : height] };
  }
  const X = on.side === 'right' ? width : 0;
  const Y = on.side === 'top' ? height : 0;
  const isUpright = on.side === 'left' || on.side === 'right';
  const ends: readonly [MaterialPoint, MaterialPoint] = isUpright ? [[X, 0], [X, height]] : [[0, Y], [width, Y]]; // biome-ignore format: pairs
  return { box: ends };
}

function requireVertices(region: SheetRegion, state: Sheet['state'], id: string): SheetRegion {
  if (listRegion(state, region).length === 0)
    throw new HeddleError(`no vertex of sheet "${id}" is in the box; make it larger, or name a point with "at".`);
  return region;
}

/** Labels of the vertices in a box of the world. */
function listInside({ q, count, label }: Sheet['state'], [a, b]: NonNullable<On['worldBox']>, id: string): number[] {
  const labels: number[] = [];
  for (let i = 0; i < count; i++) {
    const isInside = [0, 1, 2].every((k) => {
      const value = q[STRIDE * i + k];
      return value >= Math.min(a[k], b[k]) && value <= Math.max(a[k], b[k]);
    });
    if (isInside) labels.push(label[i]);
  }
  if (labels.length === 0)
    throw new HeddleError(`no vertex of sheet "${id}" is in the world box at the start; make it larger.`);
  return labels;
}
