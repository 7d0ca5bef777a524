/**
 * A geometry whose attributes are filled anew with every frame: arrays are kept, and made twice as large when they are too
 * small, because buffers on the graphics card cannot grow.
 */
import { BufferAttribute, BufferGeometry, DynamicDrawUsage } from 'three';

export class GrowingGeometry {
  readonly geometry = new BufferGeometry();

  /** The array of an attribute with room for `count` entries of `size` numbers, to be filled; it goes to the card again. */
  take(name: string, count: number, size: number): Float32Array {
    const attribute = this.geometry.getAttribute(name) as BufferAttribute | undefined;
    if (attribute !== undefined && attribute.count >= count) {
      attribute.needsUpdate = true;
      return attribute.array as Float32Array;
    }
    const room = Math.max(count, 2 * (attribute?.count ?? 0), 1);
    const larger = new BufferAttribute(new Float32Array(room * size), size).setUsage(DynamicDrawUsage);
    // a geometry drawn before holds on to its old buffers
    this.geometry.dispose();
    this.geometry.setAttribute(name, larger);
    return larger.array as Float32Array;
  }

  setIndices(indices: Uint32Array): void {
    const { index } = this.geometry;
    if (index !== null && index.count >= indices.length) {
      (index.array as Uint32Array).set(indices);
      index.needsUpdate = true;
    } else {
      this.geometry.dispose();
      this.geometry.setIndex(new BufferAttribute(indices.slice(), 1).setUsage(DynamicDrawUsage));
    }
    this.geometry.setDrawRange(0, indices.length);
  }

  dispose(): void {
    this.geometry.dispose();
  }
}
