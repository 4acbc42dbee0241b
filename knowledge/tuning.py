"""The few parameters of the matching, each with what it means; set by benchmarks/tune.py."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Parameters:
    """How evidence is weighed, and where the thresholds lie. Scores are in units of telling concepts."""

    completeness: float = 1.9
    """How much a sign loses whose concepts are not all in the question (an exponent)."""
    support: float = 0.3
    """What a concept counts that fits the entry but is not in its best sign."""
    against: float = 0.12
    """What a concept costs that the entry does not know."""
    denied: float = 0.4
    """What a concept counts that is only denied (« sans le montrer »)."""
    names: float = 0.3
    """What the words of a phrase count beside concepts."""
    words: float = 0.9
    """What the words of all an entry's phrases together count."""
    concepts: float = 0.7
    """What the concepts of all an entry's phrases together count."""
    named: float = 6.0
    """What naming a game outright counts, for it and against the others."""
    cue: float = 1.5
    """What a word that only one game has counts for it."""
    preference: float = 0.8
    """What the player's setting of a game counts."""
    preferred_share: float = 0.45
    """From which share of the best score on an entry of the player's own game is preferred."""
    weak: float = 2.4
    """Below this score nothing is taken."""
    sure: float = 3.0
    """From this score on an entry can be taken at once."""
    lone: float = 2.6
    """From this score on an entry with no other near it is taken at once."""
    margin: float = 0.19
    """How far ahead of the second the first has to be to be taken at once, as a share."""
    rival: float = 1.2
    """How much nearer an entry of another game counts where nothing tells the game."""
    company_share: float = 0.7
    """From which share of the best score on other entries are offered beside it."""
    topic_share: float = 1.0
    """A topic that the sources do not rule on wins from this multiple of the best entry's score on."""
    unspoken: float = 0.9
    """What share of its score a topic of some games keeps where nothing speaks for one of them."""
    half: float = 3.0
    """The score that is shown as a confidence of one half."""
