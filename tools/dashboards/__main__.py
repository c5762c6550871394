"""`python -m tools.dashboards`: writes dashboards, rules and the tables of docs/monitoring.md."""

from __future__ import annotations

import argparse
from pathlib import Path

from tools.dashboards.files import files

REPO = Path(__file__).parents[2]


def main() -> None:
    argparse.ArgumentParser(prog="python -m tools.dashboards", description=__doc__).parse_args()
    for path, text in files(REPO).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(REPO))


if __name__ == "__main__":
    main()
