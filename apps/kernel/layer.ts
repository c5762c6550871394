/** Which route is being rendered: `app/screen`. Lists within it keep their scroll offsets under it, also while a dialog stands above. */
import { createContext } from 'preact';

export const Layer = createContext('launcher/home');
