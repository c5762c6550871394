/** Clock. */
import { defineApp } from '../kernel/app';
import { Home } from './screens/home';

export const clock = defineApp({
  id: 'clock', name: { en: 'Clock', zh: '时钟' }, icon: 'alarm', color: '#3a4a8c', root: 'home',
  screens: { home: { view: Home } }, actions: {},
});
