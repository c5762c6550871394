/** The pages of the main list, and every setting that search finds. */
import type { PhoneState } from '../kernel/types';
import type { IconName } from '../ui/kit';
import { appsByName, freeBytes, joined, LANGUAGES, onOff, sizeText } from './select';
import { t } from './strings';

export interface Page {
  screen: string;
  icon: IconName;
  color: string;
  label: string;
  sub: string;
}

const modeText = (phone: PhoneState): string => {
  const { doNotDisturb, soundMode } = phone.os.settings;
  return doNotDisturb ? t().doNotDisturb : t().modes[soundMode];
};

export function pages(phone: PhoneState): Page[] {
  const s = phone.os.settings;
  const network = s.airplane ? t().airplane : joined(phone) || (s.mobileData ? t().mobileData : t().notConnected);
  const dark = `${t().darkMode} · ${onOff(s.darkMode)}`;
  return [
    { screen: 'network', icon: 'wifi', color: '#2f6fd6', label: t().network, sub: network },
    { screen: 'bluetooth', icon: 'bluetooth', color: '#4a5bd4', label: t().bluetooth, sub: onOff(s.bluetooth) },
    { screen: 'sound', icon: 'volume', color: '#c2417c', label: t().sound, sub: modeText(phone) },
    { screen: 'display', icon: 'sun', color: '#c77a12', label: t().display, sub: dark },
    { screen: 'language', icon: 'language', color: '#2a8a68', label: t().language, sub: LANGUAGES.find((l) => l.id === phone.os.locale)?.name ?? '' },
    { screen: 'dateTime', icon: 'clock', color: '#7455c7', label: t().dateTime, sub: `${t().hour24} · ${onOff(s.hour24)}` },
    { screen: 'apps', icon: 'apps', color: '#3d7f9e', label: t().apps, sub: t().appCount(appsByName(phone).length) },
    { screen: 'location', icon: 'location', color: '#b5532f', label: t().location, sub: onOff(s.location) },
    { screen: 'battery', icon: 'battery', color: '#3b8a3e', label: t().battery, sub: `${phone.apps.settings.data.batteryPercent}%` },
    { screen: 'storage', icon: 'storage', color: '#6b6f7b', label: t().storage, sub: `${t().free} · ${sizeText(freeBytes(phone))}` },
    { screen: 'about', icon: 'info', color: '#52606d', label: t().about, sub: phone.apps.settings.data.model },
  ];
}

export interface Entry {
  id: string;
  label: string;
  /** Name of the page it stands on. */
  where: string;
  screen: string;
  params: { [name: string]: string };
}

function within(screen: string, where: string, labels: string[], params: { [name: string]: string } = {}): Entry[] {
  return labels.map((label) => ({ id: `${screen}/${params['app'] ?? ''}/${label}`, label, where, screen, params }));
}

/** All settings with the page they stand on; pages first. */
export function entries(phone: PhoneState): Entry[] {
  const w = t();
  return [
    ...pages(phone).map((p) => ({ id: p.screen, label: p.label, where: w.app, screen: p.screen, params: {} })),
    ...within('network', w.network, [w.mobileData, w.airplane, w.dataUsed]),
    ...within('wifi', w.wifi, [w.wifi, w.networks]),
    ...within('hotspot', w.hotspot, [w.hotspot, w.hotspotName, w.hotspotPassword]),
    ...within('bluetooth', w.bluetooth, [w.pairedDevices, w.availableDevices]),
    ...within('sound', w.sound, [w.soundMode, w.doNotDisturb, ...Object.values(w.volumes)]),
    ...within('ringtone', w.sound, [w.ringtone]),
    ...within('display', w.display, [w.darkMode, w.brightness, w.adaptive, w.autoRotate, w.timeout]),
    ...within('fontSize', w.display, [w.fontSize]),
    ...within('dateTime', w.dateTime, [w.hour24, w.autoTime, w.zone]),
    ...within('battery', w.battery, [w.batterySaver, w.batteryUse]),
    ...within('storage', w.storage, [w.free]),
    ...within('about', w.about, [w.deviceName, w.phoneNumber, w.model, w.osVersion, w.build, w.serial]),
    ...appsByName(phone).flatMap((a) => within('app', w.apps, [a.name[phone.os.locale]], { app: a.id })),
  ];
}

export function found(phone: PhoneState): Entry[] {
  const wanted = phone.apps.settings.ui.search.trim().toLowerCase();
  if (wanted === '') return [];
  return entries(phone).filter((e) => e.label.toLowerCase().includes(wanted));
}
