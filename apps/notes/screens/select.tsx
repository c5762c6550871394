/** Selection: several notes of a list at once. */
import type { PhoneState, ScreenProps } from '../../kernel/types';
import { ChoiceRow, Rows, Screen, type BarAction } from '../../ui/kit';
import { act } from '../actions';
import { shownNotes, trashedNotes } from '../select';
import type { Note } from '../state';
import { t } from '../strings';
import { TickRow } from './parts';

function notesOf(phone: PhoneState, folder: string): Note[] {
  if (folder === 'trash') return trashedNotes(phone);
  return shownNotes(phone, folder === 'all' ? undefined : folder === 'none' ? '' : folder);
}

export function Select({ phone, params }: ScreenProps) {
  const folder = String(params['folder']);
  const [ids, notes] = [phone.apps.notes.ui.selected, notesOf(phone, folder)];
  const disabled = ids.length === 0;
  const unpins = !disabled && ids.every((id) => phone.apps.notes.data.notes[id]?.pinned);
  const actions: BarAction[] = folder === 'trash'
    ? [
        { icon: 'restore', label: t().restore, disabled, on: () => act.restore({ ids }) },
        { icon: 'delete', label: t().deleteForever, disabled, on: () => act.open({ screen: 'deleteForever', id: '' }) },
      ]
    : [
        { icon: unpins ? 'pin-filled' : 'pin', label: unpins ? t().unpin : t().pin, disabled, on: () => act.pinAll({ ids }) },
        { icon: 'folder', label: t().move, disabled, on: () => act.open({ screen: 'move', id: '' }) },
        { icon: 'delete', label: t().toTrash, disabled, on: () => act.trash({ ids }) },
      ];
  const everything = (
    <ChoiceRow kind="checkbox" label={t().selectAll} checked={notes.length > 0 && ids.length === notes.length}
      on={() => act.pickAll({ ids: notes.map((n) => n.id) })} />
  );
  return (
    <Screen title={t().selected(ids.length)} close actions={actions}>
      <Rows items={notes} head={{ height: 64, view: everything }} row={(n) => <TickRow phone={phone} note={n} />} />
    </Screen>
  );
}
