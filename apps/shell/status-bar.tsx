/** The line at the top: time, waiting notifications, radios, battery. */
import { appOf } from '../kernel/app';
import { timeText } from '../kernel/dates';
import type { PhoneState } from '../kernel/types';
import { Icon, isIcon, type IconName } from '../ui/icons';
import { ROLE } from '../ui/roles';
import { words } from '../ui/text';

const MOST_SIGNS = 3;

const t = words({
  en: { airplane: 'Airplane mode', wifi: 'Wi-Fi connected', data: 'Mobile data', bluetooth: 'Bluetooth on', doNotDisturb: 'Do not disturb', silent: 'Silent', vibrate: 'Vibrate', saver: 'Battery saver', location: 'Location on', hotspot: 'Hotspot on', flashlight: 'Flashlight on', battery: 'Battery' },
  zh: { airplane: '飞行模式', wifi: 'WLAN 已连接', data: '移动数据', bluetooth: '蓝牙已开', doNotDisturb: '勿扰', silent: '静音', vibrate: '振动', saver: '省电模式', location: '定位已开', hotspot: '热点已开', flashlight: '手电筒已开', battery: '电量' },
});

function signs(phone: PhoneState): { icon: IconName; label: string }[] {
  const s = phone.os.settings;
  const all: { icon: IconName; label: string; on: boolean }[] = [
    { icon: 'flashlight', label: t().flashlight, on: s.flashlight },
    { icon: 'hotspot', label: t().hotspot, on: s.hotspot },
    { icon: 'do-not-disturb', label: t().doNotDisturb, on: s.doNotDisturb },
    { icon: 'silent', label: t().silent, on: s.soundMode === 'silent' },
    { icon: 'vibrate', label: t().vibrate, on: s.soundMode === 'vibrate' },
    { icon: 'bluetooth', label: t().bluetooth, on: s.bluetooth },
    { icon: 'wifi', label: t().wifi, on: s.wifi },
    { icon: 'data', label: t().data, on: s.mobileData && !s.airplane && !s.wifi },
    { icon: 'airplane', label: t().airplane, on: s.airplane },
  ];
  return all.filter((sign) => sign.on);
}

function Battery({ percent, saver }: { percent: number; saver: boolean }) {
  return (
    <span class="battery" role={ROLE.text} aria-label={`${t().battery} ${percent}%${saver ? `, ${t().saver}` : ''}`}>
      <span class="battery-text">{percent}</span>
      <svg width="12" height="16" viewBox="0 0 12 16" aria-hidden="true">
        <rect x="4" y="0.5" width="4" height="2.5" rx="1" fill="currentColor" />
        <rect x="1.5" y="2" width="9" height="13" rx="2" fill="currentColor" opacity="0.35" />
        <rect x="1.5" y={15 - (13 * percent) / 100} width="9" height={(13 * percent) / 100} rx={Math.min(2, percent / 16)}
          fill={saver ? 'var(--warning)' : 'currentColor'} />
      </svg>
    </span>
  );
}

export function StatusBar({ phone }: { phone: PhoneState }) {
  const { clock, settings, locale, nav, overlay } = phone.os;
  const light = overlay === 'recents' || (nav.active === 'launcher' && overlay === 'none' && phone.os.launcher.search === null);
  const waiting = [...new Set(Object.values(phone.os.notifications).sort((a, b) => b.at - a.at).map((n) => n.app))];
  return (
    <div class={light ? 'status light' : 'status'}>
      <span class="status-time" role={ROLE.text}>{timeText(clock.now, clock.zone, settings.hour24, locale)}</span>
      <span class="status-waiting">
        {waiting.slice(0, MOST_SIGNS).map((id) => {
          const app = appOf(id);
          return <span key={id} role={ROLE.text} aria-label={app.name[locale]}><Icon name={isIcon(app.icon) ? app.icon : 'apps'} size={15} /></span>;
        })}
        {waiting.length > MOST_SIGNS && <span class="status-more" />}
      </span>
      <span class="status-signs">
        {signs(phone).map((s) => <span key={s.icon} role={ROLE.text} aria-label={s.label}><Icon name={s.icon} size={16} /></span>)}
        <Battery percent={phone.apps.settings.data.batteryPercent} saver={settings.batterySaver} />
      </span>
    </div>
  );
}
