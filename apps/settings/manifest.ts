/** Settings. */
import { defineApp } from '../kernel/app';
import { Home } from './screens/home';

defineApp({
  id: 'settings',
  name: { en: 'Settings', zh: '设置' },
  icon: 'settings',
  color: '#5f6b7a',
  root: 'home',
  screens: { home: { view: Home } },
  actions: {},
});
