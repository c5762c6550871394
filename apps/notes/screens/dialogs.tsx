/** Menus, sheets and dialogs over the lists and over one note. */
import type { ScreenProps } from '../../kernel/types';
import { os } from '../../kernel/os';
import { ChoiceRow, Dialog, Icon, Menu, Rows, Screen, Sheet } from '../../ui/kit';
import { act } from '../actions';
import { folderName, folders, fullText, longWhen, noteOf, wordCount } from '../select';
import type { NoteColor, NoteSort } from '../state';
import { t } from '../strings';

const cancel = () => ({ label: t().cancel, on: () => os.back({}) });

export function HomeMenu({ phone }: ScreenProps) {
  const grid = phone.apps.notes.data.view === 'grid';
  return (
    <Menu items={[
      { label: t().sort, icon: 'sort', on: () => act.instead({ screen: 'sort' }) },
      grid ? { label: t().list, icon: 'list', on: () => act.view({ view: 'list' }) }
        : { label: t().grid, icon: 'grid', on: () => act.view({ view: 'grid' }) },
      { label: t().select, icon: 'check', on: () => act.select({ id: '', folder: 'all' }) },
    ]} />
  );
}

export function Sort({ phone }: ScreenProps) {
  const kinds: NoteSort[] = ['modified', 'created', 'title'];
  return (
    <Dialog title={t().sort} actions={[cancel()]}>
      {kinds.map((k) => (
        <ChoiceRow key={k} id={k} kind="radio" label={t().sorts[k]} checked={phone.apps.notes.data.sort === k} on={() => act.sort({ by: k })} />
      ))}
    </Dialog>
  );
}

/** Moves the note named, or those selected where none is. */
export function Move({ phone, params }: ScreenProps) {
  const id = String(params['id']);
  const ids = id === '' ? phone.apps.notes.ui.selected : [id];
  const at = ids.length === 1 ? noteOf(phone, ids[0] ?? '')?.folder : undefined;
  const rows = [{ id: '', name: t().noFolder }, ...folders(phone)];
  return (
    <Screen title={t().move} back fab={{ icon: 'add', label: t().newFolder, on: () => act.nameFolder({ id: '', over: false }) }}>
      <Rows items={rows} row={(f) => (
        <ChoiceRow key={f.id} id={f.id || 'none'} kind="radio" label={f.name} checked={at === f.id} on={() => act.move({ ids, folder: f.id })} />
      )} />
    </Screen>
  );
}

export function ColorSheet({ phone, params }: ScreenProps) {
  const id = String(params['id']);
  const colors: NoteColor[] = ['none', 'red', 'yellow', 'green', 'blue', 'purple'];
  const now = noteOf(phone, id)?.color;
  return (
    <Sheet title={t().color}>
      {colors.map((c) => (
        <div key={c} class="row" role="radio" aria-label={t().colors[c]} aria-checked={c === now} data-key={c} onClick={() => act.color({ id, color: c })}>
          <span class={`note-swatch note-${c}`} />
          <span class="row-texts"><span class="row-label">{t().colors[c]}</span></span>
          {c === now && <Icon name="check" />}
        </div>
      ))}
    </Sheet>
  );
}

export function Details({ phone, params }: ScreenProps) {
  const note = noteOf(phone, String(params['id']));
  if (!note) return null;
  const size: [string, string] = note.checklist
    ? [t().itemCount, String(note.checklist.length)]
    : [t().charCount, String([...fullText(note)].length)];
  const facts: [string, string][] = [
    [t().created, longWhen(phone, note.created)],
    [t().modified, longWhen(phone, note.modified)],
    [t().folder, folderName(phone, note.folder)],
    [t().wordCount, String(wordCount(note))],
    size,
  ];
  return (
    <Dialog title={t().details} actions={[{ label: t().done, on: () => os.back({}) }]}>
      {facts.map(([name, value]) => <div key={name} class="note-fact"><span>{name}</span><span>{value}</span></div>)}
    </Dialog>
  );
}

/** Of the trashed note named, or of those selected where none is. */
export function DeleteForever({ phone, params }: ScreenProps) {
  const id = String(params['id']);
  const ids = id === '' ? phone.apps.notes.ui.selected : [id];
  return (
    <Dialog title={t().deleteForever} text={t().deleteForeverAsk} actions={[
      cancel(),
      { label: t().remove, kind: 'danger', on: () => act.deleteForever({ ids }) },
    ]} />
  );
}

export function EmptyTrash() {
  return (
    <Dialog title={t().emptyTrash} text={t().emptyTrashAsk} actions={[
      cancel(),
      { label: t().remove, kind: 'danger', on: () => act.emptyTrash({}) },
    ]} />
  );
}
