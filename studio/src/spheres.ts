/** Many equal spheres in one draw call; the number may change with every frame. */
import {
  type ColorRepresentation,
  InstancedMesh,
  Matrix4,
  MeshStandardMaterial,
  type Scene,
  SphereGeometry,
} from 'three';

export class Spheres {
  readonly #scene: Scene;
  readonly #geometry: SphereGeometry;
  readonly #material: MeshStandardMaterial;
  readonly #matrix = new Matrix4();
  #mesh: InstancedMesh;
  #count = 0;

  /** `steps` around each sphere; the fewer, the more of them can be drawn. */
  constructor(scene: Scene, colour: ColorRepresentation, steps = 28) {
    this.#scene = scene;
    this.#geometry = new SphereGeometry(1, steps, Math.round((steps * 18) / 28));
    this.#material = new MeshStandardMaterial({ color: colour, roughness: 0.38, metalness: 0 });
    this.#mesh = this.#createMesh(64);
  }

  #createMesh(capacity: number): InstancedMesh {
    const mesh = new InstancedMesh(this.#geometry, this.#material, capacity);
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    mesh.count = 0;
    this.#scene.add(mesh);
    return mesh;
  }

  /** Forgets all spheres. */
  clear(): void {
    this.#count = 0;
    this.#mesh.count = 0;
  }

  add(x: number, y: number, z: number, radius: number): void {
    if (this.#count === this.#mesh.instanceMatrix.count) {
      const larger = this.#createMesh(2 * this.#count);
      larger.instanceMatrix.array.set(this.#mesh.instanceMatrix.array);
      this.#scene.remove(this.#mesh);
      this.#mesh.dispose();
      this.#mesh = larger;
    }
    this.#matrix.makeScale(radius, radius, radius).setPosition(x, y, z);
    this.#mesh.setMatrixAt(this.#count++, this.#matrix);
    this.#mesh.count = this.#count;
    this.#mesh.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    this.#scene.remove(this.#mesh);
    this.#mesh.dispose();
    this.#geometry.dispose();
    this.#material.dispose();
  }
}
