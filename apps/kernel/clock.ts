/** The virtual clock: moves on by gestures, and fires what has become due on the way. */
import { allApps, callNow } from './app';
import './os'; // its `toastGone` is called by name
import { commitSilently, getState } from './store';
import type { AppId, Timer } from './types';

/** Milliseconds of phone time that a gesture takes. */
export const GESTURE_MS = 1000;

/** A run-away timer that re-arms itself in the past would loop for ever. */
const MOST_TIMERS = 1000;

type Due = Timer & { app: AppId | 'os' };

function nextDue(until: number): Due | null {
  const state = getState();
  let next: Due | null = null;
  const toast = state.os.toast;
  if (toast && toast.until <= until) next = { app: 'os', action: 'toastGone', args: {}, at: toast.until };
  for (const app of allApps())
    for (const timer of app.timers?.(state) ?? [])
      if (timer.at <= until && (!next || timer.at < next.at)) next = { ...timer, app: app.id };
  return next;
}

/** Moves the clock by `ms`; timers fire in order of time, each with the clock standing at its own moment. */
export function advance(ms: number): void {
  const until = getState().os.clock.now + ms;
  for (let fired = 0; fired < MOST_TIMERS; fired++) {
    const due = nextDue(until);
    if (!due) break;
    commitSilently((phone) => {
      phone.os.clock.now = Math.max(phone.os.clock.now, due.at);
    });
    callNow({ app: due.app as AppId, action: due.action, args: due.args });
  }
  commitSilently((phone) => {
    phone.os.clock.now = until;
  });
}
