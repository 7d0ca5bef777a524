/**
 * The surface of a sheet, seen from both sides, the back a little darker. In checker mode it alternates between two colours
 * every `check` metres along both material coordinates X, so that sliding is seen; otherwise it shows a named value by the
 * perceptual map. The settings are those of the curves, so that both show the same.
 *   check = product of the filtered square waves of X₀/check and X₁/check (curve-material.ts)
 */
import { Color, DoubleSide, MeshStandardMaterial } from 'three';
import type { CurveMaterial } from './curve-material.ts';
import { TO_KEY } from './lights.ts';

/** Calm enough for large areas; nodes in red, blue and yellow stand out on both. */
export const SHEET_COLOURS = ['#f0e8d8', '#6f9f8f'] as const;
/** Those of several sheets in turn, so that one is seen on the other; they differ in lightness for eyes that see few colours. */
export const SHEETS_COLOURS = [
  SHEET_COLOURS,
  ['#d9a441', '#8c5a2b'],
  ['#e3e6f2', '#5b6b9a'],
  ['#c9b3c9', '#7a4b6e'],
] as const;

const COLOUR = /* glsl */ `
  if (mapped) {
    float t = (vValue - range.x) / max(range.y - range.x, 1e-30);
    diffuseColor.rgb = texture(colourMap, vec2(clamp(t, 0.0, 1.0) * 255.0 / 256.0 + 0.5 / 256.0, 0.5)).rgb;
  } else {
    vec2 s = vMaterial / check;
    vec2 w = max(fwidth(s), vec2(1e-6));
    vec2 wave = (abs(fract(0.5 * (s - 0.5 * w)) - 0.5) - abs(fract(0.5 * (s + 0.5 * w)) - 0.5)) * 2.0 / w;
    wave = clamp(wave, -1.0, 1.0);
    diffuseColor.rgb = mix(checkB, checkA, 0.5 + 0.5 * wave.x * wave.y);
  }
  if (!gl_FrontFacing) diffuseColor.rgb *= 0.6;
`;

/** The place at which a shadow is looked up is moved along the normal, which must lead towards the light on both sides. */
const TURN_TO_LIGHT = /* glsl */ `
  if (dot(inverseTransformDirection(transformedNormal, viewMatrix), toKey) < 0.0) transformedNormal = -transformedNormal;
`;

/** `n`: the how manieth sheet of the scene it is for, from 0 on. */
export function createSurfaceMaterial(settings: CurveMaterial['settings'], n = 0): MeshStandardMaterial {
  const [light, dark] = SHEETS_COLOURS[n % SHEETS_COLOURS.length];
  const material = new MeshStandardMaterial({
    roughness: 0.75,
    metalness: 0,
    side: DoubleSide,
    // keeps mesh lines and creases from sinking into the triangles beside them
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, {
      check: settings.check,
      mapped: settings.mapped,
      range: settings.range,
      colourMap: settings.map,
      toKey: { value: TO_KEY },
      checkA: { value: new Color(light) },
      checkB: { value: new Color(dark) },
    });
    shader.vertexShader = shader.vertexShader
      .replace(
        '#include <common>',
        '#include <common>\nattribute float value;\nuniform vec3 toKey;\nvarying vec2 vMaterial;\nvarying float vValue;',
      )
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvMaterial = uv; vValue = value;')
      .replace('#include <shadowmap_vertex>', `${TURN_TO_LIGHT}#include <shadowmap_vertex>`);
    shader.fragmentShader = shader.fragmentShader
      .replace(
        '#include <common>',
        '#include <common>\nuniform float check;\nuniform bool mapped;\nuniform vec2 range;\nuniform sampler2D colourMap;\nuniform vec3 checkA, checkB;\nvarying vec2 vMaterial;\nvarying float vValue;',
      )
      .replace('#include <color_fragment>', COLOUR);
  };
  return material;
}
