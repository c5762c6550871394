/** Notifications, newest first: a tap opens, a swipe or the cross dismisses. */
import { appOf } from '../kernel/app';
import { timeText } from '../kernel/dates';
import { os } from '../kernel/os';
import type { Notification, PhoneState } from '../kernel/types';
import { Icon } from '../ui/icons';
import { words } from '../ui/text';
import { AppIcon } from './app-icon';

const t = words({
  en: { title: 'Notifications', none: 'No notifications', clear: 'Clear all', dismiss: (title: string) => `Dismiss ${title}` },
  zh: { title: '通知', none: '没有通知', clear: '全部清除', dismiss: (title: string) => `清除${title}` },
});

const sideways = (direction: string): boolean => direction === 'left' || direction === 'right';

function Item({ n, phone }: { n: Notification; phone: PhoneState }) {
  const { clock, settings, locale } = phone.os;
  const app = appOf(n.app);
  return (
    <div class="notification-slot">
      <div class="notification" role="listitem" aria-label={n.title} data-key={n.id} onClick={() => os.openNotification({ id: n.id })}
        onSwipe={(e) => sideways(e.detail.direction) && os.dismiss({ id: n.id })}>
        <AppIcon app={app} size={36} />
        <span class="notification-texts">
          <span class="notification-from"><span>{app.name[locale]}</span><span>{timeText(n.at, clock.zone, settings.hour24, locale)}</span></span>
          <span class="notification-title">{n.title}</span>
          <span class="notification-text">{n.text}</span>
        </span>
        <button class="notification-close" role="button" aria-label={t().dismiss(n.title)} onClick={(e) => {
          e.stopPropagation();
          os.dismiss({ id: n.id });
        }}><Icon name="close" size={18} /></button>
      </div>
    </div>
  );
}

export function Notifications({ phone }: { phone: PhoneState }) {
  const all = Object.values(phone.os.notifications).sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  return (
    <>
      <div class="notifications-head">
        <span>{all.length === 0 ? t().none : t().title}</span>
        {all.length > 0 && <button class="button text" role="button" aria-label={t().clear} onClick={() => os.dismissAll({})}>{t().clear}</button>}
      </div>
      <div class="notifications" data-scroll="os/shade/notifications" data-axis="y" data-snap="80">
        {all.map((n) => <Item key={n.id} n={n} phone={phone} />)}
      </div>
    </>
  );
}
