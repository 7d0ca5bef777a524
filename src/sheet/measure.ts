/** What can be read off a sheet: energies, momentum, strains, what to show. */

import { EolElement } from '../eol/index.ts';
import type { Vec3 } from '../math/index.ts';
import { computeHypot2 } from '../math/index.ts';
import { addPointInertia, addTriangleInertia, type EnergyTerms } from '../model/index.ts';
import type { SheetAssembly } from './assembly.ts';
import { Membrane } from './membrane.ts';
import { type SheetState, STRIDE } from './state.ts';

/** Reads elements of a sheet one by one; belongs to one sheet. */
export class SheetMeasure {
  readonly #element = new EolElement(2);
  readonly #membrane = new Membrane();
  readonly #F = new Float64Array(6);
  readonly #p = new Float64Array(3);
  readonly #q = new Float64Array(15);
  readonly #v = new Float64Array(15);

  /** Sets F, gradients and material velocities of triangle t. */
  #read({ q, v, mesh }: Pick<SheetState, 'q' | 'v' | 'mesh'>, t: number): EolElement {
    for (let n = 0; n < 3; n++) {
      const i = STRIDE * mesh.triangles[3 * t + n];
      for (let k = 0; k < STRIDE; k++) {
        this.#q[STRIDE * n + k] = q[i + k];
        this.#v[STRIDE * n + k] = v[i + k];
      }
    }
    this.#element.setConfiguration(this.#q);
    this.#element.setVelocity(this.#v);
    return this.#element;
  }

  addEnergy(state: SheetState, gravity: Vec3, assembly: SheetAssembly, terms: EnergyTerms): void {
    const { material, mesh, q, v, pointMass } = state;
    for (let t = 0; t < mesh.triangleCount; t++) {
      const element = this.#read(state, t);
      const area = element.measure;
      terms.kinetic += element.computeKineticEnergy(material.arealDensity);
      this.#membrane.setGradient(element.F, material);
      terms.stretch += area * this.#membrane.psi;
      for (let n = 0; n < 3; n++)
        for (let k = 0; k < 3; k++)
          terms.gravity -= (material.arealDensity * area * gravity[k] * this.#q[STRIDE * n + k]) / 3;
    }
    terms.bending += assembly.measureAngles(state);
    for (let i = 0; i < state.count; i++) {
      if (pointMass[i] === 0) continue;
      for (let k = 0; k < 3; k++) {
        terms.kinetic += 0.5 * pointMass[i] * v[STRIDE * i + k] ** 2;
        terms.gravity -= pointMass[i] * gravity[k] * q[STRIDE * i + k];
      }
    }
  }

  /** Membrane energy and kinetic energy [J]. */
  computeMotion(state: Pick<SheetState, 'q' | 'v' | 'mesh' | 'material'>): {
    readonly stretch: number;
    readonly kinetic: number;
  } {
    const { v, mesh, material } = state;
    const F = this.#F;
    let stretch = 0;
    let kinetic = 0;
    for (let t = 0; t < mesh.triangleCount; t++) {
      const a = STRIDE * mesh.triangles[3 * t];
      const b = STRIDE * mesh.triangles[3 * t + 1];
      const c = STRIDE * mesh.triangles[3 * t + 2];
      const det = writeDeformation(state, t, F);
      let square = 0;
      for (let k = 0; k < 3; k++) {
        const f1 = F[2 * k];
        const f2 = F[2 * k + 1];
        const va = v[a + k] - f1 * v[a + 3] - f2 * v[a + 4];
        const vb = v[b + k] - f1 * v[b + 3] - f2 * v[b + 4];
        const vc = v[c + k] - f1 * v[c + 3] - f2 * v[c + 4];
        square += va * va + vb * vb + vc * vc + va * vb + vb * vc + vc * va;
      }
      this.#membrane.setGradient(F, material);
      stretch += 0.5 * det * this.#membrane.psi;
      // ½ m/6 (Σ v_i² + Σ v_i·v_j)
      kinetic += ((material.arealDensity * det) / 24) * square;
    }
    return { stretch, kinetic };
  }

  addMomentum(state: SheetState, out: Float64Array): void {
    const { material, mesh, q, v, pointMass } = state;
    const p = this.#p;
    for (let t = 0; t < mesh.triangleCount; t++) {
      const element = this.#read(state, t);
      const w = element.materialVelocity;
      const share = (material.arealDensity * element.measure) / 12;
      for (let n = 0; n < 3; n++) {
        for (let k = 0; k < 3; k++) p[k] = share * (w[k] + w[3 + k] + w[6 + k] + w[3 * n + k]);
        addMoment(out, p, this.#q, STRIDE * n);
      }
    }
    for (let i = 0; i < state.count; i++) {
      if (pointMass[i] === 0) continue;
      for (let k = 0; k < 3; k++) p[k] = pointMass[i] * v[STRIDE * i + k];
      addMoment(out, p, q, STRIDE * i);
    }
  }

  addInertia({ material, mesh, q, pointMass, count }: SheetState, out: Float64Array): void {
    const { triangles } = mesh;
    for (let t = 0; t < mesh.triangleCount; t++) {
      const a = STRIDE * triangles[3 * t];
      const b = STRIDE * triangles[3 * t + 1];
      const c = STRIDE * triangles[3 * t + 2];
      const area =
        0.5 * ((q[b + 3] - q[a + 3]) * (q[c + 4] - q[a + 4]) - (q[b + 4] - q[a + 4]) * (q[c + 3] - q[a + 3]));
      addTriangleInertia(material.arealDensity * area, q, a, b, c, out);
    }
    for (let i = 0; i < count; i++) if (pointMass[i] > 0) addPointInertia(pointMass[i], q, STRIDE * i, out);
  }

  /** Largest principal strain of triangle t, stretched or compressed. */
  computeStrain(state: SheetState, t: number): number {
    this.#membrane.setGradient(this.#read(state, t).F, state.material);
    const [a, b, c] = this.#membrane.S;
    const mean = (a + b) / 2;
    const radius = computeHypot2((a - b) / 2, c);
    return mean - 1 + radius > 1 - mean + radius ? mean - 1 + radius : mean - 1 - radius;
  }

  /** Velocity of the material at the corners of triangle t, three numbers each [m/s], and its ε₁₁, ε₂₂, ε₁₂ [1]. */
  writeMotion(
    state: SheetState,
    t: number,
    velocity: Float64Array,
    at: number,
    strain: Float64Array,
    strainAt: number,
  ): void {
    const element = this.#read(state, t);
    velocity.set(element.materialVelocity, at);
    this.#membrane.setGradient(element.F, state.material);
    const { S } = this.#membrane;
    strain[strainAt] = S[0] - 1;
    strain[strainAt + 1] = S[1] - 1;
    strain[strainAt + 2] = S[2];
  }

  /** T₁₁, T₂₂, T₁₂ of triangle t [N/m]. */
  writeStress(state: SheetState, t: number, out: Float64Array, at: number): void {
    this.#membrane.setGradient(this.#read(state, t).F, state.material);
    out.set(this.#membrane.T, at);
  }

  /** Velocity of the material at the corners of triangle t, three numbers each [m/s]. */
  writeMaterialVelocity(state: SheetState, t: number, out: Float64Array): void {
    out.set(this.#read(state, t).materialVelocity);
  }

  computeMaxStrain(state: SheetState): number {
    let largest = 0;
    for (let t = 0; t < state.mesh.triangleCount; t++)
      largest = Math.max(largest, Math.abs(this.computeStrain(state, t)));
    return largest;
  }
}

function addMoment(out: Float64Array, p: Float64Array, x: ArrayLike<number>, at: number): void {
  for (let k = 0; k < 3; k++) {
    const [a, b] = [(k + 1) % 3, (k + 2) % 3];
    out[k] += p[k];
    out[3 + k] += x[at + a] * p[b] - x[at + b] * p[a];
  }
}

/** F of a triangle, 3 × 2, into `out`; returns twice its area in the material [m²]. */
export function writeDeformation({ q, mesh }: Pick<SheetState, 'q' | 'mesh'>, t: number, out: Float64Array): number {
  const a = STRIDE * mesh.triangles[3 * t];
  const b = STRIDE * mesh.triangles[3 * t + 1];
  const c = STRIDE * mesh.triangles[3 * t + 2];
  const ux = q[b + 3] - q[a + 3];
  const uy = q[b + 4] - q[a + 4];
  const wx = q[c + 3] - q[a + 3];
  const wy = q[c + 4] - q[a + 4];
  const det = ux * wy - uy * wx;
  for (let k = 0; k < 3; k++) {
    const u = q[b + k] - q[a + k];
    const w = q[c + k] - q[a + k];
    out[2 * k] = (u * wy - w * uy) / det;
    out[2 * k + 1] = (w * ux - u * wx) / det;
  }
  return det;
}
