/** Contacts: the app. */
import { defineApp } from '../kernel/app';
import { open } from '../kernel/nav';
import { ContactMenu, ContactScreen, DeleteAsk } from './screens/contact';
import { EditContact } from './screens/edit';
import { ContactGroups, DeleteGroupAsk, GroupMenu, GroupScreen, MemberMenu, Members, NewGroup, RenameGroup } from './screens/group';
import { Home, HomeMenu } from './screens/home';
import { Duplicates, Merge, MergeAsk } from './screens/merge';
import { Pick } from './screens/pick';
import './actions';
import './contacts.css';

export const contacts = defineApp({
  id: 'contacts',
  name: { en: 'Contacts', zh: '通讯录' },
  icon: 'person',
  color: '#1f7a6d',
  root: 'home',
  screens: {
    home: { view: Home },
    menu: { view: HomeMenu, present: 'menu' },
    contact: { view: ContactScreen },
    contactMenu: { view: ContactMenu, present: 'menu' },
    deleteAsk: { view: DeleteAsk, present: 'dialog' },
    edit: { view: EditContact },
    contactGroups: { view: ContactGroups },
    group: { view: GroupScreen },
    groupMenu: { view: GroupMenu, present: 'menu' },
    memberMenu: { view: MemberMenu, present: 'sheet' },
    members: { view: Members },
    newGroup: { view: NewGroup, present: 'dialog' },
    renameGroup: { view: RenameGroup, present: 'dialog' },
    deleteGroupAsk: { view: DeleteGroupAsk, present: 'dialog' },
    merge: { view: Merge },
    mergeAsk: { view: MergeAsk, present: 'dialog' },
    duplicates: { view: Duplicates },
    pick: { view: Pick },
  },
  actions: {},
  intents: {
    'pick:contact': (phone) => {
      phone.apps.contacts.ui.find = '';
      open(phone, 'pick', { intent: true });
    },
    /** `text` is the contact's id. */
    'view:contact': (phone, intent) => {
      phone.os.intent = null;
      open(phone, 'contact', { id: intent.text ?? '' });
    },
  },
});
