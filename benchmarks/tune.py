"""Sets the parameters of the matching over question files, and says what they are worth on others.

    python benchmarks/tune.py ../shared/questions/*.jsonl

Coordinate search: each parameter in turn is tried on a few values round the one it has, and the best is
kept, until nothing gets better. The questions are cut into parts by a hash of their id; for each part the
search runs on the others, and what it found is measured on that part, which it has not seen. Those are the
figures to believe as far as parameters go: a lexicon that was mended after looking at these questions has
seen all of them, and only fresh questions tell what the whole is worth. What is printed to paste into
knowledge/tuning.py was then fitted to all questions.

Not set here: `half` changes only the number that is shown; `preference` and `preferred_share` need a
player’s setting, which question files do not have.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields, replace
from multiprocessing import get_context
from pathlib import Path

from arena import questions_of, table

from bot.conversation import MOST_OFFERED
from bot.evaluation import Question
from knowledge.analysis import Analysis
from knowledge.loader import knowledge
from knowledge.matching import Match, Matcher
from knowledge.tuning import Parameters

FACTORS = (0.7, 0.88, 1.14, 1.45)
NARROW = (0.95, 1.05)
"""What a parameter is multiplied by to get the values that are tried: far off first, then close by."""
LEAST_GAIN = 0.9
"""A change has to gain as much over all questions: less than about one question set right is noise."""
MOST_ROUNDS = 6
BOUNDS = {
    "completeness": (0.5, 4.0),
    "support": (0.0, 1.0),
    "against": (0.0, 0.5),
    "denied": (0.0, 1.0),
    "names": (0.0, 2.0),
    "words": (0.0, 2.0),
    "named": (2.0, 12.0),
    "cue": (0.0, 5.0),
    "margin": (0.02, 0.5),
    "company_share": (0.3, 0.95),
    "topic_share": (0.5, 1.5),
}
"""Where a value still means what its name says; without an entry here it is only kept from being negative."""
VERDICT = ("weak", "sure", "lone", "margin", "company_share", "topic_share")
"""The thresholds: they leave the scores as they are."""
NOT_SET = ("half", "preference", "preferred_share")

RIGHT, RIGHT_OFFERED_FIRST, RIGHT_OFFERED, NOT_OFFERED = 1.0, 0.7, 0.4, -0.3
REFUSED_WRONGLY, TAKEN_WRONGLY = -1.0, -3.0
REFUSED_RIGHTLY, OFFERED_FOR_NOTHING = 1.0, -0.3
EACH_OFFERED = -0.03
"""What an outcome is worth: a wrong ruling is worse than none, and much worse than a question back; of
two offers the shorter one is better. At once is worth it from about 91 % sure on."""


Figures = dict[str, tuple[float, int]]
"""How much, out of how many, by name."""


@dataclass(frozen=True)
class Asked:
    """A question that has been taken apart, once for all parameters."""

    question: Question
    analysis: Analysis


class Rescorer(Matcher):
    """A matcher whose parameters change under it; it keeps the scores while only thresholds change."""

    def __init__(self) -> None:
        super().__init__(knowledge())
        self._kept: dict[int, dict[str, float]] = {}

    def use(self, parameters: Parameters) -> None:
        """Take other parameters from here on."""
        neutral = dict.fromkeys((*VERDICT, *NOT_SET), 0.0)
        if replace(parameters, **neutral) != replace(self.parameters, **neutral):
            self._kept.clear()
        self.parameters = parameters

    def scores(self, analysis: Analysis, game: str | None = None) -> dict[str, float]:
        """Return the scores of an analysis, from the last time where they cannot have changed."""
        key = id(analysis)
        if key not in self._kept:
            self._kept[key] = super().scores(analysis, game)
        return self._kept[key]


def worth(question: Question, match: Match) -> float:
    """Return what the outcome of a question is worth."""
    if match.verdict == "weak":
        return REFUSED_WRONGLY if question.right else REFUSED_RIGHTLY
    if match.verdict == "sure":
        return RIGHT if match.candidates[0].entry in question.right else TAKEN_WRONGLY
    offered = [candidate.entry for candidate in match.candidates[:MOST_OFFERED]]
    return _offer(question, offered) + EACH_OFFERED * len(offered)


def _offer(question: Question, offered: Sequence[str]) -> float:
    if not question.right:
        return OFFERED_FOR_NOTHING
    if offered[0] in question.right:
        return RIGHT_OFFERED_FIRST
    return RIGHT_OFFERED if question.right.intersection(offered) else NOT_OFFERED


class Search:
    """Coordinate search over some questions."""

    def __init__(self, matcher: Rescorer, asked: Sequence[Asked]) -> None:
        self.matcher = matcher
        self.asked = asked

    def value(self, parameters: Parameters, least: float = float("-inf")) -> float:
        """Return what the outcomes are worth; no more than a bound once `least` is out of reach."""
        self.matcher.use(parameters)
        bound = RIGHT * len(self.asked)
        for one in self.asked:
            bound -= RIGHT - worth(one.question, self.matcher.rank(one.analysis))
            if bound < least:
                break
        return bound

    def run(self, start: Parameters) -> Parameters:
        """Return the best parameters found from a start."""
        best, most = start, self.value(start)
        for factors in (FACTORS, NARROW):
            for _ in range(MOST_ROUNDS):
                before = most
                for name in names():
                    best, most = self._along(name, factors, best, most)
                if most - before < LEAST_GAIN:
                    break
        return best

    def _along(
        self, name: str, factors: Iterable[float], best: Parameters, most: float
    ) -> tuple[Parameters, float]:
        low, high = BOUNDS.get(name, (0.0, float("inf")))
        at: float = getattr(best, name)
        for factor in factors:
            tried = replace(best, **{name: min(high, max(low, round(at * factor, 4)))})
            if not orderly(tried):
                continue
            value = self.value(tried, most + LEAST_GAIN)
            if value >= most + LEAST_GAIN:
                best, most = tried, value
        return best, most


def names() -> list[str]:
    """Return the parameters that are set: those of the scores first, then the thresholds."""
    known = [field.name for field in fields(Parameters) if field.name not in (*NOT_SET, *VERDICT)]
    return [*known, *VERDICT]


def orderly(p: Parameters) -> bool:
    """Return whether the thresholds stand in the order that their names promise."""
    return p.weak <= p.lone <= p.sure


def part(question: Question, parts: int) -> int:
    """Return the part that a question belongs to: always the same, whatever else is in the files."""
    return int(hashlib.sha256(question.id.encode()).hexdigest(), 16) % parts


def figures(matcher: Rescorer, asked: Sequence[Asked], parameters: Parameters) -> Figures:
    """Return the figures of some questions: how much, out of how many."""
    matcher.use(parameters)
    found = [(one.question, matcher.rank(one.analysis)) for one in asked]
    inside = [(q, m) for q, m in found if q.right]
    outside = [(q, m) for q, m in found if not q.right]

    def right(question: Question, match: Match, count: int) -> bool:
        return bool(question.right.intersection(c.entry for c in match.candidates[:count]))

    return {
        "worth": (sum(worth(q, m) for q, m in found), len(found)),
        "top-1": (sum(right(q, m, 1) for q, m in inside), len(inside)),
        "top-3": (sum(right(q, m, 3) for q, m in inside), len(inside)),
        "taken at once and right": (
            sum(m.verdict == "sure" and right(q, m, 1) for q, m in inside),
            len(inside),
        ),
        "taken at once and wrong": (
            sum(m.verdict == "sure" and not right(q, m, 1) for q, m in found),
            len(found),
        ),
        "in scope: refused wrongly": (sum(m.verdict == "weak" for _, m in inside), len(inside)),
        "out of scope: refused": (sum(m.verdict == "weak" for _, m in outside), len(outside)),
    }


def fold(files: Sequence[Path], parts: int, held: int | None) -> tuple[Parameters, list[Figures]]:
    """Fit on all parts but the held one (None: on all); return the figures of both, before and after."""
    matcher = Rescorer()
    asked = [Asked(q, matcher.analyser.analyse(q.text)) for q in questions_of(files)]
    fitted = [one for one in asked if part(one.question, parts) != held]
    unseen = [one for one in asked if part(one.question, parts) == held]
    best = Search(matcher, fitted).run(Parameters())
    return best, [
        figures(matcher, some, parameters) for some in (fitted, unseen) for parameters in (Parameters(), best)
    ]


def total(several: Iterable[Figures]) -> Figures:
    """Add up the figures of several parts."""
    added: Figures = {}
    for one in several:
        for name, (much, of) in one.items():
            before = added.get(name, (0.0, 0))
            added[name] = (before[0] + much, before[1] + of)
    return added


def report(columns: Sequence[Figures]) -> Iterator[str]:
    head = ("", "fitted: as it is", "fitted: tuned", "held out: as it is", "held out: tuned")
    yield from table(
        head, ([name, *(shown(name, *column[name]) for column in columns)] for name in columns[0])
    )


def shown(name: str, much: float, of: int) -> str:
    if not of:
        return "–"
    return f"{much / of:.3f}" if name == "worth" else f"{much / of:.1%}"


def lines(parameters: Parameters) -> Iterator[str]:
    """Yield the values as they stand in knowledge/tuning.py, with what they were where they changed."""
    present = Parameters()
    for field in fields(Parameters):
        new, old = getattr(parameters, field.name), getattr(present, field.name)
        yield f"    {field.name}: float = {round(new, 3)}" + (f"  # was {old}" if new != old else "")


def main() -> None:
    parser = argparse.ArgumentParser(description="Sets the parameters of the matching over question files.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a question file")
    parser.add_argument("--parts", type=int, default=4, help="how many parts, each held out once")
    parser.add_argument("--jobs", type=int, default=2, help="how many searches run at a time")
    options = parser.parse_args()
    if options.parts < 2:
        parser.error("--parts: at least 2, or nothing is held out")
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        searches = [
            pool.submit(fold, options.files, options.parts, held) for held in (None, *range(options.parts))
        ]
        (best, _), *folds = [search.result() for search in searches]
    print(f"Sums over {options.parts} searches, each with another part held out:\n")
    print("\n".join(report([total(found[column] for _, found in folds) for column in range(4)])))
    print("\nWhat the searches came to (each part held out, then none):\n")
    print("\n".join(spread([parameters for parameters, _ in folds], best)))
    print("\nFitted to all questions, for knowledge/tuning.py:\n")
    print("\n".join(lines(best)))


def spread(found: Sequence[Parameters], best: Parameters) -> Iterator[str]:
    """Yield how far the searches agree: a value that jumps about means little."""
    head = ("parameter", "as it is", *(f"without part {number}" for number in range(len(found))), "all")
    rows = [
        [name, *(f"{getattr(one, name):.3g}" for one in (Parameters(), *found, best))] for name in names()
    ]
    yield from table(head, rows)


if __name__ == "__main__":
    main()
