/** One checklist item: its menu and the dialog that edits it. */
import type { ScreenProps } from '../../kernel/types';
import { os } from '../../kernel/os';
import { Dialog, Menu, TextField } from '../../ui/kit';
import { act } from '../actions';
import { t } from '../strings';

export function ItemMenu({ params }: ScreenProps) {
  const of = { id: String(params['id']), item: String(params['item']) };
  return (
    <Menu items={[
      { label: t().editItem, icon: 'edit', on: () => act.openItem(of) },
      { label: t().moveUp, icon: 'chevron-up', on: () => act.moveItem({ ...of, by: -1 }) },
      { label: t().moveDown, icon: 'chevron-down', on: () => act.moveItem({ ...of, by: 1 }) },
      { label: t().removeItem, icon: 'delete', danger: true, on: () => act.removeItem(of) },
    ]} />
  );
}

export function ItemDialog({ phone, params }: ScreenProps) {
  const of = { id: String(params['id']), item: String(params['item']) };
  const save = () => act.saveItem(of);
  return (
    <Dialog title={t().editItem} actions={[
      { label: t().cancel, on: () => os.back({}) },
      { label: t().save, disabled: phone.apps.notes.ui.draft.itemEdit.trim() === '', on: save },
    ]}>
      <TextField path="/apps/notes/ui/draft/itemEdit" label={t().item} onSubmit={save} />
    </Dialog>
  );
}
