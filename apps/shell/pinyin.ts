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

/** What the letters can stand for, best first. */
export function candidates(letters: string): Candidate[] {
  const plain = letters.replace(/'/g, '');
  const whole = Object.keys(PHRASES).filter((key) => key === plain || (plain.length > 3 && key.startsWith(plain)));
  const words = whole.sort((a, b) => a.length - b.length).map((key) => ({ text: PHRASES[key] ?? '', rest: '' }));
  const characters = fronts(letters).flatMap((front) =>
    [...(CHARACTERS[front] ?? '')].map((text) => ({ text, rest: letters.slice(front.length).replace(/^'/, '') })),
  );
  const found = [...words, ...(characters.length > 0 ? characters : begun(letters))];
  const first = found.filter((c, i) => found.findIndex((d) => d.text === c.text) === i);
  return first.slice(0, MOST);
}
