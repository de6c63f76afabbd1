"""What the package says of itself: version, stubs, examples."""

import doctest
import importlib.metadata
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import quick_sitemap

FOLDER = Path(quick_sitemap.__file__).parent

# A program of a user; what must not pass has a comment, which each checker has to need.
PROGRAM = """
from collections.abc import AsyncIterator
import io
import urllib.request
import quick_sitemap
from quick_sitemap import COLUMNS, DEFAULT_COLUMNS, NoEntriesError, Page, Request, Response, Summary, crawl, crawl_async, read, read_many

batches = read_many(["a.xml", b"", ("name", b"")], columns=COLUMNS)
read_many("a.xml", columns=[*DEFAULT_COLUMNS, "host"], on_error="raise")
read_many("a.xml", columns=["loc", "skipped"])
for row in batches:
    print(row["loc"])
try:
    with read("a.xml") as pages:
        for page in pages:
            found: Page = page
            print(page.to_dict()["loc"], page.foreign, page.issues[0]["line"] + 1, found == page, {page})
        summary: Summary = pages.summary
        is_complete = summary.completeness == "complete"
except NoEntriesError as error:
    print(error.skipped + 1, error.kind)
print(quick_sitemap.__version__.upper())

def fetch(request: Request) -> Response:
    answer = urllib.request.urlopen(request.url)
    return Response(answer.status, answer.headers, answer, final_url=answer.url)

def wanted(sitemap: Page) -> bool:
    return "a" in sitemap.loc

with crawl("https://example.com/", fetch, jobs=8, sitemaps=wanted, hosts=["a.example"], max_pages=None) as crawled:
    for page in crawled:
        print(page.sitemap, page.loc.upper())
    print(crawled.summary.left_out[0].reason == "too-deep", crawled.issues[0]["sitemap"].upper(), crawled.save().upper())
    print(crawled.sitemaps[0].state == "done", crawled.sitemaps[0].failure)
bodies = [Response(200, {"a": "b"}, io.BytesIO()), Response(200, [(b"a", b"b")], iter([b""])), Response(304, close=print)]

async def parts() -> AsyncIterator[bytes]:
    yield b""

async def fetch_async(request: Request) -> Response:
    return Response(200, {}, parts())

async def main() -> None:
    async with crawl_async("https://example.com/", fetch_async, resume=None) as crawled:
        async for page in crawled:
            print(page.loc.upper())
    print(crawled.summary.completeness == "unknown")

crawl("https://example.com/", fetch_async)  # MUST FAIL
crawl_async("https://example.com/", fetch)  # MUST FAIL
Response(200, {}, ["a"])  # MUST FAIL
read_many("a.xml", columns=["url"])  # MUST FAIL
read("a.xml").summary.completeness == 1 + "x"  # MUST FAIL
"""


def test_version():
    assert quick_sitemap.__version__ == importlib.metadata.version("quick-sitemap")


def test_stubs_name_everything():
    assert (FOLDER / "py.typed").exists()
    stubs = (FOLDER / "__init__.pyi").read_text()
    for name in quick_sitemap.__all__:
        assert name in stubs, name
    for column in quick_sitemap.COLUMNS:
        assert f'"{column}"' in stubs, column
    for kind in (quick_sitemap.Page, quick_sitemap.Pages, quick_sitemap.Batches):
        for name in vars(kind):
            assert name.startswith("_") or f"def {name}(" in stubs, name


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
    own = subprocess.run([sys.executable, "-m", *command, str(FOLDER)], capture_output=True, text=True, cwd=tmp_path, timeout=500)
    assert own.returncode == 0, own.stdout + own.stderr
    lines = {int(line.split("program.py:")[1].split(":")[0]) for line in ran.stdout.splitlines() if "error" in line and "program.py:" in line}
    must_fail = {number for number, line in enumerate(PROGRAM.split("\n"), 1) if "MUST FAIL" in line}
    assert lines == must_fail, ran.stdout + ran.stderr


def test_the_stubs_are_what_there_is_at_run_time(tmp_path):
    pytest.importorskip("mypy", reason="!! mypy is not there: the stubs were NOT compared")
    command = [sys.executable, "-m", "mypy.stubtest", "quick_sitemap"]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=500)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_every_function_and_class_has_an_example():
    names = {name: getattr(quick_sitemap, name) for name in quick_sitemap.__all__}
    for name, object in {"module": quick_sitemap, **names}.items():
        is_error = inspect.isclass(object) and issubclass(object, Exception)
        if not callable(object) and name != "module":
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


def test_help_has_no_names_of_the_compiled_part():
    import pydoc

    for name in quick_sitemap.__all__:
        found = getattr(quick_sitemap, name)
        assert not inspect.isclass(found) or found.__module__ == "quick_sitemap", name
    names = list(inspect.signature(quick_sitemap.crawl).parameters)
    for name in names:
        assert name in quick_sitemap.crawl.__doc__, name
    assert list(inspect.signature(quick_sitemap.crawl_async).parameters) == names
    assert "read_many(sources, columns=None, on_error='row'" in pydoc.render_doc(quick_sitemap.read_many, renderer=pydoc.plaintext)
