"""Writes lines to a terminal by role: coloured and wrapped there, plain in a pipe or a file."""

from __future__ import annotations

import os
import shutil
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TextIO

from bot.answer import MARKS, Line

STYLES = {
    "title": "1",
    "facts": "2",
    "verdict": "1;32",
    "condition": "1",
    "aside": "3",
    "source": "2",
    "question": "1;36",
    "number": "36",
    "refusal": "33",
}
"""ANSI styles by the role of a line."""
NARROWEST, WIDEST = 20, 100


class Screen:
    """A text stream, and how it is written to."""

    def __init__(self, target: TextIO) -> None:
        self.target = target
        self.terminal = target.isatty()
        plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        self.colour = self.terminal and not plain

    def write(self, text: str, role: str = "point", mark: str = "") -> None:
        """Write one line of text, with a mark before it."""
        if self.terminal:
            width = max(NARROWEST, min(shutil.get_terminal_size().columns, WIDEST))
            text = textwrap.fill(text, width, initial_indent=mark, subsequent_indent=" " * len(mark))
        else:
            text = mark + text
        style = STYLES.get(role) if self.colour else None
        self.target.write(f"\033[{style}m{text}\033[0m\n" if style else f"{text}\n")
        self.target.flush()

    def show(self, lines: Iterable[Line]) -> None:
        """Write the lines of an answer."""
        for line in lines:
            self.write(line.text, line.role, MARKS.get(line.role, ""))

    def number(self, labels: Iterable[str]) -> None:
        """Write options with their numbers."""
        for number, label in enumerate(labels, 1):
            self.write(label, "number", f"{number}. ")

    def prompted(self) -> Iterator[str]:
        """Yield lines as they are typed, with the history and editing of readline where there is one."""
        with suppress(ImportError):
            import readline  # noqa: F401, PLC0415 - to be there is enough; Windows has none
        prompt = "\001\033[1m\002›\001\033[0m\002 " if self.colour else "› "
        while True:
            try:
                yield input(prompt)
            except EOFError:
                self.target.write("\n")
                return
