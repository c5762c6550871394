/** What the notes app shows, computed from the state. */
import { dateParts, dateText, timeText } from '../kernel/dates';
import type { PhoneState } from '../kernel/types';
import type { Folder, Note } from './state';
import { t } from './strings';

export const DAYS_IN_TRASH = 30;

export const noteOf = (phone: PhoneState, id: string): Note | undefined => phone.apps.notes.data.notes[id];
export const titleOf = (note: Note): string => note.title || firstLine(note) || t().untitled;

function firstLine(note: Note): string {
  return note.body.split('\n').find((line) => line.trim() !== '')?.trim() ?? '';
}

const collators: { [locale: string]: Intl.Collator } = {};
const compareText = (phone: PhoneState, a: string, b: string): number =>
  (collators[phone.os.locale] ??= new Intl.Collator(phone.os.locale === 'zh' ? 'zh-CN' : 'en')).compare(a, b);

function ordered(phone: PhoneState, notes: Note[]): Note[] {
  const sort = phone.apps.notes.data.sort;
  return notes.sort(
    (a, b) =>
      Number(b.pinned) - Number(a.pinned) ||
      (sort === 'title' ? compareText(phone, titleOf(a), titleOf(b)) : b[sort] - a[sort]) ||
      (a.id < b.id ? -1 : 1),
  );
}

const all = (phone: PhoneState): Note[] => Object.values(phone.apps.notes.data.notes);

/** Notes that are not in the trash, pinned first: all, or of one folder ('' holds those without). */
export function shownNotes(phone: PhoneState, folder?: string): Note[] {
  return ordered(phone, all(phone).filter((n) => n.trashed === null && (folder === undefined || n.folder === folder)));
}

/** Last deleted first. */
export function trashedNotes(phone: PhoneState): Note[] {
  return all(phone)
    .filter((n) => n.trashed !== null)
    .sort((a, b) => (b.trashed ?? 0) - (a.trashed ?? 0) || (a.id < b.id ? -1 : 1));
}

export function foundNotes(phone: PhoneState): Note[] {
  const wanted = phone.apps.notes.ui.search.trim().toLowerCase();
  if (wanted === '') return [];
  return shownNotes(phone).filter((n) => fullText(n).toLowerCase().includes(wanted));
}

export function folders(phone: PhoneState): Folder[] {
  return Object.values(phone.apps.notes.data.folders).sort((a, b) => compareText(phone, a.name, b.name) || (a.id < b.id ? -1 : 1));
}

export const folderName = (phone: PhoneState, id: string): string =>
  phone.apps.notes.data.folders[id]?.name ?? t().noFolder;

export const countIn = (phone: PhoneState, folder: string): number => shownNotes(phone, folder).length;

/** The note as plain text, for search, copying and sharing. */
export function fullText(note: Note): string {
  const items = note.checklist?.map((i) => `${i.done ? '[x]' : '[ ]'} ${i.text}`) ?? [];
  return [note.title, note.body, ...items].filter((line) => line !== '').join('\n');
}

/** One line of content under the title. */
export function preview(note: Note): string {
  if (note.checklist) return t().ticked(note.checklist.filter((i) => i.done).length, note.checklist.length);
  const lines = note.body.split('\n').filter((line) => line.trim() !== '');
  return (note.title === '' ? lines.slice(1) : lines).join(' ');
}

/** Latin words, and each Chinese character as one. */
export function wordCount(note: Note): number {
  const texts = [note.title, note.body, ...(note.checklist?.map((i) => i.text) ?? [])];
  return texts.join('\n').match(/[\u3400-\u9fff]|[^\s\u3400-\u9fff\p{P}\p{S}]+(?:['’.:,-][^\s\u3400-\u9fff\p{P}\p{S}]+)*/gu)?.length ?? 0;
}

/** The time today, else the day; with the year where it is another. */
export function shortWhen(phone: PhoneState, at: number): string {
  const { now, zone } = phone.os.clock;
  const [a, b] = [dateParts(at, zone), dateParts(now, zone)];
  const sameYear = a.year === b.year;
  if (sameYear && a.month === b.month && a.day === b.day) return timeText(at, zone, phone.os.settings.hour24, phone.os.locale);
  return dateText(at, zone, phone.os.locale, !sameYear);
}

export function longWhen(phone: PhoneState, at: number): string {
  const { zone } = phone.os.clock;
  const [day, time] = [dateText(at, zone, phone.os.locale, true), timeText(at, zone, phone.os.settings.hour24, phone.os.locale)];
  return `${day} ${time}`;
}
