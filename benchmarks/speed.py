"""How long Arbitre takes to load, and for one question, beside plain rapidfuzz in the same run.

    python benchmarks/speed.py ../shared/questions/*.jsonl

Loading is measured in fresh processes: importing, reading every file, and building all that is searched.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median

from arena import Run, ask_by_turns, phrases_of, questions_of, start, table
from contestants import Arbitre, ArbitreTurn, Contestant, WRatio

from knowledge.loader import knowledge

CONTESTANTS: tuple[type[Contestant], ...] = (Arbitre, ArbitreTurn, WRatio)
MOST_LOAD, MOST_MEDIAN = 500, 10
"""Milliseconds: what the project has promised for loading, and for a question at the median."""
HEAD = (
    "",
    "load ms, median",
    "load ms, slowest",
    "question ms, median",
    "question ms, p99",
    "question ÷ `WRatio`’s",
)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures loading and the time of a question.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a question file")
    parser.add_argument("--loads", type=int, default=7, help="how often each is loaded afresh")
    options = parser.parse_args()
    questions = questions_of(options.files)
    phrases = phrases_of(knowledge())
    loads: dict[type[Contestant], list[float]] = {each: [] for each in CONTESTANTS}
    runs: list[Run] = []
    for _ in range(max(1, options.loads)):
        for run in runs:
            run.end()
        runs = [start(each, phrases) for each in CONTESTANTS]
        for run in runs:
            loads[run.contestant].append(run.load * 1000)
    ask_by_turns(runs, [question.text for question in questions])
    for run in runs:
        run.end()
        if run.failed is not None:
            raise SystemExit(f"{run.contestant.title}: {run.failed}")
    plain = runs[-1]
    rows = [
        [
            run.contestant.title,
            f"{median(loads[run.contestant]):.0f}",
            f"{max(loads[run.contestant]):.0f}",
            f"{run.typical:.2f}",
            f"{run.slow:.2f}",
            f"{run.typical / plain.typical:.2f}",
        ]
        for run in runs
    ]
    print(f"{len(knowledge().entries)} entries, {len(phrases)} phrases, {len(questions)} questions.\n")
    print("\n".join(table(HEAD, rows)))
    print(f"\nPromised: load {MOST_LOAD} ms, a question {MOST_MEDIAN} ms at the median.")
    if median(loads[ArbitreTurn]) > MOST_LOAD or runs[1].typical > MOST_MEDIAN:
        raise SystemExit("The promise is not kept.")


if __name__ == "__main__":
    main()
