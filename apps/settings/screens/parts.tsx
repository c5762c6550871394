/** Small pieces that several settings screens share. */
import type { ComponentChildren } from 'preact';
import { os } from '../../kernel/os';
import { getState } from '../../kernel/store';
import type { Settings } from '../../kernel/types';
import { Icon, Screen, SwitchRow, type IconName } from '../../ui/kit';

type Toggle = { [K in keyof Settings]: Settings[K] extends boolean ? K : never }[keyof Settings];

/** A switch over one of the phone's settings. */
export function Toggle({ name, label, sub, icon, disabled }: {
  name: Toggle; label: string; sub?: string; icon?: IconName; disabled?: boolean;
}) {
  const on = getState().os.settings[name];
  return (
    <SwitchRow id={name} label={label} sub={sub} icon={icon} checked={on && !disabled} disabled={disabled}
      on={() => os.setting({ name, value: !on })} />
  );
}

export function Page({ title, children }: { title: string; children: ComponentChildren }) {
  return <Screen title={title} back>{children}</Screen>;
}

/** A line that only tells: name and value. */
export function Fact({ name, value, id }: { name: string; value: string; id?: string }) {
  return <div class="set-fact" data-key={id}><span>{name}</span><span>{value}</span></div>;
}

export const Note = ({ text }: { text: string }) => <div class="set-note">{text}</div>;

export const Badge = ({ icon, color }: { icon: IconName; color: string }) => (
  <span class="set-icon" style={{ background: color }}><Icon name={icon} size={22} /></span>
);

/** Bars of a radio's strength, 0..3. */
export const Signal = ({ strength }: { strength: number }) => (
  <span class="set-signal" aria-hidden="true">
    {[0, 1, 2, 3].map((n) => <i key={n} class={n <= strength ? 'on' : ''} style={{ height: `${5 + n * 5}px` }} />)}
  </span>
);
