/** Contacts: people, favourites, groups. */

export interface ContactPhone {
  kind: 'mobile' | 'home' | 'work';
  number: string;
}

export interface Contact {
  id: string;
  given: string;
  family: string;
  nickname: string;
  company: string;
  title: string;
  phones: ContactPhone[];
  email: string;
  address: string;
  /** ISO date, YYYY-MM-DD, or ''. */
  birthday: string;
  notes: string;
  favourite: boolean;
  /** Seed of the drawn avatar. */
  avatar: number;
}

export interface Group {
  id: string;
  name: string;
  /** Contact ids, sorted. */
  members: string[];
}

export interface ContactDraft {
  id: string;
  given: string;
  family: string;
  nickname: string;
  company: string;
  title: string;
  mobile: string;
  home: string;
  work: string;
  email: string;
  address: string;
  birthday: string;
  notes: string;
}

export interface ContactsState {
  data: {
    contacts: { [id: string]: Contact };
    groups: { [id: string]: Group };
    sort: 'given' | 'family';
  };
  ui: {
    tab: 'all' | 'favourites' | 'groups';
    search: string;
    draft: ContactDraft | null;
    groupName: string;
  };
}
