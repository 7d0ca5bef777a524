/**
 * Pointers over a view: shows what could be grabbed, and turns a press on it into a grab, moves into drags and the end
 * into a release. A press beside everything is left to the camera.
 */
import type { Frame } from 'heddle/model';
import type { SceneView } from '../view.ts';
import { computeDragPoint, type Picked, type Point, pickNode, pickSurface, type Size, type Spot } from './picking.ts';

/** How far a pointer may be from a node [CSS pixels]; a finger is less exact than a mouse. */
const REACH = { fine: 14, coarse: 30 } as const;

export interface GrabEvents {
  /** What lies under the pointer changed. */
  hover(picked: Picked | undefined): void;
  /** Whether this may be grabbed. */
  allows(picked: Picked): boolean;
  grab(picked: Picked): void;
  drag(point: Point): void;
  release(): void;
}

export class GrabControl {
  readonly #element: HTMLElement;
  readonly #events: GrabEvents;
  readonly #abort = new AbortController();
  readonly #see: () => { view: SceneView; frame: Frame; size: Size } | undefined;
  #held: { readonly pointer: number; readonly point: Point } | undefined;

  /** Must be made before the camera's control, so that a grab can keep the press from it. */
  constructor(
    element: HTMLElement,
    see: () => { view: SceneView; frame: Frame; size: Size } | undefined,
    events: GrabEvents,
  ) {
    this.#element = element;
    this.#see = see;
    this.#events = events;
    const { signal } = this.#abort;
    const listen = (type: string, hear: (event: PointerEvent) => void) =>
      element.addEventListener(type, hear as EventListener, { signal, capture: true });
    listen('pointerdown', (event) => this.#press(event));
    listen('pointermove', (event) => this.#move(event));
    listen('pointerup', (event) => this.#end(event));
    listen('pointercancel', (event) => this.#end(event));
    listen('pointerleave', () => this.#events.hover(undefined));
  }

  /** Whether something is in the hand. */
  get isHolding(): boolean {
    return this.#held !== undefined;
  }

  #spot(event: PointerEvent): Spot {
    const { left, top } = this.#element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  #pick(event: PointerEvent): Picked | undefined {
    const seen = this.#see();
    if (seen === undefined) return undefined;
    const spot = this.#spot(event);
    const reach = event.pointerType === 'mouse' ? REACH.fine : REACH.coarse;
    return pickNode(seen.view, seen.frame, spot, reach) ?? pickSurface(seen.view, seen.frame, spot, seen.size);
  }

  #press(event: PointerEvent): void {
    if (event.button !== 0 || event.shiftKey || event.ctrlKey || this.#held !== undefined) return;
    const picked = this.#pick(event);
    if (picked === undefined || !this.#events.allows(picked)) return;
    event.stopImmediatePropagation();
    this.#held = { pointer: event.pointerId, point: picked.point };
    this.#element.setPointerCapture(event.pointerId);
    this.#events.grab(picked);
  }

  #move(event: PointerEvent): void {
    if (this.#held === undefined) {
      if (event.buttons === 0) this.#events.hover(this.#pick(event));
      return;
    }
    if (event.pointerId !== this.#held.pointer) return;
    event.stopImmediatePropagation();
    const seen = this.#see();
    const point = seen && computeDragPoint(seen.view, this.#spot(event), seen.size, this.#held.point);
    if (point !== undefined) this.#events.drag(point);
  }

  #end(event: PointerEvent): void {
    if (event.pointerId !== this.#held?.pointer) return;
    event.stopImmediatePropagation();
    this.#held = undefined;
    this.#events.release();
  }

  dispose(): void {
    this.#abort.abort();
  }
}
