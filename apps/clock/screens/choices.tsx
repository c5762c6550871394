/** Screens on which one of several values is chosen. */
import { ChoiceRow, Dialog, Screen } from '../../ui/kit';
import { os } from '../../kernel/os';
import type { ScreenProps } from '../../kernel/types';
import { act } from '../actions';
import { SOUNDS } from '../select';
import type { Sound } from '../state';
import { t } from '../strings';

const SNOOZES = [5, 10, 15, 20, 30];
const SILENCES = [1, 5, 10, 15];

function SoundList({ title, chosen, on }: { title: string; chosen: Sound | undefined; on: (sound: Sound) => void }) {
  return (
    <Screen title={title} back>
      {SOUNDS.map((s) => <ChoiceRow key={s} id={s} kind="radio" label={t().sounds[s]} checked={s === chosen} on={() => on(s)} />)}
    </Screen>
  );
}

export const AlarmSound = ({ phone }: ScreenProps) => (
  <SoundList title={t().sound} chosen={phone.apps.clock.ui.draft?.sound} on={(sound) => act.setSound({ sound })} />
);

export const DefaultSound = ({ phone }: ScreenProps) => (
  <SoundList title={t().defaultSound} chosen={phone.apps.clock.data.defaultSound} on={(sound) => act.setDefaultSound({ sound })} />
);

function Minutes({ title, choices, chosen, on }: { title: string; choices: number[]; chosen: number; on: (minutes: number) => void }) {
  return (
    <Dialog title={title} actions={[{ label: t().cancel, on: () => os.back({}) }]}>
      {choices.map((n) => <ChoiceRow key={n} kind="radio" label={t().minutesLong(n)} checked={n === chosen} on={() => on(n)} />)}
    </Dialog>
  );
}

export const SnoozeLength = ({ phone }: ScreenProps) => (
  <Minutes title={t().snoozeLength} choices={SNOOZES} chosen={phone.apps.clock.data.snoozeMinutes} on={(minutes) => act.setSnooze({ minutes })} />
);

export const SilenceAfter = ({ phone }: ScreenProps) => (
  <Minutes title={t().silenceAfter} choices={SILENCES} chosen={phone.apps.clock.data.silenceMinutes} on={(minutes) => act.setSilence({ minutes })} />
);
