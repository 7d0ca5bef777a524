/**
 * The surface of a curve. In checker mode it alternates between two colours every `check` metres of the material, so
 * that sliding is seen; otherwise it shows a named value by the perceptual map. The material has no twist of its own,
 * so the checks run all round.
 *   filtered square wave of s = u/check over one pixel of width w: (I(s + w/2) − I(s − w/2))/w,  I the triangle wave
 */
import { Color, DataTexture, LinearFilter, MeshStandardMaterial, SRGBColorSpace, type Texture } from 'three';
import { computeColourMap } from './colour-map.ts';

export const CHECK_COLOURS = ['#8b3fd6', '#16121c'] as const;

export interface CurveMaterial extends MeshStandardMaterial {
  readonly settings: {
    readonly check: { value: number };
    readonly mapped: { value: boolean };
    readonly range: { value: [number, number] };
    readonly map: { value: Texture };
  };
}

const COLOUR = /* glsl */ `
  if (mapped) {
    float t = (vValue - range.x) / max(range.y - range.x, 1e-30);
    diffuseColor.rgb = texture(colourMap, vec2(clamp(t, 0.0, 1.0) * 255.0 / 256.0 + 0.5 / 256.0, 0.5)).rgb;
  } else {
    float s = vMaterial / check;
    float w = max(fwidth(s), 1e-6);
    float wave = (abs(fract(0.5 * (s - 0.5 * w)) - 0.5) - abs(fract(0.5 * (s + 0.5 * w)) - 0.5)) * 2.0 / w;
    diffuseColor.rgb = mix(checkB, checkA, 0.5 + 0.5 * clamp(wave, -1.0, 1.0));
  }
`;

export function createCurveMaterial(): CurveMaterial {
  const map = new DataTexture(computeColourMap(), 256, 1);
  map.colorSpace = SRGBColorSpace;
  map.minFilter = map.magFilter = LinearFilter;
  map.needsUpdate = true;
  const settings = {
    check: { value: 0.05 },
    mapped: { value: false },
    range: { value: [0, 1] as [number, number] },
    map: { value: map as Texture },
  };
  const material = new MeshStandardMaterial({ roughness: 0.4, metalness: 0 });
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, {
      check: settings.check,
      mapped: settings.mapped,
      range: settings.range,
      colourMap: settings.map,
      checkA: { value: new Color(CHECK_COLOURS[0]) },
      checkB: { value: new Color(CHECK_COLOURS[1]) },
    });
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nattribute float value;\nvarying float vMaterial, vValue;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvMaterial = uv.x; vValue = value;');
    shader.fragmentShader = shader.fragmentShader
      .replace(
        '#include <common>',
        '#include <common>\nuniform float check;\nuniform bool mapped;\nuniform vec2 range;\nuniform sampler2D colourMap;\nuniform vec3 checkA, checkB;\nvarying float vMaterial, vValue;',
      )
      .replace('#include <color_fragment>', COLOUR);
  };
  material.addEventListener('dispose', () => map.dispose());
  return Object.assign(material, { settings });
}
