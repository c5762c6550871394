/** Dates of the phone: pure functions of an instant and a zone. Nothing here reads the host's clock or zone. */
import type { Locale } from './types';

export interface DateParts {
  year: number;
  /** 1..12 */
  month: number;
  /** 1..31 */
  day: number;
  hour: number;
  minute: number;
  second: number;
  /** Monday is 0. */
  weekday: number;
}

const formats: { [key: string]: Intl.DateTimeFormat } = {};

function format(locale: string, zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return (formats[`${locale} ${zone} ${JSON.stringify(options)}`] ??= new Intl.DateTimeFormat(locale, {
    ...options,
    timeZone: zone,
  }));
}

export function dateParts(instant: number, zone: string): DateParts {
  const parts = format('en-US', zone, {
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant);
  const of = (type: string): number => Number(parts.find((p) => p.type === type)?.value);
  const [year, month, day] = [of('year'), of('month'), of('day')];
  const weekday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
  return { year, month, day, hour: of('hour'), minute: of('minute'), second: of('second'), weekday };
}

/** Milliseconds that the zone is ahead of UTC at that instant. */
export function zoneOffset(instant: number, zone: string): number {
  const p = dateParts(instant, zone);
  return Date.UTC(p.year, p.month - 1, p.day, p.hour, p.minute, p.second) - Math.floor(instant / 1000) * 1000;
}

const DAY = 86_400_000;

/**
 * The instant of a wall-clock time in a zone, as RFC 5545 has it: of two the earlier; a time that the change to summer
 * skips counts on from before the change, so 02:30 is 03:30.
 */
export function instantOf(year: number, month: number, day: number, minuteOfDay: number, zone: string): number {
  const wall = Date.UTC(year, month - 1, day, 0, minuteOfDay);
  const before = wall - zoneOffset(wall - DAY, zone);
  const after = wall - zoneOffset(wall + DAY, zone);
  const real = [before, after].filter((t) => t + zoneOffset(t, zone) === wall);
  return real.length > 0 ? Math.min(...real) : before;
}

/** `07:30`, or `7:30 AM` where the 24-hour clock is off; zh says 上午/下午. */
export function clockText(minuteOfDay: number, hour24: boolean, locale: Locale): string {
  const [h, m] = [Math.floor(minuteOfDay / 60), String(minuteOfDay % 60).padStart(2, '0')];
  if (hour24) return `${String(h).padStart(2, '0')}:${m}`;
  const h12 = h % 12 === 0 ? 12 : h % 12;
  if (locale === 'zh') return `${h < 12 ? '上午' : '下午'}${h12}:${m}`;
  return `${h12}:${m} ${h < 12 ? 'AM' : 'PM'}`;
}

export function timeText(instant: number, zone: string, hour24: boolean, locale: Locale): string {
  const p = dateParts(instant, zone);
  return clockText(p.hour * 60 + p.minute, hour24, locale);
}

/** `Mon, Mar 3` / `3月3日 周一`; with the year where asked. */
export function dateText(instant: number, zone: string, locale: Locale, year = false): string {
  const p = dateParts(instant, zone);
  if (locale === 'zh') return `${year ? `${p.year}年` : ''}${p.month}月${p.day}日 ${WEEKDAYS.zh[p.weekday]}`;
  return `${WEEKDAYS.en[p.weekday]}, ${MONTHS[p.month - 1]} ${p.day}${year ? `, ${p.year}` : ''}`;
}

export const WEEKDAYS: { [locale in Locale]: string[] } = {
  en: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  zh: ['周一', '周二', '周三', '周四', '周五', '周六', '周日'],
};

export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
