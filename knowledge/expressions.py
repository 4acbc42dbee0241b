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


@dataclass(frozen=True, slots=True)
class Element:
    """One position of an expression: stems, exact forms or a concept, and the gap allowed before it."""

    stems: frozenset[str]
    exact: frozenset[str]
    concept: str | None
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
        return tuple(e.concept for e in self.elements if e.concept)


def compile_expression(
    means: str, expression: Expression, is_little: Callable[[str], bool]
) -> Pattern | None:
    """Compile an expression; None where nothing but little words is left of it."""
    elements: list[Element] = []
    gap = CLOSE_GAP
    for word in expression.text.split():
        if word in ("...", "…"):
            gap = WIDE_GAP
            continue
        for element in _elements(word, gap, is_little, len(expression.text.split()) == 1):
            elements.append(element)
            gap = CLOSE_GAP
    return Pattern(means, tuple(elements), expression.language) if elements else None


def _elements(word: str, gap: int, is_little: Callable[[str], bool], alone: bool) -> list[Element]:
    if word.startswith("@"):
        return [Element(frozenset(), frozenset(), word[1:], gap)]
    stems, exact, found = set(), set(), []
    for alternative in word.split("|"):
        if alternative.startswith("="):
            exact.add(fold(alternative[1:]))
            continue
        parts = [p for p in fold(alternative).split() if alone or not is_little(p)]
        if len(parts) == 1:
            stems.add(stem(parts[0]))
        elif "|" not in word:
            found = [Element(frozenset({stem(p)}), frozenset(), None, CLOSE_GAP) for p in parts]
    if stems or exact:
        return [Element(frozenset(stems), frozenset(exact), None, gap)]
    return found
