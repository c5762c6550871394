/** The frame of a screen: header on the grid, content that scrolls, tabs, floating button. */
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { Layer } from '../kernel/layer';
import { os } from '../kernel/os';
import { getState } from '../kernel/store';
import { Icon, type IconName } from './icons';

export interface BarAction {
  icon: IconName;
  label: string;
  on: () => void;
  disabled?: boolean;
}

export interface TabItem {
  id: string;
  icon: IconName;
  label: string;
}

interface ScreenProps {
  title: string;
  /** Shows a Back arrow. */
  back?: boolean;
  /** Shows a cross instead of the arrow, as on forms. */
  close?: boolean;
  actions?: BarAction[];
  fab?: { icon: IconName; label: string; on: () => void };
  tabs?: { items: TabItem[]; active: string; on: (id: string) => void };
  /** Stands between header and content and does not scroll, 64 px high. */
  below?: ComponentChildren;
  /** The content keeps its own layout and does not scroll. */
  fixed?: boolean;
  children?: ComponentChildren;
}

export function IconButton({ icon, label, on, disabled }: BarAction) {
  return (
    <button class="icon-button" role="button" aria-label={label} aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : on}>
      <Icon name={icon} />
    </button>
  );
}

function Header({ title, back, close, actions }: Pick<ScreenProps, 'title' | 'back' | 'close' | 'actions'>) {
  const zh = getState().os.locale === 'zh';
  return (
    <header class="bar">
      {back && <IconButton icon="back" label={zh ? '返回' : 'Back'} on={() => os.back({})} />}
      {close && <IconButton icon="close" label={zh ? '取消' : 'Cancel'} on={() => os.back({})} />}
      <h1 class="bar-title" role="heading">{title}</h1>
      {actions?.map((a) => <IconButton key={a.label} {...a} />)}
    </header>
  );
}

function Tabs({ items, active, on }: NonNullable<ScreenProps['tabs']>) {
  return (
    <nav class="tabs">
      {items.map((t) => (
        <button key={t.id} class="tab" role="tab" aria-label={t.label} aria-selected={t.id === active}
          onClick={() => on(t.id)}>
          <span class="tab-icon"><Icon name={t.icon} /></span>
          <span class="tab-label">{t.label}</span>
        </button>
      ))}
    </nav>
  );
}

/** A full screen of an app. */
export function Screen(props: ScreenProps) {
  const { tabs, fab, below, fixed, children } = props;
  return (
    <section class="screen">
      <Header {...props} />
      {below && <div class="below">{below}</div>}
      {fixed ? <div class="fixed">{children}</div> : <Scroll id="main">{children}</Scroll>}
      {fab && (
        <button class={tabs ? 'fab fab-over-tabs' : 'fab'} role="button" aria-label={fab.label} onClick={fab.on}>
          <Icon name={fab.icon} />
        </button>
      )}
      {tabs && <Tabs {...tabs} />}
    </section>
  );
}

/** The key under which the state holds a list's scroll offset. */
function scrollId(id: string): string {
  return `${useContext(Layer)}/${id}`;
}

/** A scrolling area; its offset is in the state and snaps to the row height. */
export function Scroll({ id, axis = 'y', snap = 64, children }: {
  id: string; axis?: 'x' | 'y'; snap?: number; children?: ComponentChildren;
}) {
  return (
    <div class={axis === 'x' ? 'scroll scroll-x' : 'scroll'} data-scroll={scrollId(id)} data-axis={axis} data-snap={snap}>
      {children}
    </div>
  );
}

/** A long list of rows of equal height: only what can be seen is in the page. */
export function Rows<T>({ id = 'main', items, height = 64, row, head }: {
  id?: string; items: readonly T[]; height?: number; row: (item: T, index: number) => ComponentChildren;
  /** Stands above the rows and scrolls with them; its height in px must be given. */
  head?: { height: number; view: ComponentChildren };
}) {
  const above = head?.height ?? 0;
  const offset = (getState().os.scroll[scrollId(id)] ?? 0) - above;
  const first = Math.max(0, Math.floor(offset / height) - 2);
  const shown = items.slice(first, first + Math.ceil(800 / height) + 5);
  return (
    <>
      {head?.view}
      <div class="rows" style={{ height: `${items.length * height}px` }}>
        <div style={{ transform: `translateY(${first * height}px)` }}>{shown.map((item, i) => row(item, first + i))}</div>
      </div>
    </>
  );
}
