"""What the bot writes about itself: never a token, never a word of a player.

Exceptions are logged by their kind and by the places they passed; their texts may quote anything.
"""

from __future__ import annotations

import logging
import re
import sys
import traceback
from types import TracebackType
from typing import TextIO

LINE = "%(asctime)s %(levelname)s %(name)s: %(message)s"
HIDDEN = "[token]"
TALKATIVE = {
    "httpx": logging.WARNING,  # prints the token with each call
    "httpcore": logging.WARNING,
    "telegram": logging.WARNING,  # at DEBUG prints every call and update with its text
    "telegram.ext": logging.CRITICAL,  # its retry loop, whose faults we tell in a line of ours
    "telegram.ext.Application": logging.WARNING,
    "telegram.ext.Updater": logging.WARNING,
    "asyncio": logging.WARNING,
    "aiosqlite": logging.WARNING,
    "sqlalchemy": logging.WARNING,
    "psycopg": logging.WARNING,
}
"""The loggers of others, and the least level at which they are heard."""
_TOKEN = re.compile(r"\d+(?::|%3A)[A-Za-z0-9_-]{20,}")

_ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class Formatter(logging.Formatter):
    """One record as text, without tokens and without the texts of exceptions."""

    def __init__(self, token: str | None) -> None:
        super().__init__(LINE)
        self.token = token

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as text; what another handler has kept of its exception is not used."""
        record.exc_text = None
        text = super().format(record)
        record.exc_text = None
        return self.hide(text)

    def formatException(self, ei: _ExcInfo) -> str:  # noqa: N802 - logging's own name
        """Return an exception, and those that led to it, by kinds and places alone."""
        return "" if ei[1] is None else whereabouts(ei[1])

    def hide(self, text: str) -> str:
        """Return a text with every token hidden."""
        if self.token:
            text = text.replace(self.token, HIDDEN).replace(self.token.replace(":", "%3A"), HIDDEN)
        return _TOKEN.sub(HIDDEN, text)


def whereabouts(error: BaseException) -> str:
    """Return the kind of an exception and the places it passed, and so for what it came from."""
    told = []
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        places = traceback.extract_tb(link.__traceback__)
        told.append(type(link).__qualname__)
        told += [f"  at {place.filename}:{place.lineno} in {place.name}" for place in places]
        link = link.__cause__ or (None if link.__suppress_context__ else link.__context__)
    return "\n".join(told)


def set_up(level: str, token: str | None, stream: TextIO | None = None) -> None:
    """Send the log to standard error, or to the stream given, at this level."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(Formatter(token))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name, least in TALKATIVE.items():
        logging.getLogger(name).setLevel(max(least, root.level))
    logging.captureWarnings(True)
    logging.raiseExceptions = False
