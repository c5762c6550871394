/** Text fields: the DOM's focus, cursor and scroll offsets are made to follow the state after every render. */
import { os } from './os';
import { scrollKey } from './pointer';
import { commitSilently, getState } from './store';

type Field = HTMLInputElement | HTMLTextAreaElement;

function fieldAt(root: HTMLElement, path: string): Field | null {
  for (const el of root.querySelectorAll<Field>('[data-path]')) if (el.dataset['path'] === path) return el;
  return null;
}

function syncScroll(root: HTMLElement): void {
  const offsets = getState().os.scroll;
  for (const el of root.querySelectorAll<HTMLElement>('[data-scroll]')) {
    const at = offsets[scrollKey(el)] ?? 0;
    const side = el.dataset['axis'] === 'x' ? 'scrollLeft' : 'scrollTop';
    el[side] = at;
    if (at - el[side] > 1 && !el.closest('[aria-hidden="true"]')) scrollBack(scrollKey(el), Math.floor(el[side]));
  }
}

/** The list has become shorter than its offset. */
function scrollBack(list: string, at: number): void {
  commitSilently((phone) => {
    phone.os.scroll[list] = at;
  });
}

function syncFocus(root: HTMLElement): void {
  const focus = getState().os.focus;
  const el = focus ? fieldAt(root, focus.path) : null;
  const active = document.activeElement;
  if (!focus || !el) {
    if (active instanceof HTMLElement && active !== document.body) active.blur();
    return;
  }
  if (active !== el) el.focus({ preventScroll: true });
  if (el.selectionStart !== focus.cursor || el.selectionEnd !== focus.cursor)
    el.setSelectionRange(focus.cursor, focus.cursor);
  reveal(el);
}

/** Scrolls the field's list so that the keyboard does not cover it. */
function reveal(el: HTMLElement): void {
  const scroller = el.closest<HTMLElement>('[data-scroll]');
  if (!scroller) return;
  const [box, frame] = [el.getBoundingClientRect(), scroller.getBoundingClientRect()];
  const room = Math.min(box.height, frame.height);
  const over = box.top + room - frame.bottom;
  const under = frame.top - box.top;
  const shift = over > 0 ? over + 8 : under > 0 ? -under : 0;
  if (shift === 0) return;
  const snap = Number(scroller.dataset['snap'] ?? 0) || 1;
  const wanted = (scroller.scrollTop + shift) / snap;
  const most = scroller.scrollHeight - scroller.clientHeight;
  const at = Math.max(0, Math.min(most, (shift > 0 ? Math.ceil(wanted) : Math.floor(wanted)) * snap));
  if (at === (getState().os.scroll[scrollKey(scroller)] ?? 0)) return;
  commitSilently((phone) => {
    phone.os.scroll[scrollKey(scroller)] = at;
  });
}

export function follow(root: HTMLElement): void {
  syncScroll(root);
  syncFocus(root);
}

function edited(e: Event): void {
  const el = e.target as Field;
  const path = el.dataset['path'];
  if (path) os.text({ path, text: el.value, cursor: el.selectionStart ?? el.value.length });
}

/** Enter: commits what is being composed, else a new line in a multi-line field, else `onSubmit`, else the keyboard goes away. */
export function enter(root: HTMLElement): void {
  const focus = getState().os.focus;
  const el = focus ? fieldAt(root, focus.path) : null;
  if (!el) return;
  const pinyin = getState().os.keyboard.pinyin;
  if (pinyin) os.candidate({ text: pinyin, rest: '' });
  else if (el.tagName === 'TEXTAREA') os.insert({ text: '\n' });
  else if (el.dataset['submit']) el.dispatchEvent(new CustomEvent('submit', { bubbles: true }));
  else os.blur({});
}

export function listenFields(root: HTMLElement): void {
  root.addEventListener('input', edited);
  root.addEventListener('keydown', (e) => {
    if (e.key !== 'Enter' || e.isComposing) return;
    e.preventDefault();
    enter(root);
  });
}
