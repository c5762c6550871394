/** Two contacts into one: choosing the other, the duplicates there are, and the question before it is done. */
import { Dialog, Empty, Row, Rows, Screen, SearchField, Avatar } from '../../ui/kit';
import { os } from '../../kernel/os';
import type { ScreenProps } from '../../kernel/types';
import { act } from '../actions';
import { duplicates, everyone, matching, nameOf } from '../select';
import { t } from '../strings';
import { ContactRow, Found } from './list';

export function Merge({ phone, params }: ScreenProps) {
  const id = String(params['id']);
  const others = matching(everyone(phone).filter((c) => c.id !== id), phone.apps.contacts.ui.find);
  return (
    <Screen title={t().mergeWith} back below={<SearchField path="/apps/contacts/ui/find" label={t().search} />}>
      <Found phone={phone} contacts={others} row={(l) => (
        <ContactRow key={l.contact.id} listed={l} on={() => act.mergeAsk({ id, other: l.contact.id })} />
      )} />
    </Screen>
  );
}

export function Duplicates({ phone }: ScreenProps) {
  const pairs = duplicates(phone);
  return (
    <Screen title={t().duplicates} back>
      {pairs.length === 0
        ? <Empty icon="people" text={t().noDuplicates} />
        : <Rows items={pairs} row={([keep, other]) => (
          <Row key={keep.id} id={keep.id} lead={<Avatar seed={keep.avatar} name={nameOf(keep)} />} label={nameOf(keep)} sub={t().sameName(2)} chevron
            on={() => act.mergeAsk({ id: keep.id, other: other.id })} />
        )} />}
    </Screen>
  );
}

export function MergeAsk({ phone, params }: ScreenProps) {
  const [id, other] = [String(params['id']), String(params['other'])];
  const { contacts } = phone.apps.contacts.data;
  const [keep, gone] = [contacts[id], contacts[other]];
  if (!keep || !gone) return null;
  return (
    <Dialog title={t().mergeAsk} text={t().mergeText(nameOf(keep), nameOf(gone))} actions={[
      { label: t().cancel, on: () => os.back({}) },
      { label: t().merge, kind: 'filled', on: () => act.merge({ id, other }) },
    ]} />
  );
}
