"""The options of crawls."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypedDict, TypeVar

from .reading import Progress
from .results import Sitemap


class Options(TypedDict, total=False):
    """The arguments that crawl(), crawl_async() and crawl_table() have in common, for type checkers."""

    select: Callable[[Sitemap], object] | None
    hosts: Iterable[str]
    any_host: bool
    allow_downgrade: bool
    ignore_robots: bool
    max_sitemaps: int
    max_pages: int | None
    max_depth: int
    max_bytes: int
    retries: int
    max_retry_after: float
    delay: float
    delays: Mapping[str, float] | None
    max_children: int | None
    headers: Mapping[str, str] | None
    user_agent: str | None
    known: Mapping[str, str] | None
    resume: str | None
    on_error: Literal["raise", "warn"]
    on_progress: Callable[[Progress], object] | None


@dataclass(frozen=True)
class CrawlOptions:
    """The same arguments with their defaults, and `jobs`. Their ranges are checked here."""

    jobs: int
    select: Callable[[Sitemap], object] | None = None
    hosts: Iterable[str] = ()
    any_host: bool = False
    allow_downgrade: bool = False
    ignore_robots: bool = False
    max_sitemaps: int = 10_000
    max_pages: int | None = 10_000_000
    max_depth: int = 3
    max_bytes: int = 500 << 20
    retries: int = 3
    max_retry_after: float = 60
    delay: float = 0
    delays: Any = None
    max_children: int | None = None
    headers: Mapping[str, str] | None = None
    user_agent: str | None = None
    known: Mapping[str, str] | None = None
    resume: str | None = None
    on_error: Literal["raise", "warn"] = "raise"
    on_progress: Callable[[Progress], object] | None = None

    def __post_init__(self) -> None:
        if self.select is not None and not callable(self.select):
            raise TypeError("select must be a function of a Sitemap that returns whether to read it")
        self._whole("jobs", 1, 1000)
        self._whole("max_sitemaps", 1, 2**32 - 2)
        if self.max_pages is not None:
            self._whole("max_pages", 0, 2**63)
        if self.max_children is not None:
            self._whole("max_children", 0, 2**63)
        self._whole("max_depth", 1, 65_535)
        self._whole("max_bytes", 0, 2**63)
        self._whole("retries", 0, 100)
        for name in ("max_retry_after", "delay"):
            self._set(name, _seconds(name, getattr(self, name)))
        if self.delays is None:
            self._set("delays", {})
        if not isinstance(self.delays, Mapping):
            raise TypeError(f"delays must be a mapping of hosts to seconds, not {type(self.delays).__name__}")
        self._set("delays", [(host, _seconds(f"delays[{host!r}]", value)) for host, value in self.delays.items()])
        for name, content in (("headers", "names to values"), ("known", "URLs to texts of Crawl.known")):
            value = getattr(self, name)
            if value is not None and not isinstance(value, Mapping):
                raise TypeError(f"{name} must be a mapping of {content}, not {type(value).__name__}")
        if self.on_error not in ("raise", "warn"):
            raise ValueError(f"on_error must be 'raise' or 'warn', not {self.on_error!r}")
        if self.on_progress is not None and not callable(self.on_progress):
            raise TypeError("on_progress must be a function of a Progress")
        for name in ("any_host", "allow_downgrade", "ignore_robots"):
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"{name} must be True or False, not {type(getattr(self, name)).__name__}")
        if isinstance(self.hosts, (str, bytes)) or not hasattr(self.hosts, "__iter__"):
            raise TypeError(f"hosts must be a list of hosts, not {type(self.hosts).__name__}")
        self._set("hosts", list(self.hosts))
        for host in self.hosts:
            if not isinstance(host, str):
                raise TypeError(f"hosts must be a list of str, not of {type(host).__name__}")

    def own_agent(self) -> dict[str, str]:
        """The headers of the default client."""
        return {} if self.user_agent is None else {"User-Agent": self.user_agent}

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def _whole(self, name: str, least: int, most: int) -> None:
        """Makes an option an int. True and False are meant for another one."""
        value = getattr(self, name)
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            raise TypeError(f"{name} must be an int, not {type(value).__name__}")
        number = operator.index(value)
        if not least <= number <= most:
            raise ValueError(f"{name} must be from {least:,} to {most:,}, not {number:,}")
        self._set(name, number)


# Of the exception for an argument that does not exist.
CrawlOptions.__init__.__qualname__ = "crawl"

F = TypeVar("F", bound=Callable[..., Any])


def with_options(function: F) -> F:
    """Shows the options of a function in place of `**options`, for `help` and notebooks."""
    signature = inspect.signature(function)
    own = [parameter for parameter in signature.parameters.values() if parameter.name != "options"]
    options = list(inspect.signature(CrawlOptions).parameters.values())[1:]
    own += [option.replace(kind=option.KEYWORD_ONLY) for option in options]
    function.__signature__ = signature.replace(parameters=own)  # type: ignore[attr-defined]
    return function


def _seconds(name: str, value: Any) -> float:
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise TypeError(f"{name} must be a number of seconds, not {type(value).__name__}")
    if not 0 <= value <= 1e9:
        raise ValueError(f"{name} must be a number of seconds from 0 to 1,000,000,000, not {value!r}")
    return float(value)
