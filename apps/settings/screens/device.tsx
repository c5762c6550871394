/** The phone itself: location, battery, storage, about. */
import { allApps } from '../../kernel/app';
import type { PhoneState, ScreenProps } from '../../kernel/types';
import { AppIcon } from '../../shell/app-icon';
import { Icon, Row, Section } from '../../ui/kit';
import { act } from '../actions';
import { appBytes, appName, appsByName, freeBytes, permissionsOf, sizeText, usedBytes } from '../select';
import type { MediaKind } from '../state';
import { t } from '../strings';
import { Fact, Note, Page, Toggle } from './parts';

export function Location({ phone }: ScreenProps) {
  const apps = appsByName(phone).flatMap((app) =>
    permissionsOf(phone, app.id).filter((p) => p.name === 'location').map(({ grant }) => ({ app, grant })));
  return (
    <Page title={t().location}>
      <Toggle name="location" label={t().useLocation} />
      <Section title={t().locationApps} />
      {apps.map(({ app, grant }) => (
        <Row key={app.id} id={app.id} lead={<AppIcon app={app} size={40} />} label={app.name[phone.os.locale]} value={t().grants[grant]}
          on={() => act.open({ screen: 'permission', app: app.id, permission: 'location' })} />
      ))}
      {apps.length === 0 && <Note text={t().noLocationApps} />}
    </Page>
  );
}

export function Battery({ phone }: ScreenProps) {
  const { batteryPercent, batteryUse } = phone.apps.settings.data;
  const uses = allApps().map((a) => ({ app: a, share: batteryUse[a.id] ?? 0 })).sort((a, b) => b.share - a.share || (a.app.id < b.app.id ? -1 : 1));
  return (
    <Page title={t().battery}>
      <div class="set-big">
        <span class="set-number">{batteryPercent}%</span>
        <span class="set-bar"><i style={{ width: `${batteryPercent}%`, background: 'var(--success)' }} /></span>
      </div>
      <Toggle name="batterySaver" icon="battery-saver" label={t().batterySaver} sub={t().batterySaverSub} />
      <Section title={t().batteryUse} />
      {uses.map(({ app, share }) => (
        <Row key={app.id} id={app.id} lead={<AppIcon app={app} size={40} />} label={app.name[phone.os.locale]} value={`${share}%`}
          on={() => act.open({ screen: 'app', app: app.id })} />
      ))}
    </Page>
  );
}

interface Part {
  id: string;
  label: string;
  bytes: number;
  color: string;
  app: boolean;
}

const KIND_COLORS: { [kind in MediaKind]: string } = { system: '#6b6f7b', photos: '#2f6fd6', videos: '#c2417c', music: '#c77a12', documents: '#2a8a68' };

function parts(phone: PhoneState): Part[] {
  const kinds = (Object.entries(phone.apps.settings.data.storage.byKind) as [MediaKind, number][]).map(([kind, bytes]) => (
    { id: kind, label: t().kinds[kind], bytes, color: KIND_COLORS[kind], app: false }));
  const apps = allApps().map((a) => ({ id: a.id, label: appName(phone, a.id), bytes: appBytes(phone, a.id), color: a.color, app: true }));
  return [...kinds, ...apps].sort((a, b) => b.bytes - a.bytes || (a.id < b.id ? -1 : 1));
}

export function Storage({ phone }: ScreenProps) {
  const [total, all] = [phone.apps.settings.data.storage.total, parts(phone)];
  return (
    <Page title={t().storage}>
      <div class="set-big">
        <span class="set-muted">{t().usedOf(sizeText(usedBytes(phone)), sizeText(total))}</span>
        <span class="set-bar">{all.map((p) => <i key={p.id} style={{ width: `${(p.bytes / total) * 100}%`, background: p.color }} />)}</span>
      </div>
      <Fact name={t().free} value={sizeText(freeBytes(phone))} />
      {all.map((p) => (p.app
        ? <Row key={p.id} id={p.id} lead={<span class="set-dot" style={{ background: p.color }} />} label={p.label} value={sizeText(p.bytes)}
            trail={<Icon name="chevron-right" />} on={() => act.open({ screen: 'appStorage', app: p.id })} />
        : <Kind key={p.id} part={p} />))}
    </Page>
  );
}

/** What no app owns: a line without a page of its own. */
const Kind = ({ part }: { part: Part }) => (
  <div class="row" data-key={part.id}>
    <span class="row-lead"><span class="set-dot" style={{ background: part.color }} /></span>
    <span class="row-texts"><span class="row-label">{part.label}</span></span>
    <span class="row-value">{sizeText(part.bytes)}</span>
  </div>
);

export function About({ phone }: ScreenProps) {
  const { data } = phone.apps.settings;
  return (
    <Page title={t().about}>
      <Row id="deviceName" label={t().deviceName} value={data.deviceName} trail={<Icon name="edit" size={18} />} on={() => act.rename({ what: 'deviceName' })} />
      <Fact name={t().phoneNumber} value={data.phoneNumber} />
      <Fact name={t().model} value={data.model} />
      <Fact name={t().osVersion} value={data.osVersion} />
      <Fact name={t().build} value={data.build} />
      <Fact name={t().serial} value={data.serial} />
    </Page>
  );
}
