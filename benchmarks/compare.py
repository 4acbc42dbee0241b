"""Arbitre beside other ways to find an entry: same phrases, same questions, one run.

    python benchmarks/compare.py ../shared/questions/*.jsonl

Each contestant has a process of its own, and all are asked each question by turns.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from arena import Run, ask_by_turns, phrases_of, questions_of, start, table
from contestants import COMPARED, Contestant, WRatio

from bot.evaluation import Question
from knowledge.loader import knowledge

HEAD = (
    "found by",
    "top-1",
    "top-3",
    "top-1 fr",
    "top-1 ru",
    "median ms",
    "p99 ms",
    "median ÷ `WRatio`’s",
    "load s",
    "memory MB",
)


def main() -> None:
    parser = argparse.ArgumentParser(description="Compares Arbitre with other ways to find an entry.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a question file")
    parser.add_argument("--loads", type=int, default=3, help="how often each is loaded (the median counts)")
    options = parser.parse_args()
    questions = questions_of(options.files)
    phrases = phrases_of(knowledge())
    loads: dict[type[Contestant], list[float]] = {each: [] for each in COMPARED}
    runs: list[Run] = []
    for _ in range(max(1, options.loads)):
        for run in runs:
            run.end()
        runs = [start(each, phrases) for each in COMPARED]
        for run in runs:
            loads[run.contestant].append(run.load)
    for run in runs:
        run.load = median(loads[run.contestant])
    ask_by_turns(runs, [question.text for question in questions])
    for run in runs:
        run.end()
    inside = sum(question.entry is not None for question in questions)
    print(
        f"{len(phrases)} phrases of {len(knowledge().entries)} entries; "
        f"{len(questions)} questions, {inside} of them with an entry: "
        "only these count for top-1 and top-3.\n"
    )
    plain = next(run for run in runs if run.contestant is WRatio)
    print("\n".join(table(HEAD, (row(run, questions, plain) for run in runs))))


def row(run: Run, questions: Sequence[Question], plain: Run) -> list[str]:
    if run.failed is not None:
        return [f"{run.contestant.title}: cannot run here ({run.failed})", *"–" * (len(HEAD) - 1)]
    pairs = [(q, ranked) for q, ranked in zip(questions, run.ranked, strict=True) if q.entry is not None]

    def share(count: int, counts: Callable[[Question], bool] = lambda _: True) -> str:
        found = [bool(q.right.intersection(ranked[:count])) for q, ranked in pairs if counts(q)]
        return f"{sum(found) / len(found):.1%}" if found else "–"

    return [
        run.contestant.title,
        share(1),
        share(3),
        share(1, lambda q: q.language == "fr"),
        share(1, lambda q: q.language == "ru"),
        f"{run.typical:.2f}",
        f"{run.slow:.2f}",
        f"{run.typical / plain.typical:.2f}" if plain.times else "–",
        f"{run.load:.2f}",
        f"{run.memory:.0f}" if run.memory is not None else "–",
    ]


if __name__ == "__main__":
    main()
