"""Which script a text was meant in: French, Russian, Russian in Latin letters or on the wrong keyboard."""

from __future__ import annotations

import re

_LATIN_KEYS = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
_RUSSIAN_KEYS = "йцукенгшщзхъфывапролджэячсмитьбюё"
_KEYS = str.maketrans(
    _LATIN_KEYS + _LATIN_KEYS.upper().translate(str.maketrans("[];',.`", '{}:"<>~')),
    _RUSSIAN_KEYS + _RUSSIAN_KEYS.upper(),
)
_LETTERS = (
    ("shch", "щ"),
    ("sch", "щ"),
    ("zh", "ж"),
    ("kh", "х"),
    ("ts", "ц"),
    ("ch", "ч"),
    ("sh", "ш"),
    ("yu", "ю"),
    ("ju", "ю"),
    ("ya", "я"),
    ("ja", "я"),
    ("yo", "е"),
    ("ye", "е"),
    ("iy", "ий"),
    ("yj", "ый"),
    ("ij", "ий"),
    ("ey", "ей"),
    ("ay", "ай"),
    ("oy", "ой"),
    ("uy", "уй"),
)
_SINGLE = dict(zip("abvgdezijklmnoprstufhcyxqw'", "абвгдезийклмнопрстуфхцыхкв" + "ь", strict=True))
_CYRILLIC = re.compile(r"[а-яё]", re.IGNORECASE)
_LATIN = re.compile(r"[a-z]", re.IGNORECASE)
CYRILLIC_SHARE = 0.2


def is_cyrillic(text: str) -> bool:
    """Return whether enough of a text is in Cyrillic letters for it to be Russian."""
    cyrillic = len(_CYRILLIC.findall(text))
    return cyrillic > 0 and cyrillic >= CYRILLIC_SHARE * (cyrillic + len(_LATIN.findall(text)))


def from_wrong_layout(text: str) -> str:
    """Return what was meant by a Russian text typed on a Latin keyboard («htyjyc»)."""
    return text.translate(_KEYS)


def from_latin(text: str) -> str:
    """Return a Russian text written in Latin letters («karta upala») in Cyrillic ones."""
    lowered = text.casefold()
    for latin, cyrillic in _LETTERS:
        lowered = lowered.replace(latin, cyrillic)
    return "".join(_SINGLE.get(letter, letter) for letter in lowered)
