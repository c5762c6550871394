/** Random numbers as a pure function of a counter: the state's `os.random` is all there is to remember. */

/** Uniform in [0, 1) for counter `n` (splitmix32 finaliser). */
export function uniform(n: number): number {
  let z = (n + 0x9e3779b9) | 0;
  z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
  return ((z ^ (z >>> 15)) >>> 0) / 4294967296;
}

/** A 32-bit hash of a string (FNV-1a), to seed drawings. */
export function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}
