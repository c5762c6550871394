/** Hand mode, for people: the clock keeps the real pace, a resting finger is a long press, and things move. */
import { advance } from './clock';
import { hold } from './pointer';

const LONG_PRESS_MS = 500;

export function byHand(root: HTMLElement): void {
  document.documentElement.classList.add('hand');
  let rest = 0;
  root.addEventListener('pointerdown', () => {
    rest = window.setTimeout(hold, LONG_PRESS_MS);
  });
  root.addEventListener('pointerup', () => window.clearTimeout(rest));
  window.setInterval(() => advance(1000), 1000);
}
