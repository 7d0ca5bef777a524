/**
 * The camera in the hands of the user: drag to orbit, wheel or pinch to zoom, right button, two fingers or shift to pan;
 * with the keyboard arrows orbit, shift and arrows pan, + and − zoom, 0 goes home. As long as nobody moves it, it glides to
 * where the scene has grown to.
 */
import { Spherical, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { SceneView } from '../view.ts';

/** Angle of one press of an arrow key [rad]. */
const TURN = Math.PI / 36;
/** Scenes choose their cameras for about this ratio of width to height; narrower views look from a wider angle. */
const MADE_FOR = 1.7;

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

export interface CameraPlace {
  readonly position: Vector3;
  readonly target: Vector3;
}

/** Part of the way home that is glided in a picture, and the distance that is none, relative to that from the target. */
const GLIDE = 0.12;
const THERE = 1e-3;

export class CameraControl {
  /** Whether someone moved the camera. */
  isMoved = false;
  /** Whether it is on its way to a new home, and whether it is this that moves it now. */
  #glides = false;
  #moves = false;
  readonly #view: SceneView;
  readonly #controls: OrbitControls;
  readonly #home = { position: new Vector3(), target: new Vector3(), fieldOfView: 28 };

  /** `changed` is called after each move of the camera. */
  constructor(view: SceneView, element: HTMLElement, changed: () => void) {
    this.#view = view;
    this.#home.position.copy(view.camera.position);
    this.#home.target.copy(view.target);
    this.#home.fieldOfView = view.camera.fov;
    view.cameraIsFree = true;
    this.#controls = new OrbitControls(view.camera, element);
    this.#controls.enableDamping = false;
    this.#controls.zoomSpeed = 1.4;
    this.#controls.target.copy(view.target);
    this.#controls.minDistance = 0.02 * view.camera.position.distanceTo(view.target);
    this.#controls.maxDistance = 20 * view.camera.position.distanceTo(view.target);
    this.#controls.update();
    this.#controls.addEventListener('change', () => {
      view.target.copy(this.#controls.target);
      if (this.#moves) return;
      this.isMoved = true;
      changed();
    });
  }

  /** Keeps what was in the picture in it when the view is narrower than the pictures of the gallery. */
  fitWidth(aspect: number): void {
    const half = Math.tan((this.#home.fieldOfView * Math.PI) / 360);
    const { camera } = this.#view;
    camera.fov = Math.min(100, (360 / Math.PI) * Math.atan(half * Math.max(1, MADE_FOR / aspect)));
    camera.updateProjectionMatrix();
  }

  /** Back to where the scene put it. */
  goHome(): void {
    this.#view.camera.position.copy(this.#home.position);
    this.#controls.target.copy(this.#home.target);
    this.#controls.update();
    this.isMoved = false;
  }

  /** Takes a new home; glides there if nobody moved the camera. */
  follow({ position, target }: CameraPlace): void {
    this.#home.position.copy(position);
    this.#home.target.copy(target);
    this.#controls.maxDistance = Math.max(this.#controls.maxDistance, 20 * position.distanceTo(target));
    this.#glides = !this.isMoved;
  }

  /** Goes on gliding by one picture; true while it is not there. */
  glide(): boolean {
    if (!this.#glides || this.isMoved) return false;
    const { camera } = this.#view;
    const [{ position, target: aim }, near] = [this.#home, THERE * camera.position.distanceTo(this.#controls.target)];
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const isThere = isStill || camera.position.distanceTo(position) + this.#controls.target.distanceTo(aim) < near;
    camera.position.lerp(position, isThere ? 1 : GLIDE);
    this.#controls.target.lerp(aim, isThere ? 1 : GLIDE);
    this.#moves = true;
    this.#controls.update();
    this.#moves = false;
    this.#glides = !isThere;
    return this.#glides;
  }

  /** Where the camera is and what it looks at. */
  place(): CameraPlace {
    return { position: this.#view.camera.position.clone(), target: this.#controls.target.clone() };
  }

  /** Puts the camera where another one is, for views that move together. */
  put({ position, target }: CameraPlace): void {
    if (position.equals(this.#view.camera.position) && target.equals(this.#controls.target)) return;
    this.#view.camera.position.copy(position);
    this.#controls.target.copy(target);
    this.#controls.update();
  }

  /** Whether the key moved the camera. */
  press(event: KeyboardEvent): boolean {
    const arrow = ARROWS[event.key];
    if (arrow !== undefined) {
      if (event.shiftKey) this.#pan(arrow[0], arrow[1]);
      else this.#turn(arrow[0] * TURN, arrow[1] * TURN, 1);
      return true;
    }
    if (event.key === '+' || event.key === '=') this.#turn(0, 0, 1 / 1.15);
    else if (event.key === '-') this.#turn(0, 0, 1.15);
    else if (event.key === '0' || event.key === 'Home') this.goHome();
    else return false;
    return true;
  }

  #turn(right: number, up: number, zoom: number): void {
    const { camera } = this.#view;
    const arm = new Spherical().setFromVector3(camera.position.clone().sub(this.#controls.target));
    arm.theta += right;
    arm.phi = Math.min(Math.PI - 0.01, Math.max(0.01, arm.phi - up));
    arm.radius *= zoom;
    camera.position.setFromSpherical(arm).add(this.#controls.target);
    this.#controls.update();
  }

  #pan(right: number, up: number): void {
    const { camera } = this.#view;
    const step = 0.05 * camera.position.distanceTo(this.#controls.target);
    const [x, y] = [new Vector3(), new Vector3()];
    camera.matrixWorld.extractBasis(x, y, new Vector3());
    const shift = x.multiplyScalar(right * step).addScaledVector(y, up * step);
    camera.position.add(shift);
    this.#controls.target.add(shift);
    this.#controls.update();
  }

  dispose(): void {
    this.#controls.dispose();
  }
}
