from __future__ import annotations

from dataclasses import replace

from bot.proofread import amounts, foreign_words, proofread, unit_words
from knowledge.loader import knowledge
from knowledge.model import Entry, Knowledge, Rule, Text


def test_the_texts_are_sound() -> None:
    assert [str(fault) for fault in proofread(knowledge())] == []


def only(entry: Entry) -> Knowledge:
    return replace(knowledge(), entries={entry.id: replace(entry, see_also=())})


def faults_of(entry: Entry) -> list[str]:
    return [fault.message for fault in proofread(only(entry)) if fault.place.file == entry.place.file]


def changed(name: str, number: int, **parts: Text) -> list[str]:
    """Return the faults after a rule of an entry says something else."""
    entry = knowledge().entries[name]
    rule: Rule = entry.rules[number]
    says = {**dict(rule.ruling.says), **{part: (text,) for part, text in parts.items()}}
    other = replace(rule, ruling=replace(rule.ruling, says=tuple(says.items())))
    return faults_of(replace(entry, rules=tuple(other if r is rule else r for r in entry.rules)))


def test_amounts_with_their_units() -> None:
    units = unit_words(knowledge())
    text = "−4 PM au mieux, 0,5 % et 100 points ; à 20 h, 3 cartes, 2 mois"
    assert sorted(amounts(text, units)) == [
        (-4, "match_points"),
        (0.5, "percent"),
        (2, "months"),
        (100, "points"),
    ]
    russian = "−4 МП, 0,5 %, штраф в 100 очков или 21 очко, 2 месяца, 3 карты"
    assert sorted(amounts(russian, units)) == [
        (-4, "match_points"),
        (0.5, "percent"),
        (2, "months"),
        (21, "points"),
        (100, "points"),
    ]


def test_foreign_words() -> None:
    known = knowledge()
    assert foreign_words("Выпуск II, FFT, donnes libres", "ru", known) == []
    assert foreign_words("Предупреждение au joueur", "ru", known) == ["au", "joueur"]
    assert foreign_words("Avertissement игроку", "fr", known) == ["игроку"]


def test_languages_that_disagree_are_a_fault() -> None:
    number = next(
        n
        for n, r in enumerate(knowledge().entries["tarot/scoresheet"].rules)
        if r.ruling.penalties[:1] and r.ruling.penalties[0].amount == 400
    )
    found = changed("tarot/scoresheet", number, penalty=Text("400 points.", "Штраф 300 очков."))
    assert "«penalty»: 400 points in French, but 300 points in Russian" in found
    assert "the amount 400 points is not told in «ru»" in found


def test_an_amount_that_the_data_lack_is_a_fault() -> None:
    found = changed("tarot/scoresheet", 0, penalty=Text("250 points.", "Штраф 250 очков."))
    assert "«penalty» speaks of 250 points, which the data do not have" in found


def test_a_text_too_long_is_a_fault() -> None:
    long = Text("Bla. " * 900, "Бла. " * 900)
    assert any("4096 fit a message" in message for message in changed("tarot/scoresheet", 0, note=long))


def test_questions_and_labels_are_looked_at() -> None:
    entry = knowledge().entries["belote/misdeal"]
    fact = knowledge().entries["tarot/revoke"].facts[1]
    value = replace(fact.values[0], label=Text("x" * 61, "да"))
    bad = replace(
        fact, place=entry.place, question=Text("quoi", "Что?"), values=(value, replace(value, name="no"))
    )
    found = faults_of(replace(entry, facts=(bad,)))
    assert "the question about «completed» is no question in «fr»: quoi" in found
    assert any("is longer than a button of 60 characters" in message for message in found)
    assert "two values of «completed» have the label «да»" in found
