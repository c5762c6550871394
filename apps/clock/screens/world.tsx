/** World clock: the list, the search for a city, and the menu of one. */
import { Empty, Row, Rows, Screen, SearchField, Sheet } from '../../ui/kit';
import { dateText } from '../../kernel/dates';
import type { PhoneState, ScreenProps } from '../../kernel/types';
import { act } from '../actions';
import { cityOf } from '../cities';
import { cityTime, differenceText, foundCities, shortTime } from '../select';
import { t } from '../strings';

function Here({ phone }: { phone: PhoneState }) {
  const { now, zone } = phone.os.clock;
  return (
    <div class="clock-here">
      <b>{shortTime(phone, now)}</b>
      <span>{`${t().here} · ${dateText(now, zone, phone.os.locale)}`}</span>
    </div>
  );
}

export function World({ phone }: { phone: PhoneState }) {
  const { cities } = phone.apps.clock.data;
  const head = { height: 128, view: <Here phone={phone} /> };
  if (cities.length === 0) return <>{head.view}<Empty icon="globe" text={t().noCities} /></>;
  return (
    <>
      <Rows items={cities} head={head} row={(id) => (
        <Row key={id} id={id} label={cityOf(id).name[phone.os.locale]} sub={differenceText(phone, id)}
          trail={<span class="city-time">{cityTime(phone, id)}</span>}
          on={() => act.cityMenu({ id })} onHold={() => act.cityMenu({ id })} />
      )} />
      <div style={{ height: '64px' }} />
    </>
  );
}

export function AddCity({ phone }: ScreenProps) {
  const [found, locale] = [foundCities(phone), phone.os.locale];
  return (
    <Screen title={t().addCity} back below={<SearchField path="/apps/clock/ui/search" label={t().searchCity} />}>
      {found.length === 0
        ? <Empty icon="globe" text={t().noCity} />
        : <Rows items={found} row={(c) => (
          <Row key={c.id} id={c.id} label={c.name[locale]} sub={c.country[locale]} value={cityTime(phone, c.id)} on={() => act.addCity({ id: c.id })} />
        )} />}
    </Screen>
  );
}

export function CityMenu({ phone, params }: ScreenProps) {
  const id = String(params['id']);
  const { cities } = phone.apps.clock.data;
  const at = cities.indexOf(id);
  if (at < 0) return null;
  return (
    <Sheet title={cityOf(id).name[phone.os.locale]}>
      {at > 1 && <Row icon="flag" label={t().moveTop} on={() => act.moveCity({ id, by: -at })} />}
      {at > 0 && <Row icon="chevron-up" label={t().moveUp} on={() => act.moveCity({ id, by: -1 })} />}
      {at < cities.length - 1 && <Row icon="chevron-down" label={t().moveDown} on={() => act.moveCity({ id, by: 1 })} />}
      <Row icon="delete" label={t().remove} danger on={() => act.removeCity({ id })} />
    </Sheet>
  );
}
