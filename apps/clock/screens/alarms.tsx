/** Alarms: the list, and the menu of one of them. */
import { Empty, Row, Rows, Sheet, Switch } from '../../ui/kit';
import type { PhoneState, ScreenProps } from '../../kernel/types';
import { act } from '../actions';
import { alarmSub, minuteText, nextAlarmText, sortedAlarms } from '../select';
import type { Alarm } from '../state';
import { t } from '../strings';

function AlarmRow({ phone, alarm }: { phone: PhoneState; alarm: Alarm }) {
  const time = minuteText(phone, alarm.minute);
  return (
    <div class={alarm.enabled ? 'alarm' : 'alarm off'} role="listitem" aria-label={time} data-key={alarm.id}
      onClick={() => act.editAlarm({ id: alarm.id })} onHold={() => act.alarmMenu({ id: alarm.id })}>
      <span class="alarm-texts">
        <span class="alarm-time">{time}</span>
        <span class="alarm-sub">{alarmSub(phone, alarm)}</span>
      </span>
      <Switch label={[time, alarm.label].filter(Boolean).join(' ')} checked={alarm.enabled} id={alarm.id} on={() => act.toggleAlarm({ id: alarm.id })} />
    </div>
  );
}

export function Alarms({ phone }: { phone: PhoneState }) {
  const alarms = sortedAlarms(phone);
  if (alarms.length === 0) return <Empty icon="alarm" text={t().noAlarms} />;
  const head = { height: 64, view: <div class="clock-next">{nextAlarmText(phone)}</div> };
  return (
    <>
      <Rows items={alarms} head={head} row={(alarm) => <AlarmRow key={alarm.id} phone={phone} alarm={alarm} />} />
      <div style={{ height: '64px' }} />
    </>
  );
}

export function AlarmMenu({ phone, params }: ScreenProps) {
  const id = String(params['id']);
  const alarm = phone.apps.clock.data.alarms[id];
  if (!alarm) return null;
  return (
    <Sheet title={[minuteText(phone, alarm.minute), alarm.label].filter(Boolean).join(' · ')}>
      <Row icon="edit" label={t().edit} on={() => act.menuEdit({ id })} />
      <Row icon="copy" label={t().duplicate} on={() => act.duplicateAlarm({ id })} />
      {alarm.snoozedUntil !== null && <Row icon="alarm" label={t().cancelSnooze} on={() => act.cancelSnooze({ id })} />}
      <Row icon="delete" label={t().delete} danger on={() => act.deleteAlarm({ id })} />
    </Sheet>
  );
}
