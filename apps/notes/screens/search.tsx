/** Search over all notes that are not in the trash. */
import type { ScreenProps } from '../../kernel/types';
import { Empty, Screen, SearchField } from '../../ui/kit';
import { foundNotes } from '../select';
import { t } from '../strings';
import { NoteList } from './parts';

export function Search({ phone }: ScreenProps) {
  return (
    <Screen title={t().search} back below={<SearchField path="/apps/notes/ui/search" label={t().searchNotes} />}>
      {phone.apps.notes.ui.search.trim() === ''
        ? <Empty icon="search" text={t().searchHint} />
        : <NoteList phone={phone} notes={foundNotes(phone)} folder="all" empty={{ icon: 'search', text: t().nothingFound }} />}
    </Screen>
  );
}
