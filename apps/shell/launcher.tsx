/** The launcher: clock, search, pages of apps, dock. */
import { allApps, appOf } from '../kernel/app';
import { dateText, timeText } from '../kernel/dates';
import { os } from '../kernel/os';
import type { App, AppId, PhoneState } from '../kernel/types';
import { Icon } from '../ui/icons';
import { ROLE } from '../ui/roles';
import { words } from '../ui/text';
import { AppIcon } from './app-icon';
import { Wallpaper } from './wallpaper';

const PER_PAGE = 16;

const t = words({
  en: { search: 'Search apps', clear: 'Close search', none: 'No apps found', page: (n: number) => `Page ${n}` },
  zh: { search: '搜索应用', clear: '关闭搜索', none: '没有找到应用', page: (n: number) => `第 ${n} 页` },
});

function Launch({ app, name }: { app: App; name: string }) {
  return (
    <div class="launch" role={ROLE.icon} aria-label={name} data-key={app.id} onClick={() => os.launch({ app: app.id })}>
      <AppIcon app={app} />
      <span class="launch-name">{name}</span>
    </div>
  );
}

function Clock({ phone }: { phone: PhoneState }) {
  const { clock, settings, locale } = phone.os;
  return (
    <div class="home-clock">
      <div class="home-time">{timeText(clock.now, clock.zone, settings.hour24, locale)}</div>
      <div class="home-date">{dateText(clock.now, clock.zone, locale)}</div>
    </div>
  );
}

function Dots({ count, page }: { count: number; page: number }) {
  return (
    <div class="dots">
      {Array.from({ length: count }, (_, i) => (
        <button key={i} class="dot" role="button" aria-label={t().page(i + 1)} aria-selected={i === page} onClick={() => os.launcherPage({ page: i })}>
          <i />
        </button>
      ))}
    </div>
  );
}

function Grid({ apps, phone }: { apps: App[]; phone: PhoneState }) {
  return <div class="home-grid">{apps.map((app) => <Launch key={app.id} app={app} name={app.name[phone.os.locale]} />)}</div>;
}

/** The apps whose name in either language holds the text, those that begin with it first. */
export function found(text: string): App[] {
  const wanted = text.trim().toLowerCase();
  const place = (app: App): number => {
    const at = Object.values(app.name).map((name) => name.toLowerCase().indexOf(wanted)).filter((i) => i >= 0);
    return at.length === 0 ? -1 : Math.min(...at);
  };
  return allApps()
    .filter((app) => place(app) >= 0)
    .sort((a, b) => place(a) - place(b) || (a.name.en < b.name.en ? -1 : 1));
}

function Search({ phone, text }: { phone: PhoneState; text: string }) {
  const apps = found(text);
  const first = apps[0];
  return (
    <div class="home-search-open">
      <div class="home-field">
        <Icon name="search" size={22} />
        <input class="home-input" role="textbox" aria-label={t().search} placeholder={t().search} data-path="/os/launcher/search" data-submit="yes"
          value={text} autocomplete="off" spellcheck={false} tabIndex={-1} onSubmit={() => first && os.launch({ app: first.id })} />
        <button class="home-clear" role="button" aria-label={t().clear} onClick={() => os.launcherSearch({ open: false })}><Icon name="close" size={22} /></button>
      </div>
      {first ? <Grid apps={apps.slice(0, PER_PAGE)} phone={phone} /> : <p class="home-none">{t().none}</p>}
    </div>
  );
}

function pagesOf(order: AppId[]): App[][] {
  const pages: App[][] = [];
  for (let i = 0; i < Math.max(1, order.length); i += PER_PAGE) pages.push(order.slice(i, i + PER_PAGE).map(appOf));
  return pages;
}

export function Launcher({ phone }: { phone: PhoneState }) {
  const { search, order, dock } = phone.os.launcher;
  if (search !== null) return <Search phone={phone} text={search} />;
  const pages = pagesOf(order);
  const page = Math.min(phone.os.launcher.page, pages.length - 1);
  const turn = (direction: string): void => {
    if (direction === 'up') os.launcherSearch({ open: true });
    else if (direction === 'down') os.overlay({ overlay: 'shade' });
    else os.launcherPage({ page: Math.max(0, Math.min(pages.length - 1, page + (direction === 'left' ? 1 : -1))) });
  };
  return (
    <div class="home" onSwipe={(e) => turn(e.detail.direction)}>
      <Wallpaper />
      <Clock phone={phone} />
      <button class="home-search" role="button" aria-label={t().search} onClick={() => os.launcherSearch({ open: true })}>
        <Icon name="search" size={22} />
        {t().search}
      </button>
      <Grid apps={pages[page] ?? []} phone={phone} />
      {pages.length > 1 && <Dots count={pages.length} page={page} />}
      <div class="dock">{dock.map((id) => <Launch key={id} app={appOf(id)} name={appOf(id).name[phone.os.locale]} />)}</div>
    </div>
  );
}
