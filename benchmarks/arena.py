"""What the benchmarks share: contestants in their own processes, asked by turns, and their figures."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from contestants import Contestant

from bot.evaluation import Question, read_questions
from knowledge.loader import knowledge
from knowledge.model import Knowledge

WORKER = Path(__file__).with_name("worker.py")


@dataclass
class Run:
    """A contestant at work: its process, and what was measured of it."""

    contestant: type[Contestant]
    process: subprocess.Popen[str]
    failed: str | None = None
    load: float = 0.0
    stages: dict[str, float] = field(default_factory=dict)
    memory: float | None = None
    times: list[float] = field(default_factory=list)
    ranked: list[list[str]] = field(default_factory=list)

    def tell(self, message: Any) -> dict[str, Any]:
        """Send a message and wait for the answer; a process that dies is a failure."""
        if self.process.stdin is None or self.process.stdout is None:
            raise RuntimeError("the worker was started without pipes")
        try:
            print(json.dumps(message), file=self.process.stdin, flush=True)
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        answer: dict[str, Any] = json.loads(line) if line else {"failed": "its process ended"}
        self.failed = self.failed or answer.get("failed")
        return answer

    def ask(self, question: str) -> None:
        """Ask one question, and keep what came back and how long it took."""
        answer = self.tell(question)
        if self.failed is None:
            self.times.append(answer["seconds"])
            self.ranked.append(answer["ranked"])

    def end(self) -> None:
        """Take the memory and let the process go."""
        if self.failed is None:
            self.memory = self.tell(None).get("memory")
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.process.wait()

    @property
    def typical(self) -> float:
        """The median time of a question in milliseconds."""
        return median(self.times) * 1000

    @property
    def slow(self) -> float:
        """The 99th-percentile time of a question in milliseconds."""
        return percentile(self.times, 99) * 1000


def start(contestant: type[Contestant], phrases: Sequence[tuple[str, str]], home: Path | None = None) -> Run:
    """Start a contestant in a process of its own and let it load."""
    process = subprocess.Popen(
        [sys.executable, str(WORKER), contestant.__name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    run = Run(contestant, process)
    answer = run.tell({"phrases": phrases, "home": str(home) if home else None})
    if run.failed is None:
        run.load, run.stages = answer["seconds"], answer["stages"]
    return run


def ask_by_turns(runs: Sequence[Run], questions: Iterable[str]) -> None:
    """Ask every contestant each question before the next question; who is first changes each time."""
    for number, question in enumerate(questions):
        for place in range(len(runs)):
            run = runs[(number + place) % len(runs)]
            if run.failed is None:
                run.ask(question)


def percentile(values: Sequence[float], percent: int) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


def phrases_of(known: Knowledge) -> list[tuple[str, str]]:
    """Return every phrase of every entry with its entry."""
    return [(entry.id, phrase.text) for entry in known for phrase in entry.phrases]


def questions_of(files: Iterable[Path]) -> list[Question]:
    return [question for path in files for question in read_questions(path, knowledge())]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield a Markdown table; all columns but the first are figures."""
    yield "| " + " | ".join(head) + " |"
    yield "| --- |" + " ---: |" * (len(head) - 1)
    for row in rows:
        yield "| " + " | ".join(row) + " |"
