"""Questions as JSON Lines: one answer for each line, in the same order, as soon as it is known."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from bot.answer import Answers
from bot.as_json import Json, turn_as_json
from bot.conversation import Conversation
from bot.json_lines import read_object, read_request
from bot.refusal import Refusal
from bot.requests import Request, answer_request, check_facts, check_game, check_language, with_defaults


def answer_batch(conversation: Conversation, name: str, defaults: Request) -> Iterator[Json]:
    """Yield an object for each line of a file that is not blank; for a bad line one with its `error`.

    A file in which no line is a JSON object is refused at its end.
    """
    check_facts(conversation.knowledge, defaults.facts)
    check_game(conversation.knowledge, defaults.game)
    check_language(defaults.language)
    answers, lines, said, objects = Answers(conversation.knowledge), 0, 0, 0
    for line in lines_of(name):
        lines += 1
        if not line.strip():
            continue
        said += 1
        try:
            read = read_object(line)
            objects += 1
            request = with_defaults(read_request(read), defaults)
            told = turn_as_json(answers, answer_request(conversation, request))
        except Refusal as refusal:
            told = {"error": f"line {lines}: {refusal}"}
        yield told
    if said and not objects:
        raise Refusal("{file}:1: this is not JSON Lines.", file=name)


def lines_of(name: str) -> Iterable[bytes]:
    """Return the lines of a file, or of standard input for «-»."""
    if name == "-":
        return sys.stdin.buffer
    try:
        return Path(name).open("rb")
    except OSError as error:
        raise Refusal("{file}: cannot be read: {reason}.", file=name, reason=error.strerror) from error
