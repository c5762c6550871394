/** Icons, drawn on 24 x 24 with a stroke of 1.8 in the colour of the text. */

/** A circle as a path. */
const o = (cx: number, cy: number, r: number): string => `M${cx - r} ${cy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

/** A rectangle with rounded corners as a path. */
const box = (x: number, y: number, w: number, h: number, r: number): string =>
  `M${x + r} ${y}h${w - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${h - 2 * r}a${r} ${r} 0 0 1 ${-r} ${r}h${2 * r - w}a${r} ${r} 0 0 1 ${-r} ${-r}v${2 * r - h}a${r} ${r} 0 0 1 ${r} ${-r}z`;

const STAR = 'M12 3.6l2.6 5.3 5.8.8-4.2 4.1 1 5.8-5.2-2.7-5.2 2.7 1-5.8-4.2-4.1 5.8-.8z';
const PIN = 'M9 4h6l-.7 6 2.7 3.5H7L9.7 10zM12 13.5V20';
const BULB = 'M12 3a6 6 0 0 0-3.5 10.9c.7.6 1 1.2 1 2.1h5c0-.9.3-1.5 1-2.1A6 6 0 0 0 12 3zM9.8 19h4.4M10.8 21.4h2.4';
const PERSON = o(12, 8, 3.8) + 'M4.5 20c.7-3.9 3.6-6 7.5-6s6.8 2.1 7.5 6';
const BELL = 'M12 3.5a5.5 5.5 0 0 0-5.5 5.5c0 5-2 6.2-2 7.5h15c0-1.3-2-2.5-2-7.5A5.5 5.5 0 0 0 12 3.5zM9.8 19.5a2.3 2.3 0 0 0 4.4 0';
const GLOBE = o(12, 12, 8.5) + 'M3.5 12h17M12 3.5c2.4 2.4 3.5 5.2 3.5 8.5s-1.1 6.1-3.5 8.5c-2.4-2.4-3.5-5.2-3.5-8.5S9.6 5.9 12 3.5z';
const CLOCK = o(12, 12, 8.5) + 'M12 7v5l3.4 2.2';
const SPEAKER = 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5z';
const BATTERY = box(3, 7.5, 15.5, 9, 2.4) + 'M21 10.5v3';
const PHONE_BODY = box(7, 3, 10, 18, 2.2);
const BIN = 'M4.5 6.5h15M9.5 6.5V4.5a1 1 0 0 1 1-1h3a1 1 0 0 1 1 1v2M6.5 6.5l.8 12.6a1.5 1.5 0 0 0 1.5 1.4h6.4a1.5 1.5 0 0 0 1.5-1.4l.8-12.6M10 10.5v6M14 10.5v6';

const STROKES = {
  back: 'M19.5 12h-15M11 5.5L4.5 12l6.5 6.5',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.6l4.6 4.6L19.2 7.4',
  add: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  search: o(10.8, 10.8, 6.3) + 'M15.5 15.5l4.5 4.5',
  more: o(12, 5.5, 0.8) + o(12, 12, 0.8) + o(12, 18.5, 0.8),
  edit: 'M4.5 19.5l.9-4.2L15.7 5a1.8 1.8 0 0 1 2.6 0l.7.7a1.8 1.8 0 0 1 0 2.6L8.7 18.6zM13.8 6.9l3.3 3.3',
  delete: BIN,
  share: o(17.5, 5.5, 2.5) + o(6.5, 12, 2.5) + o(17.5, 18.5, 2.5) + 'M8.7 10.7l6.6-3.9M8.7 13.3l6.6 3.9',
  star: STAR,
  pin: PIN,
  folder: 'M3.5 7.5a2 2 0 0 1 2-2h3.7l2 2.5h7.3a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2z',
  restore: 'M4.2 12a7.8 7.8 0 1 0 2.6-5.8L4.2 8.5M4.2 4.2v4.3h4.3M12 8v4.3l2.8 1.7',
  alarm: o(12, 13, 7) + 'M12 9.2V13l2.5 1.6M3.5 6.5l3-2.7M20.5 6.5l-3-2.7M7 18.5l-1.5 2M17 18.5l1.5 2',
  globe: GLOBE,
  timer: o(12, 13.5, 7.2) + 'M9.5 3h5M12 9.5v4M17.5 7.8l1.3-1.3',
  stopwatch: o(12, 13.5, 7.2) + 'M9.5 3h5M12 3v3.3M12 13.5l2.8-2.8M17.5 7.8l1.3-1.3',
  flag: 'M5.5 21V4M5.5 4.8c4-2 7.5 2 13 0v8.7c-5.5 2-9-2-13 0',
  bell: BELL,
  note: 'M6.5 3.5h7.5l4.5 4.5v10.5a2 2 0 0 1-2 2h-10a2 2 0 0 1-2-2v-13a2 2 0 0 1 2-2zM14 3.5V8h4.5M8 12.5h7.5M8 16h5',
  checklist: 'M3.8 6.8l1.5 1.5L8 5.5M3.8 13.3l1.5 1.5L8 12M4 19.2h3.5M11.5 7h9M11.5 13.5h9M11.5 19.2h9',
  person: PERSON,
  people: o(9, 8.5, 3.3) + 'M2.5 19.5c.6-3.6 3.1-5.5 6.5-5.5s5.9 1.9 6.5 5.5M15.5 5.4a3.3 3.3 0 0 1 0 6.2M17.5 14.3c2.2.7 3.6 2.5 4 5.2',
  phone: 'M6 3.8h2.8l1.5 4.2-2 1.6a12 12 0 0 0 6.1 6.1l1.6-2 4.2 1.5V18a2.2 2.2 0 0 1-2.4 2.2C10.5 19.6 4.4 13.5 3.8 6.2A2.2 2.2 0 0 1 6 3.8z',
  message: 'M4 6.5a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v8.5a2 2 0 0 1-2 2h-7l-4.5 3.5V17H6a2 2 0 0 1-2-2zM8 9h8M8 12.5h5',
  mail: box(3.5, 5, 17, 14, 2.2) + 'M4 7l8 6 8-6',
  cake: 'M4.5 20.5v-6a2 2 0 0 1 2-2h11a2 2 0 0 1 2 2v6M3 20.5h18M4.5 16.5c1.9 1.5 3.1 1.5 5 0s3.1-1.5 5 0 3.1 1.5 5 0M12 12.5V9M12 6.5c-1.3-1.1-1-2.3 0-3.5 1 1.2 1.3 2.4 0 3.5z',
  home: 'M4 11.5L12 4.5l8 7M6 10v9.5h4.5V15h3v4.5H18V10',
  work: box(3.5, 7.5, 17, 12, 2.2) + 'M8.5 7.5V6a1.5 1.5 0 0 1 1.5-1.5h4A1.5 1.5 0 0 1 15.5 6v1.5M3.5 12.5h17M12 11.5v2',
  'pin-map': 'M12 21c4.5-4.6 6.8-8.1 6.8-11.1a6.8 6.8 0 0 0-13.6 0C5.2 12.9 7.5 16.4 12 21z' + o(12, 9.8, 2.4),
  settings: 'M4 7h8.5M17.5 7H20M4 17h2.5M11.5 17H20' + o(15, 7, 2.5) + o(9, 17, 2.5),
  wifi: 'M2.8 9.3a13.5 13.5 0 0 1 18.4 0M6 12.8a9 9 0 0 1 12 0M9 16.2a4.6 4.6 0 0 1 6 0' + o(12, 19, 0.5),
  bluetooth: 'M7 8l10 8-5 4.5v-17L17 8 7 16',
  airplane: 'M12 2.8c-1 0-1.7 1-1.7 2.7v4L3.5 14v2l6.8-2v3.5L8 19.3v1.5l4-1.1 4 1.1v-1.5l-2.3-1.8V14l6.8 2v-2l-6.8-4.5v-4c0-1.7-.7-2.7-1.7-2.7z',
  data: 'M8 20V5M4.5 8.5L8 5l3.5 3.5M16 4v15M12.5 15.5L16 19l3.5-3.5',
  hotspot: o(12, 13, 1.7) + 'M8.3 16.8a5.3 5.3 0 1 1 7.4 0M5.8 20a9.3 9.3 0 1 1 12.4 0',
  location: o(12, 12, 6) + o(12, 12, 1.5) + 'M12 2.5V6M12 18v3.5M2.5 12H6M18 12h3.5',
  flashlight: 'M7 3.5h10v4L14.5 11v8a1.5 1.5 0 0 1-1.5 1.5h-2A1.5 1.5 0 0 1 9.5 19v-8L7 7.5zM7 7h10M12 13v2',
  battery: BATTERY + 'M6 11v2M9 11v2',
  'battery-saver': BATTERY + 'M10.8 9.8v4.4M8.6 12H13',
  moon: 'M19.8 14.3A8.2 8.2 0 0 1 9.7 4.2a8.2 8.2 0 1 0 10.1 10.1z',
  sun: o(12, 12, 4) + 'M12 2.8v2.4M12 18.8v2.4M2.8 12h2.4M18.8 12h2.4M5.5 5.5l1.7 1.7M16.8 16.8l1.7 1.7M18.5 5.5l-1.7 1.7M7.2 16.8l-1.7 1.7',
  volume: SPEAKER + 'M15 9a4.5 4.5 0 0 1 0 6M17.6 6.5a8 8 0 0 1 0 11',
  vibrate: box(8, 4.5, 8, 15, 1.8) + 'M4.8 9v6M19.2 9v6M2.3 10.8v2.4M21.7 10.8v2.4',
  silent: SPEAKER + 'M15.5 9.5l5 5M20.5 9.5l-5 5',
  'do-not-disturb': o(12, 12, 8.5) + 'M8 12h8',
  rotate: 'M10 3.8L3.8 10 14 20.2l6.2-6.2zM14.5 3.5A6.5 6.5 0 0 1 20.8 9M9.5 20.5A6.5 6.5 0 0 1 3.2 15',
  'text-size': 'M2.5 19L8 5l5.5 14M4.3 14.5h7.4M14 19l3.5-8.5L21 19M15.3 16h4.4',
  language: 'M3.5 6h10M8.5 3.5V6M11.5 6c-.9 4-3.7 7-7.5 8.5M5.5 8.5c1.4 2.8 3.4 4.7 6 5.9M11.5 20.5L16 9.5l4.5 11M13 17h6',
  calendar: box(4, 5, 16, 15.5, 2.2) + 'M4 9.8h16M8.3 3v3.5M15.7 3v3.5M8 13.5h.01M12 13.5h.01M16 13.5h.01M8 17h.01M12 17h.01',
  storage: box(3.5, 4.5, 17, 6.3, 2) + box(3.5, 13.2, 17, 6.3, 2) + 'M7 7.6h.01M7 16.3h.01M11 7.6h6M11 16.3h6',
  apps: box(4, 4, 6.5, 6.5, 1.8) + box(13.5, 4, 6.5, 6.5, 1.8) + box(4, 13.5, 6.5, 6.5, 1.8) + box(13.5, 13.5, 6.5, 6.5, 1.8),
  lock: box(5, 10, 14, 10.5, 2.2) + 'M8 10V7.5a4 4 0 0 1 8 0V10M12 14v2.5',
  unlock: box(5, 10, 14, 10.5, 2.2) + 'M8 10V7.5a4 4 0 0 1 7.7-1.5M12 14v2.5',
  info: o(12, 12, 8.5) + 'M12 11v5.5M12 7.8h.01',
  help: o(12, 12, 8.5) + 'M9.5 9.7a2.5 2.5 0 1 1 3.7 2.2c-.8.5-1.2 1-1.2 1.9M12 16.8h.01',
  'chevron-right': 'M9.5 5.5L16 12l-6.5 6.5',
  'chevron-left': 'M14.5 5.5L8 12l6.5 6.5',
  'chevron-down': 'M5.5 9.5L12 16l6.5-6.5',
  'chevron-up': 'M5.5 14.5L12 8l6.5 6.5',
  sort: 'M4 7h16M4 12h11M4 17h6',
  grid: box(4, 4, 7, 7, 1.5) + box(13, 4, 7, 7, 1.5) + box(4, 13, 7, 7, 1.5) + box(13, 13, 7, 7, 1.5),
  list: 'M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5h.01M4.5 12h.01M4.5 17.5h.01',
  copy: box(8.5, 8.5, 11.5, 12, 2) + 'M5.5 15.5A1.5 1.5 0 0 1 4 14V5.5a2 2 0 0 1 2-2h8a1.5 1.5 0 0 1 1.5 1.5',
  'keyboard-hide': box(2.5, 4, 19, 11, 2) + 'M6 7.8h.01M10 7.8h.01M14 7.8h.01M18 7.8h.01M8 11.5h8M9.5 18.5l2.5 2.5 2.5-2.5',
  backspace: 'M8.5 5.5H19a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H8.5L2.5 12zM11.5 9.5l5 5M16.5 9.5l-5 5',
  shift: 'M12 4l7.5 8H15.5v7.5h-7V12H4.5z',
  enter: 'M19.5 6v6.5h-14M10 8l-4.5 4.5L10 17',
  emoji: o(12, 12, 8.5) + 'M8 14c1 1.7 2.3 2.5 4 2.5s3-.8 4-2.5M9 9.5h.01M15 9.5h.01',
  'globe-key': GLOBE,
  heart: 'M12 20C6 15.8 3.5 12.7 3.5 9.3A4.5 4.5 0 0 1 12 7.2a4.5 4.5 0 0 1 8.5 2.1c0 3.4-2.5 6.5-8.5 10.7z',
  undo: 'M8.5 5L4.5 9l4 4M4.5 9h9a5.5 5.5 0 0 1 0 11H8',
  label: 'M3.5 7a2 2 0 0 1 2-2h8.7a2 2 0 0 1 1.6.8L20.5 12l-4.7 6.2a2 2 0 0 1-1.6.8H5.5a2 2 0 0 1-2-2zM8 12h.01',
  drag: o(9, 6, 0.7) + o(15, 6, 0.7) + o(9, 12, 0.7) + o(15, 12, 0.7) + o(9, 18, 0.7) + o(15, 18, 0.7),
  filter: 'M4 5.5h16l-6.2 7.3v6.4l-3.6-1.9v-4.5z',
  merge: 'M12 20v-7M12 13C12 9 7 9 7 4M12 13c0-4 5-4 5-9M9 17l3 3 3-3',
  send: 'M4 11.5l16-7-6.5 16-2.5-6.5zM11 14l4-4',
  download: 'M12 4v11M7 10.5l5 5 5-5M5 20h14',
  upload: 'M12 15.5v-11M7 9l5-5 5 5M5 20h14',
  refresh: 'M19.8 12a7.8 7.8 0 1 1-2.6-5.8l2.6 2.3M19.8 4.2v4.3h-4.3',
  camera: 'M4 8.5a2 2 0 0 1 2-2h2l1.5-2h5l1.5 2h2a2 2 0 0 1 2 2V17a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2z' + o(12, 12.7, 3.5),
  mic: box(9, 3, 6, 11, 3) + 'M5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3M9 21h6',
  image: box(3.5, 4.5, 17, 15, 2.2) + o(8.5, 9.3, 1.6) + 'M4 17l5-4.5 3.5 3 3-2.5 4.5 4',
  eye: 'M2.5 12C4.8 7.9 8 5.8 12 5.8s7.2 2.1 9.5 6.2c-2.3 4.1-5.5 6.2-9.5 6.2S4.8 16.1 2.5 12z' + o(12, 12, 2.8),
  palette: 'M12 3.5a8.5 8.5 0 1 0 0 17c1.4 0 2-1 2-2 0-1.6 1-2.5 2.5-2.5h1.5c1.5 0 2.5-1.2 2.5-3 0-5.3-3.8-9.5-8.5-9.5zM8 10.5h.01M12 7.5h.01M16 10.5h.01M7.5 14.5h.01',
  system: PHONE_BODY + 'M10.5 18h3',
  bulb: BULB,
  accounts: PERSON,
  clock: CLOCK,
  notes: 'M6 4h12a2 2 0 0 1 2 2v8l-6 6H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zM20 14h-4a2 2 0 0 0-2 2v4M8 8.5h8M8 12.5h5',
  contacts: box(5, 3.5, 15, 17, 2.5) + o(12.5, 10, 2.4) + 'M8.5 16.5c.5-2 2-3 4-3s3.5 1 4 3M3 8h3.5M3 12h3.5M3 16h3.5',
  calculator: box(5, 3.5, 14, 17, 2.2) + 'M8 7.5h8v2.5H8zM8.5 13.5h.01M12 13.5h.01M15.5 13.5h.01M8.5 17h.01M12 17h.01M15.5 17h.01',
} as const;

const FILLED = {
  'star-filled': STAR,
  'pin-filled': PIN,
  'heart-filled': STROKES.heart,
  'bell-filled': BELL,
  'shift-filled': STROKES.shift,
  play: 'M8 5.2v13.6l11-6.8z',
  pause: 'M7.5 5.5h2.5v13H7.5zM14 5.5h2.5v13H14z',
  stop: box(6.5, 6.5, 11, 11, 1.5),
} as const;

export type IconName = keyof typeof STROKES | keyof typeof FILLED;

/** True where a name from data (an app's manifest, say) is one of these icons. */
export const isIcon = (name: string): name is IconName => name in STROKES || name in FILLED;

export function Icon({ name, size = 24 }: { name: IconName; size?: number }) {
  const filled = name in FILLED;
  const d = filled ? FILLED[name as keyof typeof FILLED] : STROKES[name as keyof typeof STROKES];
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" fill={filled ? 'currentColor' : 'none'}
      stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
      <path d={d} />
    </svg>
  );
}
