/** Probes of a scene, on what they measure. */
import type { Model } from '../model/index.ts';
import {
  createBodyProbe,
  createContactProbe,
  createCountsProbe,
  createEnergyProbe,
  createMomentumProbe,
  createNodeProbe,
  NODE_QUANTITIES,
  type Probe,
  type StrandPoint,
} from '../world/index.ts';
import type { Parts } from './compile.ts';
import { findPoint } from './compile-drivers.ts';
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
    case 'body':
      return createBodyProbe(probe.id, bodies.get(probe.body)!);
    case 'contactForce':
      return createContactProbe(probe.id, bodies.get(probe.body)!, [...strands.values()]);
    default: {
      const quantity = NODE_QUANTITIES.find(({ name }) => name === probe.type)!;
      return createNodeProbe(probe.id, quantity, findPlace(probe.on, parts));
    }
  }
}

function findModels(object: string | undefined, { strands, models }: Parts): readonly Model[] {
  return object === undefined ? models : [strands.get(object)!];
}

/** The node of a guide (in Lagrangian mode of a guide on a body: the nearest material point), or a material point. */
function findPlace(
  on: { object: string; at?: 'start' | 'end' | number | undefined; guide?: string | undefined },
  parts: Parts,
): StrandPoint {
  if (on.at !== undefined) return findPoint({ object: on.object, at: on.at }, parts);
  const strand = parts.strands.get(on.object)!;
  const guide = strand.state.guides.find(({ id }) => id === on.guide);
  if (guide) return { strand, label: guide.label };
  const { point } = parts.scene.objects.find(({ id }) => id === on.object)!.guides.find(({ id }) => id === on.guide)!;
  return { strand, label: strand.state.findNearest(point) };
}
