/** The front of the contacts: all, favourites, groups. */
import { Empty, Menu, Row, Rows, Screen, SearchField, type TabItem } from '../../ui/kit';
import type { PhoneState, ScreenProps } from '../../kernel/types';
import { act } from '../actions';
import { everyone, groupsOf, matching, sorted } from '../select';
import type { ContactsState } from '../state';
import { t } from '../strings';
import { ContactRow, IndexedList } from './list';

/** Of the list between the search field and the tabs. */
const LIST_HEIGHT = 576;

const show = (id: string): void => act.openScreen({ screen: 'contact', id });

const tabs = (): TabItem[] => [
  { id: 'all', icon: 'person', label: t().contacts },
  { id: 'favourites', icon: 'star', label: t().favourites },
  { id: 'groups', icon: 'people', label: t().groups },
];

function All({ phone }: { phone: PhoneState }) {
  const { search } = phone.apps.contacts.ui;
  const found = matching(everyone(phone), search);
  if (found.length === 0) return <Empty icon="person" text={search.trim() ? t().noneFound : t().noContacts} />;
  return <IndexedList phone={phone} contacts={found} height={LIST_HEIGHT} on={show} />;
}

function Favourites({ phone }: { phone: PhoneState }) {
  const list = sorted(phone, everyone(phone).filter((c) => c.favourite));
  if (list.length === 0) return <Empty icon="star" text={t().noFavourites} />;
  return (
    <>
      <Rows items={list} row={(l) => <ContactRow key={l.contact.id} listed={l} on={() => show(l.contact.id)} />} />
      <div style={{ height: '64px' }} />
    </>
  );
}

function Groups({ phone }: { phone: PhoneState }) {
  const groups = groupsOf(phone);
  if (groups.length === 0) return <Empty icon="people" text={t().noGroups} />;
  return (
    <>
      <Rows items={groups} row={(g) => (
        <Row key={g.id} id={g.id} icon="label" label={g.name} sub={t().members(g.members.length)} chevron
          on={() => act.openScreen({ screen: 'group', id: g.id })} />
      )} />
      <div style={{ height: '64px' }} />
    </>
  );
}

export function Home({ phone }: ScreenProps) {
  const { tab } = phone.apps.contacts.ui;
  const fab = tab === 'groups'
    ? { icon: 'add' as const, label: t().addGroup, on: () => act.newGroup({}) }
    : { icon: 'add' as const, label: t().addContact, on: () => act.newContact({}) };
  const titles = { all: t().contacts, favourites: t().favourites, groups: t().groups };
  return (
    <Screen title={titles[tab]} fixed={tab === 'all'} fab={fab}
      actions={[{ icon: 'more', label: t().more, on: () => act.openScreen({ screen: 'menu', id: '' }) }]}
      below={tab === 'all' ? <SearchField path="/apps/contacts/ui/search" label={t().search} /> : undefined}
      tabs={{ items: tabs(), active: tab, on: (id) => act.tab({ tab: id as ContactsState['ui']['tab'] }) }}>
      {tab === 'all' ? <All phone={phone} /> : tab === 'favourites' ? <Favourites phone={phone} /> : <Groups phone={phone} />}
    </Screen>
  );
}

export function HomeMenu({ phone }: ScreenProps) {
  const { sort } = phone.apps.contacts.data;
  return (
    <Menu items={[
      { label: t().sortGiven, checked: sort === 'given', on: () => act.sort({ sort: 'given' }) },
      { label: t().sortFamily, checked: sort === 'family', on: () => act.sort({ sort: 'family' }) },
      { label: t().findDuplicates, on: () => act.instead({ screen: 'duplicates', id: '' }) },
    ]} />
  );
}
