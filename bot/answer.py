"""A step as a player reads it: lines with a role each, and the options that can be tapped.

Plain text for `ask` and the terminal; Telegram sets the same lines in its own markup.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from bot.conversation import Ask, Choose, Decline, Give, Turn
from bot.voice import Line, Option, Voice
from knowledge.model import Knowledge

__all__ = ["MARKS", "Answer", "Answers", "Line", "Option", "Voice"]

MARKS = {"point": "• ", "source": "— "}
"""What stands before a line of that role in plain text."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a player reads, and what can be answered to it."""

    language: str
    lines: tuple[Line, ...]
    options: tuple[Option, ...] = ()

    @property
    def text(self) -> str:
        """The lines as plain text."""
        return "\n".join(MARKS.get(line.role, "") + line.text for line in self.lines)

    @property
    def choices(self) -> tuple[Option, ...]:
        """The options that go on: the answers to our question, or the entries to pick from."""
        return tuple(o for o in self.options if o.role != "change") if self.asks else ()

    @property
    def asks(self) -> bool:
        """Whether the answer is a question to the player."""
        return any(option.role in ("answer", "entry") for option in self.options)

    @property
    def plain(self) -> str:
        """The whole as plain text: the lines, and the choices by number."""
        choices = (f"{number}. {option.label}" for number, option in enumerate(self.choices, 1))
        return "\n".join([self.text, *choices])


class Answers:
    """Puts the steps of a conversation into words."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge

    def answer(self, turn: Turn) -> Answer:
        """Return the answer for a turn, in the language of its state."""
        voice = Voice(self.knowledge, turn.state)
        step = turn.step
        match step:
            case Give():
                lines, options = voice.given(step), voice.changes(step.entry, step.facts)
            case Ask():
                lines, options = voice.asked(step), voice.replies(step.fact)
            case Choose():
                lines, options = voice.choice(), voice.entries([c.entry for c in step.candidates], True)
            case Decline():
                lines, options = voice.declined(step), voice.entries(step.nearest, False)
            case _:
                assert_never(step)
        if turn.unclear:
            lines = [voice.unclear(), *lines]
        return Answer(voice.language, tuple(lines), tuple(options))
