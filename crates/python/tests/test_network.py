"""Sources that are opened when their turn comes, hints, progress, and Ctrl-C."""

import contextlib
import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import Body, raising, readme_block
from site_for_crawls import answering

import quick_sitemap
from quick_sitemap import SitemapError, read, read_many


def test_callables_are_called_in_their_turn(urlset, tmp_path):
    called = []
    path = tmp_path / "a.xml"
    path.write_bytes(urlset)

    def opening(name, body):
        return name, lambda: called.append(name) or body

    sources = [opening("bytes", urlset), opening("file", io.BytesIO(urlset)), opening("path", path), lambda: urlset]
    rows = iter(read_many(sources, batch_rows=1))
    assert called == []
    assert next(rows)["source"] == "bytes"
    assert "path" not in called
    assert [row["source"] for row in rows] == ["bytes"] * 2 + ["file"] * 3 + ["path"] * 3 + [None] * 3
    assert called == ["bytes", "file", "path"]
    # One source alone, and read().
    assert len(list(read_many(lambda: urlset))) == 3
    assert [row["source"] for row in read_many(("name", lambda: urlset))] == ["name"] * 3
    assert len(list(read(lambda: urlset))) == 3


class Closing:
    """The result of a callable, without a finalizer."""

    def __init__(self, body):
        self.read = io.BytesIO(body).read
        self.closed = 0

    def close(self):
        self.closed += 1


PAGES = b"https://example.com/a\n" * 10_000


@pytest.mark.parametrize("body", [PAGES, b"<html>" + b"x" * 100_000, b"\x1f\x8b\x08\0" + b"y" * 100_000, b""])
def test_what_a_callable_opens_is_closed_once(body):
    opened = []

    def opening():
        opened.append(Closing(body))
        return opened[-1]

    def checked(leave):
        with contextlib.suppress(SitemapError):
            leave()
        assert [file.closed for file in opened] == [1]
        opened.clear()

    def left(rows):
        next(rows)
        # Nothing else refers to it.

    checked(lambda: list(read(opening)))
    checked(lambda: list(read_many(opening)))
    checked(lambda: list(read_many(opening, on_error="raise")))
    checked(lambda: left(read(opening)))
    checked(lambda: left(iter(read_many(opening))))
    with read(opening) as pages:
        with contextlib.suppress(SitemapError):
            next(pages)
    assert opened[-1].closed == 1
    file = Closing(PAGES)
    assert len(list(read(file))) == 10_000 and file.closed == 0


class HttpError(Exception):
    """As httpx and http.client have them."""


def test_an_exception_of_a_callable_is_an_error_row(urlset, cut):
    responses = [Body(urlset), Body(cut, HttpError("peer closed\nthe connection"))]
    fails = raising(HttpError("404 for https://user:word@example.com/"))
    sources = [("a", lambda: responses[0]), ("b", fails), ("c", lambda: responses[1]), ("d", lambda: urlset)]
    rows = list(read_many(sources))
    assert [row["source"] for row in rows] == ["a"] * 3 + ["b"] + ["c"] * 3 + ["d"] * 3
    assert [row["kind"] for row in rows if row["error"]] == ["io", "io"]
    assert rows[3]["error"] == "I/O error: HttpError: 404 for https://***@example.com/"
    assert rows[6]["error"] == "I/O error: HttpError: peer closed\\nthe connection"
    assert responses[0].closed and responses[1].closed, "what a callable has opened is closed"

    # Raised as it is, if errors are to be raised.
    with pytest.raises(HttpError, match="404"):
        list(read_many(sources[1:], on_error="raise"))
    pages = read(lambda: Body(cut, HttpError("lost")))
    assert [next(pages).loc, next(pages).loc]
    with pytest.raises(HttpError, match="lost"):
        next(pages)


def test_a_callable_must_return_a_source(urlset):
    for wrong, text in ((lambda: 1, "not int"), (lambda: lambda: urlset, "not another callable")):
        with pytest.raises(TypeError, match=text):
            list(read_many([wrong]))
    mine = Body(urlset)
    list(read_many([("mine", mine)]))
    assert not mine.closed, "what the caller has opened stays open"


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_in_a_callable_is_no_row(error, urlset):
    rows = iter(read_many([urlset, raising(error), urlset], batch_rows=1))
    with pytest.raises(error):
        list(rows)
    assert list(rows) == []


def test_a_path_that_is_something_else_says_what_to_write(tmp_path):
    cases = [
        ("https://user:word@example.com/sitemap.xml", "urllib.request.urlopen(url)", FileNotFoundError),
        ("s3://bucket/sitemap.xml", "this is a URL", FileNotFoundError),
        (str(tmp_path / "*.xml"), "glob.glob(pattern", FileNotFoundError),
        (tmp_path, "glob('**/*.xml*')", IsADirectoryError),
    ]
    for path, text, raised in cases:
        with pytest.raises(raised) as error:
            read(path)
        assert text in str(error.value) and "word" not in str(error.value)
        rows = list(read_many([path, b"https://example.com/a"]))
        assert text in rows[0]["error"] and rows[0]["kind"] == "io" and "word" not in str(rows[0])
        assert rows[1]["loc"] == "https://example.com/a"
    odd = tmp_path / "a[1].xml"
    odd.write_bytes(b"https://example.com/a")
    assert len(list(read(odd))) == 1, "a name is not a pattern if there is such a file"
    with pytest.raises(FileNotFoundError, match="No such file"):
        read(tmp_path / "none.xml")


def test_progress(files, urlset):
    told = []
    rows = list(read_many([*files, ("https://user:word@example.com/a.xml", urlset)], on_progress=told.append))
    assert told[-1] == quick_sitemap.Progress(
        files=4,
        bytes=sum(path.stat().st_size for path in files) + len(urlset),
        entries=len([row for row in rows if not row["error"]]),
        source="https://***@example.com/a.xml",
    )
    assert all(a.files <= b.files and a.bytes <= b.bytes and a.entries <= b.entries for a, b in zip(told, told[1:]))

    rows = iter(read_many(files, on_progress=raising(RuntimeError("the bar is gone"))))
    with pytest.raises(RuntimeError, match="the bar is gone"):
        list(rows)


def test_progress_within_a_file():
    """A source that takes long is reported while it is read, at most ten times per second."""
    told = []

    class Slow(io.RawIOBase):
        left = 10

        def read(self, size):
            self.left -= 1
            time.sleep(0.03)
            return b"https://example.com/\n" * (self.left > 0)

    list(read_many([Slow()], on_progress=told.append))
    assert told[0].files == 0 and told[-1].files == 1 and told[-1].entries == 9
    assert any(0 < progress.entries < 9 and progress.files == 0 for progress in told), told


# Reads a pipe that never ends and has no pages, so the reader is busy, and no Python code runs.
BUSY = """
import sys
import quick_sitemap
way, path = sys.argv[1:]
if way == "arrow":
    import pyarrow
    pyarrow.table(quick_sitemap.read_many(b"https://example.com/"))
try:
    if way == "read":
        list(quick_sitemap.read(path))
    elif way == "rows":
        list(quick_sitemap.read_many([path]))
    else:
        try:
            pyarrow.table(quick_sitemap.read_many([path]))
        except pyarrow.ArrowException as error:
            text = str(error)
            # Python raises KeyboardInterrupt when it runs again.
            for _ in range(1000):
                pass
except KeyboardInterrupt:
    sys.exit(7)
"""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has neither such pipes nor signals for other processes")
@pytest.mark.parametrize("way", ["read", "rows", "arrow"])
def test_ctrl_c_is_keyboard_interrupt(way, tmp_path):
    """After the signal, the reader takes only a small part of the bytes that it would accept. (Bytes are counted, not time.)"""
    if way == "arrow":
        pytest.importorskip("pyarrow")
    path = tmp_path / "pipe"
    os.mkfifo(path)
    chunk = b"<!-- nothing -->" * 4096
    with subprocess.Popen([sys.executable, "-c", BUSY, way, str(path)], stderr=subprocess.PIPE) as reader:
        with open(path, "wb", buffering=0) as pipe:
            pipe.write(b"<urlset>")
            for _ in range(100):
                pipe.write(chunk)
            reader.send_signal(signal.SIGINT)
            # The default of max_bytes is 500 MiB. A tenth of a second is less than half of this.
            left = 400 << 20
            try:
                while left > 0:
                    left -= pipe.write(chunk)
            except BrokenPipeError:
                pass
        errors = reader.stderr.read().decode()
        assert reader.wait(120) == 7, errors
    assert left > 0, "nobody has interrupted the reader"


def test_the_progress_bar_of_the_readme(files, monkeypatch):
    pytest.importorskip("tqdm", reason="!! tqdm is not there: the README's progress bar was NOT tested")
    pytest.importorskip("pyarrow")
    archive = files[0].parent / "archive"
    archive.mkdir()
    for path in files:
        path.rename(archive / path.name)
    monkeypatch.chdir(archive.parent)
    found = {"Path": Path}
    exec(readme_block("from tqdm"), found)
    assert found["bar"].n == found["bar"].total == len(files)
    assert found["table"].num_rows == len(list(read_many(found["paths"])))


def test_the_readme_has_a_program_for_the_network():
    """Each block of the README that fetches is run against a server on this machine, as it is written."""
    found = {}
    with answering(lambda path: (404 if "b.xml" in path else 200, {}, b"https://example.com/page\n")) as (local, _):
        exec(readme_block("urlopen").replace("https://example.com/", local), found)
        rows = list(found["sitemaps"])
    assert [row["loc"] for row in rows] == ["https://example.com/page", None]
    assert "404" in rows[1]["error"]
