"""The interface's own words: .po files read into gettext catalogs in memory, no compile step."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from gettext import NullTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

from i18n.formatting import typeset

HOME = Path(__file__).parent
LANGUAGES = ("fr", "ru")
Messages = NullTranslations
"""What `gettext` and `ngettext` are called on."""


@cache
def catalog(language: str) -> Messages:
    """Return the messages of a language, typeset; the English msgids stand only in the code."""
    path = HOME / language / "LC_MESSAGES" / "messages.po"
    with path.open("rb") as file:
        read = read_po(file, locale=language)
    for message in read:
        if message.id and message.string:
            message.string = _typeset(message.string, language)
    compiled = BytesIO()
    write_mo(compiled, read)
    compiled.seek(0)
    return Translations(compiled)


def _typeset(string: str | tuple[str, ...] | list[str], language: str) -> str | tuple[str, ...]:
    if isinstance(string, str):
        return typeset(string, language)
    return tuple(typeset(form, language) for form in string)


def messages(language: str | None) -> Messages:
    """Return the messages of a language; for none, or one that we do not speak, the English msgids."""
    return catalog(language) if language in LANGUAGES else NullTranslations()


def spoken(environ: Mapping[str, str]) -> str | None:
    """Return the language of the locale that the environment sets, if it is one of ours."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environ.get(name):
            language = environ[name].partition("_")[0].partition(".")[0].lower()
            return language if language in LANGUAGES else None
    return None
