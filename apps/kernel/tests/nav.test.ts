import { beforeEach, expect, test } from 'vitest';
import { os } from '../os';
import { topRoute } from '../nav';
import { getState, replaceState } from '../store';
import { acts, bench, NOW, phone } from './fixture';

const now = () => getState().os;
const place = () => `${now().nav.active}/${topRoute(getState())?.screen ?? '-'}`;

beforeEach(() => {
  replaceState(phone());
  os.launch({ app: 'clock' });
});

test('launching puts an app in front and first among the recents', () => {
  os.launch({ app: 'notes' });
  os.launch({ app: 'clock' });
  expect([place(), now().nav.recents]).toEqual(['clock/home', ['clock', 'notes']]);
});

test('an app comes back as it was left', () => {
  acts.go({ screen: 'item' });
  os.home({});
  os.launch({ app: 'clock' });
  expect(place()).toBe('clock/item');
});

test('Back: dialog, then overlay, then keyboard, then the stack, then home', () => {
  acts.go({ screen: 'item' });
  acts.go({ screen: 'ask' });
  const state = structuredClone(getState());
  state.os.dialog = { kind: 'permission', app: 'clock', permission: 'contacts', then: { app: 'clock', action: 'granted', args: {} } };
  state.os.overlay = 'shade';
  state.os.focus = { path: '/apps/clock/text', cursor: 0 };
  replaceState(state);
  const seen = () => [now().dialog !== null, now().overlay, now().focus !== null, place()];
  const steps = Array.from({ length: 6 }, () => {
    os.back({});
    return seen();
  });
  expect(steps).toEqual([
    [false, 'shade', true, 'clock/ask'],
    [false, 'none', true, 'clock/ask'],
    [false, 'none', false, 'clock/ask'],
    [false, 'none', false, 'clock/item'],
    [false, 'none', false, 'clock/home'],
    [false, 'none', false, 'launcher/-'],
  ]);
});

test('leaving a screen forgets its scroll offsets, and only its', () => {
  acts.go({ screen: 'item' });
  os.scrolled({ list: 'clock/item/main', offset: 64 });
  os.scrolled({ list: 'clock/home/main', offset: 128 });
  os.back({});
  expect(now().scroll).toEqual({ 'clock/home/main': 128 });
});

test('closing an app forgets its stack and offsets', () => {
  acts.go({ screen: 'item' });
  os.scrolled({ list: 'clock/home/main', offset: 128 });
  os.closeApp({ app: 'clock' });
  expect([place(), now().nav, now().scroll]).toEqual(['launcher/-', { active: 'launcher', stacks: {}, recents: [] }, {}]);
});

test('an unknown screen raises and changes nothing', () => {
  expect(() => acts.go({ screen: 'attic' })).toThrow("app 'clock' has no screen 'attic'");
  expect(place()).toBe('clock/home');
});

test('an intent with one handler goes straight to it', () => {
  acts.share({ text: 'lemons' });
  expect([place(), bench(getState()).got]).toEqual(['notes/item', 'lemons']);
});

test('allowing a permission runs what waited for it; refusing does not', () => {
  const ask = (): void => {
    const state = structuredClone(getState());
    bench(state).got = '';
    state.os.dialog = { kind: 'permission', app: 'clock', permission: 'contacts', then: { app: 'clock', action: 'granted', args: {} } };
    replaceState(state);
  };
  ask();
  os.decidePermission({ grant: 'denied' });
  expect([bench(getState()).got, now().permissions]).toEqual(['', { clock: { contacts: 'denied' } }]);
  ask();
  os.decidePermission({ grant: 'granted' });
  expect([bench(getState()).got, now().permissions, now().dialog]).toEqual(['granted', { clock: { contacts: 'granted' } }, null]);
});

test('a notification leads to its screen and is gone', () => {
  const state = structuredClone(getState());
  state.os.overlay = 'shade';
  state.os.notifications = { n1: { id: 'n1', app: 'notes', title: 'Due', text: '', at: NOW, route: { screen: 'item', params: { id: 'x' } } } };
  replaceState(state);
  os.openNotification({ id: 'n1' });
  expect([place(), topRoute(getState())?.params, now().overlay, now().notifications]).toEqual(['notes/item', { id: 'x' }, 'none', {}]);
});

test('airplane mode switches the radios off', () => {
  os.setting({ name: 'airplane', value: true });
  expect([now().settings.wifi, now().settings.bluetooth]).toEqual([false, false]);
});

test('home dismisses a system dialog; home again shows the first page', () => {
  const state = structuredClone(getState());
  state.os.dialog = { kind: 'chooser', intent: { kind: 'share', from: 'clock', type: 'text' } };
  state.os.launcher.page = 1;
  replaceState(state);
  os.home({});
  expect([now().dialog, now().launcher.page]).toEqual([null, 1]);
  os.home({});
  expect(now().launcher.page).toBe(0);
});

test('an app that may not notify posts nothing', () => {
  acts.tell({});
  os.setPermission({ app: 'clock', permission: 'notifications', grant: 'denied' });
  acts.tell({});
  expect(Object.values(now().notifications).map((n) => n.title)).toEqual(['Bell']);
});
