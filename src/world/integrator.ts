/**
 * Time integrators as lists of implicit stages. Every stage is the same problem, M (v − v̂) = γh f(q̂ + γh v), from another
 * start (q̂, v̂):
 *
 *   euler   implicit Euler, first order: one stage, γ = 1, from the start of the step.
 *   sdirk2  the two-stage singly diagonally implicit Runge–Kutta method of [Alexander 1977], second order, L-stable and
 *           stiffly accurate: γ = 1 − 1/√2; stage 1 from the start of the step, stage 2 from
 *           q̂ = q + (1 − γ)h v₁,  v̂ = v + (1 − γ)/γ (v₁ − v).
 * Constraints hold at the end of each stage, so at the end of the step.
 */
export interface IntegratorStage {
  /** γ: length of the implicit solve over the step. */
  readonly length: number;
  /** End of the stage over the step. */
  readonly end: number;
  /** q̂ − q over h v₁. */
  readonly drift: number;
  /** v̂ − v over v₁ − v. */
  readonly kick: number;
}

export interface Integrator {
  readonly name: 'euler' | 'sdirk2';
  readonly title: string;
  readonly order: 1 | 2;
  /** Most Newton iterations of a stage where none are asked for: the second order needs converged stages. */
  readonly newtonIterations: number;
  readonly stages: readonly IntegratorStage[];
}

const GAMMA = 1 - Math.SQRT1_2;

export const INTEGRATORS: readonly Integrator[] = [
  {
    name: 'euler',
    title: 'implicit Euler, first order',
    order: 1,
    newtonIterations: 1,
    stages: [{ length: 1, end: 1, drift: 0, kick: 0 }],
  },
  {
    name: 'sdirk2',
    title: 'L-stable two-stage Runge–Kutta, second order',
    order: 2,
    newtonIterations: 30,
    stages: [
      { length: GAMMA, end: GAMMA, drift: 0, kick: 0 },
      { length: GAMMA, end: 1, drift: 1 - GAMMA, kick: (1 - GAMMA) / GAMMA },
    ],
  },
];
