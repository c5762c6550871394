/** Language, date and time. */
import type { ScreenProps } from '../../kernel/types';
import { dateText, timeText } from '../../kernel/dates';
import { ChoiceRow, Row, Rows, SwitchRow } from '../../ui/kit';
import { act } from '../actions';
import { LANGUAGES, offsetText, ZONES, zoneName } from '../select';
import { t } from '../strings';
import { Page, Toggle } from './parts';

export function Language({ phone }: ScreenProps) {
  return (
    <Page title={t().language}>
      {LANGUAGES.map((l) => (
        <ChoiceRow key={l.id} id={l.id} kind="radio" label={l.name} checked={phone.os.locale === l.id} on={() => act.language({ locale: l.id })} />
      ))}
    </Page>
  );
}

export function DateTime({ phone }: ScreenProps) {
  const { clock, locale, settings } = phone.os;
  const auto = settings.autoTime;
  const now = timeText(clock.now, clock.zone, settings.hour24, locale);
  return (
    <Page title={t().dateTime}>
      <div class="set-big">
        <span class="set-number">{now}</span>
        <span class="set-muted">{dateText(clock.now, clock.zone, locale, true)}</span>
      </div>
      <Toggle name="hour24" icon="clock" label={t().hour24} />
      <SwitchRow id="autoTime" icon="refresh" label={t().autoTime} checked={auto} on={() => act.autoTime({ on: !auto })} />
      <Row id="zone" icon="globe" label={t().zone} sub={auto ? t().zoneLocked : offsetText(phone, clock.zone)} value={zoneName(phone, clock.zone)}
        chevron={!auto} on={auto ? undefined : () => act.open({ screen: 'zones' })} />
    </Page>
  );
}

export function Zones({ phone }: ScreenProps) {
  return (
    <Page title={t().zone}>
      <Rows items={ZONES} row={(z) => (
        <ChoiceRow key={z.id} id={z.id} kind="radio" label={z.name[phone.os.locale]} sub={offsetText(phone, z.id)}
          checked={phone.os.clock.zone === z.id} on={() => act.zone({ zone: z.id })} />
      )} />
    </Page>
  );
}
