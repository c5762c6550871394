/** Contacts: people, favourites, groups. */

export type PhoneKind = 'mobile' | 'home' | 'work';

export interface ContactPhone {
  kind: PhoneKind;
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

/** A contact as its form holds it; `id` is '' for a new one. */
export interface ContactDraft {
  id: string;
  given: string;
  family: string;
  nickname: string;
  company: string;
  title: string;
  /** Those left empty are dropped on saving. */
  phones: ContactPhone[];
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
    /** What is searched for on screens where a contact is chosen. */
    find: string;
    draft: ContactDraft | null;
    groupName: string;
  };
}
