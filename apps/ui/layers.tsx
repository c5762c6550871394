/** What stands over a screen: dialogs, sheets, menus. Each is the view of a route, so Back closes it. */
import type { ComponentChildren } from 'preact';
import { Button } from './controls';
import { Icon, type IconName } from './icons';

interface DialogAction {
  label: string;
  kind?: 'text' | 'filled' | 'danger';
  disabled?: boolean;
  on: () => void;
}

/** View of a route with `present: 'dialog'`. */
export function Dialog({ title, text, actions, children }: {
  title: string; text?: string; actions: DialogAction[]; children?: ComponentChildren;
}) {
  return (
    <div class="dialog" role="dialog" aria-label={title}>
      <h2 class="dialog-title" role="heading">{title}</h2>
      {text && <p class="dialog-text">{text}</p>}
      {children}
      <div class="dialog-actions">{actions.map((a) => <Button key={a.label} {...a} kind={a.kind ?? 'text'} />)}</div>
    </div>
  );
}

/** View of a route with `present: 'sheet'`: stands at the bottom. */
export function Sheet({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="sheet" role="dialog" aria-label={title}>
      <h2 class="sheet-title" role="heading">{title}</h2>
      {children}
    </div>
  );
}

/** View of a route with `present: 'menu'`: hangs from the top right. */
export function Menu({ items }: { items: { label: string; icon?: IconName; checked?: boolean; danger?: boolean; on: () => void }[] }) {
  return (
    <div class="menu" role="dialog" aria-label="menu">
      {items.map((m) => (
        <button key={m.label} class={m.danger ? 'menu-item danger' : 'menu-item'} role="option" aria-label={m.label}
          aria-selected={m.checked} onClick={m.on}>
          {m.icon && <Icon name={m.icon} size={20} />}
          <span>{m.label}</span>
          {m.checked && <Icon name="check" size={20} />}
        </button>
      ))}
    </div>
  );
}
