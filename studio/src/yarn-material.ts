/**
 * The surface of yarns (vertices: yarn-rings.ts). Colours are those of the layers and groups, a little darker on every second check of the
 * material, with the grooves of PLIES plies twisted together; or a named value by the perceptual map. Rings of mesh lines and checks:
 * curve-material.ts. A ribbon is turned about the yarn towards the eye, and lit as if it were round, at its vertices alone: there are many.
 */
import { computeYarnColours, type YarnColours } from 'heddle/io';
import type { YarnsFrame } from 'heddle/model';
import {
  Color,
  DoubleSide,
  MeshStandardMaterial,
  ShaderMaterial,
  type WebGLProgramParametersWithUniforms,
} from 'three';
import type { CurveMaterial } from './curve-material.ts';
import { TO_FILL, TO_KEY } from './lights.ts';

/** How much of its colour a yarn has on every second check. */
const CHECK_SHADE = 0.72;
const PLIES = 4;
/** Length of yarn in which a ply goes once round, in radii. */
const PLY_LENGTH = 11;

/** The two colours of checks on the first yarn of a fabric, for a key. */
export function computeCheckColours(yarns: YarnsFrame, given: YarnColours): [string, string] {
  const colour = new Color().fromArray(computeYarnColours(yarns, given));
  return [colour.getStyle(), colour.clone().multiplyScalar(CHECK_SHADE).getStyle()];
}

const VERTEX = /* glsl */ `
  attribute vec3 material, paint;
  attribute vec2 across;
  varying vec3 vYarn;
  varying float vMaterial, vValue, vNode, vPly;
`;

const NORMAL = /* glsl */ `
  vec3 objectNormal = normal;
  vYarn = paint;
  vMaterial = material.x;
  vValue = material.y;
  vNode = material.z;
  vPly = float(PLIES) * (across.x - 6.2831853 * material.x / (float(PLY_LENGTH) * across.y));
`;

const COLOUR = /* glsl */ `
  if (mapped) {
    float t = (vValue - range.x) / max(range.y - range.x, 1e-30);
    diffuseColor.rgb = texture(colourMap, vec2(clamp(t, 0.0, 1.0) * 255.0 / 256.0 + 0.5 / 256.0, 0.5)).rgb;
  } else {
    float s = vMaterial / check;
    float w = max(fwidth(s), 1e-6);
    float wave = (abs(fract(0.5 * (s - 0.5 * w)) - 0.5) - abs(fract(0.5 * (s + 0.5 * w)) - 0.5)) * 2.0 / w;
    diffuseColor.rgb = vYarn * mix(CHECK_SHADE, 1.0, 0.5 + 0.5 * clamp(wave, -1.0, 1.0));
    // grooves fade where they are only pixels apart
    float groove = (0.5 - 0.5 * cos(vPly)) * clamp(1.4 - 0.5 * fwidth(vPly), 0.0, 1.0);
    diffuseColor.rgb *= 1.0 - 0.5 * groove * groove;
  }
  if (lines > 0.0) {
    float perPixel = max(fwidth(vNode) * lines, 1e-5);
    float away = abs(fract(vNode - 0.5) - 0.5) / perPixel;
    float calm = perPixel > 1e-5 ? clamp(1.5 - 6.0 * perPixel, 0.0, 1.0) : 0.0;
    diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.02), calm * (1.0 - smoothstep(1.0, 1.6, away)));
  }
`;

const FRAGMENT = /* glsl */ `
  uniform float check, lines;
  uniform bool mapped;
  uniform vec2 range;
  uniform sampler2D colourMap;
  varying vec3 vYarn;
  varying float vMaterial, vValue, vNode, vPly;
`;

const fillIn = (shader: string): string =>
  shader
    .replaceAll('CHECK_SHADE', CHECK_SHADE.toFixed(3))
    .replaceAll('PLIES', String(PLIES))
    .replaceAll('PLY_LENGTH', String(PLY_LENGTH));

export function createTubeMaterial(settings: CurveMaterial['settings']): MeshStandardMaterial {
  const material = new MeshStandardMaterial({ roughness: 0.85, metalness: 0 });
  material.onBeforeCompile = (shader: WebGLProgramParametersWithUniforms) => {
    Object.assign(shader.uniforms, {
      check: settings.check,
      mapped: settings.mapped,
      range: settings.range,
      colourMap: settings.map,
      lines: settings.lines,
    });
    shader.vertexShader = fillIn(
      shader.vertexShader
        .replace('#include <common>', `#include <common>\n${VERTEX}`)
        .replace('#include <beginnormal_vertex>', NORMAL),
    );
    shader.fragmentShader = fillIn(
      shader.fragmentShader
        .replace('#include <common>', `#include <common>\n${FRAGMENT}`)
        .replace('#include <color_fragment>', COLOUR),
    );
  };
  return material;
}

const RIBBON = /* glsl */ `
  attribute vec3 material, paint;
  attribute vec2 across;
  uniform vec3 toKey, toFill;
  uniform float check;
  uniform bool mapped;
  uniform vec2 range;
  uniform sampler2D colourMap;
  varying vec3 vColour;
  void main() {
    vec4 seen = viewMatrix * vec4(position, 1.0);
    vec3 toEye = -normalize(seen.xyz) * mat3(viewMatrix);
    vec3 aside = cross(normal, toEye);
    aside *= across.x / max(length(aside), 1e-6);
    gl_Position = projectionMatrix * viewMatrix * vec4(position + aside, 1.0);
    vec3 n = normalize(toEye - dot(toEye, normal) * normal + 0.8 * aside / across.y);
    float t = clamp((material.y - range.x) / max(range.y - range.x, 1e-30), 0.0, 1.0);
    vec3 colour = mapped
      ? texture(colourMap, vec2(t * 255.0 / 256.0 + 0.5 / 256.0, 0.5)).rgb
      : paint * (fract(0.5 * material.x / check) < 0.5 ? 1.0 : CHECK_SHADE);
    float sky = 0.5 + 0.5 * n.y;
    vec3 light = mix(vec3(0.42, 0.39, 0.36), vec3(0.62, 0.63, 0.66), sky);
    light += 0.72 * max(0.0, dot(n, toKey)) + 0.22 * max(0.0, dot(n, toFill));
    vColour = pow(min(light * colour, vec3(1.0)), vec3(1.0 / 2.2));
  }
`;

export function createRibbonMaterial(settings: CurveMaterial['settings']): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: {
      check: settings.check,
      mapped: settings.mapped,
      range: settings.range,
      colourMap: settings.map,
      toKey: { value: TO_KEY },
      toFill: { value: TO_FILL },
    },
    vertexShader: fillIn(RIBBON),
    fragmentShader: 'varying vec3 vColour; void main() { gl_FragColor = vec4(vColour, 1.0); }',
    side: DoubleSide,
    // the colours are those of the screen already
    toneMapped: false,
  });
}
