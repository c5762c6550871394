"""The script that reads the words of a live phone with their boxes, run inside the page."""

ROLES = (
    "button",
    "switch",
    "checkbox",
    "radio",
    "tab",
    "textbox",
    "listitem",
    "key",
    "icon",
    "option",
    "slider",
    "link",
)

_SCRIPT = """
(() => {
  const roles = new Set(ROLES);
  const out = [];
  const clip = (el, r) => {
    let [l, t] = [Math.max(0, r.left), Math.max(0, r.top)];
    let [rt, b] = [Math.min(innerWidth, r.right), Math.min(innerHeight, r.bottom)];
    for (let e = el; e; e = e.parentElement) {
      if (e.dataset && (e.dataset.scroll !== undefined || e.dataset.clip !== undefined)) {
        const c = e.getBoundingClientRect();
        l = Math.max(l, c.left); t = Math.max(t, c.top); rt = Math.min(rt, c.right); b = Math.min(b, c.bottom);
      }
    }
    return [l, t, rt - l, b - t];
  };
  const control = (el) => {
    for (let e = el; e; e = e.parentElement) if (roles.has(e.getAttribute && e.getAttribute('role'))) return e;
    return null;
  };
  const middle = (b) => [b[0] + b[2] / 2, b[1] + b[3] / 2];
  const seen = (el, x, y) => {
    const top = document.elementFromPoint(x, y);
    return top !== null && (top === el || el.contains(top) || top.contains(el));
  };
  const add = (text, box, owner) => {
    if (box[2] < 3 || box[3] < 3) return;
    const tap = owner ? middle(clip(owner, owner.getBoundingClientRect())) : middle(box);
    out.push([text, box, tap]);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const el = node.parentElement;
    if (!el || el.closest('script,style')) continue;
    for (const m of node.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(node, m.index); range.setEnd(node, m.index + m[0].length);
      const box = clip(el, range.getBoundingClientRect());
      if (box[2] < 3 || box[3] < 6) continue;
      const [x, y] = middle(box);
      if (seen(el, x, y)) add(m[0], box, control(el));
    }
  }
  for (const el of document.querySelectorAll('[role]')) {
    const role = el.getAttribute('role');
    const box = clip(el, el.getBoundingClientRect());
    if (box[2] < 6 || box[3] < 6) continue;
    const [x, y] = middle(box);
    if (!seen(el, x, y)) continue;
    const checked = el.getAttribute('aria-checked');
    if (checked !== null) add(checked === 'true' ? 'on' : 'off', box, el);
    if (el.getAttribute('aria-selected') === 'true') add('selected', box, el);
    const label = el.getAttribute('aria-label');
    const held = role === 'textbox' ? el.value || label || '' : '';
    for (const w of (held.match(/\\S+/g) || []).slice(0, 3)) add(w, box, el);
    if (role !== 'textbox' && label && !el.textContent.trim() && box[2] < 120 && checked === null)
      for (const w of (label.match(/\\S+/g) || []).slice(0, 3)) add(w, box, el);
  }
  return JSON.stringify(out);
})()
"""
WORDS_JS = _SCRIPT.replace("ROLES", str(list(ROLES)))
