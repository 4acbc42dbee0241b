"""How the time grows with the knowledge base: as it is, 10 and 100 times as large.

    python benchmarks/scale.py ../shared/questions/*.jsonl

The larger ones are written to a temporary folder and loaded from there like the real one. Plain rapidfuzz
is asked the same questions by turns, but fewer of them: at 100 times it takes long for each.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from arena import Run, ask_by_turns, phrases_of, questions_of, start, table
from contestants import Arbitre, WRatio
from generated import blow_up

from knowledge.loader import knowledge, load

HEAD = (
    "knowledge base",
    "entries",
    "phrases",
    "median ms",
    "p99 ms",
    "load s",
    "of it reading",
    "of it indexing",
    "memory MB",
    "`WRatio` median ms",
    "`WRatio` ÷ Arbitre",
)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures how the time grows with the knowledge base.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a question file")
    parser.add_argument("--times", nargs="+", type=int, default=[1, 10, 100], help="how many times as large")
    parser.add_argument("--plain", type=int, default=30, help="how many questions plain rapidfuzz gets")
    options = parser.parse_args()
    questions = [question.text for question in questions_of(options.files)]
    step = max(1, len(questions) // max(1, options.plain))
    print("\n".join(table(HEAD, [measured(times, questions, step) for times in options.times])))


def measured(times: int, questions: Sequence[str], step: int) -> list[str]:
    """Return the row of one size: every `step`th question goes to plain rapidfuzz as well."""
    with TemporaryDirectory() as folder:
        home = Path(folder) / "knowledge"
        blow_up(knowledge(), times, home)
        known = load(home)
        phrases = phrases_of(known)
        arbitre = start(Arbitre, [], home)
    plain = start(WRatio, phrases)
    both = questions[::step]
    ask_by_turns([arbitre, plain], both)
    shared = arbitre.typical if arbitre.times else 0.0
    ask_by_turns([arbitre], [question for number, question in enumerate(questions) if number % step])
    for run in (arbitre, plain):
        run.end()
    return row(times, [str(len(known.entries)), str(len(phrases))], arbitre, plain, shared)


def row(times: int, sizes: list[str], arbitre: Run, plain: Run, shared: float) -> list[str]:
    name = "as it is" if times == 1 else f"{times} times"
    for run in (arbitre, plain):
        if run.failed is not None:
            return [f"{name}: {run.contestant.title} failed ({run.failed})", *sizes, *"–" * (len(HEAD) - 3)]
    return [
        name,
        *sizes,
        f"{arbitre.typical:.2f}",
        f"{arbitre.slow:.2f}",
        f"{arbitre.load:.2f}",
        f"{arbitre.stages['read']:.2f}",
        f"{arbitre.stages['index']:.2f}",
        f"{arbitre.memory:.0f}" if arbitre.memory is not None else "–",
        f"{plain.typical:.1f}",
        f"{plain.typical / shared:.1f}",
    ]


if __name__ == "__main__":
    main()
