/** Light: an even studio room for soft reflections and one key light from the upper left whose shadows are soft. */
import {
  type Box3,
  DirectionalLight,
  PMREMGenerator,
  type Scene,
  type Texture,
  Vector3,
  type WebGLRenderer,
} from 'three';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';

const TO_LIGHT = new Vector3(-0.5, 1.3, 0.42).normalize();

/** Sets the surrounding light of the scene; the caller disposes of the texture. */
export function addEnvironment(renderer: WebGLRenderer, scene: Scene): Texture {
  const generator = new PMREMGenerator(renderer);
  const room = new RoomEnvironment();
  const texture = generator.fromScene(room, 0.06).texture;
  room.dispose();
  generator.dispose();
  scene.environment = texture;
  scene.environmentIntensity = 0.55;
  return texture;
}

export function createKeyLight(): DirectionalLight {
  const light = new DirectionalLight('#fffaf2', 2.2);
  light.castShadow = true;
  light.shadow.mapSize.set(4096, 4096);
  light.shadow.radius = 6;
  return light;
}

/** Points the light and its shadow at a box. */
export function aimKeyLight(light: DirectionalLight, box: Box3): void {
  const centre = box.getCenter(new Vector3());
  const radius = 0.75 * box.getSize(new Vector3()).length();
  light.target.position.copy(centre);
  light.position.copy(centre).addScaledVector(TO_LIGHT, 4 * radius);
  const { camera } = light.shadow;
  camera.left = camera.bottom = -radius;
  camera.right = camera.top = radius;
  camera.near = radius;
  camera.far = 8 * radius;
  // a texel of the shadow map is radius/2048 wide; the offset must exceed the filter's width
  light.shadow.normalBias = 0.002 * radius;
  light.shadow.bias = -0.0002;
  camera.updateProjectionMatrix();
  light.shadow.needsUpdate = true;
  light.target.updateMatrixWorld();
}
