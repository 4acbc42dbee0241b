"""An answer in Telegram's HTML: messages within its limit, and buttons in rows for a narrow screen."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape, unescape

from bot.answer import MARKS, Line

LONGEST = 4096
"""Units of UTF-16 that a message may have once its tags are read."""
ROW = 17
"""Letters that a button may have to share a row with another."""
_TAGS = {"verdict": "b", "question": "b", "condition": "u", "source": "i", "heading": "b"}
_BLOCKS = {
    "title": "head",
    "facts": "head",
    "verdict": "ruling",
    "point": "ruling",
    "condition": "ruling",
}
"""The lines that stand together; others stand with their like, and a blank line parts the blocks."""


@dataclass(frozen=True, slots=True)
class Button:
    """A button: what it says and what it carries."""

    label: str
    data: str


Rows = tuple[tuple[Button, ...], ...]


@dataclass(frozen=True, slots=True)
class Screen:
    """What a chat shows: one message, or more where one does not hold it; the buttons are under the last."""

    messages: tuple[str, ...]
    rows: Rows = ()


def screen(lines: Iterable[Line], buttons: Iterable[Button] = ()) -> Screen:
    """Set lines and buttons for Telegram."""
    return Screen(tuple(messages(lines)), rows(buttons))


def messages(lines: Iterable[Line], longest: int = LONGEST) -> list[str]:
    """Return the lines as HTML, in as many messages as the limit makes; nothing is cut off."""
    done: list[str] = []
    text, length, block = "", 0, ""
    for line in lines:
        own = _BLOCKS.get(line.role, line.role)
        gap = "\n\n" if own != block or line.role == "condition" else "\n"
        for piece in pieces(MARKS.get(line.role, "") + line.text, longest):
            size = units(piece)
            if text and length + len(gap) + size > longest:
                done.append(text)
                text, length = "", 0
            before = gap if text else ""
            text += before + _tagged(line.role, piece)
            length += len(before) + size
            gap = "\n"
        block = own
    return [*done, text] if text else done


def pieces(text: str, longest: int) -> list[str]:
    """Cut a text that is too long for one message where its words end."""
    cut: list[str] = []
    while units(text) > longest:
        end = _within(text, longest)
        space = max(text.rfind(" ", 1, end + 1), text.rfind("\n", 1, end + 1))
        end = space if space > 0 else end
        cut.append(text[:end])
        text = text[end:].lstrip(" \n")
    return [*cut, text]


def _within(text: str, longest: int) -> int:
    """Return how many characters of a text have this many units at most."""
    end, size = 0, 0
    for end, character in enumerate(text):  # noqa: B007 - the last number is what is wanted
        size += units(character)
        if size > longest:
            break
    return end


def units(text: str) -> int:
    """Return the length of a text as Telegram counts it, in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def plain_units(html: str) -> int:
    """Return the length of a message in our HTML as Telegram counts it, once its tags are read."""
    return units(unescape(re.sub(r"</?[a-z]+>", "", html)))


def _tagged(role: str, text: str) -> str:
    tag = _TAGS.get(role)
    escaped = escape(text, quote=False)
    return f"<{tag}>{escaped}</{tag}>" if tag else escaped


def rows(buttons: Iterable[Button]) -> Rows:
    """Put short buttons two in a row, long ones alone."""
    done: list[tuple[Button, ...]] = []
    waiting: Button | None = None
    for button in buttons:
        if waiting is not None and max(len(waiting.label), len(button.label)) <= ROW:
            done.append((waiting, button))
            waiting = None
            continue
        if waiting is not None:
            done.append((waiting,))
        waiting = button
    return (*done, (waiting,)) if waiting is not None else tuple(done)
