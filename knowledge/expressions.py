"""Expressions: the words by which something is recognised, compiled for matching.

`pas fourni|servi` is two words in order, the second either; one other word may stand between them,
little words (articles, pronouns) are not counted; `...` allows up to five. `=as` is that form alone,
`@declarer` any expression of a concept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from knowledge.model import Expression
from knowledge.words import fold, stem

CLOSE_GAP = 1
WIDE_GAP = 5
WIDE = "..."


@dataclass(frozen=True, slots=True)
class Element:
    """One position of an expression: stems, exact forms or concepts, and the gap allowed before it."""

    stems: frozenset[str]
    exact: frozenset[str]
    concepts: frozenset[str]
    gap: int


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled expression; `means` is the name of what it recognises."""

    means: str
    elements: tuple[Element, ...]
    language: str

    @property
    def concepts(self) -> tuple[str, ...]:
        """The concepts that it refers to."""
        return tuple(concept for element in self.elements for concept in element.concepts)


def compile_expression(
    means: str, expression: Expression, is_little: Callable[[str], bool]
) -> Pattern | None:
    """Compile an expression; None where nothing is left of it to recognise."""
    elements: list[Element] = []
    gap = CLOSE_GAP
    for choices in positions(expression.text, is_little):
        if choices == [WIDE]:
            gap = WIDE_GAP
            continue
        elements.append(_element(choices, gap))
        gap = CLOSE_GAP
    return Pattern(means, tuple(elements), expression.language) if elements else None


def positions(text: str, is_little: Callable[[str], bool]) -> list[list[str]]:
    """Return the alternatives at each position of an expression: folded words, «=word» or «@concept».

    Little words are left out unless they stand among alternatives, or less than two positions would be
    left: there an author means them.
    """
    thin = _positions(text, is_little)
    telling = [choices for choices in thin if choices != [WIDE]]
    return thin if len(telling) > 1 else _positions(text, lambda _: False)


def _positions(text: str, is_little: Callable[[str], bool]) -> list[list[str]]:
    written = text.split()
    found: list[list[str]] = []
    for word in written:
        if word in (WIDE, "…"):
            found.append([WIDE])
        elif word.startswith("@"):
            found.append([word])
        elif "|" in word:
            found.append([choice for each in word.split("|") if (choice := _choice(each))])
        elif word.startswith("="):
            found.append([_choice(word)])
        else:
            found += [[part] for part in fold(word).split() if not is_little(part)]
    return [choices for choices in found if choices]


def _choice(word: str) -> str:
    """Return one of several alternatives; of « d'autres » the word behind the apostrophe counts."""
    if word.startswith("@"):
        return word
    parts = fold(word.removeprefix("=")).split()
    return ("=" if word.startswith("=") else "") + parts[-1] if parts else ""


def _element(choices: list[str], gap: int) -> Element:
    concepts = frozenset(choice[1:] for choice in choices if choice.startswith("@"))
    exact = frozenset(choice[1:] for choice in choices if choice.startswith("="))
    stems = frozenset(stem(choice) for choice in choices if choice[0] not in "@=")
    return Element(stems, exact, concepts, gap)
