"""python -m quick_sitemap FILE...: shows the pages of sitemaps, and reports their problems."""

from __future__ import annotations

import sys
import warnings

from . import SitemapError, __version__, read

HELP = f"""quick-sitemap {__version__} for Python

usage: python -m quick_sitemap FILE...

Prints the pages of each file on standard output, and its problems on standard error. The status is 1 if a file has
problems, and 2 if one cannot be read.

This is a small part of the program `sitemap`, which also checks, compares, writes and crawls: pip install quick-sitemap-cli
"""


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help"):
        print(HELP, end="")
        return 0
    # They are a part of the summary.
    warnings.simplefilter("ignore")
    return max(show(path) for path in arguments)


def show(path: str) -> int:
    """Shows one file, and returns its status."""
    try:
        with read(path) as pages:
            for page in pages:
                print(page.loc, page.lastmod_text or "", sep="\t" if page.lastmod_text else "")
                for issue in page.issues:
                    report(f"{path}:{issue.line}:{issue.column}: {issue.message} [{issue.rule}]")
    except (OSError, SitemapError) as error:
        report(f"{error}")
        return 2
    summary = pages.summary
    report(f"{path}: {summary.entries:,} pages, {summary.skipped:,} entries skipped, {summary.dropped:,} values dropped")
    return 1 if pages.issues else 0


def report(text: str) -> None:
    sys.stdout.flush()
    print(text, file=sys.stderr)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BrokenPipeError:
        # The reader, such as `head`, has enough.
        sys.stderr.close()
