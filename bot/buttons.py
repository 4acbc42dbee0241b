"""What a button carries: a conversation's whole state and the tap, in at most 64 ASCII bytes.

So a tap needs no memory on our side: it works after a restart, in another process, on an empty database.
The fields, parted by dots, of `1fr.a9ZQ3x.a-B.2.k1_.Vn0.Ab`: version and language; the entry's code and
the digest of its facts; a mark for each fact; the fact asked; the entries offered, those refused; the tap.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from string import ascii_lowercase, ascii_uppercase, digits
from typing import assert_never

from bot.conversation import Answered, Event, Picked, Rejected, Reopened, Said, State
from i18n.catalogs import LANGUAGES
from knowledge.model import UNKNOWN, Entry, Fact, Knowledge

VERSION = "1"
LONGEST = 64
CODE = 3
"""Letters of a code or digest: 18 bits."""
UNSET, DOUBTED = "-", "?"
_PLACES = digits + ascii_lowercase
"""A fact is named by its place among the entry's."""


@dataclass(frozen=True, slots=True)
class Consulted:
    """A player wants to see the card of a source document."""

    document: str


@dataclass(frozen=True, slots=True)
class Compared:
    """A player wants to see the entry under every value of a setting, side by side."""

    fact: str


@dataclass(frozen=True, slots=True)
class Returned:
    """A player goes back to where the conversation stands."""


@dataclass(frozen=True, slots=True)
class Preferred:
    """A player has set something for the questions to come; the empty value unsets it."""

    name: str
    value: str


Tap = Event | Consulted | Compared | Returned | Preferred


class Stale(Exception):  # noqa: N818 - no error: the knowledge has moved on
    """A button does not fit the knowledge any more; what could still be read of it."""

    def __init__(self, language: str | None = None, entry: str | None = None) -> None:
        super().__init__("stale button")
        self.language = language
        self.entry = entry


def code(*names: str) -> str:
    """Return the short code of a name, the same for ever; of several names, a digest of all in order."""
    return urlsafe_b64encode(sha256("\n".join(names).encode()).digest()).decode()[:CODE]


def schema(entry: Entry) -> str:
    """Return a digest of what the marks of an entry's facts rely on: names and values, in order."""
    return code(entry.id, *(" ".join([fact.name, *fact.names]) for fact in entry.facts))


class Buttons:
    """Writes and reads the data of buttons for one knowledge base."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.entries = _coded(knowledge.entries)
        self.documents = _coded(knowledge.documents)

    def write(self, state: State, tap: Tap) -> str:
        """Return the data of a button; where it is too much, the entries refused first are forgotten."""
        entry = self.knowledge.entry(state.entry) if state.entry else None
        offered, refused = [code(name) for name in state.offered], [code(name) for name in state.refused]
        asked = _place(entry, state.asked) if entry and state.asked else ""
        head = f"{VERSION}{state.language}.{code(entry.id) + schema(entry) if entry else ''}"
        marks = _marks(entry, state) if entry else ""
        tail = self._tap(entry, tap)
        while True:
            data = ".".join([head, marks, asked, "".join(offered), "".join(refused), tail])
            if len(data) <= LONGEST:
                return data
            if not refused and not offered:
                raise ValueError(f"a button of {state.entry} does not fit in {LONGEST} bytes: {data}")
            (refused or offered).pop(0 if refused else -1)

    def read(self, data: str) -> tuple[State, Tap]:
        """Return the state and the tap of a button; raise Stale where they fit the knowledge no more."""
        fields = data.split(".")
        language = fields[0][len(VERSION) :]
        if len(fields) != 7 or fields[0][: len(VERSION)] != VERSION or language not in LANGUAGES:
            raise Stale
        head, marks, asked, offered, refused, tail = fields[1:]
        entry = None
        if head:
            entry = self.knowledge.entry(self.entries.get(head[:CODE], ""))
            if entry is None or head[CODE:] != schema(entry):
                raise Stale(language, entry.id if entry else None)
        try:
            heard, answered = _facts(entry, marks) if entry else ({}, {})
            state = State(
                language=language,
                entry=entry.id if entry else None,
                heard=heard,
                answered=answered,
                asked=_fact(entry, asked).name if asked else None,
                offered=self._names(offered),
                refused=self._names(refused),
            )
            return state, self._read_tap(entry, tail)
        except (KeyError, IndexError, TypeError, ValueError):
            raise Stale(language, entry.id if entry else None) from None

    def _names(self, codes: str) -> tuple[str, ...]:
        """Return the entries of these codes; one that is no more is passed over."""
        parts = [codes[start : start + CODE] for start in range(0, len(codes), CODE)]
        return tuple(self.entries[part] for part in parts if part in self.entries)

    def _tap(self, entry: Entry | None, tap: Tap) -> str:
        match tap:
            case Answered(fact, value):
                tail = f"A{_place(entry, fact)}{_mark(entry, fact, value)}"
            case Reopened(fact):
                tail = f"R{_place(entry, fact)}"
            case Rejected():
                tail = "X"
            case Picked(name):
                tail = f"P{code(name)}"
            case Consulted(document):
                tail = f"D{code(document)}"
            case Compared(fact):
                tail = f"T{_place(entry, fact)}"
            case Returned():
                tail = "B"
            case Preferred(name, value):
                tail = f"S{name}={value}"
            case Said():
                raise ValueError("what is said is typed, not tapped")
            case _:
                assert_never(tap)
        return tail

    def _read_tap(self, entry: Entry | None, tail: str) -> Tap:
        tap: Tap
        kind, rest = tail[0], tail[1:]
        match kind:
            case "A":
                fact = _fact(entry, rest[:1])
                tap = Answered(fact.name, _value(fact.names, rest[1:]))
            case "R":
                tap = Reopened(_fact(entry, rest).name)
            case "X":
                tap = Rejected()
            case "P":
                tap = Picked(self.entries[rest])
            case "D":
                tap = Consulted(self.documents[rest])
            case "T":
                tap = Compared(_fact(entry, rest).name)
            case "B":
                tap = Returned()
            case "S":
                tap = Preferred(*rest.split("=", 1))
            case _:
                raise ValueError(kind)
        return tap


def _coded(names: Iterable[str]) -> Mapping[str, str]:
    """Return the names by their codes; two names of one code are a fault of the knowledge base."""
    coded: dict[str, str] = {}
    for name in names:
        other = coded.setdefault(code(name), name)
        if other != name:
            raise ValueError(f"{name} and {other} have one code; one of them needs another id")
    return coded


def _marks(entry: Entry, state: State) -> str:
    """Return a letter a fact: small for a value heard, capital for one answered."""
    marks = ""
    for fact in entry.facts:
        value, letters = state.answered.get(fact.name), ascii_uppercase
        if value is None:
            value, letters = state.heard.get(fact.name), ascii_lowercase
        if value == UNKNOWN:
            marks += DOUBTED
        else:
            marks += letters[fact.names.index(value)] if value in fact.names else UNSET
    return marks.rstrip(UNSET)


def _facts(entry: Entry, marks: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return the facts heard and those answered."""
    heard: dict[str, str] = {}
    answered: dict[str, str] = {}
    if len(marks) > len(entry.facts):
        raise ValueError(marks)
    for fact, mark in zip(entry.facts, marks, strict=False):
        if mark != UNSET:
            (heard if mark.islower() else answered)[fact.name] = _value(fact.names, mark.lower())
    return heard, answered


def _value(values: tuple[str, ...], mark: str) -> str:
    return UNKNOWN if mark == DOUBTED else values[_index(ascii_lowercase, mark)]


def _mark(entry: Entry | None, name: str, value: str) -> str:
    if value == UNKNOWN:
        return DOUBTED
    return ascii_lowercase[_fact(entry, _place(entry, name)).names.index(value)]


def _place(entry: Entry | None, name: str) -> str:
    names = [fact.name for fact in entry.facts] if entry else []
    return _PLACES[names.index(name)]


def _fact(entry: Entry | None, place: str) -> Fact:
    facts = entry.facts if entry else ()
    return facts[_index(_PLACES, place)]


def _index(letters: str, letter: str) -> int:
    """Return where one letter stands; raise ValueError for none, for several, and for a foreign one."""
    if len(letter) != 1:
        raise ValueError(letter)
    return letters.index(letter)
