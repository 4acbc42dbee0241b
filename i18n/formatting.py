"""Numbers, plurals, lists and spacing as a careful writer of the language sets them."""

from __future__ import annotations

import re
from functools import cache

from babel import Locale
from babel.numbers import format_decimal

THIN = "\u202f"
HARD = "\u00a0"
_AFTER_DIGIT = re.compile(r"(?<=\d) ?%")


@cache
def _locale(language: str) -> Locale:
    return Locale.parse(language)


def number(value: float, language: str) -> str:
    """Return a number as the language writes it: 0.5 is «0,5», −4 has a true minus sign."""
    written = format_decimal(value, locale=language)
    return written.replace("-", "\u2212")


def plural(value: float, language: str) -> str:
    """Return the CLDR plural category of a number: one, few, many or other."""
    category = _locale(language).plural_form(abs(value))
    return str(category)


def typeset(text: str, language: str) -> str:
    """Return a text with the spaces that its language wants around signs.

    French sets a thin space before : ; ! ? and %, and inside « »; Russian a hard one before %.
    """
    if language == "ru":
        return _AFTER_DIGIT.sub(f"{HARD}%", text)
    text = re.sub(r"«\s*", f"«{THIN}", text)
    text = re.sub(r"\s*»", f"{THIN}»", text)
    text = re.sub(r"(?<=[\w»)’'…]) ?([;!?])(?=\s|$|[!?)»])", rf"{THIN}\1", text)
    text = re.sub(r"(?<=[\w»)’'…]) ?:(?=\s|$)", f"{THIN}:", text)
    return _AFTER_DIGIT.sub(f"{THIN}%", text)


def language_name(language: str) -> str:
    """Return the name of a language in itself, as it stands in a menu."""
    name = _locale(language).get_display_name(language) or language
    return name[:1].upper() + name[1:]
