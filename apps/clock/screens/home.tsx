/** The clock's front: four tabs. */
import { Screen, Icon, type TabItem } from '../../ui/kit';
import type { ScreenProps } from '../../kernel/types';
import { act } from '../actions';
import type { ClockState } from '../state';
import { t } from '../strings';
import { Alarms } from './alarms';
import { Stopwatch } from './stopwatch';
import { TimerTab } from './timer';
import { World } from './world';

type Tab = ClockState['ui']['tab'];

const tabs = (): TabItem[] => [
  { id: 'alarms', icon: 'alarm', label: t().alarms },
  { id: 'world', icon: 'globe', label: t().world },
  { id: 'timer', icon: 'timer', label: t().timer },
  { id: 'stopwatch', icon: 'stopwatch', label: t().stopwatch },
];

const bodies = { alarms: Alarms, world: World, timer: TimerTab, stopwatch: Stopwatch };

function fabOf(tab: Tab) {
  if (tab === 'alarms') return { icon: 'add' as const, label: t().addAlarm, on: () => act.newAlarm({}) };
  if (tab === 'world') return { icon: 'add' as const, label: t().addCity, on: () => act.addCityScreen({}) };
  return undefined;
}

/** Leads back to what is ringing, after it was left by Back or Home. */
function RingingLine() {
  return (
    <div class="clock-ringing-line">
      <button class="clock-ringing" role="button" aria-label={t().ringingNow} onClick={() => act.showRinging({})}>
        <Icon name="alarm" />
        {t().ringingNow}
      </button>
    </div>
  );
}

export function Home({ phone }: ScreenProps) {
  const { tab, ringing } = phone.apps.clock.ui;
  const Body = bodies[tab];
  return (
    <Screen title={t()[tab]} fixed={tab === 'timer' || tab === 'stopwatch'} fab={fabOf(tab)}
      actions={[{ icon: 'settings', label: t().settings, on: () => act.openSettings({}) }]}
      below={ringing ? <RingingLine /> : undefined}
      tabs={{ items: tabs(), active: tab, on: (id) => act.tab({ tab: id as Tab }) }}>
      <Body phone={phone} />
    </Screen>
  );
}
