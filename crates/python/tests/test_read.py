import io
import warnings
from datetime import datetime, timezone

import pytest
from conftest import HALF, LOST, NS, Body, urlset_of

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
    assert second.images == [quick_sitemap.Image("https://example.com/i.png")]
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
    with pytest.warns(quick_sitemap.SkippedEntriesWarning):
        assert len(list(read(body))) == 1
    pages = read(body, strict=True)
    with pytest.raises(quick_sitemap.SitemapError, match="nonsense"):
        next(pages)
    assert next(pages).loc == "https://example.com/"
    # After an exception, there is no warning about the same problem.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(pages) == []
    pages = read(b"<urlset><url/></urlset>", strict=True)
    raised = []
    while True:
        try:
            next(pages)
        except StopIteration:
            break
        except quick_sitemap.SitemapError as error:
            raised.append(error.kind)
    assert raised and "no-entries" not in raised


def test_an_input_that_fails(cut):
    pages = read(Body(cut, ConnectionResetError("reset by peer")))
    assert [next(pages).loc, next(pages).loc]
    with pytest.raises(OSError, match="reset by peer"):
        next(pages)
    with pytest.raises(KeyError):
        next(read(Body(error=KeyError("bug"))))


def test_the_gil_is_released(urlset):
    """Two threads read at once; what they read is theirs."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(lambda body: sum(1 for _ in read(body)), [urlset] * 40))
    assert counts == [3] * 40


@pytest.mark.parametrize("name, body, skipped, message", LOST)
def test_a_file_of_which_all_is_lost_is_an_error(tmp_path, name, body, skipped, message):
    path = tmp_path / name
    path.write_bytes(body)
    pages = read(path)
    with pytest.raises(quick_sitemap.NoEntriesError) as raised:
        list(pages)
    error = raised.value
    assert str(error) == f"{path}: {message}"
    assert isinstance(error, quick_sitemap.SitemapError)
    assert (error.kind, error.source, error.skipped) == ("no-entries", str(path), skipped)
    assert (error.line, error.column) == (2, 1)
    assert list(pages) == []
    assert (pages.summary.entries, pages.summary.skipped) == (0, skipped)
    assert pages.summary.completeness == "incomplete"
    assert len(pages.issues) == skipped


@pytest.mark.parametrize("root", ["urlset", "sitemapindex"])
@pytest.mark.parametrize("strict", [False, True])
def test_an_empty_sitemap_is_empty(root, strict, tmp_path):
    path = tmp_path / "empty.xml"
    path.write_bytes(f"<{root} xmlns='{NS}'/>".encode())
    pages = read(path, strict=strict)
    with pytest.warns(quick_sitemap.EmptySitemapWarning) as warned:
        assert list(pages) == []
    assert [str(warning.message) for warning in warned] == [f"{path}: the sitemap is empty"]
    assert warned[0].filename == __file__
    assert list(pages) == [] and pages.summary == quick_sitemap.Summary(0, 0, 0, 0, "complete")
    with warnings.catch_warnings():
        warnings.simplefilter("error", quick_sitemap.EmptySitemapWarning)
        with pytest.raises(quick_sitemap.EmptySitemapWarning):
            list(read(path))


@pytest.mark.parametrize("feed", [
    b"<rss version='2.0'><channel><title>News</title></channel></rss>",
    b"<feed xmlns='http://www.w3.org/2005/Atom'><title>News</title></feed>",
])
def test_an_empty_feed_is_usual(feed):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(read(feed)) == []


def test_skipped_entries_are_warned_about(tmp_path):
    path = tmp_path / "half.xml"
    path.write_bytes(HALF)
    with pytest.warns(quick_sitemap.SkippedEntriesWarning) as warned:
        assert len(list(read(path))) == 2
    assert [str(warning.message) for warning in warned] == [f"{path}: of 3 entries, 1 skipped, at 3:11: invalid-url"]
    assert warned[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error", quick_sitemap.SkippedEntriesWarning)
        pages = read(path)
        assert next(pages).loc and next(pages).loc
        with pytest.raises(quick_sitemap.SkippedEntriesWarning):
            next(pages)
        assert list(pages) == []


@pytest.mark.filterwarnings("ignore::quick_sitemap.SkippedEntriesWarning")
def test_summary_and_issues(urlset, cut):
    pages = read(HALF)
    assert pages.summary.completeness == "unknown"
    first = next(pages)
    assert first.issues == [] and pages.issues == []
    second = next(pages)
    assert [issue.rule for issue in second.issues] == ["invalid-url", "invalid-priority"]
    assert second.issues[0] == quick_sitemap.Issue(
        "invalid-url", "entry-skipped", "`words` is not an absolute http or https URL", 3, 11, HALF.index(b"words")
    )
    assert list(pages) == [] and pages.issues == second.issues
    assert pages.summary == quick_sitemap.Summary(2, 1, 1, 0, "incomplete")
    for body, completeness in [(urlset, "complete"), (b"https://example.com/", "unknown")]:
        pages = read(body)
        list(pages)
        assert pages.summary.completeness == completeness
    pages = read(cut)
    with pytest.raises(quick_sitemap.TruncatedError):
        list(pages)
    assert pages.summary.completeness == "incomplete" and pages.summary.entries == 2
    assert [issue.rule for issue in read_all(urlset_of("<url/>" * 5000))] == ["missing-loc"] * 1000


def read_all(body):
    pages = read(body)
    with pytest.raises(quick_sitemap.NoEntriesError):
        list(pages)
    assert pages.summary.skipped == 5000
    return pages.issues


def test_what_reading_calls_cannot_read(urlset):
    class File(io.BytesIO):
        def read(self, size):
            for use in (lambda: pages.summary, lambda: pages.issues, lambda: next(pages), lambda: pages.close()):
                with pytest.raises(RuntimeError, match="being read"):
                    use()
            assert repr(pages) == "<quick_sitemap.Pages, being read>"
            return super().read(size)

    pages = read(File(urlset))
    assert len(list(pages)) == 3 and pages.summary.entries == 3


def test_read_is_a_context_manager(files):
    with read(files[0]) as pages:
        assert next(pages).loc
        assert open_files(files[0]) in (None, 1)
    assert open_files(files[0]) in (None, 0)
    for _ in range(2):
        with pytest.raises(ValueError, match="closed"):
            next(pages)
    with read(files[0]) as pages:
        assert len(list(pages)) == 3
    assert list(pages) == []
    # An object that the caller opened is closed by the caller.
    with open(files[0], "rb") as file:
        with read(file) as pages:
            next(pages)
        assert not file.closed
    with pytest.raises(KeyError), read(files[0]):
        raise KeyError


def open_files(path):
    """How often this process has the file open, where that can be seen."""
    import os

    if not os.path.isdir("/proc/self/fd"):
        return None
    links = []
    for number in os.listdir("/proc/self/fd"):
        try:
            links.append(os.readlink(f"/proc/self/fd/{number}"))
        except OSError:
            pass
    return links.count(str(path))


def test_messages_show_neither_passwords_nor_line_feeds(tmp_path):
    name = "https://user:word@example.com/a\n\u202eb.xml"
    with pytest.raises(quick_sitemap.NotASitemapError) as raised:
        list(read((name, b"<html/>")))
    assert str(raised.value).startswith("https://***@example.com/a\\n\\u{202e}b.xml: 1:1: ")
    assert raised.value.source == "https://***@example.com/a\n\u202eb.xml"
    with pytest.warns(quick_sitemap.SkippedEntriesWarning) as warned:
        list(read((name, HALF)))
    texts = [str(warned[0].message), str(raised.value), repr(read((name, b"")))]
    with pytest.raises(FileNotFoundError) as missing:
        read("https://user:word@example.com/a\nb.xml")
    texts += [str(missing.value), missing.value.filename.replace("\n", "")]
    with pytest.raises(quick_sitemap.NoEntriesError) as silent:
        list(read((name, urlset_of("<url/>"))))
    with pytest.raises(TypeError) as unknown:
        read(type("a\nb\u202e", (), {})())
    texts += [str(silent.value), str(unknown.value)]
    for text in texts:
        assert "word" not in text and text.isprintable(), text
