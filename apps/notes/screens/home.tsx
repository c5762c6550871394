/** The app's three tabs: notes, folders, trash. */
import type { PhoneState, ScreenProps } from '../../kernel/types';
import { IconButton, Empty, Row, Rows, Screen, type BarAction } from '../../ui/kit';
import { act } from '../actions';
import { countIn, folders, shownNotes, trashedNotes } from '../select';
import type { Folder, NotesState } from '../state';
import { t } from '../strings';
import { NoteList, Own } from './parts';

type Tab = NotesState['ui']['tab'];

function Folders({ phone }: { phone: PhoneState }) {
  const row = (f: Folder) => (
    <Row key={f.id} id={f.id} icon="folder" label={f.name} sub={t().count(countIn(phone, f.id))}
      trail={<Own><IconButton icon="more" label={t().folderMenu(f.name)} on={() => act.open({ screen: 'folderMenu', id: f.id })} /></Own>}
      on={() => act.open({ screen: 'folder', id: f.id })} />
  );
  const known = folders(phone);
  if (known.length === 0) return <Empty icon="folder" text={t().noFolders} />;
  const loose = (
    <Row id="none" icon="note" label={t().noFolder} sub={t().count(countIn(phone, ''))} on={() => act.open({ screen: 'folder', id: '' })} />
  );
  return <Rows items={known} head={{ height: 64, view: loose }} row={row} />;
}

function Body({ phone, tab }: { phone: PhoneState; tab: Tab }) {
  if (tab === 'folders') return <Folders phone={phone} />;
  if (tab === 'trash') {
    const hint = { height: 64, view: <div class="note-hint">{t().trashHint}</div> };
    return <NoteList phone={phone} notes={trashedNotes(phone)} folder="trash" head={hint} empty={{ icon: 'delete', text: t().trashEmpty }} />;
  }
  const grid = phone.apps.notes.data.view === 'grid';
  return <NoteList phone={phone} notes={shownNotes(phone)} folder="all" grid={grid} empty={{ icon: 'note', text: t().noNotes }} />;
}

function actionsOf(phone: PhoneState, tab: Tab): BarAction[] {
  const find: BarAction = { icon: 'search', label: t().search, on: () => act.openSearch({}) };
  if (tab === 'folders') return [find];
  if (tab === 'trash') {
    const nothing = trashedNotes(phone).length === 0;
    return [{ icon: 'delete', label: t().emptyTrash, disabled: nothing, on: () => act.open({ screen: 'emptyTrash' }) }];
  }
  return [
    { icon: 'checklist', label: t().newChecklist, on: () => act.create({ folder: '', kind: 'checklist' }) },
    find,
    { icon: 'more', label: t().more, on: () => act.open({ screen: 'homeMenu' }) },
  ];
}

function fabOf(tab: Tab) {
  if (tab === 'notes') return { icon: 'add', label: t().newNote, on: () => act.create({ folder: '', kind: 'note' }) } as const;
  if (tab === 'folders') return { icon: 'add', label: t().newFolder, on: () => act.nameFolder({ id: '', over: false }) } as const;
  return undefined;
}

export function Home({ phone }: ScreenProps) {
  const tab = phone.apps.notes.ui.tab;
  const items = [
    { id: 'notes', icon: 'note', label: t().tabs.notes },
    { id: 'folders', icon: 'folder', label: t().tabs.folders },
    { id: 'trash', icon: 'delete', label: t().tabs.trash },
  ] as const;
  return (
    <Screen title={t().tabs[tab]} actions={actionsOf(phone, tab)} fab={fabOf(tab)}
      tabs={{ items: [...items], active: tab, on: (id) => act.tab({ tab: id as Tab }) }}>
      <Body phone={phone} tab={tab} />
    </Screen>
  );
}
