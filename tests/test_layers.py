"""Imports go one way, and each outside library has one door."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("bot", "knowledge", "i18n")
FILES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
}
FRONT_ENDS = {"bot.cli", "bot.terminal", "bot.telegram"}
DOORS = {
    "telegram": "bot.telegram",
    "sqlalchemy": "bot.store",
    "yaml": "knowledge.nodes",
    "rapidfuzz": None,
    "Stemmer": "knowledge.words",
    "babel": "i18n",
}
"""The module or package through which a library comes in; None: any, but only one."""


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            module = str(node.module)
            inner = {f"{module}.{alias.name}" for alias in node.names}
            found |= (inner & set(FILES)) or {module}
    return found


IMPORTS = {module: imports(path) for module, path in FILES.items()}


def below(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def reachable(module: str) -> set[str]:
    seen: set[str] = set()
    todo = [module]
    while todo:
        for name in IMPORTS[todo.pop()] & set(FILES):
            if name not in seen:
                seen.add(name)
                todo.append(name)
    return seen


def test_there_are_modules() -> None:
    assert len(FILES) > 30
    assert {"bot.conversation", "bot.answer", "knowledge.model", "i18n.catalogs"} <= set(FILES)


@pytest.mark.parametrize("package", ["knowledge", "i18n"])
def test_the_lower_layers_import_nothing_of_ours(package: str) -> None:
    for module in FILES:
        if below(module, package):
            ours = {name for name in IMPORTS[module] if name.split(".")[0] in PACKAGES}
            assert all(below(name, package) for name in ours), f"{module}: {ours}"


def test_the_conversation_has_no_words_and_no_io() -> None:
    used = IMPORTS["bot.conversation"]
    assert not {name for name in used if below(name, "i18n") or below(name, "bot")}
    assert not used & {"sys", "os", "pathlib", "asyncio", "logging"}


def test_what_front_ends_share_does_not_know_them() -> None:
    shared = ("bot.answer", "bot.voice", "bot.requests", "bot.as_json", "bot.comparison", "bot.preferences")
    for module in shared:
        front = {name for name in reachable(module) for end in FRONT_ENDS if below(name, end)}
        assert not front, f"{module} reaches {front}"


def test_front_ends_do_not_know_each_other() -> None:
    for module in FILES:
        for end in FRONT_ENDS - {"bot.cli"}:
            if below(module, end):
                others = {o for o in FRONT_ENDS - {end} for name in IMPORTS[module] if below(name, o)}
                assert not others, f"{module} imports {others}"


def test_imports_run_in_no_circle() -> None:
    for module in FILES:
        assert module not in reachable(module), f"{module} imports itself in the end"


def test_each_library_has_one_door() -> None:
    using: dict[str, set[str]] = defaultdict(set)
    for module, names in IMPORTS.items():
        for name in names:
            top = name.split(".")[0]
            if top not in sys.stdlib_module_names and top not in PACKAGES:
                using[top].add(module)
    assert set(DOORS) <= set(using), "a library that nothing uses"
    for library, modules in using.items():
        door = DOORS.get(library)
        if door is None:
            assert len(modules) == 1, f"{library} comes in through {modules}"
        else:
            assert all(below(module, door) for module in modules), f"{library}: {modules}"


def test_the_heavy_libraries_load_only_where_they_are_used() -> None:
    heavy = ("telegram", "sqlalchemy", "bot.telegram")
    code = f"import sys, bot.cli; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_words_of_the_players_in_the_code() -> None:
    for module, path in FILES.items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) > 12:
                text = re.sub(r"\[[^\]]*\]", "", node.value)
                assert not re.search(r"[А-Яа-яё]{4,}", text) or below(module, "knowledge"), (
                    f"{module}: {text}"
                )
