"""JSON Lines: a line read as an object, a batch line as a request."""

from __future__ import annotations

import json
from typing import Any

from bot.refusal import Refusal
from bot.requests import Request


def read_object(line: bytes) -> dict[str, Any]:
    """Read a line as a JSON object; refuse anything else."""
    try:
        read = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise Refusal("This line is not UTF-8 text.") from error
    except (ValueError, RecursionError) as error:
        raise Refusal("This line is not JSON.") from error
    if not isinstance(read, dict):
        raise Refusal("This line is not a JSON object.")
    return read


def read_request(read: dict[str, Any]) -> Request:
    """Read a batch line; fields that we do not know are passed over, null ones count as missing."""
    request = Request(
        text_field(read, "question") or "",
        text_field(read, "entry"),
        text_field(read, "lang"),
        text_field(read, "game"),
        facts_field(read),
    )
    if "question" not in read and request.entry is None:
        raise Refusal("This line has neither «question» nor «entry».")
    return request


def text_field(read: dict[str, Any], name: str) -> str | None:
    """Return a field that holds a text, or None."""
    value = read.get(name)
    if value is not None and not isinstance(value, str):
        raise Refusal("«{field}» must be a text.", field=name)
    return value


def facts_field(read: dict[str, Any]) -> dict[str, str]:
    """Return the field `facts`: texts by name."""
    facts = read.get("facts")
    if facts is None:
        return {}
    if not isinstance(facts, dict) or not all(isinstance(value, str) for value in facts.values()):
        raise Refusal("«facts» must be an object with a text for each fact.")
    return facts
