/** Clock: the app. */
import { defineApp } from '../kernel/app';
import { AlarmForm } from './screens/alarm';
import { AlarmMenu } from './screens/alarms';
import { AlarmSound, DefaultSound, SilenceAfter, SnoozeLength } from './screens/choices';
import { Home } from './screens/home';
import { RingingScreen } from './screens/ringing';
import { ClockSettings } from './screens/settings';
import { TimerLabel } from './screens/timer';
import { AddCity, CityMenu } from './screens/world';
import { timers } from './timers';
import './actions';
import './clock.css';

export const clock = defineApp({
  id: 'clock',
  name: { en: 'Clock', zh: '时钟' },
  icon: 'alarm',
  color: '#3a4a8c',
  root: 'home',
  screens: {
    home: { view: Home },
    alarm: { view: AlarmForm },
    sound: { view: AlarmSound },
    alarmMenu: { view: AlarmMenu, present: 'sheet' },
    ringing: { view: RingingScreen },
    addCity: { view: AddCity },
    cityMenu: { view: CityMenu, present: 'sheet' },
    timerLabel: { view: TimerLabel, present: 'dialog' },
    settings: { view: ClockSettings },
    defaultSound: { view: DefaultSound },
    snoozeLength: { view: SnoozeLength, present: 'dialog' },
    silenceAfter: { view: SilenceAfter, present: 'dialog' },
  },
  actions: {},
  timers,
  permissions: ['notifications'],
});
