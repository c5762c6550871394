/** Notes. */
import { defineApp } from '../kernel/app';
import { Home } from './screens/home';

defineApp({
  id: 'notes',
  name: { en: 'Notes', zh: '便签' },
  icon: 'note',
  color: '#f2b233',
  root: 'home',
  screens: { home: { view: Home } },
  actions: {},
});
