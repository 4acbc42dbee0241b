"""The command as scripts use it: through real processes, good input and bad."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.cli import main
from bot.comparison import compare
from bot.requests import LONGEST
from bot.wording import Words
from knowledge.loader import knowledge
from knowledge.table import Settled, decide

REVOKE = {"format": "libre", "completed": "yes", "offender": "defence", "contract": "made"}


def run(*arguments: str, given: bytes | str = b"", **environ: str) -> subprocess.CompletedProcess[bytes]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))}
    for name in [n for n in kept if n.startswith(("ARBITRE_", "TELEGRAM_"))]:
        del kept[name]
    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        input=given.encode() if isinstance(given, str) else given,
        capture_output=True,
        env={**kept, "LC_ALL": "C", **environ},
        cwd=Path(__file__).parent.parent,
        timeout=60,
        check=False,
    )


def ask_json(*arguments: str) -> dict[str, Any]:
    done = run("ask", "--json", *arguments)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.count(b"\n") == 1
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def batch(*lines: Any) -> list[dict[str, Any]]:
    given = b"".join(
        (line if isinstance(line, bytes) else json.dumps(line, ensure_ascii=False).encode()) + b"\n"
        for line in lines
    )
    done = run("ask", "--json", "--batch", "-", given=given)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.splitlines()]


def refused(done: subprocess.CompletedProcess[bytes], *words: str) -> str:
    said = done.stderr.decode()
    assert done.returncode == 2, said
    assert done.stdout == b""
    assert said.count("\n") == 1, said
    assert "Traceback" not in said
    for word in words:
        assert word in said, said
    return said


# An answer --------------------------------------------------------------------------------------------

KEYS = ["lang", "status", "entry", "candidates", "understood", "facts", "question", "ruling", "text"]


def test_a_ruling() -> None:
    (told,) = batch({"entry": "tarot/revoke", "lang": "fr", "facts": {**REVOKE, "illegal": "other"}})
    assert list(told) == KEYS
    assert (told["lang"], told["status"], told["entry"]) == ("fr", "ruling", "tarot/revoke")
    assert told["candidates"] == [{"entry": "tarot/revoke", "score": 1.0}]
    assert REVOKE.items() <= told["facts"].items()
    assert "illegal" not in told["facts"]
    assert told["question"] is None
    ruling = told["ruling"]
    assert ruling["deal"] == "scored"
    assert ruling["penalties"] == []
    assert ruling["bans"] == [{"who": "offender", "what": "bid", "deal": "next"}]
    assert ruling["choice"] == "declarer: scored | not_scored"
    assert ruling["points_returned"] == "yes"
    assert "handful" not in ruling
    assert {"document": "FFT, donnes libres", "section": "Renonce"} in ruling["sources"]
    decision = decide(knowledge().entries["tarot/revoke"], REVOKE)
    assert isinstance(decision, Settled)
    for sentences in Words(knowledge(), "fr", REVOKE).parts(decision.ruling).values():
        assert all(sentence in told["text"] for sentence in sentences)


def test_amounts_are_numbers_without_needless_zeros() -> None:
    facts = {"format": "triplettes", "completed": "yes"}
    (told,) = batch({"entry": "tarot/revoke", "facts": facts})
    assert told["ruling"]["penalties"] == [{"kind": "percent", "amount": 0.5, "to": "side"}]
    assert {"to": "offending_side", "bound": "at_most", "amount": 40, "unit": "percent"} in told["ruling"][
        "adjustment"
    ]
    assert '"amount": 40,' in json.dumps(told["ruling"])


def test_a_question() -> None:
    (told,) = batch({"entry": "tarot/revoke", "lang": "ru"})
    assert (told["status"], told["ruling"]) == ("question", None)
    assert told["question"]["fact"] == "format"
    values = [option["value"] for option in told["question"]["options"]]
    assert values == ["libre", "individuel", "triplettes", "equipes", "quadrettes", "unknown"]
    assert told["question"]["text"] in told["text"]
    for number, option in enumerate(told["question"]["options"], 1):
        assert f"{number}. {option['text']}" in told["text"]


def test_a_fact_unknown_gives_branches() -> None:
    (told,) = batch({"entry": "tarot/revoke", "facts": {**REVOKE, "contract": "unknown"}})
    assert (told["status"], told["ruling"]) == ("ruling", None)
    assert told["facts"]["contract"] == "unknown"
    assert [branch["if"] for branch in told["branches"]] == [{"contract": "made"}, {"contract": "failed"}]
    assert [branch["ruling"]["deal"] for branch in told["branches"]] == ["scored", "cancelled"]


def test_every_branch_holds_under_its_condition() -> None:
    facts = {"format": "unknown", "offender": "unknown", "effect": "unknown", "repeat": "unknown"}
    (told,) = batch({"entry": "tarot/exposed-card", "facts": facts})
    branches = told["branches"]
    assert len(branches) > 4
    settled = batch(*({"entry": "tarot/exposed-card", "facts": {**facts, **b["if"]}} for b in branches))
    assert [one["ruling"] for one in settled] == [branch["ruling"] for branch in branches]


def test_unknown_to_our_sources() -> None:
    told = ask_json("quelle est la capitale de la Mongolie")
    assert (told["status"], told["entry"], told["candidates"]) == ("unknown", None, [])
    assert told["question"] is told["ruling"] is None


def test_a_choice_keeps_the_facts_given() -> None:
    told = ask_json("carte exposée", "--fact", "format=libre")
    assert told["facts"]["format"] == "libre"
    assert 1 <= len(told["candidates"]) <= 5
    if told["status"] == "choose":
        titles = [knowledge().entries[one["entry"]].title.fr for one in told["candidates"][:4]]
        assert all(title in told["text"] for title in titles)


def test_a_given_answer_wins_over_the_text() -> None:
    told = ask_json("renonce au tarot, le preneur a chuté", "--fact", "contract=made")
    if told["understood"]:
        assert told["understood"].get("contract") in (None, "failed")
    assert told["facts"].get("contract", "made") == "made"


def test_options_of_language_and_game() -> None:
    told = ask_json("carte exposée", "--lang", "ru", "--game", "belote")
    assert told["lang"] == "ru"
    assert told["candidates"][0]["entry"] == "belote/exposed-card"


def test_the_plain_answer_is_the_text() -> None:
    told = ask_json("carte exposée")
    assert run("ask", "carte exposée").stdout.decode() == told["text"] + "\n"
    assert run("ask", "carte", "exposée").stdout.decode() == told["text"] + "\n"


@pytest.mark.parametrize("environ", [{"LC_ALL": "POSIX"}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}])
def test_any_locale(environ: dict[str, str]) -> None:
    done = run("ask", "показанная карта", PYTHONUTF8="0", **environ)
    assert done.returncode == 0
    assert "Показанная карта" in done.stdout.decode()


@pytest.mark.parametrize(
    "question", ["😀😀", "zxqv wqxz", "'; DROP TABLE users; --", "<b>&amp;</b>", "{x} %s %"]
)
def test_odd_questions_are_questions(question: str) -> None:
    assert ask_json(question)["status"] in ("unknown", "choose", "question", "ruling")


# Batches ----------------------------------------------------------------------------------------------


def test_a_bad_line_does_not_stop_a_batch() -> None:
    told = batch(
        {"question": "carte exposée", "lang": None, "id": 7},
        b"no json",
        b"",
        b"[1]",
        b"\xff",
        b"[" * 100_000,
        {},
        {"question": 5},
        {"question": ""},
        {"question": "\ud800".encode("utf-8", "surrogatepass").decode("utf-8", "replace") * 9000},
        {"entry": "tarot/nothing"},
        {"entry": "tarot/revoke", "facts": {"format": "poker"}},
        {"entry": "tarot/revoke", "facts": {"colour": "red"}},
        {"entry": "tarot/revoke", "facts": {"format": True}},
        {"question": "renonce", "game": "poker"},
        {"question": "renonce", "lang": "en"},
        {"question": "показанная карта"},
    )
    assert told[0]["lang"] == "fr"
    assert told[-1]["lang"] == "ru"
    assert [list(one) for one in told[1:-1]] == [["error"]] * 14  # a blank line is no line
    assert told[1]["error"] == "line 2: This line is not JSON."
    assert "«poker»" in told[10]["error"]
    assert "libre, individuel" in told[10]["error"]


def test_a_lone_surrogate_does_no_harm() -> None:
    (told,) = batch(b'{"question": "carte \\ud800 expos\\u00e9e"}')
    assert told["candidates"]


def test_batch_from_a_file_with_defaults(tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text('\ufeff{"entry": "tarot/revoke"}\r\n{"entry": "tarot/revoke", "lang": "fr"}', "utf-8")
    done = run("ask", "--json", "--batch", str(file), "--lang", "ru", "--fact", "format=libre")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["lang"] for one in told] == ["ru", "fr"]
    assert [one["question"]["fact"] for one in told] == ["completed", "completed"]


def test_a_batch_answers_line_by_line() -> None:
    command = [sys.executable, "-m", "bot", "ask", "--json", "--batch", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for question in ("renonce", "ренонс"):
            process.stdin.write(json.dumps({"question": question}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["status"]
        process.stdin.close()
    assert process.returncode == 0


def test_a_file_that_is_no_json_lines(tmp_path: Path) -> None:
    file = tmp_path / "x.txt"
    file.write_text("bonjour\n")
    done = run("ask", "--json", "--batch", str(file))
    assert done.returncode == 2
    assert f"{file}:1:" in done.stderr.decode()


# Refusals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ask"], ["question"]),
        (["ask", ""], ["empty"]),
        (["ask", " \n\t"], ["empty"]),
        (["ask", "\x01\x02\x7f"], ["empty"]),
        (["ask", "\u200b\u2060"], ["empty"]),
        (["ask", "a" * 100_000], ["100000", "5000"]),
        (["ask", "x", "--fact", "colour=red"], ["«colour»", "offender"]),
        (["ask", "x", "--fact", "contract=won"], ["«won»", "made, failed, unknown"]),
        (["ask", "x", "--fact", "contract"], ["NAME=VALUE"]),
        (["ask", "x", "--fact", "=made"], ["NAME=VALUE"]),
        (["ask", "x", "--lang", "de"], ["«de»", "fr, ru"]),
        (["ask", "x", "--game", "poker"], ["«poker»", "tarot"]),
        (["ask", "x", "--batch", "-"], ["--batch"]),
        (["ask", "--batch", "/nowhere"], ["/nowhere"]),
        (["ask", "--batch", "/"], ["/"]),
        (["ask", "--nothing"], ["--nothing"]),
        (["nothing"], ["nothing"]),
        (["eval"], ["FILE"]),
        (["eval", "/nowhere"], ["/nowhere"]),
        (["table", "tarot/nothing"], ["tarot/nothing"]),
        (["table", "tarot/revoke", "--fact", "dog=six"], ["«dog»", "offender"]),
        (["table", "tarot/revoke", "--fact", "offender=dealer"], ["«dealer»", "declarer, defence"]),
        (["sources", "--lang", "en"], ["«en»"]),
        (["telegram"], ["TELEGRAM_BOT_TOKEN"]),
    ],
)
def test_bad_input_is_one_sentence(
    arguments: list[str],
    words: list[str],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.delenv("TELEGRAM_BOT_TOKEN", raising=False)
    status = main(arguments)
    said = capfd.readouterr()
    told = subprocess.CompletedProcess(arguments, status, said.out.encode(), said.err.encode())
    refused(told, *words)


def test_bad_input_in_a_process() -> None:
    refused(run("ask", "a" * 100_000), "100000")
    refused(run("nothing"), "nothing")


def test_bad_bytes_in_an_argument() -> None:
    command = [sys.executable.encode(), b"-m", b"bot", b"ask", b"--game", b"\xff\xfe", b"x"]
    done = subprocess.run(command, capture_output=True, check=False)
    refused(done, "game")


def test_a_value_that_the_entry_found_lacks() -> None:
    refused(run("ask", "renonce sur renonce", "--fact", "format=poker"), "«poker»")


def test_refusals_speak_the_language_of_the_locale() -> None:
    assert "вопрос" in refused(run("ask", "", LC_ALL="ru_RU.UTF-8")).casefold()
    assert "La question est vide" in refused(run("ask", "", LC_ALL="fr_FR.UTF-8"))


@pytest.mark.parametrize("name", ["ARBITRE_LOG_LEVEL", "ARBITRE_ADMINS", "TELEGRAM_API_URL"])
def test_a_setting_that_cannot_be_used(name: str) -> None:
    for command in ([], ["chat"], ["telegram"]):
        refused(run(*command, **{name: "???"}), name)


def test_no_webhook_yet() -> None:
    environ = {
        "TELEGRAM_BOT_TOKEN": "1:a",
        "ARBITRE_WEBHOOK_URL": "https://example.org",
        "ARBITRE_WEBHOOK_SECRET": "s",
    }
    refused(run("telegram", **environ), "ARBITRE_WEBHOOK_URL", "long polling")


def test_stories_of_four_hundred_words_pass() -> None:
    story = "Nous jouions en triplettes et mon voisin hésitait beaucoup. " * 80
    assert 4000 < len(story) < LONGEST
    assert run("ask", story).returncode == 0


# The other commands -----------------------------------------------------------------------------------


def test_entries_as_json() -> None:
    told = json.loads(run("entries", "--json").stdout)
    by_id = {one["id"]: one for one in told}
    assert list(by_id) == list(knowledge().entries)
    revoke = by_id["tarot/revoke"]
    assert list(revoke) == ["id", "game", "title", "phrases", "facts", "rules", "sources"]
    assert revoke["game"] == "tarot"
    assert revoke["title"] == {"fr": "Renonce", "ru": "Ренонс"}
    assert "renonce" in revoke["phrases"]["fr"]
    assert "ренонс" in revoke["phrases"]["ru"]
    assert revoke["facts"][:3] == ["format", "completed", "offender"]
    assert revoke["rules"] == len(knowledge().entries["tarot/revoke"].rules)
    assert {"document": "FFT, duplicate", "section": "Renonce consommée"} in revoke["sources"]


def test_entries_as_a_list() -> None:
    lines = run("entries", "--lang", "ru").stdout.decode().splitlines()
    assert len(lines) == len(knowledge().entries)
    assert any(line.split() == ["tarot/revoke", "Ренонс"] for line in lines)


def test_check_reports() -> None:
    done = run("check", "--coverage", "--verbose")
    said = done.stdout.decode()
    assert done.returncode in (0, 1)
    assert "FFT, donnes libres: " in said
    assert "  Renonce: 15 sentences, " in said
    assert "belote/misdeal: 0 questions" in said
    assert "tarot/revoke: " in said


def test_table_in_all_formats() -> None:
    done = run("table", "tarot/revoke", "--fact", "completed=yes", "--fact", "offender=declarer")
    said = done.stdout.decode()
    for label in ("Donnes libres", "Duplicate individuel", "Triplettes", "Équipes", "Quadrettes"):
        assert label in said
    assert "\n• Contrat réussi\u202f: " in said
    assert "à la triplette fautive" in said
    assert "40\u202f%" in said


@pytest.mark.parametrize("language", ["fr", "ru"])
def test_every_table_fits_a_message(language: str) -> None:
    for entry in knowledge():
        told = compare(knowledge(), entry, {}, language)
        assert len(told.lines) > 1, entry.id
        assert len(told.text.encode("utf-16-le")) // 2 <= 4096, entry.id


def test_sources_have_cards() -> None:
    said = run("sources", "--lang", "ru").stdout.decode()
    for document in knowledge().documents.values():
        assert document.name in said
        assert document.card["edition"].ru in said


def test_without_a_token_the_chat_starts_and_says_so() -> None:
    done = run(given="carte exposée\n")
    said = done.stdout.decode()
    assert done.returncode == 0
    assert said.splitlines()[0].startswith("TELEGRAM_BOT_TOKEN")
    assert "@BotFather" in said.splitlines()[0]
    assert "Carte exposée" in said


def test_a_broken_pipe_is_quiet() -> None:
    done = subprocess.run(
        f"{sys.executable} -m bot entries --json | head -c 1", shell=True, capture_output=True, check=False
    )
    assert (done.stdout, done.stderr) == (b"[", b"")


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_closed_streams_are_no_trouble(closed: str) -> None:
    command = f"echo renonce | {sys.executable} -m bot chat {closed}"
    done = subprocess.run(command, shell=True, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_ctrl_c_in_a_batch_is_quiet() -> None:
    command = [sys.executable, "-m", "bot", "ask", "--json", "--batch", "-"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"question": "renonce"}\n')
        process.stdin.flush()
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    assert (process.returncode, said) == (130, b"")


def test_main_returns_a_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("arbitre ")
    assert main(["--help"]) == 0
    assert main(["ask", ""]) == 2
    assert main(["ask", "carte exposée"]) == 0
