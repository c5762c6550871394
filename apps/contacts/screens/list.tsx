/** Lists of contacts: rows with their letters, the index beside them, and a list to choose from. */
import type { ComponentChildren } from 'preact';
import { Avatar, ChoiceRow, Empty, Row, Rows, Scroll } from '../../ui/kit';
import { os } from '../../kernel/os';
import { jumps, sorted, workText, type Listed } from '../select';
import type { Contact } from '../state';
import type { PhoneState } from '../../kernel/types';
import { t } from '../strings';

export function ContactRow({ listed, letters, on, onHold }: { listed: Listed; letters?: boolean; on: () => void; onHold?: () => void }) {
  const { contact, name, letter, first } = listed;
  const avatar = <Avatar seed={contact.avatar} name={name} />;
  const lead = letters ? <span class="contact-lead"><span class="letter">{first ? letter : ''}</span>{avatar}</span> : avatar;
  return <Row id={contact.id} label={name} sub={workText(contact)} lead={lead} on={on} onHold={onHold} />;
}

/** The list of all, with the index at its right edge. `height` is that of what can be seen, in px. */
export function IndexedList({ phone, contacts, height, on }: {
  phone: PhoneState; contacts: Contact[]; height: number; on: (id: string) => void;
}) {
  const list = sorted(phone, contacts);
  const indexed = list.length * 64 > height;
  return (
    <div class={indexed ? 'contact-list indexed' : 'contact-list'}>
      <Scroll id="main">
        <Rows items={list} row={(l) => <ContactRow key={l.contact.id} listed={l} letters on={() => on(l.contact.id)} />} />
        <div style={{ height: '64px' }} />
      </Scroll>
      {indexed && (
        <div class="index">
          {jumps(list, height).map(({ letter, offset }) => (
            <button key={letter} role="button" aria-label={letter}
              onClick={() => os.scrolled({ list: `contacts/${phone.os.nav.stacks.contacts?.at(-1)?.screen ?? 'home'}/main`, offset })}>{letter}</button>
          ))}
        </div>
      )}
    </div>
  );
}

/** Rows of those found, in order; says so where there is none. */
export function Found({ phone, contacts, row }: { phone: PhoneState; contacts: Contact[]; row: (listed: Listed) => ComponentChildren }) {
  if (contacts.length === 0) return <Empty icon="search" text={t().noneFound} />;
  return <Rows items={sorted(phone, contacts)} row={row} />;
}

export function MemberRow({ listed, checked, on }: { listed: Listed; checked: boolean; on: () => void }) {
  return <ChoiceRow id={listed.contact.id} kind="checkbox" label={listed.name} sub={workText(listed.contact)} checked={checked} on={on} />;
}
