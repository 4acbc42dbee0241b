"""Question files against the conversation: how often the right entry, the facts, and how fast."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from bot.conversation import Ask, Choose, Conversation, Decline, Give, Preferences, Turn
from bot.json_lines import facts_field, read_object, text_field
from bot.refusal import Refusal
from bot.requests import find_entry, shown
from i18n.catalogs import LANGUAGES
from knowledge.model import Knowledge


@dataclass(frozen=True, slots=True)
class Question:
    """A line of a question file: what is asked, and what is right."""

    id: str
    text: str
    language: str
    entry: str | None
    also: tuple[str, ...]
    facts: Mapping[str, str]

    @property
    def right(self) -> frozenset[str]:
        """The entries that are right; none where nothing answers the question."""
        return frozenset((self.entry, *self.also)) if self.entry else frozenset()


@dataclass(frozen=True, slots=True)
class Outcome:
    """A question with what it led to, and the seconds that it took."""

    question: Question
    turn: Turn
    seconds: float

    @property
    def taken(self) -> str | None:
        """The entry that was taken at once."""
        step = self.turn.step
        return step.entry.id if isinstance(step, Give | Ask) else None

    @property
    def refused(self) -> bool:
        """Whether it was said that nothing answers the question."""
        return isinstance(self.turn.step, Decline)

    @property
    def offered(self) -> bool:
        """Whether the player was left to choose."""
        return isinstance(self.turn.step, Choose)

    @property
    def wrong(self) -> bool:
        """Whether an entry was taken at once that is not right."""
        return self.taken is not None and self.taken not in self.question.right

    def among(self, count: int) -> bool:
        """Whether a right entry is among the first candidates."""
        return any(one.entry in self.question.right for one in self.turn.candidates[:count])

    @property
    def misses(self) -> list[str]:
        """What is not as it should be, in short."""
        question, found = self.question, []
        if self.wrong:
            found.append(f"took {self.taken}")
        if question.entry is not None and self.refused:
            found.append("refused")
        elif question.entry is not None and not self.among(1):
            found.append(f"first is {self.turn.candidates[0].entry if self.turn.candidates else 'none'}")
        if question.entry is None and self.offered:
            found.append("offered " + ", ".join(one.entry for one in self.turn.candidates[:4]))
        if self.taken == question.entry and question.entry is not None:
            heard = self.turn.state.heard
            found += [f"missed {n}={v}" for n, v in question.facts.items() if heard.get(n) != v]
            found += [f"heard {n}={v}" for n, v in heard.items() if question.facts.get(n) != v]
        if question.language in LANGUAGES and self.turn.state.language != question.language:
            found.append(f"answered in {self.turn.state.language}")
        return found


def read_questions(path: Path, knowledge: Knowledge) -> list[Question]:
    """Read a question file; raise Refusal with the line for what is no question."""
    try:
        lines = path.read_bytes().removeprefix(b"\xef\xbb\xbf").splitlines()
    except OSError as error:
        raise Refusal("{file}: cannot be read: {reason}.", file=path, reason=error.strerror) from error
    found = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                found.append(_question(line, number, knowledge))
            except Refusal as refusal:
                raise Refusal("{file}:{line}: {fault}", file=path, line=number, fault=refusal) from refusal
    if not found:
        raise Refusal("{file}: there is no question in it.", file=path)
    return found


def _question(line: bytes, number: int, knowledge: Knowledge) -> Question:
    read = read_object(line)
    text, entry, also = text_field(read, "question"), text_field(read, "entry"), read.get("also") or []
    if text is None:
        raise Refusal("«{field}» must be a text.", field="question")
    if "entry" not in read:
        raise Refusal("«entry» is missing; null says that nothing answers the question.")
    if not isinstance(also, list):
        raise Refusal("«also» must be a list of entries.")
    for name in (*([entry] if entry else []), *also):
        find_entry(knowledge, str(name))
    language = text_field(read, "lang") or ""
    return Question(str(read.get("id", number)), text, language, entry, tuple(also), facts_field(read))


def evaluate(conversation: Conversation, questions: Iterable[Question]) -> list[Outcome]:
    """Ask every question afresh, without preferences, and time it."""
    outcomes = []
    for question in questions:
        start = perf_counter()
        turn = conversation.ask(question.text, Preferences())
        outcomes.append(Outcome(question, turn, perf_counter() - start))
    return outcomes


def figures(outcomes: list[Outcome]) -> dict[str, str]:
    """Return the figures of some outcomes by name."""
    inside = [one for one in outcomes if one.question.entry is not None]
    outside = [one for one in outcomes if one.question.entry is None]
    spoken = [one for one in outcomes if one.question.language in LANGUAGES]
    both, heard, stated = _facts(inside)
    times = sorted(one.seconds * 1000 for one in outcomes)
    return {
        "questions": str(len(outcomes)),
        "top-1": _share(sum(one.among(1) for one in inside), len(inside)),
        "top-3": _share(sum(one.among(3) for one in inside), len(inside)),
        "out of scope: refused": _share(sum(one.refused for one in outside), len(outside)),
        "in scope: refused wrongly": _share(sum(one.refused for one in inside), len(inside)),
        "in scope: by choose": _share(sum(one.offered for one in inside), len(inside)),
        "taken at once and wrong": _share(sum(one.wrong for one in outcomes), len(outcomes)),
        "facts: precision": _share(both, heard),
        "facts: recall": _share(both, stated),
        "language of the answer": _share(
            sum(one.turn.state.language == one.question.language for one in spoken), len(spoken)
        ),
        "median time": f"{median(times):.2f} ms" if times else "–",
        "99th percentile": f"{times[min(len(times) - 1, len(times) * 99 // 100)]:.2f} ms" if times else "–",
    }


def _facts(inside: list[Outcome]) -> tuple[int, int, int]:
    """Count the facts heard rightly, all heard, and all stated, where the entry taken is the right one."""
    both = heard = stated = 0
    for one in inside:
        if one.taken == one.question.entry:
            read, wanted = one.turn.state.heard, one.question.facts
            both += sum(wanted.get(name) == value for name, value in read.items())
            heard += len(read)
            stated += len(wanted)
    return both, heard, stated


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%} ({part}/{whole})" if whole else "–"


def report(outcomes: list[Outcome]) -> Iterator[str]:
    """Yield the figures as a table: a column for each language, and one for all."""
    languages = sorted({one.question.language for one in outcomes})
    columns = {
        language or "none": figures([one for one in outcomes if one.question.language == language])
        for language in languages
    }
    columns["all"] = figures(outcomes)
    names = list(columns["all"])
    width = max(map(len, names)) + 2
    widths = {title: max(len(title), *map(len, told.values())) + 2 for title, told in columns.items()}
    yield " " * width + "".join(title.rjust(widths[title]) for title in columns)
    for name in names:
        yield name.ljust(width) + "".join(told[name].rjust(widths[title]) for title, told in columns.items())


def miss_lines(outcomes: list[Outcome]) -> Iterator[str]:
    """Yield each question with something amiss: what is right, what came, and the question."""
    for one in outcomes:
        if one.misses:
            question = one.question
            wanted = question.entry or "nothing"
            yield f"{question.id} [{wanted}] {'; '.join(one.misses)} | {shown(question.text)}"
