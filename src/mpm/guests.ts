/**
 * Nodes of strands, rods, fabrics and sheets that a continuum touches: in its grid they are guests, masses that meet it as a perfectly inelastic body does, while they are pressed together.
 *
 *     u + λ/m = V + h F/m        u = Σ w v̂ᵢ/Σ w, over nodes with mass     λ  impulse on the grid in a substep     V  velocity of the guest, which becomes V + h F/m − λ/m
 *     λ = 0                      where they part: (u − V)·n > 0, n towards the continuum (the slope of its mass), or fewer than half of the weights w are at nodes with mass
 *   m  mass of a guest, a node's share of its model's [kg], times (H/H₀)² in a part H of the world's step H₀     F  force that it gave in the step before [N]
 *
 * After the step the other model gets what the continuum did not: the force −Σλ/H all through its own step, so that linear momentum is kept to round-off whatever m and F are. F foresees
 * what the model itself does against that, so that contact at rest is at rest. It acts as a spring of m/H² between the two, the same in parts of a step. A free node under a continuum that hardly moves swings on it for ever, φ = H F/m:
 *     V ← −φ,  φ ← φ + V
 * and what the model has of damping brings it to rest. (A mean of the last forces instead of F would be damped here, but drives stiff nodes, which answer at once.)
 */
import { grow } from '../math/index.ts';
import { isLineModel, type Model, type NodeModel, type StateReader, type StateWriter } from '../model/index.ts';

export class Guests {
  readonly models: readonly NodeModel[];
  readonly friction: number | undefined;
  count = 0;
  /** Place, velocity and force F, 3 each; mass; and impulse on the grid in the step so far, 3 each. */
  place = new Float64Array(0);
  velocity = new Float64Array(0);
  force = new Float64Array(0);
  mass = new Float64Array(0);
  impulse = new Float64Array(0);
  #model = new Int32Array(0);
  #label = new Int32Array(0);
  /** By model: F of nodes by their labels, 3 each, as it is and before the step; length of lines that a node has. */
  readonly #memory: Float64Array[];
  readonly #saved: Float64Array[];
  readonly #share: Float64Array[];
  #scale = 1;
  readonly #vector = new Float64Array(3);
  readonly #other = new Float64Array(3);

  /** `friction`: coefficient of dry friction; without one they stick. */
  constructor(models: readonly NodeModel[], friction?: number) {
    this.models = models;
    this.friction = friction;
    this.#memory = models.map(() => new Float64Array(0));
    this.#saved = models.map(() => new Float64Array(0));
    this.#share = models.map(() => new Float64Array(0));
  }

  /** Where all nodes are, how fast and how heavy; `share`: of the world's step that this one is. */
  collect(share: number): void {
    this.count = 0;
    this.#scale = share * share;
    this.models.forEach((model, n) => {
      if (isLineModel(model)) this.#collectLines(n, model.listSegments());
      else this.#collectNodes(n, model.frameLabels());
    });
    this.impulse.fill(0, 0, 3 * this.count);
  }

  /** A node of lines has half of the segments at it. */
  #collectLines(n: number, segments: Int32Array): void {
    const model = this.models[n];
    let most = -1;
    for (let k = 0; k < segments.length; k++) most = Math.max(most, segments[k]);
    if (this.#share[n].length <= most) this.#share[n] = new Float64Array(2 * most + 2);
    const share = this.#share[n].fill(0);
    const [a, b] = [this.#vector, this.#other];
    let whole = 0;
    for (let k = 0; k < segments.length; k += 2) {
      model.writeNodePosition(segments[k], a);
      model.writeNodePosition(segments[k + 1], b);
      const length = Math.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2 + (b[2] - a[2]) ** 2);
      share[segments[k]] += 0.5 * length;
      share[segments[k + 1]] += 0.5 * length;
      whole += length;
    }
    const density = model.computeMass() / whole;
    for (let label = 0; label <= most; label++) if (share[label] > 0) this.#add(n, label, density * share[label]);
  }

  #collectNodes(n: number, labels: Int32Array): void {
    const mass = this.models[n].computeMass() / labels.length;
    for (let k = 0; k < labels.length; k++) this.#add(n, labels[k], mass);
  }

  #add(n: number, label: number, mass: number): void {
    const g = this.count++;
    if (g === this.mass.length) {
      const room = Math.max(64, 2 * g);
      this.place = grow(this.place, 3 * room);
      this.velocity = grow(this.velocity, 3 * room);
      this.force = grow(this.force, 3 * room);
      this.impulse = grow(this.impulse, 3 * room);
      this.mass = grow(this.mass, room);
      this.#model = grow(this.#model, room);
      this.#label = grow(this.#label, room);
    }
    this.#model[g] = n;
    this.#label[g] = label;
    this.mass[g] = this.#scale * mass;
    if (this.#memory[n].length < 3 * label + 3) this.#memory[n] = grow(this.#memory[n], 6 * label + 6);
    this.models[n].writeNodePosition(label, this.#vector);
    for (let k = 0; k < 3; k++) this.place[3 * g + k] = this.#vector[k];
    this.models[n].writeNodeVelocity(label, this.#vector);
    for (let k = 0; k < 3; k++) {
      this.velocity[3 * g + k] = this.#vector[k];
      this.force[3 * g + k] = this.#memory[n][3 * label + k];
    }
  }

  /** The other models get what they gave, over a step of `duration` seconds. */
  push(duration: number): void {
    for (const memory of this.#memory) memory.fill(0);
    for (let g = 0; g < this.count; g++) {
      const memory = this.#memory[this.#model[g]];
      let isAny = false;
      for (let k = 0; k < 3; k++) {
        const force = this.impulse[3 * g + k] / duration;
        memory[3 * this.#label[g] + k] = force;
        this.#vector[k] = -force;
        if (force !== 0) isAny = true;
      }
      if (isAny) this.models[this.#model[g]].pushNode(this.#label[g], this.#vector);
    }
  }

  /** Whether nodes of that model were pushed in the last step. */
  isPushed(model: Model): boolean {
    const n = this.models.indexOf(model as NodeModel);
    if (n < 0) return false;
    const memory = this.#memory[n];
    for (let k = 0; k < memory.length; k++) if (memory[k] !== 0) return true;
    return false;
  }

  beginStep(): void {
    this.#memory.forEach((memory, n) => {
      if (this.#saved[n].length !== memory.length) this.#saved[n] = memory.slice();
      else this.#saved[n].set(memory);
    });
  }

  rollBack(): void {
    this.#saved.forEach((saved, n) => {
      this.#memory[n] = saved.slice();
    });
  }

  writeState(writer: StateWriter): void {
    for (const memory of this.#memory) writer.array(memory);
  }

  readState(reader: StateReader): void {
    for (let n = 0; n < this.#memory.length; n++) this.#memory[n] = reader.numbers();
  }
}
