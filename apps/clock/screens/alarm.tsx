/** The form of one alarm. */
import { Row, Screen, SwitchRow, TextField } from '../../ui/kit';
import { WEEKDAYS } from '../../kernel/dates';
import type { PhoneState, ScreenProps } from '../../kernel/types';
import { act } from '../actions';
import { EVERY_DAY, sameDays, WEEKEND, WORKDAYS } from '../select';
import type { Alarm, Weekday } from '../state';
import { t } from '../strings';

function TimeForm() {
  const move = (label: string, minutes: number) => (
    <button key={label} role="button" aria-label={label} onClick={() => act.moveTime({ minutes })}>{label}</button>
  );
  return (
    <>
      <div class="time-form">
        <TextField path="/apps/clock/ui/time" label={t().time} onSubmit={() => act.saveAlarm({})} />
      </div>
      <div class="even">
        {move(t().hourLess, -60)}{move(t().hourMore, 60)}{move(t().minuteLess, -5)}{move(t().minuteMore, 5)}
      </div>
    </>
  );
}

function Days({ phone, draft }: { phone: PhoneState; draft: Alarm }) {
  const sets: [string, Weekday[]][] = [[t().weekdays, WORKDAYS], [t().weekend, WEEKEND], [t().everyDay, EVERY_DAY]];
  const option = (label: string, on: boolean, tap: () => void) => (
    <button key={label} class={on ? 'on' : ''} role="option" aria-label={label} aria-selected={on} onClick={tap}>{label}</button>
  );
  return (
    <>
      <div class="even">{sets.map(([label, days]) => option(label, sameDays(draft.repeat, days), () => act.setDays({ days })))}</div>
      <div class="even days">
        {EVERY_DAY.map((day) => option(WEEKDAYS[phone.os.locale][day] ?? '', draft.repeat.includes(day), () => act.toggleDay({ day })))}
      </div>
    </>
  );
}

export function AlarmForm({ phone }: ScreenProps) {
  const draft = phone.apps.clock.ui.draft;
  if (!draft) return <Screen title={t().alarm} back />;
  return (
    <Screen title={draft.id ? t().editAlarm : t().newAlarm} close actions={[{ icon: 'check', label: t().save, on: () => act.saveAlarm({}) }]}>
      <TimeForm />
      <div class="form"><TextField path="/apps/clock/ui/draft/label" label={t().label} icon="label" /></div>
      <Days phone={phone} draft={draft} />
      <Row icon="bell" label={t().sound} value={t().sounds[draft.sound]} chevron on={() => act.chooseSound({})} />
      <SwitchRow icon="vibrate" label={t().vibrate} checked={draft.vibrate} on={() => act.toggleVibrate({})} />
      {draft.id !== '' && <Row icon="delete" label={t().deleteAlarm} danger on={() => act.deleteDraft({})} />}
    </Screen>
  );
}
