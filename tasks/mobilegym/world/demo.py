"""Writes `apps/demo.json`, the world that the page shows when a person opens it: `python -m mobilegym.world.demo`."""

from __future__ import annotations

import json
from pathlib import Path

from mobilegym.world.world import World

SEED = 7
PATH = Path(__file__).parents[3] / "apps" / "demo.json"


def demo() -> str:
    """The file's text: one line of JSON and a line break."""
    return json.dumps(World(seed=SEED, locale="en").state(), ensure_ascii=False, separators=(",", ":")) + "\n"


def main() -> None:
    PATH.write_text(demo(), encoding="utf-8")
    print(f"wrote {PATH}")


if __name__ == "__main__":
    main()
