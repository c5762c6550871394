"""What a model is told about the `mobile_use` tool."""

from __future__ import annotations

import json
from typing import Any

BUTTONS = ("Back", "Home", "Menu", "Enter")
RELATIVE = "Points are relative: (0, 0) is the upper left corner of the screen and (999, 999) the lower right one."
PIXELS = (
    "Points are pixels of the screenshot, which is {width} wide and {height} high; (0, 0) is its upper left corner."
)


def system(points: str) -> str:
    """The system message. `points` says how coordinates are written."""
    return f"""# Tools

You operate a phone for the user with this tool:
<tools>
{json.dumps(_tool(points))}
</tools>

Reply in this form, with one call:
Thought: what you see and what is next, in one or two sentences
Action: the next step in a few words
<tool_call>
{{"name": "mobile_use", "arguments": {{"action": ...}}}}
</tool_call>

Give an answer that the user asked for by `answer`, and end with `terminate` when the task is done or cannot be done."""


def _tool(points: str) -> dict[str, Any]:
    about = f"Operates a phone by touch and shows it as screenshots. {points} A change may show a little later."
    parameters = {"type": "object", "required": ["action"], "properties": _properties()}
    return {"type": "function", "function": {"name": "mobile_use", "description": about, "parameters": parameters}}


def _properties() -> dict[str, Any]:
    point = {"type": "array", "items": {"type": "integer"}, "description": "[x, y]"}
    return {
        "action": {
            "type": "string",
            "enum": ["click", "long_press", "swipe", "type", "answer", "system_button", "wait", "terminate"],
            "description": (
                "click: tap `coordinate`. long_press: rest on `coordinate` for `time` seconds. swipe: from "
                "`coordinate` to `coordinate2`. type: put `text` into the focused field. answer: give the user "
                "`text` as the answer. system_button: press `button`. wait: let `time` seconds pass. "
                "terminate: end the task with `status`."
            ),
        },
        "coordinate": point,
        "coordinate2": point,
        "text": {"type": "string"},
        "time": {"type": "number", "description": "seconds"},
        "button": {"type": "string", "enum": list(BUTTONS)},
        "status": {"type": "string", "enum": ["success", "failure"]},
    }
