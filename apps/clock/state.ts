/** Clock: alarms, world clock, timer and stopwatch. */
import type { AppId } from '../state';

/** Monday is 0. */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

export type Sound = 'dawn' | 'tide' | 'bell' | 'marimba' | 'birds' | 'pulse' | 'silent';

export interface Alarm {
  id: string;
  /** Minutes after midnight, 0..1439, in the phone's zone. */
  minute: number;
  label: string;
  enabled: boolean;
  /** Empty: once, at the next occurrence. Sorted. */
  repeat: Weekday[];
  vibrate: boolean;
  sound: Sound;
  /** Unix milliseconds of a pending snooze. */
  snoozedUntil: number | null;
}

export interface Ringing {
  kind: 'alarm' | 'timer';
  /** The alarm's id; '' for the timer. */
  id: string;
  /** Unix milliseconds at which it began. */
  since: number;
  /** What was in front then, to return to. */
  over: AppId | 'launcher';
}

export interface ClockState {
  data: {
    alarms: { [id: string]: Alarm };
    /** City ids of the world clock, in shown order. */
    cities: string[];
    timer: {
      /** Seconds set. */
      duration: number;
      /** Unix milliseconds at which it ends, while running. */
      endsAt: number | null;
      /** Seconds left, while paused; 0 while it rings. */
      left: number | null;
      label: string;
    };
    stopwatch: {
      /** Unix milliseconds of the last start, while running. */
      startedAt: number | null;
      /** Milliseconds collected before the last start. */
      elapsed: number;
      /** Lap end marks, milliseconds of elapsed time, ascending. */
      laps: number[];
    };
    /** Minutes a snooze lasts. */
    snoozeMinutes: number;
    /** Minutes after which what rings falls silent by itself. */
    silenceMinutes: number;
    /** Sound of a new alarm, and of the timer. */
    defaultSound: Sound;
  };
  ui: {
    tab: 'alarms' | 'world' | 'timer' | 'stopwatch';
    /** The alarm being edited; its id is '' for a new one. */
    draft: Alarm | null;
    /** The time of the draft, as it stands in its field. */
    time: string;
    search: string;
    /** Digits typed on the timer's keypad, at most six: hhmmss. */
    timerInput: string;
    timerLabel: string;
    /** The alarm or timer that is ringing now. */
    ringing: Ringing | null;
  };
}
