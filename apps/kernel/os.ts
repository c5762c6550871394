/** The system's own actions. */
import { callWithin, defineActions } from './app';
import { goBack, goHome, handleIntent, hideKeyboard, launch, open, readText, writeText } from './nav';
import type { AppId, Grant, Locale, OsState, Permission, PhoneState, Settings } from './types';

function splice(phone: PhoneState, insert: string, removeBefore = 0): void {
  const focus = phone.os.focus;
  if (!focus) return;
  const text = readText(phone, focus.path);
  const at = Math.min(focus.cursor, text.length);
  const from = Math.max(0, at - removeBefore);
  writeText(phone, focus.path, text.slice(0, from) + insert + text.slice(at));
  focus.cursor = from + insert.length;
}

export const os = defineActions('os', {
  launch(phone, { app }: { app: AppId }) {
    launch(phone, app);
  },
  back: (phone) => goBack(phone),
  home: (phone) => goHome(phone),
  overlay(phone, { overlay }: { overlay: OsState['overlay'] }) {
    phone.os.dialog = null;
    phone.os.overlay = overlay;
    hideKeyboard(phone);
  },
  closeApp(phone, { app }: { app: AppId }) {
    phone.os.nav.recents = phone.os.nav.recents.filter((a) => a !== app);
    delete phone.os.nav.stacks[app];
    for (const key of Object.keys(phone.os.scroll)) if (key.startsWith(`${app}/`)) delete phone.os.scroll[key];
    if (phone.os.nav.active === app) phone.os.nav.active = 'launcher';
  },
  closeAllApps(phone) {
    phone.os.nav.recents = [];
    phone.os.nav.stacks = {};
    goHome(phone);
  },
  launcherPage(phone, { page }: { page: number }) {
    phone.os.launcher.page = page;
  },
  launcherSearch(phone, { open: shown }: { open: boolean }) {
    phone.os.launcher.search = shown ? '' : null;
    phone.os.focus = shown ? { path: '/os/launcher/search', cursor: 0 } : null;
  },
  scrolled(phone, { list, offset }: { list: string; offset: number }) {
    phone.os.scroll[list] = offset;
  },
  /** The browser's own editing of the focused field arrived as a whole new text. */
  text(phone, { path, text, cursor }: { path: string; text: string; cursor: number }) {
    writeText(phone, path, text.normalize('NFC'));
    phone.os.focus = { path, cursor: text.slice(0, cursor).normalize('NFC').length };
  },
  focus(phone, { path, cursor }: { path: string; cursor: number }) {
    hideKeyboard(phone);
    phone.os.focus = { path, cursor };
  },
  blur: (phone) => hideKeyboard(phone),
  insert(phone, { text }: { text: string }) {
    splice(phone, text);
    if (phone.os.keyboard.layer === 'shift') phone.os.keyboard.layer = 'letters';
  },
  erase(phone) {
    if (phone.os.keyboard.pinyin) phone.os.keyboard.pinyin = phone.os.keyboard.pinyin.slice(0, -1);
    else {
      const focus = phone.os.focus;
      const text = focus ? [...readText(phone, focus.path).slice(0, focus.cursor)] : [];
      splice(phone, '', text.at(-1)?.length ?? 0);
    }
  },
  clearField(phone, { path }: { path: string }) {
    writeText(phone, path, '');
    phone.os.focus = { path, cursor: 0 };
  },
  keyboardLayer(phone, { layer }: { layer: OsState['keyboard']['layer'] }) {
    phone.os.keyboard.layer = layer;
  },
  keyboardLanguage(phone, { language }: { language: Locale }) {
    phone.os.keyboard.language = language;
    phone.os.keyboard.layer = 'letters';
    phone.os.keyboard.pinyin = '';
  },
  pinyin(phone, { text }: { text: string }) {
    phone.os.keyboard.pinyin = text;
    delete phone.os.scroll['os/keyboard/candidates'];
  },
  /** Takes a candidate; the rest of the syllables stays to be composed. */
  candidate(phone, { text, rest }: { text: string; rest: string }) {
    splice(phone, text);
    phone.os.keyboard.pinyin = rest;
    delete phone.os.scroll['os/keyboard/candidates'];
  },
  setting(phone, { name, value }: { name: string; value: string | number | boolean }) {
    const settings = phone.os.settings as unknown as { [k: string]: unknown };
    if (!(name in settings)) throw new Error(`no setting '${name}'`);
    settings[name] = value;
    if (name === 'airplane' && value === true) {
      phone.os.settings.wifi = false;
      phone.os.settings.bluetooth = false;
      phone.os.settings.hotspot = false;
    }
  },
  volume(phone, { stream, percent }: { stream: keyof Settings['volume']; percent: number }) {
    phone.os.settings.volume[stream] = Math.max(0, Math.min(100, Math.round(percent)));
  },
  dismiss(phone, { id }: { id: string }) {
    delete phone.os.notifications[id];
  },
  dismissAll(phone) {
    phone.os.notifications = {};
  },
  openNotification(phone, { id }: { id: string }) {
    const n = phone.os.notifications[id];
    if (!n) return;
    delete phone.os.notifications[id];
    if (n.route) open(phone, n.route.screen, n.route.params, n.app);
    else launch(phone, n.app);
  },
  decidePermission(phone, { grant }: { grant: Grant }, ctx) {
    const dialog = phone.os.dialog;
    if (dialog?.kind !== 'permission') return;
    phone.os.dialog = null;
    (phone.os.permissions[dialog.app] ??= {})[dialog.permission] = grant;
    if (grant === 'granted') callWithin(phone, dialog.then, ctx);
  },
  setPermission(phone, { app, permission, grant }: { app: AppId; permission: Permission; grant: Grant }) {
    (phone.os.permissions[app] ??= {})[permission] = grant;
  },
  choose(phone, { app }: { app: AppId }, ctx) {
    if (phone.os.dialog?.kind === 'chooser') handleIntent(phone, phone.os.dialog.intent, app, ctx);
  },
  closeDialog(phone) {
    phone.os.dialog = null;
  },
  toastGone(phone) {
    phone.os.toast = null;
  },
});
