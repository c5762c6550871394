/** Settings: the app's own screens over `os.settings`; it holds what only it shows. */

export interface WifiNetwork {
  name: string;
  secured: boolean;
  saved: boolean;
  /** 0..3 bars. */
  strength: number;
  password: string;
}

export interface SettingsState {
  data: {
    networks: { [name: string]: WifiNetwork };
    bluetoothDevices: { [name: string]: { name: string; paired: boolean; connected: boolean } };
    deviceName: string;
    model: string;
    osVersion: string;
    /** Bytes. */
    storage: { total: number; byApp: { [app: string]: number }; cache: { [app: string]: number } };
    appNotifications: { [app: string]: boolean };
    batteryPercent: number;
  };
  ui: {
    search: string;
    passwordInput: string;
    deviceNameInput: string;
  };
}
