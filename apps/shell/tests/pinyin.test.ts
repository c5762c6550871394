import { expect, test } from 'vitest';
import { candidates } from '../pinyin';

const first = (letters: string) => candidates(letters)[0];

test.each([
  ['ni', '你', ''], ['nihao', '你好', ''], ['nimen', '你们', ''], ['haoma', '好', 'ma'], ['xian', '先', ''], ["xi'an", '西', 'an'],
  ['naozhong', '闹钟', ''], ['zh', '炸', ''],
])('%s begins with %s and leaves "%s"', (letters, text, rest) => {
  expect(first(letters)).toEqual({ text, rest });
});

test('nothing stands for no letters', () => {
  expect(candidates('')).toEqual([]);
});

test('no candidate is named twice', () => {
  for (const letters of ['shi', 'xian', 'm', 'mingtian']) {
    const texts = candidates(letters).map((c) => c.text);
    expect(new Set(texts).size).toBe(texts.length);
  }
});
