/** The accessibility tree: what is on the screen, by role and name, with boxes clipped to what can be seen. */
import { getState } from './store';
import { topRoute } from './nav';
import type { Tree, TreeNode } from './types';

/** Roles that speak for all the text within them. */
const ATOMIC = new Set(['text', 'button', 'tab', 'key', 'option', 'textbox', 'icon', 'heading', 'radio', 'image']);

type Box = [number, number, number, number];

function clip(a: Box, b: Box): Box {
  const x = Math.max(a[0], b[0]);
  const y = Math.max(a[1], b[1]);
  return [x, y, Math.min(a[0] + a[2], b[0] + b[2]) - x, Math.min(a[1] + a[3], b[1] + b[3]) - y];
}

function boxOf(el: Element): Box {
  const r = el.getBoundingClientRect();
  return [r.left, r.top, r.width, r.height];
}

const rounded = (box: Box): Box => box.map((v) => Math.round(v * 10) / 10) as Box;

function ownText(el: Element): string {
  let text = '';
  for (const child of el.childNodes) if (child.nodeType === Node.TEXT_NODE) text += child.textContent ?? '';
  return text.replace(/\s+/g, ' ').trim();
}

function nameOf(el: Element): string {
  return el.getAttribute('aria-label') ?? (el.textContent ?? '').replace(/\s+/g, ' ').trim();
}

function flag(el: Element, name: string): boolean | undefined {
  const value = el.getAttribute(name);
  return value === null ? undefined : value === 'true';
}

function nodeOf(el: HTMLElement, role: string, box: Box): TreeNode {
  const node: TreeNode = { role, name: nameOf(el), box: rounded(box) };
  const value = role === 'textbox' ? (el as HTMLInputElement).value : el.getAttribute('aria-valuetext');
  if (value !== null && value !== undefined) node.value = value;
  const [checked, selected, disabled] = [flag(el, 'aria-checked'), flag(el, 'aria-selected'), flag(el, 'aria-disabled')];
  if (checked !== undefined) node.checked = checked;
  if (selected !== undefined) node.selected = selected;
  if (disabled) node.disabled = true;
  if (role === 'textbox' && el.dataset['path'] === getState().os.focus?.path) node.focused = true;
  if (el.dataset['key']) node.key = el.dataset['key'];
  return node;
}

function walk(el: HTMLElement, frame: Box, spoken: string | null, out: TreeNode[]): void {
  if (el.getAttribute('aria-hidden') === 'true' || el.hidden) return;
  const box = clip(boxOf(el), frame);
  const seen = box[2] > 1 && box[3] > 1;
  const role = el.getAttribute('role');
  if (seen && role && role !== 'presentation') out.push(nodeOf(el, role, box));
  const text = seen && !role ? ownText(el) : '';
  if (text && text !== spoken) out.push({ role: 'text', name: text, box: rounded(box) });
  if (role && ATOMIC.has(role)) return;
  const inner = el.dataset['scroll'] !== undefined || el.dataset['clip'] !== undefined ? box : frame;
  const said = role && role !== 'presentation' ? nameOf(el) : spoken;
  for (const child of el.children) if (child instanceof HTMLElement) walk(child, inner, said, out);
}

export function tree(root: HTMLElement): Tree {
  const phone = getState();
  const nodes: TreeNode[] = [];
  walk(root, [0, 0, window.innerWidth, window.innerHeight], null, nodes);
  return {
    app: phone.os.nav.active,
    screen: topRoute(phone)?.screen ?? 'home',
    heading: nodes.find((n) => n.role === 'heading')?.name ?? '',
    overlay: phone.os.dialog ? 'dialog' : phone.os.overlay,
    keyboard: phone.os.focus !== null,
    nodes,
  };
}
