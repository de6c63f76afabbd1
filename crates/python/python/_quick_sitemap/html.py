"""Values as notebooks show them."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._native import Page
    from .records import Issue


def table(rows: Iterable[Sequence[Any]], head: Sequence[str] = ()) -> str:
    """A table of texts, in which every value is escaped."""
    parts = ["<table>"]
    if head:
        parts += ["<thead><tr>", *(f"<th>{html.escape(name)}</th>" for name in head), "</tr></thead>"]
    for row in rows:
        parts += ["<tr>", *(f"<td>{html.escape(str(value))}</td>" for value in row), "</tr>"]
    return "".join([*parts, "</table>"])


def of_page(page: Page) -> str:
    """The properties that a page has."""
    return table((name, value) for name, value in page.to_dict().items() if value not in (None, ()))


def of_dataclass(value: Any) -> str:
    return table((field.name, getattr(value, field.name)) for field in fields(value))


def of_columns(columns: Sequence[tuple[str, str]], rows: int | None) -> str:
    """The names and the types of the columns of a table, which is not read for this."""
    note = "not read to the end" if rows is None else f"{rows:,} rows"
    return table(columns, ("column", "type")) + f"<p>{note}</p>"


def of_issues(issues: Sequence[Issue]) -> str:
    """The first hundred issues."""
    head = ("rule", "effect", "message", "line", "column", "sitemap")
    rows = [tuple(getattr(issue, name) or "" for name in head) for issue in issues[:100]]
    note = f"<p>{len(issues) - 100:,} more issues</p>" if len(issues) > 100 else ""
    return table(rows, head) + note
