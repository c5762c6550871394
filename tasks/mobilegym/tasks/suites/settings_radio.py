"""Settings: Wi-Fi networks, Bluetooth devices, hotspot, airplane mode."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from mobilegym.judge.answers import Expected, Text
from mobilegym.tasks.gestures import Condition, both, do, either, fill, holds, scroll_to, tap, until
from mobilegym.tasks.routes import Stop, at_last, reach
from mobilegym.tasks.suites.settings import APP, home, row, setting
from mobilegym.tasks.template import Goal, State, Template, Unless
from mobilegym.tasks.view import View
from mobilegym.world import settings as phone
from mobilegym.world.world import World

NETWORKS = "apps.settings.data.networks"
DEVICES = "apps.settings.data.bluetoothDevices"
TO_WIFI = (home("network"), Stop("network", row("wifi")))
TO_BLUETOOTH = home("bluetooth")


@dataclass(frozen=True)
class Network:
    name: str
    password: str = ""


class JoinWifi(Template[Network]):
    id = "settings.join-wifi"
    apps = (APP,)
    goal: ClassVar = {
        "en": "Join the Wi-Fi network {name} with the password {password}.",
        "zh": "加入WLAN网络“{name}”，密码是{password}。",
    }

    def sample(self, world: World, rng: random.Random) -> Network:
        known = phone.settings(world)["data"]["networks"].values()
        network = rng.choice([n for n in known if n["secured"] and not n["saved"]])
        return Network(network["name"], network["password"])

    def goals(self, params: Network) -> Sequence[Goal]:
        saved = f"{NETWORKS}.{params.name}.saved"
        return [
            setting("wifiNetwork", params.name),
            Goal("the network is saved", lambda end: end.at(saved) is True),
        ]

    def allowed(self, params: Network) -> Sequence[str]:
        return ["os.settings.wifiNetwork", f"{NETWORKS}.{params.name}.saved"]

    def solve(self, params: Network) -> Sequence[Unless]:
        joined = both(holds("os.settings.wifiNetwork", params.name), holds(f"{NETWORKS}.{params.name}.saved", True))
        choose = Stop("wifi", row(params.name))
        return until(
            joined,
            reach(APP, *TO_WIFI, choose, Stop("join", params={"name": params.name})),
            fill(("Password", "密码"), params.password),
            do(tap("button", ("Connect", "连接")), "connect"),
        )


class ForgetWifi(Template[Network]):
    id = "settings.forget-wifi"
    apps = (APP,)
    goal: ClassVar = {"en": "Forget the Wi-Fi network {name}.", "zh": "忘记WLAN网络“{name}”。"}

    def sample(self, world: World, rng: random.Random) -> Network:
        known = phone.settings(world)["data"]["networks"].values()
        return Network(rng.choice([n["name"] for n in known if n["saved"]]))

    def goals(self, params: Network) -> Sequence[Goal]:
        saved = f"{NETWORKS}.{params.name}.saved"
        return [Goal("the network is not saved", lambda end: end.at(saved) is False)]

    def allowed(self, params: Network) -> Sequence[str]:
        return [f"{NETWORKS}.{params.name}.saved", "os.settings.wifiNetwork"]

    def free(self, params: Network) -> Sequence[str]:
        return ["os.settings.wifiNetwork"]  # forgetting the joined network leaves it

    def solve(self, params: Network) -> Sequence[Unless]:
        details = tap("button", (f"Details of {params.name}", f"{params.name}的详情"))
        forget = Stop("wifiNetwork", tap("listitem", ("Forget network", "忘记网络")), {"name": params.name})
        done = holds(f"{NETWORKS}.{params.name}.saved", False)
        return until(done, at_last(APP, *TO_WIFI, Stop("wifi", details), forget))


@dataclass(frozen=True)
class Device:
    name: str


def shown_devices(view: View) -> list[str]:
    """Paired ones first, each group by name."""
    devices = view.at(DEVICES)
    return sorted(devices, key=lambda name: (not devices[name]["paired"], name))


def device_stop(name: str) -> Stop:
    return Stop("bluetooth", scroll_to("listitem", key=name, order=shown_devices))


class PairDevice(Template[Device]):
    id = "settings.pair-device"
    apps = (APP,)
    goal: ClassVar = {"en": "Pair the phone with {name} over Bluetooth.", "zh": "通过蓝牙与“{name}”配对。"}

    def sample(self, world: World, rng: random.Random) -> Device:
        devices = phone.settings(world)["data"]["bluetoothDevices"].values()
        return Device(rng.choice([d["name"] for d in devices if not d["paired"]]))

    def goals(self, params: Device) -> Sequence[Goal]:
        return [Goal("the device is paired", lambda end: end.at(f"{DEVICES}.{params.name}.paired") is True)]

    def allowed(self, params: Device) -> Sequence[str]:
        return [f"{DEVICES}.{params.name}.*", "os.settings.bluetooth"]

    def free(self, params: Device) -> Sequence[str]:
        return [f"{DEVICES}.{params.name}.connected", "os.settings.bluetooth"]

    def solve(self, params: Device) -> Sequence[Unless]:
        pair = Stop("pair", tap("button", ("Pair", "配对")), {"name": params.name})
        done = holds(f"{DEVICES}.{params.name}.paired", True)
        return [*turned_on(done), *until(done, at_last(APP, TO_BLUETOOTH, device_stop(params.name), pair))]


class UnpairDevice(Template[Device]):
    id = "settings.unpair-device"
    apps = (APP,)
    goal: ClassVar = {"en": "Remove {name} from the paired Bluetooth devices.", "zh": "取消与蓝牙设备“{name}”的配对。"}

    def sample(self, world: World, rng: random.Random) -> Device:
        devices = phone.settings(world)["data"]["bluetoothDevices"].values()
        return Device(rng.choice([d["name"] for d in devices if d["paired"]]))

    def setup(self, state: State, params: Device) -> None:
        state["os"]["settings"]["bluetooth"] = True

    def goals(self, params: Device) -> Sequence[Goal]:
        return [Goal("the device is not paired", lambda end: end.at(f"{DEVICES}.{params.name}.paired") is False)]

    def allowed(self, params: Device) -> Sequence[str]:
        return [f"{DEVICES}.{params.name}.*"]

    def free(self, params: Device) -> Sequence[str]:
        return [f"{DEVICES}.{params.name}.connected"]

    def solve(self, params: Device) -> Sequence[Unless]:
        unpair = Stop("device", tap("listitem", ("Unpair", "取消配对")), {"name": params.name})
        done = holds(f"{DEVICES}.{params.name}.paired", False)
        return [*turned_on(done), *until(done, at_last(APP, TO_BLUETOOTH, device_stop(params.name), unpair))]


def turned_on(done: Condition) -> list[Unless]:
    """Bluetooth is on: its devices are listed only then."""
    switch = Stop("bluetooth", tap("switch", key="bluetooth"))
    return until(either(done, holds("os.settings.bluetooth", True)), at_last(APP, TO_BLUETOOTH, switch))


@dataclass(frozen=True)
class Radio:
    """A radio that is wanted on in spite of airplane mode."""

    radio: str


class ReadHotspotPassword(Template[Network]):
    id = "settings.read-hotspot-password"
    apps = (APP,)
    goal: ClassVar = {"en": "What is the password of this phone's hotspot?", "zh": "这部手机的热点密码是什么？"}

    def sample(self, world: World, rng: random.Random) -> Network:
        hotspot = phone.settings(world)["data"]["hotspot"]
        return Network(hotspot["name"], hotspot["password"])

    def goals(self, params: Network) -> Sequence[Goal]:
        return []

    def allowed(self, params: Network) -> Sequence[str]:
        return []

    def answer(self, params: Network) -> Expected:
        return Text(params.password, (params.name,))

    def solve(self, params: Network) -> Sequence[Unless]:
        return [reach(APP, home("network"), Stop("network", row("hotspot")), Stop("hotspot"))]


class RadiosInFlight(Template[Radio]):
    """Turning airplane mode on turns the radios off, so that their order matters."""

    id = "settings.radio-in-flight"
    apps = (APP,)
    goal: ClassVar = {
        "en": "Turn on airplane mode, but have {radio} on.",
        "zh": "打开飞行模式，但保持{radio}开启。",
    }
    _names: ClassVar = {"wifi": {"en": "Wi-Fi", "zh": "WLAN"}, "bluetooth": {"en": "Bluetooth", "zh": "蓝牙"}}

    def sample(self, world: World, rng: random.Random) -> Radio:
        return Radio(rng.choice(("wifi", "bluetooth")))

    def setup(self, state: State, params: Radio) -> None:
        state["os"]["settings"][params.radio] = False

    def goals(self, params: Radio) -> Sequence[Goal]:
        return [setting("airplane", True), setting(params.radio, True)]

    def allowed(self, params: Radio) -> Sequence[str]:
        return ["os.settings.airplane", "os.settings.wifi", "os.settings.bluetooth", "os.settings.hotspot"]

    def free(self, params: Radio) -> Sequence[str]:
        return ["os.settings.bluetooth" if params.radio == "wifi" else "os.settings.wifi", "os.settings.hotspot"]

    def solve(self, params: Radio) -> Sequence[Unless]:
        flip = Stop(params.radio, tap("switch", key=params.radio))
        way = [*TO_WIFI, flip] if params.radio == "wifi" else [TO_BLUETOOTH, flip]
        airplane = at_last(APP, home("network"), Stop("network", tap("switch", key="airplane")))
        return [
            *until(holds("os.settings.airplane", True), airplane),
            *until(holds(f"os.settings.{params.radio}", True), at_last(APP, *way)),
        ]

    def words(self, params: Radio, locale: str) -> dict[str, str]:
        return {"radio": self._names[params.radio][locale]}
