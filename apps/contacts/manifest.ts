/** Contacts. */
import { defineApp } from '../kernel/app';
import { Home } from './screens/home';

export const contacts = defineApp({
  id: 'contacts', name: { en: 'Contacts', zh: '通讯录' }, icon: 'person', color: '#1f7a6d', root: 'home',
  screens: { home: { view: Home } }, actions: {},
});
