/** Search over all settings. */
import type { PhoneState, ScreenProps } from '../../kernel/types';
import { Empty, Row, Rows, Screen, SearchField } from '../../ui/kit';
import { act } from '../actions';
import { found } from '../pages';
import { t } from '../strings';

function Results({ phone }: { phone: PhoneState }) {
  const results = found(phone);
  if (phone.apps.settings.ui.search.trim() === '') return <Empty icon="search" text={t().searchHint} />;
  if (results.length === 0) return <Empty icon="search" text={t().nothingFound} />;
  return (
    <Rows items={results} row={(e) => (
      <Row key={e.id} id={e.id} label={e.label} sub={e.where} chevron on={() => act.goTo({ screen: e.screen, ...e.params })} />
    )} />
  );
}

export function Search({ phone }: ScreenProps) {
  return (
    <Screen title={t().search} back below={<SearchField path="/apps/settings/ui/search" label={t().searchSettings} />}>
      <Results phone={phone} />
    </Screen>
  );
}
