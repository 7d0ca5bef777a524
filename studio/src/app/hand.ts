/** The hand of the scene page: what is picked and dragged in a view becomes a pull on whatever plays. */
import { type Labelled, nameHeld } from './held.ts';
import type { Picked, Point } from './picking.ts';
import type { Player } from './player.ts';

export class Hand {
  readonly #find: () => Player;
  #isHolding = false;

  /** `find` tells what plays. */
  constructor(find: () => Player) {
    this.#find = find;
  }

  /** Takes hold of what was picked in the view of a frame; time goes on. */
  take(picked: Picked, seen: Labelled): void {
    const held = nameHeld(picked, seen);
    if (held === undefined) return;
    const player = this.#find();
    this.#isHolding = true;
    player.hold(held);
    if (!player.playing) player.play();
  }

  drag(point: Point): void {
    if (this.#isHolding) this.#find().drag(point);
  }

  release(): void {
    if (this.#isHolding) this.#find().release();
    this.#isHolding = false;
  }

  /** Time does not stop in someone's hands, not even at the end of the scene; after a fault it does. */
  keepGoing(): void {
    const player = this.#find();
    if (this.#isHolding && player.isHeld && !player.playing && player.message === '') player.play();
  }
}
