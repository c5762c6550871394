/** What the clock does. */
import { defineActions } from '../kernel/app';
import { goHome, launch, notify, open, pop, toast } from '../kernel/nav';
import { dateParts } from '../kernel/dates';
import type { Args, Ctx, PhoneState } from '../kernel/types';
import { cityOf } from './cities';
import { inputSeconds, minuteText, nextRing, parseTime, sameDays, shortTime, spanText, stopwatchTime, timerLeft } from './select';
import type { Alarm, ClockState, Ringing, Sound, Weekday } from './state';
import { t } from './strings';

const DAY_MINUTES = 24 * 60;
const MOST_TIMER_SECONDS = 99 * 3600 + 59 * 60 + 59;

const data = (phone: PhoneState): ClockState['data'] => phone.apps.clock.data;
const ui = (phone: PhoneState): ClockState['ui'] => phone.apps.clock.ui;

function draftOf(phone: PhoneState): Alarm {
  const draft = ui(phone).draft;
  if (!draft) throw new Error('no alarm is being edited');
  return draft;
}

/** Opens the form over a copy, so that nothing changes until it is saved. */
function openForm(phone: PhoneState, alarm: Alarm): void {
  ui(phone).draft = { ...alarm, repeat: [...alarm.repeat] };
  ui(phone).time = minuteText(phone, alarm.minute);
  open(phone, 'alarm');
}

function sayWhen(phone: PhoneState, alarm: Alarm): void {
  const { now, zone } = phone.os.clock;
  toast(phone, t().ringsIn(spanText(nextRing(alarm, now, zone) - now)));
}

/** Writes only what differs, so that the event names just the fields that changed. */
function merge(alarm: Alarm, next: Alarm): void {
  const { repeat, ...rest } = next;
  Object.assign(alarm, rest);
  if (!sameDays(alarm.repeat, repeat)) alarm.repeat = [...repeat];
}

function removeAlarm(phone: PhoneState, id: string): void {
  delete data(phone).alarms[id];
  if (ui(phone).ringing?.id === id) quiet(phone);
  toast(phone, t().deleted);
}

/** Ends the ringing: its screen and its notification go, and what was in front comes back. */
function quiet(phone: PhoneState): void {
  const ringing = ui(phone).ringing;
  if (!ringing) return;
  ui(phone).ringing = null;
  const stack = phone.os.nav.stacks.clock ?? [];
  const shown = phone.os.nav.active === 'clock' && stack.at(-1)?.screen === 'ringing';
  phone.os.nav.stacks.clock = stack.filter((r) => r.screen !== 'ringing');
  if (phone.os.nav.stacks.clock.length === 0) delete phone.os.nav.stacks.clock;
  for (const n of Object.values(phone.os.notifications))
    if (n.app === 'clock' && n.route?.screen === 'ringing') delete phone.os.notifications[n.id];
  if (!shown) return;
  if (ringing.over === 'launcher') goHome(phone);
  else launch(phone, ringing.over);
}

/** What rings has been heard: an alarm for once is done with, and so is the timer. */
function over(phone: PhoneState): void {
  const ringing = ui(phone).ringing;
  const alarm = ringing && data(phone).alarms[ringing.id];
  if (ringing?.kind === 'timer') data(phone).timer.left = null;
  else if (alarm && alarm.repeat.length === 0 && alarm.snoozedUntil === null) alarm.enabled = false;
}

function ringingTitle(phone: PhoneState, ringing: Ringing): string {
  if (ringing.kind === 'timer') return data(phone).timer.label || t().timerDone;
  return data(phone).alarms[ringing.id]?.label || t().alarm;
}

function beginRinging(phone: PhoneState, kind: Ringing['kind'], id: string, ctx: Ctx): void {
  const before = ui(phone).ringing;
  const over = before ? before.over : phone.os.nav.active;
  ui(phone).ringing = { kind, id, since: phone.os.clock.now, over };
  const at = shortTime(phone, phone.os.clock.now);
  const title = ringingTitle(phone, ui(phone).ringing as Ringing);
  notify(phone, ctx, { app: 'clock', title, text: at, route: { screen: 'ringing', params: {} } });
  if (phone.os.nav.stacks.clock?.at(-1)?.screen === 'ringing') launch(phone, 'clock');
  else open(phone, 'ringing', {}, 'clock');
}

function startTimer(phone: PhoneState, seconds: number): void {
  const timer = data(phone).timer;
  if (seconds <= 0) return;
  timer.duration = Math.min(seconds, MOST_TIMER_SECONDS);
  timer.endsAt = phone.os.clock.now + timer.duration * 1000;
  timer.left = null;
}

export const act = defineActions('clock', {
  tab(phone, { tab }: { tab: ClockState['ui']['tab'] }) {
    ui(phone).tab = tab;
    delete phone.os.scroll['clock/home/main'];
  },
  openSettings: (phone) => open(phone, 'settings'),

  // Alarms

  newAlarm(phone, _args: Args, ctx) {
    const p = dateParts(ctx.now, phone.os.clock.zone);
    const minute = ((p.hour + 1) * 60) % DAY_MINUTES;
    const sound = data(phone).defaultSound;
    openForm(phone, { id: '', minute, label: '', enabled: true, repeat: [], vibrate: true, sound, snoozedUntil: null });
  },
  editAlarm(phone, { id }: { id: string }) {
    const alarm = data(phone).alarms[id];
    if (alarm) openForm(phone, alarm);
  },
  toggleAlarm(phone, { id }: { id: string }) {
    const alarm = data(phone).alarms[id];
    if (!alarm) return;
    alarm.enabled = !alarm.enabled;
    alarm.snoozedUntil = null;
    if (alarm.enabled) sayWhen(phone, alarm);
  },
  alarmMenu: (phone, { id }: { id: string }) => open(phone, 'alarmMenu', { id }),
  menuEdit(phone, { id }: { id: string }) {
    pop(phone);
    const alarm = data(phone).alarms[id];
    if (alarm) openForm(phone, alarm);
  },
  duplicateAlarm(phone, { id }: { id: string }, ctx) {
    const alarm = data(phone).alarms[id];
    if (!alarm) return;
    pop(phone);
    const copy = { ...alarm, id: ctx.id('a'), repeat: [...alarm.repeat], snoozedUntil: null };
    data(phone).alarms[copy.id] = copy;
  },
  deleteAlarm(phone, { id }: { id: string }) {
    pop(phone);
    removeAlarm(phone, id);
  },
  cancelSnooze(phone, { id }: { id: string }) {
    const alarm = data(phone).alarms[id];
    if (alarm) alarm.snoozedUntil = null;
    pop(phone);
  },
  moveTime(phone, { minutes }: { minutes: number }) {
    const at = parseTime(ui(phone).time) ?? draftOf(phone).minute;
    const small = Math.abs(minutes) < 60;
    const onGrid = minutes < 0 ? Math.ceil(at / 5) * 5 : Math.floor(at / 5) * 5;
    const next = ((small ? onGrid : at) + minutes + DAY_MINUTES) % DAY_MINUTES;
    ui(phone).time = minuteText(phone, next);
    if (phone.os.focus?.path === '/apps/clock/ui/time') phone.os.focus.cursor = ui(phone).time.length;
  },
  toggleDay(phone, { day }: { day: Weekday }) {
    const draft = draftOf(phone);
    const days = draft.repeat.includes(day) ? draft.repeat.filter((d) => d !== day) : [...draft.repeat, day];
    draft.repeat = days.sort((a, b) => a - b);
  },
  setDays(phone, { days }: { days: Weekday[] }) {
    const draft = draftOf(phone);
    draft.repeat = sameDays(draft.repeat, days) ? [] : [...days];
  },
  chooseSound: (phone) => open(phone, 'sound'),
  setSound(phone, { sound }: { sound: Sound }) {
    draftOf(phone).sound = sound;
    pop(phone);
  },
  toggleVibrate(phone) {
    draftOf(phone).vibrate = !draftOf(phone).vibrate;
  },
  saveAlarm(phone, _args: Args, ctx) {
    const draft = draftOf(phone);
    const minute = parseTime(ui(phone).time);
    if (minute === null) return toast(phone, t().timeHint);
    const next = { ...draft, minute, label: draft.label.trim(), repeat: [...draft.repeat], enabled: true, snoozedUntil: null };
    const known = data(phone).alarms[draft.id];
    if (known) merge(known, next);
    else {
      next.id = ctx.id('a');
      data(phone).alarms[next.id] = next;
    }
    ui(phone).draft = null;
    pop(phone);
    sayWhen(phone, next);
  },
  deleteDraft(phone) {
    const { id } = draftOf(phone);
    ui(phone).draft = null;
    pop(phone);
    removeAlarm(phone, id);
  },

  // Ringing

  ring(phone, { kind, id }: { kind: Ringing['kind']; id: string }, ctx) {
    if (ui(phone).ringing) over(phone);
    if (kind === 'timer') {
      data(phone).timer.endsAt = null;
      data(phone).timer.left = 0;
    } else {
      const alarm = data(phone).alarms[id];
      if (!alarm) return;
      alarm.snoozedUntil = null;
    }
    beginRinging(phone, kind, id, ctx);
  },
  showRinging: (phone) => open(phone, 'ringing'),
  stop(phone) {
    over(phone);
    quiet(phone);
  },
  snooze(phone) {
    const ringing = ui(phone).ringing;
    const alarm = ringing && data(phone).alarms[ringing.id];
    if (!alarm) return;
    alarm.snoozedUntil = phone.os.clock.now + data(phone).snoozeMinutes * 60_000;
    toast(phone, t().snoozedUntil(shortTime(phone, alarm.snoozedUntil)));
    quiet(phone);
  },
  oneMoreMinute(phone) {
    startTimer(phone, 60);
    quiet(phone);
  },
  /** Nobody came: it falls silent and leaves a word. */
  silence(phone, _args: Args, ctx) {
    const ringing = ui(phone).ringing;
    if (!ringing) return;
    const title = ringing.kind === 'timer' ? t().missedTimer : t().missed;
    const text = `${shortTime(phone, ringing.since)} · ${ringingTitle(phone, ringing)}`;
    over(phone);
    quiet(phone);
    notify(phone, ctx, { app: 'clock', title, text, route: { screen: 'home', params: {} } });
  },

  // World clock

  addCityScreen(phone) {
    ui(phone).search = '';
    open(phone, 'addCity');
  },
  addCity(phone, { id }: { id: string }) {
    const [cities, name] = [data(phone).cities, cityOf(id).name[phone.os.locale]];
    if (cities.includes(id)) return toast(phone, t().cityThere(name));
    cities.push(id);
    pop(phone);
    ui(phone).search = '';
    toast(phone, t().added(name));
  },
  cityMenu: (phone, { id }: { id: string }) => open(phone, 'cityMenu', { id }),
  removeCity(phone, { id }: { id: string }) {
    data(phone).cities = data(phone).cities.filter((c) => c !== id);
    pop(phone);
    toast(phone, t().removed(cityOf(id).name[phone.os.locale]));
  },
  /** Moves a city up (negative) or down by some places. */
  moveCity(phone, { id, by }: { id: string; by: number }) {
    const others = data(phone).cities.filter((c) => c !== id);
    const at = Math.max(0, Math.min(others.length, data(phone).cities.indexOf(id) + by));
    data(phone).cities = [...others.slice(0, at), id, ...others.slice(at)];
    pop(phone);
  },

  // Timer

  timerDigit(phone, { digits }: { digits: string }) {
    ui(phone).timerInput = `${ui(phone).timerInput}${digits}`.replace(/^0+/, '').slice(0, 6);
  },
  timerErase(phone) {
    ui(phone).timerInput = ui(phone).timerInput.slice(0, -1);
  },
  timerClear(phone) {
    ui(phone).timerInput = '';
  },
  timerStart(phone) {
    startTimer(phone, inputSeconds(ui(phone).timerInput));
    ui(phone).timerInput = '';
  },
  timerPreset(phone, { minutes }: { minutes: number }) {
    startTimer(phone, minutes * 60);
    ui(phone).timerInput = '';
  },
  timerPause(phone) {
    const timer = data(phone).timer;
    if (timer.endsAt === null) return;
    timer.left = timerLeft(phone);
    timer.endsAt = null;
  },
  timerResume(phone) {
    const timer = data(phone).timer;
    if (!timer.left) return;
    timer.endsAt = phone.os.clock.now + timer.left * 1000;
    timer.left = null;
  },
  timerReset(phone) {
    data(phone).timer.endsAt = null;
    data(phone).timer.left = null;
    data(phone).timer.label = '';
    if (ui(phone).ringing?.kind === 'timer') quiet(phone);
  },
  timerMore(phone) {
    const timer = data(phone).timer;
    timer.duration += 60;
    if (timer.endsAt !== null) timer.endsAt += 60_000;
    else if (timer.left !== null) timer.left += 60;
  },
  timerLabelDialog(phone) {
    ui(phone).timerLabel = data(phone).timer.label;
    open(phone, 'timerLabel');
  },
  timerLabel(phone) {
    data(phone).timer.label = ui(phone).timerLabel.trim();
    pop(phone);
  },

  // Stopwatch

  watchStart(phone) {
    data(phone).stopwatch.startedAt ??= phone.os.clock.now;
  },
  watchPause(phone) {
    data(phone).stopwatch.elapsed = stopwatchTime(phone);
    data(phone).stopwatch.startedAt = null;
  },
  watchLap(phone) {
    const total = stopwatchTime(phone);
    if (total > (data(phone).stopwatch.laps.at(-1) ?? 0)) data(phone).stopwatch.laps.push(total);
  },
  watchReset(phone) {
    data(phone).stopwatch = { startedAt: null, elapsed: 0, laps: [] };
  },

  // Settings

  chooseSetting: (phone, { screen }: { screen: string }) => open(phone, screen),
  setSnooze(phone, { minutes }: { minutes: number }) {
    data(phone).snoozeMinutes = minutes;
    pop(phone);
  },
  setSilence(phone, { minutes }: { minutes: number }) {
    data(phone).silenceMinutes = minutes;
    pop(phone);
  },
  setDefaultSound(phone, { sound }: { sound: Sound }) {
    data(phone).defaultSound = sound;
    pop(phone);
  },
});
