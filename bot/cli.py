"""The arbitre command: arguments in, text or JSON out, exit status; a short function for each command."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from functools import cache
from pathlib import Path
from typing import NoReturn

from bot.answer import Answers
from bot.as_json import Json, entry_as_json, turn_as_json
from bot.batch import answer_batch
from bot.conversation import Conversation
from bot.parser import build_parser
from bot.refusal import Refusal
from bot.requests import (
    Request,
    answer_request,
    check_known,
    check_language,
    check_values,
    find_entry,
    read_facts,
    with_defaults,
)
from bot.settings import Settings, read_settings
from i18n.catalogs import catalog, spoken
from knowledge.loader import HOME, knowledge, load
from knowledge.nodes import KnowledgeError

Arguments = argparse.Namespace
REFUSED, INTERRUPTED = 2, 130


def run() -> NoReturn:
    """Run the command that the shell gives, on streams that speak UTF-8 whatever the locale."""
    sys.stdin = sys.stdin or io.TextIOWrapper(io.BytesIO())  # closed by the shell
    sys.stdout = sys.stdout or io.TextIOWrapper(io.BytesIO())
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        status = main([os.fsencode(word).decode("utf-8", "replace") for word in sys.argv[1:]])
        sys.stdout.flush()
    except KeyboardInterrupt:  # between the command and the end of the process
        status = INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing more to flush at exit
        status = 141
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        reason = error.strerror or ""
        status = complain(
            Refusal("The answer cannot be written: {reason}.", reason=reason).text(spoken(os.environ))
        )
    sys.exit(status)


def main(argv: list[str]) -> int:
    """Run a command and return its exit status: 0, 1 for faults found, 2 for bad input."""
    language = spoken(os.environ)
    try:
        arguments = build_parser(language).parse_args(argv)
        return COMMANDS[arguments.command](arguments)
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else REFUSED
    except Refusal as refusal:
        return complain(refusal.text(language))
    except KnowledgeError as error:
        broken = Refusal(
            "The knowledge base cannot be used, it has faults: {count}; «arbitre check» lists them.",
            count=len(error.faults),
        )
        return complain(broken.text(language))
    except KeyboardInterrupt:
        return INTERRUPTED


def complain(sentence: str) -> int:
    """Tell one sentence on standard error and return the status of a refusal."""
    print(f"arbitre: {sentence}", file=sys.stderr)
    return REFUSED


@cache
def conversation() -> Conversation:
    """Return the conversation over the knowledge that travels with the program."""
    from knowledge.matching import Matcher  # noqa: PLC0415 - loads only in the commands that match
    from knowledge.reading import Reader  # noqa: PLC0415

    matcher = Matcher(knowledge())
    return Conversation(knowledge(), matcher, Reader(knowledge(), matcher.analyser))


# Serving people ----------------------------------------------------------------------------------


def start(arguments: Arguments) -> int:
    """Serve on Telegram where there is a token, else in the terminal."""
    settings = read_settings(os.environ)
    if settings.token:
        return serve(settings)
    messages = catalog(settings.language or "fr")
    print(
        messages.gettext(
            "TELEGRAM_BOT_TOKEN is not set, so this is a chat in the terminal; "
            "@BotFather on Telegram gives a token."
        )
    )
    return chat(arguments)


def chat(_arguments: Arguments) -> int:
    """Chat in the terminal."""
    from bot.terminal import chat as talk  # noqa: PLC0415 - readline loads only here

    return talk(conversation(), sys.stdin, sys.stdout, read_settings(os.environ).language)


def telegram(_arguments: Arguments) -> int:
    """Serve on Telegram."""
    settings = read_settings(os.environ)
    if not settings.token:
        raise Refusal("TELEGRAM_BOT_TOKEN is not set; @BotFather on Telegram gives a token.")
    return serve(settings)


def serve(settings: Settings) -> int:
    """Run the Telegram bot until it is stopped."""
    if settings.webhook_url:
        raise Refusal("ARBITRE_WEBHOOK_URL is set, but this version serves by long polling only; unset it.")
    from bot.telegram import serve as poll  # noqa: PLC0415 - Telegram's library is slow to load

    return poll(settings)


# Questions ---------------------------------------------------------------------------------------


def ask(arguments: Arguments) -> int:
    """Answer one question, or a batch of them."""
    defaults = Request(language=arguments.lang, game=arguments.game, facts=read_facts(arguments.fact))
    question = " ".join(arguments.question)
    if arguments.batch is not None:
        if question:
            raise Refusal("Give either a question or --batch, not both.")
        for told in answer_batch(conversation(), arguments.batch, defaults):
            print(as_line(told), flush=True)
        return 0
    turn = answer_request(conversation(), with_defaults(Request(question), defaults))
    answers = Answers(knowledge())
    print(as_line(turn_as_json(answers, turn)) if arguments.json else answers.answer(turn).plain)
    return 0


def as_line(told: Json) -> str:
    """Return an object as one line of JSON."""
    return json.dumps(told, ensure_ascii=False)


# The knowledge -----------------------------------------------------------------------------------


def entries(arguments: Arguments) -> int:
    """List every entry."""
    known = knowledge()
    if arguments.json:
        print("[\n" + ",\n".join(as_line(entry_as_json(known, entry)) for entry in known) + "\n]")
        return 0
    language = check_language(arguments.lang) or spoken(os.environ) or "fr"
    for entry in known:
        print(f"{entry.id:32} {entry.title[language]}")
    return 0


def check(arguments: Arguments) -> int:
    """Prove the knowledge base; print every fault with its place."""
    from bot.proofread import proofread  # noqa: PLC0415 - no other command needs them
    from bot.reports import coverage_report, longest_ways  # noqa: PLC0415
    from knowledge.check import check as prove  # noqa: PLC0415

    try:
        known = load(HOME)
    except KnowledgeError as error:
        faults = error.faults
    else:
        faults = sorted(
            [*prove(known), *proofread(known)], key=lambda fault: (fault.place.file, fault.place.line)
        )
        if arguments.coverage:
            print(*coverage_report(known), sep="\n")
        if arguments.verbose:
            print(*longest_ways(known), sep="\n")
    for fault in faults:
        print(fault)
    if not faults:
        print(f"{len(known.entries)} entries, {sum(len(e.rules) for e in known)} rules: no fault.")
    return 1 if faults else 0


def evaluate(arguments: Arguments) -> int:
    """Score question files."""
    from bot import evaluation  # noqa: PLC0415 - no other command needs it

    paths = map(Path, arguments.files)
    questions = [one for path in paths for one in evaluation.read_questions(path, knowledge())]
    outcomes = evaluation.evaluate(conversation(), questions)
    print(*evaluation.report(outcomes), sep="\n")
    if arguments.misses:
        print(*evaluation.miss_lines(outcomes), sep="\n")
    return 0


def table(arguments: Arguments) -> int:
    """Show one entry in all formats."""
    from bot.comparison import compare  # noqa: PLC0415 - no other command needs it

    facts = read_facts(arguments.fact)
    entry = find_entry(knowledge(), arguments.entry)
    check_known(entry, facts)
    check_values(entry, facts)
    language = check_language(arguments.lang) or spoken(os.environ) or "fr"
    print(compare(knowledge(), entry, facts, language).text)
    return 0


def sources(arguments: Arguments) -> int:
    """Show the card of every source document."""
    from bot.cards import cards  # noqa: PLC0415 - no other command needs it

    language = check_language(arguments.lang) or spoken(os.environ) or "fr"
    print("\n\n".join(card.text for card in cards(knowledge(), language)))
    return 0


COMMANDS = {
    None: start,
    "chat": chat,
    "telegram": telegram,
    "ask": ask,
    "entries": entries,
    "check": check,
    "eval": evaluate,
    "table": table,
    "sources": sources,
}
