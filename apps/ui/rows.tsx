/** Rows: the 64 px lines that lists and forms are made of. */
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icons';

interface RowProps {
  label: string;
  sub?: string;
  /** Shown at the right, as a value. */
  value?: string;
  icon?: IconName;
  /** Any picture in place of the icon, as an avatar. */
  lead?: ComponentChildren;
  /** Controls at the right, each with its own tap. */
  trail?: ComponentChildren;
  chevron?: boolean;
  danger?: boolean;
  /** Stable id of the item shown. */
  id?: string;
  selected?: boolean;
  on?: () => void;
  onHold?: () => void;
}

function Lead({ icon, lead }: Pick<RowProps, 'icon' | 'lead'>) {
  if (lead) return <span class="row-lead">{lead}</span>;
  return icon ? <span class="row-lead"><Icon name={icon} /></span> : null;
}

function Texts({ label, sub }: { label: string; sub?: string | undefined }) {
  return (
    <span class="row-texts">
      <span class="row-label">{label}</span>
      {sub && <span class="row-sub">{sub}</span>}
    </span>
  );
}

/** A tappable line. */
export function Row(p: RowProps) {
  return (
    <div class={`row${p.danger ? ' danger' : ''}${p.selected ? ' selected' : ''}`} role="listitem" aria-label={p.label}
      aria-selected={p.selected} data-key={p.id} onClick={p.on} onHold={p.onHold}>
      <Lead icon={p.icon} lead={p.lead} />
      <Texts label={p.label} sub={p.sub} />
      {p.value && <span class="row-value">{p.value}</span>}
      {p.trail}
      {p.chevron && <Icon name="chevron-right" />}
    </div>
  );
}

/** A line with a switch; the whole line toggles it. */
export function SwitchRow({ label, sub, icon, lead, checked, disabled, id, on }: {
  label: string; sub?: string; icon?: IconName; lead?: ComponentChildren; checked: boolean; disabled?: boolean; id?: string; on: () => void;
}) {
  return (
    <div class={disabled ? 'row disabled' : 'row'} role="switch" aria-label={label} aria-checked={checked}
      aria-disabled={disabled || undefined} data-key={id} onClick={disabled ? undefined : on}>
      <Lead icon={icon} lead={lead} />
      <Texts label={label} sub={sub} />
      <span class={checked ? 'switch on' : 'switch'}><i /></span>
    </div>
  );
}

/** A bare switch, for a row that does something else when tapped. */
export function Switch({ label, checked, id, on }: { label: string; checked: boolean; id?: string; on: () => void }) {
  return (
    <span class="switch-hit" role="switch" aria-label={label} aria-checked={checked} data-key={id}
      onClick={(e) => { e.stopPropagation(); on(); }}>
      <span class={checked ? 'switch on' : 'switch'}><i /></span>
    </span>
  );
}

/** A line with a check box or, in a group where one is chosen, a radio. */
export function ChoiceRow({ label, sub, kind, checked, id, on }: {
  label: string; sub?: string; kind: 'checkbox' | 'radio'; checked: boolean; id?: string; on: () => void;
}) {
  return (
    <div class="row" role={kind} aria-label={label} aria-checked={checked} data-key={id} onClick={on}>
      <span class={`choice ${kind}${checked ? ' on' : ''}`}>{checked && kind === 'checkbox' && <Icon name="check" size={16} />}</span>
      <Texts label={label} sub={sub} />
    </div>
  );
}

/** A line with a slider; `value` is 0..100 and `on` gets 0..100. */
export function SliderRow({ label, icon, value, on }: { label: string; icon?: IconName; value: number; on: (value: number) => void }) {
  return (
    <div class="row">
      <Lead icon={icon} lead={undefined} />
      <span class="row-texts">
        <span class="row-label">{label}</span>
        <span class="slider" role="slider" aria-label={label} aria-valuetext={String(value)} data-slide=""
          onSlide={(e) => on(Math.round(e.detail.fx * 100))}
          onClick={(e) => on(Math.round(shareOf(e) * 100))}>
          <span class="slider-line"><i style={{ width: `${value}%` }} /></span>
        </span>
      </span>
      <span class="row-value">{value}</span>
    </div>
  );
}

function shareOf(e: MouseEvent): number {
  const box = (e.currentTarget as Element).getBoundingClientRect();
  return Math.max(0, Math.min(1, (e.clientX - box.left) / box.width));
}

export function Section({ title }: { title: string }) {
  return <div class="section">{title}</div>;
}
