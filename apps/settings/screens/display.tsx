/** Display: dark mode, brightness, font size, time-out. */
import type { ScreenProps } from '../../kernel/types';
import { os } from '../../kernel/os';
import { ChoiceRow, Row, SliderRow } from '../../ui/kit';
import { act } from '../actions';
import { FONT_SCALES } from '../select';
import { t } from '../strings';
import { Page, Toggle } from './parts';

export function Display({ phone }: ScreenProps) {
  const { brightness, fontScale, screenTimeout } = phone.os.settings;
  return (
    <Page title={t().display}>
      <Toggle name="darkMode" icon="moon" label={t().darkMode} />
      <SliderRow icon="sun" label={t().brightness} value={brightness}
        on={(percent) => os.setting({ name: 'brightness', value: Math.round(percent / 10) * 10 })} />
      <Toggle name="adaptiveBrightness" icon="bulb" label={t().adaptive} />
      <Row id="fontSize" icon="text-size" label={t().fontSize} value={t().fonts[String(fontScale)]} chevron on={() => act.open({ screen: 'fontSize' })} />
      <Row id="screenTimeout" icon="timer" label={t().timeout} value={t().seconds(screenTimeout)} on={() => act.open({ screen: 'screenTimeout' })} />
      <Toggle name="autoRotate" icon="rotate" label={t().autoRotate} />
    </Page>
  );
}

export function FontSize({ phone }: ScreenProps) {
  return (
    <Page title={t().fontSize}>
      <div class="set-sample">{t().sample}</div>
      {FONT_SCALES.map((scale) => (
        <ChoiceRow key={scale} id={String(scale)} kind="radio" label={t().fonts[String(scale)] ?? ''} checked={phone.os.settings.fontScale === scale}
          on={() => os.setting({ name: 'fontScale', value: scale })} />
      ))}
    </Page>
  );
}
