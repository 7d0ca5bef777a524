/** Colours by group: of particles, and of the yarns of fabrics. */
import type { YarnsFrame } from '../model/frame.ts';

/**
 * Colours of groups of particles, in turn: the palette of M. Okabe and K. Ito, "Color Universal Design" (2008), which eyes
 * of every kind of colour vision tell apart. sRGB bytes.
 */
export const GROUP_COLOURS: readonly (readonly [number, number, number])[] = [
  [230, 159, 0],
  [86, 180, 233],
  [0, 158, 115],
  [213, 94, 0],
  [0, 114, 178],
  [204, 121, 167],
  [240, 228, 66],
  [140, 140, 140],
];

/** Linear red, green, blue (0…1) of each particle, 3 numbers each. */
export function computeGroupColours(group: Uint8Array): Float32Array<ArrayBuffer> {
  const linear = GROUP_COLOURS.map((colour) => colour.map(toLinear));
  const colours = new Float32Array(3 * group.length);
  for (let i = 0; i < group.length; i++) colours.set(linear[group[i] % linear.length], 3 * i);
  return colours;
}

/**
 * Colours of the yarns of a fabric, sRGB bytes: two for each layer, which its groups have in turn, so that warp and weft (or the two
 * carriers of a knit) are told apart by their lightness in one hue, and layers by their hue.
 */
export const LAYER_COLOURS: readonly (readonly (readonly [number, number, number])[])[] = [
  [
    [62, 133, 122],
    [150, 196, 178],
  ],
  [
    [203, 95, 56],
    [238, 172, 124],
  ],
  [
    [70, 87, 158],
    [150, 166, 216],
  ],
  [
    [150, 78, 128],
    [208, 154, 190],
  ],
];

/** Place of a yarn's colour in the list of all colours of layers; a third group has those of the next layer but one. */
export function computeYarnColourIndex(layer: number, group: number): number {
  return 2 * ((layer + 2 * (group >> 1)) % LAYER_COLOURS.length) + (group % 2);
}

/** Linear red, green, blue (0…1) of each yarn, 3 numbers each. */
export function computeYarnColours({ layer, group }: Pick<YarnsFrame, 'layer' | 'group'>): Float32Array<ArrayBuffer> {
  const linear = LAYER_COLOURS.flat().map((colour) => colour.map(toLinear));
  const colours = new Float32Array(3 * layer.length);
  for (let y = 0; y < layer.length; y++) colours.set(linear[computeYarnColourIndex(layer[y], group[y])], 3 * y);
  return colours;
}

function toLinear(byte: number): number {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
