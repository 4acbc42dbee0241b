"""Folds French and Russian words: case, accents, ligatures, ё, apostrophes, punctuation, endings."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import Stemmer

_LIGATURES = {"œ": "oe", "æ": "ae", "ё": "е", "’": "'", "ʼ": "'", "`": "'"}
_WORD = re.compile(r"[a-z0-9а-яієґ]+|[.,;:!?…]")
_RUSSIAN = Stemmer.Stemmer("russian")
_FRENCH_ENDINGS = ("aient", "erent", "ait", "ais", "ant", "ent", "ees", "ee", "er", "ez", "ai", "as")


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """Return a text in lower case without accents, ligatures and punctuation, its words apart."""
    return " ".join(word for word in tokens(text) if word[0].isalnum())


def tokens(text: str) -> list[str]:
    """Cut a text into folded words and the punctuation that parts clauses."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold().translate(_BARE))


class _Bare(dict[int, str]):
    """Letters without their accents, kept once worked out; й is a letter of its own and stays."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        if not letter.isascii() and not "а" <= letter <= "я":
            letter = "".join(c for c in unicodedata.normalize("NFD", letter) if not unicodedata.combining(c))
        if code < 0x3000:
            self[code] = letter
        return letter


_BARE = _Bare({ord(letter): bare for letter, bare in _LIGATURES.items()})


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return a folded word without its ending, so that its inflected forms meet."""
    if word[0].isdigit():
        return word
    if word[0] > "z":
        root = str(_RUSSIAN.stemWord(word))
        return root if len(root) > 2 else word  # «нее» is not «не»
    return _french_stem(word)


def _french_stem(word: str) -> str:
    root = word
    if len(root) > 3 and root[-1] in "sx":
        root = root[:-1]
    for ending in _FRENCH_ENDINGS:
        if root.endswith(ending) and len(root) - len(ending) >= 3:
            root = root[: -len(ending)]
            break
    else:
        if len(root) > 3 and root[-1] == "e":
            root = root[:-1]
    return root
