/**
 * The surface of a curve. In checker mode it alternates between two colours every `check` metres of the material, so
 * that sliding is seen; otherwise it shows a named value by the perceptual map. The material has no twist of its own,
 * so the checks run all round.
 * Mesh lines are pale rings with a dark rim at every node, of one width on the screen; they fade where nodes are only pixels apart.
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
    /** Drawn pixels per CSS pixel while rings are drawn at the nodes, else 0. */
    readonly lines: { value: number };
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
  if (lines > 0.0) {
    // distance from the nearest node in CSS pixels; caps and joints lie all at one node and have none
    float perPixel = fwidth(vNode) * lines;
    if (perPixel > 1e-5) {
      float away = abs(fract(vNode - 0.5) - 0.5) / perPixel;
      float calm = clamp(1.5 - 6.0 * perPixel, 0.0, 1.0);
      diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.02), calm * (1.0 - smoothstep(1.4, 2.2, away)));
      diffuseColor.rgb = mix(diffuseColor.rgb, vec3(1.0), calm * (1.0 - smoothstep(0.5, 1.1, away)));
    }
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
    lines: { value: 0 },
  };
  const material = new MeshStandardMaterial({ roughness: 0.4, metalness: 0 });
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, {
      check: settings.check,
      mapped: settings.mapped,
      range: settings.range,
      colourMap: settings.map,
      lines: settings.lines,
      checkA: { value: new Color(CHECK_COLOURS[0]) },
      checkB: { value: new Color(CHECK_COLOURS[1]) },
    });
    shader.vertexShader = shader.vertexShader
      .replace(
        '#include <common>',
        '#include <common>\nattribute float value, node;\nvarying float vMaterial, vValue, vNode;',
      )
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvMaterial = uv.x; vValue = value; vNode = node;');
    shader.fragmentShader = shader.fragmentShader
      .replace(
        '#include <common>',
        '#include <common>\nuniform float check, lines;\nuniform bool mapped;\nuniform vec2 range;\nuniform sampler2D colourMap;\nuniform vec3 checkA, checkB;\nvarying float vMaterial, vValue, vNode;',
      )
      .replace('#include <color_fragment>', COLOUR);
  };
  material.addEventListener('dispose', () => map.dispose());
  return Object.assign(material, { settings });
}
