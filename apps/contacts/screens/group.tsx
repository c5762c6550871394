/** Groups: one group, who is in it, and the groups of one contact. */
import { ChoiceRow, Dialog, Empty, Menu, Row, Rows, Screen, SearchField, Sheet, TextField } from '../../ui/kit';
import { os } from '../../kernel/os';
import type { ScreenProps } from '../../kernel/types';
import { act } from '../actions';
import { everyone, groupsOf, matching, membersOf, nameOf, sorted } from '../select';
import { t } from '../strings';
import { ContactRow, Found, MemberRow } from './list';

export function GroupScreen({ phone, params }: ScreenProps) {
  const id = String(params['id']);
  const group = phone.apps.contacts.data.groups[id];
  if (!group) return <Screen title={t().groups} back />;
  const members = sorted(phone, membersOf(phone, group));
  return (
    <Screen title={group.name} back actions={[
      { icon: 'add', label: t().editMembers, on: () => act.editMembers({ id }) },
      { icon: 'more', label: t().more, on: () => act.openScreen({ screen: 'groupMenu', id }) },
    ]}>
      {members.length === 0
        ? <Empty icon="people" text={t().noMembers} />
        : <Rows items={members} row={(l) => (
          <ContactRow key={l.contact.id} listed={l} on={() => act.openScreen({ screen: 'contact', id: l.contact.id })}
            onHold={() => act.memberMenu({ group: id, contact: l.contact.id })} />
        )} />}
    </Screen>
  );
}

export function GroupMenu({ params }: ScreenProps) {
  const id = String(params['id']);
  return (
    <Menu items={[
      { icon: 'edit', label: t().renameGroup, on: () => act.renameDialog({ id }) },
      { icon: 'delete', label: t().deleteGroup, danger: true, on: () => act.instead({ screen: 'deleteGroupAsk', id }) },
    ]} />
  );
}

export function MemberMenu({ phone, params }: ScreenProps) {
  const [id, group] = [String(params['id']), String(params['group'])];
  const contact = phone.apps.contacts.data.contacts[id];
  if (!contact) return null;
  return (
    <Sheet title={nameOf(contact)}>
      <Row icon="person" label={t().showContact} on={() => act.instead({ screen: 'contact', id })} />
      <Row icon="close" label={t().removeFromGroup} danger on={() => act.removeMember({ group, contact: id })} />
    </Sheet>
  );
}

export function Members({ phone, params }: ScreenProps) {
  const id = String(params['id']);
  const group = phone.apps.contacts.data.groups[id];
  if (!group) return <Screen title={t().groups} back />;
  return (
    <Screen title={t().chooseMembers} back actions={[{ icon: 'check', label: t().done, on: () => os.back({}) }]}
      below={<SearchField path="/apps/contacts/ui/find" label={t().search} />}>
      <Found phone={phone} contacts={matching(everyone(phone), phone.apps.contacts.ui.find)} row={(l) => (
        <MemberRow key={l.contact.id} listed={l} checked={group.members.includes(l.contact.id)}
          on={() => act.toggleMember({ group: id, contact: l.contact.id })} />
      )} />
    </Screen>
  );
}

export function ContactGroups({ phone, params }: ScreenProps) {
  const id = String(params['id']);
  const groups = groupsOf(phone);
  return (
    <Screen title={t().groups} back actions={[{ icon: 'check', label: t().done, on: () => os.back({}) }]}>
      {groups.length === 0
        ? <Empty icon="people" text={t().noGroups} />
        : <Rows items={groups} row={(g) => (
          <ChoiceRow key={g.id} id={g.id} kind="checkbox" label={g.name} sub={t().members(g.members.length)} checked={g.members.includes(id)}
            on={() => act.toggleMember({ group: g.id, contact: id })} />
        )} />}
    </Screen>
  );
}

function NameDialog({ title, done }: { title: string; done: () => void }) {
  return (
    <Dialog title={title} actions={[{ label: t().cancel, on: () => os.back({}) }, { label: t().ok, on: done }]}>
      <TextField path="/apps/contacts/ui/groupName" label={t().groupName} onSubmit={done} />
    </Dialog>
  );
}

export const NewGroup = () => <NameDialog title={t().newGroup} done={() => act.createGroup({})} />;

export const RenameGroup = ({ params }: ScreenProps) => (
  <NameDialog title={t().renameGroup} done={() => act.renameGroup({ id: String(params['id']) })} />
);

export function DeleteGroupAsk({ phone, params }: ScreenProps) {
  const id = String(params['id']);
  const group = phone.apps.contacts.data.groups[id];
  if (!group) return null;
  return (
    <Dialog title={t().deleteGroupAsk(group.name)} text={t().deleteGroupText} actions={[
      { label: t().cancel, on: () => os.back({}) },
      { label: t().delete, kind: 'danger', on: () => act.deleteGroup({ id }) },
    ]} />
  );
}
