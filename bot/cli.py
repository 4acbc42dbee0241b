"""The arbitre command."""

from __future__ import annotations

import sys

from knowledge.check import check
from knowledge.loader import HOME, load
from knowledge.nodes import KnowledgeError


def run() -> None:
    """Temporary: check only."""
    try:
        faults = check(load(HOME))
    except KnowledgeError as error:
        faults = error.faults
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)
