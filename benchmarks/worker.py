"""One contestant in a process of its own: told what to load, then asked question by question, over pipes.

Each message is one line of JSON. Started by `arena.py`, not by hand.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

from contestants import BY_NAME, Given

STATUS = Path("/proc/self/status")


def memory() -> float | None:
    """Return the megabytes that this process holds; None where the system does not tell (no Linux)."""
    if not STATUS.is_file():
        return None
    lines = dict(line.split(":", 1) for line in STATUS.read_text(encoding="ascii").splitlines())
    return int(lines["VmRSS"].split()[0]) / 1024


def say(message: dict[str, Any]) -> None:
    print(json.dumps(message), flush=True)


def main(name: str) -> None:
    told = json.loads(sys.stdin.readline())
    phrases = [(entry, phrase) for entry, phrase in told["phrases"]]
    given = Given(phrases, Path(told["home"]) if told["home"] else None)
    contestant = BY_NAME[name]()
    before, start = memory(), perf_counter()
    try:
        contestant.load(given)
    except Exception as error:  # whatever keeps it from running is what the table has to say
        say({"failed": f"{type(error).__name__}: {error}"})
        return
    say({"seconds": perf_counter() - start, "stages": contestant.stages})
    for line in sys.stdin:
        question = json.loads(line)
        if question is None:
            after = memory()
            say({"memory": after - before if before is not None and after is not None else None})
            return
        start = perf_counter()
        ranked = contestant.rank(question)
        say({"seconds": perf_counter() - start, "ranked": ranked})


if __name__ == "__main__":
    main(sys.argv[1])
