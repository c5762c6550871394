/** One note as it is read: its text or its checklist, and its menu. */
import type { PhoneState, ScreenProps } from '../../kernel/types';
import { Button, Empty, Icon, IconButton, Menu, Screen, TextField, type BarAction } from '../../ui/kit';
import { act } from '../actions';
import { folderName, longWhen, noteOf, shortWhen, titleOf } from '../select';
import type { ChecklistItem, Note } from '../state';
import { t } from '../strings';
import { Own } from './parts';

/** Title of the screen is cut from about this width on, in Latin letters; the text then shows it in full. */
const FITS = 15;
const width = (text: string): number => [...text].reduce((sum, c) => sum + (c > '\u2e80' ? 1.7 : 1), 0);

function Meta({ phone, note }: { phone: PhoneState; note: Note }) {
  const when = note.trashed === null ? t().edited(shortWhen(phone, note.modified)) : t().deletedOn(longWhen(phone, note.trashed));
  return (
    <div class="note-meta">
      <span class={`note-badge note-${note.color}`}><Icon name={note.pinned ? 'pin-filled' : 'folder'} size={16} /><span>{folderName(phone, note.folder)}</span></span>
      <span>{when}</span>
    </div>
  );
}

function Item({ note, item }: { note: Note; item: ChecklistItem }) {
  const menu = () => act.open({ screen: 'itemMenu', id: note.id, item: item.id });
  return (
    <div class={item.done ? 'row note-item done' : 'row note-item'} role="checkbox" aria-label={item.text} aria-checked={item.done}
      data-key={item.id} onClick={() => act.tick({ id: note.id, item: item.id })} onHold={menu}>
      <span class={item.done ? 'choice checkbox on' : 'choice checkbox'}>{item.done && <Icon name="check" size={16} />}</span>
      <span class="row-texts"><span class="row-label">{item.text}</span></span>
      {note.trashed === null && <Own><IconButton icon="more" label={t().itemMenu(item.text)} on={menu} /></Own>}
    </div>
  );
}

function Body({ note }: { note: Note }) {
  if (note.checklist) {
    if (note.checklist.length === 0) return <Empty icon="checklist" text={t().noItems} />;
    return <>{note.checklist.map((i) => <Item key={i.id} note={note} item={i} />)}</>;
  }
  if (note.body.trim() === '') return <div class="note-body note-muted">{t().emptyNote}</div>;
  return <div class="note-body">{note.body.split('\n').map((line, i) => <p key={i}>{line}</p>)}</div>;
}

function Page({ phone, note, actions }: { phone: PhoneState; note: Note; actions: BarAction[] }) {
  const [title, adds] = [titleOf(note), note.checklist !== null && note.trashed === null];
  const add = () => act.addItem({ id: note.id });
  const below = adds && (
    <div class="note-add">
      <TextField path="/apps/notes/ui/draft/item" label={t().addItem} onSubmit={add} />
      <Button label={t().add} kind="tonal" disabled={phone.apps.notes.ui.draft.item.trim() === ''} on={add} />
    </div>
  );
  return (
    <Screen title={title} back actions={actions} below={below}>
      <Meta phone={phone} note={note} />
      {width(title) > FITS && <h2 class="note-title">{title}</h2>}
      <Body note={note} />
    </Screen>
  );
}

const Gone = () => <Screen title={t().app} back><Empty icon="note" text={t().nothingFound} /></Screen>;

export function NoteScreen({ phone, params }: ScreenProps) {
  const note = noteOf(phone, String(params['id']));
  if (!note) return <Gone />;
  return (
    <Page phone={phone} note={note} actions={[
      { icon: 'edit', label: note.checklist ? t().rename : t().edit, on: () => act.edit({ id: note.id }) },
      { icon: 'more', label: t().more, on: () => act.open({ screen: 'noteMenu', id: note.id }) },
    ]} />
  );
}

export function TrashedNote({ phone, params }: ScreenProps) {
  const note = noteOf(phone, String(params['id']));
  if (!note) return <Gone />;
  return (
    <Page phone={phone} note={note} actions={[
      { icon: 'restore', label: t().restore, on: () => act.restore({ ids: [note.id] }) },
      { icon: 'delete', label: t().deleteForever, on: () => act.open({ screen: 'deleteForever', id: note.id }) },
    ]} />
  );
}

export function NoteMenu({ phone, params }: ScreenProps) {
  const id = String(params['id']);
  const note = noteOf(phone, id);
  if (!note) return null;
  const ticked = { label: t().removeTicked, icon: 'checklist', on: () => act.removeTicked({ id }) } as const;
  const contact = { label: t().addContact, icon: 'person', on: () => act.addContact({ id }) } as const;
  const extra = note.checklist === null ? [contact] : note.checklist.some((i) => i.done) ? [ticked] : [];
  return (
    <Menu items={[
      { label: note.pinned ? t().unpin : t().pin, icon: 'pin', on: () => act.pin({ id }) },
      { label: t().move, icon: 'folder', on: () => act.instead({ screen: 'move', id }) },
      { label: t().color, icon: 'palette', on: () => act.instead({ screen: 'color', id }) },
      ...extra,
      { label: t().share, icon: 'share', on: () => act.share({ id }) },
      { label: t().copyText, icon: 'copy', on: () => act.copyText({ id }) },
      { label: t().duplicate, icon: 'note', on: () => act.duplicate({ id }) },
      { label: t().details, icon: 'info', on: () => act.instead({ screen: 'details', id }) },
      { label: t().toTrash, icon: 'delete', danger: true, on: () => act.trash({ ids: [id] }) },
    ]} />
  );
}
