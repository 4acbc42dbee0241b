"""Buttons carry a state through 64 bytes and back, on every path of every entry, in both languages."""

from __future__ import annotations

import string
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from bot.buttons import (
    LONGEST,
    Buttons,
    Compared,
    Consulted,
    Preferred,
    Returned,
    Stale,
    Tap,
    code,
    schema,
)
from bot.cli import conversation
from bot.conversation import Answered, Ask, Give, Picked, Preferences, Rejected, Reopened, Said, State, Turn
from bot.markup import LONGEST as LONGEST_MESSAGE
from bot.markup import Screen, plain_units
from bot.telegram.screens import Screens
from knowledge.model import LANGUAGES, UNKNOWN, Entry

KNOWLEDGE = conversation().knowledge
BUTTONS = Buttons(KNOWLEDGE)
SCREENS = Screens(KNOWLEDGE, BUTTONS)
ALLOWED = set(string.ascii_letters + string.digits + ".-_?=")
FULL = tuple(KNOWLEDGE.entries)[:13]
"""As many entries offered and refused as a talk can gather: four left, four and five refused."""


def crowded(entry: Entry, language: str) -> State:
    others = [name for name in FULL if name != entry.id]
    return State(language=language, question="?", offered=tuple(others[:4]), refused=tuple(others[4:9]))


def ways(entry: Entry, language: str) -> Iterator[Turn]:
    """Every turn that answers can lead to, each once."""
    core, preferences = conversation(), Preferences(language=language)
    start = core.open(entry.id, {}, preferences)
    crowd = crowded(entry, language)
    state = replace(start.state, question="?", offered=crowd.offered, refused=crowd.refused)
    waiting = [replace(start, state=state)]
    seen = set()
    while waiting:
        turn = waiting.pop()
        key = tuple(sorted(turn.state.answered.items()))
        if key in seen:
            continue
        seen.add(key)
        yield turn
        if isinstance(turn.step, Ask):
            fact = turn.step.fact
            waiting += [
                core.advance(turn.state, Answered(fact.name, value), preferences)
                for value in (*fact.names, UNKNOWN)
            ]


def fits(screen: Screen) -> int:
    """Assert that a screen fits and that each button reads as it was written; return how many there were."""
    assert len(screen.messages) == 1
    assert plain_units(screen.messages[0]) <= LONGEST_MESSAGE
    buttons = [button for row in screen.rows for button in row]
    for button in buttons:
        assert 1 <= len(button.data) <= LONGEST, button
        assert set(button.data) <= ALLOWED
        assert button.label.strip()
    assert len({button.data for button in buttons}) == len(buttons)
    return len(buttons)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", KNOWLEDGE.entries)
def test_every_button_of_every_path(name: str, language: str) -> None:
    pressed = 0
    for turn in ways(KNOWLEDGE.entries[name], language):
        screen = SCREENS.turn(turn)
        pressed += fits(screen)
        expected = replace(turn.state, question="")
        for button in (button for row in screen.rows for button in row):
            state, tap = BUTTONS.read(button.data)
            assert state == expected
            assert BUTTONS.write(state, tap) == button.data
    assert pressed


def taps(entry: Entry) -> Iterator[Tap]:
    yield from (Rejected(), Returned(), Picked(entry.id), Preferred("language", "ru"), Preferred("game", ""))
    yield from (Consulted(document) for document in KNOWLEDGE.documents)
    for fact in entry.facts:
        yield from (Reopened(fact.name), Compared(fact.name))
        yield from (Answered(fact.name, value) for value in (*fact.names, UNKNOWN))


@pytest.mark.parametrize("name", KNOWLEDGE.entries)
def test_every_tap_comes_back(name: str) -> None:
    entry = KNOWLEDGE.entries[name]
    first = {fact.name: fact.names[0] for fact in entry.facts}
    last = {fact.name: fact.names[-1] for fact in entry.facts}
    unknown = {fact.name: UNKNOWN for fact in entry.facts}
    for heard, answered in ((first, {}), ({}, last), ({}, unknown), ({}, {})):
        state = replace(crowded(entry, "ru"), question="", entry=name, heard=heard, answered=answered)
        for asked in (None, *first):
            now = replace(state, asked=asked)
            for tap in taps(entry):
                data = BUTTONS.write(now, tap)
                assert len(data) <= LONGEST
                assert BUTTONS.read(data) == (now, tap)


def test_an_answer_wins_over_what_was_heard() -> None:
    state = State(entry="tarot/revoke", heard={"contract": "made"}, answered={"contract": "failed"})
    read, _ = BUTTONS.read(BUTTONS.write(state, Returned()))
    assert read.stated == state.stated


def test_codes_are_unique_and_stay() -> None:
    assert len({code(name) for name in KNOWLEDGE.entries}) == len(KNOWLEDGE.entries)
    assert len({code(name) for name in KNOWLEDGE.documents}) == len(KNOWLEDGE.documents)
    # a code that changes makes every button of yesterday stale
    assert (code("tarot/revoke"), code("belote/revoke"), code("libre")) == (
        "JrC",
        code("belote/revoke"),
        "eCU",
    )


def test_two_entries_of_one_code_are_refused() -> None:
    names = iter("".join(letters) for letters in product(string.ascii_lowercase, repeat=4))
    seen: dict[str, str] = {}
    for name in names:
        if code(name) in seen:
            break
        seen[code(name)] = name
    entry = KNOWLEDGE.entries["tarot/revoke"]
    twins = {one: replace(entry, id=one) for one in (name, seen[code(name)])}
    with pytest.raises(ValueError, match="have one code"):
        Buttons(replace(KNOWLEDGE, entries=twins))


def test_too_much_forgets_what_was_refused_first() -> None:
    state = State(entry="tarot/out-of-turn", offered=FULL[:4], refused=FULL[4:] + FULL[:4])
    data = BUTTONS.write(state, Rejected())
    assert len(data) <= LONGEST
    read, _ = BUTTONS.read(data)
    assert read.offered == state.offered
    assert 0 < len(read.refused) < len(state.refused)
    assert state.refused[-len(read.refused) :] == read.refused


def changed(entry: Entry) -> Iterator[Entry]:
    """The same entry after an update that the marks of old buttons do not fit."""
    first, *others = entry.facts
    yield replace(entry, facts=tuple(others))
    yield replace(entry, facts=(*others, first))
    yield replace(entry, facts=(replace(first, values=first.values[1:]), *others))
    yield replace(entry, facts=(replace(first, values=first.values[::-1]), *others))
    yield replace(entry, facts=(replace(first, name="other"), *others))


def test_a_button_of_other_facts_is_stale() -> None:
    entry = KNOWLEDGE.entries["tarot/revoke"]
    data = BUTTONS.write(State("ru", entry=entry.id, answered={"contract": "made"}), Returned())
    for other in changed(entry):
        assert schema(other) != schema(entry)
        with pytest.raises(Stale) as stale:
            Buttons(replace(KNOWLEDGE, entries={entry.id: other})).read(data)
        assert (stale.value.language, stale.value.entry) == ("ru", entry.id)
    with pytest.raises(Stale) as stale:
        Buttons(replace(KNOWLEDGE, entries={})).read(data)
    assert (stale.value.language, stale.value.entry) == ("ru", None)


def test_an_entry_that_went_is_not_offered_any_more() -> None:
    data = BUTTONS.write(State(offered=("tarot/revoke", "belote/revoke")), Rejected())
    left = {name: entry for name, entry in KNOWLEDGE.entries.items() if name != "tarot/revoke"}
    assert Buttons(replace(KNOWLEDGE, entries=left)).read(data)[0].offered == ("belote/revoke",)


NO_BUTTONS = (
    *("", "1", "1fr", "1de......B", "0fr......B", "1fr.......B", "1fr......", "." * 64, "\u043f\u0430\u0441"),
    *("1fr......A0a", "1fr......Pzzz", "1fr......Q", "1fr......Dzzz", "1fr......Slanguage", "1fr.zzz.....B"),
    *("1fr.JrCBdV.zzzzzzzzzzzz....B", "1fr.JrCBdV.z....B", "1fr.JrCBdV.AAAA.zz...B", "1fr.JrCBdV.....A"),
    *("1fr.JrCBdV.....A0", "1fr.JrCBdV.....A0ab", "1fr.JrCBdV.....R", "1fr.JrCBdV.....A00"),
)


@pytest.mark.parametrize("data", NO_BUTTONS)
def test_what_is_no_button_of_ours_is_stale(data: str) -> None:
    with pytest.raises(Stale):
        BUTTONS.read(data)


def test_what_is_said_is_no_button() -> None:
    with pytest.raises(ValueError, match="typed"):
        BUTTONS.write(State(), Said("renonce"))


def test_menus_and_lists_fit() -> None:
    for language in LANGUAGES:
        for screen in (SCREENS.greeting(language), SCREENS.help(language), SCREENS.sources(language)):
            assert fits(screen) == 0
        for name in ("language", "game", *SCREENS.facts):
            menu = SCREENS.menu(name, language, None)
            assert menu is not None
            assert fits(menu) > 2
        assert SCREENS.menu("start", language, None) is None
        assert all(0 < len(told) <= 256 for told in SCREENS.commands(language).values())
        for entry in KNOWLEDGE:
            for fact in (fact.name for fact in entry.facts if fact.setting):
                state = State(language, entry=entry.id)
                assert fits(SCREENS.comparison(entry, fact, state, Preferences())) == 1


def test_the_setting_is_changed_in_one_tap() -> None:
    turn = conversation().open(
        "tarot/revoke",
        {"format": "libre", "completed": "yes", "offender": "declarer", "contract": "made"},
        Preferences(),
    )
    assert isinstance(turn.step, Give)
    read = [BUTTONS.read(button.data)[1] for row in SCREENS.turn(turn).rows for button in row]
    fact = KNOWLEDGE.facts["format"]
    assert [t.value for t in read if isinstance(t, Answered)] == [v for v in fact.names if v != "libre"]
    assert not any(isinstance(t, Reopened) and t.fact == "format" for t in read)
