/**
 * One Eulerian-on-Lagrangian simplex: a segment of a curve (1D material) or a triangle of a sheet (2D material).
 *
 * A node i has a world position x_i [m] and a material position X_i [m]. Inside the element x is linear in X, so with
 * the material gradients ∇φ_i
 *     F = Σ x_i ⊗ ∇φ_i                     deformation gradient, 3 × d
 *     v_i = ẋ_i − F Ẋ_i = J_i q̇_i          velocity of the material at node i, J = [I, −F]  [theory/eol#the-identity]
 *     M = Jᵀ M_L J                         inertia, M_L the consistent Lagrangian mass
 *     c = Ṁ q̇ − ∂T/∂q                      what the changing inertia adds to M q̈ (the papers drop it)
 *     f_x,i = −A P ∇φ_i                    force of an energy A ψ(F), P = ∂ψ/∂F
 *     f_X,i = −A (ψ I − Fᵀ P) ∇φ_i         its Eshelby force
 *
 * [Piddington 2017] prints +F in Eqs. 4.2, 4.4, 4.8; the sign is minus.
 * Coordinates of an element are node by node: x, y, z, then the d material ones. Buffers belong to the instance.
 */
export class EolElement {
  /** d: 1 for segments, 2 for triangles. */
  readonly dimension: 1 | 2;
  /** d + 1 */
  readonly nodes: number;
  /** Coordinates per node, 3 + d. */
  readonly stride: number;
  /** Deformation gradient, 3 × d, row-major. */
  readonly F: Float64Array;
  /** ∇φ_i, d per node. */
  readonly gradients: Float64Array;
  /** Material length or area [m^d]; negative where the material is inverted. */
  measure = 0;
  /** Velocity of the material at the nodes, 3 per node. */
  readonly materialVelocity: Float64Array;
  readonly #momentum: Float64Array;
  readonly #momentumRate: Float64Array;
  readonly #Fdot: Float64Array;
  readonly #G: Float64Array;

  constructor(dimension: 1 | 2) {
    this.dimension = dimension;
    this.nodes = dimension + 1;
    this.stride = 3 + dimension;
    this.F = new Float64Array(3 * dimension);
    this.gradients = new Float64Array(dimension * this.nodes);
    this.materialVelocity = new Float64Array(3 * this.nodes);
    this.#momentum = new Float64Array(3 * this.nodes);
    this.#momentumRate = new Float64Array(3 * this.nodes);
    this.#Fdot = new Float64Array(3 * dimension);
    this.#G = new Float64Array(3 * dimension);
  }

  /** Reads the configuration: fills F, the gradients and the measure. */
  setConfiguration(q: ArrayLike<number>): void {
    const { dimension: d, nodes, stride, F, gradients } = this;
    if (d === 1) {
      this.measure = q[7] - q[3];
      gradients[0] = -1 / this.measure;
      gradients[1] = 1 / this.measure;
    } else {
      const [ax, ay] = [q[8] - q[3], q[9] - q[4]];
      const [bx, by] = [q[13] - q[3], q[14] - q[4]];
      const det = ax * by - ay * bx;
      this.measure = det / 2;
      gradients[2] = by / det;
      gradients[3] = -bx / det;
      gradients[4] = -ay / det;
      gradients[5] = ax / det;
      gradients[0] = -gradients[2] - gradients[4];
      gradients[1] = -gradients[3] - gradients[5];
    }
    F.fill(0);
    for (let i = 0; i < nodes; i++)
      for (let k = 0; k < 3; k++) for (let a = 0; a < d; a++) F[k * d + a] += q[i * stride + k] * gradients[i * d + a];
  }

  /** Reads velocities q̇: fills `materialVelocity`, v_i = ẋ_i − F Ẋ_i. Needs the configuration. */
  setVelocity(qdot: ArrayLike<number>): void {
    const { dimension: d, nodes, stride, F, materialVelocity } = this;
    for (let i = 0; i < nodes; i++)
      for (let k = 0; k < 3; k++) {
        let v = qdot[i * stride + k];
        for (let a = 0; a < d; a++) v -= F[k * d + a] * qdot[i * stride + 3 + a];
        materialVelocity[3 * i + k] = v;
      }
  }

  /** Share of the element's mass that couples nodes i and j: ∫ φ_i φ_j / A. */
  massShare(i: number, j: number): number {
    return (i === j ? 2 : 1) / ((this.dimension + 1) * (this.dimension + 2));
  }

  /** Kinetic energy T = ½ Σ m_ij v_i·v_j [J] for density ρ [kg/m^d]. Needs the velocity. */
  computeKineticEnergy(density: number): number {
    this.#setMomentum(density);
    let T = 0;
    for (let i = 0; i < 3 * this.nodes; i++) T += 0.5 * this.#momentum[i] * this.materialVelocity[i];
    return T;
  }

  /** Adds the inertia M = Jᵀ M_L J to `out`, row-major, (nodes·stride)². Needs the configuration. */
  addMass(density: number, out: Float64Array): void {
    const { dimension: d, nodes, stride, F } = this;
    const size = nodes * stride;
    for (let i = 0; i < nodes; i++)
      for (let j = 0; j < nodes; j++) {
        const m = density * this.measure * this.massShare(i, j);
        const at = i * stride * size + j * stride;
        for (let k = 0; k < 3; k++) {
          out[at + k * size + k] += m;
          for (let a = 0; a < d; a++) {
            const coupling = m * F[k * d + a];
            out[at + k * size + 3 + a] -= coupling;
            out[at + (3 + a) * size + k] -= coupling;
            for (let b = 0; b < d; b++) out[at + (3 + a) * size + 3 + b] += coupling * F[k * d + b];
          }
        }
      }
  }

  /** Adds c = Ṁ q̇ − ∂T/∂q to `out`. Needs the velocity; `qdot` again for Ẋ. */
  addInertialForce(density: number, qdot: ArrayLike<number>, out: Float64Array): void {
    const { dimension: d, nodes, stride, F, gradients, materialVelocity: v } = this;
    const T = this.computeKineticEnergy(density);
    const [p, pdot, Fdot, G] = [this.#momentum, this.#momentumRate, this.#Fdot, this.#G];
    Fdot.fill(0);
    G.fill(0);
    let growth = 0; // Ȧ/A
    for (let i = 0; i < nodes; i++)
      for (let a = 0; a < d; a++) {
        const rate = qdot[i * stride + 3 + a];
        growth += gradients[i * d + a] * rate;
        for (let k = 0; k < 3; k++) {
          Fdot[k * d + a] += v[3 * i + k] * gradients[i * d + a];
          G[k * d + a] += p[3 * i + k] * rate; // −∂T/∂F
        }
      }
    for (let i = 0; i < nodes; i++)
      for (let k = 0; k < 3; k++) {
        let rate = growth * p[3 * i + k];
        for (let j = 0; j < nodes; j++)
          for (let a = 0; a < d; a++)
            rate -= density * this.measure * this.massShare(i, j) * Fdot[k * d + a] * qdot[j * stride + 3 + a];
        pdot[3 * i + k] = rate;
      }
    for (let i = 0; i < nodes; i++) {
      for (let k = 0; k < 3; k++) {
        let Gphi = 0;
        for (let a = 0; a < d; a++) Gphi += G[k * d + a] * gradients[i * d + a];
        out[i * stride + k] += pdot[3 * i + k] + Gphi;
        for (let a = 0; a < d; a++)
          out[i * stride + 3 + a] -= F[k * d + a] * (pdot[3 * i + k] + Gphi) + Fdot[k * d + a] * p[3 * i + k];
      }
      for (let a = 0; a < d; a++) out[i * stride + 3 + a] -= T * gradients[i * d + a];
    }
  }

  /** Adds the force −∂(Aψ)/∂q of an energy density ψ [J/m^d] with stress P = ∂ψ/∂F (3 × d) to `out`. */
  addElasticForce(psi: number, P: ArrayLike<number>, out: Float64Array): void {
    const { dimension: d, nodes, stride, F, gradients, measure } = this;
    for (let i = 0; i < nodes; i++) {
      for (let k = 0; k < 3; k++) {
        let Pphi = 0;
        for (let a = 0; a < d; a++) Pphi += P[k * d + a] * gradients[i * d + a];
        out[i * stride + k] -= measure * Pphi;
        for (let a = 0; a < d; a++) out[i * stride + 3 + a] += measure * F[k * d + a] * Pphi;
      }
      for (let a = 0; a < d; a++) out[i * stride + 3 + a] -= measure * psi * gradients[i * d + a];
    }
  }

  #setMomentum(density: number): void {
    const { nodes, materialVelocity: v } = this;
    this.#momentum.fill(0);
    for (let i = 0; i < nodes; i++)
      for (let j = 0; j < nodes; j++)
        for (let k = 0; k < 3; k++)
          this.#momentum[3 * i + k] += density * this.measure * this.massShare(i, j) * v[3 * j + k];
  }
}
