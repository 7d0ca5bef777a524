/** Nodes of curves as spheres in the papers' colours, and small pale ones glued to the material. */
import { type CurveFrame, NODE_EIL, NODE_EULERIAN } from 'heddle/model';
import type { Scene } from 'three';
import { NODE_COLOURS } from './overlay.ts';
import type { RefinedCurve } from './refine.ts';
import { Spheres } from './spheres.ts';

export class NodeSpheres {
  readonly #spheres: Readonly<Record<'eulerian' | 'lagrangian' | 'eil' | 'marker', Spheres>>;

  constructor(scene: Scene) {
    this.#spheres = {
      eulerian: new Spheres(scene, NODE_COLOURS.eulerian),
      lagrangian: new Spheres(scene, NODE_COLOURS.lagrangian),
      eil: new Spheres(scene, NODE_COLOURS.eil),
      marker: new Spheres(scene, NODE_COLOURS.marker),
    };
  }

  /** Forgets all of them. */
  clear(): void {
    for (const spheres of Object.values(this.#spheres)) spheres.clear();
  }

  /** The nodes of a curve of a drawn radius [m]; L-nodes only on request. */
  addNodes(curve: CurveFrame, radius: number, withLagrangian: boolean): void {
    const spacing = curve.restLength / Math.max(1, curve.u.length - 1);
    const small = Math.min(1.7 * radius, Math.max(1.15 * radius, 0.3 * spacing));
    for (let i = 0; i < curve.u.length; i++) {
      const kind = curve.kind[i];
      const name = kind === NODE_EULERIAN ? 'eulerian' : kind === NODE_EIL ? 'eil' : 'lagrangian';
      if (name === 'lagrangian' && !withLagrangian) continue;
      const size = name === 'lagrangian' ? small : 1.25 * small;
      this.#spheres[name].add(curve.x[3 * i], curve.x[3 * i + 1], curve.x[3 * i + 2], size);
    }
  }

  /** Spheres at u = k × step: they move with the material, not with the nodes. */
  addMarkers({ u, x }: RefinedCurve, radius: number, step: number): void {
    if (!(step > 0) || u.length < 2 || (u[u.length - 1] - u[0]) / step > 1e5) return;
    let i = 0;
    for (let k = Math.ceil(u[0] / step - 1e-9); k * step <= u[u.length - 1] * (1 + 1e-12); k++) {
      while (i < u.length - 2 && u[i + 1] < k * step) i++;
      const t = (k * step - u[i]) / (u[i + 1] - u[i]);
      const at = (axis: number) => (1 - t) * x[3 * i + axis] + t * x[3 * i + 3 + axis];
      this.#spheres.marker.add(at(0), at(1), at(2), 1.3 * radius);
    }
  }

  dispose(): void {
    for (const spheres of Object.values(this.#spheres)) spheres.dispose();
  }
}
