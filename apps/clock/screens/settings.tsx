/** The clock's own settings. */
import { Row, Screen, SliderRow } from '../../ui/kit';
import { os } from '../../kernel/os';
import type { ScreenProps } from '../../kernel/types';
import { act } from '../actions';
import { t } from '../strings';

export function ClockSettings({ phone }: ScreenProps) {
  const { snoozeMinutes, silenceMinutes, defaultSound } = phone.apps.clock.data;
  return (
    <Screen title={t().settings} back>
      <Row icon="alarm" label={t().snoozeLength} value={t().minutesLong(snoozeMinutes)} on={() => act.chooseSetting({ screen: 'snoozeLength' })} />
      <Row icon="silent" label={t().silenceAfter} value={t().minutesLong(silenceMinutes)} on={() => act.chooseSetting({ screen: 'silenceAfter' })} />
      <Row icon="bell" label={t().defaultSound} value={t().sounds[defaultSound]} chevron on={() => act.chooseSetting({ screen: 'defaultSound' })} />
      <SliderRow icon="volume" label={t().alarmVolume} value={phone.os.settings.volume.alarm} on={(percent) => os.volume({ stream: 'alarm', percent })} />
    </Screen>
  );
}
