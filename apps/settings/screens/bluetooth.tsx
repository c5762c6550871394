/** Bluetooth: devices paired and near. */
import type { PhoneState, ScreenProps } from '../../kernel/types';
import { Empty, Icon, Row, Section, SwitchRow } from '../../ui/kit';
import { act } from '../actions';
import { DEVICE_ICONS, devices } from '../select';
import type { BluetoothDevice } from '../state';
import { t } from '../strings';
import { Note, Page, Toggle } from './parts';

function DeviceRow({ device }: { device: BluetoothDevice }) {
  const sub = device.connected ? t().connected : device.paired ? t().paired : undefined;
  const screen = device.paired ? 'device' : 'pair';
  return (
    <Row id={device.name} icon={DEVICE_ICONS[device.kind]} label={device.name} sub={sub} selected={device.connected}
      trail={device.paired && <Icon name="chevron-right" />} on={() => act.open({ screen, name: device.name })} />
  );
}

function List({ phone }: { phone: PhoneState }) {
  const [paired, near] = [devices(phone, true), devices(phone, false)];
  return (
    <>
      <Section title={t().pairedDevices} />
      {paired.map((d) => <DeviceRow key={d.name} device={d} />)}
      {paired.length === 0 && <Note text={t().noDevices} />}
      <Section title={t().availableDevices} />
      {near.map((d) => <DeviceRow key={d.name} device={d} />)}
      {near.length === 0 && <Note text={t().noDevices} />}
    </>
  );
}

export function Bluetooth({ phone }: ScreenProps) {
  return (
    <Page title={t().bluetooth}>
      <Toggle name="bluetooth" label={t().useBluetooth} />
      {phone.os.settings.bluetooth ? <List phone={phone} /> : <Empty icon="bluetooth" text={t().bluetoothOff} />}
    </Page>
  );
}

export function Device({ phone, params }: ScreenProps) {
  const name = String(params['name']);
  const device = phone.apps.settings.data.bluetoothDevices[name];
  const connected = phone.os.settings.bluetooth && device?.connected === true;
  return (
    <Page title={name}>
      <SwitchRow label={t().connected} checked={connected} on={() => act.connectDevice({ name, on: !connected })} />
      <Row icon="delete" danger label={t().unpair} on={() => act.unpair({ name })} />
    </Page>
  );
}
