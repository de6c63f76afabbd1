#!/usr/bin/env python3
"""A model of what allows a crawl to say that something is no longer listed: a site that changes night by night, a crawl that
knows only what it was answered, and a caller who deletes what he may. Nothing here knows HTTP, XML or time.

    crawl-model.py [seed] [seconds]              the ordinary sites, then random histories; a violation is shrunk and told
    crawl-model.py histories SEED COUNT          prints the ordinary sites and as many random histories as JSON, a line each,
                                                 with the answers of the site and of the model: the tests of crates/crawl
                                                 compare theirs (tests/histories/data.jsonl is from `histories 1 120`)

A *document* is a name, "host:path". Its content is (kind, items): ("index", documents), ("urlset" | "feed" | "text", pages),
("robots", documents); or no sitemap: "absent" (404, 410), "refused" (another 4xx), "page" (HTML). "!" among the items is an
entry that nobody can read (of robots.txt, a line).
"""
import json, random, sys, time
from collections import namedtuple

ROBOTS, PLACES = "m:robots", tuple(f"m:place{n}" for n in range(1, 8))
ABSENT, REFUSED, PAGE = ("absent", ()), ("refused", ()), ("page", ())
NO_SITEMAP, LISTS_PAGES, LISTS = ("absent", "refused", "page"), ("urlset", "feed", "text"), ("index", "robots")
COMPLETE, CHANGES, UNKNOWN, INCOMPLETE = range(4)
SETTLED = 2                                         # after so many quiet nights the store is what the site lists

# What can go wrong with one answer. "once": it looks like an answer that was meant, for one night; the second is believed.
FAILURES = ("500", "206", "cut", "403", "html", "entry once", "404 once", "empty once", "urlset once")
LOOKS = {"403": "refused", "html": "page", "404 once": "absent", "empty once": "empty", "urlset once": "urlset"}

# Changes {document: content} before it, failures {document: failure}, the most children of an index, does the server say 304?
Night = namedtuple("Night", "changes failures bound conditional", defaults=({}, None, True))
# One answer, as the crawl understood it. kind None: nothing was seen. `version` tells two contents apart, as an ETag does.
Reading = namedtuple("Reading", "kind items to_end skipped unchanged version", defaults=(0, False, None))
# What `end` gives for the next run. Without a version the document is asked for in full.
Known = namedtuple("Known", "kind items version is_whole skipped", defaults=((), None, True, 0))


def may_read(child, parent):
    """A document on another host may be read if robots.txt names it, or if its index stands there too."""
    return parent == ROBOTS or child.split(":")[0] in ("m", parent.split(":")[0])

def is_same(kind, other):
    """Lists of pages are one kind: only what is an index for one night and none the next is a surprise."""
    return kind == other or {kind, other} <= set(LISTS_PAGES)

# ---- The site -------------------------------------------------------------------------------------------------------

class Site:
    def __init__(self):
        self.documents, self.answers, self.last = {}, {}, {}

    def content(self, document):
        return self.documents.get(document, ABSENT)

    def is_hidden(self, document):
        """Whenever it was asked it has been refused, or was a page: nobody has ever been shown what it lists."""
        answers = self.answers.get(document, set()) - {None}
        return bool(answers) and answers <= {"refused", "page"}

    def listed(self):
        """The truth: what the site lists this night, whether or not it answers. Asked for after the crawl."""
        roots = [] if self.is_hidden(ROBOTS) else [(d, ROBOTS) for d in self.content(ROBOTS)[1] if d != "!"]
        if not roots:
            places = (p for p in PLACES if self.content(p)[0] not in NO_SITEMAP and not self.is_hidden(p))
            roots = [(p, ROBOTS) for p in places][:1]
        found, pages = set(), {}
        while roots:
            document, parent = roots.pop()
            if document in found or not may_read(document, parent):
                continue
            found.add(document)
            kind, items = self.content(document)
            if kind == "index":
                roots += [(child, document) for child in items if child != "!"]
            elif kind in LISTS_PAGES:
                pages[document] = set(items) - {"!"}
        return found, pages

    def answer(self, document, night, known):
        (kind, items), failure = self.content(document), night.failures.get(document)
        good, bad = tuple(i for i in items if i != "!"), items.count("!")
        name = LISTS_PAGES if kind in LISTS_PAGES else kind
        shape = kind if kind in NO_SITEMAP else "empty" if kind in LISTS and not items else (name, bad)
        before, was_meant = self.last.get(document, (None, True))
        looks = (name, bad + 1) if failure == "entry once" else LOOKS.get(failure)
        if failure and failure.endswith("once"):
            # The crawl cannot tell what never was otherwise: not the night before, not when a guess is asked first.
            is_first_guess = before is None and (document == ROBOTS or document in PLACES)
            is_possible = {"empty once": kind in LISTS, "entry once": bool(good),
                           "urlset once": kind == "index" and before and before[0] == "index"}.get(failure, True)
            if not was_meant or looks == before or is_first_guess or not is_possible:
                failure = looks = None
        version = ((kind, items), failure)
        if failure in ("500", "206") or failure == "cut" and document == ROBOTS:
            reading = Reading(None, (), False)
        elif looks in NO_SITEMAP:
            reading = Reading(looks, (), True)
        elif looks in ("empty", "urlset"):
            reading = Reading(*((kind, ()) if looks == "empty" else ("urlset", ("/1",))), True, version=version)
        elif failure == "entry once":
            reading = Reading(kind, good[1:], True, bad + 1, version=version)
        elif night.conditional and known and known.version == version:
            reading = Reading(known.kind, known.items, True, known.skipped, True, version)
        elif failure == "cut" and kind not in NO_SITEMAP:
            reading = Reading(kind, good[:len(items) // 2], False)
        else:
            reading = Reading(kind, good, True, bad, version=version)
        if reading.kind:
            self.last[document] = (looks or shape, looks is None or looks == shape)
        self.answers.setdefault(document, set()).add(reading.kind)
        return reading

# ---- The crawl ------------------------------------------------------------------------------------------------------

class Crawl:
    """One run. It knows the rows that were kept, the answers, and nothing else."""

    def __init__(self, site, known, night):
        self.known, self.readings, self.places = known, {}, []
        self.listed, self.foreign, self.left_out, self.bounded = set(), set(), set(), set()
        robots = self.readings[ROBOTS] = site.answer(ROBOTS, night, None)     # never asked for with validators
        queue = [(d, ROBOTS) for d in robots.items]
        if robots.kind and not robots.items:                                  # understood, and it names none
            for place in PLACES:
                self.places.append(place)
                reading = self.readings[place] = site.answer(place, night, known.get(place))
                if reading.kind not in NO_SITEMAP:                            # a sitemap ends the search, a failure too
                    queue += [(place, ROBOTS)] if reading.kind else []
                    break
        while queue:
            document, parent = queue.pop(0)
            if not may_read(document, parent):
                self.foreign.add(document)
                continue
            if document in self.listed:
                continue
            self.listed.add(document)
            if document not in self.readings:
                self.readings[document] = site.answer(document, night, known.get(document))
            reading = self.readings[document]
            children = reading.items if reading.kind == "index" else ()
            if night.bound is not None and len(children) > night.bound:
                self.bounded.add(document)                                    # not all that it lists is kept
                # What may not be read does not count, nor what robots.txt names, which is read in any case.
                counted = [c for c in children if may_read(c, document) and c not in robots.items]
                self.left_out.update(counted[night.bound:])
                children = [c for c in children if c not in counted[night.bound:]]
            queue += [(child, document) for child in children]
        self.foreign -= self.listed

    def end(self, document):
        """The `Known` of the next run, or None: the row that there is stays."""
        reading, before = self.readings[document], self.known.get(document)
        if reading.kind is None or reading.kind in ("refused", "page") and before is not None:
            return None                                         # so only what was refused from the first has a row that says so
        if reading.kind in NO_SITEMAP:
            return Known("absent" if reading.kind == "absent" else "refused")
        if not reading.to_end or document in self.bounded:
            return Known(reading.kind, is_whole=False)          # the kind alone: the next run asks in full
        # What is not believed yet is asked for in full the next night: a 304 returns nothing to compare the rows with.
        version = reading.version if self.is_whole(document) and not self.surprises(document) else None
        return Known(reading.kind, reading.items, version, True, reading.skipped)

    def is_whole(self, document):
        """It was read to its end, and no more entries were skipped than its row says: these list nothing."""
        reading, before = self.readings[document], self.known.get(document)
        if not reading.to_end or not reading.skipped:
            return reading.to_end
        return before is not None and is_same(before.kind, reading.kind) and before.skipped == reading.skipped

    def surprises(self, document):
        """It lists less than its row says, all at once: absent, empty, of another kind. The next night has to say so too."""
        reading, before = self.readings[document], self.known.get(document)
        if reading.kind == "absent" or reading.kind in LISTS and not reading.items:
            return before is None or before.kind != reading.kind or not before.is_whole or bool(before.items)
        kinds = {before.kind, reading.kind} if before else set()
        return "index" in kinds and bool(kinds & set(LISTS_PAGES))

    def is_known(self, document):
        """Is it known which sitemaps it lists? (What lists pages needs no more than to be seen to its end.)"""
        reading, before = self.readings[document], self.known.get(document)
        if reading.kind in ("refused", "page"):
            is_guess = document == ROBOTS or document in self.places and document not in self.listed
            return is_guess and before is not None and before.kind == "refused"
        if reading.kind is None or self.surprises(document):
            return False
        return self.is_whole(document) or reading.to_end and reading.kind in LISTS_PAGES

    def not_looked(self):
        """What keeps this run from saying that a sitemap is not listed; if it is empty, the run may say so."""
        asked = {ROBOTS, *self.places, *self.listed}
        reads_a_page = any(r.kind in LISTS_PAGES and r.to_end and r.items for r in self.readings.values())
        return {d for d in asked if not self.is_known(d)} | self.left_out | (set() if reads_a_page else {"no page was read"})

    def gone(self, kept):
        """Of these, what nothing lists: a set, or None if it cannot be said. What was asked is not gone, and what is seen
        to be listed needs no licence, so if that is all there is, the answer is the empty set on any night."""
        gone = set(kept) - self.listed - {ROBOTS, *self.places}
        return None if gone and self.not_looked() else gone

    def rows_may_go(self):
        """The sitemaps of which a row (sitemap, loc) that was not returned may be deleted."""
        return {d for d, r in self.readings.items() if not self.surprises(d) and (
            r.kind == "absent" or r.kind in LISTS_PAGES + ("index",) and not r.unchanged and self.is_whole(d))}

    def pages_may_go(self):
        """May a page go that no row has? A page shifts from part to part, so each part that is listed was read whole."""
        return not self.not_looked() and all(self.is_whole(d) for d in self.listed)

    def coverage(self):
        """The worst of all."""
        robots, worst = self.readings[ROBOTS], COMPLETE
        if robots.kind is None or self.left_out or self.foreign or any(self.readings[p].kind is None for p in self.places):
            worst = INCOMPLETE
        for document, reading in self.readings.items():
            is_listed = document in self.listed
            if is_listed and (reading.kind is None or reading.kind in NO_SITEMAP or not reading.to_end or reading.skipped):
                worst = INCOMPLETE
            is_first = document not in self.known and reading.kind != "index"     # a site without robots.txt is no surprise
            if reading.kind in ("refused", "page", "feed", "text") or reading.skipped or self.surprises(document) and not is_first:
                worst = max(worst, UNKNOWN)
            if reading.unchanged:
                worst = max(worst, CHANGES)
        if not any(r.kind in LISTS_PAGES and r.items for r in self.readings.values()):
            worst = max(worst, UNKNOWN)
        return worst

    def returned(self):
        return {d: set(self.readings[d].items) for d in self.listed
                if self.readings[d].kind in LISTS_PAGES and not self.readings[d].unchanged}

# ---- The caller -----------------------------------------------------------------------------------------------------

class Store:
    def __init__(self):
        self.known, self.rows, self.pages = {}, set(), set()

    def night(self, crawl):
        """First what came, then what may go: rows, sitemaps (their `Known` with their rows), at last pages."""
        returned = crawl.returned()
        self.rows |= {(d, page) for d, pages in returned.items() for page in pages}
        self.pages |= {page for _, page in self.rows}
        may_go = crawl.rows_may_go()
        self.rows = {(d, p) for d, p in self.rows if d not in may_go or p in returned.get(d, ())}
        self.known.update((d, known) for d in crawl.readings if (known := crawl.end(d)))
        gone = crawl.gone(set(self.known) | {d for d, _ in self.rows})
        self.rows = {(d, p) for d, p in self.rows if d not in (gone or ())}
        self.known = {d: known for d, known in self.known.items() if d not in (gone or ())}
        if crawl.pages_may_go():
            self.pages &= {page for _, page in self.rows}
        return gone

# ---- The judge ------------------------------------------------------------------------------------------------------

def run(history, quiet=SETTLED + 1, log=None):
    """The first thing that goes wrong, or None."""
    site, store = Site(), Store()
    for number, night in enumerate(history + [Night({})] * quiet):
        site.documents.update(night.changes)
        had, rows = set(store.pages), set(store.rows)
        crawl = Crawl(site, dict(store.known), night)
        gone, coverage = store.night(crawl), crawl.coverage()
        documents, pages = site.listed()
        truth, returned = {(d, p) for d, ps in pages.items() for p in ps}, set().union(*crawl.returned().values())
        listed = {page for _, page in truth}
        if log:
            log(number, night, crawl, gone, store, listed)
        for wrong, what in (((had & listed) - store.pages, "a listed page is deleted"),
                            ((rows & truth) - store.rows, "a listed row is deleted"),
                            (not listed and had - store.pages, "a site that lists nothing empties the store"),
                            (number == 0 and gone is None, "the first night cannot say that nothing is gone"),
                            ((gone or set()) & documents, "a listed sitemap is called gone"),
                            (coverage == COMPLETE and listed - returned, "Complete, and a listed page was not returned"),
                            (coverage <= CHANGES and listed - store.pages, "Changes, and a listed page is in no row")):
            if wrong:
                return what
        quiet_nights = number + 1 - len(history)
        if quiet_nights >= SETTLED and is_ordinary(site, documents, pages):
            if (store.rows, store.pages) != (truth, listed):
                return "a dead page, row or sitemap stays"
            if quiet_nights > SETTLED and (gone != set() or crawl.not_looked()):
                return "a quiet night calls something gone, or cannot say"
    return None


def is_ordinary(site, documents, pages):
    """False where the words give up liveness, and say so: nothing is listed; a listed document is refused or a page; so is
    robots.txt or a usual place that was something else before."""
    closed = [d for d in {ROBOTS, *PLACES} & set(site.answers) | documents if site.content(d)[0] in ("refused", "page")]
    return any(pages.values()) and not documents & set(closed) and all(site.is_hidden(d) for d in closed)

# ---- The ordinary sites: (first coverage, last, nights); after SETTLED quiet nights the store is what it lists -----------------

def ordinary():
    site = lambda robots, **documents: {ROBOTS: robots, **{"m:" + d: content for d, content in documents.items()}}
    names, index, urls = (lambda *d: ("robots", tuple("m:" + x for x in d))), (lambda *d: ("index", d)), (lambda *p: ("urlset", p))
    shop = {f"m:s{n}": urls(f"/{n}", f"/{n}b") for n in range(20)}
    shop_index = {"m:i": index(*shop), ROBOTS: names("i")}
    shifted = {f"m:s{n}": urls(f"/{n}b", f"/{n + 1}") if n < 19 else urls("/19b") for n in range(20)}     # /0 goes
    prints = {f"m:t{n}": content for n, (_, content) in enumerate(shop.items())}
    nested = {"m:i": index("m:j"), "m:j": index(*shop)}
    plain = site(names("i"), i=index("m:a", "m:b"), a=urls("/1"), b=urls("/2"))
    blog = site(ABSENT, place1=urls("/1", "/2"))
    refused = site(REFUSED, place1=index("m:a", "m:b"), a=urls("/1"), b=urls("/2"))
    less, down = {"m:i": index("m:a"), "m:b": ABSENT}, {d: "404 once" for d in plain}
    return {
        "a blog without robots.txt": (COMPLETE, CHANGES, [Night(blog), Night({"m:place1": urls("/2", "/3")})]),
        "its usual place changes": (COMPLETE, CHANGES, [Night(blog), Night({"m:place1": ABSENT, "m:place2": urls("/2")})]),
        "a shop, pages shift, one part fails": (COMPLETE, CHANGES, [Night(shop | shop_index), Night(shifted, {"m:s4": "500"}), Night({})]),
        "new names for all parts, one fails": (COMPLETE, CHANGES, [Night(shop | shop_index), Night(
            prints | dict.fromkeys(shop, ABSENT) | {"m:i": index(*prints)}, {"m:t3": "403"})]),
        "parts move into a new index that fails": (COMPLETE, CHANGES, [Night(shop | shop_index), Night(nested, {"m:j": "500"}), Night({}, {"m:j": "404 once"})]),
        "a nested index goes with its parts": (COMPLETE, CHANGES, [Night(shop | shop_index | nested), Night({"m:i": index("m:s1"), "m:j": ABSENT})]),
        "a part is 404 for ever": (INCOMPLETE, INCOMPLETE, [Night(plain | {"m:i": index("m:a", "m:b", "m:x")}), Night({"m:b": ABSENT})]),
        "an index is 404 for ever": (INCOMPLETE, INCOMPLETE, [Night(plain | {ROBOTS: names("i", "j")}), Night(less)]),
        "an index becomes a urlset": (COMPLETE, CHANGES, [Night(plain), Night({"m:i": urls("/2"), "m:a": ABSENT, "m:b": ABSENT})]),
        "an index is empty, a sitemap beside": (COMPLETE, CHANGES, [Night(plain | {ROBOTS: names("i", "c"), "m:c": urls("/3")}), Night({"m:i": index()})]),
        "all is 404 for a night": (COMPLETE, CHANGES, [Night(plain), Night({}, down), Night(less)]),
        "a feed beside": (UNKNOWN, UNKNOWN, [Night(plain | {ROBOTS: names("i", "f"), "m:f": ("feed", ("/2", "/9"))}), Night({"m:f": ("feed", ("/2",))})]),
        "robots.txt is 403 for ever": (UNKNOWN, UNKNOWN, [Night(refused), Night(less | {"m:place1": index("m:a")})]),
        "robots.txt is a page for ever": (UNKNOWN, UNKNOWN, [Night(refused | {ROBOTS: PAGE}), Night({"m:place1": index("m:a")})]),
        "robots.txt names others, is a page once": (COMPLETE, CHANGES, [Night(plain), Night({ROBOTS: names("a")}, {ROBOTS: "html"}), Night({})]),
        "a listed document on another host": (INCOMPLETE, INCOMPLETE, [Night(plain | {"m:i": index("m:a", "m:b", "o:x")}), Night({"m:i": index("m:a", "o:x")})]),
        "a sitemap on a CDN": (COMPLETE, CHANGES, [Night({ROBOTS: ("robots", ("o:x",)), "o:x": index("o:y"), "o:y": urls("/1", "/2")}), Night({"o:y": urls("/2")})]),
        "an entry that is malformed for ever": (INCOMPLETE, INCOMPLETE, [Night(plain | {"m:a": urls("!", "/1")}), Night({"m:a": urls("!", "/3")})]),
        "a page goes, all but one are unchanged": (COMPLETE, CHANGES, [Night(shop | shop_index), Night({"m:s4": urls("/4")})]),
        "a sitemap goes, another one fails": (COMPLETE, CHANGES, [Night(shop | shop_index), Night(
            {"m:i": index(*(d for d in shop if d != "m:s3")), "m:s3": ABSENT}, {"m:s7": "500"}), Night({})]),
        "robots.txt is something else for a night": (COMPLETE, CHANGES, [Night(shop | shop_index)] + [
            Night({"m:s4": urls(f"/4{n}")}, {ROBOTS: failure}) for n, failure in enumerate(("html", "403", "500", "206", "empty once", "404 once"))]),
        "an index is something else for a night": (COMPLETE, CHANGES, [Night(shop | shop_index)] + [
            Night({"m:s4": urls(f"/4{n}")}, {"m:i": failure}) for n, failure in enumerate(("empty once", "206", "cut", "entry once", "urlset once", "html"))]),
        "a part is something else for a night": (COMPLETE, CHANGES, [Night(shop | shop_index)] + [
            Night({"m:s4": urls(f"/4{n}")}, {"m:s5": failure}) for n, failure in enumerate(("206", "cut", "entry once", "404 once", "403"))]),
        "an index is empty for ever": (COMPLETE, UNKNOWN, [Night(shop | shop_index), Night({"m:i": index()})]),
        "an index that two others list": (COMPLETE, CHANGES, [Night(plain | {ROBOTS: names("j", "k"), "m:j": index("m:i"), "m:k": index("m:i")}), Night({"m:j": index("m:a")}, {"m:k": "500"})]),
    }

# ---- Random histories -----------------------------------------------------------------------------------------------

PARTS, PAGES = ["m:i", "m:j", "m:a", "m:b", "m:c"], ["/1", "/2", "/3"]
EVERYTHING = [ROBOTS, *PLACES[:2], *PARTS, "o:x"]


def random_content(rng, document):
    some = lambda things, most: tuple(sorted(rng.sample(things, rng.randint(0, most)) + ["!"] * (rng.random() < 0.07)))
    if document == ROBOTS:
        return rng.choice([("robots", some([*PLACES[:2], *PARTS, "o:x"], 2)), ("robots", ()), ABSENT, REFUSED, PAGE])
    kind = rng.choices(["index", "urlset", "feed", "absent", "refused", "page"], [8, 8, 2, 3, 1, 1])[0]
    if document in ("m:a", "m:b", "m:c", "o:x") and rng.random() < 0.8:
        kind = "urlset"
    return kind, some(PARTS + ["o:x"], 3) if kind == "index" else some(PAGES, 3) if kind in LISTS_PAGES else ()


def random_history(rng):
    documents = {d: random_content(rng, d) for d in EVERYTHING if rng.random() < 0.9}
    changes, history = dict(documents), []
    for _ in range(rng.randint(1, 6)):
        failures = {rng.choice(EVERYTHING): rng.choice(FAILURES) for _ in range(rng.choice([0, 0, 1, 1, 2, 3]))}
        history.append(Night(changes, failures, rng.choice([None] * 8 + [0, 1, 2]), rng.random() < 0.7))
        changes = {}
        for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
            one, two = rng.sample(EVERYTHING, 2)
            (kind1, items1), (kind2, items2) = documents.get(one, ABSENT), documents.get(two, ABSENT)
            change = rng.choice(["content", "move", "name"])
            if change == "content":
                changes[one] = random_content(rng, one)
            elif change == "move" and items1 and ({kind1, kind2} <= set(LISTS) or {kind1, kind2} <= set(LISTS_PAGES)):
                item = rng.choice(items1)
                changes[one], changes[two] = (kind1, tuple(i for i in items1 if i != item)), (kind2, tuple(sorted({*items2, item})))
            elif change == "name" and ROBOTS not in (one, two):
                renamed = lambda items: tuple(sorted({two if i == one else i for i in items}))
                changes.update({d: (k, renamed(i)) for d, (k, i) in documents.items() if k in LISTS})
                changes[two] = documents.get(one, ABSENT)
                changes[one] = rng.choice([ABSENT, changes[two]])
            documents.update(changes)
    return history


def shrink(history, wrong):
    """Fewer nights, changes, failures, items, as long as the same goes wrong."""
    def smaller():
        for n, night in enumerate(history):
            changes, put = night.changes, lambda **fields: history[:n] + [night._replace(**fields)] + history[n + 1:]
            yield history[:n] + [Night({**changes, **h.changes}, *h[1:]) for h in history[n + 1:n + 2]] + history[n + 2:]
            yield from (put(failures={d: f for d, f in night.failures.items() if d != gone}) for gone in night.failures)
            yield from (put(**{field: value}) for field, value in (("bound", None), ("conditional", False)) if night._asdict()[field] != value)
            yield from (put(changes={d: c for d, c in changes.items() if d != gone}) for gone in changes)
            yield from (put(changes={**changes, d: (kind, items[:n] + items[n + 1:])})
                        for d, (kind, items) in changes.items() for n in range(len(items)))
    while (better := next((h for h in smaller() if h and run(h) == wrong), None)) is not None:
        history = better
    return history


def tell(number, night, crawl, gone, store, listed):
    short = lambda things: " ".join(sorted(things)).replace("m:", "")
    changes = [f"{d} = {short([kind])} {short(items)}" for d, (kind, items) in night.changes.items()]
    print(f"  {number + 1}. {short(changes)} {night.failures or ''} {'' if night.bound is None else night.bound}|",
          f"coverage {crawl.coverage()}, not looked: {short(crawl.not_looked())}, gone: {gone}, kept {short(store.pages)}, listed {short(listed)}")


# ---- The histories as JSON --------------------------------------------------------------------------------------------

def recorded(name, history, quiet=SETTLED + 1):
    """What the site answers to each request of each night, and what the model concludes. A night without changes stands for
    one in which the site answers well."""
    site, store, versions, nights = Site(), Store(), {}, []
    for night in history + [Night({})] * quiet:
        site.documents.update(night.changes)
        answers, answer = {}, site.answer

        def record(document, night, known):
            reading = answer(document, night, known)
            version = versions.setdefault((document, reading.version), len(versions))
            answers[document] = [reading.kind, reading.items, reading.to_end, reading.skipped, version, reading.unchanged]
            return reading
        site.answer = record
        crawl = Crawl(site, dict(store.known), night)
        site.answer = answer
        gone, kinds = store.night(crawl), {}
        for document, known in store.known.items():
            kind = "pages" if known.kind in LISTS_PAGES else "index" if known.kind in LISTS else known.kind
            kinds[document] = [kind, known.is_whole]
        _, listed = site.listed()
        nights.append({
            "listed": sorted(set().union(*listed.values())),
            "bound": night.bound, "conditional": night.conditional, "answers": answers, "gone": None if gone is None else sorted(gone),
            "pages_may_go": crawl.pages_may_go(), "coverage": ("complete", "changes", "unknown", "incomplete")[crawl.coverage()],
            "known": kinds, "rows": sorted(store.rows), "pages": sorted(store.pages)})
    return json.dumps({"name": name, "nights": nights}, separators=(",", ":"))


def histories(seed, count):
    for name, (*_, history) in ordinary().items():
        print(recorded(name, history))
    for number in range(int(count)):
        print(recorded(f"random {seed} {number}", random_history(random.Random(f"{seed} {number}"))))


def main():
    if sys.argv[1:2] == ["histories"]:
        return histories(*sys.argv[2:])
    seed, seconds = (sys.argv[1:] + ["1", "60"][len(sys.argv) - 1:])[:2]
    for name, (*coverage, history) in ordinary().items():
        seen = []
        wrong = run(history, log=lambda number, night, crawl, *_: seen.append(crawl.coverage()))
        assert (wrong, seen[0], seen[-1]) == (None, *coverage), (name, wrong, seen)
    count, end = 0, time.process_time() + float(seconds)
    while time.process_time() < end:
        history, count = random_history(random.Random(f"{seed} {count}")), count + 1
        if wrong := run(history):
            print(wrong)
            run(shrink(history, wrong), log=tell)
            sys.exit(1)
    print(f"{len(ordinary())} ordinary sites and {count} random histories: nothing goes wrong")


if __name__ == "__main__":
    main()
