# The classes of the compiled part that only this package uses. For all others, see __init__.pyi.

from collections.abc import Iterator
from typing import Any, Literal, final

from . import COLUMNS as COLUMNS
from . import DEFAULT_COLUMNS as DEFAULT_COLUMNS
from . import Batches as Batches
from . import BrokenGzipError as BrokenGzipError
from . import LimitExceededError as LimitExceededError
from . import NoEntriesError as NoEntriesError
from . import NotASitemapError as NotASitemapError
from . import Page as Page
from . import Pages as Pages
from . import SitemapError as SitemapError
from . import SkippedEntriesWarning as SkippedEntriesWarning
from . import TruncatedError as TruncatedError
from . import __version__ as __version__
from . import read as read
from . import read_many as read_many

__all__ = [
    "COLUMNS",
    "DEFAULT_COLUMNS",
    "Batches",
    "BrokenGzipError",
    "Crawl",
    "LimitExceededError",
    "NoEntriesError",
    "NotASitemapError",
    "Page",
    "Pages",
    "Receiver",
    "Rows",
    "SitemapError",
    "SkippedEntriesWarning",
    "Ticket",
    "TruncatedError",
    "__version__",
    "_page",
    "read",
    "read_many",
]

@final
class Rows(Iterator[dict[str, Any]]):
    def __iter__(self) -> Rows: ...
    def __next__(self) -> dict[str, Any]: ...

@final
class Ticket: ...

@final
class Receiver:
    @property
    def wants_more(self) -> bool: ...
    def push(self, bytes: bytes) -> None: ...
    def finish(self) -> None: ...
    def fail(self, text: str) -> None: ...
    def take(self, entries: int) -> list[Page] | None: ...

@final
class Crawl:
    def __new__(cls, url: str, options: dict[str, Any], saved: str | None = None) -> Crawl: ...
    def next_request(
        self, now: float
    ) -> tuple[Ticket, tuple[str, str, Literal["robots", "sitemap", "guess"], str | None, int, int]] | None: ...
    def wait(self, now: float) -> float | None: ...
    def is_done(self) -> bool: ...
    def begin(
        self,
        now: float,
        ticket: Ticket,
        status: int,
        final_url: str | None,
        content_type: str | None,
        location: str | None,
        retry_after: str | None,
    ) -> Receiver: ...
    def end(self, now: float, receiver: Receiver) -> None: ...
    def fail(self, now: float, ticket: Ticket, text: str) -> None: ...
    def summary(self) -> dict[str, Any]: ...
    def sitemaps(self) -> list[tuple[Any, ...]]: ...
    def issues(self) -> list[Any]: ...
    def save(self) -> str: ...

def _page(state: str) -> Page: ...
