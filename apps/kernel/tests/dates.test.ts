import { expect, test } from 'vitest';
import { clockText, dateParts, dateText, instantOf, timeText, zoneOffset } from '../dates';

const iso = (t: number): string => new Date(t).toISOString().slice(0, 16);

test.each([
  ['Europe/Berlin', 2026, 3, 29, 90, '2026-03-29T00:30', 'before the change to summer'],
  ['Europe/Berlin', 2026, 3, 29, 150, '2026-03-29T01:30', '02:30 does not exist: 03:30 summer time'],
  ['Europe/Berlin', 2026, 3, 29, 210, '2026-03-29T01:30', '03:30 summer time'],
  ['Europe/Berlin', 2026, 10, 25, 150, '2026-10-25T00:30', '02:30 comes twice: the earlier'],
  ['Europe/Berlin', 2026, 10, 25, 210, '2026-10-25T02:30', 'after the change to winter'],
  ['America/New_York', 2026, 3, 8, 150, '2026-03-08T07:30', 'skipped'],
  ['America/New_York', 2026, 11, 1, 90, '2026-11-01T05:30', 'twice'],
  ['Asia/Shanghai', 2026, 2, 28, 1439, '2026-02-28T15:59', 'no summer time'],
  ['Asia/Kolkata', 2026, 1, 1, 0, '2025-12-31T18:30', 'half an hour'],
  ['UTC', 2028, 2, 29, 0, '2028-02-29T00:00', 'leap day'],
] as const)('%s %i-%i-%i minute %i is %s UTC (%s%s)', (zone, year, month, day, minute, expected, _why) => {
  expect(iso(instantOf(year, month, day, minute, zone))).toBe(expected);
});

test('every quarter of an hour of a year comes back from its parts', () => {
  for (let t = Date.UTC(2026, 0, 1); t < Date.UTC(2027, 0, 1); t += 6.25 * 3_600_000) {
    const p = dateParts(t, 'America/New_York');
    const back = instantOf(p.year, p.month, p.day, p.hour * 60 + p.minute, 'America/New_York');
    expect(t - back === 0 || t - back === 3_600_000).toBe(true); // the later of two equal times reads as the earlier
  }
});

test('Monday is weekday 0, in the zone and not in UTC', () => {
  const sundayNight = Date.UTC(2026, 2, 1, 23);
  expect([dateParts(sundayNight, 'UTC').weekday, dateParts(sundayNight, 'Asia/Tokyo').weekday]).toEqual([6, 0]);
});

test('offsets follow summer time', () => {
  const hours = [0, 6].map((month) => zoneOffset(Date.UTC(2026, month, 15), 'Europe/Berlin') / 3_600_000);
  expect(hours).toEqual([1, 2]);
});

test.each([
  [0, false, 'en', '12:00 AM'], [0, true, 'en', '00:00'], [720, false, 'en', '12:00 PM'], [779, false, 'zh', '下午12:59'],
  [450, false, 'zh', '上午7:30'], [1439, true, 'zh', '23:59'],
] as const)('minute %i (24 h %s, %s) reads %s', (minute, hour24, locale, expected) => {
  expect(clockText(minute, hour24, locale)).toBe(expected);
});

test('dates read in both languages', () => {
  const t = Date.UTC(2026, 2, 3, 7, 30);
  expect([timeText(t, 'UTC', false, 'en'), dateText(t, 'UTC', 'en'), dateText(t, 'UTC', 'zh', true)]).toEqual(['7:30 AM', 'Tue, Mar 3', '2026年3月3日 周二']);
});
