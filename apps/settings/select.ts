/** What the settings app shows, computed from the state. */
import { allApps, appOf } from '../kernel/app';
import { zoneOffset } from '../kernel/dates';
import type { App, AppId, Grant, Locale, Permission, PhoneState } from '../kernel/types';
import type { BluetoothDevice, DeviceKind, WifiNetwork } from './state';
import { t } from './strings';
import type { IconName } from '../ui/kit';

export const RINGTONES: { id: string; name: { [locale in Locale]: string } }[] = [
  { id: 'tide', name: { en: 'Tide', zh: '潮汐' } },
  { id: 'lantern', name: { en: 'Lantern', zh: '灯笼' } },
  { id: 'copper', name: { en: 'Copper', zh: '铜铃' } },
  { id: 'meadow', name: { en: 'Meadow', zh: '草甸' } },
  { id: 'drizzle', name: { en: 'Drizzle', zh: '细雨' } },
  { id: 'heron', name: { en: 'Heron', zh: '白鹭' } },
  { id: 'pebble', name: { en: 'Pebble', zh: '卵石' } },
];

export const ZONES: { id: string; name: { [locale in Locale]: string } }[] = [
  { id: 'Pacific/Honolulu', name: { en: 'Honolulu', zh: '檀香山' } },
  { id: 'America/Los_Angeles', name: { en: 'Los Angeles', zh: '洛杉矶' } },
  { id: 'America/Denver', name: { en: 'Denver', zh: '丹佛' } },
  { id: 'America/Chicago', name: { en: 'Chicago', zh: '芝加哥' } },
  { id: 'America/New_York', name: { en: 'New York', zh: '纽约' } },
  { id: 'America/Sao_Paulo', name: { en: 'São Paulo', zh: '圣保罗' } },
  { id: 'Europe/London', name: { en: 'London', zh: '伦敦' } },
  { id: 'Europe/Paris', name: { en: 'Paris', zh: '巴黎' } },
  { id: 'Africa/Cairo', name: { en: 'Cairo', zh: '开罗' } },
  { id: 'Africa/Nairobi', name: { en: 'Nairobi', zh: '内罗毕' } },
  { id: 'Asia/Dubai', name: { en: 'Dubai', zh: '迪拜' } },
  { id: 'Asia/Kolkata', name: { en: 'Kolkata', zh: '加尔各答' } },
  { id: 'Asia/Bangkok', name: { en: 'Bangkok', zh: '曼谷' } },
  { id: 'Asia/Shanghai', name: { en: 'Shanghai', zh: '上海' } },
  { id: 'Asia/Tokyo', name: { en: 'Tokyo', zh: '东京' } },
  { id: 'Australia/Sydney', name: { en: 'Sydney', zh: '悉尼' } },
  { id: 'Pacific/Auckland', name: { en: 'Auckland', zh: '奥克兰' } },
];

export const FONT_SCALES = [0.85, 1, 1.15, 1.3] as const;
export const TIMEOUTS = [15, 30, 60, 120, 300, 600];
export const LANGUAGES: { id: Locale; name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'zh', name: '简体中文' },
];

export const DEVICE_ICONS: { [kind in DeviceKind]: IconName } = {
  headphones: 'volume', speaker: 'volume', watch: 'timer', keyboard: 'keyboard-hide', car: 'pin-map', tv: 'apps',
};

export const onOff = (on: boolean): string => (on ? t().on : t().off);

export function ringtoneName(phone: PhoneState, id: string): string {
  return RINGTONES.find((r) => r.id === id)?.name[phone.os.locale] ?? id;
}

export function zoneName(phone: PhoneState, id: string): string {
  return ZONES.find((z) => z.id === id)?.name[phone.os.locale] ?? id.split('/').at(-1)?.replace(/_/g, ' ') ?? id;
}

/** `GMT-5`, `GMT+5:30` */
export function offsetText(phone: PhoneState, zone: string): string {
  const minutes = Math.round(zoneOffset(phone.os.clock.now, zone) / 60_000);
  const [h, m] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `GMT${minutes < 0 ? '-' : '+'}${h}${m ? `:${String(m).padStart(2, '0')}` : ''}`;
}

/** Name of the network that is joined now, or ''. */
export const joined = (phone: PhoneState): string => (phone.os.settings.wifi ? phone.os.settings.wifiNetwork : '');

/** The joined one, then those saved, then by strength and name. */
export function networks(phone: PhoneState): WifiNetwork[] {
  const now = joined(phone);
  const rank = (n: WifiNetwork): number => (n.name === now ? 2 : n.saved ? 1 : 0);
  return Object.values(phone.apps.settings.data.networks).sort(
    (a, b) => rank(b) - rank(a) || b.strength - a.strength || (a.name < b.name ? -1 : 1),
  );
}

export function networkState(phone: PhoneState, network: WifiNetwork): string {
  if (network.name === joined(phone)) return t().connected;
  return network.saved ? t().saved : network.secured ? t().secured : t().open;
}

export function devices(phone: PhoneState, paired: boolean): BluetoothDevice[] {
  return Object.values(phone.apps.settings.data.bluetoothDevices)
    .filter((d) => d.paired === paired)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export const appName = (phone: PhoneState, id: string): string => appOf(id).name[phone.os.locale];

export function appsByName(phone: PhoneState): App[] {
  const name = (a: App): string => a.name[phone.os.locale];
  return allApps().sort((a, b) => name(a).localeCompare(name(b), phone.os.locale));
}

/** What an app may ask for, apart from notifications: those have a switch of their own. */
export function permissionsOf(phone: PhoneState, id: AppId): { name: Permission; grant: Grant }[] {
  const held = phone.os.permissions[id] ?? {};
  const names = new Set<Permission>([...(appOf(id).permissions ?? []), ...(Object.keys(held) as Permission[])]);
  names.delete('notifications');
  return [...names].sort().map((name) => ({ name, grant: held[name] ?? 'ask' }));
}

export const running = (phone: PhoneState, id: AppId): boolean =>
  phone.os.nav.recents.includes(id) || phone.os.nav.stacks[id] !== undefined;

export function appBytes(phone: PhoneState, id: string): number {
  const { byApp, cache } = phone.apps.settings.data.storage;
  return (byApp[id] ?? 0) + (cache[id] ?? 0);
}

export function usedBytes(phone: PhoneState): number {
  const kinds = Object.values(phone.apps.settings.data.storage.byKind).reduce((a, b) => a + b, 0);
  return allApps().reduce((sum, a) => sum + appBytes(phone, a.id), kinds);
}

export const freeBytes = (phone: PhoneState): number => phone.apps.settings.data.storage.total - usedBytes(phone);

/** Decimal units: `53.4 GB`, `128 GB`, `84 MB`, `0 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1e9) return `${Math.round(bytes / 1e6)} MB`;
  return `${Math.round(bytes / 1e8) / 10} GB`;
}
