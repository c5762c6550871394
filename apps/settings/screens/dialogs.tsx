/** Dialogs of the settings app. */
import type { AppId, Grant, Permission, ScreenProps } from '../../kernel/types';
import { os } from '../../kernel/os';
import { ChoiceRow, Dialog, TextField } from '../../ui/kit';
import { act, canJoin, shortest, type Renamed } from '../actions';
import { appName, TIMEOUTS } from '../select';
import { t } from '../strings';

const cancel = () => ({ label: t().cancel, on: () => os.back({}) });

export function Join({ phone, params }: ScreenProps) {
  const name = String(params['name']);
  const join = () => act.join({ name });
  const shown = phone.apps.settings.ui.showPassword;
  return (
    <Dialog title={t().join(name)} actions={[cancel(), { label: t().connect, disabled: !canJoin(phone), on: join }]}>
      <TextField path="/apps/settings/ui/passwordInput" label={t().password} secret={!shown} onSubmit={join} />
      <ChoiceRow kind="checkbox" label={t().showPassword} sub={t().passwordLength} checked={shown} on={() => act.showPassword({})} />
    </Dialog>
  );
}

export function Pair({ params }: ScreenProps) {
  const name = String(params['name']);
  return <Dialog title={t().pairAsk(name)} text={t().pairText} actions={[cancel(), { label: t().pair, on: () => act.pair({ name }) }]} />;
}

export function Rename({ phone, params }: ScreenProps) {
  const what = String(params['what']) as Renamed;
  const save = () => act.saveName({ what });
  const short = phone.apps.settings.ui.input.trim().length < shortest(what);
  return (
    <Dialog title={t()[what]} text={what === 'hotspotPassword' ? t().passwordLength : undefined}
      actions={[cancel(), { label: t().save, disabled: short, on: save }]}>
      <TextField path="/apps/settings/ui/input" label={t()[what]} onSubmit={save} />
    </Dialog>
  );
}

export function ScreenTimeout({ phone }: ScreenProps) {
  const now = phone.os.settings.screenTimeout;
  return (
    <Dialog title={t().timeout} actions={[cancel()]}>
      {TIMEOUTS.map((s) => (
        <ChoiceRow key={s} id={String(s)} kind="radio" label={t().seconds(s)} checked={s === now} on={() => act.screenTimeout({ seconds: s })} />
      ))}
    </Dialog>
  );
}

export function PermissionDialog({ phone, params }: ScreenProps) {
  const [app, permission] = [String(params['app']) as AppId, String(params['permission']) as Permission];
  const now = phone.os.permissions[app]?.[permission] ?? 'ask';
  const grants: Grant[] = ['granted', 'ask', 'denied'];
  return (
    <Dialog title={`${appName(phone, app)} · ${t().permission[permission] ?? permission}`} actions={[{ label: t().ok, on: () => os.back({}) }]}>
      {grants.map((g) => (
        <ChoiceRow key={g} id={g} kind="radio" label={t().grants[g]} checked={g === now} on={() => os.setPermission({ app, permission, grant: g })} />
      ))}
    </Dialog>
  );
}

export function ForceStop({ phone, params }: ScreenProps) {
  const app = String(params['app']) as AppId;
  return (
    <Dialog title={`${t().forceStop}: ${appName(phone, app)}`} text={t().forceStopAsk}
      actions={[cancel(), { label: t().ok, kind: 'danger', on: () => act.forceStop({ app }) }]} />
  );
}
