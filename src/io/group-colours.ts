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

function toLinear(byte: number): number {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
