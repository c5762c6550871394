/** What the contacts' screens show, computed from their state: names, order, index, search. */
import { MONTHS } from '../kernel/dates';
import type { PhoneState } from '../kernel/types';
import type { Contact, ContactPhone, Group, PhoneKind } from './state';
import { t } from './strings';

const HAN = /\p{Script=Han}/u;

/** As the name itself is written: `Ada Marlow`, `沈清和`; nickname, company or number where there is none. */
export function nameOf(c: Pick<Contact, 'given' | 'family' | 'nickname' | 'company'> & { phones: ContactPhone[] }): string {
  const full = HAN.test(c.family + c.given) ? c.family + c.given : `${c.given} ${c.family}`.trim();
  return full || c.nickname || c.company || c.phones[0]?.number || t().noName;
}

/** `Designer, Foxglove Studio` */
export function workText(c: Contact): string {
  return c.title && c.company ? t().at(c.title, c.company) : c.title || c.company;
}

const collators = { en: new Intl.Collator('en'), zh: new Intl.Collator('zh-u-co-pinyin') };

/** The first hanzi of each pinyin initial, in the collation's order. */
const STARTS: [string, string][] = [...'AB C D E F G H J K L M N O P Q R S T W X Y Z'.replace(/ /g, '')].map((letter, i) => [
  letter,
  [...'阿八嚓哒妸发旮哈讥咔垃痳拏噢妑七呥扨它穵夕丫帀'][i] as string,
]);
const initials: { [first: string]: string } = {};

function initialOf(text: string): string {
  const first = [...text.trim()][0] ?? '';
  return (initials[first] ??= findInitial(first));
}

function findInitial(first: string): string {
  const latin = first.normalize('NFKD').charAt(0).toUpperCase();
  if (/[A-Z]/.test(latin)) return latin;
  if (!HAN.test(first)) return '#';
  return STARTS.filter(([, start]) => collators.zh.compare(first, start) >= 0).at(-1)?.[0] ?? 'A';
}

function sortKey(c: Contact, sort: 'given' | 'family'): string {
  return (sort === 'given' ? c.given || c.family : c.family || c.given) || nameOf(c);
}

export interface Listed {
  contact: Contact;
  name: string;
  /** Its letter of the index, `#` where it has none. */
  letter: string;
  /** Whether it is the first of its letter. */
  first: boolean;
}

/** In the phone's sort order, by the letter of the index and then by name. */
export function sorted(phone: PhoneState, contacts: Contact[]): Listed[] {
  const { sort } = phone.apps.contacts.data;
  const collator = collators[phone.os.locale];
  const listed = contacts.map((contact) => {
    const key = sortKey(contact, sort);
    return { contact, name: nameOf(contact), key, letter: initialOf(key), first: false };
  });
  const rank = (letter: string): string => (letter === '#' ? '~' : letter);
  listed.sort((a, b) =>
    rank(a.letter) < rank(b.letter) ? -1 : rank(a.letter) > rank(b.letter) ? 1
      : collator.compare(a.key, b.key) || collator.compare(a.name, b.name) || (a.contact.id < b.contact.id ? -1 : 1));
  return listed.map((l, i) => ({ ...l, first: l.letter !== listed[i - 1]?.letter }));
}

export const everyone = (phone: PhoneState): Contact[] => Object.values(phone.apps.contacts.data.contacts);

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

export function matching(contacts: Contact[], search: string): Contact[] {
  const wanted = plain(search).trim();
  const digits = wanted.replace(/\D/g, '');
  if (wanted === '') return contacts;
  return contacts.filter((c) =>
    [nameOf(c), `${c.given} ${c.family}`, `${c.family} ${c.given}`, c.nickname, c.company, c.email.split('@')[0] ?? ''].some((s) => plain(s).includes(wanted)) ||
    (digits.length > 1 && /^[\d\s+-]+$/.test(wanted) && c.phones.some((p) => p.number.replace(/\D/g, '').includes(digits))));
}

/** Offsets of the letters' first rows, in px, of a list `height` px high with 64 px below its rows. */
export function jumps(list: Listed[], height: number): { letter: string; offset: number }[] {
  const most = Math.max(0, (list.length + 1) * 64 - height);
  return list.flatMap((l, i) => (l.first ? [{ letter: l.letter, offset: Math.min(most, i * 64) }] : []));
}

export const groupsOf = (phone: PhoneState): Group[] => {
  const collator = collators[phone.os.locale];
  return Object.values(phone.apps.contacts.data.groups).sort((a, b) => collator.compare(a.name, b.name) || (a.id < b.id ? -1 : 1));
};

export function membersOf(phone: PhoneState, group: Group): Contact[] {
  const { contacts } = phone.apps.contacts.data;
  return group.members.flatMap((id) => contacts[id] ?? []);
}

export const groupNames = (phone: PhoneState, id: string): string =>
  groupsOf(phone).filter((g) => g.members.includes(id)).map((g) => g.name).join(phone.os.locale === 'zh' ? '、' : ', ');

/** Pairs of contacts of the same name, the one with more details first. */
export function duplicates(phone: PhoneState): [Contact, Contact][] {
  const byName: { [name: string]: Contact[] } = {};
  for (const { contact, name } of sorted(phone, everyone(phone))) (byName[plain(name)] ??= []).push(contact);
  return Object.values(byName).flatMap((same) => {
    const [a, b] = [...same].sort((x, y) => details(y) - details(x));
    return a && b ? [[a, b] as [Contact, Contact]] : [];
  });
}

const details = (c: Contact): number =>
  c.phones.length + [c.nickname, c.company, c.title, c.email, c.address, c.birthday, c.notes].filter(Boolean).length;

/** Labels of a contact's numbers: a kind that comes twice is counted. */
export function phoneLabels(phones: readonly ContactPhone[]): string[] {
  return phones.map((p, i) => {
    const before = phones.slice(0, i).filter((q) => q.kind === p.kind).length;
    return before === 0 ? t().kinds[p.kind] : t().numbered(t().kinds[p.kind], before + 1);
  });
}

export const KINDS: readonly PhoneKind[] = ['mobile', 'home', 'work'];

/** `March 25, 1990` / `1990年3月25日` */
export function birthdayText(phone: PhoneState, iso: string): string {
  const [year, month, day] = iso.split('-').map(Number) as [number, number, number];
  return phone.os.locale === 'zh' ? `${year}年${month}月${day}日` : `${MONTHS[month - 1]} ${day}, ${year}`;
}

/** ISO of what a person writes as a date, year first; '' for nothing, null where it is no date. */
export function parseBirthday(text: string): string | null {
  const plainText = text.normalize('NFKC').trim();
  if (plainText === '') return '';
  const found = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$/.exec(plainText);
  if (!found) return null;
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])];
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  if (year < 1880 || day < 1 || day > days) return null;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** What is shared of a contact, one detail a line. */
export function cardText(c: Contact): string {
  const lines = c.phones.map((p, i) => `${phoneLabels(c.phones)[i]}: ${p.number}`);
  return [nameOf(c), ...lines, ...(c.email ? [`${t().email}: ${c.email}`] : [])].join('\n');
}
