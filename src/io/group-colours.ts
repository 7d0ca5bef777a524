/** Colours by group: of particles, and of the yarns of fabrics. */
import type { YarnsFrame } from '../model/frame.ts';

/**
 * Colours of groups of particles, in turn: the palette of [Okabe 2008], which eyes
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

/** Colours of the layers of fabrics, by the id of the fabric: those of the groups in turn, `#rgb` or `#rrggbb`; undefined for the usual ones. */
export type YarnColours = ReadonlyMap<string, readonly (readonly string[] | undefined)[]>;

/** The colours that a scene gives its fabrics; other objects have none. */
export function collectYarnColours(objects: readonly unknown[]): YarnColours {
  type Fabric = { id: string; type: string; layers: readonly { colour?: string | readonly string[] | undefined }[] };
  const fabrics = (objects as readonly Fabric[]).filter(
    ({ type, layers }) => type === 'fabric' && Array.isArray(layers),
  );
  return new Map(
    fabrics.map(({ id, layers }) => [
      id,
      layers.map(({ colour }) => (colour === undefined ? colour : [colour].flat())),
    ]),
  );
}

/** Linear red, green, blue (0…1) of each yarn, 3 numbers each. A third group has the colours of the next layer but one. */
export function computeYarnColours(
  { id, layer, group }: Pick<YarnsFrame, 'id' | 'layer' | 'group'>,
  given?: YarnColours,
): Float32Array<ArrayBuffer> {
  const usual = LAYER_COLOURS.map((pair) => pair.map((bytes) => bytes.map(toLinear)));
  const own = given?.get(id)?.map((colours) => colours?.map(parseColour));
  const colours = new Float32Array(3 * layer.length);
  for (let y = 0; y < layer.length; y++) {
    const of = own?.[layer[y]] ?? usual[(layer[y] + 2 * (group[y] >> 1)) % usual.length];
    colours.set(of[group[y] % of.length], 3 * y);
  }
  return colours;
}

/** Linear numbers of `#rgb` or `#rrggbb`. */
function parseColour(text: string): number[] {
  const digits = text.length === 4 ? text.replace(/[^#]/g, '$&$&') : text;
  return [1, 3, 5].map((at) => toLinear(Number.parseInt(digits.slice(at, at + 2), 16)));
}

function toLinear(byte: number): number {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
