/** Apps: the list, and one app's page with its permissions and storage. */
import { appOf } from '../../kernel/app';
import type { AppId, PhoneState, ScreenProps } from '../../kernel/types';
import { AppIcon } from '../../shell/app-icon';
import { Button, Row, SwitchRow, type IconName } from '../../ui/kit';
import { act } from '../actions';
import { appBytes, appName, appsByName, permissionsOf, running, sizeText } from '../select';
import { t } from '../strings';
import { Fact, Note, Page } from './parts';

const idOf = (params: ScreenProps['params']): AppId => String(params['app']) as AppId;
const notifies = (phone: PhoneState, app: AppId): boolean => phone.os.permissions[app]?.notifications === 'granted';

export function Apps({ phone }: ScreenProps) {
  return (
    <Page title={t().apps}>
      {appsByName(phone).map((a) => (
        <Row key={a.id} id={a.id} lead={<AppIcon app={a} size={40} />} label={a.name[phone.os.locale]}
          sub={notifies(phone, a.id) ? undefined : t().notificationsOff} value={sizeText(appBytes(phone, a.id))}
          on={() => act.open({ screen: 'app', app: a.id })} />
      ))}
    </Page>
  );
}

export function AppPage({ phone, params }: ScreenProps) {
  const app = idOf(params);
  const [on, permissions] = [notifies(phone, app), permissionsOf(phone, app)];
  const stoppable = app !== 'settings' && running(phone, app);
  return (
    <Page title={appName(phone, app)}>
      <div class="set-app">
        <AppIcon app={appOf(app)} size={72} />
        <div class="set-app-texts">
          <span class="set-app-name">{appName(phone, app)}</span>
          <span class="set-muted">{t().osVersion} {phone.apps.settings.data.osVersion}</span>
        </div>
      </div>
      <div class="set-buttons">
        <Button kind="tonal" label={t().openApp} on={() => act.openApp({ app })} />
        <Button kind="tonal" label={t().forceStop} disabled={!stoppable} on={() => act.open({ screen: 'forceStop', app })} />
      </div>
      <SwitchRow id="notifications" icon="bell" label={t().notifications} checked={on} on={() => act.notifications({ app, on: !on })} />
      <Row id="permissions" icon="lock" label={t().permissions} chevron
        sub={t().allowedCount(permissions.filter((p) => p.grant === 'granted').length)} on={() => act.open({ screen: 'permissions', app })} />
      <Row id="storage" icon="storage" label={t().storage} sub={sizeText(appBytes(phone, app))} chevron
        on={() => act.open({ screen: 'appStorage', app })} />
    </Page>
  );
}

const ICONS: { [permission: string]: IconName } = {
  contacts: 'contacts', location: 'location', microphone: 'mic', camera: 'camera', files: 'folder',
};

export function Permissions({ phone, params }: ScreenProps) {
  const app = idOf(params);
  const all = permissionsOf(phone, app);
  return (
    <Page title={t().permissions}>
      {all.map((p) => (
        <Row key={p.name} id={p.name} icon={ICONS[p.name] ?? 'lock'} label={t().permission[p.name] ?? p.name} value={t().grants[p.grant]}
          on={() => act.open({ screen: 'permission', app, permission: p.name })} />
      ))}
      {all.length === 0 && <Note text={t().noPermissions} />}
    </Page>
  );
}

export function AppStorage({ phone, params }: ScreenProps) {
  const app = idOf(params);
  const { byApp, cache } = phone.apps.settings.data.storage;
  return (
    <Page title={`${appName(phone, app)} · ${t().storage}`}>
      <Fact name={t().appSize} value={sizeText(byApp[app] ?? 0)} />
      <Fact name={t().cache} value={sizeText(cache[app] ?? 0)} />
      <Fact name={t().totalSize} value={sizeText(appBytes(phone, app))} />
      <div class="set-buttons">
        <Button kind="tonal" label={t().clearCache} disabled={!cache[app]} on={() => act.clearCache({ app })} />
      </div>
    </Page>
  );
}
