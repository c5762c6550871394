/** Notes: notes and checklists in folders, pinned, coloured, searched, trashed. */

export interface ChecklistItem {
  id: string;
  text: string;
  done: boolean;
}

export type NoteColor = 'none' | 'red' | 'yellow' | 'green' | 'blue' | 'purple';
export type NoteSort = 'modified' | 'created' | 'title';

export interface Note {
  id: string;
  title: string;
  body: string;
  /** null for a plain note. In shown order. */
  checklist: ChecklistItem[] | null;
  /** Folder id, or '' for none. */
  folder: string;
  pinned: boolean;
  color: NoteColor;
  /** Unix milliseconds. */
  created: number;
  modified: number;
  /** Unix milliseconds of its deletion while it lies in the trash, else null. */
  trashed: number | null;
}

export interface Folder {
  id: string;
  name: string;
}

export interface NotesState {
  data: {
    notes: { [id: string]: Note };
    folders: { [id: string]: Folder };
    sort: NoteSort;
    view: 'list' | 'grid';
  };
  ui: {
    tab: 'notes' | 'folders' | 'trash';
    search: string;
    /** Texts being edited: a note, a new checklist item, an old one, a folder. */
    draft: { title: string; body: string; item: string; itemEdit: string; folderName: string };
    /** Note ids ticked in the selection. */
    selected: string[];
  };
}
