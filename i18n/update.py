"""Brings the catalogs up to the messages of the code: `python -m i18n.update`.

Translations are kept, new messages come in without one, and those that nothing uses go.
"""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from i18n.catalogs import HOME, LANGUAGES

KEYWORDS = {"gettext": None, "ngettext": (1, 2), "Refusal": None}
"""The calls whose first arguments are messages."""


def extract(code: Path) -> Catalog:
    """Return the messages of the code below a folder."""
    catalog = Catalog(project="arbitre")
    methods = [("**.py", "python")]
    found = extract_from_dir(code, method_map=methods, keywords=KEYWORDS)
    for file, line, message, _comments, context in found:
        catalog.add(message, locations=[(file, line)], context=context)
    return catalog


def path(language: str) -> Path:
    """Return the file of a language's catalog."""
    return HOME / language / "LC_MESSAGES" / "messages.po"


def updated(language: str, template: Catalog) -> bytes:
    """Return the catalog of a language as it should be written."""
    catalog = Catalog(locale=language, project="arbitre")
    if path(language).exists():
        with path(language).open("rb") as file:
            catalog = read_po(file, locale=language)
    catalog.update(template, no_fuzzy_matching=True)
    written = BytesIO()
    write_po(
        written,
        catalog,
        no_location=True,
        sort_output=True,
        ignore_obsolete=True,
        omit_header=True,
        width=110,
    )
    header = (
        'msgid ""\nmsgstr ""\n'
        f'"Language: {language}\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n'
        f'"Plural-Forms: {catalog.plural_forms}\\n"\n\n'
    )
    return header.encode() + written.getvalue()


def main() -> int:
    """Write the catalogs; return 1 where a message has no translation yet."""
    template = extract(HOME.parent / "bot")
    missing = 0
    for language in LANGUAGES:
        written = updated(language, template)
        path(language).parent.mkdir(parents=True, exist_ok=True)
        path(language).write_bytes(written)
        catalog = read_po(BytesIO(written), locale=language)
        untranslated = [str(message.id) for message in catalog if message.id and not _told(message.string)]
        missing += len(untranslated)
        print(f"{language}: {len(catalog)} messages, {len(untranslated)} without a translation")
        print(*(f"  {message}" for message in untranslated), sep="\n", end="\n" if untranslated else "")
    return 1 if missing else 0


def _told(string: str | tuple[str, ...] | list[str] | None) -> bool:
    return bool(string) and all(string or ())


if __name__ == "__main__":
    sys.exit(main())
