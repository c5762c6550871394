/** Brightness: below 60 % the picture darkens. */
import type { Settings } from '../kernel/types';

const FULL_AT = 60;
const DARKEST = 0.4;

export function Dim({ settings }: { settings: Settings }) {
  if (settings.adaptiveBrightness || settings.brightness >= FULL_AT) return null;
  return <div class="dim" style={{ opacity: String((1 - settings.brightness / FULL_AT) * DARKEST) }} />;
}
