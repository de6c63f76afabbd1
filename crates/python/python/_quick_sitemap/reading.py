"""Files: page by page, or as rows of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any, Literal, Protocol, Union

from . import _native, html
from ._native import Pages, Table


class Reads(Protocol):
    def read(self, size: int, /) -> Any: ...


Bytes = Union[bytes, bytearray, memoryview]
Opened = Union[str, "PathLike[str]", Bytes, Reads]
Body = Union[Opened, Callable[[], Opened]]
Source = Union[Body, "tuple[str | None, Body]"]
Column = Literal[
    "source",
    "kind",
    "loc",
    "lastmod",
    "changefreq",
    "priority",
    "error",
    "skipped",
    "host",
    "lastmod_text",
    "alternates",
    "images",
    "videos",
    "news",
    "issues",
]


@dataclass(frozen=True)
class Summary:
    """The result of reading a file so far. Returned by Pages.summary, which can be used at any time.

    entries: the number of pages that were returned.
    skipped: the number of entries that were skipped or raised as an error.
    dropped: the number of values that were left out of pages.
    noted: the number of problems because of which nothing was left out.

    completeness: 'complete' if a urlset or an index was read to its end and every entry was returned. 'incomplete' if
    entries are missing, because reading ended with an error or entries were skipped. Otherwise 'unknown', because the
    end has not been reached, or because the file is a text sitemap or a feed, which do not show whether entries are
    missing. Check it before you delete pages that are no longer listed.

    >>> from quick_sitemap import read
    >>> pages = read(b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
    ...              b"<url><loc>https://example.com/a</loc></url></urlset>")
    >>> len(list(pages))
    1
    >>> pages.summary
    Summary(entries=1, skipped=0, dropped=0, noted=0, completeness='complete')
    """

    entries: int
    skipped: int
    dropped: int
    noted: int
    completeness: Literal["complete", "unknown", "incomplete"]

    def _repr_html_(self) -> str:
        return html.of_dataclass(self)


@dataclass(frozen=True)
class Progress:
    """The progress of reading. Passed to the `on_progress` of read_many.

    files: the number of sources that have been read.
    bytes: the number of bytes that were read from them, before they are unpacked.
    entries: the number of pages and sitemaps.
    source: the name of the source that was begun last, or None. It contains no user or password.

    >>> from quick_sitemap import read_many
    >>> rows = read_many([("a.txt", b"https://example.com/a"), ("b.txt", b"")], on_progress=print)
    >>> len(list(rows))  # doctest: +ELLIPSIS
    Progress(files=...
    2
    """

    files: int
    bytes: int
    entries: int
    source: str | None


def read(source: Source, *, strict: bool = False) -> Pages:
    """Returns the pages of a sitemap, one after the other. The source is a path, bytes, a file object that is opened in
    binary mode, or a callable that returns one of these.

    XML, text, RSS and Atom, gzipped or not; the format is detected from the content. A value that breaks a rule is
    returned as intended if its meaning is clear, and otherwise left out. An entry without a usable URL is skipped. With
    `strict`, the first problem of each entry raises SitemapError instead, and the next call returns the next page.

    Raises OSError, TruncatedError, NotASitemapError, BrokenGzipError or LimitExceededError if reading ends early, after
    all pages that could be read, and NoEntriesError if every entry was skipped. If only some entries were skipped, it
    ends with a SkippedEntriesWarning, and if a sitemap lists nothing, with an EmptySitemapWarning. Turn these into
    exceptions with `warnings.simplefilter("error", quick_sitemap.SkippedEntriesWarning)`.

    >>> from quick_sitemap import read
    >>> [page.loc for page in read(b"https://example.com/a")]
    ['https://example.com/a']
    """
    return _native.read(source, strict=strict)


def read_many(
    sources: Source | Iterable[Source] | Mapping[str, Body],
    columns: Iterable[Column] | None = None,
    on_error: Literal["row", "raise"] = "row",
    *,
    batch_rows: int = 8192,
    string_views: bool = False,
    on_progress: Callable[[Progress], object] | None = None,
) -> Table:
    """Returns the rows of many sitemaps, as an object that pyarrow, DuckDB, Polars, pandas and other Arrow engines accept.

    `sources` is a path, bytes, a file object that is opened in binary mode, a callable that returns one of these, a pair
    of a name and one of these, an iterable of them, or a mapping of names to them. Nothing is read before rows are
    requested, and the sources are taken one after the other. A callable is called when its turn comes; if it raises an
    exception, its source has an error row.

    `columns` are names from quick_sitemap.COLUMNS; None means quick_sitemap.DEFAULT_COLUMNS. Every source has at least one
    row. With on_error='row', a source that cannot be read to its end, or has no entries, has a row with a message in
    `error` and the kind of the error in `kind`; with 'raise', the engine raises an exception instead, except for a feed
    without items. The last row of
    each source has the number of skipped entries in `skipped`. `batch_rows` is the number of rows per batch.
    `string_views` lays text out as Polars prefers it. `on_progress` is called with a Progress at most ten times per
    second, and at the end.

    >>> from quick_sitemap import read_many
    >>> rows = list(read_many({"a": b"https://example.com/a", "b": b"<html/>"}, columns=["source", "loc", "kind"]))
    >>> rows[0]
    {'source': 'a', 'loc': 'https://example.com/a', 'kind': 'url'}
    >>> rows[1]
    {'source': 'b', 'loc': None, 'kind': 'unknown-root'}
    """
    if isinstance(columns, str):
        raise TypeError("columns must be a list of names, not one text")
    if on_error not in ("row", "raise"):
        raise ValueError(f"on_error must be 'row' or 'raise', not {on_error!r}")
    if on_progress is not None and not callable(on_progress):
        raise TypeError("on_progress must be a function of a Progress")
    return _native.read_many(sources, columns, on_error == "raise", batch_rows, string_views, on_progress)


for _object in (Summary, Progress, read, read_many):
    _object.__module__ = "quick_sitemap"
