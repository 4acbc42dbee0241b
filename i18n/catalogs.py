"""The interface's own words: .po files read into gettext catalogs in memory, no compile step."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

HOME = Path(__file__).parent
LANGUAGES = ("fr", "ru")


@cache
def catalog(language: str) -> Translations:
    """Return the messages of a language; the English msgids stand only in the code."""
    path = HOME / language / "LC_MESSAGES" / "messages.po"
    compiled = BytesIO()
    with path.open("rb") as file:
        write_mo(compiled, read_po(file, locale=language))
    compiled.seek(0)
    return Translations(compiled)
