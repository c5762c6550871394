/** A contact is chosen for another app. */
import { Screen, SearchField } from '../../ui/kit';
import type { ScreenProps } from '../../kernel/types';
import { act } from '../actions';
import { everyone, matching } from '../select';
import { t } from '../strings';
import { ContactRow, Found } from './list';

export function Pick({ phone }: ScreenProps) {
  return (
    <Screen title={t().pick} close below={<SearchField path="/apps/contacts/ui/find" label={t().search} />}>
      <Found phone={phone} contacts={matching(everyone(phone), phone.apps.contacts.ui.find)} row={(l) => (
        <ContactRow key={l.contact.id} listed={l} on={() => act.picked({ id: l.contact.id })} />
      )} />
    </Screen>
  );
}
