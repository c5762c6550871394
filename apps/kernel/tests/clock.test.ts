import { expect, test } from 'vitest';
import { advance } from '../clock';
import { eventsSince, getState, replaceState } from '../store';
import { acts, bench, NOW, phone } from './fixture';

test('timers fire in order of time, each at its own moment', () => {
  replaceState(phone({}, { late: { at: NOW + 900, rung: null }, early: { at: NOW + 200, rung: null } }));
  advance(1000);
  expect(eventsSince(0).map((e) => [e.args['id'], e.at - NOW])).toEqual([['early', 200], ['late', 900]]);
  expect(getState().os.clock.now).toBe(NOW + 1000);
});

test('a timer beyond the gesture waits', () => {
  replaceState(phone({}, { b: { at: NOW + 1001, rung: null } }));
  advance(1000);
  expect(bench(getState()).bells['b']?.rung).toBeNull();
  advance(1);
  expect(bench(getState()).bells['b']?.rung).toBe(NOW + 1001);
});

test('one that is overdue fires at once, and the clock does not run back', () => {
  replaceState(phone({}, { b: { at: NOW - 5000, rung: null } }));
  advance(1000);
  expect(bench(getState()).bells['b']?.rung).toBe(NOW);
});

test('a toast goes after three seconds of the phone', () => {
  replaceState(phone());
  acts.say({ text: 'Saved' });
  advance(2999);
  expect(getState().os.toast?.text).toBe('Saved');
  advance(1);
  expect(getState().os.toast).toBeNull();
});
