/** Clock: alarms, world clock, timer and stopwatch. */

/** Monday is 0. */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

export interface Alarm {
  id: string;
  /** Minutes after midnight, 0..1439, in the phone's zone. */
  minute: number;
  label: string;
  enabled: boolean;
  /** Empty: once, at the next occurrence. Sorted. */
  repeat: Weekday[];
  vibrate: boolean;
  sound: string;
  /** Unix milliseconds of a pending snooze. */
  snoozedUntil: number | null;
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
      /** Seconds left, while paused. */
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
  };
  ui: {
    tab: 'alarms' | 'world' | 'timer' | 'stopwatch';
    /** The alarm being edited; its id is '' for a new one. */
    draft: Alarm | null;
    search: string;
    timerInput: string;
    /** The alarm or timer that is ringing now. */
    ringing: { kind: 'alarm' | 'timer'; id: string } | null;
  };
}
