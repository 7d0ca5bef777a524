/**
 * How yarns act on each other where nobody says it, from the yarns and the spacing L of crossings [m]. EA, EI, r: means of warp and weft.
 *
 *     shear       k_x = 1.5 EI/L²           a quarter of a grid whose yarns are joined stiffly at the crossings: sheared by φ, each piece is an S of the energy
 *                                           6 EI (φ/2)²/L; two pieces a crossing make 3 EI φ²/L = ½ k L φ², so k = 6 EI/L². Cotton shirting (EI 2.5e-9 N m²,
 *                                           L 0.4 mm) has k_x/L = 59 N/m so; tests find 56 (KES-F, 1 gf/(cm degree))
 *     wrapping    k_w = 2 EI/L²             both yarns bent by ψ over L: 2 · ½ EI (ψ/L)² L = ½ k L ψ²
 *     parallel    k_c = EA/(100 π r²)       yarns are soft across: a hundredth of the modulus along them; an estimate
 *     friction    k_f = EA/L                sticking gives no more than the yarn itself does from one crossing to the next
 *     preload     N₀ = 2.4 EI h/L³          straight yarns bent to waves of height h press with 24 EI h/L³ (two pieces, each built in at both ends); finished
 *                                           cloth is set, and a tenth is left: an estimate. 30 mm of a yarn of that cotton (75 crossings, μ 0.3) are drawn out with 0.4 N so
 */
import type { CurveMaterial } from '../curve/index.ts';
import type { LayerOptions } from './options.ts';

/** What the defaults of a layer depend on. */
export interface LayerYarns {
  readonly name: string;
  /** L [m] */
  readonly spacing: number;
  /** Materials of warps and wefts, or of one yarn twice. */
  readonly materials: readonly [CurveMaterial, CurveMaterial];
  /** h, from crest to trough of a yarn's centre line [m], times the share of crossings between which it changes sides. */
  readonly waveHeight: number;
}

/** Stiffnesses and the preload of a layer; what is given wins. */
export function computeLayerOptions(
  yarns: LayerYarns,
  given: { readonly [Key in keyof LayerOptions]?: LayerOptions[Key] | undefined } = {},
): LayerOptions {
  const { name, spacing: L, waveHeight, materials } = yarns;
  const mean = (key: 'stretchStiffness' | 'bendingStiffness' | 'radius'): number =>
    (materials[0][key] + materials[1][key]) / 2;
  const [EA, EI, r] = [mean('stretchStiffness'), mean('bendingStiffness'), mean('radius')];
  return {
    name,
    spacing: L,
    shearStiffness: given.shearStiffness ?? (1.5 * EI) / (L * L),
    wrappingStiffness: given.wrappingStiffness ?? (2 * EI) / (L * L),
    parallelStiffness: given.parallelStiffness ?? EA / (100 * Math.PI * r * r),
    frictionStiffness: given.frictionStiffness ?? EA / L,
    preload: given.preload ?? (2.4 * EI * waveHeight) / (L * L * L),
  };
}
