"""The oracle: the next right action of a template, from any state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mobilegym.phone.action import Answer, AnyAction, Back, Finish, Home
from mobilegym.tasks.gestures import NotVisible
from mobilegym.tasks.template import Template, Unless
from mobilegym.tasks.view import View


def next_action(template: Template[Any], params: Any, view: View) -> AnyAction:
    """The gesture of the first step that is not done; when all are, the answer and then the finish.

    Looks at nothing but this view, so it labels any screen; a caller guards against loops by counting steps.
    """
    return explain(template, params, view)[0]


def explain(template: Template[Any], params: Any, view: View) -> tuple[AnyAction, str]:
    """The next action, and why: the note of its step, or what was missing."""
    return act(template.solve(params), view) or (_close(template, params, view), "all done")


def act(steps: Sequence[Unless], view: View) -> tuple[AnyAction, str] | None:
    """The first step that is not done; None when all are."""
    for number, step in enumerate(steps):
        if not step.done(view):
            note = f"step {number} {step.note}".rstrip()
            try:
                return step.act(view), note
            except NotVisible as missing:
                return recover(view), f"{note}: {missing}"
    return None


def recover(view: View) -> AnyAction:
    """Back out of wherever this is; from the launcher and from the shade, home."""
    return Home() if view.app == "launcher" or view.overlay != "none" else Back()


def _close(template: Template[Any], params: Any, view: View) -> AnyAction:
    expected = template.answer(params)
    if expected is None or (view.answered is not None and expected.matches(view.answered)):
        return Finish()
    return Answer(expected.say(view.locale))
