/** Timer: a keypad until it is started, a dial while it runs. */
import { Button, Dialog, Icon, TextField } from '../../ui/kit';
import { os } from '../../kernel/os';
import type { PhoneState } from '../../kernel/types';
import { act } from '../actions';
import { countText, inputSeconds, shortTime, timerLeft } from '../select';
import { t } from '../strings';

const PRESETS = [1, 5, 10, 30];
const R = 122;
const ROUND = 2 * Math.PI * R;

function Keypad({ digits }: { digits: string }) {
  const full = digits.padStart(6, '0');
  const text = [full.slice(0, 2), full.slice(2, 4), full.slice(4)];
  const key = (label: string) => (
    <button key={label} role="button" aria-label={label} onClick={() => act.timerDigit({ digits: label })}>{label}</button>
  );
  return (
    <>
      <div class={digits ? 'timer-input set' : 'timer-input'}>
        <b>{text[0]}</b><i>{t().h}</i><b>{text[1]}</b><i>{t().m}</i><b>{text[2]}</b><i>{t().s}</i>
      </div>
      <div class="even">
        {PRESETS.map((n) => <button key={n} role="button" aria-label={t().minutes(n)} onClick={() => act.timerPreset({ minutes: n })}>{t().minutes(n)}</button>)}
      </div>
      <div class="pad">
        {['1', '2', '3', '4', '5', '6', '7', '8', '9', '00', '0'].map(key)}
        <button class="soft" role="button" aria-label={t().erase} onClick={() => act.timerErase({})} onHold={() => act.timerClear({})}><Icon name="backspace" /></button>
      </div>
      <div class="big-buttons">
        <Button label={t().start} icon="play" disabled={inputSeconds(digits) === 0} on={() => act.timerStart({})} />
      </div>
    </>
  );
}

function Dial({ share, text, lines }: { share: number; text: string; lines: string[] }) {
  return (
    <div class="dial">
      <svg width="264" height="264" viewBox="0 0 264 264" aria-hidden="true">
        <circle cx="132" cy="132" r={R} fill="none" stroke="var(--surface-3)" stroke-width="8" />
        <circle cx="132" cy="132" r={R} fill="none" stroke="var(--primary)" stroke-width="8" stroke-linecap="round"
          stroke-dasharray={`${(share * ROUND).toFixed(1)} ${ROUND.toFixed(1)}`} transform="rotate(-90 132 132)" />
      </svg>
      <div class="dial-texts">
        <b class={text.length > 5 ? 'long' : ''}>{text}</b>
        {lines.map((line) => <span key={line}>{line}</span>)}
      </div>
    </div>
  );
}

function Running({ phone }: { phone: PhoneState }) {
  const timer = phone.apps.clock.data.timer;
  const left = timerLeft(phone);
  const lines = [timer.label, timer.endsAt === null ? t().paused : t().endsAt(shortTime(phone, timer.endsAt))].filter(Boolean);
  return (
    <>
      <Dial share={timer.duration ? Math.min(1, left / timer.duration) : 0} text={countText(left)} lines={lines} />
      <div class="big-buttons">
        <Button kind="tonal" label={t().reset} icon="refresh" on={() => act.timerReset({})} />
        {timer.endsAt === null
          ? <Button label={t().resume} icon="play" on={() => act.timerResume({})} />
          : <Button label={t().pause} icon="pause" on={() => act.timerPause({})} />}
      </div>
      <div class="big-buttons" style={{ paddingTop: 0 }}>
        <Button kind="outlined" label={t().plusMinute} on={() => act.timerMore({})} />
        <Button kind="outlined" label={t().addLabel} icon="label" on={() => act.timerLabelDialog({})} />
      </div>
    </>
  );
}

export function TimerTab({ phone }: { phone: PhoneState }) {
  const { endsAt, left } = phone.apps.clock.data.timer;
  return endsAt === null && left === null ? <Keypad digits={phone.apps.clock.ui.timerInput} /> : <Running phone={phone} />;
}

export function TimerLabel() {
  return (
    <Dialog title={t().timerLabel} actions={[
      { label: t().cancel, on: () => os.back({}) },
      { label: t().ok, on: () => act.timerLabel({}) },
    ]}>
      <TextField path="/apps/clock/ui/timerLabel" label={t().label} onSubmit={() => act.timerLabel({})} />
    </Dialog>
  );
}
