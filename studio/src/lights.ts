/**
 * Light: a pale sky and a warm floor all round, one key light from the upper left whose shadows are soft, and a weak
 * light from the right that keeps the far sides readable. An environment map would reflect more finely, but without a
 * graphics card it takes ten seconds to make.
 */
import { type Box3, DirectionalLight, Group, HemisphereLight, Vector3 } from 'three';

/** Texels across the shadow map. */
export const SHADOW_MAP_SIZE = 2048;
/** Directions to the key light and the weak one. */
export const TO_KEY = new Vector3(-0.5, 1.3, 0.42).normalize();
export const TO_FILL = new Vector3(0.9, 0.35, 0.75).normalize();

export class Lights {
  readonly group = new Group();
  readonly #key = new DirectionalLight('#fffaf2', 2.6);
  readonly #fill = new DirectionalLight('#eef3ff', 0.8);

  constructor() {
    this.#key.castShadow = true;
    this.#key.shadow.mapSize.set(SHADOW_MAP_SIZE, SHADOW_MAP_SIZE);
    this.#key.shadow.radius = 3;
    const sky = new HemisphereLight('#f4f7ff', '#b9b2a8', 2.5);
    this.group.add(sky, this.#key, this.#key.target, this.#fill, this.#fill.target);
  }

  /** Points the lights and the shadow at a box. */
  aim(box: Box3): void {
    const centre = box.getCenter(new Vector3());
    const radius = 0.75 * box.getSize(new Vector3()).length();
    for (const [light, direction] of [
      [this.#key, TO_KEY],
      [this.#fill, TO_FILL],
    ] as const) {
      light.target.position.copy(centre);
      light.position.copy(centre).addScaledVector(direction, 4 * radius);
    }
    const { camera } = this.#key.shadow;
    camera.left = camera.bottom = -radius;
    camera.right = camera.top = radius;
    camera.near = radius;
    camera.far = 8 * radius;
    // a texel of the shadow map is radius/1024 wide; the offset must exceed the filter's width
    this.#key.shadow.normalBias = 0.002 * radius;
    this.#key.shadow.bias = -0.0002;
    camera.updateProjectionMatrix();
  }

  dispose(): void {
    this.#key.dispose();
  }
}
