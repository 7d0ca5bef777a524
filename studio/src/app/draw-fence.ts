/**
 * Tells whether the graphics card has finished what was last asked of it. Drawing only then keeps at most one picture on
 * its way: a slow card shows fewer pictures, but the page stays awake.
 */
export class DrawFence {
  readonly #gl: WebGL2RenderingContext | null;
  #sync: WebGLSync | null = null;

  /** `canvas` must already have its context. */
  constructor(canvas: HTMLCanvasElement) {
    this.#gl = canvas.getContext('webgl2');
  }

  /** Whether nothing is on its way. */
  get isClear(): boolean {
    const gl = this.#gl;
    if (gl === null || this.#sync === null || gl.isContextLost()) return true;
    if (gl.getSyncParameter(this.#sync, gl.SYNC_STATUS) !== gl.SIGNALED) return false;
    gl.deleteSync(this.#sync);
    this.#sync = null;
    return true;
  }

  /** Call after drawing. */
  raise(): void {
    if (this.#gl === null) return;
    if (this.#sync !== null) this.#gl.deleteSync(this.#sync);
    this.#sync = this.#gl.fenceSync(this.#gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    this.#gl.flush();
  }
}
