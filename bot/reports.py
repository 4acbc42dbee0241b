"""What `arbitre check` tells beside faults: the use of the sources, and the longest ways of questions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from knowledge.coverage import Coverage, coverage
from knowledge.model import Entry, Knowledge
from knowledge.table import Missing, decide


def coverage_report(knowledge: Knowledge) -> Iterator[str]:
    """Yield, per source and section, how many sentences rule, how many are cited, and which are not."""
    sections: dict[str, list[Coverage]] = defaultdict(list)
    for use in coverage(knowledge):
        sections[use.document].append(use)
    for name, uses in sections.items():
        ruling, cited = sum(use.ruling for use in uses), sum(len(use.cited) for use in uses)
        title = knowledge.documents[name].name
        yield f"{title}: {cited} of {ruling} ruling sentences cited ({_share(cited, ruling)})"
        for use in uses:
            missing = f", not cited: {', '.join(map(str, use.missing))}" if use.missing else ""
            section = use.section
            yield (
                f"  {section.title}: {section.sentences} sentences, {use.ruling} rule, {len(use.cited)} cited"
                f" ({len(section.repeats)} repeat another, {len(section.silent)} rule on nothing){missing}"
            )


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "nothing to cite"


def longest_ways(knowledge: Knowledge) -> Iterator[str]:
    """Yield, per entry, the facts asked on the longest way to a ruling."""
    for entry in knowledge:
        way = longest_way(entry, {})
        yield f"{entry.id}: {len(way)} questions{': ' if way else ''}{', '.join(way)}"


def longest_way(entry: Entry, facts: Mapping[str, str]) -> tuple[str, ...]:
    """Return the facts still asked, in order, when the answers make the way as long as can be."""
    decision = decide(entry, facts)
    if not isinstance(decision, Missing):
        return ()
    fact = decision.fact
    ways = (longest_way(entry, {**facts, fact.name: value}) for value in fact.names)
    return (fact.name, *max(ways, key=len, default=()))
