"""The chat in the terminal: piped, and typed at a real pseudo-terminal."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pexpect
import pytest

from bot.conversation import Conversation
from bot.terminal import chat
from bot.wording import Words
from knowledge.loader import knowledge
from knowledge.matching import Candidate, Match, Matcher
from knowledge.reading import Reader
from knowledge.table import Settled, decide

ROOT = Path(__file__).parent.parent
REVOKES = ("belote/revoke", "tarot/revoke")
EXPOSED = ("belote/exposed-card", "tarot/exposed-card")


class Fixed(Matcher):
    """Offers revokes or exposed cards, one for each game, so that no tuning of the search matters here."""

    def match(self, text: str, game: str | None = None) -> Match:
        found = super().match(text, game)
        russian = re.search("[а-я]", text.casefold()) is not None
        names = [e for e in (REVOKES if "ren" in text else EXPOSED) if game in (None, e.split("/")[0])]
        return replace(
            found,
            verdict="sure" if len(names) == 1 else "close",
            candidates=tuple(Candidate(name, 0.9) for name in names),
            language="ru" if russian else "fr",
        )


def talk(*lines: str, language: str | None = "fr") -> str:
    matcher = Fixed(knowledge())
    fixed = Conversation(knowledge(), matcher, Reader(knowledge(), matcher.analyser))
    target = io.StringIO()
    assert chat(fixed, io.StringIO("".join(f"{line}\n" for line in lines)), target, language) == 0
    return target.getvalue()


def verdict(**facts: str) -> str:
    decision = decide(knowledge().entries["tarot/revoke"], facts)
    assert isinstance(decision, Settled)
    return Words(knowledge(), "fr", facts).parts(decision.ruling)["verdict"][0]


FACTS = {"format": "libre", "completed": "yes", "offender": "defence"}
STORY = ("renonce", "Tarot · Renonce", "1", "1", "2", "2")
"""Libre, completed, by the defence, contract failed."""


# Piped ------------------------------------------------------------------------------------------------


def test_a_whole_talk_by_number_and_in_words() -> None:
    said = talk(*STORY)
    assert "Tarot · Renonce · Donnes libres" in said
    assert verdict(**FACTS, contract="failed") in said
    assert "Pour changer" in said
    assert "\033" not in said
    assert "›" not in said


def test_an_answer_in_words() -> None:
    label = knowledge().facts["contract"].value("failed").label.fr
    assert talk(*STORY) == talk(*STORY[:-1], label)


def test_a_change_without_starting_over() -> None:
    said = talk(*STORY)
    label = knowledge().facts["contract"].value("failed").label.fr
    number = re.search(rf"(\d+)\. {label}", said.splitlines()[-1])
    assert number is not None
    changed = talk(*STORY, number[1], "1").removeprefix(said)
    assert verdict(**FACTS, contract="made") in changed
    assert "À quelle formule" not in changed


def test_the_format_is_kept_for_the_next_question() -> None:
    said = talk("renonce", "Tarot · Renonce", "1", "renonce", "Tarot · Renonce")
    assert said.count("À quelle formule jouez-vous") == 1


def test_settings_by_command_and_menu() -> None:
    said = talk("/format quadrettes", "/format", "Duplicate individuel", "/game", "tarot", "renonce")
    lines = said.splitlines()
    assert "Quadrettes" in lines[0]
    assert "Tarot · Renonce · Duplicate individuel" in lines
    assert said.count("À quelle formule") == 1
    assert "Belote · Renonce" not in said


def test_a_format_set_later_shows_the_ruling_again() -> None:
    said = talk("/game tarot", "carte exposée", "1", "/format quadrettes")
    assert "Tarot · Carte exposée · Quadrettes" in said


def test_the_language_of_the_question_and_that_of_the_player() -> None:
    assert "О чем идет речь?" in talk("показанная карта")
    assert "De quoi s’agit-il" in talk("показанная карта", "/language fr").replace("\u202f", " ")
    said = talk("/language русский", "carte exposée")
    assert "Показанная карта" in said
    assert "exposée" not in said


def test_help_and_sources_and_table() -> None:
    said = talk("?", "/sources", "/game tarot", "carte exposée", "/table")
    for word in ("/language", "/game", "/format", "/table", "/sources", "/quit", "FFT, donnes libres"):
        assert word in said
    assert "Quadrettes" in said
    assert "Справка" not in said


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("", "La question est vide"),
        ("\x01\x02", "La question est vide"),
        ("a" * 100_000, "La question est trop longue"),
        ("/nothing", "Commande inconnue"),
        ("/table", "Posez d’abord une question"),
        ("/format poker", "inconnu ici"),
        ("/language klingon", "inconnu ici"),
    ],
)
def test_bad_input_is_one_sentence_and_the_chat_goes_on(line: str, wanted: str) -> None:
    said = talk(line, "carte exposée")
    assert wanted in said.splitlines()[0]
    assert "De quoi s’agit-il" in said.splitlines()[1]


def test_a_number_that_is_no_option() -> None:
    said = talk("carte exposée", "9", "0", "1")
    assert "Il n’y a pas de choix 9" in said
    assert "Il n’y a pas de choix 0" in said
    assert said.count("Belote · Carte exposée") == 2


def test_quit_leaves_at_once() -> None:
    assert talk("/quit", "carte exposée") == ""


def test_a_pipe_through_a_real_process() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bot", "chat"],
        input=b"carte expos\xc3\xa9e\n\xff\xfe\n1",
        capture_output=True,
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Carte exposée" in done.stdout.decode()
    assert b"\033" not in done.stdout


# At a terminal ----------------------------------------------------------------------------------------


@pytest.fixture
def terminal(request: pytest.FixtureRequest) -> Iterator[pexpect.spawn[str]]:
    environ = {"PATH": "/usr/bin:/bin", "TERM": "xterm", "LC_ALL": "fr_FR.UTF-8", "COLUMNS": "60"}
    environ |= getattr(request, "param", {})
    child = pexpect.spawn(
        sys.executable,
        ["-m", "bot", "chat"],
        cwd=str(ROOT),
        env=environ,
        encoding="utf-8",
        timeout=20,
        dimensions=(40, 60),
    )
    yield child
    child.close(force=True)


def left(child: pexpect.spawn[str]) -> str:
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 0
    said = str(child.before)
    assert "Traceback" not in said
    return said


def leave(child: pexpect.spawn[str]) -> str:
    child.expect("›")
    time.sleep(0.2)
    child.sendeof()
    return left(child)


def test_a_talk_at_the_terminal(terminal: pexpect.spawn[str]) -> None:
    terminal.expect("Arbitre")
    terminal.expect("Ctrl-D")
    terminal.expect("›")
    terminal.sendline("carte exposée")
    terminal.expect("\033\\[[0-9;]+m.*Carte exposée")
    terminal.expect("›")
    terminal.sendline("?")
    terminal.expect("/language")
    leave(terminal)
    left(terminal)


def test_the_history_comes_back(terminal: pexpect.spawn[str]) -> None:
    terminal.expect("›")
    terminal.sendline("/nothing")
    terminal.expect("Commande inconnue")
    terminal.expect("›")
    terminal.send("\033[A")
    terminal.expect("/nothing")
    terminal.send("\n")
    terminal.expect("Commande inconnue")
    leave(terminal)
    left(terminal)


@pytest.mark.parametrize("terminal", [{"NO_COLOR": "1"}], indirect=True)
def test_no_colour_where_none_is_wanted(terminal: pexpect.spawn[str]) -> None:
    terminal.expect("›")
    terminal.sendline("carte exposée")
    terminal.expect("Carte exposée")
    assert not re.search("\033\\[[0-9;]*m", str(terminal.before))
    leave(terminal)


@pytest.mark.parametrize("terminal", [{"LC_ALL": "ru_RU.UTF-8"}], indirect=True)
def test_the_greeting_speaks_the_language_of_the_locale(terminal: pexpect.spawn[str]) -> None:
    terminal.expect("расскажите, что случилось")
    leave(terminal)


def test_ctrl_c_leaves_quietly(terminal: pexpect.spawn[str]) -> None:
    terminal.expect("›")
    time.sleep(0.2)
    terminal.sendintr()
    left(terminal)
