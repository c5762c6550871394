/** What the settings app does beyond `os.setting`. */
import { defineActions } from '../kernel/app';
import { focus, launch, open, pop, popTo, replace, toast } from '../kernel/nav';
import type { AppId, Locale, PhoneState } from '../kernel/types';
import { joined } from './select';
import type { BluetoothDevice, SettingsState, WifiNetwork } from './state';
import { t } from './strings';

const SHORTEST_PASSWORD = 8;
const data = (phone: PhoneState): SettingsState['data'] => phone.apps.settings.data;
const ui = (phone: PhoneState): SettingsState['ui'] => phone.apps.settings.ui;

/** What the dialog with one text field can rename. */
export type Renamed = 'deviceName' | 'hotspotName' | 'hotspotPassword';

function network(phone: PhoneState, name: string): WifiNetwork {
  const found = data(phone).networks[name];
  if (!found) throw new Error(`settings: no network '${name}'`);
  return found;
}

function device(phone: PhoneState, name: string): BluetoothDevice {
  const found = data(phone).bluetoothDevices[name];
  if (!found) throw new Error(`settings: no Bluetooth device '${name}'`);
  return found;
}

function connect(phone: PhoneState, name: string): void {
  network(phone, name).saved = true;
  phone.os.settings.wifiNetwork = name;
}

export function renamedText(phone: PhoneState, what: Renamed): string {
  const { deviceName, hotspot } = data(phone);
  return what === 'deviceName' ? deviceName : what === 'hotspotName' ? hotspot.name : hotspot.password;
}

export const shortest = (what: Renamed): number => (what === 'hotspotPassword' ? SHORTEST_PASSWORD : 1);
export const canJoin = (phone: PhoneState): boolean => ui(phone).passwordInput.length >= SHORTEST_PASSWORD;

export const act = defineActions('settings', {
  open(phone, { screen, ...params }: { screen: string; [name: string]: string }) {
    open(phone, screen, params);
  },
  instead(phone, { screen, ...params }: { screen: string; [name: string]: string }) {
    replace(phone, screen, params);
  },
  openSearch(phone) {
    ui(phone).search = '';
    open(phone, 'search');
    focus(phone, '/apps/settings/ui/search');
  },

  /** A tap on a network: its page where it is joined, its password where one is needed, else it is joined. */
  tapNetwork(phone, { name }: { name: string }) {
    const { secured, saved } = network(phone, name);
    if (name === joined(phone)) open(phone, 'wifiNetwork', { name });
    else if (saved || !secured) connect(phone, name);
    else {
      Object.assign(ui(phone), { passwordInput: '', showPassword: false });
      open(phone, 'join', { name });
      focus(phone, '/apps/settings/ui/passwordInput');
    }
  },
  showPassword(phone) {
    ui(phone).showPassword = !ui(phone).showPassword;
  },
  join(phone, { name }: { name: string }) {
    if (!canJoin(phone)) return;
    if (ui(phone).passwordInput !== network(phone, name).password) return toast(phone, t().wrongPassword);
    ui(phone).passwordInput = '';
    pop(phone);
    connect(phone, name);
  },
  connect(phone, { name }: { name: string }) {
    connect(phone, name);
    pop(phone);
  },
  disconnect(phone) {
    phone.os.settings.wifiNetwork = '';
    pop(phone);
  },
  forget(phone, { name }: { name: string }) {
    network(phone, name).saved = false;
    if (phone.os.settings.wifiNetwork === name) phone.os.settings.wifiNetwork = '';
    pop(phone);
    toast(phone, t().forgotten);
  },

  pair(phone, { name }: { name: string }) {
    Object.assign(device(phone, name), { paired: true, connected: true });
    pop(phone);
  },
  connectDevice(phone, { name, on }: { name: string; on: boolean }) {
    device(phone, name).connected = on;
  },
  unpair(phone, { name }: { name: string }) {
    Object.assign(device(phone, name), { paired: false, connected: false });
    pop(phone);
    toast(phone, t().unpaired);
  },

  ringtone(phone, { id }: { id: string }) {
    phone.os.settings.ringtone = id;
    pop(phone);
  },
  screenTimeout(phone, { seconds }: { seconds: number }) {
    phone.os.settings.screenTimeout = seconds;
    pop(phone);
  },
  language(phone, { locale }: { locale: Locale }) {
    phone.os.locale = locale;
  },
  autoTime(phone, { on }: { on: boolean }) {
    phone.os.settings.autoTime = on;
    if (on) phone.os.clock.zone = data(phone).networkZone;
  },
  zone(phone, { zone }: { zone: string }) {
    phone.os.clock.zone = zone;
    pop(phone);
  },

  notifications(phone, { app, on }: { app: AppId; on: boolean }) {
    (phone.os.permissions[app] ??= {}).notifications = on ? 'granted' : 'denied';
  },
  openApp(phone, { app }: { app: AppId }) {
    launch(phone, app);
  },
  forceStop(phone, { app }: { app: AppId }) {
    phone.os.nav.recents = phone.os.nav.recents.filter((a) => a !== app);
    delete phone.os.nav.stacks[app];
    pop(phone);
  },
  clearCache(phone, { app }: { app: AppId }) {
    data(phone).storage.cache[app] = 0;
    toast(phone, t().cacheCleared);
  },

  rename(phone, { what }: { what: Renamed }) {
    ui(phone).input = renamedText(phone, what);
    open(phone, 'rename', { what });
    focus(phone, '/apps/settings/ui/input');
  },
  saveName(phone, { what }: { what: Renamed }) {
    const text = ui(phone).input.trim();
    if (text.length < shortest(what)) return;
    if (what === 'deviceName') data(phone).deviceName = text;
    else if (what === 'hotspotName') data(phone).hotspot.name = text;
    else data(phone).hotspot.password = text;
    pop(phone);
  },

  /** From a search result to the setting; Back leads to the results again. */
  goTo(phone, { screen, ...params }: { screen: string; [name: string]: string }) {
    popTo(phone, 'search');
    open(phone, screen, params);
  },
});
