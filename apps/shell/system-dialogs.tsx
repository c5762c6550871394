/** Dialogs of the system itself: permissions, and the chooser of an app for an intent. */
import { allApps, appOf } from '../kernel/app';
import { os } from '../kernel/os';
import type { Permission, PhoneState, SystemDialog } from '../kernel/types';
import { Icon, type IconName } from '../ui/icons';
import { words } from '../ui/text';
import { AppIcon } from './app-icon';

const t = words({
  en: {
    allow: 'Allow', deny: "Don't allow", share: 'Share with', pick: 'Choose from', view: 'Open with', none: 'No app can do this', cancel: 'Cancel',
    ask: {
      notifications: (app: string) => `Allow ${app} to send you notifications?`,
      contacts: (app: string) => `Allow ${app} to access your contacts?`,
      location: (app: string) => `Allow ${app} to access this phone's location?`,
      microphone: (app: string) => `Allow ${app} to record audio?`,
      camera: (app: string) => `Allow ${app} to take pictures?`,
      files: (app: string) => `Allow ${app} to access your files?`,
    },
  },
  zh: {
    allow: '允许', deny: '不允许', share: '分享到', pick: '选择来源', view: '打开方式', none: '没有可用的应用', cancel: '取消',
    ask: {
      notifications: (app: string) => `允许“${app}”发送通知吗？`,
      contacts: (app: string) => `允许“${app}”访问通讯录吗？`,
      location: (app: string) => `允许“${app}”获取位置信息吗？`,
      microphone: (app: string) => `允许“${app}”录音吗？`,
      camera: (app: string) => `允许“${app}”拍照吗？`,
      files: (app: string) => `允许“${app}”访问文件吗？`,
    },
  },
});

const ICONS: { [p in Permission]: IconName } = {
  notifications: 'bell', contacts: 'contacts', location: 'pin-map', microphone: 'mic', camera: 'camera', files: 'folder',
};

function Ask({ dialog, phone }: { dialog: SystemDialog & { kind: 'permission' }; phone: PhoneState }) {
  const title = t().ask[dialog.permission](appOf(dialog.app).name[phone.os.locale]);
  return (
    <div class="ask" role="dialog" aria-label={title}>
      <span class="ask-icon"><Icon name={ICONS[dialog.permission]} size={28} /></span>
      <h2 class="ask-title" role="heading">{title}</h2>
      <button class="ask-button top" role="button" aria-label={t().allow} onClick={() => os.decidePermission({ grant: 'granted' })}>{t().allow}</button>
      <button class="ask-button" role="button" aria-label={t().deny} onClick={() => os.decidePermission({ grant: 'denied' })}>{t().deny}</button>
    </div>
  );
}

function Chooser({ dialog, phone }: { dialog: SystemDialog & { kind: 'chooser' }; phone: PhoneState }) {
  const { kind, type, title, text } = dialog.intent;
  const apps = allApps().filter((a) => a.intents?.[`${kind}:${type}`]);
  return (
    <div class="sheet" role="dialog" aria-label={t()[kind]}>
      <h2 class="sheet-title" role="heading">{t()[kind]}</h2>
      {(title ?? text) && <p class="chooser-text">{title ?? text}</p>}
      {apps.length === 0 && <p class="chooser-text">{t().none}</p>}
      {apps.map((app) => (
        <div key={app.id} class="row" role="listitem" aria-label={app.name[phone.os.locale]} data-key={app.id} onClick={() => os.choose({ app: app.id })}>
          <AppIcon app={app} size={40} />
          <span class="row-label">{app.name[phone.os.locale]}</span>
        </div>
      ))}
      <button class="ask-button" role="button" aria-label={t().cancel} onClick={() => os.closeDialog({})}>{t().cancel}</button>
    </div>
  );
}

export function SystemDialogs({ phone }: { phone: PhoneState }) {
  const dialog = phone.os.dialog;
  if (!dialog) return null;
  return (
    <div class="system">
      <div class="veil" role="presentation" onClick={() => os.closeDialog({})} />
      {dialog.kind === 'permission' ? <Ask dialog={dialog} phone={phone} /> : <Chooser dialog={dialog} phone={phone} />}
    </div>
  );
}
