/** Notes: installs the app. */
import { defineApp } from '../kernel/app';
import type { PhoneState, Timer } from '../kernel/types';
import { inTrashUntil, receiveText } from './actions';
import './notes.css';
import { ColorSheet, DeleteForever, Details, EmptyTrash, HomeMenu, Move, Sort } from './screens/dialogs';
import { Edit } from './screens/edit';
import { DeleteFolder, FolderMenu, FolderName, FolderScreen } from './screens/folder';
import { Home } from './screens/home';
import { ItemDialog, ItemMenu } from './screens/items';
import { NoteMenu, NoteScreen, TrashedNote } from './screens/note';
import { Search } from './screens/search';
import { Select } from './screens/select';

function timers(phone: PhoneState): Timer[] {
  return Object.values(phone.apps.notes.data.notes)
    .filter((n) => n.trashed !== null)
    .map((n) => ({ at: inTrashUntil(n), action: 'purge', args: { id: n.id } }));
}

defineApp({
  id: 'notes',
  name: { en: 'Notes', zh: '便签' },
  icon: 'notes',
  color: '#e0a21b',
  root: 'home',
  screens: {
    home: { view: Home },
    homeMenu: { view: HomeMenu, present: 'menu' },
    sort: { view: Sort, present: 'dialog' },
    search: { view: Search },
    select: { view: Select },
    folder: { view: FolderScreen },
    folderMenu: { view: FolderMenu, present: 'menu' },
    folderName: { view: FolderName, present: 'dialog' },
    deleteFolder: { view: DeleteFolder, present: 'dialog' },
    note: { view: NoteScreen },
    noteMenu: { view: NoteMenu, present: 'menu' },
    edit: { view: Edit },
    itemMenu: { view: ItemMenu, present: 'menu' },
    item: { view: ItemDialog, present: 'dialog' },
    move: { view: Move },
    color: { view: ColorSheet, present: 'sheet' },
    details: { view: Details, present: 'dialog' },
    trashed: { view: TrashedNote },
    deleteForever: { view: DeleteForever, present: 'dialog' },
    emptyTrash: { view: EmptyTrash, present: 'dialog' },
  },
  actions: {},
  timers,
  intents: { 'share:text': receiveText },
  permissions: ['notifications', 'contacts'],
});
