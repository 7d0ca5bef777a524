/** Nets and worlds that the laws of fabrics share. */
import type { Body } from '../bodies/index.ts';
import type { CurveMaterial } from '../curve/index.ts';
import {
  Fabric,
  type FabricOptions,
  type LayerOptions,
  ROLE_CROSSING,
  ROLE_POINT,
  type YarnNet,
} from '../fabric/index.ts';
import type { Vec3 } from '../math/index.ts';
import { createPlainWeave, createWovenNet, createWovenYarns } from '../patterns/index.ts';
import { type Driver, World, type WorldOptions } from '../world/index.ts';

/** Thick yarns, as those of the tablecloth of [Sánchez-Banderas 2020]. */
export const FABRIC_YARN: CurveMaterial = {
  linearDensity: 6e-3,
  stretchStiffness: 1000,
  bendingStiffness: 1e-6,
  radius: 2.25e-3,
};

export const FABRIC_SPACING = 5.6e-3;

export const FABRIC_LAYER: LayerOptions = {
  name: 'layer',
  spacing: FABRIC_SPACING,
  shearStiffness: 1e-2,
  wrappingStiffness: 0,
  parallelStiffness: 1e6,
  frictionStiffness: 2e4,
  preload: 1e-3,
};

/** One node of a net by hand: a yarn and its material coordinate, or two. */
export interface NetNode {
  readonly x: Vec3;
  readonly sides: readonly (readonly [yarn: number, u: number])[];
  readonly role?: number;
  /** Whether the first yarn lies on top. */
  readonly isFirstOver?: boolean;
  /** Whether first × second points up. */
  readonly isUp?: boolean;
}

/** `yarns`: length and layer of each. */
export function createYarnNet(
  yarns: readonly { readonly length: number; readonly layer?: number; readonly material?: number }[],
  nodes: readonly NetNode[],
): YarnNet {
  const isDouble = ({ sides }: NetNode): boolean => sides.length > 1;
  return {
    yarnLength: Float64Array.from(yarns, ({ length }) => length),
    yarnMaterial: Uint16Array.from(yarns, ({ material = 0 }) => material),
    yarnLayer: Uint16Array.from(yarns, ({ layer = 0 }) => layer),
    yarnGroup: new Uint8Array(yarns.length),
    x: Float64Array.from(nodes.flatMap(({ x }) => [...x])),
    yarn: Int32Array.from(nodes.flatMap(({ sides }) => [sides[0][0], sides[1]?.[0] ?? -1])),
    u: Float64Array.from(nodes.flatMap(({ sides }) => [sides[0][1], sides[1]?.[1] ?? 0])),
    role: Uint8Array.from(nodes, (node) => node.role ?? (isDouble(node) ? ROLE_CROSSING : ROLE_POINT)),
    over: Int8Array.from(nodes, (node) => (isDouble(node) ? (node.isFirstOver === false ? -1 : 1) : 0)),
    turn: Int8Array.from(nodes, (node) => (node.isUp === false ? -1 : 1)),
    wraps: new Int32Array(0),
  };
}

/** A flat plain weave without crimp in the plane of x and z; crossings of weft j and warp i are nodes j · warps + i. */
export function createPlainNet(
  warps: number,
  wefts = warps,
  spacing = FABRIC_SPACING,
  radius = FABRIC_YARN.radius,
): YarnNet {
  return createWovenNet(
    createWovenYarns({
      weave: createPlainWeave(),
      warps,
      wefts,
      spacing: { warp: spacing, weft: spacing },
      radius: { warp: radius, weft: radius },
      crimp: { warp: 0, weft: 0 },
    }),
  );
}

export function createFabric(net: YarnNet, options: Partial<FabricOptions> = {}): Fabric {
  return new Fabric({
    id: 'cloth',
    net,
    materials: [FABRIC_YARN],
    layers: [FABRIC_LAYER],
    friction: Float64Array.of(0.3),
    bodyFriction: 0.3,
    gravity: [0, 0, 0],
    ...options,
  });
}

export function createFabricWorld(
  fabric: Fabric,
  options: Partial<WorldOptions> & { readonly bodies?: readonly Body[] } = {},
): World {
  return new World({ models: [fabric], timeStep: 1e-3, ...options });
}

/** Holds nodes where they are. */
export const holdNodes = (fabric: Fabric, nodes: readonly number[], bits = 7): Driver => ({
  prepare() {
    for (const node of nodes) fabric.holdNode(node, bits);
  },
  aim() {},
});

/** Linear and angular momentum. */
export function computeFabricMomentum(fabric: Fabric): Float64Array {
  const out = new Float64Array(6);
  fabric.addMomentum(out);
  return out;
}
