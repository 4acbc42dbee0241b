from __future__ import annotations

import re
from io import BytesIO
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from bot.refusal import Refusal
from i18n.catalogs import HOME, LANGUAGES, catalog, messages
from i18n.formatting import language_name, number, plural, typeset
from i18n.update import extract, path, updated

CODE = HOME.parent / "bot"
USED = extract(CODE)


def stored(language: str) -> Catalog:
    with path(language).open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def forms(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [str(form) for form in value] if isinstance(value, list | tuple) else []


def names(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_messages_are_found_in_the_code() -> None:
    found = {message.id for message in USED if message.id}
    assert len(found) > 60
    assert "I don't know" in found
    assert "The question is empty: say in a few words what happened at the table." in found


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalog_is_complete(language: str) -> None:
    used = {message.id for message in USED if message.id}
    told = {message.id: message for message in stored(language) if message.id}
    assert used - set(told) == set(), "missing: run python -m i18n.update"
    assert set(told) - used == set(), "unused: run python -m i18n.update"
    assert not [m.id for m in told.values() if m.fuzzy]
    assert not [m.id for m in told.values() if not forms(m.string) or not all(forms(m.string))]
    assert not stored(language).obsolete


@pytest.mark.parametrize("language", LANGUAGES)
def test_places_are_the_same(language: str) -> None:
    for message in stored(language):
        if message.id:
            wanted = set().union(*(names(form) for form in forms(message.id)))
            for form in forms(message.string):
                assert names(form) == wanted, message.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_updating_changes_nothing(language: str) -> None:
    assert updated(language, USED) == path(language).read_bytes()


def test_updating_keeps_translations_and_drops_what_nothing_uses() -> None:
    template = Catalog()
    template.add("I don't know")
    template.add("Something new")
    told = {m.id: m.string for m in read_po(BytesIO(updated("fr", template)), locale="fr") if m.id}
    assert told == {"I don't know": "Je ne sais pas", "Something new": ""}


def test_no_language_shows_words_of_the_other() -> None:
    for message in filter(lambda message: message.id, stored("fr")):
        assert not re.search("[А-Яа-яё]", "".join(forms(message.string))), message.id
    kept = (
        r"[A-Z]+(_[A-Z]+)+|\{\w*\}|/\w+|@\w+|--\w+|\d+:[\w-]+|https?|«[\w ]+»|tarot/revoke|long polling"
        r"|JSON( Lines)?|UTF-8|Telegram|Bot API|Ctrl-D|null"
    )
    for message in filter(lambda message: message.id, stored("ru")):
        for form in forms(message.string):
            left = re.sub(kept, "", form)
            assert not re.search("[A-Za-z]", left), form


def test_russian_yo_is_written_as_in_the_rulings() -> None:
    assert not [form for m in stored("ru") for form in forms(m.string) if "ё" in form]


def test_messages_are_typeset() -> None:
    assert catalog("fr").gettext("Which game?") == "Quel jeu\u202f?"
    assert messages(None).gettext("Which game?") == "Which game?"
    assert messages("en").gettext("Which game?") == "Which game?"


def test_a_refusal_in_every_language() -> None:
    inner = Refusal("This line is not JSON.")
    refusal = Refusal("{file}:{line}: {fault}", file="q.jsonl", line=3, fault=inner)
    assert str(refusal) == "q.jsonl:3: This line is not JSON."
    assert refusal.text("ru") == "q.jsonl:3: Эта строка — не JSON."


@pytest.mark.parametrize(
    ("value", "french", "russian"),
    [(0.5, "0,5", "0,5"), (100, "100", "100"), (-4, "−4", "−4"), (-0.5, "−0,5", "−0,5")],
)
def test_number(value: float, french: str, russian: str) -> None:
    assert (number(value, "fr"), number(value, "ru")) == (french, russian)


@pytest.mark.parametrize(
    ("value", "french", "russian"),
    [
        (0, "one", "many"),
        (1, "one", "one"),
        (1.5, "one", "other"),
        (2, "other", "few"),
        (5, "other", "many"),
        (11, "other", "many"),
        (21, "other", "one"),
        (-4, "other", "few"),
    ],
)
def test_plural(value: float, french: str, russian: str) -> None:
    assert (plural(value, "fr"), plural(value, "ru")) == (french, russian)


@pytest.mark.parametrize(
    ("plain", "wanted"),
    [
        ("Qui ?", "Qui~?"),
        ("Qui?", "Qui~?"),
        ("« Renonce » :", "«~Renonce~»~:"),
        ("40 %", "40~%"),
        ("40%", "40~%"),
        ("non ; oui", "non~; oui"),
        ("12:30", "12:30"),
        ("http://x", "http://x"),
        ("q.jsonl:3:4", "q.jsonl:3:4"),
    ],
)
def test_french_spaces(plain: str, wanted: str) -> None:
    once = typeset(plain, "fr")
    assert once == wanted.replace("~", "\u202f")
    assert typeset(once, "fr") == once


def test_russian_spaces() -> None:
    assert typeset("40 %: да; нет?", "ru") == "40\u00a0%: да; нет?"


def test_language_names() -> None:
    assert [language_name(language) for language in LANGUAGES] == ["Français", "Русский"]
