/** From letters to Chinese characters: words that fit all letters, then characters of the longest syllable in front. */
import { CHARACTERS, PHRASES } from './pinyin-table';

export interface Candidate {
  text: string;
  /** Letters that stay to be composed when this is taken. */
  rest: string;
}

const LONGEST_SYLLABLE = 6;
const MOST = 40;

/** The syllables that the letters can begin with, the longest first. An apostrophe parts syllables, as in `xi'an`. */
function fronts(letters: string): string[] {
  const upTo = Math.min(LONGEST_SYLLABLE, letters.includes("'") ? letters.indexOf("'") : letters.length);
  const all: string[] = [];
  for (let n = upTo; n > 0; n--) if (CHARACTERS[letters.slice(0, n)]) all.push(letters.slice(0, n));
  return all;
}

/** First characters of the syllables that begin with letters that are no whole syllable yet. */
function begun(letters: string): Candidate[] {
  const open = Object.keys(CHARACTERS).filter((s) => s.startsWith(letters));
  return open.map((s) => ({ text: [...(CHARACTERS[s] ?? '')][0] ?? '', rest: '' }));
}

const words = (fits: (key: string) => boolean): Candidate[] =>
  Object.keys(PHRASES)
    .filter(fits)
    .sort((a, b) => a.length - b.length)
    .map((key) => ({ text: PHRASES[key] ?? '', rest: '' }));

/** What the letters can stand for, best first. */
export function candidates(letters: string): Candidate[] {
  if (letters === '') return [];
  const syllables = fronts(letters);
  const characters = syllables.flatMap((front) =>
    [...(CHARACTERS[front] ?? '')].map((text) => ({ text, rest: letters.slice(front.length).replace(/^'/, '') })),
  );
  const exact = words((key) => key === letters.replace(/'/g, ''));
  const longer = letters.length > 3 ? words((key) => key.startsWith(letters)) : [];
  const whole = syllables[0] === letters;
  const rest = characters.length === 0 ? begun(letters) : whole ? [...characters, ...longer] : [...longer, ...characters];
  const found = [...exact, ...rest];
  return found.filter((c, i) => found.findIndex((d) => d.text === c.text) === i).slice(0, MOST);
}
