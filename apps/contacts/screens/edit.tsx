/** The form of one contact. */
import { Screen, TextField, type IconName } from '../../ui/kit';
import { readText } from '../../kernel/nav';
import { getState } from '../../kernel/store';
import type { ScreenProps } from '../../kernel/types';
import { act } from '../actions';
import { KINDS, phoneLabels } from '../select';
import type { ContactDraft } from '../state';
import { t } from '../strings';

type Plain = Exclude<keyof ContactDraft, 'id' | 'phones'>;

/** A line of the form; once it is filled, its label stands small above the text. */
function FieldLine({ path, label, icon }: { path: string; label: string; icon: IconName }) {
  const filled = readText(getState(), path) !== '';
  return (
    <div class={filled ? 'form labelled' : 'form'}>
      {filled && <span class="form-label" aria-hidden="true">{label}</span>}
      <TextField path={path} label={label} icon={icon} />
    </div>
  );
}

function Line({ field, label, icon }: { field: Plain; label: string; icon: IconName }) {
  return <FieldLine path={`/apps/contacts/ui/draft/${field}`} label={label} icon={icon} />;
}

function Phones({ draft }: { draft: ContactDraft }) {
  const labels = phoneLabels(draft.phones);
  return (
    <>
      {draft.phones.map((_, i) => (
        <FieldLine key={`${i}`} path={`/apps/contacts/ui/draft/phones/${i}/number`} label={labels[i] ?? ''} icon="phone" />
      ))}
      <div class="even">
        {KINDS.map((kind) => (
          <button key={kind} role="button" aria-label={t().addKinds[kind]} onClick={() => act.addPhone({ kind })}>{t().addKinds[kind]}</button>
        ))}
      </div>
    </>
  );
}

export function EditContact({ phone }: ScreenProps) {
  const draft = phone.apps.contacts.ui.draft;
  if (!draft) return <Screen title={t().editContact} back />;
  const zh = phone.os.locale === 'zh';
  const names = [
    <Line key="given" field="given" label={t().given} icon="person" />,
    <Line key="family" field="family" label={t().family} icon="person" />,
  ];
  return (
    <Screen title={draft.id ? t().editContact : t().newContact} close actions={[{ icon: 'check', label: t().save, on: () => act.save({}) }]}>
      {zh ? names.reverse() : names}
      <Phones draft={draft} />
      <Line field="email" label={t().email} icon="mail" />
      <Line field="birthday" label={t().birthdayHint} icon="cake" />
      <Line field="nickname" label={t().nickname} icon="heart" />
      <Line field="company" label={t().company} icon="work" />
      <Line field="title" label={t().title} icon="label" />
      <Line field="address" label={t().address} icon="pin-map" />
      <div class="form" style={{ height: 'auto', minHeight: '128px', alignItems: 'flex-start' }}>
        <TextField path="/apps/contacts/ui/draft/notes" label={t().notes} multiline lines={3} />
      </div>
    </Screen>
  );
}
