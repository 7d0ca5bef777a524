/** Many spheres of one colour in one draw call; the number may change with every frame. */
import { type ColorRepresentation, Matrix4, MeshStandardMaterial, type Scene, SphereGeometry } from 'three';
import { Instances } from './instances.ts';

export class Spheres {
  readonly #instances: Instances;
  readonly #matrix = new Matrix4();

  /** `steps` around each sphere; the fewer, the more of them can be drawn. */
  constructor(scene: Scene, colour: ColorRepresentation, steps = 28) {
    const material = new MeshStandardMaterial({ color: colour, roughness: 0.38, metalness: 0 });
    this.#instances = new Instances(scene, new SphereGeometry(1, steps, Math.round((steps * 18) / 28)), material, true);
  }

  /** Forgets all spheres. */
  clear(): void {
    this.#instances.clear();
  }

  add(x: number, y: number, z: number, radius: number): void {
    this.#instances.add(this.#matrix.makeScale(radius, radius, radius).setPosition(x, y, z));
  }

  dispose(): void {
    this.#instances.dispose();
  }
}
