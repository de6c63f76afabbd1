"""The values of a page that have several fields. The names are those of the structs in Arrow's columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import MISSING, dataclass, field
from datetime import datetime
from typing import Any, Literal, TypedDict

from . import html


@dataclass(frozen=True)
class Issue:
    """A problem in a sitemap.

    rule: the name of the rule, such as 'invalid-url'.
    effect: 'noted' if nothing was left out because of it, 'value-dropped' or 'entry-skipped'.
    message: a sentence.
    line, column: the place, from 1; the column in characters.
    byte: the place in the unpacked file as UTF-8, from 0.
    sitemap: the URL of the sitemap, in Crawl.issues; otherwise None.

    >>> from quick_sitemap import read
    >>> [page] = read(b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
    ...               b"<url><loc>https://example.com/a</loc><priority>9</priority></url></urlset>")
    >>> page.issues[0].rule, page.issues[0].effect
    ('invalid-priority', 'value-dropped')
    """

    rule: str
    effect: Literal["noted", "value-dropped", "entry-skipped"]
    message: str
    line: int
    column: int
    byte: int
    sitemap: str | None = None


class Issues(list[Issue]):
    """A list of Issue, which notebooks show as a table.

    >>> from quick_sitemap import read
    >>> pages = read(b"https://example.com/a")
    >>> len(list(pages)), pages.issues
    (1, [])
    """

    def _repr_html_(self) -> str:
        return html.of_issues(self)


@dataclass(frozen=True)
class Alternate:
    """A version of a page in another language. `attributes` are the other attributes of the link, such as `media`.

    >>> from quick_sitemap import Alternate
    >>> Alternate("de", "https://example.com/de").hreflang
    'de'
    """

    hreflang: str
    href: str
    attributes: list[Attribute] = field(default_factory=list)


@dataclass(frozen=True)
class Image:
    """An image of a page.

    >>> from quick_sitemap import Image
    >>> Image("https://example.com/i.png").caption
    """

    loc: str
    caption: str | None = None
    geo_location: str | None = None
    title: str | None = None
    license: str | None = None


@dataclass(frozen=True)
class News:
    """The values of a page that is a news article. Dates are in UTC.

    >>> from quick_sitemap import News
    >>> News(title="Cats, again").keywords
    []
    """

    publication_name: str | None = None
    publication_language: str | None = None
    publication_date: datetime | None = None
    title: str | None = None
    access: str | None = None
    genres: list[str] = field(default_factory=list)
    keywords: list[str] = field(default_factory=list)
    stock_tickers: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class ContentSegment:
    """A part of a video: its URL, and its duration in seconds.

    >>> from quick_sitemap import ContentSegment
    >>> ContentSegment("https://example.com/1.mp4", 60).duration
    60
    """

    loc: str
    duration: int | None = None


@dataclass(frozen=True)
class Price:
    """A price of a video. `type` is 'rent' or 'own', `resolution` 'hd' or 'sd'.

    >>> from quick_sitemap import Price
    >>> Price("1.99", "EUR").currency
    'EUR'
    """

    amount: str | None = None
    currency: str | None = None
    type: str | None = None
    resolution: str | None = None


@dataclass(frozen=True)
class VideoId:
    """An identifier of a video in another database.

    >>> from quick_sitemap import VideoId
    >>> VideoId("B000", "tms:series").type
    'tms:series'
    """

    value: str | None = None
    type: str | None = None


@dataclass(frozen=True)
class Video:
    """A video of a page. `duration` is in seconds, `rating` from 0.0 to 5.0, dates are in UTC.

    >>> from quick_sitemap import Video
    >>> Video(title="Cats").duration
    """

    thumbnail_loc: str | None = None
    title: str | None = None
    description: str | None = None
    content_loc: str | None = None
    player_loc: str | None = None
    player_allow_embed: bool | None = None
    player_autoplay: str | None = None
    duration: int | None = None
    expiration_date: datetime | None = None
    rating: float | None = None
    content_segments: list[ContentSegment] = field(default_factory=list)
    view_count: int | None = None
    publication_date: datetime | None = None
    tags: list[str] = field(default_factory=list)
    category: str | None = None
    family_friendly: bool | None = None
    restriction_relationship: str | None = None
    restriction_countries: list[str] | None = None
    gallery_loc: str | None = None
    gallery_title: str | None = None
    prices: list[Price] = field(default_factory=list)
    requires_subscription: bool | None = None
    uploader_name: str | None = None
    uploader_info: str | None = None
    platform_relationship: str | None = None
    platforms: list[str] | None = None
    live: bool | None = None
    ids: list[VideoId] = field(default_factory=list)
    tvshow: Element | None = None


@dataclass(frozen=True)
class Attribute:
    """An attribute of an Element. `namespace` is empty for a name without a prefix.

    >>> from quick_sitemap import Attribute
    >>> Attribute("currency", "", "EUR").value
    'EUR'
    """

    name: str
    namespace: str
    value: str


@dataclass(frozen=True)
class Element:
    """An element of a namespace that is not known. `children` are elements and texts.

    >>> from quick_sitemap import Element
    >>> Element("price", "urn:x").children
    []
    """

    name: str
    namespace: str = ""
    prefix: str = ""
    attributes: list[Attribute] = field(default_factory=list)
    children: list[Element | str] = field(default_factory=list)


# The dataclass of the values of each field.
KINDS: dict[str, Any] = {
    "alternates": Alternate,
    "attributes": Attribute,
    "children": Element,
    "content_segments": ContentSegment,
    "foreign": Element,
    "ids": VideoId,
    "images": Image,
    "issues": Issue,
    "news": News,
    "prices": Price,
    "tvshow": Element,
    "videos": Video,
}


# The fields of each, with their defaults. Lists are tuples.
FIELDS = {
    name: [(key, None if of.default_factory is MISSING else ()) for key, of in kind.__dataclass_fields__.items()]
    for name, kind in KINDS.items()
}


NESTED = (tuple, dict)


def complete(page: dict[str, Any]) -> None:
    """Adds defaults for the values that the parts of a page do not have."""
    for name, value in page.items():
        if value and name in FIELDS:
            page[name] = completed(name, value)


def completed(name: str, value: Any) -> Any:
    if value.__class__ is tuple:
        return tuple([completed(name, item) for item in value])
    if value.__class__ is not dict:
        return value
    found = {key: value.get(key, default) for key, default in FIELDS[name]}
    if unknown := value.keys() - found.keys():
        raise TypeError(f"{KINDS[name].__name__} has no field {', '.join(sorted(unknown))}")
    for key, item in value.items():
        if item.__class__ in NESTED:
            found[key] = completed(key, item)
    return found


def of_property(name: str, value: Any) -> Any:
    """A value of Page.to_dict() as a property has it: dataclasses and lists."""
    if value.__class__ is tuple:
        items = [of_property(name, item) for item in value]
        return Issues(items) if name == "issues" else items
    if value.__class__ is dict:
        for key, item in value.items():
            if item.__class__ in NESTED:
                value[key] = of_property(key, item)
        return KINDS[name](**value)
    return value


class AlternateDict(TypedDict):
    hreflang: str
    href: str


class PageAlternateDict(AlternateDict):
    attributes: Sequence[dict[str, Any]]


class ImageDict(TypedDict):
    loc: str
    caption: str | None
    geo_location: str | None
    title: str | None
    license: str | None


class NewsDict(TypedDict):
    publication_name: str | None
    publication_language: str | None
    publication_date: datetime | None
    title: str | None
    access: str | None
    genres: Sequence[str]
    keywords: Sequence[str]
    stock_tickers: Sequence[str]


class IssueDict(TypedDict):
    rule: str
    effect: Literal["noted", "value-dropped", "entry-skipped"]
    message: str
    line: int
    column: int
    byte: int


class PageDict(TypedDict):
    """The values of a page, from Page.to_dict()."""

    kind: Literal["url", "sitemap"]
    loc: str
    host: str | None
    lastmod: datetime | None
    lastmod_text: str | None
    changefreq: str | None
    priority: float | None
    alternates: tuple[PageAlternateDict, ...]
    images: tuple[ImageDict, ...]
    videos: tuple[dict[str, Any], ...]
    news: NewsDict | None
    foreign: tuple[dict[str, Any], ...]
    issues: tuple[IssueDict, ...]
    sitemap: str | None


class Row(TypedDict):
    """A row of a table. It contains only the columns that were requested."""

    source: str | None
    sitemap: str
    kind: str
    loc: str | None
    lastmod: datetime | None
    changefreq: str | None
    priority: float | None
    error: str | None
    skipped: int | None
    host: str | None
    lastmod_text: str | None
    alternates: list[AlternateDict] | None
    images: list[ImageDict] | None
    videos: list[dict[str, Any]] | None
    news: list[NewsDict] | None
    issues: list[IssueDict] | None


for _class in (Issue, Issues, Alternate, Image, News, ContentSegment, Price, VideoId, Video, Attribute, Element, PageDict, Row):
    _class.__module__ = "quick_sitemap"
