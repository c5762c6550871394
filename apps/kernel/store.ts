/** The one store: holds the state, applies named actions to it, logs what they changed. */
import { enablePatches, produceWithPatches, setAutoFreeze } from 'immer';
import { uniform } from './random';
import type { Action, Args, Ctx, PhoneEvent, PhoneState } from './types';

enablePatches();
setAutoFreeze(false);

let state: PhoneState;
let log: PhoneEvent[] = [];
let step = 0;
let seq = 0;
let listener: () => void = () => undefined;

export const getState = (): PhoneState => state;
export const getStep = (): number => step;
export const getSeq = (): number => seq;
export const eventsSince = (since: number): PhoneEvent[] => log.filter((e) => e.seq >= since);

export function subscribe(onChange: () => void): void {
  listener = onChange;
}

/** Replaces everything: no event of the life before remains. Where the new state cannot be drawn, nothing has changed. */
export function replaceState(next: PhoneState): void {
  const before = { state, log, step, seq };
  [state, log, step, seq] = [next, [], 0, 0];
  try {
    listener();
  } catch (error) {
    ({ state, log, step, seq } = before);
    if (state) listener();
    throw error;
  }
}

export function closeStep(): void {
  step += 1;
}

function pointer(path: (string | number)[]): string {
  return '/' + path.map((p) => String(p).replace(/~/g, '~0').replace(/\//g, '~1')).join('/');
}

function context(draft: PhoneState): Ctx {
  return {
    now: draft.os.clock.now,
    id: (prefix) => `${prefix}${++draft.os.random}`,
    random: () => uniform(++draft.os.random),
  };
}

/** Applies one action, logs it with the paths it changed, and renders. An action that changes nothing leaves no line. */
export function commit(app: string, name: string, action: Action<never>, args: Args): void {
  const run = action as unknown as Action;
  const [next, patches] = produceWithPatches(state, (draft) => {
    run(draft as PhoneState, args, context(draft as PhoneState));
  });
  if (patches.length === 0) return;
  state = next;
  log.push({
    seq: seq++,
    step,
    app,
    action: name,
    args,
    paths: patches.map((p) => pointer(p.path)),
    at: state.os.clock.now,
  });
  listener();
}

/** A change that is no event of its own, like the middle of a scroll. */
export function commitSilently(change: (phone: PhoneState) => void): void {
  const [next, patches] = produceWithPatches(state, (draft) => change(draft as PhoneState));
  if (patches.length === 0) return;
  state = next;
  listener();
}
