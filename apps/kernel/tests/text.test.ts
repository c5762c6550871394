import { beforeEach, expect, test } from 'vitest';
import { readText, writeText } from '../nav';
import { os } from '../os';
import { getState, replaceState } from '../store';
import { bench, phone } from './fixture';

const PATH = '/apps/clock/text';
const shown = () => [bench(getState()).text, getState().os.focus?.cursor];

function typing(text: string, cursor: number): void {
  const state = phone({ focus: { path: PATH, cursor } });
  bench(state).text = text;
  replaceState(state);
}

beforeEach(() => typing('', 0));

test('text goes in at the cursor', () => {
  typing('milk', 2);
  os.insert({ text: 'XX' });
  expect(shown()).toEqual(['miXXlk', 4]);
});

test('a backspace takes a whole emoji', () => {
  typing('a😀b', 3);
  os.erase({});
  expect(shown()).toEqual(['ab', 1]);
});

test('a backspace at the start takes nothing', () => {
  typing('a', 0);
  os.erase({});
  expect(shown()).toEqual(['a', 0]);
});

test('text from the browser is kept composed', () => {
  os.text({ path: PATH, text: 'cafe\u0301', cursor: 5 });
  expect(shown()[0]).toBe('caf\u00e9');
});

test('the cursor stays within text that became shorter by composing', () => {
  os.text({ path: PATH, text: 'e\u0301', cursor: 2 });
  expect(shown()).toEqual(['\u00e9', 1]);
});

test('shift holds for one letter', () => {
  os.keyboardLayer({ layer: 'shift' });
  os.insert({ text: 'A' });
  expect(getState().os.keyboard.layer).toBe('letters');
});

test('a candidate goes in and leaves the rest to be composed; a backspace then takes a letter of it', () => {
  os.pinyin({ text: 'niha' });
  os.candidate({ text: '你', rest: 'ha' });
  os.erase({});
  expect([...shown(), getState().os.keyboard.pinyin]).toEqual(['你', 1, 'h']);
});

test('leaving the field drops what was being composed', () => {
  os.pinyin({ text: 'ni' });
  os.blur({});
  expect([getState().os.focus, getState().os.keyboard.pinyin]).toEqual([null, '']);
});

test('clearing a field keeps the finger in it', () => {
  typing('old', 3);
  os.clearField({ path: PATH });
  expect(shown()).toEqual(['', 0]);
});

test('a pointer that leads to no text reads empty and refuses writing', () => {
  expect(readText(getState(), '/apps/clock/attic/x')).toBe('');
  expect(() => writeText(structuredClone(getState()), '/apps/clock/bells', 'x')).toThrow('no text at /apps/clock/bells');
});
