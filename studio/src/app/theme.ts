/**
 * Light, dark, or what the system says. The choice is kept in the browser; the outcome stands on the root element as
 * `data-theme`, and components that draw hear of a change by a controller.
 */
import type { ReactiveController, ReactiveControllerHost } from 'lit';

export type ThemeChoice = 'system' | 'light' | 'dark';

const KEY = 'heddle-theme';
const CHANGED = 'heddle-theme-changed';

/** What was chosen before, or `system`. */
export function readThemeChoice(): ThemeChoice {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  } catch {
    return 'system';
  }
}

const systemIsDark = (): boolean => matchMedia('(prefers-color-scheme: dark)').matches;

/** Shows and keeps a choice. */
export function applyTheme(choice: ThemeChoice): void {
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // a browser that keeps nothing still shows the choice
  }
  const dark = choice === 'dark' || (choice === 'system' && systemIsDark());
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  document.dispatchEvent(new Event(CHANGED));
}

/** Follows the system as long as that is the choice. */
export function followSystemTheme(): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => applyTheme(readThemeChoice()));
}

/** Updates its host when the theme changes; `dark` is what is shown now. */
export class ThemeController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #update = (): void => this.#host.requestUpdate();

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  get dark(): boolean {
    return document.documentElement.dataset.theme === 'dark';
  }

  hostConnected(): void {
    document.addEventListener(CHANGED, this.#update);
  }

  hostDisconnected(): void {
    document.removeEventListener(CHANGED, this.#update);
  }
}
