/** `window.phone`: the only global of the page. Text in, text out, so that one string crosses the DevTools protocol. */
import { allApps } from './app';
import { advance, GESTURE_MS } from './clock';
import { enter } from './field';
import { goBack, goHome, launch } from './nav';
import { os } from './os';
import { hold } from './pointer';
import { closeStep, commit, eventsSince, getSeq, getState, getStep, replaceState } from './store';
import { tree } from './tree';
import type { Gesture, Json, PhoneState } from './types';

const MOST_WAIT_SECONDS = 3600;

export interface PhoneApi {
  build: string;
  load(catalogues: string): void;
  restore(state: string): string;
  snapshot(): string;
  events(since: number): string;
  tree(): string;
  settled(): Promise<string>;
  input(gesture: string): string;
}

const catalogues: { [hash: string]: Json } = {};

/** A large read-only data set by its content hash, as the state refers to it. */
export function catalogue(hash: string): Json {
  const found = catalogues[hash];
  if (found === undefined) throw new Error(`catalogue ${hash} is not loaded; call phone.load first`);
  return found;
}

function openByName(name: string): void {
  const wanted = name.trim().toLowerCase();
  const app = allApps().find((a) => a.id === wanted || Object.values(a.name).some((n) => n.toLowerCase() === wanted));
  if (app) commit('os', 'launch', (phone) => launch(phone, app.id), { app: app.id });
}

function perform(root: HTMLElement, gesture: Gesture): number {
  switch (gesture.kind) {
    case 'enter':
      enter(root);
      break;
    case 'back':
      commit('os', 'back', (phone) => goBack(phone), {});
      break;
    case 'home':
      commit('os', 'home', (phone) => goHome(phone), {});
      break;
    case 'recents':
      os.overlay({ overlay: getState().os.overlay === 'recents' ? 'none' : 'recents' });
      break;
    case 'open_app':
      openByName(gesture.name);
      break;
    case 'wait':
      return Math.round(Math.max(0, Math.min(MOST_WAIT_SECONDS, gesture.seconds)) * 1000);
  }
  return GESTURE_MS;
}

function input(root: HTMLElement, gesture: Gesture): string {
  if (gesture.kind === 'hold') hold();
  else {
    advance(perform(root, gesture));
    closeStep();
  }
  return JSON.stringify({ step: getStep(), seq: getSeq() });
}

function restore(text: string): string {
  const state = JSON.parse(text) as PhoneState;
  if (state.version !== 1) throw new Error(`/version: got ${String(state.version)}, this phone reads 1`);
  replaceState(state);
  return 'ok';
}

export function install(root: HTMLElement, build: string): PhoneApi {
  const api: PhoneApi = {
    build,
    load: (text) => void Object.assign(catalogues, JSON.parse(text)),
    restore,
    snapshot: () => JSON.stringify(getState()),
    events: (since) => JSON.stringify(eventsSince(since)),
    tree: () => JSON.stringify(tree(root)),
    settled: async () => {
      root.getBoundingClientRect(); // layout asks for the fonts that the text needs
      await document.fonts.ready;
      return JSON.stringify({ step: getStep(), seq: getSeq() });
    },
    input: (gesture) => input(root, JSON.parse(gesture) as Gesture),
  };
  Object.defineProperty(window, 'phone', { value: Object.freeze(api) });
  return api;
}
