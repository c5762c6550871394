/** What the clock's screens show, computed from its state: order, texts, times. */
import { clockText, dateParts, instantOf, timeText, WEEKDAYS, zoneOffset } from '../kernel/dates';
import type { Locale, PhoneState } from '../kernel/types';
import { CITIES, cityOf, type City } from './cities';
import type { Alarm, Sound, Weekday } from './state';
import { t } from './strings';

const MINUTE = 60_000;
const DAY_MINUTES = 24 * 60;

export const SOUNDS: readonly Sound[] = ['dawn', 'tide', 'bell', 'marimba', 'birds', 'pulse', 'silent'];
export const WORKDAYS: Weekday[] = [0, 1, 2, 3, 4];
export const WEEKEND: Weekday[] = [5, 6];
export const EVERY_DAY: Weekday[] = [0, 1, 2, 3, 4, 5, 6];

/** By time of day, then by label. */
export function sortedAlarms(phone: PhoneState): Alarm[] {
  return Object.values(phone.apps.clock.data.alarms).sort(
    (a, b) => a.minute - b.minute || (a.label < b.label ? -1 : a.label > b.label ? 1 : a.id < b.id ? -1 : 1),
  );
}

/** The next instant after `now` at which the alarm's time comes round on one of its days. */
export function nextRing(alarm: Alarm, now: number, zone: string): number {
  const p = dateParts(now, zone);
  for (let days = 0; days < 9; days++) {
    if (alarm.repeat.length > 0 && !alarm.repeat.includes(((p.weekday + days) % 7) as Weekday)) continue;
    const at = instantOf(p.year, p.month, p.day + days, alarm.minute, zone);
    if (at > now) return at;
  }
  throw new Error(`alarm ${alarm.id} never rings: minute ${alarm.minute}, repeat ${alarm.repeat.join()}`);
}

/** `9 h 15 min`; below a minute it says so. */
export function spanText(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE);
  const [days, hours, rest] = [Math.floor(minutes / DAY_MINUTES), Math.floor((minutes % DAY_MINUTES) / 60), minutes % 60];
  const parts = [days && t().days(days), hours && t().hours(hours), rest && t().minutes(rest)].filter(Boolean);
  return parts.join(t().gap) || t().minutes(1);
}

export function nextAlarmText(phone: PhoneState): string {
  const { now, zone } = phone.os.clock;
  const rings = Object.values(phone.apps.clock.data.alarms).flatMap((a) => [
    ...(a.enabled ? [nextRing(a, now, zone)] : []),
    ...(a.snoozedUntil ? [a.snoozedUntil] : []),
  ]);
  return rings.length === 0 ? t().allOff : t().nextIn(spanText(Math.min(...rings) - now));
}

export const sameDays = (a: readonly number[], b: readonly number[]): boolean => a.join() === b.join();

/** `Weekdays`, `Mon, Wed`, or when the one time is: `Today`, `Tomorrow`. */
export function repeatText(phone: PhoneState, alarm: Alarm): string {
  const days = alarm.repeat;
  if (days.length === 0) return onceText(phone, alarm);
  if (sameDays(days, EVERY_DAY)) return t().everyDay;
  if (sameDays(days, WORKDAYS)) return t().weekdays;
  if (sameDays(days, WEEKEND)) return t().weekend;
  return days.map((d) => WEEKDAYS[phone.os.locale][d]).join(t().comma);
}

function onceText(phone: PhoneState, alarm: Alarm): string {
  if (!alarm.enabled) return t().once;
  const { now, zone } = phone.os.clock;
  return dateParts(nextRing(alarm, now, zone), zone).day === dateParts(now, zone).day ? t().today : t().tomorrow;
}

export function alarmSub(phone: PhoneState, alarm: Alarm): string {
  const about = [alarm.label, repeatText(phone, alarm)].filter(Boolean).join(' · ');
  if (alarm.snoozedUntil === null) return about;
  return `${about} · ${t().snoozedUntil(shortTime(phone, alarm.snoozedUntil))}`;
}

export const minuteText = (phone: PhoneState, minute: number): string =>
  clockText(minute, phone.os.settings.hour24, phone.os.locale);

export const shortTime = (phone: PhoneState, instant: number): string =>
  timeText(instant, phone.os.clock.zone, phone.os.settings.hour24, phone.os.locale);

/** Minutes after midnight of what a person writes: `7:30`, `19:30`, `0730`, `7:30 pm`, `下午7:30`. Null if it is no time. */
export function parseTime(text: string): number | null {
  const plain = text.normalize('NFKC').trim().toLowerCase();
  const half = /(pm|p\.m\.|下午|晚上)/.test(plain) ? 'pm' : /(am|a\.m\.|上午|早上)/.test(plain) ? 'am' : '';
  const found = /^(\d{1,2})[:.点]?(\d{2})?分?$/.exec(plain.replace(/(am|pm|a\.m\.|p\.m\.|上午|下午|早上|晚上|\s)/g, ''));
  if (!found) return null;
  const [hour, minute] = [Number(found[1]), Number(found[2] ?? '0')];
  if (minute > 59 || hour > 23 || (half && (hour < 1 || hour > 12))) return null;
  return (half ? (hour % 12) + (half === 'pm' ? 12 : 0) : hour) * 60 + minute;
}

// World clock

const placed = (city: City, home: string, now: number): number => (zoneOffset(now, city.zone) - zoneOffset(now, home)) / MINUTE;

/** `Tomorrow, 13 h ahead`. */
export function differenceText(phone: PhoneState, id: string): string {
  const { now, zone } = phone.os.clock;
  const city = cityOf(id);
  const ahead = placed(city, zone, now);
  const day = (z: string): number => Math.floor((now + zoneOffset(now, z)) / (DAY_MINUTES * MINUTE));
  const days = day(city.zone) - day(zone);
  const when = days > 0 ? t().tomorrow : days < 0 ? t().yesterday : t().today;
  if (ahead === 0) return `${when}${t().comma}${t().sameTime}`;
  const span = spanText(Math.abs(ahead) * MINUTE);
  return `${when}${t().comma}${ahead > 0 ? t().ahead(span) : t().behind(span)}`;
}

export const cityTime = (phone: PhoneState, id: string): string =>
  timeText(phone.os.clock.now, cityOf(id).zone, phone.os.settings.hour24, phone.os.locale);

/** Cities whose name or country begins with, or holds, what is searched for; by name. */
export function foundCities(phone: PhoneState): City[] {
  const [wanted, locale] = [plain(phone.apps.clock.ui.search), phone.os.locale];
  return CITIES.filter((c) =>
    [c.name.en, c.name.zh, c.country.en, c.country.zh].some((name) => plain(name).includes(wanted)),
  ).sort((a, b) => byName(a, b, locale));
}

const collators = { en: new Intl.Collator('en'), zh: new Intl.Collator('zh') };
const byName = (a: City, b: City, locale: Locale): number => collators[locale].compare(a.name[locale], b.name[locale]);
const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').trim().toLowerCase();

// Timer and stopwatch

export interface Hms {
  h: number;
  m: number;
  s: number;
}

export function hms(seconds: number): Hms {
  return { h: Math.floor(seconds / 3600), m: Math.floor(seconds / 60) % 60, s: seconds % 60 };
}

const two = (n: number): string => String(n).padStart(2, '0');

/** `1:05:00` or `05:00`. */
export function countText(seconds: number): string {
  const { h, m, s } = hms(seconds);
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${two(m)}:${two(s)}`;
}

/** `02:07.35` */
export function lapText(ms: number): string {
  return `${countText(Math.floor(ms / 1000))}.${two(Math.floor((ms % 1000) / 10))}`;
}

export function inputSeconds(digits: string): number {
  const full = digits.padStart(6, '0');
  return Number(full.slice(0, 2)) * 3600 + Number(full.slice(2, 4)) * 60 + Number(full.slice(4));
}

/** Seconds that the timer still has, rounded up. */
export function timerLeft(phone: PhoneState): number {
  const { endsAt, left, duration } = phone.apps.clock.data.timer;
  if (endsAt !== null) return Math.max(0, Math.ceil((endsAt - phone.os.clock.now) / 1000));
  return left ?? duration;
}

export function stopwatchTime(phone: PhoneState): number {
  const { startedAt, elapsed } = phone.apps.clock.data.stopwatch;
  return elapsed + (startedAt === null ? 0 : phone.os.clock.now - startedAt);
}

export interface Lap {
  number: number;
  /** Milliseconds of this lap, and since the start. */
  span: number;
  total: number;
}

/** Newest first. */
export function laps(marks: readonly number[]): Lap[] {
  return marks.map((total, i) => ({ number: i + 1, span: total - (marks[i - 1] ?? 0), total })).reverse();
}
