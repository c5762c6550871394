/** What is ringing now, over the whole screen. */
import { Button, Icon, Screen } from '../../ui/kit';
import type { ScreenProps } from '../../kernel/types';
import { act } from '../actions';
import { countText, minuteText, shortTime } from '../select';
import { t } from '../strings';

export function RingingScreen({ phone }: ScreenProps) {
  const { data, ui } = phone.apps.clock;
  if (!ui.ringing) return <Screen title={t().silent} back />;
  const alarm = ui.ringing.kind === 'alarm' ? data.alarms[ui.ringing.id] : undefined;
  const time = alarm ? minuteText(phone, alarm.minute) : countText(data.timer.duration);
  const label = alarm ? alarm.label || shortTime(phone, phone.os.clock.now) : data.timer.label || t().timerDone;
  return (
    <Screen title={alarm ? t().alarm : t().timer} fixed>
      <div class="ringing">
        <span class="ringing-mark"><Icon name={alarm ? 'alarm' : 'timer'} size={48} /></span>
        <div class={time.length > 5 ? 'ringing-time long' : 'ringing-time'}>{time}</div>
        <div class="ringing-label">{label}</div>
        <div class="ringing-buttons">
          {alarm
            ? <Button kind="tonal" label={t().snooze(data.snoozeMinutes)} on={() => act.snooze({})} />
            : <Button kind="tonal" label={t().plusMinute} on={() => act.oneMoreMinute({})} />}
          <Button label={t().stop} on={() => act.stop({})} />
        </div>
      </div>
    </Screen>
  );
}
