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
    return act(template.solve(params), view) or _close(template, params, view)


def act(steps: Sequence[Unless], view: View) -> AnyAction | None:
    """None when all steps are done."""
    for step in steps:
        if not step.done(view):
            try:
                return step.act(view)
            except NotVisible:
                return recover(view)
    return None


def recover(view: View) -> AnyAction:
    """Back out of wherever this is; from the launcher and from the shade, home."""
    return Home() if view.app == "launcher" or view.overlay != "none" else Back()


def _close(template: Template[Any], params: Any, view: View) -> AnyAction:
    expected = template.answer(params)
    if expected is None or (view.answered is not None and expected.matches(view.answered)):
        return Finish()
    return Answer(expected.say(view.locale))
