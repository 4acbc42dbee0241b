"""Shows how a question is understood: `python -m knowledge.explain "question"`, for who mends the lexicon."""

from __future__ import annotations

import sys

from knowledge.loader import knowledge
from knowledge.matching import Matcher
from knowledge.reading import Reader


def explain(question: str) -> str:
    """Return the words, concepts, scores and facts of a question as lines of text."""
    base = knowledge()
    matcher = Matcher(base)
    match = matcher.match(question)
    analysis = match.analysis
    lines = [f"language: {analysis.language}"]
    lines.append("words: " + " ".join(_word(token.word, token.stems) for token in analysis.tokens))
    for name, spans in sorted(analysis.spans.items()):
        found = ", ".join(
            " ".join(t.word for t in analysis.tokens[s.start : s.end]) + (" (denied)" if s.denied else "")
            for s in spans
        )
        lines.append(f"  {name}: {found}")
    scores = sorted(matcher.scores(analysis).items(), key=lambda pair: -pair[1])[:8]
    lines += [f"{score:7.2f}  {name}" for name, score in scores]
    lines.append(f"verdict: {match.verdict} {match.topic or ''}")
    if scores and scores[0][0] in base.entries:
        facts = Reader(base, matcher.analyser).read(base.entries[scores[0][0]], analysis)
        lines.append(f"facts: {facts}")
    return "\n".join(lines)


def _word(word: str, stems: object) -> str:
    return f"{word}{sorted(stems)}" if isinstance(stems, dict) and list(stems) != [word] and stems else word


if __name__ == "__main__":
    print(explain(" ".join(sys.argv[1:])))
