/** The soft keyboard: four rows of 64 px; a strip of candidates above it while pinyin is being composed. */
import { enter } from '../kernel/field';
import { os } from '../kernel/os';
import type { Locale, PhoneState } from '../kernel/types';
import { Icon, type IconName } from '../ui/icons';
import { ROLE } from '../ui/roles';
import { words } from '../ui/text';
import { candidates } from './pinyin';

const ROW = 64;
const STRIP = 48;

const t = words({
  en: { shift: 'Shift', backspace: 'Backspace', symbols: 'Symbols', letters: 'Letters', space: 'Space', enter: 'Enter', hide: 'Hide keyboard', emoji: 'Emoji', language: 'Switch language' },
  zh: { shift: '大写', backspace: '退格', symbols: '符号', letters: '字母', space: '空格', enter: '回车', hide: '收起键盘', emoji: '表情', language: '切换语言' },
});

const LETTERS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const SYMBOLS = ['1234567890', '@#$%&-+()/', '*"\':;!?,'];
const FULL_WIDTH: { [half: string]: string } = { ',': '，', '.': '。', '?': '？', '!': '！', ':': '：', ';': '；', '(': '（', ')': '）' };
const EMOJI = '😀 😂 😊 😍 😘 😎 🤔 😅 😭 😡 😴 🥳 👍 👎 👏 🙏 💪 👋 ✌️ 🤝 ❤️ 💔 🎉 🎂 🎁 🌹 ☀️ 🌧️ ❄️ 🔥 ⭐ ✅ ❌ ☕ 🍎 🍜 🍺 🚗 ✈️ 🏠 ⏰ 📅 📞 📷 💰 🐶 🐱 🐼'.split(' ');

export const keyboardShown = (phone: PhoneState): boolean => phone.os.focus !== null && phone.os.overlay === 'none' && phone.os.dialog === null;

export const languageOf = (phone: PhoneState): Locale => phone.os.keyboard.language ?? phone.os.locale;

const composing = (phone: PhoneState): boolean => phone.os.keyboard.pinyin !== '';

/** CSS px. */
export const keyboardHeight = (phone: PhoneState): number => 4 * ROW + (composing(phone) ? STRIP : 0);

interface KeyProps {
  name: string;
  text?: string;
  icon?: IconName;
  /** In 360ths of the screen's width; what is left where absent. */
  width?: number;
  kind?: 'plain' | 'side' | 'strong' | 'wide' | 'picture';
  on: (e: MouseEvent) => void;
  onHold?: () => void;
}

function Key({ name, text, icon, width, kind = 'plain', on, onHold }: KeyProps) {
  const style = width ? { width: `${width / 3.6}%` } : undefined;
  return (
    <button class={`key ${kind}`} role={ROLE.key} aria-label={name} style={style} onClick={on} onHold={onHold}>
      <span>{icon ? <Icon name={icon} size={22} /> : text ?? name}</span>
    </button>
  );
}

function typed(phone: PhoneState, char: string): void {
  const { layer, pinyin } = phone.os.keyboard;
  if (languageOf(phone) !== 'zh') os.insert({ text: char });
  else if (layer === 'letters' && /^[a-z']$/.test(char)) os.pinyin({ text: pinyin + char });
  else os.insert({ text: FULL_WIDTH[char] ?? char });
}

function space(phone: PhoneState): void {
  const first = candidates(phone.os.keyboard.pinyin)[0];
  if (first) os.candidate({ text: first.text, rest: first.rest });
  else os.insert({ text: ' ' });
}

function Chars({ phone, chars }: { phone: PhoneState; chars: string }) {
  const upper = phone.os.keyboard.layer === 'shift';
  return (
    <>
      {[...chars].map((c) => (upper ? c.toUpperCase() : c)).map((c) => <Key key={c} name={c} width={36} on={() => typed(phone, c)} />)}
    </>
  );
}

const erase = (): void => os.erase({});

function Letters({ phone }: { phone: PhoneState }) {
  const shifted = phone.os.keyboard.layer === 'shift';
  return (
    <>
      <div class="keys"><Chars phone={phone} chars={LETTERS[0] ?? ''} /></div>
      <div class="keys"><Chars phone={phone} chars={LETTERS[1] ?? ''} /></div>
      <div class="keys">
        <Key name={t().shift} icon={shifted ? 'shift-filled' : 'shift'} kind="side" width={54} on={() => os.keyboardLayer({ layer: shifted ? 'letters' : 'shift' })} />
        <Chars phone={phone} chars={LETTERS[2] ?? ''} />
        <Key name={t().backspace} icon="backspace" kind="side" width={54} on={erase} />
      </div>
    </>
  );
}

function Symbols({ phone }: { phone: PhoneState }) {
  return (
    <>
      <div class="keys"><Chars phone={phone} chars={SYMBOLS[0] ?? ''} /></div>
      <div class="keys"><Chars phone={phone} chars={SYMBOLS[1] ?? ''} /></div>
      <div class="keys">
        <Chars phone={phone} chars={SYMBOLS[2] ?? ''} />
        <Key name={t().backspace} icon="backspace" kind="side" width={72} on={erase} />
      </div>
    </>
  );
}

function Emojis() {
  const column = Math.ceil(EMOJI.length / 3);
  return (
    <div class="emojis" data-scroll="os/keyboard/emoji" data-axis="x" data-snap="45">
      {[0, 1, 2].map((row) => (
        <div key={row} class="emoji-row">
          {EMOJI.slice(row * column, (row + 1) * column).map((e) => <Key key={e} name={e} kind="picture" on={() => os.insert({ text: e })} />)}
        </div>
      ))}
    </div>
  );
}

function Foot({ phone }: { phone: PhoneState }) {
  const { layer } = phone.os.keyboard;
  const abc = layer === 'letters' || layer === 'shift';
  const zh = languageOf(phone) === 'zh';
  return (
    <div class="keys foot">
      <Key name={abc ? t().symbols : t().letters} text={abc ? '?123' : 'ABC'} kind="side" width={54} on={() => os.keyboardLayer({ layer: abc ? 'symbols' : 'letters' })} />
      <Key name={t().emoji} icon="emoji" kind="side" width={36} on={() => os.keyboardLayer({ layer: layer === 'emoji' ? 'letters' : 'emoji' })} />
      <Key name={t().language} icon="globe-key" kind="side" width={36} on={() => os.keyboardLanguage({ language: zh ? 'en' : 'zh' })} />
      <Key name={t().space} text={zh ? '拼音' : 'English'} kind="wide" on={() => space(phone)} />
      {layer === 'emoji'
        ? <Key name={t().backspace} icon="backspace" kind="side" width={36} on={erase} />
        : <Key name={zh ? '。' : '.'} width={36} on={() => typed(phone, '.')} onHold={() => typed(phone, ',')} />}
      <Key name={t().hide} icon="keyboard-hide" kind="side" width={36} on={() => os.blur({})} />
      <Key name={t().enter} icon="enter" kind="strong" width={40} on={(e) => enter((e.currentTarget as Element).closest<HTMLElement>('#phone') as HTMLElement)} />
    </div>
  );
}

function Strip({ pinyin }: { pinyin: string }) {
  return (
    <div class="strip">
      <span class="strip-pinyin">{pinyin}</span>
      <div class="strip-list" data-scroll="os/keyboard/candidates" data-axis="x">
        {candidates(pinyin).map((c) => (
          <button key={c.text} class="candidate" role={ROLE.key} aria-label={c.text} onClick={() => os.candidate({ text: c.text, rest: c.rest })}>{c.text}</button>
        ))}
      </div>
    </div>
  );
}

export function Keyboard({ phone }: { phone: PhoneState }) {
  const { layer, pinyin } = phone.os.keyboard;
  return (
    <div class="keyboard" style={{ height: `${keyboardHeight(phone)}px` }}>
      {composing(phone) && <Strip pinyin={pinyin} />}
      {layer === 'emoji' ? <Emojis /> : layer === 'symbols' ? <Symbols phone={phone} /> : <Letters phone={phone} />}
      <Foot phone={phone} />
    </div>
  );
}
