/** What becomes due on the phone's clock: alarms, snoozes, the timer, and the end of a ringing that nobody heeds. */
import type { PhoneState, Timer } from '../kernel/types';
import { nextRing } from './select';

export function timers(phone: PhoneState): Timer[] {
  const { data, ui } = phone.apps.clock;
  const { now, zone } = phone.os.clock;
  const due: Timer[] = [];
  for (const alarm of Object.values(data.alarms)) {
    const args = { kind: 'alarm', id: alarm.id };
    if (alarm.snoozedUntil !== null) due.push({ at: alarm.snoozedUntil, action: 'ring', args });
    if (alarm.enabled) due.push({ at: nextRing(alarm, now, zone), action: 'ring', args });
  }
  if (data.timer.endsAt !== null) due.push({ at: data.timer.endsAt, action: 'ring', args: { kind: 'timer', id: '' } });
  if (ui.ringing) due.push({ at: ui.ringing.since + data.silenceMinutes * 60_000, action: 'silence', args: {} });
  return due;
}
