"""YAML read as nodes that know their line, so that every fault can be told with its place.

Built from the composed nodes, not from loaded values: `yes` and `no` stay the texts that an author
wrote, and a key that stands twice is seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from knowledge.model import LANGUAGES, Place, Text

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something amiss in the data: where, and in plain words what."""

    place: Place
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


class KnowledgeError(Exception):
    """The knowledge base cannot be used; `faults` lists all that is amiss."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = faults


@dataclass
class Faults:
    """Gathers faults, so that an author sees all of them at once."""

    found: list[Fault] = field(default_factory=list)

    def add(self, place: Place, message: str) -> None:
        """Note a fault at a place."""
        fault = Fault(place, message)
        if fault not in self.found:
            self.found.append(fault)

    def raise_if_any(self) -> None:
        """Raise KnowledgeError with every fault found so far, in the order of files and lines."""
        if self.found:
            raise KnowledgeError(sorted(self.found, key=lambda f: (f.place.file, f.place.line)))


class Node:
    """A YAML node of a file, with the checks that every reader needs."""

    __slots__ = ("faults", "file", "raw")

    def __init__(self, raw: yaml.Node | None, file: str, faults: Faults) -> None:
        self.raw = raw
        self.file = file
        self.faults = faults

    @property
    def place(self) -> Place:
        """The file and line where the node starts."""
        mark = self.raw.start_mark if self.raw is not None else None
        return Place(self.file, mark.line + 1 if mark is not None else 1)

    def fault(self, message: str) -> None:
        """Note a fault at this node."""
        self.faults.add(self.place, message)

    @property
    def is_mapping(self) -> bool:
        """Whether the node is a mapping."""
        return isinstance(self.raw, yaml.MappingNode)

    @property
    def is_list(self) -> bool:
        """Whether the node is a list."""
        return isinstance(self.raw, yaml.SequenceNode)

    def text(self) -> str:
        """Return a scalar as the author wrote it; note a fault and return "" for anything else."""
        if not isinstance(self.raw, yaml.ScalarNode):
            self.fault("a text is expected here")
            return ""
        return str(self.raw.value).strip()

    def number(self) -> float | None:
        """Return a scalar as a number; note a fault and return None where it is none."""
        written = self.text()
        try:
            return float(written)
        except ValueError:
            self.fault(f"«{written}» is not a number")
            return None

    def items(self) -> Iterator[tuple[str, Node]]:
        """Yield the keys and values of a mapping; a key that stands twice is a fault."""
        if not isinstance(self.raw, yaml.MappingNode):
            self.fault("a mapping (key: value) is expected here")
            return
        seen: set[str] = set()
        for key, value in self.raw.value:
            name = Node(key, self.file, self.faults)
            word = name.text()
            if word in seen:
                name.fault(f"«{word}» stands twice; the first would be lost")
            seen.add(word)
            yield word, Node(value, self.file, self.faults)

    def fields(self, allowed: tuple[str, ...], required: tuple[str, ...] = ()) -> dict[str, Node]:
        """Return a mapping's values by key; unknown and missing keys are faults."""
        found: dict[str, Node] = {}
        for key, node in self.items():
            if key in allowed:
                found[key] = node
            else:
                node.fault(f"unknown key «{key}»; known here: {', '.join(allowed)}")
        for key in required:
            if key not in found and self.is_mapping:
                self.fault(f"«{key}» is missing")
        return found

    def members(self) -> list[Node]:
        """Return the members of a list; note a fault for anything else."""
        if not isinstance(self.raw, yaml.SequenceNode):
            self.fault("a list is expected here")
            return []
        return [Node(item, self.file, self.faults) for item in self.raw.value]

    def words(self) -> list[str]:
        """Return one text, or a list of texts, as a list."""
        if self.is_list:
            return [node.text() for node in self.members()]
        return [self.text()]

    def both(self) -> Text:
        """Return a text in both languages; a missing or empty one is a fault."""
        found = {key: node.text() for key, node in self.fields(LANGUAGES, LANGUAGES).items()}
        for language, written in found.items():
            if not written:
                self.fault(f"the text in «{language}» is empty")
        return Text(found.get("fr", ""), found.get("ru", ""))


def read(path: Path, name: str, faults: Faults) -> Node:
    """Read a YAML file; what cannot be parsed is a fault, and an empty node comes back."""
    try:
        raw = yaml.compose(path.read_text(encoding="utf-8"), Loader=Loader)
    except UnicodeDecodeError:
        faults.add(Place(name, 1), "the file is not UTF-8 text")
        raw = None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        faults.add(Place(name, line), f"this is not valid YAML: {error.problem or 'unreadable'}")
        raw = None
    except yaml.YAMLError:
        faults.add(Place(name, 1), "this is not valid YAML")
        raw = None
    else:
        if raw is None:
            faults.add(Place(name, 1), "the file is empty")
    return Node(raw or yaml.MappingNode("tag:yaml.org,2002:map", []), name, faults)
