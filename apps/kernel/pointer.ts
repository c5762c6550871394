/** Fingers: turns the browser's pointer input into taps, holds, scrolls, slides and swipes. Nothing here depends on time. */
import { goHome } from './nav';
import { os } from './os';
import { commit, commitSilently, getState } from './store';

/** CSS px that a finger may wander in a tap. */
const SLOP = 12;
/** A released swipe rolls on by this share of its own length. */
const INERTIA = 0.6;
/** Height of the zones at the screen's edges that belong to the system. */
const EDGE = 24;

interface Finger {
  x: number;
  y: number;
  target: Element;
  moved: boolean;
  held: boolean;
  axis: 'x' | 'y' | null;
  scroller: HTMLElement | null;
  offset: number;
}

let finger: Finger | null = null;
let swallowClick = false;

export const scrollKey = (el: HTMLElement): string => el.dataset['scroll'] ?? '';
const axisOf = (el: HTMLElement): 'x' | 'y' => (el.dataset['axis'] === 'x' ? 'x' : 'y');

function most(el: HTMLElement): number {
  return axisOf(el) === 'x' ? el.scrollWidth - el.clientWidth : el.scrollHeight - el.clientHeight;
}

function scrollerFor(target: Element, axis: 'x' | 'y'): HTMLElement | null {
  for (let el: Element | null = target; el; el = el.parentElement)
    if (el instanceof HTMLElement && el.dataset['scroll'] && axisOf(el) === axis && most(el) > 0) return el;
  return null;
}

function clampScroll(el: HTMLElement, offset: number): number {
  return Math.max(0, Math.min(most(el), Math.round(offset)));
}

function snapped(el: HTMLElement, offset: number): number {
  const snap = Number(el.dataset['snap'] ?? 0);
  return clampScroll(el, snap > 0 ? Math.round(offset / snap) * snap : offset);
}

/** Custom events reach components as `onHold`, `onSlide`, `onSwipe`. */
function tell(target: Element, name: 'hold' | 'slide' | 'swipe', detail: object): void {
  target.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));
}

function slide(target: Element, x: number, y: number): boolean {
  const el = target.closest('[data-slide]');
  if (!el) return false;
  const box = el.getBoundingClientRect();
  const share = (at: number, from: number, size: number): number => Math.max(0, Math.min(1, (at - from) / size));
  tell(el, 'slide', { fx: share(x, box.left, box.width), fy: share(y, box.top, box.height) });
  return true;
}

function down(e: PointerEvent): void {
  swallowClick = false;
  const target = e.target as Element;
  finger = { x: e.clientX, y: e.clientY, target, moved: false, held: false, axis: null, scroller: null, offset: 0 };
}

/**
 * The finger has rested: by the session's word in environment mode, by the real clock when a person uses it.
 * The long press itself happens on release, as the finger may yet begin to drag.
 */
export function hold(): void {
  if (!finger || finger.moved || finger.held) return;
  finger.held = true;
  swallowClick = true;
}

function begin(f: Finger, dx: number, dy: number): void {
  f.moved = true;
  swallowClick = true;
  f.axis = Math.abs(dx) > Math.abs(dy) ? 'x' : 'y';
  const edge = f.y < EDGE || f.y > window.innerHeight - EDGE;
  if (edge || f.target.closest('[data-slide]')) return;
  f.scroller = scrollerFor(f.target, f.axis);
  f.offset = f.scroller ? (getState().os.scroll[scrollKey(f.scroller)] ?? 0) : 0;
}

function move(e: PointerEvent): void {
  const f = finger;
  if (!f || e.buttons === 0) return;
  const [dx, dy] = [e.clientX - f.x, e.clientY - f.y];
  if (!f.moved && Math.hypot(dx, dy) <= SLOP) return;
  if (!f.moved) begin(f, dx, dy);
  if (f.scroller) {
    const [list, at] = [scrollKey(f.scroller), clampScroll(f.scroller, f.offset - (f.axis === 'x' ? dx : dy))];
    commitSilently((phone) => {
      phone.os.scroll[list] = at;
    });
  } else slide(f.target, e.clientX, e.clientY);
}

function system(f: Finger, dy: number): boolean {
  if (f.axis !== 'y') return false;
  if (f.y < EDGE && dy > 0) os.overlay({ overlay: 'shade' });
  else if (f.y > window.innerHeight - EDGE && dy < 0 && f.held) os.overlay({ overlay: 'recents' });
  else if (f.y > window.innerHeight - EDGE && dy < 0) commit('os', 'home', (phone) => goHome(phone), {});
  else return false;
  return true;
}

function up(e: PointerEvent): void {
  const f = finger;
  finger = null;
  if (f?.held && !f.moved) tell(f.target, 'hold', {});
  if (!f?.moved) return;
  const [dx, dy] = [e.clientX - f.x, e.clientY - f.y];
  if (f.scroller) {
    const length = f.axis === 'x' ? dx : dy;
    const offset = snapped(f.scroller, f.offset - length * (f.held ? 1 : 1 + INERTIA));
    settleScroll(scrollKey(f.scroller), f.offset, offset);
  } else if (!system(f, dy) && !slide(f.target, e.clientX, e.clientY)) {
    const direction = f.axis === 'x' ? (dx < 0 ? 'left' : 'right') : dy < 0 ? 'up' : 'down';
    tell(f.target, 'swipe', { direction });
  }
}

function settleScroll(list: string, from: number, to: number): void {
  commitSilently((phone) => {
    phone.os.scroll[list] = from;
  });
  os.scrolled({ list, offset: to });
}

function wheel(e: WheelEvent): void {
  const scroller = scrollerFor(e.target as Element, 'y');
  if (!scroller) return;
  const at = getState().os.scroll[scrollKey(scroller)] ?? 0;
  os.scrolled({ list: scrollKey(scroller), offset: clampScroll(scroller, at + e.deltaY) });
}

function click(e: MouseEvent): void {
  if (swallowClick) {
    e.stopPropagation();
    e.preventDefault();
  }
}

function press(e: MouseEvent): void {
  e.preventDefault(); // the DOM's focus follows the state, never the mouse
}

function field(e: MouseEvent): void {
  const el = (e.target as Element).closest<HTMLElement>('[data-path]');
  if (!el) return;
  const path = el.dataset['path'] as string;
  const text = (el as HTMLInputElement).value;
  if (getState().os.focus?.path !== path) os.focus({ path, cursor: text.length });
}

export function listen(root: HTMLElement): void {
  root.addEventListener('pointerdown', down);
  root.addEventListener('pointermove', move);
  root.addEventListener('pointerup', up);
  root.addEventListener('mousedown', press);
  root.addEventListener('click', click, true);
  root.addEventListener('click', field);
  root.addEventListener('wheel', wheel, { passive: true });
  root.addEventListener('contextmenu', press);
}
