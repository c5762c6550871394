/** Controls: buttons, fields, chips, segments, avatars, empty states. */
import type { ComponentChildren } from 'preact';
import { os } from '../kernel/os';
import { uniform } from '../kernel/random';
import { getState } from '../kernel/store';
import { readText } from '../kernel/nav';
import { Icon, type IconName } from './icons';

export function Button({ label, kind = 'filled', icon, disabled, on }: {
  label: string; kind?: 'filled' | 'tonal' | 'outlined' | 'text' | 'danger'; icon?: IconName; disabled?: boolean; on: () => void;
}) {
  return (
    <button class={`button ${kind}${disabled ? ' disabled' : ''}`} role="button" aria-label={label}
      aria-disabled={disabled || undefined} onClick={disabled ? undefined : on}>
      {icon && <Icon name={icon} size={20} />}
      {label}
    </button>
  );
}

/**
 * A text field bound to the string at `path`, a JSON pointer into PhoneState (a draft in `apps.<id>.ui`, say).
 * `onSubmit` is called on Enter in a single-line field.
 */
export function TextField({ path, label, multiline, secret, icon, lines = 4, onSubmit }: {
  path: string; label: string; multiline?: boolean; secret?: boolean; icon?: IconName; lines?: number; onSubmit?: () => void;
}) {
  const phone = getState();
  const [value, focused, zh] = [readText(phone, path), phone.os.focus?.path === path, phone.os.locale === 'zh'];
  const common = {
    class: secret ? 'field-input secret' : 'field-input', role: 'textbox' as const, 'aria-label': label, 'data-path': path, value,
    placeholder: label, autocomplete: 'off', spellcheck: false, tabIndex: -1,
    'data-submit': onSubmit ? 'yes' : undefined, onSubmit,
  };
  return (
    <div class={`field${focused ? ' focused' : ''}${multiline ? ' multiline' : ''}`}>
      {icon && <Icon name={icon} size={20} />}
      {multiline ? <textarea {...common} style={{ height: `${lines * 26}px` }} /> : <input {...common} type="text" />}
      {value !== '' && !multiline && (
        <button class="field-clear" role="button" aria-label={zh ? `清除${label}` : `Clear ${label}`} onClick={() => os.clearField({ path })}>
          <Icon name="close" size={18} />
        </button>
      )}
    </div>
  );
}

export function SearchField({ path, label }: { path: string; label: string }) {
  return <div class="search"><TextField path={path} label={label} icon="search" /></div>;
}

/** A row of options of which some or one are on. */
export function Chips({ items, on }: { items: { id: string; label: string; on: boolean }[]; on: (id: string) => void }) {
  return (
    <div class="chips">
      {items.map((c) => (
        <button key={c.id} class={c.on ? 'chip on' : 'chip'} role="option" aria-label={c.label} aria-selected={c.on}
          data-key={c.id} onClick={() => on(c.id)}>{c.label}</button>
      ))}
    </div>
  );
}

export function Segments({ items, active, on }: { items: { id: string; label: string }[]; active: string; on: (id: string) => void }) {
  return (
    <div class="segments">
      {items.map((s) => (
        <button key={s.id} class={s.id === active ? 'segment on' : 'segment'} role="option" aria-label={s.label}
          aria-selected={s.id === active} data-key={s.id} onClick={() => on(s.id)}>{s.label}</button>
      ))}
    </div>
  );
}

/** A number with minus and plus: 64 px high. Names: `Decrease <label>`, `Increase <label>`. */
export function Stepper({ label, text, less, more }: { label: string; text: string; less: () => void; more: () => void }) {
  const zh = getState().os.locale === 'zh';
  return (
    <div class="stepper">
      <button class="icon-button tonal" role="button" aria-label={zh ? `减少${label}` : `Decrease ${label}`} onClick={less}><Icon name="minus" /></button>
      <span class="stepper-text">{text}</span>
      <button class="icon-button tonal" role="button" aria-label={zh ? `增加${label}` : `Increase ${label}`} onClick={more}><Icon name="add" /></button>
    </div>
  );
}

const HUES = [12, 38, 88, 145, 178, 205, 232, 262, 292, 330];

/** A round picture drawn from a seed, with the first letter of the name. */
export function Avatar({ seed, name, size = 40 }: { seed: number; name: string; size?: number }) {
  const hue = HUES[Math.floor(uniform(seed) * HUES.length)] ?? 205;
  const [a, b] = [uniform(seed + 1), uniform(seed + 2)];
  return (
    <svg class="avatar" width={size} height={size} viewBox="0 0 40 40" aria-hidden="true">
      <circle cx="20" cy="20" r="20" fill={`hsl(${hue} 52% 46%)`} />
      <circle cx={8 + a * 24} cy={6 + b * 10} r={9 + b * 6} fill={`hsl(${hue} 58% 58%)`} opacity="0.6" />
      <text x="20" y="26.5" text-anchor="middle" font-size="18" font-weight="600" fill="#fff">{[...name][0]?.toUpperCase() ?? '?'}</text>
    </svg>
  );
}

export function Empty({ icon, text }: { icon: IconName; text: string }) {
  return <div class="empty"><Icon name={icon} size={48} /><p>{text}</p></div>;
}

export function Card({ children, on, id, label, onHold }: {
  children: ComponentChildren; on?: () => void; id?: string; label?: string; onHold?: () => void;
}) {
  return <div class="card" role={on ? 'listitem' : undefined} aria-label={label} data-key={id} onClick={on} onHold={onHold}>{children}</div>;
}
