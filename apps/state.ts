/** The whole state of one phone: the JSON document that tasks inject and judges read. */
import type { OsState } from './kernel/types';
import type { ClockState } from './clock/state';
import type { NotesState } from './notes/state';
import type { ContactsState } from './contacts/state';
import type { SettingsState } from './settings/state';

export type AppId = 'clock' | 'notes' | 'contacts' | 'settings';

export interface PhoneState {
  version: 1;
  os: OsState;
  apps: {
    clock: ClockState;
    notes: NotesState;
    contacts: ContactsState;
    settings: SettingsState;
  };
}
