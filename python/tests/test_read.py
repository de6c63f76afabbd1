import io
from datetime import datetime, timezone

import pytest

import quick_sitemap
from quick_sitemap import read


def test_pages(urlset):
    pages = list(read(urlset))
    assert [page.loc for page in pages] == [
        "https://example.com/a",
        "https://example.com/b?x=1&y=2",
        "https://www.example.org/c",
    ]
    first, second, third = pages
    assert first.kind == "url" and first.host == "example.com" and str(first) == first.loc
    assert first.lastmod == datetime(2024, 5, 1, tzinfo=timezone.utc)
    assert first.lastmod_text == "2024-05"
    assert first.priority == 0.8 and first.changefreq is None
    assert second.lastmod is None and second.priority is None and second.changefreq == "daily"
    assert second.images == [{"loc": "https://example.com/i.png"}]
    assert second.alternates == [] and second.videos == [] and second.news is None
    assert third.lastmod == datetime(2024, 3, 4, 4, 6, 7, tzinfo=timezone.utc)
    assert first == next(read(urlset)) and first != second and len({*pages, first}) == 3


def test_sources(files, urlset):
    for source in (files[0], str(files[0]), urlset, bytearray(urlset), memoryview(urlset), io.BytesIO(urlset)):
        assert len(list(read(source))) == 3
    with open(files[0], "rb") as file:
        assert len(list(read(file))) == 3


def test_what_is_no_source():
    with pytest.raises(TypeError, match="int"):
        read(1)
    with pytest.raises(TypeError, match="'rb'"):
        list(read(io.StringIO("https://example.com/")))
    with pytest.raises(FileNotFoundError) as raised:
        read("no/such/file.xml")
    assert raised.value.filename == "no/such/file.xml"


def test_errors_come_after_what_could_be_read(files, cut):
    pages = read(files[1])
    assert [next(pages).loc, next(pages).loc][1].startswith("https://example.com/b")
    with pytest.raises(quick_sitemap.TruncatedError) as raised:
        next(pages)
    assert raised.value.kind == "truncated" and raised.value.source == str(files[1])
    assert raised.value.line == 5 and isinstance(raised.value, ValueError)
    assert list(pages) == []
    for body, error in [
        (b"<html/>", quick_sitemap.NotASitemapError),
        (b"", quick_sitemap.NotASitemapError),
        (b"\x1f\x8b\x09\x00\x00\x00\x00\x00\x00\x00", quick_sitemap.BrokenGzipError),
    ]:
        with pytest.raises(error):
            list(read(body))


def test_strict():
    body = b"nonsense\nhttps://example.com/\n"
    assert len(list(read(body))) == 1
    pages = read(body, strict=True)
    with pytest.raises(quick_sitemap.SitemapError, match="nonsense"):
        next(pages)
    assert next(pages).loc == "https://example.com/"


def test_an_input_that_fails(cut):
    class Failing(io.RawIOBase):
        def __init__(self):
            self.rest = [cut]

        def read(self, size):
            if self.rest:
                return self.rest.pop()
            raise ConnectionResetError("reset by peer")

    pages = read(Failing())
    assert [next(pages).loc, next(pages).loc]
    with pytest.raises(OSError, match="reset by peer"):
        next(pages)

    class Buggy(Failing):
        def read(self, size):
            raise KeyError("bug")

    with pytest.raises(KeyError):
        next(read(Buggy()))


def test_the_gil_is_released(urlset):
    """Two threads read at once; what they read is theirs."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(lambda body: sum(1 for _ in read(body)), [urlset] * 40))
    assert counts == [3] * 40


def test_examples_of_the_docstrings():
    import doctest

    names = {name: getattr(quick_sitemap, name) for name in quick_sitemap.__all__}
    for name, object in {"module": quick_sitemap, **names}.items():
        text = getattr(object, "__doc__", None) or ""
        example = doctest.DocTestParser().get_doctest(text, {**names, "quick_sitemap": quick_sitemap}, name, None, 0)
        assert doctest.DocTestRunner().run(example).failed == 0, name
        assert example.examples or name not in ("module", "read", "read_many")
