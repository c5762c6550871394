/** Lines and cards that show a note. */
import type { ComponentChildren } from 'preact';
import type { PhoneState } from '../../kernel/types';
import { ChoiceRow, Empty, Icon, Row, Rows, type IconName } from '../../ui/kit';
import { act } from '../actions';
import { preview, shortWhen, titleOf } from '../select';
import type { Note } from '../state';
import { t } from '../strings';

/** Keeps the tap of a control within a row from being the row's. */
export const Own = ({ children }: { children: ComponentChildren }) => (
  <span class="note-tail" onClick={(e) => e.stopPropagation()}>{children}</span>
);

export const Tile = ({ note }: { note: Note }) => (
  <span class={`note-tile note-${note.color}`}><Icon name={note.checklist ? 'checklist' : 'note'} size={22} /></span>
);

function subOf(phone: PhoneState, note: Note): string {
  const when = note.trashed === null ? shortWhen(phone, note.modified) : t().deletedOn(shortWhen(phone, note.trashed));
  return [when, preview(note)].filter((s) => s !== '').join(' · ');
}

/** `folder` is what a selection begun here ranges over: an id, 'all' or 'trash'. */
function NoteRow({ phone, note, folder }: { phone: PhoneState; note: Note; folder: string }) {
  return (
    <Row key={note.id} id={note.id} label={titleOf(note)} sub={subOf(phone, note)} lead={<Tile note={note} />}
      trail={note.pinned && <span class="note-tail" role={'image' as 'img'} aria-label={t().pinned}><Icon name="pin-filled" size={18} /></span>}
      on={() => act.openNote({ id: note.id })} onHold={() => act.select({ id: note.id, folder })} />
  );
}

function NoteCard({ phone, note, folder }: { phone: PhoneState; note: Note; folder: string }) {
  return (
    <div class={`note-card note-${note.color}`} role="listitem" aria-label={titleOf(note)} data-key={note.id}
      onClick={() => act.openNote({ id: note.id })} onHold={() => act.select({ id: note.id, folder })}>
      <div class="note-card-title"><span>{titleOf(note)}</span>{note.pinned && <Icon name="pin-filled" size={16} />}</div>
      <div class="note-card-text">{preview(note)}</div>
      <div class="note-card-when">{shortWhen(phone, note.modified)}</div>
    </div>
  );
}

function inPairs(notes: Note[]): Note[][] {
  return notes.flatMap((n, i) => (i % 2 === 0 ? [[n, ...notes.slice(i + 1, i + 2)]] : []));
}

interface ListProps {
  phone: PhoneState;
  notes: Note[];
  folder: string;
  empty: { icon: IconName; text: string };
  head?: { height: number; view: ComponentChildren };
  grid?: boolean;
}

export function NoteList({ phone, notes, folder, empty, head, grid }: ListProps) {
  if (notes.length === 0) return <Empty {...empty} />;
  const end = <div class="note-end" />; // keeps the last row clear of the round button
  if (!grid) return <><Rows items={notes} head={head} row={(n) => <NoteRow phone={phone} note={n} folder={folder} />} />{end}</>;
  const pair = (two: Note[]) => (
    <div class="note-pair" key={two[0]?.id}>
      {two.map((n) => <NoteCard key={n.id} phone={phone} note={n} folder={folder} />)}
      {two.length === 1 && <div class="note-card" style={{ visibility: 'hidden' }} />}
    </div>
  );
  return <><Rows items={inPairs(notes)} height={128} head={head} row={pair} />{end}</>;
}

export const TickRow = ({ phone, note }: { phone: PhoneState; note: Note }) => (
  <ChoiceRow key={note.id} kind="checkbox" id={note.id} label={titleOf(note)} sub={subOf(phone, note)}
    checked={phone.apps.notes.ui.selected.includes(note.id)} on={() => act.pick({ id: note.id })} />
);
