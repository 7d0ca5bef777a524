/** Probes of a scene, on what they measure. */
import type { Fabric } from '../fabric/index.ts';
import { HeddleError, type Model } from '../model/index.ts';
import type { ContinuumModel } from '../mpm/index.ts';
import type { Rod } from '../rod/index.ts';
import type { Sheet } from '../sheet/index.ts';
import type { Strand } from '../strand/index.ts';
import {
  createAreaProbe,
  createBodyProbe,
  createBoundsProbe,
  createCoherenceProbe,
  createContactProbe,
  createCountsProbe,
  createCrossingsProbe,
  createEnergyProbe,
  createExtensionProbe,
  createFabricCountProbe,
  createFabricForceProbe,
  createFabricProbe,
  createLengthProbe,
  createLinkProbe,
  createLoadProbe,
  createMeshProbe,
  createMomentumProbe,
  createNodeProbe,
  createParticleForceProbe,
  createParticleProbe,
  createParticleStrainProbe,
  createParticlesProbe,
  createPassageProbe,
  createPenetrationProbe,
  createPlaceProbe,
  createRegionForceProbe,
  createRodProbe,
  createSheetProbe,
  createSlipProbe,
  createSpoolProbe,
  createTorqueProbe,
  FABRIC_QUANTITIES,
  type FabricRegion,
  listParticles,
  NODE_QUANTITIES,
  type ParticleRegion,
  type Probe,
  ROD_QUANTITIES,
  SHEET_QUANTITIES,
} from '../world/index.ts';
import { at, type Parts, placeOf } from './compile.ts';
import { listFabricNodes } from './compile-fabric.ts';
import { createRegion } from './compile-sheet.ts';
import { findPart, listPartNodes } from './mpm-places.ts';
import type { Scene, SceneSheet, SceneStrand } from './schema.ts';

type SceneProbe = Scene['probes'][number];

export function compileProbes(parts: Parts): Probe[] {
  return parts.scene.probes.map((probe, i) => at(`probes[${i}]`, () => compileProbe(probe, parts)));
}

function compileProbe(probe: SceneProbe, parts: Parts): Probe {
  const { strands, rods, sheets, fabrics, continua, bodies } = parts;
  const woven = [...fabrics.values()].map(({ fabric }) => fabric);
  const touching = [...strands.values(), ...sheets.values(), ...woven];
  switch (probe.type) {
    case 'energy':
      return createEnergyProbe(probe.id, findModels(probe.object, parts));
    case 'momentum':
    case 'angularMomentum':
      return createMomentumProbe(probe.id, findModels(probe.object, parts), probe.type === 'angularMomentum');
    case 'counts':
      return createCountsProbe(
        probe.id,
        probe.object ? [findObject(probe.object, parts)] : [...touching, ...rods.values(), ...continua.values()],
      );
    case 'length':
      return createLengthProbe(probe.id, strands.get(probe.object) ?? rods.get(probe.object)!);
    case 'mesh':
      return createMeshProbe(probe.id, sheets.get(probe.object)!);
    case 'coherence':
      return createCoherenceProbe(probe.id, sheets.get(probe.object)!);
    case 'area':
      return createAreaProbe(probe.id, sheets.get(probe.object)!);
    case 'penetration':
      return createPenetrationProbe(probe.id, sheets.get(probe.object)!);
    case 'rod':
      return createRodProbe(probe.id, rods.get(probe.object)!);
    case 'link':
      return createLinkProbe(probe.id, rods.get(probe.object)!);
    case 'torque':
      return createTorqueProbe(probe.id, rods.get(probe.on.object)!, probe.on.at);
    case 'spool': {
      const strand = strands.get(probe.object)!;
      return createSpoolProbe(probe.id, strand, strand.state.spools.find(({ id }) => id === probe.spool)!);
    }
    case 'crossings':
      return createCrossingsProbe(probe.id, parts.crossings, probe.object ? strands.get(probe.object) : undefined);
    case 'body':
      return createBodyProbe(probe.id, bodies.get(probe.body)!);
    case 'contactForce':
      return createContactProbe(probe.id, bodies.get(probe.body)!, touching, [
        ...(parts.sheetContacts ? [parts.sheetContacts] : []),
        ...(parts.rodContacts?.bodies ?? []),
        ...continua.values(),
      ]);
    case 'passage':
      return createPassageProbe(probe.id, strands.get(probe.object)!, probe.point);
    case 'bounds':
      return createBoundsProbe(probe.id, findParticles(probe, parts)!);
    case 'particles':
      return createParticlesProbe(probe.id, findParticles(probe, parts)!, probe.box);
    case 'fabric':
      return createFabricCountProbe(probe.id, parts.fabrics.get(probe.object)!.fabric);
    case 'load':
      return createLoadProbe(probe.id, parts.fabrics.get(probe.object)!.fabric, probe.of);
    case 'slip':
      return createSlipProbe(probe.id, parts.fabrics.get(probe.object)!.fabric, probe.of);
    case 'extension':
      return createExtensionProbe(probe.id, findFabricRegion(probe.from, parts), findFabricRegion(probe.to, parts));
    default:
      return compilePointProbe(probe, parts);
  }
}

type PointProbe = Exclude<Extract<SceneProbe, { on: unknown }>, { type: 'torque' }>;

function compilePointProbe(probe: PointProbe, parts: Parts): Probe {
  const { id, type, on } = probe;
  const rod = parts.rods.get(on.object);
  if (rod) return createPlaceProbe(id, ROD_QUANTITIES.find(({ name }) => name === type)!, rod, placeOf(on));
  if (parts.fabrics.has(on.object)) return compileFabricProbe(probe, parts);
  const region = findParticles(on, parts);
  if (region) return compileParticleProbe(probe, findPlaced(on, region, parts));
  return parts.sheets.has(on.object) ? compileSheetProbe(probe, parts) : compileStrandProbe(probe, parts);
}

function compileStrandProbe({ id, type, on }: PointProbe, parts: Parts): Probe {
  const quantity = NODE_QUANTITIES.find(({ name }) => name === type)!;
  const strand = parts.strands.get(on.object)!;
  const drum = strand.state.spools.find(({ end }) => end === on.at);
  if (drum) return createNodeProbe(id, quantity, { strand, label: drum.label });
  if (on.at !== undefined) return createPlaceProbe(id, quantity, strand, placeOf(on));
  return createNodeProbe(id, quantity, { strand, label: findGuide(strand, on.guide!, parts) });
}

function compileSheetProbe({ id, type, on }: PointProbe, { scene, sheets }: Parts): Probe {
  const sheet = sheets.get(on.object)!;
  const object = scene.objects.find((one): one is SceneSheet => one.type === 'sheet' && one.id === on.object)!;
  const region = createRegion(on, object, sheet);
  if (type === 'constraintForce') return createRegionForceProbe(id, sheet, region);
  return createSheetProbe(id, SHEET_QUANTITIES.find(({ name }) => name === type)!, sheet, region);
}

function compileFabricProbe({ id, type, on }: PointProbe, parts: Parts): Probe {
  const { fabric, nodes } = findFabricRegion(on, parts);
  if (type === 'constraintForce') return createFabricForceProbe(id, fabric, nodes);
  return createFabricProbe(id, FABRIC_QUANTITIES.find(({ name }) => name === type)!, fabric, nodes);
}

/** Of a region of a part that is no box of the world its vertices alone. */
function findPlaced(on: PointProbe['on'], region: ParticleRegion, { continua, scene }: Parts): ParticleRegion {
  if (on.at === undefined && on.corner === undefined && on.side === undefined && on.box === undefined) return region;
  return { ...region, particles: listPartNodes(on, findPart(on.object, continua, scene)!) };
}

function compileParticleProbe({ id, type }: PointProbe, region: ParticleRegion): Probe {
  if (type === 'constraintForce') return createParticleForceProbe(id, region);
  return type === 'strain'
    ? createParticleStrainProbe(id, region)
    : createParticleProbe(id, type === 'velocity' ? 'velocity' : 'position', region);
}

/** Particles of a part of a continuum, of those in a box of the world at the start; undefined where there is no such part. */
function findParticles(
  { object, worldBox }: { readonly object: string; readonly worldBox?: PointProbe['on']['worldBox'] },
  { continua }: Parts,
): ParticleRegion | undefined {
  for (const model of continua.values()) {
    const part = model.parts.findIndex(({ id }) => id === object);
    if (part < 0) continue;
    const region = listParticles(model, part, worldBox);
    if (region.particles.length > 0) return region;
    throw new HeddleError(`no particle of "${object}" is in that box at the start; make it larger.`);
  }
  return undefined;
}

function findFabricRegion(on: PointProbe['on'], { fabrics }: Parts): FabricRegion {
  const { fabric, plan } = fabrics.get(on.object)!;
  return { fabric, nodes: listFabricNodes(on, plan) };
}

function findObject(
  id: string,
  { strands, rods, sheets, fabrics, continua }: Parts,
): Strand | Rod | Sheet | Fabric | ContinuumModel {
  return strands.get(id) ?? rods.get(id) ?? sheets.get(id) ?? continua.get(id) ?? fabrics.get(id)!.fabric;
}

function findModels(object: string | undefined, parts: Parts): readonly Model[] {
  return object === undefined ? parts.models : [findObject(object, parts)];
}

/** The node of a guide; in Lagrangian mode, for a guide on a body, the material point that is nearest at the start. */
function findGuide(strand: Strand, id: string, { scene }: Parts): number {
  const guide = strand.state.guides.find((candidate) => candidate.id === id);
  if (guide) return guide.label;
  const object = scene.objects.find((one): one is SceneStrand => one.type === 'strand' && one.id === strand.id)!;
  const { point } = object.guides.find((other) => other.id === id)!;
  return strand.state.findNearest(point);
}
