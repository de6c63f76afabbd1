//! Pages of reports, as text and in a browser.

mod browser;
mod samples;
mod sentences;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use self::browser::{Browser, aloud};
use self::samples::{hostile, large, shop};
use super::{escape, write};
use crate::report::model::Report;
use crate::report::words;

fn page(report: &Report) -> String {
    let mut page = Vec::new();
    write(report, &mut page).unwrap();
    String::from_utf8(page).unwrap()
}

/// The page in a file, and in the folder that the variable QUICK_SITEMAP_SCREENSHOTS names, for inspection.
fn file(folder: &Path, name: &str, report: &Report) -> PathBuf {
    let path = folder.join(format!("{name}.html"));
    fs::write(&path, page(report)).unwrap();
    keep(&format!("{name}.html"), &fs::read(&path).unwrap());
    path
}

fn keep(name: &str, bytes: &[u8]) {
    if let Some(kept) = std::env::var_os("QUICK_SITEMAP_SCREENSHOTS") {
        fs::write(Path::new(&kept).join(name), bytes).unwrap();
    }
}

#[test]
fn the_page_has_the_report_as_json() {
    for report in [shop(), hostile(), Report::default()] {
        let page = page(&report);
        let (_, json) = page
            .split_once(r#"<script type="application/json" id="report">"#)
            .unwrap();
        let (json, _) = json.split_once("</script>").unwrap();
        assert!(!json.contains(['<', '>', '&', '\u{2028}']));
        let read: Report = serde_json::from_str(json).unwrap();
        // Passwords are hidden.
        let hidden = escape::json(&report).unwrap();
        assert_eq!(read, serde_json::from_str(&hidden).unwrap());
        if !hidden.contains("***@") {
            assert_eq!(read, report);
        }
    }
}

#[test]
fn a_page_is_smaller_than_a_megabyte() {
    let page = page(&large());
    assert!(page.len() < 1_000_000, "{}", page.len());
    // One row of a thousand has errors: it is among those that are shown.
    assert!(page.contains("sitemap-700.xml.gz</bdi>"));
    assert!(page.contains(
        "1,000 sitemaps read, 1 not read, broken ones first; 800 of them are not in this table"
    ));
}

#[test]
fn only_web_urls_are_links() {
    for (text, target) in [
        (
            "https://user:secret@example.com/a",
            Some("https://example.com/a"),
        ),
        (
            "http://example.com/?a=\"b",
            Some("http://example.com/?a=%22b"),
        ),
        ("javascript:alert(1)", None),
        ("data:text/html,x", None),
        (" https://example.com/", None),
        ("ftp://example.com/", None),
        ("sitemap.xml", None),
        ("https:example.com", None),
        ("java\nscript:x", None),
    ] {
        assert_eq!(escape::target(text).as_deref(), target, "{text}");
    }
    let page = page(&hostile());
    assert!(!page.contains("pass-word"));
    assert!(!page.contains('\u{202e}'));
    assert!(page.contains("https://***@example.com/\\u{202e}lmx"));
    assert!(!page.to_lowercase().contains("href=\"javascript:"));
}

#[test]
fn the_page_has_no_gaps() {
    // Without data, every part contains a sentence that there is none.
    let page = page(&Report::default());
    for said in [
        "No sitemap was read.",
        "No problems were found.",
        "No page has a date.",
        "No page has alternates (hreflang).",
        "No entry has images, videos or news.",
    ] {
        assert!(page.contains(said), "{said}");
    }
    for part in [
        "id=\"folders\"",
        "id=\"changes\"",
        "id=\"probe\"",
        "id=\"history\"",
    ] {
        assert!(!page.contains(part), "{part}");
    }
}

#[test]
fn numbers_as_the_page_says_them() {
    let bytes = [1, 999, 1_000, 52_428_800, 999_960].map(|number| words::bytes(&number));
    let expected = ["1 byte", "999 bytes", "1.0 kB", "52.4 MB", "1.0 MB"];
    assert_eq!(bytes, expected);
    let share = [(0, 0), (1, 1_000), (999, 1_000), (1, 2), (3, 2)]
        .map(|(part, whole)| words::share(part, whole));
    assert_eq!(share, ["0%", "<1%", ">99%", "50%", "150%"]);
    let age = |date| words::age(date, "2026-11-22T20:15:00Z").unwrap();
    assert_eq!(age("2026-11-22T07:00:00Z"), "on the day of this report");
    assert_eq!(age("2026-11-20"), "2 days before this report");
    assert_eq!(age("2026-08"), "3 months before this report");
    assert_eq!(age("2019"), "7 years before this report");
    assert_eq!(age("2027-01-01"), "later than this report");
    let minute = words::minute("2026-11-22T20:15:09+01:00");
    assert_eq!(minute, "2026-11-22 19:15 UTC");
    assert_eq!(words::age("yesterday", "2026-11-22T20:15:00Z"), None);
    let delta = [(5, 3), (3, 1_204), (1, 1)].map(|(before, now)| words::delta(before, now));
    let delta = delta.each_ref().map(Option::as_deref);
    assert_eq!(delta, [Some("▾ 2"), Some("▴ 1,201"), None]);
}

/// The text in coloured cells is readable in both themes, at the ratio that WCAG 2 requires (AA, 1.4.3). axe-core does
/// not look into drawings.
#[test]
fn texts_stand_out() {
    let style = super::STYLE;
    let colour = |theme: &str, name: &str| {
        let (_, rest) = theme.split_once(&format!("--{name}: ")).unwrap();
        let (value, _) = rest.split_once(';').unwrap();
        let six = match value.len() {
            4 => value
                .chars()
                .skip(1)
                .flat_map(|digit| [digit, digit])
                .collect(),
            _ => value[1..].to_owned(),
        };
        let number = u32::from_str_radix(&six, 16).unwrap();
        let parts = [16, 8, 0].map(|shift| f64::from(number >> shift & 0xff) / 255.0);
        let linear = |part: f64| {
            if part <= 0.04045 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * linear(parts[0]) + 0.7152 * linear(parts[1]) + 0.0722 * linear(parts[2])
    };
    let (light, dark) = style
        .split_once("@media screen and (prefers-color-scheme: dark)")
        .unwrap();
    let names = [("a", 0..6), ("f", 0..5)];
    let names = names
        .into_iter()
        .flat_map(|(kind, range)| range.map(move |number| format!("{kind}{number}")));
    let coloured = names.map(|name| (format!("on-{name}"), name));
    let plain = ["ink", "soft", "link", "bad", "warn", "good"]
        .map(|name| (name.to_owned(), "paper".to_owned()));
    let raised =
        ["ink", "soft", "link", "bad", "warn"].map(|name| (name.to_owned(), "raised".to_owned()));
    for (text, ground) in coloured.chain(plain).chain(raised) {
        for (theme, name) in [(light, "light"), (dark, "dark")] {
            let (one, other) = (colour(theme, &text), colour(theme, &ground));
            let ratio = (one.max(other) + 0.05) / (one.min(other) + 0.05);
            assert!(ratio >= 4.5, "{text} on {ground} ({name}): {ratio:.2}");
        }
    }
}

/// Events since the page was opened, other than loading it.
fn assert_quiet(browser: &Browser, name: &str) {
    for request in browser.parameters("Network.requestWillBeSent") {
        let url = request["request"]["url"].as_str().unwrap();
        let is_page = url.starts_with("file:///") && url.ends_with(".html");
        assert!(is_page || url == "data:,", "{name}: {url}");
    }
    for event in [
        "Log.entryAdded",
        "Runtime.consoleAPICalled",
        "Runtime.exceptionThrown",
        "Page.javascriptDialogOpening",
    ] {
        let found = browser.parameters(event);
        assert!(found.is_empty(), "{name}: {event}: {found:?}");
    }
}

/// Nothing is wider than the window.
fn assert_fits(browser: &mut Browser, width: u32, name: &str) {
    let wider = "[...document.querySelectorAll('body *')].filter(element => element.getBoundingClientRect().right > WIDTH && !element.closest('.scroll *, pre *, svg *')).slice(-5).map(element => element.outerHTML.slice(0, 200))";
    let script = format!("document.documentElement.scrollWidth <= WIDTH ? [] : {wider}");
    let found = browser.value(&script.replace("WIDTH", &width.to_string()));
    assert_eq!(found, json!([]), "{name} {width}");
}

#[test]
fn the_page_in_a_browser() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let pages = [
        ("shop", shop()),
        ("hostile", hostile()),
        ("empty", Report::default()),
        ("large", large()),
    ];
    let files = pages.map(|(name, report)| (name, file(folder.path(), name, &report)));
    // The variable names the `axe.min.js` of axe-core.
    let axe = std::env::var_os("QUICK_SITEMAP_AXE").map(|axe| fs::read_to_string(axe).unwrap());
    if axe.is_none() {
        aloud("!! QUICK_SITEMAP_AXE is not set: axe-core was NOT asked about the page of a report");
    }
    for (name, path) in &files {
        for (width, is_dark) in [(1_440, false), (375, true)] {
            browser.open(path, width, is_dark, true);
            assert_fits(&mut browser, width, name);
            assert_quiet(&browser, name);
            // A large page has all parts of a small one.
            if let Some(axe) = axe.as_deref().filter(|_| *name != "large") {
                accessible(&mut browser, axe, &format!("{name} {width} {is_dark}"));
            }
        }
    }
    let [(_, shop), (_, hostile), (_, empty), (_, large)] = &files;
    it_looks_as_the_reader_wants(&mut browser, shop);
    texts_have_room(&mut browser, shop);
    tables_sort(&mut browser, shop);
    the_treemap_opens(&mut browser, shop);
    the_treemap_opens_by_keys(&mut browser, shop);
    nothing_is_attacked(&mut browser, hostile);
    words_come_first(&mut browser, shop);
    without_script(&mut browser, &[shop, hostile, empty, large]);
    it_can_be_printed(&mut browser, shop);
}

fn it_looks_as_the_reader_wants(browser: &mut Browser, shop: &Path) {
    let mut pictures = Vec::new();
    for (width, is_dark) in [(1_440, false), (1_440, true), (375, false), (375, true)] {
        browser.open(shop, width, is_dark, true);
        let paper = browser.value("getComputedStyle(document.body).backgroundColor");
        let expected = if is_dark {
            "rgb(20, 24, 28)"
        } else {
            "rgb(255, 255, 255)"
        };
        assert_eq!(paper, expected);
        let scheme = if is_dark { "dark" } else { "light" };
        let picture = browser.picture();
        keep(&format!("shop-{width}-{scheme}.png"), &picture);
        assert!(picture.starts_with(b"\x89PNG") && !pictures.contains(&picture));
        pictures.push(picture);
    }
}

/// On a phone, the column of text takes half of the screen, unless the table scrolls.
fn texts_have_room(browser: &mut Browser, shop: &Path) {
    browser.open(shop, 390, false, true);
    browser
        .value("document.querySelectorAll('details').forEach(details => { details.open = true; })");
    let narrow = "[...document.querySelectorAll('.kinds tbody th, td.text, .rule .what')].filter(cell => cell.checkVisibility() && cell.getBoundingClientRect().width < 180).map(cell => cell.textContent)";
    browser.finds(narrow, json!([]));
    keep("shop-390-opened.png", &browser.picture());
}

fn tables_sort(browser: &mut Browser, shop: &Path) {
    browser.open(shop, 1_440, false, true);
    let column =
        "[...document.querySelectorAll('#sitemaps tbody tr')].map(row => row.cells[2].textContent)";
    let names =
        "[...document.querySelectorAll('#sitemaps tbody tr')].map(row => row.cells[0].textContent)";
    let before = browser.value(names);
    let press = |nth: u32| {
        format!(
            "document.querySelectorAll('#sitemaps thead th')[{nth}].querySelector('button').click()"
        )
    };
    browser.value(&press(2));
    let falling = json!([
        "30,000", "6,930", "5,214", "2,980", "1,526", "112", "20", "8", "0"
    ]);
    browser.finds(column, falling.clone());
    let sorted = "document.querySelector('#sitemaps [aria-sort]').getAttribute('aria-sort')";
    browser.finds(sorted, "descending");
    browser.value(&press(2));
    let rising: Vec<Value> = falling.as_array().unwrap().iter().rev().cloned().collect();
    browser.finds(column, json!(rising));
    browser.finds(sorted, "ascending");
    browser.value(&press(0));
    browser.has(1, "#sitemaps [aria-sort]");
    let mut names_before: Vec<String> = serde_json::from_value(before).unwrap();
    names_before.sort_by_key(|name| name.to_lowercase());
    browser.finds(names, json!(names_before));
    // By key, as every button.
    browser.value("document.querySelectorAll('#sitemaps thead button')[5].focus()");
    browser.press("Enter", 13);
    browser.finds(
        "document.querySelector('#sitemaps tbody tr').cells[5].textContent",
        "212",
    );
}

/// The result, and what to do first, are in the first screen.
fn words_come_first(browser: &mut Browser, shop: &Path) {
    for (width, height) in [(1_440, 900), (375, 812)] {
        browser.open(shop, width, false, true);
        let bottom = "document.querySelector('#verdict .first').getBoundingClientRect().bottom";
        let bottom = browser.value(bottom).as_f64().unwrap();
        assert!(bottom < f64::from(height), "{width}: {bottom}");
    }
}

/// The places of all that is drawn, and the names.
const DRAWN: &str = "[...document.querySelectorAll('#map svg')].map(box => ['x', 'y', 'width', 'height'].map(name => box.getAttribute(name)).join(' ') + [...box.querySelectorAll('text')].map(text => text.textContent + text.getAttribute('class')))";

fn the_treemap_opens(browser: &mut Browser, shop: &Path) {
    browser.open(shop, 1_440, false, true);
    let before = browser.value(DRAWN);
    let names = "[...document.querySelectorAll('#map > a > svg:first-of-type > text:first-of-type')].map(text => text.textContent)";
    browser.finds(
        names,
        json!([
            "products/",
            "journal/",
            "de/",
            "help/",
            "brands/",
            "stores/"
        ]),
    );
    // A click on it, where it is.
    let place = "(() => { const box = document.querySelector('#map a').getBoundingClientRect(); document.querySelector('#map').scrollIntoView(); const at = document.querySelector('#map a rect').getBoundingClientRect(); return [at.x + 20, at.y + 10]; })()";
    let place = browser.value(place);
    for kind in ["mousePressed", "mouseReleased"] {
        let event =
            json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1});
        browser.tell("Input.dispatchMouseEvent", event);
    }
    browser.finds(
        names,
        json!(["kitchen/", "garden/", "bath/", "office/", "toys/", "lamps/"]),
    );
    browser.finds(
        "document.querySelector('#path').textContent",
        "All › www.example.com › products/",
    );
    browser.finds("location.hash", "");
    // The areas are the pages.
    let areas = "[...document.querySelectorAll('#map > a > svg:first-of-type')].map(box => Math.round(parseFloat(box.getAttribute('width')) * parseFloat(box.getAttribute('height')) * 36930 / 10000))";
    let areas: Vec<f64> = serde_json::from_value(browser.value(areas)).unwrap();
    for (area, pages) in areas
        .iter()
        .zip([14_210.0, 9_870.0, 6_340.0, 4_010.0, 1_600.0, 900.0])
    {
        assert!((area - pages).abs() < 10.0, "{areas:?}");
    }
    keep("shop-opened.png", &browser.picture());
    browser.value("[...document.querySelectorAll('#path button')].at(-1).click()");
    browser.finds(DRAWN, before);
    // Colours.
    let fill = "getComputedStyle(document.querySelector('#map a rect')).fill";
    let by_age = browser.value(fill);
    browser.value("document.querySelector('#by-findings').click()");
    assert_ne!(browser.value(fill), by_age);
    keep("shop-findings.png", &browser.picture());
    assert_quiet(browser, "treemap");
}

fn the_treemap_opens_by_keys(browser: &mut Browser, shop: &Path) {
    browser.open(shop, 1_440, false, true);
    browser.value("document.querySelector('#map a').focus()");
    browser.press("Enter", 13);
    let focused = "document.activeElement.querySelector('title').textContent";
    let said = browser.value(focused);
    let said = said.as_str().unwrap();
    assert!(
        said.starts_with("kitchen/: Pages 14,210, Share 30%"),
        "{said}"
    );
    browser.press("Tab", 9);
    let said = browser.value(focused);
    assert!(said.as_str().unwrap().starts_with("garden/"), "{said}");
    browser.press("Enter", 13);
    // Nothing in it can be opened: the way back has the focus.
    browser.finds("document.activeElement.textContent", "All");
}

fn nothing_is_attacked(browser: &mut Browser, hostile: &Path) {
    browser.open(hostile, 1_440, false, true);
    browser.finds("typeof attacked", "undefined");
    browser.has(0, "img, iframe, object, [onerror], [onload], [onmouseover]");
    browser.has(2, "script");
    let schemes = "[...new Set([...document.querySelectorAll('a')].map(a => new URL(a.getAttribute('href') ?? '#', location).protocol))].sort()";
    browser.finds(schemes, json!(["file:", "https:"]));
    let bare = "[...document.querySelectorAll('a[href^=http]')].filter(a => a.rel !== 'noreferrer nofollow').length";
    browser.finds(bare, 0);
    // Opened and sorted, they are as harmless.
    browser.value("document.querySelectorAll('details').forEach(details => { details.open = true; }); document.querySelectorAll('thead button').forEach(button => button.click())");
    browser.value("for (let turn = 0; turn < 3; turn += 1) document.querySelector('#map a[href]')?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))");
    browser.has(0, "img, [onerror], [onload]");
    assert_fits(browser, 1_440, "hostile");
    assert_quiet(browser, "hostile");
    // The policy does not let anything in.
    let ran = "new Promise(done => { addEventListener('securitypolicyviolation', event => done(event.effectiveDirective)); const script = document.createElement('script'); script.textContent = 'window.ran = 1'; document.body.append(script); })";
    browser.finds(ran, "script-src-elem");
    let asked = "fetch('https://example.com/').then(() => 'answered', () => 'blocked')";
    browser.finds(asked, "blocked");
    browser.finds("typeof ran", "undefined");
}

fn without_script(browser: &mut Browser, pages: &[&PathBuf]) {
    for page in pages {
        browser.open(page, 375, false, false);
        browser.has(0, "thead button, #path button");
        assert_fits(browser, 375, "without a script");
    }
    browser.open(pages[0], 375, false, false);
    // Without the script there is no treemap, and the list has its folders.
    browser.finds("document.querySelector('#map').checkVisibility()", false);
    browser.has(27, "#tree li");
}

/// On A4 nothing is cut off, all is open, and the paper is white.
fn it_can_be_printed(browser: &mut Browser, shop: &Path) {
    browser.open(shop, 718, true, true);
    browser.tell(
        "Emulation.setEmulatedMedia",
        json!({"media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]}),
    );
    browser.value("dispatchEvent(new Event('beforeprint'))");
    assert_fits(browser, 718, "printed");
    browser.has(0, "details:not([open]):not(.on-screen)");
    let paper = browser.value("getComputedStyle(document.body).backgroundColor");
    assert_eq!(paper, "rgb(255, 255, 255)");
    keep("shop-printed.png", &browser.picture());
    browser.value("dispatchEvent(new Event('afterprint'))");
    let closed = browser.value("document.querySelectorAll('details:not([open])').length");
    assert!(closed.as_u64() > Some(5), "{closed}");
    browser.tell("Emulation.setEmulatedMedia", json!({"media": ""}));
    let printed = browser.print();
    assert!(printed.starts_with(b"%PDF"));
    keep("shop.pdf", &printed);
}

/// axe-core finds nothing, when all that can be opened is open.
fn accessible(browser: &mut Browser, axe: &str, name: &str) {
    browser
        .value("document.querySelectorAll('details').forEach(details => { details.open = true; })");
    browser.value(&format!("{axe}; 0"));
    let run = "axe.run({ resultTypes: ['violations'] }).then(found => found.violations.map(one => [one.id, one.help, one.nodes.length, one.nodes.slice(0, 3).map(node => node.html.slice(0, 300) + ' ' + node.failureSummary)]))";
    let found = browser.value(run);
    assert_eq!(found, json!([]), "{name}");
}
