/** Words of the interface in both languages, picked by the phone's locale. */
import { getState } from '../kernel/store';
import type { Locale } from '../kernel/types';

/** `const t = words({en: {...}, zh: {...}}); t().save` */
export function words<W extends { [key: string]: unknown }>(table: { en: W; zh: W }): () => W {
  return () => table[getState().os.locale as Locale];
}
