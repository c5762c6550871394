"""Ways through an app's screens: where to tap on each to come one further, and Back from anywhere else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mobilegym.phone.action import AnyAction, Back
from mobilegym.tasks.gestures import Condition, Gesture, in_app, never, open_app
from mobilegym.tasks.template import Unless
from mobilegym.tasks.view import View


@dataclass(frozen=True)
class Stop:
    """A screen on the way, with the parameters of its route that matter, and the gesture that leads on."""

    screen: str
    onward: Gesture | None = None
    params: Mapping[str, Any] = field(default_factory=dict)


def top(view: View, app: str) -> Mapping[str, Any]:
    """The topmost route of an app, in front or not; an app that was never opened has none."""
    stack = view.at(f"os.nav.stacks.{app}") or [{"screen": "", "params": {}}]
    route: Mapping[str, Any] = stack[-1]
    return route


def is_at(route: Mapping[str, Any], stop: Stop) -> bool:
    return route["screen"] == stop.screen and all(route["params"].get(k) == v for k, v in stop.params.items())


def at_stop(app: str, screen: str, /, **params: Any) -> Condition:
    """The app shows this screen, for these parameters, with nothing of the system over it."""
    stop = Stop(screen, params=params)
    return lambda view: in_app(app)(view) and is_at(top(view, app), stop)


def left_at(app: str, screen: str, /, **params: Any) -> Condition:
    """The app's topmost screen is this one, even if another app is in front now: it has been looked at."""
    stop = Stop(screen, params=params)
    return lambda view: is_at(top(view, app), stop)


def reach(app: str, *stops: Stop) -> Unless:
    """Gets to the last stop, from the first on or from any of them."""
    last = stops[-1]

    def act(view: View) -> AnyAction:
        if not in_app(app)(view):
            return open_app(app)(view)
        here = next((stop for stop in stops if is_at(top(view, app), stop)), None)
        return here.onward(view) if here and here.onward else Back()

    return Unless(at_stop(app, last.screen, **last.params), act, f"go to {app}/{last.screen}")


def at_last(app: str, *stops: Stop) -> Unless:
    """Follows the stops and makes the gesture of the last one too; never done by itself: for `until`."""
    return Unless(never, reach(app, *stops).act, f"from {app}/{stops[-1].screen} on")
