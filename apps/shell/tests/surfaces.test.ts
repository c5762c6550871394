import { expect, test } from 'vitest';
import { keyboardHeight, keyboardShown, languageOf } from '../keyboard';
import { found } from '../launcher';
import { layersOf } from '../stage';
import { phone } from '../../kernel/tests/fixture';

const stack = (...screens: string[]) =>
  phone({ nav: { active: 'clock', recents: ['clock'], stacks: { clock: screens.map((screen) => ({ screen, params: {} })) } } });

test('search finds by either name, what begins with it first', () => {
  expect(found('C').map((a) => a.id)).toEqual(['clock']);
  expect(found('便').map((a) => a.id)).toEqual(['notes']);
  expect(found('o').map((a) => a.id)).toEqual(['notes', 'clock']);
  expect(found('zzz')).toEqual([]);
});

test('a dialog stands above the full screen it was opened from', () => {
  const seen = (...screens: string[]) => layersOf(stack(...screens), 'clock').map((l) => l.route.screen);
  expect(seen('home', 'item', 'ask')).toEqual(['item', 'ask']);
  expect(seen('home', 'ask', 'item')).toEqual(['item']);
});

test('a stack with an unknown screen is refused by its path', () => {
  expect(() => layersOf(stack('home', 'attic'), 'clock')).toThrow("/os/nav/stacks/clock/1/screen: app 'clock' has no screen 'attic'");
});

test('the keyboard is 256 px high, and shows the candidates above', () => {
  expect(keyboardHeight(phone())).toBe(256);
  expect(keyboardHeight(phone({ keyboard: { layer: 'letters', pinyin: 'ni' } }))).toBe(304);
});

test('the keyboard gives way to the shade and to system dialogs', () => {
  const focus = { path: '/apps/clock/text', cursor: 0 };
  expect([keyboardShown(phone()), keyboardShown(phone({ focus })), keyboardShown(phone({ focus, overlay: 'shade' }))]).toEqual([false, true, false]);
});

test('the language of the keys is the phone\'s until the globe key says otherwise', () => {
  expect(languageOf(phone({ locale: 'zh' }))).toBe('zh');
  expect(languageOf(phone({ locale: 'zh', keyboard: { layer: 'letters', pinyin: '', language: 'en' } }))).toBe('en');
});
