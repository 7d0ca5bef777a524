/** Probes of a scene, on what they measure. */
import type { Model } from '../model/index.ts';
import type { Strand } from '../strand/index.ts';
import {
  createBodyProbe,
  createContactProbe,
  createCountsProbe,
  createCrossingsProbe,
  createEnergyProbe,
  createLengthProbe,
  createMomentumProbe,
  createNodeProbe,
  createPassageProbe,
  createPlaceProbe,
  createSpoolProbe,
  NODE_QUANTITIES,
  type Probe,
} from '../world/index.ts';
import type { Parts } from './compile.ts';
import type { Scene } from './schema.ts';

type SceneProbe = Scene['probes'][number];

export function compileProbes(parts: Parts): Probe[] {
  return parts.scene.probes.map((probe) => compileProbe(probe, parts));
}

function compileProbe(probe: SceneProbe, parts: Parts): Probe {
  const { strands, bodies } = parts;
  switch (probe.type) {
    case 'energy':
      return createEnergyProbe(probe.id, findModels(probe.object, parts));
    case 'momentum':
    case 'angularMomentum':
      return createMomentumProbe(probe.id, findModels(probe.object, parts), probe.type === 'angularMomentum');
    case 'counts':
      return createCountsProbe(probe.id, probe.object ? [strands.get(probe.object)!] : [...strands.values()]);
    case 'length':
      return createLengthProbe(probe.id, strands.get(probe.object)!);
    case 'spool': {
      const strand = strands.get(probe.object)!;
      return createSpoolProbe(probe.id, strand, strand.state.spools.find(({ id }) => id === probe.spool)!);
    }
    case 'crossings':
      return createCrossingsProbe(probe.id, parts.crossings, probe.object ? strands.get(probe.object) : undefined);
    case 'body':
      return createBodyProbe(probe.id, bodies.get(probe.body)!);
    case 'contactForce':
      return createContactProbe(probe.id, bodies.get(probe.body)!, [...strands.values()]);
    case 'passage':
      return createPassageProbe(probe.id, strands.get(probe.object)!, probe.point);
    default: {
      const quantity = NODE_QUANTITIES.find(({ name }) => name === probe.type)!;
      const { object, at, guide } = probe.on;
      const strand = strands.get(object)!;
      const drum = strand.state.spools.find(({ end }) => end === at);
      if (drum) return createNodeProbe(probe.id, quantity, { strand, label: drum.label });
      if (at !== undefined) return createPlaceProbe(probe.id, quantity, strand, at);
      return createNodeProbe(probe.id, quantity, { strand, label: findGuide(strand, guide!, parts) });
    }
  }
}

function findModels(object: string | undefined, { strands, models }: Parts): readonly Model[] {
  return object === undefined ? models : [strands.get(object)!];
}

/** The node of a guide; in Lagrangian mode, for a guide on a body, the material point that is nearest at the start. */
function findGuide(strand: Strand, id: string, { scene }: Parts): number {
  const guide = strand.state.guides.find((candidate) => candidate.id === id);
  if (guide) return guide.label;
  const { point } = scene.objects.find((object) => object.id === strand.id)!.guides.find((other) => other.id === id)!;
  return strand.state.findNearest(point);
}
