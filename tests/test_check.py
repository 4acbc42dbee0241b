"""What `arbitre check` says of a knowledge base with a fault: each with its file and line, all at once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from knowledge.check import check
from knowledge.loader import HOME, knowledge, load
from knowledge.nodes import Fault, KnowledgeError

ENTRY = """\
title: {fr: Essai, ru: Проба}
phrases:
  fr: [essai de table]
  ru: [проба стола]
facts:
  - side:
      question: {fr: "Quel camp ?", ru: "Какая сторона?"}
      values:
        ours: {fr: Le nôtre, ru: Наша}
        theirs: {fr: Le leur, ru: Их}
  - repeat
rules:
  - when: {side: ours}
    cites: [libre Renonce 2]
    cases:
      - {when: {repeat: first}, penalties: [{kind: warning, to: offender}]}
      - {when: {repeat: repeat}, penalties: [{kind: points, amount: 100, to: offender}]}
  - when: {side: theirs}
    cites: [libre Renonce 2]
    deal: cancelled
"""
NAME = "entries/tarot/zz-trial.yaml"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A copy of the knowledge base with one small entry more."""
    copy = tmp_path / "knowledge"
    shutil.copytree(HOME, copy, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    (copy / NAME).write_text(ENTRY, "utf-8")
    return copy


def faults_of(home: Path) -> list[Fault]:
    try:
        return check(load(home))
    except KnowledgeError as error:
        return error.faults


def test_the_knowledge_base_is_sound() -> None:
    assert check(knowledge()) == []


def test_the_trial_entry_is_sound(home: Path) -> None:
    assert faults_of(home) == []


@pytest.mark.parametrize(
    ("change", "to", "line", "message"),
    [
        ("deal: cancelled", "deal: canceled", 20, "«canceled» is no outcome of a deal"),
        ("deal: cancelled", "dael: cancelled", 20, "unknown key «dael»"),
        ("{side: theirs}", "{side: other}", 18, "«side» has no value «other»"),
        ("{side: theirs}", "{sid: theirs}", 18, "«sid» is not a fact"),
        (
            "when: {side: theirs}",
            "when: {side: theirs, repeat: first}",
            1,
            "no rule for: side: theirs",
        ),
        ("when: {side: ours}\n", "when: {side: [ours, theirs]}\n", 16, "both hold for"),
        ("- {when: {repeat: first}", "- {when: {side: theirs}", 16, "can never hold"),
        ("amount: 100", "amount: cent", 17, "«cent» is not a number"),
        ("kind: points", "kind: pionts", 17, "wording.yaml has no «penalty.pionts»"),
        ("to: offender}]}\n  - when", "to: offenders}]}\n  - when", 17, "wording.yaml has no «to.offenders»"),
        ("fr: Essai, ", "", 1, "«fr» is missing"),
        ("ru: Проба", "ru: ''", 1, "the text in «ru» is empty"),
        ("libre Renonce 2]\n    deal", "libre Renonce 99]\n    deal", 19, "has no sentence 99"),
        ("libre Renonce 2]\n    deal", "libre Renonse 2]\n    deal", 19, "has no section «Renonse»"),
        ("libre Renonce 2]\n    deal", "livre Renonce 2]\n    deal", 19, "unknown document «livre»"),
        ("libre Renonce 2]\n    deal", "libre Renonce]\n    deal", 19, "say which sentences"),
        ("[essai de table]", "[renonce]", 3, "is a phrase of «tarot/revoke» too"),
        ("    deal: cancelled", "    deal: cancelled\n    deal: scored", 21, "«deal» stands twice"),
        ("    deal: cancelled", "    hand_over: tarot/nowhere", 18, "which is no entry"),
        ("    deal: cancelled", "    hand_over: tarot/zz-trial", 18, "runs in a circle"),
        ("    deal: cancelled", "    apply: nothing", 20, "unknown tariff «nothing»"),
        ("rules:", "rules: [", 13, "not valid YAML"),
        ("  - repeat\n", "  - repeats\n", 11, "is not a shared fact"),
    ],
)
def test_a_fault_is_told_with_its_line(home: Path, change: str, to: str, line: int, message: str) -> None:
    assert change in ENTRY
    (home / NAME).write_text(ENTRY.replace(change, to, 1), "utf-8")
    found = [fault for fault in faults_of(home) if fault.place.file == f"knowledge/{NAME}"]
    assert any(fault.place.line == line and message in fault.message for fault in found), found


def test_a_fact_that_changes_nothing_is_a_fault(home: Path) -> None:
    idle = ENTRY.replace("  - repeat\n", "  - repeat\n  - contract\n")
    (home / NAME).write_text(idle, "utf-8")
    assert [f.message for f in faults_of(home)] == ["the fact «contract» changes nothing in any case"]


def test_an_uncited_sentence_is_a_fault(home: Path) -> None:
    ledger = home / "sources.yaml"
    ledger.write_text(ledger.read_text("utf-8").replace("sentences: 15", "sentences: 16", 1), "utf-8")
    assert any("sentence 16 is neither cited" in fault.message for fault in faults_of(home))


def test_a_concept_that_nothing_uses_is_a_fault(home: Path) -> None:
    (home / "lexicon/zz.yaml").write_text("idle_thing:\n  fr: [chose]\n  ru: [вещь]\n", "utf-8")
    assert [fault.message for fault in faults_of(home)] == [
        "nothing uses the concept «idle_thing»: no sign, no expression"
    ]


def test_all_faults_are_told_at_once(home: Path) -> None:
    (home / NAME).write_text(ENTRY.replace("cancelled", "canceled").replace("100", "cent"), "utf-8")
    (home / "entries/tarot/smoking.yaml").write_bytes(b"\xff\xfe title")
    messages = " ".join(fault.message for fault in faults_of(home))
    assert "canceled" in messages
    assert "cent" in messages
    assert "not UTF-8" in messages


def test_a_missing_file_is_a_fault(home: Path) -> None:
    (home / "tariffs.yaml").unlink()
    assert any("the file is missing" in fault.message for fault in faults_of(home))
