"""The pocket policy's words: one token for each word, number, time and coordinate, bytes for anything else.

Words stand without their space; where no space is, the text says so with a glue mark, so that a word is the same
token at the start of a goal, inside quotation marks and on the screen. `decode(encode(text)) == text` for any text
without runs of spaces.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

GLUE = "\u2060"  # word joiner: no font draws it and no text of ours holds it
SPACE = "\u2581"
PUNCTUATION = r"""[.,!?;:"()\[\]{}$¥€…“”|]"""

SPECIALS = (
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|vision_start|>",
    "<|vision_end|>",
    "<|image_pad|>",
    "<|video_pad|>",
)
VERBS = (
    *("click", "hold", "swipe", "up", "down", "left", "right", "type", "enter", "back", "home"),
    *("wait", "answer", "done"),
)
X_STEP = 25  # of 1000: 9 CSS px of a 360 px screen
Y_STEP = 20  # of 1000: 16 CSS px of an 800 px screen
COORDINATES = (*(f"x{x}" for x in range(0, 1000, X_STEP)), *(f"y{y}" for y in range(0, 1000, Y_STEP)))

BOUNDARIES = (
    (rf"(?<=\S)(?={PUNCTUATION})(?!(?<=\d)[:.,]\d)", f" {GLUE}"),  # a mark hangs on what stands before it
    (rf"(?<={PUNCTUATION})(?=\S)(?!(?<=\d[:.,])\d)", f"{GLUE} "),  # a mark holds on to what follows it
    (r"(?<=\w)(?=['’]s\b)", f" {GLUE}"),
)


def words(text: str) -> list[str]:
    """The tokens' texts of one string, as the tokenizer cuts it (without fallbacks)."""
    for pattern, mark in BOUNDARIES:
        text = re.sub(pattern, mark, text)
    return text.split()


def count(texts: Iterable[str]) -> Counter[str]:
    counted: Counter[str] = Counter()
    for text in texts:
        counted.update(words(text))
    return counted


def choose(texts: Iterable[str], limit: int) -> list[str]:
    """The `limit` most frequent words, ties in alphabetical order."""
    ranked = sorted(count(texts).items(), key=lambda item: (-item[1], item[0]))
    return [word for word, _ in ranked[:limit]]


def build_tokenizer(chosen: Iterable[str]) -> Tokenizer:
    """A tokenizer with one token per chosen word, coordinate, verb and printable character, and 256 bytes."""
    pieces = list(SPECIALS) + [f"<0x{i:02X}>" for i in range(256)] + [SPACE, GLUE]
    pieces += [chr(i) for i in range(33, 127)]
    pieces += [SPACE + w for w in (*VERBS, *COORDINATES, *chosen)]
    vocabulary: dict[str, int] = {}
    for piece in pieces:
        vocabulary.setdefault(piece, len(vocabulary))
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[], byte_fallback=True, ignore_merges=True))
    steps = [normalizers.NFC()] + [normalizers.Replace(Regex(pattern), mark) for pattern, mark in BOUNDARIES]
    tokenizer.normalizer = normalizers.Sequence(steps)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(replacement=SPACE, prepend_scheme="always")]
    )
    tokenizer.decoder = decoders.Sequence(
        [
            decoders.ByteFallback(),
            decoders.Fuse(),
            decoders.Replace(SPACE, " "),
            decoders.Replace(f" {GLUE}", ""),
            decoders.Replace(f"{GLUE} ", ""),
            decoders.Replace(GLUE, ""),
            decoders.Strip(" ", 1, 0),
        ]
    )
    tokenizer.add_special_tokens([AddedToken(s, special=True, normalized=False) for s in SPECIALS])
    return tokenizer
