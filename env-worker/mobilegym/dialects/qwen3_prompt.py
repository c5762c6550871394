"""What a Qwen3-VL is told about its one tool."""

from __future__ import annotations

import json
from typing import Any

BUTTONS = ("Back", "Home", "Menu", "Enter")
_POINT = {"type": "array", "items": {"type": "integer"}, "description": "[x, y], each from 0 to 999"}
_TEXT = {"type": "string"}
TOOL: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "mobile_use",
        "description": (
            "Operates a phone by touch and shows it as screenshots. Points are relative: (0, 0) is the upper left "
            "corner of the screen and (999, 999) the lower right one. A change may only be seen on the next screenshot."
        ),
        "parameters": {
            "type": "object",
            "required": ["action"],
            "properties": {
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
                "coordinate": _POINT,
                "coordinate2": _POINT,
                "text": _TEXT,
                "time": {"type": "number", "description": "seconds"},
                "button": {"type": "string", "enum": list(BUTTONS)},
                "status": {"type": "string", "enum": ["success", "failure"]},
            },
        },
    },
}
SYSTEM = f"""# Tools

You operate a phone for the user with this tool:
<tools>
{json.dumps(TOOL)}
</tools>

Reply in this form, with one call:
Thought: what you see and what is next, in one or two sentences
Action: the next step in a few words
<tool_call>
{{"name": "mobile_use", "arguments": {{"action": ...}}}}
</tool_call>

Give an answer that the user asked for by `answer`, and end with `terminate` when the task is done or cannot be done."""
