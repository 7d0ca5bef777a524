/**
 * Particles in one draw call: each is a point of the card that its shader turns into a lit ball. Off its centre by d (in
 * radii), the ball's normal is n = (d_x, d_y, √(1 − d²)) in the camera's frame. All balls are lit alike, so their light is
 * worked out once for each direction of the camera, as a small picture of a white ball, and a pixel costs one look into it.
 *   size on the screen = 2 r · ½ height · P₁₁ / w [pixels]     r radius [m], P projection, w depth [m]
 * Colours are those of the groups, or of a named value by the perceptual map. Balls may stand nearer to the eye than they are, by `lift`, to be seen
 * on what they lie in. Where a processor stands in for a graphics card those inside a cloud are left out (points-hull.ts): they are hidden, and
 * drawing them takes most of the time.
 */
import { GROUP_COLOURS } from 'heddle/io';
import type { PointsFrame } from 'heddle/model';
import {
  type Camera,
  Color,
  DataTexture,
  LinearFilter,
  LinearSRGBColorSpace,
  Points,
  ShaderMaterial,
  Vector2,
  Vector3,
  type WebGLRenderer,
} from 'three';
import type { CurveMaterial } from './curve-material.ts';
import { GrowingGeometry } from './growing-geometry.ts';
import { SHADOW_MAP_SIZE, TO_FILL, TO_KEY } from './lights.ts';
import { PointsHull } from './points-hull.ts';

/** Pixels across the picture of the white ball. */
const BALL = 32;
/** Colours of groups of particles. */
export const GROUP_PALETTE: readonly string[] = GROUP_COLOURS.map((bytes) => `rgb(${bytes.join()})`);
/** Light that stands for a full byte: the key light makes a ball brighter than its colour. */
const BRIGHTEST = 1.3;

const SIZE = /* glsl */ `
  uniform float radius, lift;
  uniform float halfHeight;
  void place() {
    vec4 seen = modelViewMatrix * vec4(position, 1.0);
    seen.xyz -= lift * normalize(seen.xyz);
    gl_Position = projectionMatrix * seen;
    // at least a pixel and a half, so that far grains do not flicker
    gl_PointSize = max(1.5, 2.0 * radius * halfHeight * projectionMatrix[1][1] / gl_Position.w);
  }
`;

const VERTEX = /* glsl */ `
  ${SIZE}
  attribute float value;
  attribute float group;
  uniform bool mapped;
  uniform vec2 range;
  uniform sampler2D colourMap;
  uniform vec3 palette[PALETTE];
  varying vec3 vColour;
  void main() {
    place();
    float t = clamp((value - range.x) / max(range.y - range.x, 1e-30), 0.0, 1.0);
    vec3 linear = texture(colourMap, vec2(t * 255.0 / 256.0 + 0.5 / 256.0, 0.5)).rgb;
    vColour = mapped ? pow(linear, vec3(1.0 / 2.2)) : palette[int(group) % PALETTE];
  }
`;

const FRAGMENT = /* glsl */ `
  uniform sampler2D ball;
  varying vec3 vColour;
  void main() {
    vec4 light = texture(ball, gl_PointCoord);
    if (light.a < 0.5) discard;
    gl_FragColor = vec4(${BRIGHTEST.toFixed(2)} * light.rgb * vColour, 1.0);
  }
`;

/** Writes the picture of a white ball, lit from the given directions in the camera's frame, as RGBA bytes. */
export function writeBall(toKey: Vector3, toFill: Vector3, up: Vector3, bytes: Uint8Array): void {
  const n = new Vector3();
  for (let i = 0; i < BALL * BALL; i++) {
    const x = (2 * ((i % BALL) + 0.5)) / BALL - 1;
    const y = 1 - (2 * (Math.floor(i / BALL) + 0.5)) / BALL;
    const square = x * x + y * y;
    // beyond the rim the colour of the rim goes on, so that filtering does not darken it
    const rim = Math.max(1, Math.sqrt(square));
    n.set(x / rim, y / rim, Math.sqrt(Math.max(0, 1 - square)));
    const sky = 0.5 + 0.5 * n.dot(up);
    const lamps = 0.72 * Math.max(0, n.dot(toKey)) + 0.22 * Math.max(0, n.dot(toFill));
    const light = [0.42 + 0.2 * sky, 0.39 + 0.24 * sky, 0.36 + 0.3 * sky].map((ambient) => ambient + lamps);
    for (let k = 0; k < 3; k++) bytes[4 * i + k] = Math.min(255, (255 * light[k] ** (1 / 2.2)) / BRIGHTEST);
    bytes[4 * i + 3] = square <= 1 ? 255 : 0;
  }
}

export class PointsCloud {
  readonly points: Points;
  readonly #arrays = new GrowingGeometry();
  readonly #material: ShaderMaterial;
  readonly #shadowMaterial: ShaderMaterial;
  readonly #bytes = new Uint8Array(4 * BALL * BALL);
  readonly #ball = new DataTexture(this.#bytes, BALL, BALL);
  readonly #directions = { toKey: new Vector3(), toFill: new Vector3(), up: new Vector3() };

  readonly #hull: PointsHull | undefined;

  /** `palette`: colours of the groups; `isHollow`: particles that others hide are not drawn. */
  constructor(settings: CurveMaterial['settings'], { palette = GROUP_PALETTE, isHollow = false } = {}) {
    this.#hull = isHollow ? new PointsHull() : undefined;
    const [radius, lift] = [{ value: 0 }, { value: 0 }];
    this.#ball.minFilter = this.#ball.magFilter = LinearFilter;
    this.#material = new ShaderMaterial({
      defines: { PALETTE: palette.length },
      uniforms: {
        radius,
        lift,
        halfHeight: { value: 1 },
        mapped: settings.mapped,
        range: settings.range,
        colourMap: settings.map,
        palette: { value: palette.map((colour) => new Color().setStyle(colour, LinearSRGBColorSpace)) },
        ball: { value: this.#ball },
      },
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      // the colours are those of the screen already
      toneMapped: false,
    });
    this.#shadowMaterial = new ShaderMaterial({
      uniforms: { radius, lift: { value: 0 }, halfHeight: { value: 1 } },
      vertexShader: `${SIZE} void main() { place(); }`,
      fragmentShader: 'void main() { gl_FragColor = vec4(1.0); }',
    });
    this.points = new Points(this.#arrays.geometry, this.#material);
    this.points.frustumCulled = false;
    this.points.castShadow = true;
    this.points.customDepthMaterial = this.#shadowMaterial;
    const size = new Vector2();
    this.points.onBeforeRender = (renderer: WebGLRenderer, _, camera) => {
      this.#material.uniforms.halfHeight.value = 0.5 * renderer.getDrawingBufferSize(size).y;
      this.#material.uniformsNeedUpdate = true;
      this.#light(camera);
    };
    this.points.onBeforeShadow = (_renderer, _scene, _camera, _shadowCamera, _geometry, material) => {
      (material as ShaderMaterial).uniforms.halfHeight.value = 0.5 * SHADOW_MAP_SIZE;
    };
  }

  /** Lights the ball anew where the camera has turned. */
  #light(camera: Camera): void {
    const { toKey, toFill, up } = this.#directions;
    const before = toKey.clone();
    toKey.copy(TO_KEY).transformDirection(camera.matrixWorldInverse);
    toFill.copy(TO_FILL).transformDirection(camera.matrixWorldInverse);
    const wasUp = up.clone();
    up.set(0, 1, 0).transformDirection(camera.matrixWorldInverse);
    if (before.equals(toKey) && wasUp.equals(up)) return;
    writeBall(toKey, toFill, up, this.#bytes);
    this.#ball.needsUpdate = true;
  }

  /** Shows the particles; `values` are the colour map's, one each. `lift`: how far they are drawn before their places [m]. */
  setPoints(points: Pick<PointsFrame, 'radius' | 'x' | 'group'>, values: Float64Array | undefined, lift = 0): void {
    this.#material.uniforms.radius.value = points.radius;
    this.#material.uniforms.lift.value = lift;
    const seen = this.#hull?.list(points.x, points.radius);
    const count = seen?.length ?? points.group.length;
    const position = this.#arrays.take('position', count, 3);
    const group = this.#arrays.take('group', count, 1);
    const shown = this.#arrays.take('value', count, 1);
    if (seen === undefined) {
      position.set(points.x);
      group.set(points.group);
      if (values !== undefined) shown.set(values);
    } else {
      for (let n = 0; n < count; n++) {
        const i = seen[n];
        for (let k = 0; k < 3; k++) position[3 * n + k] = points.x[3 * i + k];
        group[n] = points.group[i];
        if (values !== undefined) shown[n] = values[i];
      }
    }
    if (values === undefined) shown.fill(0, 0, count);
    this.#arrays.geometry.setDrawRange(0, count);
  }

  dispose(): void {
    this.#arrays.dispose();
    this.#material.dispose();
    this.#shadowMaterial.dispose();
    this.#ball.dispose();
  }
}
