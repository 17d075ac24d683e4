"""Words of a text, for BLEU and ROUGE."""

from __future__ import annotations

import re

# A character of Chinese or Japanese is a word of its own, because these languages do not separate words.
_UNSEPARATED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_WORD = re.compile(rf"[{_UNSEPARATED}]|[^\W_{_UNSEPARATED}]+")
_ASCII_WORD = re.compile(r"[a-z0-9]+")


def words_of(text: str) -> list[str]:
    """Runs of letters and digits in lower case. Marks and punctuation separate."""
    lower = text.lower()
    return (_ASCII_WORD if lower.isascii() else _WORD).findall(lower)
