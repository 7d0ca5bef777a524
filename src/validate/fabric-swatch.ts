/** Swatches of woven cloth (`measureSwatch`) against what their yarns say. */

import { computeLayerOptions } from '../fabric/index.ts';
import { createPlainWeave, createWovenNet, createWovenYarns, type Weave } from '../patterns/index.ts';
import { measureSwatch, type SwatchCloth } from '../world/index.ts';
import { type Faults, faultOf, type ValueLaw } from './law.ts';

/** Warps and wefts differ in all that they can. */
export const SWATCH_WARP = {
  linearDensity: 3e-5,
  stretchStiffness: 70,
  bendingStiffness: 2.5e-9,
  radius: 1e-4,
  friction: 0.3,
};
export const SWATCH_WEFT = { ...SWATCH_WARP, stretchStiffness: 50, bendingStiffness: 4e-9 };

export function makeSwatchCloth(weave: Weave, isBalanced: boolean): SwatchCloth {
  const spacing = isBalanced ? { warp: 4e-4, weft: 4e-4 } : { warp: 4e-4, weft: 5e-4 };
  const weft = isBalanced ? SWATCH_WARP : SWATCH_WEFT;
  return {
    materials: [SWATCH_WARP, weft],
    layer: computeLayerOptions({
      name: 'cloth',
      spacing: Math.sqrt(spacing.warp * spacing.weft),
      materials: [SWATCH_WARP, weft],
      waveHeight: 2e-4,
    }),
    friction: 0.3,
    spacing,
    createNet: (warps, wefts) =>
      createWovenNet(
        createWovenYarns({
          weave,
          warps,
          wefts,
          spacing,
          radius: { warp: SWATCH_WARP.radius, weft: weft.radius },
          crimp: { warp: 0, weft: 0 },
        }),
        { materials: { warp: 0, weft: 1 } },
      ),
  };
}

/** A plain weave whose warps and wefts differ, with a deliberate fault. */
function createCloth(faults: Faults): SwatchCloth {
  const cloth = makeSwatchCloth(createPlainWeave(), false);
  return {
    ...cloth,
    materials: cloth.materials.map((material) => ({
      ...material,
      stretchStiffness: material.stretchStiffness * faultOf(faults, 'EA'),
      bendingStiffness: material.bendingStiffness * faultOf(faults, 'EI'),
    })),
    layer: { ...cloth.layer, shearStiffness: cloth.layer.shearStiffness * faultOf(faults, 'shear') },
  };
}

/** Force or moment per width of one test at one strain. */
function measureAt(
  name: string,
  limits: { strain?: number; shear?: number; curvature?: number },
  cloth: SwatchCloth,
): number {
  const { points } = measureSwatch(cloth, { tests: [name], size: [4e-3, 1e-2], points: 1, ...limits })[0];
  return points[points.length - 1].stress;
}

export const FABRIC_STRETCH: ValueLaw = {
  name: 'fabric-stretch',
  model: 'fabric',
  kind: 'value',
  title: 'a swatch of straight yarns at distances p has the force EA ε/p per width along them',
  source: 'Hooke',
  parameter: 'ε [1]',
  parameters: [0.01, 0.03, 0.05],
  quantity: 'force per width along the warp [N/m]',
  stiffnesses: ['EA'],
  tolerance: 1e-4,
  predict: (strain) => (SWATCH_WARP.stretchStiffness / 4e-4) * strain,
  measure: (strain, _, faults) => measureAt('stretch-warp', { strain }, createCloth(faults)),
};

export const FABRIC_BENDING: ValueLaw = {
  name: 'fabric-bending',
  model: 'fabric',
  kind: 'value',
  title: 'a swatch of straight yarns at distances p has the moment EI κ/p per width',
  source: 'Euler–Bernoulli',
  parameter: 'κ [1/m]',
  parameters: [50, 150, 300],
  quantity: 'moment per width of the weft [N]',
  stiffnesses: ['EI'],
  tolerance: 1e-4,
  predict: (curvature) => (SWATCH_WEFT.bendingStiffness / 5e-4) * curvature,
  measure: (curvature, _, faults) => measureAt('bend-weft', { curvature }, createCloth(faults)),
};

export const FABRIC_SHEAR: ValueLaw = {
  name: 'fabric-shear',
  model: 'fabric',
  kind: 'value',
  title: 'a swatch in a picture frame has the shear force k_x L γ/(p_warp p_weft) per length',
  source: 'docs/reference/fabric.md',
  parameter: 'γ [rad]',
  parameters: [0.1, 0.2, 0.35],
  quantity: 'shear force per length [N/m]',
  stiffnesses: ['shear'],
  predict(shear) {
    const { shearStiffness, spacing } = makeSwatchCloth(createPlainWeave(), false).layer;
    return ((shearStiffness * spacing) / (4e-4 * 5e-4)) * shear;
  },
  measure: (shear, _, faults) => measureAt('shear', { shear }, createCloth(faults)),
};

export const FABRIC_EXCHANGE: ValueLaw = {
  name: 'fabric-exchange',
  model: 'fabric',
  kind: 'value',
  title: 'a balanced plain weave has the same curve along warp and weft',
  source: 'docs/reference/fabric.md',
  parameter: 'ε [1]',
  parameters: [0.02, 0.05],
  quantity: 'force along the weft over that along the warp [1]',
  stiffnesses: [],
  tolerance: 1e-6,
  predict: () => 1,
  measure(strain) {
    const cloth = makeSwatchCloth(createPlainWeave(), true);
    return measureAt('stretch-weft', { strain }, cloth) / measureAt('stretch-warp', { strain }, cloth);
  },
};
