"""Expressions: the words by which something is recognised, compiled for matching.

`pas fourni|servi` is two words in order, the second either; one other word may stand between them,
little words (articles, pronouns) are not counted; `...` allows up to five. `=as` is that form alone,
`@declarer` any expression of a concept.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from knowledge.model import Expression
from knowledge.words import fold, stem

CLOSE_GAP = 1
WIDE_GAP = 5
WIDE = "..."


class Element(NamedTuple):
    """One position of an expression: stems, exact forms or concepts, and the gap allowed before it."""

    stems: frozenset[str]
    exact: frozenset[str]
    concepts: frozenset[str]
    gap: int


class Pattern(NamedTuple):
    """A compiled expression; `means` is the name of what it recognises."""

    means: str
    elements: tuple[Element, ...]
    language: str

    @property
    def concepts(self) -> tuple[str, ...]:
        """The concepts that it refers to."""
        return tuple(concept for element in self.elements for concept in element.concepts)


def compile_expression(means: str, expression: Expression, is_little: Callable[[str], bool]) -> list[Pattern]:
    """Compile an expression; more than one pattern where an alternative is itself of several words."""
    patterns = []
    for text in spelled_out(expression.text):
        elements: list[Element] = []
        gap = CLOSE_GAP
        for choices in positions(text, is_little):
            if choices == (WIDE,):
                gap = WIDE_GAP
                continue
            elements.append(_element(choices, gap))
            gap = CLOSE_GAP
        if elements:
            patterns.append(Pattern(means, tuple(elements), expression.language))
    return patterns


@lru_cache(maxsize=65536)
def spelled_out(text: str) -> tuple[str, ...]:
    """Return an expression as several where an alternative is of several words (« grand-mère »)."""
    if "|" not in text and "=" not in text:
        return (text,)
    words = text.split()
    if not any(_is_long(choice) for word in words for choice in word.split("|")):
        return (text,)
    texts, simple = [], []
    for number, word in enumerate(words):
        choices = word.split("|")
        long = [choice for choice in choices if _is_long(choice)]
        texts += [" ".join([*words[:number], fold(choice), *words[number + 1 :]]) for choice in long]
        simple.append("|".join(choice for choice in choices if choice not in long))
    if all(simple):
        texts.append(" ".join(simple))
    return tuple(texts)


def _is_long(choice: str) -> bool:
    if choice.removeprefix("=").isalnum():
        return False
    parts = fold(choice.removeprefix("=")).split()
    return not choice.startswith("@") and len(parts) > 1


@lru_cache(maxsize=65536)
def positions(text: str, is_little: Callable[[str], bool]) -> tuple[tuple[str, ...], ...]:
    """Return the alternatives at each position of an expression: folded words, «=word» or «@concept».

    Little words are left out unless they stand among alternatives, or less than two positions would be
    left: there an author means them.
    """
    written = _written(text)
    thin = tuple(choices for choices in written if len(choices) > 1 or not is_little(choices[0]))
    telling = [choices for choices in thin if choices != (WIDE,)]
    return thin if len(telling) > 1 else written


@lru_cache(maxsize=65536)
def _written(text: str) -> tuple[tuple[str, ...], ...]:
    found: list[tuple[str, ...]] = []
    for word in text.split():
        if word in (WIDE, "…"):
            found.append((WIDE,))
        elif word[0] in "@=" or "|" in word:
            found.append(tuple(filter(None, map(_folded, word.split("|")))))
        else:
            found += [(part,) for part in fold(word).split()]
    return tuple(choices for choices in found if choices)


def _folded(choice: str) -> str:
    if choice.startswith("@"):
        return choice
    folded = fold(choice)
    return f"={folded}" if folded and choice.startswith("=") else folded


@lru_cache(maxsize=65536)
def _element(choices: tuple[str, ...], gap: int) -> Element:
    concepts = frozenset(choice[1:] for choice in choices if choice.startswith("@"))
    exact = frozenset(choice[1:] for choice in choices if choice.startswith("="))
    stems = frozenset(stem(choice) for choice in choices if choice[0] not in "@=")
    return Element(stems, exact, concepts, gap)
