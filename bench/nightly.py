"""What `make nightly` showed last: its tests, their time, and the figures that they wrote down."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

from bench.figure import Figure

COUNTS = (("tests",), ("failures", "errors"), ("skipped",))  # attributes of the report
REPORT = Path(__file__).parent.parent / ".cache" / "nightly.xml"  # pytest's, in JUnit's format


def main() -> None:
    if not REPORT.is_file():
        raise SystemExit("no nightly run to read: make nightly")
    suite = ElementTree.parse(REPORT).getroot()[0]
    count, bad, skipped = (sum(int(suite.get(k, 0)) for k in keys) for keys in COUNTS)
    minutes = float(suite.get("time", 0)) / 60
    Figure.of("tests passed", "count", [count - bad - skipped], f"of {count}; {skipped} skipped").say()
    Figure.of("all of them", "min", [minutes]).say()
    for case in suite.iter("testcase"):
        for entry in case.iter("property"):
            Figure.of(entry.get("name", ""), "share", [float(entry.get("value", "nan"))], case.get("name", "")).say()


if __name__ == "__main__":
    main()
