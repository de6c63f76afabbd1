from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from os import PathLike
from types import TracebackType
from typing import Any, Final, Literal, Protocol, TypedDict, Union, final

from ._crawl import Crawl as Crawl
from ._crawl import crawl as crawl
from ._crawl_async import AsyncCrawl as AsyncCrawl
from ._crawl_async import crawl_async as crawl_async
from ._crawled import CrawlSummary as CrawlSummary
from ._crawled import IncompleteCrawlWarning as IncompleteCrawlWarning
from ._crawled import LeftOut as LeftOut
from ._crawled import Sitemap as Sitemap
from ._exchange import Request as Request
from ._exchange import Response as Response
from ._progress import Progress as Progress
from ._summary import Summary as Summary

__all__ = [
    "COLUMNS",
    "DEFAULT_COLUMNS",
    "AsyncCrawl",
    "Batches",
    "BrokenGzipError",
    "Crawl",
    "CrawlSummary",
    "IncompleteCrawlWarning",
    "LeftOut",
    "LimitExceededError",
    "NoEntriesError",
    "NotASitemapError",
    "Page",
    "Pages",
    "Progress",
    "Request",
    "Response",
    "Sitemap",
    "SitemapError",
    "SkippedEntriesWarning",
    "Summary",
    "TruncatedError",
    "__version__",
    "crawl",
    "crawl_async",
    "read",
    "read_many",
]

__version__: Final[str]

class _Reads(Protocol):
    def read(self, size: int, /) -> Any: ...

class _Issue(TypedDict):
    rule: str
    effect: Literal["noted", "value-dropped", "entry-skipped"]
    message: str
    line: int
    column: int
    byte: int

class _CrawlIssue(_Issue):
    sitemap: str

_Bytes = Union[bytes, bytearray, memoryview]
_Opened = Union[str, PathLike[str], _Bytes, _Reads]
_Body = Union[_Opened, Callable[[], _Opened]]
_Source = Union[_Body, tuple[Union[str, None], _Body]]
_Column = Literal[
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

COLUMNS: Final[list[_Column]]
DEFAULT_COLUMNS: Final[list[_Column]]

class SitemapError(ValueError):
    kind: str
    source: str | None
    line: int | None
    column: int | None

class TruncatedError(SitemapError): ...
class NotASitemapError(SitemapError): ...
class BrokenGzipError(SitemapError): ...
class LimitExceededError(SitemapError): ...

class NoEntriesError(SitemapError):
    skipped: int

class SkippedEntriesWarning(UserWarning): ...

@final
class Page:
    @property
    def kind(self) -> Literal["url", "sitemap"]: ...
    @property
    def loc(self) -> str: ...
    @property
    def host(self) -> str | None: ...
    @property
    def lastmod(self) -> datetime | None: ...
    @property
    def lastmod_text(self) -> str | None: ...
    @property
    def changefreq(self) -> str | None: ...
    @property
    def priority(self) -> float | None: ...
    @property
    def alternates(self) -> list[dict[str, str]]: ...
    @property
    def images(self) -> list[dict[str, str]]: ...
    @property
    def videos(self) -> list[dict[str, Any]]: ...
    @property
    def news(self) -> dict[str, Any] | None: ...
    @property
    def foreign(self) -> list[dict[str, Any]]: ...
    @property
    def issues(self) -> list[_Issue]: ...
    @property
    def sitemap(self) -> str | None: ...
    def to_dict(self) -> dict[str, Any]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Page: ...
    def __deepcopy__(self, memo: Any, /) -> Page: ...

@final
class Pages(Iterator[Page]):
    @property
    def summary(self) -> Summary: ...
    @property
    def issues(self) -> list[_Issue]: ...
    def close(self) -> None: ...
    def __iter__(self) -> Pages: ...
    def __next__(self) -> Page: ...
    def __enter__(self) -> Pages: ...
    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None: ...

@final
class Batches(Iterable[dict[str, Any]]):
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __iter__(self) -> Iterator[dict[str, Any]]: ...

def read(source: _Source, *, strict: bool = False) -> Pages: ...
def read_many(
    sources: _Source | Iterable[_Source],
    columns: Iterable[_Column] | None = None,
    on_error: Literal["row", "raise"] = "row",
    *,
    batch_rows: int = 8192,
    string_views: bool = False,
    on_progress: Callable[[Progress], object] | None = None,
) -> Batches: ...
