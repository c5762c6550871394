/** Settings: the app's own screens over `os.settings`; it holds what only it shows. */

export interface WifiNetwork {
  name: string;
  secured: boolean;
  saved: boolean;
  /** 0..3 bars. */
  strength: number;
  /** What joining asks for; '' where it is open. */
  password: string;
}

export type DeviceKind = 'headphones' | 'speaker' | 'watch' | 'keyboard' | 'car' | 'tv';

export interface BluetoothDevice {
  name: string;
  kind: DeviceKind;
  paired: boolean;
  connected: boolean;
}

export type MediaKind = 'system' | 'photos' | 'videos' | 'music' | 'documents';

export interface SettingsState {
  data: {
    networks: { [name: string]: WifiNetwork };
    bluetoothDevices: { [name: string]: BluetoothDevice };
    hotspot: { name: string; password: string };
    /** Bytes of mobile data this month. */
    dataUsed: number;
    deviceName: string;
    model: string;
    osVersion: string;
    build: string;
    serial: string;
    phoneNumber: string;
    /** Bytes. `byApp` is without the cache. */
    storage: {
      total: number;
      byKind: { [kind in MediaKind]: number };
      byApp: { [app: string]: number };
      cache: { [app: string]: number };
    };
    batteryPercent: number;
    /** Percent of the battery's use since the last charge. */
    batteryUse: { [app: string]: number };
    /** IANA zone that automatic time follows. */
    networkZone: string;
  };
  ui: {
    search: string;
    passwordInput: string;
    showPassword: boolean;
    /** Text of the dialog that renames something. */
    input: string;
  };
}
