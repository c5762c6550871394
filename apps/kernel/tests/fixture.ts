/** A small phone for tests: every system field at its plainest, and one app with a bell that rings by the clock. */
import { defineActions, defineApp } from '../app';
import { notify, open, pop, startIntent, toast } from '../nav';
import type { App, Args, OsState, PhoneState } from '../types';

/** 2026-03-02 09:00 UTC, a Monday. */
export const NOW = Date.UTC(2026, 2, 2, 9);

interface Bench {
  text: string;
  bells: { [id: string]: { at: number; rung: number | null } };
  got: string;
}

export const bench = (phone: PhoneState): Bench => (phone.apps as unknown as { clock: Bench }).clock;

const blank = (): null => null;

export const acts = defineActions('clock', {
  ring(phone, { id }: { id: string }, ctx) {
    const bell = bench(phone).bells[id];
    if (bell) bell.rung = ctx.now;
  },
  say(phone, { text }: { text: string }) {
    toast(phone, text);
  },
  nothing: () => undefined,
  mint(phone, _args: Args, ctx) {
    bench(phone).text = `${ctx.id('n')} ${ctx.random()}`;
  },
  go(phone, { screen }: { screen: string }) {
    open(phone, screen);
  },
  leave(phone) {
    pop(phone);
  },
  share(phone, { text }: { text: string }, ctx) {
    startIntent(phone, { kind: 'share', from: 'clock', type: 'text', text }, ['notes'], ctx);
  },
  tell(phone, _args: Args, ctx) {
    notify(phone, ctx, { app: 'clock', title: 'Bell', text: '' });
  },
  granted(phone) {
    bench(phone).got = 'granted';
  },
});

const screens: App['screens'] = { home: { view: blank }, item: { view: blank }, ask: { view: blank, present: 'dialog' } };

defineApp({
  id: 'clock', name: { en: 'Clock', zh: '时钟' }, icon: 'clock', color: '#333', root: 'home', screens, actions: {},
  timers: (phone) =>
    Object.entries(bench(phone).bells)
      .filter(([, bell]) => bell.rung === null)
      .map(([id, bell]) => ({ at: bell.at, action: 'ring', args: { id } })),
});
defineApp({
  id: 'notes', name: { en: 'Notes', zh: '便签' }, icon: 'notes', color: '#333', root: 'home', screens, actions: {},
  intents: { 'share:text': (phone, intent) => { bench(phone).got = intent.text ?? ''; open(phone, 'item'); } },
});

const settings: OsState['settings'] = {
  wifi: true, wifiNetwork: 'Larch', bluetooth: true, mobileData: true, airplane: false, hotspot: false, location: true,
  flashlight: false, batterySaver: false, darkMode: false, brightness: 80, adaptiveBrightness: false, fontScale: 1,
  screenTimeout: 60, autoRotate: true, soundMode: 'sound', volume: { media: 50, ring: 50, alarm: 50, notifications: 50 },
  ringtone: 'Dawn', doNotDisturb: false, hour24: true, autoTime: true,
};

export function phone(os: Partial<OsState> = {}, bells: Bench['bells'] = {}): PhoneState {
  const apps = { clock: { text: '', bells, got: '' } };
  return {
    version: 1,
    os: {
      clock: { now: NOW, zone: 'UTC' }, locale: 'en', random: 7,
      nav: { active: 'launcher', stacks: {}, recents: [] },
      overlay: 'none', launcher: { page: 0, order: ['clock', 'notes'], dock: [], search: null },
      scroll: {}, focus: null, keyboard: { layer: 'letters', pinyin: '' }, dialog: null, intent: null, toast: null,
      notifications: {}, permissions: {}, clipboard: '', settings: structuredClone(settings), ...os,
    },
    apps,
  } as unknown as PhoneState;
}
