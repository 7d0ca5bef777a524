/** Many equal shapes in one draw call; the number may change with every frame. */
import { type BufferGeometry, InstancedMesh, type Material, type Matrix4, type Scene } from 'three';

export class Instances {
  readonly #scene: Scene;
  readonly #geometry: BufferGeometry;
  readonly #material: Material;
  readonly #shadow: boolean;
  #mesh: InstancedMesh;
  #count = 0;

  /** `shadow`: whether they cast and receive one. Geometry and material are theirs from now on. */
  constructor(scene: Scene, geometry: BufferGeometry, material: Material, shadow: boolean) {
    this.#scene = scene;
    this.#geometry = geometry;
    this.#material = material;
    this.#shadow = shadow;
    this.#mesh = this.#createMesh(64);
  }

  #createMesh(capacity: number): InstancedMesh {
    const mesh = new InstancedMesh(this.#geometry, this.#material, capacity);
    mesh.castShadow = mesh.receiveShadow = this.#shadow;
    mesh.frustumCulled = false;
    this.#show(mesh);
    this.#scene.add(mesh);
    return mesh;
  }

  /** Forgets all of them. */
  clear(): void {
    this.#count = 0;
    this.#show(this.#mesh);
  }

  /** Without any of them there is nothing to draw, and no shader to compile. */
  #show(mesh: InstancedMesh): void {
    mesh.count = this.#count;
    mesh.visible = this.#count > 0;
  }

  add(matrix: Matrix4): void {
    if (this.#count === this.#mesh.instanceMatrix.count) {
      const larger = this.#createMesh(2 * this.#count);
      larger.instanceMatrix.array.set(this.#mesh.instanceMatrix.array);
      this.#scene.remove(this.#mesh);
      this.#mesh.dispose();
      this.#mesh = larger;
    }
    this.#mesh.setMatrixAt(this.#count++, matrix);
    this.#show(this.#mesh);
    this.#mesh.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    this.#scene.remove(this.#mesh);
    this.#mesh.dispose();
    this.#geometry.dispose();
    this.#material.dispose();
  }
}
