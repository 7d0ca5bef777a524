/**
 * The ground: a plane in the colour of the background that shows only a grid and the shadows, both fading out with the
 * distance, so that there is no horizon. Lines are filtered over the pixel and stay even at any distance.
 *   spacing [m]: 1, 2 or 5 times a power of ten; every fifth line is stronger.
 */
import { Color, DoubleSide, Mesh, PlaneGeometry, ShadowMaterial, type Vector3 } from 'three';

/** The 1-2-5 number nearest below `value`. */
export function computeRoundStep(value: number): number {
  const decade = 10 ** Math.floor(Math.log10(value));
  const mantissa = value / decade;
  return decade * (mantissa >= 5 ? 5 : mantissa >= 2 ? 2 : 1);
}

const GRID = /* glsl */ `
  vec2 cell = vGround / gridSpacing;
  vec2 width = fwidth(cell);
  vec2 thin = 1.0 - smoothstep(vec2(0.5), vec2(1.5), abs(fract(cell - 0.5) - 0.5) / width);
  vec2 bold = 1.0 - smoothstep(vec2(0.8), vec2(2.0), 5.0 * abs(fract(cell / 5.0 - 0.5) - 0.5) / width);
  // cells smaller than a pixel would shimmer
  vec2 calm = clamp(1.0 - 2.0 * width, 0.0, 1.0);
  float line = max(max(thin.x * calm.x, thin.y * calm.y) * 0.10, max(bold.x * calm.x, bold.y * calm.y) * 0.20);
  float fade = 1.0 - smoothstep(0.35, 1.0, distance(vGround, gridCentre) / gridReach);
  float shade = opacity * (1.0 - getShadowMask());
  // from below: surface, lines, shadow
  vec4 ground = vec4(surfaceColour * surface, surface);
  ground = mix(ground, vec4(lineColour, 1.0), line);
  ground = mix(ground, vec4(color, 1.0), shade);
  gl_FragColor = vec4(ground.rgb / max(ground.a, 1e-4), ground.a * fade);
`;

/** Where the grid is strongest, where it ends, and the width of its cells [m]. */
export interface GroundPlace {
  readonly centre: Vector3;
  readonly reach: number;
  readonly spacing: number;
}

/**
 * A ground plane through the origin of its own frame with normal +y. `surface` [0..1]: how much of a surface of its own it shows; `dark`: that the
 * background is, so that the lines are pale. It can be placed anew while it is seen; a new one would have its shader compiled again.
 */
export class Ground {
  readonly mesh: Mesh<PlaneGeometry, ShadowMaterial>;
  readonly #place = { gridSpacing: { value: 1 }, gridReach: { value: 1 }, gridCentre: { value: [0, 0] } };

  constructor({ surface, dark }: { readonly surface: number; readonly dark: boolean }) {
    const material = new ShadowMaterial({
      color: new Color(dark ? '#05070b' : '#1c2430'),
      opacity: dark ? 0.5 : 0.26,
      side: DoubleSide,
    });
    material.depthWrite = false;
    // a plane is never behind itself: its two sides need no picture each
    material.forceSinglePass = true;
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, {
        ...this.#place,
        surface: { value: surface },
        surfaceColour: { value: new Color(dark ? '#7c8798' : '#ffffff') },
        lineColour: { value: new Color(dark ? '#c3cddd' : '#1c2430') },
      });
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', '#include <common>\nvarying vec2 vGround;')
        .replace('#include <begin_vertex>', '#include <begin_vertex>\nvGround = position.xz;');
      shader.fragmentShader = shader.fragmentShader
        .replace(
          'uniform float opacity;',
          'uniform float opacity, gridSpacing, gridReach, surface;\nuniform vec2 gridCentre;\nuniform vec3 surfaceColour, lineColour;\nvarying vec2 vGround;',
        )
        .replace('gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );', GRID);
    };
    this.mesh = new Mesh(new PlaneGeometry(), material);
    this.mesh.receiveShadow = true;
    this.mesh.renderOrder = -1;
  }

  /** Shows the grid there. */
  place({ centre, reach, spacing }: GroundPlace): void {
    this.#place.gridSpacing.value = spacing;
    this.#place.gridReach.value = reach;
    this.#place.gridCentre.value = [centre.x, centre.z];
    this.mesh.geometry.dispose();
    this.mesh.geometry = new PlaneGeometry(2 * reach, 2 * reach).rotateX(-Math.PI / 2).translate(centre.x, 0, centre.z);
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
