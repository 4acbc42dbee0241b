from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.cli import conversation, main
from bot.conversation import Ask, Choose, Decline, State, Turn
from bot.evaluation import Outcome, Question, figures, miss_lines, read_questions, report
from bot.refusal import Refusal
from knowledge.loader import knowledge
from knowledge.matching import Candidate

REVOKE, EXPOSED, DOUBLE = "tarot/revoke", "tarot/exposed-card", "tarot/double-revoke"


def taken(entry: str, heard: dict[str, str] | None = None, language: str = "fr") -> Turn:
    found = knowledge().entries[entry]
    state = State(language=language, entry=entry, heard=heard or {})
    return Turn(state, Ask(found, {}, found.facts[0]), (Candidate(entry, 0.9), Candidate(DOUBLE, 0.5)))


def chosen(*entries: str) -> Turn:
    candidates = tuple(Candidate(entry, 0.5) for entry in entries)
    return Turn(State(), Choose(candidates), candidates)


def question(entry: str | None, *also: str, language: str = "fr", **facts: str) -> Question:
    return Question("x", "une question", language, entry, also, facts)


def test_figures() -> None:
    outcomes = [
        Outcome(
            question(REVOKE, offender="defence", contract="made"),
            taken(REVOKE, {"offender": "defence"}),
            0.001,
        ),
        Outcome(question(EXPOSED, REVOKE, effect="harmless"), taken(REVOKE, {"offender": "defence"}), 0.002),
        Outcome(question(EXPOSED), taken(REVOKE), 0.003),
        Outcome(question(EXPOSED), chosen(REVOKE, DOUBLE, EXPOSED), 0.004),
        Outcome(question(EXPOSED), Turn(State(language="ru"), Decline()), 0.005),
        Outcome(question(None), Turn(State(), Decline()), 0.006),
        Outcome(question(None), taken(REVOKE), 0.007),
        Outcome(question(None, language="en"), chosen(REVOKE), 0.008),
    ]
    told = figures(outcomes)
    assert told["questions"] == "8"
    assert told["top-1"] == "40.0% (2/5)"
    assert told["top-3"] == "60.0% (3/5)"
    assert told["out of scope: refused"] == "33.3% (1/3)"
    assert told["in scope: refused wrongly"] == "20.0% (1/5)"
    assert told["in scope: by choose"] == "20.0% (1/5)"
    assert told["taken at once and wrong"] == "25.0% (2/8)"
    assert told["facts: precision"] == "100.0% (1/1)"
    assert told["facts: recall"] == "50.0% (1/2)"
    assert told["language of the answer"] == "85.7% (6/7)"
    assert told["median time"] == "4.50 ms"
    assert told["99th percentile"] == "8.00 ms"
    lines = list(report(outcomes))
    assert lines[0].split() == ["en", "fr", "all"]
    assert len({len(line) for line in lines}) == 1


def test_misses() -> None:
    outcomes = [
        Outcome(question(REVOKE, offender="defence"), taken(REVOKE, {"offender": "defence"}), 0),
        Outcome(question(REVOKE, offender="defence"), taken(REVOKE, {"contract": "made"}), 0),
        Outcome(question(None), taken(REVOKE, language="ru"), 0),
    ]
    assert list(miss_lines(outcomes)) == [
        "x [tarot/revoke] missed offender=defence; heard contract=made | une question",
        "x [nothing] took tarot/revoke; answered in ru | une question",
    ]


def test_reading_a_question_file(tmp_path: Path) -> None:
    file = tmp_path / "q.jsonl"
    lines = [
        {
            "id": "a",
            "question": "renonce",
            "lang": "fr",
            "entry": REVOKE,
            "also": [DOUBLE],
            "facts": {"x": "y"},
        },
        {"question": "télé", "lang": "fr", "entry": None},
    ]
    file.write_text("\ufeff" + "\n\n".join(json.dumps(line) for line in lines), "utf-8")
    first, second = read_questions(file, knowledge())
    assert first == Question("a", "renonce", "fr", REVOKE, (DOUBLE,), {"x": "y"})
    assert first.right == {REVOKE, DOUBLE}
    assert (second.id, second.entry, second.right) == ("3", None, frozenset())


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"no json", "JSON"),
        (b"\xff", "UTF-8"),
        (b"[]", "object"),
        (b"{}", "question"),
        (b'{"question": 1, "entry": null}', "question"),
        (b'{"question": "x"}', "entry"),
        (b'{"question": "x", "entry": "tarot/nothing"}', "tarot/nothing"),
        (b'{"question": "x", "entry": null, "also": ["x"]}', "«x»"),
        (b'{"question": "x", "entry": null, "also": "x"}', "also"),
        (b'{"question": "x", "entry": null, "facts": []}', "facts"),
        (b'{"question": "x", "entry": null, "facts": {"a": 1}}', "facts"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: bytes, words: str) -> None:
    file = tmp_path / "q.jsonl"
    file.write_bytes(b'{"question": "x", "entry": null}\n' + line)
    with pytest.raises(Refusal) as refused:
        read_questions(file, knowledge())
    assert str(refused.value).startswith(f"{file}:2: ")
    assert words in str(refused.value)


@pytest.mark.parametrize("content", [b"", b"\n \n"])
def test_an_empty_file_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "q.jsonl"
    file.write_bytes(content)
    with pytest.raises(Refusal, match="no question"):
        read_questions(file, knowledge())


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    conversation()
    file = tmp_path / "q.jsonl"
    file.write_text('{"id": "a", "question": "carte exposée", "lang": "fr", "entry": null}\n', "utf-8")
    assert main(["eval", str(file), "--misses"]) == 0
    said = capsys.readouterr().out
    assert "out of scope: refused" in said
    assert "a [nothing] offered" in said
