"""Cuts the source texts into sections and sentences, as the ledger in knowledge/sources.yaml counts them."""

from __future__ import annotations

import hashlib
import re

_END = re.compile(r"(?<=[.!?…])\s+(?=[A-ZÀ-ÝА-ЯЁ«])")
_LIST_NUMBER = re.compile(r"^\d+\.$")
Sections = dict[str, list[str]]


def sentences(line: str) -> list[str]:
    """Cut a line into sentences; a list number stays with what it numbers."""
    found: list[str] = []
    for part in _END.split(line.strip()):
        if found and _LIST_NUMBER.match(found[-1]):
            found[-1] += f" {part}"
        elif part:
            found.append(part)
    return found


def prose(text: str, starts: dict[str, str]) -> Sections:
    """Cut a running text at its headings: `starts` gives the heading line of each section.

    A section whose heading is empty begins at the top of the file.
    """
    headings = {start.casefold(): title for title, start in starts.items()}
    current = headings.get("")
    sections: Sections = {title: [] for title in starts}
    for line in _unwrapped(text, set(headings)):
        if line.casefold() in headings:
            current = headings[line.casefold()]
        elif current is not None:
            sections[current] += sentences(line)
    return sections


def _unwrapped(text: str, headings: set[str]) -> list[str]:
    """Join the lines that only a line break parts: those that go on in lower case."""
    lines: list[str] = []
    for line in map(str.strip, text.splitlines()):
        if not line:
            continue
        goes_on = line[0].islower() and not line.startswith("o ") and line.casefold() not in headings
        if goes_on and lines and lines[-1].casefold() not in headings:
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    return lines


def table(text: str, starts: dict[str, str]) -> Sections:
    """Cut a flattened table into its rows: a rule of underscores ends one, each cell is cut as prose."""
    titles = {start: title for title, start in starts.items()}
    sections: Sections = {title: [] for title in starts}
    current, fresh = "", True
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|") if cell.strip()]
        if "____" in line or line.startswith(">"):
            fresh = True
        elif cells and cells[0] != "FAUTE":
            if fresh:
                current, cells, fresh = titles.get(cells[0], cells[0]), cells[1:], False
            for cell in cells:
                sections.setdefault(current, []).extend(sentences(cell))
    return sections


def digest(found: list[str]) -> str:
    """Return a short fingerprint of a section, so that a changed source is noticed."""
    return hashlib.sha256("\n".join(found).encode()).hexdigest()[:10]
