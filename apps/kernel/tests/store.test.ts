import { beforeEach, expect, test } from 'vitest';
import { commitSilently, closeStep, eventsSince, getSeq, getState, getStep, replaceState, subscribe } from '../store';
import { os } from '../os';
import { acts, bench, NOW, phone } from './fixture';

beforeEach(() => replaceState(phone()));

test('an action leaves one line with its step, arguments and changed paths', () => {
  closeStep();
  os.setting({ name: 'wifi', value: false });
  expect(eventsSince(0)).toEqual([
    { seq: 0, step: 1, app: 'os', action: 'setting', args: { name: 'wifi', value: false }, paths: ['/os/settings/wifi'], at: NOW },
  ]);
});

test('an action that changes nothing leaves no line and draws nothing', () => {
  let drawn = 0;
  subscribe(() => drawn++);
  acts.nothing({});
  os.setting({ name: 'wifi', value: true });
  expect([eventsSince(0), drawn]).toEqual([[], 0]);
  subscribe(() => undefined);
});

test('paths are JSON pointers with / and ~ escaped', () => {
  os.scrolled({ list: 'clock/home~1/main', offset: 64 });
  expect(eventsSince(0)[0]?.paths).toEqual(['/os/scroll/clock~1home~01~1main']);
});

test('the state before is untouched', () => {
  const before = getState();
  os.setting({ name: 'darkMode', value: true });
  expect([before.os.settings.darkMode, getState().os.settings.darkMode]).toEqual([false, true]);
});

test('events are read from a sequence number on', () => {
  os.setting({ name: 'wifi', value: false });
  os.setting({ name: 'wifi', value: true });
  expect(eventsSince(1).map((e) => e.seq)).toEqual([1]);
  expect(getSeq()).toBe(2);
});

test('a silent change is no event', () => {
  commitSilently((p) => void (p.os.scroll['x'] = 3));
  expect([getState().os.scroll['x'], eventsSince(0)]).toEqual([3, []]);
});

test('ids and random numbers come from the counter in the state', () => {
  acts.mint({});
  const first = bench(getState()).text;
  expect([getState().os.random, first.startsWith('n8 ')]).toEqual([9, true]);
  replaceState(phone());
  acts.mint({});
  expect(bench(getState()).text).toBe(first);
});

test('a new state forgets the events and steps of the old one', () => {
  os.setting({ name: 'wifi', value: false });
  closeStep();
  replaceState(phone());
  expect([eventsSince(0), getStep(), getSeq()]).toEqual([[], 0, 0]);
});

test('a state that cannot be drawn changes nothing', () => {
  os.setting({ name: 'wifi', value: false });
  subscribe(() => {
    if (getState().os.locale === 'zh') throw new Error('no glyphs');
  });
  expect(() => replaceState(phone({ locale: 'zh' }))).toThrow('no glyphs');
  expect([getState().os.settings.wifi, eventsSince(0).length, getSeq()]).toEqual([false, 1, 1]);
  subscribe(() => undefined);
});
