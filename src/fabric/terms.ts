/**
 * All forces of a fabric beside those of its segments: bending, shear, wrapping, contact constraints of EIL nodes, parallel contact and friction between yarns. Their energies
 * are in `energy-*.ts`; the files of the classes below say where they act and how they enter the system of a Newton iteration,
 *     A += s H,   r −= h ∇V + p H v        s = h² + βh,  p = βh, or h² + βh while linearised;  β only for bending, shear and wrapping
 */
import type { EnergyTerms } from '../model/index.ts';
import { Bends } from './bends.ts';
import { EilContacts } from './eil-contacts.ts';
import { ParallelContacts } from './parallel-contacts.ts';
import { Shears } from './shears.ts';
import type { FabricStage, FabricSystem } from './stage.ts';
import type { FabricState } from './state.ts';
import type { Stencils } from './stencils.ts';
import { Wraps } from './wraps.ts';
import { YarnFriction } from './yarn-friction.ts';

export class FabricTerms {
  readonly shears: Shears;
  readonly contacts = new EilContacts();
  readonly friction: YarnFriction;
  readonly #bends = new Bends();
  readonly #wraps: Wraps;
  readonly #parallels: ParallelContacts;

  /** Rest angles are those of the state now. */
  constructor(state: FabricState, stencils: Stencils, wraps: number) {
    this.shears = new Shears(state, stencils);
    this.friction = new YarnFriction(state);
    this.#wraps = new Wraps(state, stencils, wraps);
    this.#parallels = new ParallelContacts(state);
  }

  /** `hasPlain`: whether bending, shear and contacts of EIL nodes are in the system already (`compiled-assembly.ts`). */
  add(state: FabricState, stencils: Stencils, stage: FabricStage, system: FabricSystem, hasPlain: boolean): void {
    if (!hasPlain) {
      this.#bends.add(state, stencils, stage, system);
      this.shears.add(state, stencils, stage, system);
      this.contacts.add(state, stencils, stage, system);
    }
    if (system.sideForce !== null) this.contacts.addSideForces(state, stencils, system.sideForce, system.moved);
    this.#wraps.add(state, stencils, stage, system);
    this.#parallels.add(state, stencils, stage, system);
    this.friction.add(state, stencils, stage, system);
  }

  /** Energies of the state now [J]: bending with shear and wrapping, contact with constraints, parallel contact and friction. */
  addEnergy(state: FabricState, stencils: Stencils, terms: EnergyTerms, hasPlain = false): void {
    if (!hasPlain) {
      this.#bends.addEnergy(state, stencils, terms);
      this.shears.addEnergy(state, stencils, terms);
    }
    this.#wraps.addEnergy(state, stencils, terms);
    this.contacts.addEnergy(state, stencils, terms);
    this.#parallels.addEnergy(state, stencils, terms);
    this.friction.addEnergy(state, terms);
  }
}
