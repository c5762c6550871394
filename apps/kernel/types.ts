/** The phone's state and the contract between kernel, shell and apps. Everything here is plain JSON data or a pure function. */
import type { ComponentChildren } from 'preact';
import type { PhoneState, AppId } from '../state';

export type { PhoneState, AppId };
export type Locale = 'en' | 'zh';
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Args = { [key: string]: Json };

/** One entry of an app's navigation stack. Dialogs, sheets and menus are routes too: Back pops them. */
export interface Route {
  screen: string;
  params: { [key: string]: string | number | boolean };
}

export interface Notification {
  id: string;
  app: AppId;
  title: string;
  text: string;
  /** Unix milliseconds. */
  at: number;
  /** Where a tap leads; the app's root where absent. */
  route?: Route;
}

/** An action to be called later, by name: `app.action`. */
export interface Call {
  app: AppId;
  action: string;
  args: Args;
}

export interface Intent {
  kind: 'share' | 'pick' | 'view';
  from: AppId;
  /** What is shared, picked or viewed: `text`, `contact`, ... */
  type: string;
  title?: string;
  text?: string;
  /** Called with `{...args, result}` when a picker chose. */
  reply?: Call;
}

export type SystemDialog =
  | { kind: 'permission'; app: AppId; permission: Permission; then: Call }
  | { kind: 'chooser'; intent: Intent };

export type Permission = 'notifications' | 'contacts' | 'location' | 'microphone' | 'camera' | 'files';
export type Grant = 'granted' | 'denied' | 'ask';

export interface OsState {
  clock: {
    /** The phone's now, Unix milliseconds. Moves only by gestures. */
    now: number;
    /** IANA zone of the phone. */
    zone: string;
  };
  locale: Locale;
  /** Counter behind every random number and every new id. */
  random: number;
  nav: {
    active: AppId | 'launcher';
    stacks: { [app in AppId]?: Route[] };
    /** Most recent first. */
    recents: AppId[];
  };
  overlay: 'none' | 'shade' | 'recents';
  launcher: { page: number; order: AppId[]; dock: AppId[]; search: string | null };
  /** Scroll offsets in CSS px by `app/screen/list`. */
  scroll: { [key: string]: number };
  /** The focused text field: a JSON pointer to the string it edits, and the cursor in UTF-16 units. */
  focus: { path: string; cursor: number } | null;
  keyboard: {
    layer: 'letters' | 'shift' | 'symbols' | 'emoji';
    /** Letters of the syllables being composed. */
    pinyin: string;
    /** Where the globe key has switched away from the phone's locale. */
    language?: Locale;
  };
  dialog: SystemDialog | null;
  intent: Intent | null;
  toast: { text: string; until: number } | null;
  notifications: { [id: string]: Notification };
  permissions: { [app in AppId]?: { [permission in Permission]?: Grant } };
  clipboard: string;
  settings: Settings;
}

export interface Settings {
  wifi: boolean;
  wifiNetwork: string;
  bluetooth: boolean;
  mobileData: boolean;
  airplane: boolean;
  hotspot: boolean;
  location: boolean;
  flashlight: boolean;
  batterySaver: boolean;
  darkMode: boolean;
  /** Percent, 0..100. */
  brightness: number;
  adaptiveBrightness: boolean;
  fontScale: 0.85 | 1 | 1.15 | 1.3;
  /** Seconds until the screen goes dark. */
  screenTimeout: number;
  autoRotate: boolean;
  soundMode: 'sound' | 'vibrate' | 'silent';
  /** Percent, 0..100. */
  volume: { media: number; ring: number; alarm: number; notifications: number };
  ringtone: string;
  doNotDisturb: boolean;
  hour24: boolean;
  autoTime: boolean;
}

/** What an action may use besides the draft. */
export interface Ctx {
  /** Unix milliseconds of the phone's clock. */
  now: number;
  /** A new id, unique in this phone: `id('n')` -> `n1042`. */
  id(prefix: string): string;
  /** Uniform in [0, 1), from the counter in the state. */
  random(): number;
}

/** A pure state change: mutates the draft it is given, reads nothing else. */
export type Action<A extends Args = Args> = (phone: PhoneState, args: A, ctx: Ctx) => void;

/** A call that becomes due when the phone's clock reaches `at`. Derived from the state, never stored by the kernel. */
export interface Timer {
  at: number;
  action: string;
  args: Args;
}

export interface ScreenProps {
  phone: PhoneState;
  params: Route['params'];
}

export type View = (props: ScreenProps) => ComponentChildren;

export interface Screen {
  view: View;
  /** `full` (default) covers; the others stand over the full screen below them. */
  present?: 'full' | 'dialog' | 'sheet' | 'menu';
}

export interface App {
  id: AppId;
  name: { [locale in Locale]: string };
  /** A name of `ui/icons`. */
  icon: string;
  /** Background of the launcher icon, a CSS colour. */
  color: string;
  /** The screen at the bottom of the stack. */
  root: string;
  screens: { [name: string]: Screen };
  actions: { [name: string]: Action<never> };
  timers?: (phone: PhoneState) => Timer[];
  permissions?: Permission[];
  /** Called on the draft when this app is chosen for an intent; usually opens a screen. */
  intents?: { [kindAndType: string]: (phone: PhoneState, intent: Intent, ctx: Ctx) => void };
}

/** One line of the event log. */
export interface PhoneEvent {
  seq: number;
  /** The agent step that caused it, 0-based; timers that fire count to the step that moved the clock. */
  step: number;
  /** `os` or an app id. */
  app: string;
  action: string;
  args: Args;
  /** JSON pointers of what changed. */
  paths: string[];
  /** The phone's clock when it happened, Unix milliseconds. */
  at: number;
}

/** What `window.phone.input` takes. Pointer gestures come through the browser's own input first and are then closed by `end`. */
export type Gesture =
  | { kind: 'end'; gesture: 'tap' | 'double_tap' | 'long_press' | 'swipe' | 'drag' | 'type' }
  | { kind: 'hold' } // between press and release: the finger has rested long enough
  | { kind: 'enter' | 'back' | 'home' | 'recents' | 'none' }
  | { kind: 'open_app'; name: string }
  | { kind: 'wait'; seconds: number };

/** A node of the accessibility tree. Boxes are CSS px: x, y, width, height, clipped to what is visible. */
export interface TreeNode {
  role: string;
  name: string;
  box: [number, number, number, number];
  /** Current text of a field, value of a slider. */
  value?: string;
  checked?: boolean;
  selected?: boolean;
  disabled?: boolean;
  focused?: boolean;
  /** Stable key given by the app (`data-key`), usually the id of the item shown. */
  key?: string;
}

export interface Tree {
  app: string;
  screen: string;
  /** The title shown, where there is one. */
  heading: string;
  overlay: string;
  keyboard: boolean;
  nodes: TreeNode[];
}
