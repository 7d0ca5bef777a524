/**
 * The perceptual colour map, computed: a path through OKLab with evenly rising lightness from dark violet over teal to
 * yellow, so that equal steps of the value look like equal steps, also in grey and for colour-blind eyes.
 *   OKLab → linear sRGB: B. Ottosson, "A perceptual color space for image processing" (2020).
 *   L lightness [0..1], C chroma, H hue [rad]: a = C cos H, b = C sin H.
 */

const TEXELS = 256;

const encode = (linear: number): number => {
  const value = Math.min(1, Math.max(0, linear));
  return value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
};

/** Colour of t in [0, 1] as sRGB bytes. */
export function computeColour(t: number): [number, number, number] {
  const s = Math.min(1, Math.max(0, t));
  const lightness = 0.3 + 0.6 * s;
  const hue = ((310 - 205 * s) * Math.PI) / 180;
  // the gamut is narrow in the teal middle and wide at both ends
  const chroma = 0.125 + 0.055 * (2 * s - 1) ** 2 - 0.015 * (1 - s);
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const n = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    Math.round(255 * encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * n)),
    Math.round(255 * encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * n)),
    Math.round(255 * encode(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * n)),
  ];
}

/** The map as RGBA bytes, 256 texels from low to high. */
export function computeColourMap(): Uint8Array {
  const bytes = new Uint8Array(4 * TEXELS);
  for (let i = 0; i < TEXELS; i++) {
    bytes.set(computeColour(i / (TEXELS - 1)), 4 * i);
    bytes[4 * i + 3] = 255;
  }
  return bytes;
}
