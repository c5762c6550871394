"""Normal form of what people and models write."""

from __future__ import annotations

import re
import unicodedata

_EDGES = " \t\r\n\"'`“”‘’「」『』.。!！,，;；"
_ZH_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}


def normal(text: str) -> str:
    """NFKC, case folded, white space collapsed, quotes and closing punctuation taken off the ends."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"\s+", " ", folded).strip(_EDGES)


def digits(text: str) -> str:
    """Normal form with Chinese numerals up to 99 written as digits: `十七分` -> `17分`."""
    return re.sub(r"[零〇一二两三四五六七八九十]+", lambda m: _zh_number(m.group()), normal(text))


def _zh_number(numeral: str) -> str:
    if "十" not in numeral:
        return "".join(str(_ZH_DIGITS[c]) for c in numeral)
    tens, _, ones = numeral.partition("十")
    if len(tens) > 1 or len(ones) > 1 or "十" in ones:
        return numeral
    return str((_ZH_DIGITS[tens] if tens else 1) * 10 + (_ZH_DIGITS[ones] if ones else 0))
