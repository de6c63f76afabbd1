from collections.abc import Iterable, Iterator
from datetime import datetime
from os import PathLike
from typing import Any, Final, Literal, Protocol, Union, final

class _Reads(Protocol):
    def read(self, size: int, /) -> Any: ...

_Bytes = Union[bytes, bytearray, memoryview]
_Body = Union[str, PathLike[str], _Bytes, _Reads]
_Source = Union[_Body, tuple[Union[str, None], _Body]]
_Column = Literal[
    "source",
    "kind",
    "loc",
    "lastmod",
    "changefreq",
    "priority",
    "error",
    "host",
    "lastmod_text",
    "alternates",
    "images",
    "videos",
    "news",
    "issues",
]

COLUMNS: Final[list[str]]
DEFAULT_COLUMNS: Final[list[str]]

class SitemapError(ValueError):
    kind: str
    source: str | None
    line: int | None
    column: int | None

class TruncatedError(SitemapError): ...
class NotASitemapError(SitemapError): ...
class BrokenGzipError(SitemapError): ...
class LimitExceededError(SitemapError): ...

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

@final
class Pages(Iterator[Page]):
    def __iter__(self) -> Pages: ...
    def __next__(self) -> Page: ...

@final
class Batches:
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

def read(source: _Source, *, strict: bool = False) -> Pages: ...
def read_many(
    sources: _Source | Iterable[_Source],
    columns: Iterable[_Column] | None = None,
    on_error: Literal["row", "raise"] = "row",
    *,
    batch_rows: int = 8192,
    string_views: bool = False,
) -> Batches: ...
