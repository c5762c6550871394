/** The main list. */
import type { ScreenProps } from '../../kernel/types';
import { Row, Screen } from '../../ui/kit';
import { act } from '../actions';
import { pages } from '../pages';
import { t } from '../strings';
import { Badge } from './parts';

export function Home({ phone }: ScreenProps) {
  return (
    <Screen title={t().app} actions={[{ icon: 'search', label: t().search, on: () => act.openSearch({}) }]}>
      {pages(phone).map((p) => (
        <Row key={p.screen} id={p.screen} lead={<Badge icon={p.icon} color={p.color} />} label={p.label} sub={p.sub}
          on={() => act.open({ screen: p.screen })} />
      ))}
    </Screen>
  );
}
