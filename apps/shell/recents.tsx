/** Recents: the open apps as cards, newest first, each with a small picture of where it was left. */
import { appOf } from '../kernel/app';
import { os } from '../kernel/os';
import type { AppId, PhoneState } from '../kernel/types';
import { Icon } from '../ui/icons';
import { words } from '../ui/text';
import { AppIcon } from './app-icon';
import { layersOf, View } from './stage';

/** Card and gap, CSS px. */
const PITCH = 232;

const t = words({
  en: { none: 'No recent apps', close: (name: string) => `Close ${name}`, closeAll: 'Close all' },
  zh: { none: '没有最近使用的应用', close: (name: string) => `关闭${name}`, closeAll: '全部关闭' },
});

function Preview({ phone, app }: { phone: PhoneState; app: AppId }) {
  const base = layersOf(phone, app)[0];
  return <div class="recent-view" aria-hidden="true"><div class="recent-scale">{base && <View app={app} layer={base} phone={phone} />}</div></div>;
}

function RecentCard({ phone, id }: { phone: PhoneState; id: AppId }) {
  const app = appOf(id);
  const name = app.name[phone.os.locale];
  return (
    <div class="recent" onSwipe={(e) => e.detail.direction === 'up' && os.closeApp({ app: id })}>
      <div class="recent-head">
        <AppIcon app={app} size={32} />
        <span class="recent-name">{name}</span>
        <button class="recent-close" role="button" aria-label={t().close(name)} onClick={() => os.closeApp({ app: id })}><Icon name="close" size={20} /></button>
      </div>
      <div class="recent-card" role="listitem" aria-label={name} data-key={id} onClick={() => os.launch({ app: id })}>
        <Preview phone={phone} app={id} />
      </div>
    </div>
  );
}

export function Recents({ phone }: { phone: PhoneState }) {
  const recents = phone.os.nav.recents;
  return (
    <div class="recents">
      {recents.length === 0 && <p class="recents-none">{t().none}</p>}
      <div class="recents-row" data-scroll="os/recents/cards" data-axis="x" data-snap={PITCH} onClick={(e) => e.target === e.currentTarget && os.overlay({ overlay: 'none' })}>
        {recents.map((id) => <RecentCard key={id} phone={phone} id={id} />)}
        <span class="recents-end" />
      </div>
      {recents.length > 0 && <button class="recents-all" role="button" aria-label={t().closeAll} onClick={() => os.closeAllApps({})}>{t().closeAll}</button>}
    </div>
  );
}
