/** Folders: the notes in one, its menu, and the dialogs that name and delete it. */
import type { ScreenProps } from '../../kernel/types';
import { os } from '../../kernel/os';
import { Dialog, Menu, Screen, TextField } from '../../ui/kit';
import { act } from '../actions';
import { folderName, shownNotes } from '../select';
import { t } from '../strings';
import { NoteList } from './parts';

export function FolderScreen({ phone, params }: ScreenProps) {
  const id = String(params['id']);
  const more = { icon: 'more', label: t().more, on: () => act.open({ screen: 'folderMenu', id }) } as const;
  return (
    <Screen title={folderName(phone, id)} back actions={id === '' ? [] : [more]}
      fab={{ icon: 'add', label: t().newNote, on: () => act.create({ folder: id, kind: 'note' }) }}>
      <NoteList phone={phone} notes={shownNotes(phone, id)} folder={id === '' ? 'none' : id}
        grid={phone.apps.notes.data.view === 'grid'} empty={{ icon: 'folder', text: t().noNotesHere }} />
    </Screen>
  );
}

export function FolderMenu({ params }: ScreenProps) {
  const id = String(params['id']);
  return (
    <Menu items={[
      { label: t().renameFolder, icon: 'edit', on: () => act.nameFolder({ id, over: true }) },
      { label: t().deleteFolder, icon: 'delete', danger: true, on: () => act.instead({ screen: 'deleteFolder', id }) },
    ]} />
  );
}

export function FolderName({ phone, params }: ScreenProps) {
  const id = String(params['id']);
  const save = () => act.saveFolder({ id });
  const empty = phone.apps.notes.ui.draft.folderName.trim() === '';
  return (
    <Dialog title={id ? t().renameFolder : t().newFolder} actions={[
      { label: t().cancel, on: () => os.back({}) },
      { label: id ? t().save : t().create, disabled: empty, on: save },
    ]}>
      <TextField path="/apps/notes/ui/draft/folderName" label={t().folderName} onSubmit={save} />
    </Dialog>
  );
}

export function DeleteFolder({ phone, params }: ScreenProps) {
  const id = String(params['id']);
  return (
    <Dialog title={t().deleteFolder} text={`${folderName(phone, id)}: ${t().deleteFolderAsk}`} actions={[
      { label: t().cancel, on: () => os.back({}) },
      { label: t().remove, kind: 'danger', on: () => act.deleteFolder({ id }) },
    ]} />
  );
}
