export const candidates = (pinyin: string): { text: string; rest: string }[] => (pinyin === '' ? [] : [{ text: pinyin, rest: '' }]);
