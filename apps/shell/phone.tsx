/** The whole screen as a function of the phone's state. */
import type { PhoneState } from '../kernel/types';
import { Dim } from './dim';
import { Keyboard, keyboardHeight, keyboardShown } from './keyboard';
import { Launcher } from './launcher';
import { Recents } from './recents';
import { Shade } from './shade';
import { Stage } from './stage';
import { StatusBar } from './status-bar';
import { SystemDialogs } from './system-dialogs';
import { Toast } from './toast';

export function Phone({ phone }: { phone: PhoneState }) {
  const { settings, overlay, dialog, locale, nav } = phone.os;
  const typing = keyboardShown(phone);
  const covered = overlay !== 'none' || dialog !== null;
  const style = { '--scale': String(settings.fontScale), '--keyboard': `${typing ? keyboardHeight(phone) : 0}px` };
  return (
    <div class={settings.darkMode ? 'phone dark' : 'phone'} lang={locale} style={style}>
      <div class="plane" aria-hidden={covered ? 'true' : undefined}>
        {nav.active === 'launcher' ? <Launcher phone={phone} /> : <Stage phone={phone} app={nav.active} />}
        {typing && <Keyboard phone={phone} />}
      </div>
      <div class="plane" aria-hidden={dialog ? 'true' : undefined}>
        {overlay === 'shade' && <Shade phone={phone} />}
        {overlay === 'recents' && <Recents phone={phone} />}
      </div>
      <Toast phone={phone} />
      <SystemDialogs phone={phone} />
      <StatusBar phone={phone} />
      <div class="pill" />
      <Dim settings={settings} />
    </div>
  );
}
