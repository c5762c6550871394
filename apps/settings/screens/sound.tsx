/** Sound: mode, volumes, ringtone. */
import type { ScreenProps, Settings } from '../../kernel/types';
import { os } from '../../kernel/os';
import { ChoiceRow, Row, Segments, SliderRow, type IconName } from '../../ui/kit';
import { act } from '../actions';
import { ringtoneName, RINGTONES } from '../select';
import { t } from '../strings';
import { Page, Toggle } from './parts';

type Stream = keyof Settings['volume'];

const ICONS: { [stream in Stream]: IconName } = { media: 'play', ring: 'phone', alarm: 'alarm', notifications: 'bell' };
const inTens = (percent: number): number => Math.round(percent / 10) * 10;

export function Sound({ phone }: ScreenProps) {
  const { soundMode, volume, ringtone } = phone.os.settings;
  const modes = (['sound', 'vibrate', 'silent'] as const).map((id) => ({ id, label: t().modes[id] }));
  return (
    <Page title={t().sound}>
      <Segments items={modes} active={soundMode} on={(mode) => os.setting({ name: 'soundMode', value: mode })} />
      {(Object.keys(ICONS) as Stream[]).map((stream) => (
        <SliderRow key={stream} icon={ICONS[stream]} label={t().volumes[stream]} value={volume[stream]}
          on={(percent) => os.volume({ stream, percent: inTens(percent) })} />
      ))}
      <Row id="ringtone" icon="bell" label={t().ringtone} value={ringtoneName(phone, ringtone)} chevron on={() => act.open({ screen: 'ringtone' })} />
      <Toggle name="doNotDisturb" icon="do-not-disturb" label={t().doNotDisturb} />
    </Page>
  );
}

export function Ringtone({ phone }: ScreenProps) {
  return (
    <Page title={t().ringtone}>
      {RINGTONES.map((r) => (
        <ChoiceRow key={r.id} id={r.id} kind="radio" label={r.name[phone.os.locale]} checked={phone.os.settings.ringtone === r.id}
          on={() => act.ringtone({ id: r.id })} />
      ))}
    </Page>
  );
}
