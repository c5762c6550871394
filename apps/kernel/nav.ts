/** Moving about: helpers that actions use on their draft, and the chain that decides what Back does. */
import { appOf } from './app';
import type { AppId, Ctx, Intent, PhoneState, Route } from './types';

export const stackOf = (phone: PhoneState, app: AppId): Route[] =>
  phone.os.nav.stacks[app] ?? [{ screen: appOf(app).root, params: {} }];

export const topRoute = (phone: PhoneState): Route | null => {
  const active = phone.os.nav.active;
  return active === 'launcher' ? null : (stackOf(phone, active).at(-1) ?? null);
};

export function hideKeyboard(phone: PhoneState): void {
  phone.os.focus = null;
  phone.os.keyboard.layer = 'letters';
  phone.os.keyboard.pinyin = '';
}

/** Brings an app to the front as it was left. */
export function launch(phone: PhoneState, app: AppId): void {
  hideKeyboard(phone);
  phone.os.dialog = null;
  phone.os.nav.stacks[app] ??= [{ screen: appOf(app).root, params: {} }];
  phone.os.nav.active = app;
  phone.os.nav.recents = [app, ...phone.os.nav.recents.filter((a) => a !== app)];
  phone.os.overlay = 'none';
  phone.os.launcher.search = null;
}

/** Pushes a screen, dialog, sheet or menu of the active app (or of the app named). */
export function open(phone: PhoneState, screen: string, params: Route['params'] = {}, app?: AppId): void {
  const target = app ?? phone.os.nav.active;
  if (target === 'launcher') throw new Error(`open('${screen}') needs an active app`);
  if (!appOf(target).screens[screen]) throw new Error(`app '${target}' has no screen '${screen}'`);
  launch(phone, target);
  phone.os.nav.stacks[target] = [...stackOf(phone, target), { screen, params }];
}

/** Swaps the top route, as when a menu leads on to a dialog. */
export function replace(phone: PhoneState, screen: string, params: Route['params'] = {}): void {
  pop(phone);
  open(phone, screen, params);
}

function forgetScroll(phone: PhoneState, app: AppId, screen: string): void {
  for (const key of Object.keys(phone.os.scroll))
    if (key.startsWith(`${app}/${screen}/`)) delete phone.os.scroll[key];
}

/** Leaves the top route of the active app. False where it is the last. */
export function pop(phone: PhoneState): boolean {
  const app = phone.os.nav.active;
  if (app === 'launcher') return false;
  const stack = stackOf(phone, app);
  const gone = stack.at(-1);
  if (stack.length < 2 || !gone) return false;
  hideKeyboard(phone);
  forgetScroll(phone, app, gone.screen);
  phone.os.nav.stacks[app] = stack.slice(0, -1);
  if (phone.os.intent && phone.os.intent.kind === 'pick' && gone.params['intent'] === true) phone.os.intent = null;
  return true;
}

/** Leaves routes until `screen` is on top, or the root is. */
export function popTo(phone: PhoneState, screen: string): void {
  while (topRoute(phone)?.screen !== screen && pop(phone));
}

export function goHome(phone: PhoneState): void {
  hideKeyboard(phone);
  phone.os.dialog = null;
  phone.os.overlay = 'none';
  if (phone.os.nav.active === 'launcher') phone.os.launcher.page = 0;
  phone.os.nav.active = 'launcher';
  phone.os.launcher.search = null;
}

/** Back: dialog, shade or recents, keyboard, then the app's stack (sheets included), then home. */
export function goBack(phone: PhoneState): void {
  const os = phone.os;
  if (os.dialog) os.dialog = null;
  else if (os.overlay !== 'none') os.overlay = 'none';
  else if (os.focus) hideKeyboard(phone);
  else if (os.launcher.search !== null) os.launcher.search = null;
  else if (!pop(phone)) goHome(phone);
}

/** A short message at the bottom; goes away by the phone's clock. */
export function toast(phone: PhoneState, text: string): void {
  phone.os.toast = { text, until: phone.os.clock.now + 3000 };
}

/** Posts a notification, unless the app's notifications are turned off. */
/** Posts a notification, unless the app may not. */
export function notify(
  phone: PhoneState,
  ctx: Ctx,
  notification: { app: AppId; title: string; text: string; route?: Route },
): void {
  if (phone.os.permissions[notification.app]?.notifications === 'denied') return;
  if (phone.os.permissions[notification.app]?.notifications === 'denied') return;
  const id = ctx.id('ntf');
  phone.os.notifications[id] = { id, at: phone.os.clock.now, ...notification };
}

export function focus(phone: PhoneState, path: string): void {
  phone.os.focus = { path, cursor: readText(phone, path).length };
}

/** Starts an intent: straight to its one handler, else through the chooser. */
export function startIntent(phone: PhoneState, intent: Intent, handlers: AppId[], ctx: Ctx): void {
  hideKeyboard(phone);
  const only = handlers.length === 1 ? handlers[0] : undefined;
  if (only) handleIntent(phone, intent, only, ctx);
  else phone.os.dialog = { kind: 'chooser', intent };
}

export function handleIntent(phone: PhoneState, intent: Intent, app: AppId, ctx: Ctx): void {
  const handler = appOf(app).intents?.[`${intent.kind}:${intent.type}`];
  if (!handler) throw new Error(`app '${app}' does not handle ${intent.kind}:${intent.type}`);
  phone.os.dialog = null;
  phone.os.intent = intent;
  launch(phone, app);
  handler(phone, intent, ctx);
}

function parts(path: string): string[] {
  return path.slice(1).split('/').map((p) => p.replace(/~1/g, '/').replace(/~0/g, '~'));
}

/** Reads the string that a JSON pointer leads to; '' where nothing is there. */
export function readText(phone: PhoneState, path: string): string {
  let at: unknown = phone;
  for (const part of parts(path)) at = (at as { [k: string]: unknown } | null | undefined)?.[part];
  return typeof at === 'string' ? at : '';
}

export function writeText(phone: PhoneState, path: string, text: string): void {
  const keys = parts(path);
  const last = keys.pop() as string;
  let at: unknown = phone;
  for (const key of keys) at = (at as { [k: string]: unknown } | null | undefined)?.[key];
  if (typeof at !== 'object' || at === null || typeof (at as { [k: string]: unknown })[last] !== 'string')
    throw new Error(`no text at ${path}`);
  (at as { [k: string]: unknown })[last] = text;
}
