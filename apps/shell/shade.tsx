/** The shade: quick settings, brightness, notifications. */
import { dateText, timeText } from '../kernel/dates';
import { os } from '../kernel/os';
import type { PhoneState, Settings } from '../kernel/types';
import { Icon, type IconName } from '../ui/icons';
import { words } from '../ui/text';
import { Notifications } from './notifications';

type Toggle = { [K in keyof Settings]: Settings[K] extends boolean ? K : never }[keyof Settings];

const t = words({
  en: { wifi: 'Wi-Fi', bluetooth: 'Bluetooth', airplane: 'Airplane mode', doNotDisturb: 'Do not disturb', flashlight: 'Flashlight', darkMode: 'Dark mode', autoRotate: 'Auto-rotate', batterySaver: 'Battery saver', mobileData: 'Mobile data', hotspot: 'Hotspot', on: 'On', off: 'Off', none: 'Not connected', brightness: 'Brightness', settings: 'Settings', close: 'Close shade' },
  zh: { wifi: 'WLAN', bluetooth: '蓝牙', airplane: '飞行模式', doNotDisturb: '勿扰', flashlight: '手电筒', darkMode: '深色模式', autoRotate: '自动旋转', batterySaver: '省电模式', mobileData: '移动数据', hotspot: '热点', on: '已开启', off: '已关闭', none: '未连接', brightness: '亮度', settings: '设置', close: '收起' },
});

const TILES: { name: Toggle & keyof ReturnType<typeof t>; icon: IconName }[] = [
  { name: 'wifi', icon: 'wifi' },
  { name: 'bluetooth', icon: 'bluetooth' },
  { name: 'mobileData', icon: 'data' },
  { name: 'airplane', icon: 'airplane' },
  { name: 'doNotDisturb', icon: 'do-not-disturb' },
  { name: 'flashlight', icon: 'flashlight' },
  { name: 'darkMode', icon: 'moon' },
  { name: 'autoRotate', icon: 'rotate' },
  { name: 'batterySaver', icon: 'battery-saver' },
  { name: 'hotspot', icon: 'hotspot' },
];

function stateText(name: Toggle, settings: Settings): string {
  if (!settings[name]) return t().off;
  return name === 'wifi' ? settings.wifiNetwork || t().none : t().on;
}

function Tile({ name, icon, settings }: { name: Toggle & keyof ReturnType<typeof t>; icon: IconName; settings: Settings }) {
  const [on, label] = [settings[name], t()[name]];
  return (
    <div class={on ? 'tile on' : 'tile'} role="switch" aria-label={label} aria-checked={on} data-key={name} onClick={() => os.setting({ name, value: !on })}>
      <Icon name={icon} />
      <span class="tile-texts">
        <span class="tile-label">{label}</span>
        <span class="tile-state">{stateText(name, settings)}</span>
      </span>
    </div>
  );
}

function Brightness({ value }: { value: number }) {
  const set = (share: number): void => os.setting({ name: 'brightness', value: Math.round(share * 100) });
  return (
    <div class="brightness" role="slider" aria-label={t().brightness} aria-valuetext={String(value)} data-slide="" onSlide={(e) => set(e.detail.fx)}
      onClick={(e) => {
        const box = e.currentTarget.getBoundingClientRect();
        set((e.clientX - box.left) / box.width);
      }}>
      <i style={{ width: `calc(40px + (100% - 40px) * ${value / 100})` }} />
      <Icon name="sun" size={20} />
    </div>
  );
}

function Head({ phone }: { phone: PhoneState }) {
  const { clock, settings, locale } = phone.os;
  return (
    <div class="shade-head">
      <span class="shade-time">{timeText(clock.now, clock.zone, settings.hour24, locale)}</span>
      <span class="shade-date">{dateText(clock.now, clock.zone, locale)}</span>
      <button class="icon-button" role="button" aria-label={t().settings} onClick={() => os.launch({ app: 'settings' })}><Icon name="settings" /></button>
      <button class="icon-button" role="button" aria-label={t().close} onClick={() => os.overlay({ overlay: 'none' })}><Icon name="chevron-up" /></button>
    </div>
  );
}

export function Shade({ phone }: { phone: PhoneState }) {
  const settings = phone.os.settings;
  return (
    <div class="shade" onSwipe={(e) => e.detail.direction === 'up' && os.overlay({ overlay: 'none' })}>
      <Head phone={phone} />
      <div class="tiles">{TILES.map((tile) => <Tile key={tile.name} {...tile} settings={settings} />)}</div>
      <div class="shade-line"><Brightness value={settings.brightness} /></div>
      <Notifications phone={phone} />
    </div>
  );
}
