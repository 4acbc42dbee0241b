"""How questions are understood: floors over whole question files, and single cases that must not go wrong."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from bot.conversation import Conversation
from bot.evaluation import Outcome, evaluate, miss_lines, read_questions
from knowledge.loader import knowledge
from knowledge.matching import Match, Matcher
from knowledge.reading import Reader
from knowledge.scripts import from_latin, from_wrong_layout
from knowledge.words import fold, stem

HERE = Path(__file__).parent
KEPT = sorted((HERE / "questions").glob("*.jsonl"))
EXAMPLES = sorted((HERE.parents[1] / "shared" / "questions").glob("*.jsonl"))


@cache
def matcher() -> Matcher:
    return Matcher(knowledge())


@cache
def reader() -> Reader:
    return Reader(knowledge(), matcher().analyser)


def match(question: str, game: str | None = None) -> Match:
    return matcher().match(question, game)


def heard(question: str, entry: str) -> dict[str, str]:
    return reader().read(knowledge().entries[entry], match(question).analysis)


@pytest.mark.parametrize(
    ("question", "entry"),
    [
        ("renonce au tarot", "tarot/revoke"),
        ("renonce sur renonce", "tarot/double-revoke"),
        ("ренонс на ренонс", "tarot/double-revoke"),
        ("RENONCE SUR RENONCE !!", "tarot/double-revoke"),
        ("le preneur a mis un roi dans son écart", "tarot/wrong-discard"),
        ("кто-то курит за столом, таро", "tarot/smoking"),
        ("болван имеет право указать на ошибку?", "bridge/pointing-out"),
    ],
)
def test_a_clear_question_is_taken_at_once(question: str, entry: str) -> None:
    found = match(question)
    assert found.verdict == "sure"
    assert found.candidates[0].entry == entry


def test_the_same_word_in_two_games_is_a_choice_unless_the_player_has_set_one() -> None:
    assert match("renonce").verdict == "close"
    assert {c.entry for c in match("renonce").candidates[:2]} == {"tarot/revoke", "belote/revoke"}
    assert match("renonce", "belote").candidates[0].entry == "belote/revoke"
    assert match("renonce", "tarot").candidates[0].entry == "tarot/revoke"


@pytest.mark.parametrize(
    "question",
    [
        "",
        "   ",
        "🂡🃏",
        "asdf qsdf zzz",
        "quel temps fait-il à Lyon ?",
        "где купить билет на поезд",
        "bridge : renonce au troisième pli, combien de levées ?",
        "combien vaut la belote-rebelote",
        "au poker il a montré ses cartes",
        "SELECT * FROM users; DROP TABLE chats",
        "<b>bonjour</b>",
    ],
)
def test_what_the_sources_do_not_rule_on_is_refused(question: str) -> None:
    assert match(question).verdict == "weak"


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("le preneur a chuté", "fr"),
        ("ya une carte ki est tombé", "fr"),
        ("карта упала", "ru"),
        ("karta upala vo vremya sdachi", "ru"),
        ("htyjyc", "ru"),
        ("показал poignée", "ru"),
        ("le mort подсказал", "ru"),
    ],
)
def test_the_language_is_that_of_the_question(question: str, language: str) -> None:
    assert match(question).language == language


@pytest.mark.parametrize(
    ("question", "entry", "facts"),
    [
        (
            "un défenseur a renoncé et le preneur a chuté",
            "tarot/revoke",
            {"offender": "defence", "contract": "failed"},
        ),
        ("защитник дал ренонс, контракт сделан", "tarot/revoke", {"offender": "defence", "contract": "made"}),
        ("carte exposée par le preneur", "tarot/exposed-card", {"offender": "declarer"}),
        ("le preneur n'a pas chuté", "tarot/revoke", None),
        ("ce n'était pas la première fois", "tarot/touching-cards", None),
    ],
)
def test_facts_are_heard(question: str, entry: str, facts: dict[str, str] | None) -> None:
    found = heard(question, entry)
    if facts is None:  # denied: heard as the other value or left alone, never the wrong way round
        assert found.get("contract") != "failed"
        assert found.get("repeat") != "first"
    else:
        assert found == facts


@pytest.mark.parametrize(
    ("question", "entry", "fact"),
    [
        ("le preneur accepte la carte, renonce", "tarot/revoke", "offender"),
        ("ренонс, разыгрывающий спрашивает что делать", "tarot/revoke", "offender"),
        ("avant que le pli suivant soit joué", "tarot/revoke", "completed"),
    ],
)
def test_what_is_left_open_stays_unheard(question: str, entry: str, fact: str) -> None:
    assert heard(question, entry).get(fact) in (None, "no")


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("Écart à l’œil", "ecart a l oeil"),
        ("ещё  ЁЖ", "еще еж"),
        ("n'a pas\tfourni !", "n a pas fourni"),
        ("0,5 %", "0 5"),
        ("й", "й"),
    ],
)
def test_folding(written: str, folded: str) -> None:
    assert fold(written) == folded


def test_inflected_forms_meet() -> None:
    assert len({stem(w) for w in ("renonce", "renonces", "renonce", "renoncer", "renoncait")}) == 1
    assert len({stem(w) for w in ("карта", "карты", "карту", "картой")}) == 1


def test_other_keyboards_and_letters() -> None:
    assert from_wrong_layout("htyjyc") == "ренонс"
    assert from_latin("karta upala") == "карта упала"


@cache
def outcomes(paths: tuple[Path, ...]) -> list[Outcome]:
    conversation = Conversation(knowledge(), matcher(), reader())
    return evaluate(conversation, [q for path in paths for q in read_questions(path, knowledge())])


def share(found: list[bool]) -> float:
    assert found
    return sum(found) / len(found)


FLOORS = {
    # figure: (kept questions in French, in Russian); a floor only rises
    "top-1": (0.96, 0.98),
    "top-3": (0.985, 0.99),
    "refused": (0.95, 0.97),
}


def figure(name: str, found: list[Outcome]) -> float:
    inside = [one for one in found if one.question.entry is not None]
    if name == "refused":
        return share([one.refused for one in found if one.question.entry is None])
    return share([one.among(int(name[-1])) for one in inside])


@pytest.mark.parametrize("name", FLOORS)
@pytest.mark.parametrize("language", ["fr", "ru"])
def test_kept_questions_keep_their_floor(language: str, name: str) -> None:
    paths = tuple(path for path in KEPT if path.stem.startswith(language))
    assert paths
    found = outcomes(paths)
    floor = FLOORS[name][language == "ru"]
    misses = list(miss_lines(found))
    assert figure(name, found) >= floor, "\n".join(misses[:40])


@pytest.mark.skipif(not EXAMPLES, reason="the example questions are not at hand")
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_example_questions_are_understood(path: Path) -> None:
    found = outcomes((path,))
    inside = [one for one in found if one.question.entry is not None]
    misses = "\n".join(miss_lines(found))
    assert figure("top-1", found) >= 0.92, misses
    assert figure("top-3", found) >= 0.98, misses
    assert share([one.wrong for one in found]) < 0.03, misses
    assert share([one.refused for one in inside]) < 0.02, misses


@pytest.mark.skipif(not EXAMPLES, reason="the example questions are not at hand")
def test_no_phrase_is_an_example_question() -> None:
    asked = {
        fold(json.loads(line)["question"])
        for path in [*EXAMPLES, *KEPT]
        for line in path.read_text("utf-8").splitlines()
    }
    assert len(asked) > 300
    names = {fold(phrase.text) for entry in knowledge() for phrase in entry.phrases}
    assert [name for name in names & asked if len(name) > 20] == []


@pytest.mark.parametrize(
    ("typed", "value"),
    [("oui", "made"), ("non", "failed"), ("да", "made"), ("нет", "failed"), ("je ne sais pas", "unknown")],
)
def test_a_plain_reply_answers_the_question(typed: str, value: str) -> None:
    contract = knowledge().facts["contract"]
    assert reader().reply(contract, typed) == value


def test_the_players_game_decides_where_the_question_leaves_it_open() -> None:
    assert match("carte exposée", "belote").candidates[0].entry == "belote/exposed-card"
    assert match("carte exposée", "tarot").candidates[0].entry == "tarot/exposed-card"
    assert match("renonce au tarot", "belote").candidates[0].entry == "tarot/revoke"


def test_phrases_lead_to_their_own_entry() -> None:
    led = {
        f"{entry.id}: {phrase.text}": any(
            c.entry == entry.id for c in match(phrase.text, entry.game).candidates[:1]
        )
        for entry in knowledge()
        for phrase in entry.phrases
        if not phrase.ambiguous
    }
    assert len(led) > 3000
    assert share(list(led.values())) >= 0.98, [phrase for phrase, right in led.items() if not right][:40]
