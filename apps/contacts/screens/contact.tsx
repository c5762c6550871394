/** One contact: its details, its menu, and what asks before it is deleted. */
import { Avatar, Dialog, Icon, Menu, Row, Screen, type BarAction, type IconName } from '../../ui/kit';
import { os } from '../../kernel/os';
import type { PhoneState, ScreenProps } from '../../kernel/types';
import { act } from '../actions';
import { birthdayText, groupNames, nameOf, phoneLabels, workText } from '../select';
import type { Contact } from '../state';
import { t } from '../strings';

function actionsFor(c: Contact): BarAction[] {
  return [
    { icon: c.favourite ? 'star-filled' : 'star', label: c.favourite ? t().unstar : t().star, on: () => act.star({ id: c.id }) },
    { icon: 'edit', label: t().edit, on: () => act.editContact({ id: c.id }) },
    { icon: 'more', label: t().more, on: () => act.openScreen({ screen: 'contactMenu', id: c.id }) },
  ];
}

/** A detail; a tap copies it. */
function Detail({ icon, value, what }: { icon: IconName; value: string; what: string }) {
  return value ? <Row icon={icon} label={value} sub={what} on={() => act.copy({ text: value })} /> : null;
}

function Notes({ text }: { text: string }) {
  if (!text) return null;
  return (
    <div class="row" style={{ height: 'auto', minHeight: '64px', padding: '10px 20px' }} role="listitem" aria-label={text} onClick={() => act.copy({ text })}>
      <span class="row-lead"><Icon name="note" /></span>
      <span class="row-texts">
        <span class="row-label" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</span>
        <span class="row-sub">{t().notes}</span>
      </span>
    </div>
  );
}

function Details({ phone, contact: c }: { phone: PhoneState; contact: Contact }) {
  const labels = phoneLabels(c.phones);
  const groups = groupNames(phone, c.id);
  return (
    <>
      {c.phones.map((p, i) => <Detail key={`${i}`} icon="phone" value={p.number} what={labels[i] ?? ''} />)}
      <Detail icon="mail" value={c.email} what={t().email} />
      <Detail icon="work" value={c.company} what={t().company} />
      <Detail icon="pin-map" value={c.address} what={t().address} />
      <Detail icon="cake" value={c.birthday && birthdayText(phone, c.birthday)} what={t().birthday} />
      <Row icon="people" label={groups || '—'} sub={t().groups} chevron on={() => act.openScreen({ screen: 'contactGroups', id: c.id })} />
      <Notes text={c.notes} />
    </>
  );
}

export function ContactScreen({ phone, params }: ScreenProps) {
  const contact = phone.apps.contacts.data.contacts[String(params['id'])];
  if (!contact) return <Screen title={t().noneFound} back />;
  const name = nameOf(contact);
  const under = [contact.nickname && t().called(contact.nickname), workText(contact)].filter(Boolean);
  return (
    <Screen title={t().contact} back actions={actionsFor(contact)}>
      <div class="hero">
        <Avatar seed={contact.avatar} name={name} size={88} />
        <b>{name}</b>
        {under.map((line) => <span key={line}>{line}</span>)}
      </div>
      <Details phone={phone} contact={contact} />
    </Screen>
  );
}

export function ContactMenu({ params }: ScreenProps) {
  const id = String(params['id']);
  return (
    <Menu items={[
      { icon: 'share', label: t().share, on: () => act.share({ id }) },
      { icon: 'merge', label: t().mergeWith, on: () => act.instead({ screen: 'merge', id }) },
      { icon: 'people', label: t().groups, on: () => act.instead({ screen: 'contactGroups', id }) },
      { icon: 'delete', label: t().deleteContact, danger: true, on: () => act.instead({ screen: 'deleteAsk', id }) },
    ]} />
  );
}

export function DeleteAsk({ phone, params }: ScreenProps) {
  const id = String(params['id']);
  const contact = phone.apps.contacts.data.contacts[id];
  if (!contact) return null;
  return (
    <Dialog title={t().deleteAsk(nameOf(contact))} text={t().deleteText} actions={[
      { label: t().cancel, on: () => os.back({}) },
      { label: t().delete, kind: 'danger', on: () => act.deleteContact({ id }) },
    ]} />
  );
}
