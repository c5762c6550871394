/** Stopwatch: the time, its buttons and the laps. */
import { Button, Rows, Scroll } from '../../ui/kit';
import type { PhoneState } from '../../kernel/types';
import { act } from '../actions';
import { laps, lapText, stopwatchTime } from '../select';
import { t } from '../strings';

function Buttons({ running, started }: { running: boolean; started: boolean }) {
  if (running)
    return (
      <div class="big-buttons">
        <Button kind="tonal" label={t().lap} icon="flag" on={() => act.watchLap({})} />
        <Button label={t().pause} icon="pause" on={() => act.watchPause({})} />
      </div>
    );
  return (
    <div class="big-buttons">
      {started && <Button kind="tonal" label={t().reset} icon="refresh" on={() => act.watchReset({})} />}
      <Button label={started ? t().resume : t().start} icon="play" on={() => act.watchStart({})} />
    </div>
  );
}

export function Stopwatch({ phone }: { phone: PhoneState }) {
  const { startedAt, elapsed, laps: marks } = phone.apps.clock.data.stopwatch;
  const text = lapText(stopwatchTime(phone));
  return (
    <>
      <div class={text.length > 8 ? 'watch long' : 'watch'}>{text}</div>
      <Buttons running={startedAt !== null} started={startedAt !== null || elapsed > 0} />
      <Scroll id="laps">
        <Rows id="laps" items={laps(marks)} row={(lap) => (
          <div class="lap" key={lap.number} role="listitem" aria-label={t().lapOf(lap.number)}>
            <span>{t().lapOf(lap.number)}</span>
            <span>{lapText(lap.span)}</span>
            <span class="lap-total">{lapText(lap.total)}</span>
          </div>
        )} />
      </Scroll>
    </>
  );
}
