"""The metadata of the package: version, stubs, examples."""

import doctest
import importlib.metadata
import inspect
import subprocess
import sys
import typing
from pathlib import Path

import pytest

from conftest import HALF

import quick_sitemap

FOLDER = Path(quick_sitemap.__file__).parent
PARTS = FOLDER.parent / "_quick_sitemap"

# A program of a user. Lines that must not pass have a comment, which each checker must require.
PROGRAM = """
from collections.abc import AsyncIterator
import io
import urllib.request
import quick_sitemap
from quick_sitemap import (
    COLUMNS, Column, CrawlColumn, DEFAULT_COLUMNS, Image, Issue, NoEntriesError, Page, Request, Response, Sitemap, Summary, Table, crawl, crawl_async,
    crawl_table, fetch as clients, read, read_many
)

batches: Table = read_many(["a.xml", b"", ("name", b"")], columns=COLUMNS)
read_many({"name": b"", "other": lambda: b""})
read_many("a.xml", columns=[*DEFAULT_COLUMNS, "host"], on_error="raise")
names: list[Column] = ["loc", "skipped"]
read_many("a.xml", columns=names)
for row in batches:
    print(row["loc"])
try:
    with read("a.xml") as pages:
        for page in pages:
            found: Page = page
            print(page.to_dict()["loc"], page.foreign[0].name, page.issues[0].line + 1, found == page, {page})
            images: list[Image] = page.images
            print(page.to_dict()["images"][0]["caption"], page.videos[0].rating, page.alternates[0].href)
            published = page.news.publication_date if page.news else None
            print(published.year if published else None)
        summary: Summary = pages.summary
        is_complete = summary.completeness == "complete"
except NoEntriesError as error:
    print(error.skipped + 1, error.kind)
print(quick_sitemap.__version__.upper())

def fetch(request: Request) -> Response:
    answer = urllib.request.urlopen(request.url)
    return Response(answer.status, answer.headers, answer, final_url=answer.url)

def wanted(sitemap: Sitemap) -> bool:
    return "a" in sitemap.url and (sitemap.lastmod is None or sitemap.lastmod.year > 2000)

with crawl("https://example.com/", fetch, jobs=8, select=wanted, allow_downgrade=True, hosts=["a.example"], max_pages=None) as crawled:
    for page in crawled:
        print(page.sitemap, page.loc.upper())
    print(crawled.summary.left_out[0].reason == "too-deep", crawled.issues[0].sitemap, crawled.save().upper())
    print(crawled.sitemaps[0].state == "done", crawled.sitemaps[0].failure)
bodies = [Response(200, {"a": "b"}, io.BytesIO()), Response(200, [(b"a", b"b")], iter([b""])), Response(304, close=print)]

crawl_names: list[CrawlColumn] = ["sitemap", "loc"]
for crawled_row in crawl_table("example.com", columns=crawl_names, jobs=2, on_progress=print):
    print(crawled_row["sitemap"], crawled_row["loc"])
crawl("example.com", clients.urllib(timeout=5))
crawl("example.com", clients.requests())
crawl("example.com", clients.httpx())
issue: Issue = crawl("example.com").issues[0]

async def parts() -> AsyncIterator[bytes]:
    yield b""

async def fetch_async(request: Request) -> Response:
    return Response(200, {}, parts())

async def main() -> None:
    async with crawl_async("https://example.com/", fetch_async, resume=None) as crawled:
        async for page in crawled:
            print(page.loc.upper())
    print(crawled.coverage == "changes", (crawled.gone({"a": 1}) or [])[0].upper(), crawled.may_go is None, (crawled.not_looked or "").upper())

crawl("https://example.com/", jbs=4)  # MUST FAIL
crawl_table("example.com", columns=["source"])  # MUST FAIL
page.images[0]["loc"]  # MUST FAIL
crawl("https://example.com/", fetch_async)  # MUST FAIL
crawl_async("https://example.com/", fetch)  # MUST FAIL
Response(200, {}, ["a"])  # MUST FAIL
read_many("a.xml", columns=["url"])  # MUST FAIL
read("a.xml").summary.completeness == 1 + "x"  # MUST FAIL
"""


def test_version():
    assert quick_sitemap.__version__ == importlib.metadata.version("quick-sitemap")


def test_stubs_name_everything():
    assert (FOLDER / "py.typed").exists() and (PARTS / "py.typed").exists()
    assert [path.name for folder in (FOLDER, PARTS) for path in folder.glob("**/*.pyi")] == ["_native.pyi"]
    stubs = (PARTS / "_native.pyi").read_text()
    for kind in (quick_sitemap.Page, quick_sitemap.Pages, quick_sitemap.Table):
        for name in vars(kind):
            assert name.startswith("_") or f"def {name}(" in stubs, name


def test_the_programs_of_the_readme_have_types(tmp_path):
    pytest.importorskip("mypy")
    readme = (Path(__file__).parent.parent / "README.md").read_text()
    programs = [block.split("```")[0] for block in readme.split("```python\n")[1:]]
    assert len(programs) > 8
    for number, program in enumerate(programs):
        (tmp_path / f"program_{number}.py").write_text(program)
    # The clients and the engines need not have types.
    options = ["--strict", "--disable-error-code=import-untyped", "--disable-error-code=import-not-found"]
    ran = subprocess.run([sys.executable, "-m", "mypy", *options, str(tmp_path)], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_types(checker, tmp_path):
    pytest.importorskip(checker, reason=f"!! {checker} is not there: the stubs were NOT checked by it")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    command = {
        "mypy": ["mypy", "--strict", "--no-error-summary", "--cache-dir", str(tmp_path / "cache")],
        "pyright": ["pyright", "--pythonpath", sys.executable],
    }[checker]
    ran = subprocess.run(
        [sys.executable, "-m", *command, str(program)], capture_output=True, text=True, cwd=tmp_path, timeout=500
    )
    own = subprocess.run([sys.executable, "-m", *command, str(FOLDER), str(PARTS)], capture_output=True, text=True, cwd=tmp_path, timeout=500)
    assert own.returncode == 0, own.stdout + own.stderr
    lines = {int(line.split("program.py:")[1].split(":")[0]) for line in ran.stdout.splitlines() if "error" in line and "program.py:" in line}
    must_fail = {number for number, line in enumerate(PROGRAM.split("\n"), 1) if "MUST FAIL" in line}
    assert lines == must_fail, ran.stdout + ran.stderr


def test_the_stubs_are_what_there_is_at_run_time(tmp_path):
    pytest.importorskip("mypy", reason="!! mypy is not there: the stubs were NOT compared")
    command = [sys.executable, "-m", "mypy.stubtest", "quick_sitemap", "_quick_sitemap._native"]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=500)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_every_function_and_class_has_an_example():
    names = {name: getattr(quick_sitemap, name) for name in dir(quick_sitemap) if not name.startswith("_")}
    for name, object in {"module": quick_sitemap, **names}.items():
        is_error = inspect.isclass(object) and issubclass(object, Exception)
        if typing.is_typeddict(object) or typing.get_origin(object) is typing.Literal:
            continue
        if not callable(object) and name not in ("module", "fetch"):
            continue
        texts = [object.__doc__ or ""]
        if inspect.isclass(object):
            texts += [member.__doc__ or "" for key, member in vars(object).items() if not key.startswith("_")]
        assert texts[0], name
        examples = 0
        for text in texts:
            example = doctest.DocTestParser().get_doctest(text, {**names, "quick_sitemap": quick_sitemap}, name, None, 0)
            assert doctest.DocTestRunner().run(example).failed == 0, name
            examples += len(example.examples)
        assert examples or is_error, name


def test_help():
    """The help begins with a list of names, and shows neither private modules nor private constructors."""
    import pydoc

    text = pydoc.render_doc(quick_sitemap, renderer=pydoc.plaintext)
    lines = [line.strip() for line in text.splitlines()]
    names = [line.split("(")[0] for line in lines[lines.index("DESCRIPTION") + 1 :]]
    assert len(lines) < 1_300
    assert names[:5] == ["read", "read_many", "crawl", "crawl_table", "crawl_async"]
    contents = text.split("PACKAGE CONTENTS")[1].split("\n\n")[0]
    assert contents.split() == ["__main__", "fetch"]
    assert "SUBMODULES" not in text and "crawling" not in text and "_native" not in text
    for name in quick_sitemap.__all__:
        found = getattr(quick_sitemap, name)
        assert not inspect.isclass(found) or found.__module__ == "quick_sitemap", name
    names = list(inspect.signature(quick_sitemap.crawl).parameters)
    for name in names:
        assert name in quick_sitemap.crawl.__doc__, name
    assert list(inspect.signature(quick_sitemap.crawl_async).parameters) == names
    own = ["columns", "batch_rows", "string_views"]
    assert list(inspect.signature(quick_sitemap.crawl_table).parameters) == names[:2] + own + names[2:]
    for function in (quick_sitemap.read, quick_sitemap.read_many, quick_sitemap.crawl, quick_sitemap.crawl_table):
        signature = inspect.signature(function)
        assert signature.return_annotation is not signature.empty
        for parameter in signature.parameters.values():
            assert parameter.annotation is not parameter.empty, (function, parameter)


def run(*arguments):
    return subprocess.run([sys.executable, "-m", "quick_sitemap", *map(str, arguments)], capture_output=True, text=True, timeout=60)


def test_the_command_line(files, urlset, tmp_path):
    helped = run()
    assert helped.returncode == 0 and "quick-sitemap-cli" in helped.stdout
    ran = run(files[0])
    assert ran.returncode == 0
    assert ran.stdout.splitlines()[:2] == ["https://example.com/a\t2024-05", "https://example.com/b?x=1&y=2"]
    assert ran.stderr == f"{files[0]}: 3 pages, 0 entries skipped, 0 values dropped\n"
    half = tmp_path / "half.xml"
    half.write_bytes(HALF)
    ran = run(half)
    assert ran.returncode == 1 and len(ran.stdout.splitlines()) == 2
    assert f"{half}:3:11: `words` is not an absolute http or https URL [invalid-url]" in ran.stderr
    ran = run(files[0], files[1])
    assert ran.returncode == 2 and len(ran.stdout.splitlines()) == 5 and "truncated" in ran.stderr
    assert run(tmp_path / "none.xml").returncode == 2


def test_notebooks(urlset):
    from html.parser import HTMLParser

    def texts(html):
        """The texts of a table, which is well-formed."""
        found, open_tags = [], []

        class Parser(HTMLParser):
            def handle_starttag(self, tag, attributes):
                open_tags.append(tag)

            def handle_endtag(self, tag):
                assert open_tags.pop() == tag

            def handle_data(self, data):
                found.append(data)

        Parser().feed(html)
        assert open_tags == []
        return found

    page = list(quick_sitemap.read(urlset))[1]
    assert texts(page._repr_html_())[:4] == ["kind", "url", "loc", page.loc]
    pages = quick_sitemap.read(b"<urlset><url><loc>https://example.com/</loc><priority><b>x</b></priority></url><url/></urlset>")
    with pytest.warns(quick_sitemap.SkippedEntriesWarning):
        assert len(list(pages)) == 1
    shown = texts(pages.issues._repr_html_())
    assert shown[:6] == ["rule", "effect", "message", "line", "column", "sitemap"] and "missing-loc" in shown
    assert texts(pages.summary._repr_html_())[:4] == ["entries", "1", "skipped", "1"]
    summary = quick_sitemap.crawl("example.com", lambda request: quick_sitemap.Response(404)).summary
    assert texts(summary._repr_html_())[:2] == ["sitemaps", "0"]
    for rows in (quick_sitemap.read_many([("a", b"https://example.com/a")]), quick_sitemap.crawl_table("example.com")):
        shown = texts(rows._repr_html_())
        assert shown[:2] == ["column", "type"] and "lastmod" in shown and shown[-1] == "not read to the end"
