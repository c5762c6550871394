/** Network: Wi-Fi, mobile data, airplane mode, hotspot. */
import type { PhoneState, ScreenProps } from '../../kernel/types';
import { Empty, Icon, IconButton, Row, Section } from '../../ui/kit';
import { act } from '../actions';
import { joined, networks, networkState, onOff, sizeText } from '../select';
import type { WifiNetwork } from '../state';
import { t } from '../strings';
import { Fact, Page, Signal, Toggle } from './parts';

export function Network({ phone }: ScreenProps) {
  const { wifi, airplane, hotspot } = phone.os.settings;
  const refused = airplane ? t().airplaneOn : undefined;
  return (
    <Page title={t().network}>
      <Row id="wifi" icon="wifi" label={t().wifi} sub={wifi ? joined(phone) || t().notConnected : t().off} chevron on={() => act.open({ screen: 'wifi' })} />
      <Toggle name="mobileData" icon="data" label={t().mobileData} sub={refused} disabled={airplane} />
      <Toggle name="airplane" icon="airplane" label={t().airplane} sub={t().airplaneSub} />
      <Row id="hotspot" icon="hotspot" label={t().hotspot} sub={refused ?? onOff(hotspot)} chevron on={() => act.open({ screen: 'hotspot' })} />
      <Fact name={t().dataUsed} value={sizeText(phone.apps.settings.data.dataUsed)} />
    </Page>
  );
}

/** A lock, or the way to the page of a network that the phone knows. */
function NetworkTrail({ network }: { network: WifiNetwork }) {
  const { name, saved, secured } = network;
  if (!saved) return secured ? <span class="set-trail"><Icon name="lock" size={18} /></span> : null;
  return (
    <span class="set-trail" onClick={(e) => e.stopPropagation()}>
      <IconButton icon="info" label={t().networkInfo(name)} on={() => act.open({ screen: 'wifiNetwork', name })} />
    </span>
  );
}

function NetworkRow({ phone, network }: { phone: PhoneState; network: WifiNetwork }) {
  return (
    <Row id={network.name} label={network.name} sub={networkState(phone, network)} lead={<Signal strength={network.strength} />}
      trail={<NetworkTrail network={network} />}
      selected={network.name === joined(phone)} on={() => act.tapNetwork({ name: network.name })} />
  );
}

export function Wifi({ phone }: ScreenProps) {
  const on = phone.os.settings.wifi;
  return (
    <Page title={t().wifi}>
      <Toggle name="wifi" label={t().useWifi} />
      {on && <Section title={t().networks} />}
      {on ? networks(phone).map((n) => <NetworkRow key={n.name} phone={phone} network={n} />) : <Empty icon="wifi" text={t().wifiOff} />}
    </Page>
  );
}

export function WifiDetails({ phone, params }: ScreenProps) {
  const name = String(params['name']);
  const network = phone.apps.settings.data.networks[name];
  if (!network) return <Page title={name}><Empty icon="wifi" text={t().notConnected} /></Page>;
  return (
    <Page title={name}>
      <Fact name={t().status} value={networkState(phone, network)} />
      <Fact name={t().signal} value={t().signals[network.strength] ?? ''} />
      <Fact name={t().security} value={network.secured ? t().secured : t().open} />
      {name === joined(phone)
        ? <Row icon="close" label={t().disconnect} on={() => act.disconnect({})} />
        : <Row icon="wifi" label={t().connect} on={() => act.connect({ name })} />}
      <Row icon="delete" danger label={t().forget} on={() => act.forget({ name })} />
    </Page>
  );
}

export function Hotspot({ phone }: ScreenProps) {
  const { hotspot } = phone.apps.settings.data;
  const refused = phone.os.settings.airplane;
  return (
    <Page title={t().hotspot}>
      <Toggle name="hotspot" label={t().useHotspot} sub={refused ? t().airplaneOn : undefined} disabled={refused} />
      <Row id="hotspotName" label={t().hotspotName} value={hotspot.name} on={() => act.rename({ what: 'hotspotName' })} />
      <Row id="hotspotPassword" label={t().hotspotPassword} value={hotspot.password} on={() => act.rename({ what: 'hotspotPassword' })} />
    </Page>
  );
}
