"""How model families write actions: text to and from the one internal Action."""

from mobilegym.dialects.base import Dialect, Inexpressible, Parsed
from mobilegym.dialects.compact import Compact
from mobilegym.dialects.qwen2_5_vl import Qwen25VL
from mobilegym.dialects.qwen3_vl import Qwen3VL
from mobilegym.dialects.ui_tars import UITars

__all__ = ["DIALECTS", "Dialect", "Inexpressible", "Parsed", "dialect"]

DIALECTS: dict[str, Dialect] = {speech.name: speech for speech in (Compact(), Qwen25VL(), Qwen3VL(), UITars())}


def dialect(name: str) -> Dialect:
    """The dialect of this name. Raises ValueError that lists the known ones."""
    try:
        return DIALECTS[name.replace("_", "-")]
    except KeyError:
        raise ValueError(f"no dialect {name!r}: choose one of {', '.join(sorted(DIALECTS))}") from None
