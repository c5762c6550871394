/** Notes: notes and checklists in folders, pinned, searched, trashed. */

export interface ChecklistItem {
  id: string;
  text: string;
  done: boolean;
}

export interface Note {
  id: string;
  title: string;
  body: string;
  /** null for a plain note. In shown order. */
  checklist: ChecklistItem[] | null;
  /** Folder id, or '' for none. */
  folder: string;
  pinned: boolean;
  color: 'none' | 'red' | 'yellow' | 'green' | 'blue' | 'purple';
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
    sort: 'modified' | 'created' | 'title';
    view: 'list' | 'grid';
  };
  ui: {
    /** Shown folder: an id, 'all' or 'trash'. */
    folder: string;
    search: string;
    /** Texts being edited. */
    draft: { title: string; body: string; item: string; folderName: string };
    selected: string[];
  };
}
