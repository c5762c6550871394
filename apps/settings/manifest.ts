/** Settings: installs the app. */
import { defineApp } from '../kernel/app';
import { AppPage, Apps, AppStorage, Permissions } from './screens/apps';
import { Bluetooth, Device } from './screens/bluetooth';
import { About, Battery, Location, Storage } from './screens/device';
import { ForceStop, Join, Pair, PermissionDialog, Rename, ScreenTimeout } from './screens/dialogs';
import { Display, FontSize } from './screens/display';
import { Home } from './screens/home';
import { DateTime, Language, Zones } from './screens/language';
import { Hotspot, Network, Wifi, WifiDetails } from './screens/network';
import { Search } from './screens/search';
import { Ringtone, Sound } from './screens/sound';
import './settings.css';

defineApp({
  id: 'settings',
  name: { en: 'Settings', zh: '设置' },
  icon: 'settings',
  color: '#5f6b7a',
  root: 'home',
  screens: {
    home: { view: Home },
    search: { view: Search },
    network: { view: Network },
    wifi: { view: Wifi },
    wifiNetwork: { view: WifiDetails },
    join: { view: Join, present: 'dialog' },
    hotspot: { view: Hotspot },
    rename: { view: Rename, present: 'dialog' },
    bluetooth: { view: Bluetooth },
    device: { view: Device },
    pair: { view: Pair, present: 'dialog' },
    sound: { view: Sound },
    ringtone: { view: Ringtone },
    display: { view: Display },
    fontSize: { view: FontSize },
    screenTimeout: { view: ScreenTimeout, present: 'dialog' },
    language: { view: Language },
    dateTime: { view: DateTime },
    zones: { view: Zones },
    apps: { view: Apps },
    app: { view: AppPage },
    permissions: { view: Permissions },
    permission: { view: PermissionDialog, present: 'dialog' },
    appStorage: { view: AppStorage },
    forceStop: { view: ForceStop, present: 'dialog' },
    location: { view: Location },
    battery: { view: Battery },
    storage: { view: Storage },
    about: { view: About },
  },
  actions: {},
  permissions: ['notifications'],
});
