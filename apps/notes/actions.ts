/** Everything that happens in the notes app. */
import { callWithin, defineActions } from '../kernel/app';
import { nameOf } from '../contacts/select';
import { focus, open, pop, popTo, replace, startIntent, toast } from '../kernel/nav';
import type { Call, Ctx, Intent, PhoneState } from '../kernel/types';
import { DAYS_IN_TRASH, folders, fullText, shownNotes, titleOf } from './select';
import type { ChecklistItem, Note, NoteColor, NoteSort, NotesState } from './state';
import { t } from './strings';

const DRAFT = '/apps/notes/ui/draft';
const data = (phone: PhoneState): NotesState['data'] => phone.apps.notes.data;
const ui = (phone: PhoneState): NotesState['ui'] => phone.apps.notes.ui;

function note(phone: PhoneState, id: string): Note {
  const found = data(phone).notes[id];
  if (!found) throw new Error(`notes: no note '${id}'`);
  return found;
}

function items(phone: PhoneState, id: string): ChecklistItem[] {
  const list = note(phone, id).checklist;
  if (!list) throw new Error(`notes: note '${id}' is no checklist`);
  return list;
}

function blank(id: string, now: number): Note {
  const texts = { title: '', body: '', checklist: null, folder: '' };
  return { id, ...texts, pinned: false, color: 'none', created: now, modified: now, trashed: null };
}

function discard(phone: PhoneState, ids: string[]): void {
  for (const id of ids) {
    note(phone, id).trashed = phone.os.clock.now;
    note(phone, id).pinned = false;
  }
  toast(phone, t().trashed(ids.length));
}

/** Opens the form over a new note that holds these texts already. */
function compose(phone: PhoneState, title: string, body: string, folder: string, kind: 'note' | 'checklist'): void {
  Object.assign(ui(phone).draft, { title, body });
  open(phone, 'edit', { id: '', folder, kind });
}

export function receiveText(phone: PhoneState, intent: Intent): void {
  phone.os.intent = null;
  phone.os.nav.stacks.notes = [{ screen: 'home', params: {} }];
  compose(phone, intent.title ?? '', intent.text ?? '', '', 'note');
}

function saveNew(phone: PhoneState, ctx: Ctx, folder: string, kind: string): string {
  const id = ctx.id('n');
  const { title, body } = ui(phone).draft;
  const made = { ...blank(id, ctx.now), title: title.trim(), body, folder: data(phone).folders[folder] ? folder : '' };
  data(phone).notes[id] = kind === 'checklist' ? { ...made, body: '', checklist: [] } : made;
  return id;
}

export const act = defineActions('notes', {
  tab(phone, { tab }: { tab: NotesState['ui']['tab'] }) {
    ui(phone).tab = tab;
    delete phone.os.scroll['notes/home/main'];
  },
  open(phone, { screen, ...params }: { screen: string; [name: string]: string }) {
    open(phone, screen, params);
  },
  /** Leaves the menu on top for what it leads to. */
  instead(phone, { screen, ...params }: { screen: string; [name: string]: string }) {
    replace(phone, screen, params);
  },
  openNote(phone, { id }: { id: string }) {
    ui(phone).draft.item = '';
    open(phone, note(phone, id).trashed === null ? 'note' : 'trashed', { id });
  },
  openSearch(phone) {
    ui(phone).search = '';
    open(phone, 'search');
    focus(phone, '/apps/notes/ui/search');
  },
  view(phone, { view }: { view: NotesState['data']['view'] }) {
    pop(phone);
    data(phone).view = view;
  },
  sort(phone, { by }: { by: NoteSort }) {
    data(phone).sort = by;
    pop(phone);
  },

  create(phone, { folder, kind }: { folder: string; kind: 'note' | 'checklist' }) {
    compose(phone, '', '', folder, kind);
    focus(phone, `${DRAFT}/title`);
  },
  edit(phone, { id }: { id: string }) {
    const { title, body, checklist } = note(phone, id);
    Object.assign(ui(phone).draft, { title, body });
    open(phone, 'edit', { id, folder: '', kind: checklist ? 'checklist' : 'note' });
  },
  /** The form's Save: makes or changes the note, and shows it. */
  save(phone, { id, folder, kind }: { id: string; folder: string; kind: string }, ctx) {
    const { title, body } = ui(phone).draft;
    if (title.trim() === '' && body.trim() === '') return;
    if (id === '') replace(phone, 'note', { id: saveNew(phone, ctx, folder, kind) });
    else {
      const old = note(phone, id);
      pop(phone);
      if (old.title !== title.trim() || old.body !== body)
        Object.assign(old, { title: title.trim(), body, modified: ctx.now });
    }
    toast(phone, t().saved);
  },
  pin(phone, { id }: { id: string }) {
    note(phone, id).pinned = !note(phone, id).pinned;
  },
  color(phone, { id, color }: { id: string; color: NoteColor }) {
    note(phone, id).color = color;
    pop(phone);
  },
  move(phone, { ids, folder }: { ids: string[]; folder: string }) {
    for (const id of ids) note(phone, id).folder = folder;
    pop(phone);
    if (phone.os.nav.stacks.notes?.at(-1)?.screen === 'select') pop(phone);
    toast(phone, t().moved);
  },
  copyText(phone, { id }: { id: string }) {
    phone.os.clipboard = fullText(note(phone, id));
    pop(phone);
    toast(phone, t().copied);
  },
  duplicate(phone, { id }: { id: string }, ctx) {
    const old = note(phone, id);
    const made = { ...blank(ctx.id('n'), ctx.now), title: t().copyOf(titleOf(old)), body: old.body };
    const copies = old.checklist?.map((i) => ({ ...i, id: ctx.id('i') })) ?? null;
    data(phone).notes[made.id] = { ...made, checklist: copies, folder: old.folder, color: old.color };
    pop(phone);
    toast(phone, t().duplicated);
  },
  share(phone, { id }: { id: string }) {
    const shared = note(phone, id);
    pop(phone);
    const intent: Intent = { kind: 'share', type: 'text', from: 'notes', title: titleOf(shared), text: fullText(shared) };
    phone.os.dialog = { kind: 'chooser', intent };
  },
  /** Adds a contact's name and number to the text, once this app may read contacts. */
  addContact(phone, { id }: { id: string }, ctx) {
    pop(phone);
    const grant = phone.os.permissions.notes?.contacts ?? 'ask';
    const then: Call = { app: 'notes', action: 'pickContact', args: { id } };
    if (grant === 'granted') callWithin(phone, then, ctx);
    else if (grant === 'ask') phone.os.dialog = { kind: 'permission', app: 'notes', permission: 'contacts', then };
    else toast(phone, t().contactsRefused);
  },
  pickContact(phone, { id }: { id: string }, ctx) {
    const reply: Call = { app: 'notes', action: 'insertContact', args: { id } };
    startIntent(phone, { kind: 'pick', from: 'notes', type: 'contact', reply }, ['contacts'], ctx);
  },
  insertContact(phone, { id, result }: { id: string; result: string }, ctx) {
    const contact = phone.apps.contacts.data.contacts[result];
    if (!contact) return;
    const line = [nameOf(contact), contact.phones[0]?.number ?? ''].join(' ').trim();
    const into = note(phone, id);
    Object.assign(into, { body: into.body === '' ? line : `${into.body}\n${line}`, modified: ctx.now });
  },
  trash(phone, { ids }: { ids: string[] }) {
    discard(phone, ids);
    ui(phone).selected = [];
    while (['noteMenu', 'note', 'select'].includes(phone.os.nav.stacks.notes?.at(-1)?.screen ?? '') && pop(phone));
  },
  restore(phone, { ids }: { ids: string[] }) {
    for (const id of ids) note(phone, id).trashed = null;
    ui(phone).selected = [];
    pop(phone);
    toast(phone, t().restored);
  },
  deleteForever(phone, { ids }: { ids: string[] }) {
    for (const id of ids) delete data(phone).notes[id];
    ui(phone).selected = [];
    popTo(phone, 'home');
  },
  emptyTrash(phone) {
    for (const n of Object.values(data(phone).notes)) if (n.trashed !== null) delete data(phone).notes[n.id];
    pop(phone);
    toast(phone, t().trashEmptied);
  },
  /** A note's days in the trash are over. */
  purge(phone, { id }: { id: string }) {
    delete data(phone).notes[id];
  },

  addItem(phone, { id }: { id: string }, ctx) {
    const text = ui(phone).draft.item.trim();
    if (text === '') return;
    items(phone, id).push({ id: ctx.id('i'), text, done: false });
    note(phone, id).modified = ctx.now;
    ui(phone).draft.item = '';
    focus(phone, `${DRAFT}/item`);
  },
  tick(phone, { id, item }: { id: string; item: string }, ctx) {
    for (const i of items(phone, id)) if (i.id === item) i.done = !i.done;
    note(phone, id).modified = ctx.now;
  },
  openItem(phone, { id, item }: { id: string; item: string }) {
    ui(phone).draft.itemEdit = items(phone, id).find((i) => i.id === item)?.text ?? '';
    replace(phone, 'item', { id, item });
    focus(phone, `${DRAFT}/itemEdit`);
  },
  saveItem(phone, { id, item }: { id: string; item: string }, ctx) {
    const text = ui(phone).draft.itemEdit.trim();
    if (text === '') return;
    for (const i of items(phone, id)) if (i.id === item) i.text = text;
    note(phone, id).modified = ctx.now;
    pop(phone);
  },
  moveItem(phone, { id, item, by }: { id: string; item: string; by: number }, ctx) {
    const list = items(phone, id);
    const at = list.findIndex((i) => i.id === item);
    const [moving, other] = [list[at], list[at + by]];
    pop(phone);
    if (!moving || !other) return;
    list[at] = other;
    list[at + by] = moving;
    note(phone, id).modified = ctx.now;
  },
  removeItem(phone, { id, item }: { id: string; item: string }, ctx) {
    note(phone, id).checklist = items(phone, id).filter((i) => i.id !== item);
    note(phone, id).modified = ctx.now;
    pop(phone);
  },
  removeTicked(phone, { id }: { id: string }, ctx) {
    note(phone, id).checklist = items(phone, id).filter((i) => !i.done);
    note(phone, id).modified = ctx.now;
    pop(phone);
  },

  nameFolder(phone, { id, over }: { id: string; over: boolean }) {
    ui(phone).draft.folderName = data(phone).folders[id]?.name ?? '';
    if (over) replace(phone, 'folderName', { id });
    else open(phone, 'folderName', { id });
    focus(phone, `${DRAFT}/folderName`);
  },
  saveFolder(phone, { id }: { id: string }, ctx) {
    const name = ui(phone).draft.folderName.trim();
    if (name === '') return;
    if (folders(phone).some((f) => f.name === name && f.id !== id)) return toast(phone, t().folderTaken);
    const old = data(phone).folders[id];
    const key = id || ctx.id('f');
    if (old) old.name = name;
    else data(phone).folders[key] = { id: key, name };
    pop(phone);
  },
  deleteFolder(phone, { id }: { id: string }) {
    for (const n of Object.values(data(phone).notes)) if (n.folder === id) n.folder = '';
    delete data(phone).folders[id];
    pop(phone);
    if (phone.os.nav.stacks.notes?.at(-1)?.screen === 'folder') pop(phone);
  },

  select(phone, { id, folder }: { id: string; folder: string }) {
    ui(phone).selected = id ? [id] : [];
    if (phone.os.nav.stacks.notes?.at(-1)?.screen === 'homeMenu') pop(phone);
    open(phone, 'select', { folder });
  },
  pick(phone, { id }: { id: string }) {
    const chosen = ui(phone).selected;
    ui(phone).selected = chosen.includes(id) ? chosen.filter((s) => s !== id) : [...chosen, id];
  },
  pickAll(phone, { ids }: { ids: string[] }) {
    ui(phone).selected = ids.every((id) => ui(phone).selected.includes(id)) ? [] : ids;
  },
  /** Pins the chosen notes, or frees them where all are pinned. */
  pinAll(phone, { ids }: { ids: string[] }) {
    const to = !ids.every((id) => note(phone, id).pinned);
    for (const id of ids) note(phone, id).pinned = to;
    pop(phone);
  },
});

export const inTrashUntil = (n: Note): number => (n.trashed ?? 0) + DAYS_IN_TRASH * 86_400_000;
export const allIds = (phone: PhoneState, folder?: string): string[] => shownNotes(phone, folder).map((n) => n.id);
