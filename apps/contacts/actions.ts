/** What the contacts do. */
import { allApps, callWithin, defineActions } from '../kernel/app';
import { launch, open, pop, popTo, replace, startIntent, stackOf, toast } from '../kernel/nav';
import type { Args, PhoneState } from '../kernel/types';
import { cardText, nameOf, parseBirthday } from './select';
import type { Contact, ContactDraft, ContactsState, Group, PhoneKind } from './state';
import { t } from './strings';

const data = (phone: PhoneState): ContactsState['data'] => phone.apps.contacts.data;
const ui = (phone: PhoneState): ContactsState['ui'] => phone.apps.contacts.ui;

const FIELDS = ['given', 'family', 'nickname', 'company', 'title', 'email', 'address', 'notes'] as const;

function blank(): ContactDraft {
  return {
    id: '', given: '', family: '', nickname: '', company: '', title: '', phones: [{ kind: 'mobile', number: '' }],
    email: '', address: '', birthday: '', notes: '',
  };
}

function draftFrom(c: Contact): ContactDraft {
  const { avatar: _avatar, favourite: _favourite, phones, ...rest } = c;
  const copies = phones.map((p) => ({ ...p }));
  return { ...rest, phones: copies.length > 0 ? copies : blank().phones };
}

function draftOf(phone: PhoneState): ContactDraft {
  const draft = ui(phone).draft;
  if (!draft) throw new Error('no contact is being edited');
  return draft;
}

/** Writes only what differs, so that the event names just the fields that changed. */
function fill(contact: Contact, draft: ContactDraft, birthday: string): void {
  for (const field of FIELDS) contact[field] = draft[field].trim();
  contact.birthday = birthday;
  const phones = draft.phones.map((p) => ({ kind: p.kind, number: p.number.trim() })).filter((p) => p.number !== '');
  if (JSON.stringify(phones) !== JSON.stringify(contact.phones)) contact.phones = phones;
}

function setMember(group: Group, id: string, member: boolean): void {
  if (group.members.includes(id) === member) return;
  group.members = member ? [...group.members, id].sort() : group.members.filter((m) => m !== id);
}

function removeContact(phone: PhoneState, id: string): void {
  delete data(phone).contacts[id];
  for (const group of Object.values(data(phone).groups)) setMember(group, id, false);
}

/** Fills the gaps of one with the other's details. */
function absorb(keep: Contact, other: Contact): void {
  for (const field of FIELDS) if (field !== 'notes' && keep[field] === '') keep[field] = other[field];
  if (keep.birthday === '') keep.birthday = other.birthday;
  if (other.notes && other.notes !== keep.notes) keep.notes = [keep.notes, other.notes].filter(Boolean).join('\n');
  const known = new Set(keep.phones.map((p) => p.number));
  const more = other.phones.filter((p) => !known.has(p.number));
  if (more.length > 0) keep.phones = [...keep.phones, ...more.map((p) => ({ ...p }))];
  if (other.favourite) keep.favourite = true;
}

/** A screen of a contact that is gone must not stay on the stack. */
function forgetRoutes(phone: PhoneState, id: string): void {
  const stack = stackOf(phone, 'contacts').filter((r) => r.params['id'] !== id && r.params['other'] !== id);
  phone.os.nav.stacks.contacts = stack.length > 0 ? stack : [{ screen: 'home', params: {} }];
}

function groupCalled(phone: PhoneState, name: string, but = ''): boolean {
  return Object.values(data(phone).groups).some((g) => g.name === name && g.id !== but);
}

/** The name typed for a group, where it will do; says why not. */
function typedGroupName(phone: PhoneState, but = ''): string | null {
  const name = ui(phone).groupName.trim();
  if (name === '') toast(phone, t().needGroupName);
  else if (groupCalled(phone, name, but)) toast(phone, t().groupThere);
  else return name;
  return null;
}

export const act = defineActions('contacts', {
  tab(phone, { tab }: { tab: ContactsState['ui']['tab'] }) {
    ui(phone).tab = tab;
    phone.os.focus = null;
    delete phone.os.scroll['contacts/home/main'];
  },
  openScreen: (phone, { screen, id }: { screen: string; id: string }) => open(phone, screen, id ? { id } : {}),
  /** From a menu or dialog on to what it leads to. */
  instead(phone, { screen, id }: { screen: string; id: string }) {
    ui(phone).find = '';
    replace(phone, screen, { id });
  },
  sort(phone, { sort }: { sort: 'given' | 'family' }) {
    data(phone).sort = sort;
    pop(phone);
    delete phone.os.scroll['contacts/home/main'];
  },
  star(phone, { id }: { id: string }) {
    const contact = data(phone).contacts[id];
    if (contact) contact.favourite = !contact.favourite;
  },
  copy(phone, { text }: { text: string }) {
    phone.os.clipboard = text;
    toast(phone, t().copied);
  },
  share(phone, { id }: { id: string }, ctx) {
    const contact = data(phone).contacts[id];
    if (!contact) return;
    pop(phone);
    const handlers = allApps().filter((a) => a.intents?.['share:text']).map((a) => a.id);
    const card = { kind: 'share' as const, from: 'contacts' as const, type: 'text', title: nameOf(contact), text: cardText(contact) };
    startIntent(phone, card, handlers, ctx);
  },

  // The form

  newContact(phone) {
    ui(phone).draft = blank();
    open(phone, 'edit');
  },
  editContact(phone, { id }: { id: string }) {
    const contact = data(phone).contacts[id];
    if (!contact) return;
    ui(phone).draft = draftFrom(contact);
    open(phone, 'edit', { id });
  },
  addPhone(phone, { kind }: { kind: PhoneKind }) {
    const { phones } = draftOf(phone);
    phones.push({ kind, number: '' });
    phone.os.focus = { path: `/apps/contacts/ui/draft/phones/${phones.length - 1}/number`, cursor: 0 };
  },
  save(phone, _args: Args, ctx) {
    const draft = draftOf(phone);
    const birthday = parseBirthday(draft.birthday);
    if (birthday === null) return toast(phone, t().badBirthday);
    if (![draft.given, draft.family, ...draft.phones.map((p) => p.number)].some((s) => s.trim())) return toast(phone, t().needName);
    const known = data(phone).contacts[draft.id];
    ui(phone).draft = null;
    pop(phone);
    if (known) fill(known, draft, birthday);
    else {
      const contact: Contact = { ...blank(), id: ctx.id('c'), favourite: false, avatar: Math.floor(ctx.random() * 2 ** 31) };
      fill(contact, draft, birthday);
      data(phone).contacts[contact.id] = contact;
      open(phone, 'contact', { id: contact.id });
    }
    toast(phone, t().saved);
  },
  deleteContact(phone, { id }: { id: string }) {
    pop(phone);
    forgetRoutes(phone, id);
    removeContact(phone, id);
    toast(phone, t().deleted);
  },

  // Merging

  mergeAsk: (phone, { id, other }: { id: string; other: string }) => open(phone, 'mergeAsk', { id, other }),
  merge(phone, { id, other }: { id: string; other: string }) {
    const [keep, gone] = [data(phone).contacts[id], data(phone).contacts[other]];
    if (!keep || !gone) return;
    pop(phone);
    absorb(keep, gone);
    for (const group of Object.values(data(phone).groups)) if (group.members.includes(other)) setMember(group, id, true);
    removeContact(phone, other);
    forgetRoutes(phone, other);
    if (stackOf(phone, 'contacts').some((r) => r.screen === 'merge')) popTo(phone, 'contact');
    toast(phone, t().merged);
  },

  // Groups

  newGroup(phone) {
    ui(phone).groupName = '';
    open(phone, 'newGroup');
  },
  createGroup(phone, _args: Args, ctx) {
    const name = typedGroupName(phone);
    if (name === null) return;
    const id = ctx.id('g');
    data(phone).groups[id] = { id, name, members: [] };
    replace(phone, 'group', { id });
  },
  renameDialog(phone, { id }: { id: string }) {
    ui(phone).groupName = data(phone).groups[id]?.name ?? '';
    replace(phone, 'renameGroup', { id });
  },
  renameGroup(phone, { id }: { id: string }) {
    const group = data(phone).groups[id];
    const name = typedGroupName(phone, id);
    if (!group || name === null) return;
    group.name = name;
    pop(phone);
  },
  deleteGroup(phone, { id }: { id: string }) {
    pop(phone);
    forgetRoutes(phone, id);
    delete data(phone).groups[id];
    toast(phone, t().groupDeleted);
  },
  editMembers(phone, { id }: { id: string }) {
    ui(phone).find = '';
    open(phone, 'members', { id });
  },
  toggleMember(phone, { group, contact }: { group: string; contact: string }) {
    const found = data(phone).groups[group];
    if (found) setMember(found, contact, !found.members.includes(contact));
  },
  memberMenu: (phone, { group, contact }: { group: string; contact: string }) => open(phone, 'memberMenu', { id: contact, group }),
  removeMember(phone, { group, contact }: { group: string; contact: string }) {
    const found = data(phone).groups[group];
    if (found) setMember(found, contact, false);
    pop(phone);
  },

  // Other apps

  /** Answers `pick:contact`: the one who asked gets the id, and comes back to the front. */
  picked(phone, { id }: { id: string }, ctx) {
    const intent = phone.os.intent;
    if (intent?.kind !== 'pick') return;
    pop(phone);
    phone.os.intent = null;
    launch(phone, intent.from);
    if (intent.reply) callWithin(phone, { ...intent.reply, args: { ...intent.reply.args, result: id } }, ctx);
  },
});
