/** The form that writes a note. Save keeps it, Back and the cross leave it as it was. */
import type { ScreenProps } from '../../kernel/types';
import { os } from '../../kernel/os';
import { Screen, TextField } from '../../ui/kit';
import { act } from '../actions';
import { t } from '../strings';

const PATH = '/apps/notes/ui/draft';

export function Edit({ phone, params }: ScreenProps) {
  const [id, folder, kind] = [String(params['id']), String(params['folder']), String(params['kind'])];
  const { title, body } = phone.apps.notes.ui.draft;
  const list = kind === 'checklist';
  const name = id === '' ? (list ? t().newChecklist : t().newNote) : list ? t().editChecklist : t().editNote;
  const save = () => act.save({ id, folder, kind });
  const next = list ? save : () => os.focus({ path: `${PATH}/body`, cursor: body.length });
  const empty = title.trim() === '' && (list || body.trim() === '');
  return (
    <Screen title={name} close actions={[{ icon: 'check', label: t().save, disabled: empty, on: save }]}>
      <div class="form"><TextField path={`${PATH}/title`} label={t().title} onSubmit={next} /></div>
      {!list && <div class="note-edit"><TextField path={`${PATH}/body`} label={t().text} multiline lines={13} /></div>}
    </Screen>
  );
}
