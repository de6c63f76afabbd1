//! Every number of the page of a report, counted again from the sitemaps with a parser of its own.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use regex_lite::Regex;
use serde_json::Value;
use tempfile::TempDir;

use crate::program::sitemap;

/// A day so many days ago, as `2026-11-26` (after Howard Hinnant, `civil_from_days`).
fn days_ago(days: u64) -> String {
    let seconds = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs();
    let days = seconds / 86_400 - days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_of_year = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_of_year + 2) / 5 + 1;
    let month = (month_of_year + 2) % 12 + 1;
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}

/// The text of the first group of each match.
fn all<'t>(regex: &str, text: &'t str) -> Vec<&'t str> {
    let regex = Regex::new(regex).unwrap();
    regex
        .captures_iter(text)
        .map(|found| found.get(1).unwrap().as_str())
        .collect()
}

fn first<'t>(regex: &str, text: &'t str) -> Option<&'t str> {
    all(regex, text).first().copied()
}

/// An entry of a page, as it is in the file.
#[derive(Clone, Debug, Default)]
struct Listed {
    file: String,
    loc: String,
    lastmod: Option<String>,
    images: u64,
    videos: u64,
    news: Option<String>,
    alternates: Vec<(String, String)>,
}

/// The entries of a folder that can be used, in the order of the files.
fn read(root: &Path, files: &[&str]) -> Vec<Listed> {
    let mut listed = Vec::new();
    for file in files {
        let text = fs::read_to_string(root.join(file)).unwrap();
        if file.ends_with(".txt") {
            listed.extend(text.lines().map(|loc| Listed {
                file: (*file).to_owned(),
                loc: loc.to_owned(),
                ..Listed::default()
            }));
            continue;
        }
        for entry in all("(?s)<url>(.*?)</url>", &text) {
            let loc = first("<loc>(.*?)</loc>", entry).unwrap();
            if !loc.starts_with("http") {
                continue;
            }
            let alternate = Regex::new("hreflang=\"(.*?)\" href=\"(.*?)\"").unwrap();
            let alternates = alternate.captures_iter(entry);
            listed.push(Listed {
                file: (*file).to_owned(),
                loc: loc.to_owned(),
                lastmod: first("<lastmod>(.*?)</lastmod>", entry).map(str::to_owned),
                images: entry.matches("<image:image>").count() as u64,
                videos: entry.matches("<video:video>").count() as u64,
                news: first("<news:publication_date>(.*?)</", entry).map(str::to_owned),
                alternates: alternates
                    .map(|found| (found[1].to_owned(), found[2].to_owned()))
                    .collect(),
            });
        }
    }
    listed
}

/// The visible text of a page, a line for each row of a table and for each block; cells end in ` | `.
fn text_of(page: &str) -> String {
    let mut text = page.to_owned();
    for hidden in [
        "(?s)<head>.*?</head>",
        "(?s)<script.*?</script>",
        "(?s)<pre.*?</pre>",
    ] {
        text = Regex::new(hidden)
            .unwrap()
            .replace_all(&text, "")
            .into_owned();
    }
    // The explanations of the rules, which are the same in every page.
    let explained =
        "(?s)(For the person who runs the program</summary>\\s*<p>.*?</p>).*?</details>";
    text = Regex::new(explained)
        .unwrap()
        .replace_all(&text, "$1</details>")
        .into_owned();
    // The numbers of which the script draws the map.
    text = Regex::new("<li data-n=\"(\\d+)\"")
        .unwrap()
        .replace_all(&text, "<li>[$1] <i")
        .into_owned();
    text = Regex::new("\\s+")
        .unwrap()
        .replace_all(&text, " ")
        .into_owned();
    for (tags, replacement) in [
        ("</(td|th|dt|dd|i)>|</span><span", " | $0"),
        (
            "</?(p|li|ul|div|tr|caption|h1|h2|h3|summary|details|section|dl|header|footer|figure|thead|tbody|table)[ >]",
            "\n$0",
        ),
        ("<[^>]*>", ""),
    ] {
        text = Regex::new(tags)
            .unwrap()
            .replace_all(&text, replacement)
            .into_owned();
    }
    let escaped = Regex::new("&#(\\d+);").unwrap();
    let text = escaped.replace_all(&text, |found: &regex_lite::Captures<'_>| {
        char::from_u32(found[1].parse().unwrap())
            .unwrap()
            .to_string()
    });
    let lines = text
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

/// The text of a page, from which each line that was found to be right is taken.
struct Page(Vec<String>);

impl Page {
    fn read(path: &Path) -> Self {
        let text = text_of(&fs::read_to_string(path).unwrap());
        Self(text.lines().map(str::to_owned).collect())
    }

    fn takes(&mut self, line: &str) {
        let place = self.0.iter().position(|left| left == line);
        let place = place.unwrap_or_else(|| panic!("`{line}` is not in\n{}", self.0.join("\n")));
        self.0.remove(place);
    }

    /// Takes all lines that are right.
    fn takes_all(&mut self, is_right: impl Fn(&str) -> bool) -> usize {
        let before = self.0.len();
        self.0.retain(|line| !is_right(line));
        before - self.0.len()
    }

    /// No number is left.
    fn ends(mut self) {
        let is_digit = |c: char| c.is_ascii_digit();
        self.0.retain(|line| line.contains(is_digit));
        assert_eq!(self.0, Vec::<String>::new(), "nobody has counted these");
    }
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let pieces: Vec<_> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|piece| std::str::from_utf8(piece).unwrap())
        .collect();
    pieces.join(",")
}

fn count(number: u64, one: &str, many: &str) -> String {
    format!(
        "{} {}",
        grouped(number),
        if number == 1 { one } else { many }
    )
}

/// How a number has changed, after a space.
fn delta(before: u64, now: u64) -> String {
    match now.cmp(&before) {
        Ordering::Less => format!(" ▾ {}", grouped(before - now)),
        Ordering::Equal => String::new(),
        Ordering::Greater => format!(" ▴ {}", grouped(now - before)),
    }
}

/// As the page rounds it: never 0% of something, never 100% of less than all.
fn share(part: u64, whole: u64) -> String {
    match (part * 200 + whole) / (whole * 2) {
        0 if part > 0 => "<1%".to_owned(),
        100 if part < whole => ">99%".to_owned(),
        percent => format!("{percent}%"),
    }
}

const HEAD: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
     xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
     xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\">\n";

/// A site with a bit of everything. Its second state is another one. Without problems, it can be read to its end.
fn write_site(root: &Path, state: u64, has_problems: bool) {
    let put = |name: &str, text: String| {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let entry = |loc: &str, more: &str| format!("<url><loc>{loc}</loc>{more}</url>\n");
    let lastmod = |date: &str| format!("<lastmod>{date}</lastmod>");
    let shop = "https://shop.example";
    let link = |language: &str, to: &str| {
        format!("<xhtml:link rel=\"alternate\" hreflang=\"{language}\" href=\"{shop}{to}\"/>")
    };
    let image = |number: u64| {
        format!("<image:image><image:loc>{shop}/{number}.png</image:loc></image:image>")
    };
    let mut one = HEAD.to_owned();
    one += &entry(&format!("{shop}/"), &lastmod(&days_ago(100)));
    for page in 0..1_200 + 7 * state {
        let date = match page % 6 {
            0 => lastmod("2024-03-04"),
            1 => lastmod(&format!(
                "2025-{:02}-{:02}T05:06:07Z",
                page % 12 + 1,
                page % 28 + 1
            )),
            2 => lastmod(&format!("20{:02}-01-02", 10 + page % 13)),
            3 if page < 30 => lastmod("2023"),
            3 if page < 60 => lastmod("2098-07-06"),
            _ => String::new(),
        };
        let folder = ["a/", "a/b/", "a/b/c/", "d/", ""][page as usize % 5];
        one += &entry(&format!("{shop}/{folder}{page}"), &date);
    }
    for page in 0..3 - state {
        one += &entry(
            &format!("{shop}/priority/{page}"),
            "<priority>1.5</priority>",
        );
    }
    if state == 1 {
        one += &entry(
            &format!("{shop}/often"),
            "<changefreq>sometimes</changefreq>",
        );
    }
    if has_problems {
        one += &(entry("nonsense", "") + &entry("more-nonsense", ""));
    }
    one += &entry("http://other.example/x/1", "");
    one += &entry("http://www.third.example/x/1", "");
    one += "</urlset>\n";
    put("sitemap-1.xml", one);
    let mut two = HEAD.to_owned();
    two += &entry(
        &format!("{shop}/en/a"),
        &(link("en", "/en/a") + &link("de", "/de/a") + &link("x-default", "/en/a")),
    );
    two += &entry(&format!("{shop}/de/a"), &link("de", "/de/a"));
    two += &entry(
        &format!("{shop}/en/b"),
        &(link("en", "/en/b") + &link("fr", "/fr/b")),
    );
    two += &entry(
        &format!("{shop}/gallery/1"),
        &(image(1) + &image(2) + &image(3)),
    );
    two += &entry(&format!("{shop}/gallery/2"), &image(4));
    two += &entry(
        &format!("{shop}/film"),
        "<video:video><video:thumbnail_loc>https://shop.example/t.png</video:thumbnail_loc><video:title>t</video:title>\
         <video:description>d</video:description><video:content_loc>https://shop.example/f.mp4</video:content_loc></video:video>",
    );
    for (page, days) in [(1, 0), (2, 400)] {
        let date = days_ago(days);
        let news = format!(
            "<news:news><news:publication><news:name>n</news:name><news:language>en</news:language></news:publication>\
             <news:publication_date>{date}</news:publication_date><news:title>t</news:title></news:news>"
        );
        two += &entry(&format!("{shop}/news/{page}"), &news);
    }
    // Again, with something new.
    two += &entry(
        &format!("{shop}/gallery/1"),
        &(lastmod("2024-03-04") + &image(5)),
    );
    two += &entry(&format!("{shop}/priority/0"), "<priority>1.5</priority>");
    two += &entry(&format!("{shop}/de/a"), &link("de", "/de/a"));
    two += &entry("http://shop.example/a/by-http", "");
    two += "</urlset>\n";
    put("sitemap-2.xml", two);
    put(
        "sitemap-3.txt",
        format!("{shop}/\n{shop}/text/1\n{shop}/text/{}\n", 2 + state),
    );
    let mut index =
        "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">".to_owned();
    let parts = [
        "sitemap-1.xml",
        "sitemap-2.xml",
        "sitemap-3.txt",
        "gone.xml",
    ];
    for part in parts.into_iter().take(if has_problems { 4 } else { 3 }) {
        write!(index, "<sitemap><loc>{shop}/{part}</loc></sitemap>").unwrap();
    }
    put("sitemap.xml", index + "</sitemapindex>\n");
}

fn run(root: &Path, arguments: &str) -> String {
    let mut command = sitemap(&[]);
    let output = command
        .args(arguments.split(' '))
        .current_dir(root)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code().unwrap() < 3, "{said}");
    String::from_utf8(output.stdout).unwrap()
}

/// The host and the folders of a page.
fn folders(loc: &str) -> Vec<String> {
    let (_, rest) = loc.split_once("://").unwrap();
    let (folder, _) = rest.rsplit_once('/').unwrap();
    let mut names = folder.split('/');
    let host = names.next().unwrap().to_owned();
    std::iter::once(host)
        .chain(names.map(|name| format!("{name}/")))
        .collect()
}

/// Pages by host and first folder.
fn by_section(pages: &BTreeMap<String, Facts>) -> BTreeMap<String, BTreeSet<String>> {
    let mut sections: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for loc in pages.keys() {
        let names = folders(loc);
        let name = format!("{}/{}", names[0], names.get(1).map_or("", String::as_str));
        sections.entry(name).or_default().insert(loc.clone());
    }
    sections
}

/// The distinct page, from all of its entries.
#[derive(Clone, Debug, Default, PartialEq)]
struct Facts {
    lastmod: Option<String>,
    images: u64,
    videos: u64,
    news: Option<String>,
}

fn pages_of(entries: &[Listed]) -> BTreeMap<String, Facts> {
    let mut pages: BTreeMap<String, Facts> = BTreeMap::new();
    for entry in entries {
        let page = pages.entry(entry.loc.clone()).or_default();
        page.lastmod = page.lastmod.take().or(entry.lastmod.clone());
        page.images += entry.images;
        page.videos += entry.videos;
        page.news = page.news.take().or(entry.news.clone());
    }
    pages
}

fn is_possible(date: &&str) -> bool {
    *date < "2090"
}

/// `2023` and `2023-05` begin with their first day.
fn start(date: &str) -> String {
    format!("{date}{}", "0000-01-01".get(date.len()..).unwrap_or(""))
}

fn day(date: &str) -> &str {
    date.split('T').next().unwrap()
}

fn newest<'d>(dates: impl Iterator<Item = &'d str>) -> Option<&'d str> {
    dates.filter(is_possible).max_by_key(|date| start(date))
}

const FILES: [&str; 3] = ["sitemap-1.xml", "sitemap-2.xml", "sitemap-3.txt"];

/// The lines of the page that are about the sitemaps and the pages.
fn counts_pages(
    page: &mut Page,
    root: &Path,
    [entries, earlier]: [Option<&[Listed]>; 2],
    findings: &[Value],
    missing: u64,
) {
    let entries = entries.unwrap();
    let pages = pages_of(entries);
    let total = pages.len() as u64;
    let dates: Vec<&str> = pages
        .values()
        .filter_map(|page| page.lastmod.as_deref())
        .collect();
    let dated = dates.len() as u64;
    let of_file = |name: &str, severity: &str| {
        let is_it = |finding: &&Value| {
            finding["file"] == format!("public/{name}").as_str() && finding["severity"] == severity
        };
        findings.iter().filter(is_it).count()
    };
    for name in ["sitemap.xml"].iter().chain(&FILES) {
        let text = fs::read_to_string(root.join("public").join(name)).unwrap();
        let own = entries.iter().filter(|entry| entry.file == *name);
        let newest = newest(own.clone().filter_map(|entry| entry.lastmod.as_deref()));
        let (kind, count) = match *name {
            "sitemap.xml" => ("index", text.matches("<sitemap>").count()),
            "sitemap-3.txt" => ("text", own.count()),
            _ => ("urlset", own.count()),
        };
        let size = match text.len() {
            bytes @ 0..1_000 => format!("{bytes} bytes"),
            bytes => format!("{:.1} kB", bytes as f64 / 1_000.0),
        };
        page.takes(&format!(
            "public/{name} {kind} | read | {} | {size} | {} | {} | {} | {} |",
            grouped(count as u64),
            newest.map_or("none", day),
            of_file(name, "error"),
            of_file(name, "warning"),
            of_file(name, "advice"),
        ));
    }

    // Folders.
    let mut tree: BTreeMap<Vec<String>, (Vec<&Facts>, [u64; 2])> = BTreeMap::new();
    for (loc, facts) in &pages {
        let names = folders(loc);
        for depth in 1..=names.len() {
            tree.entry(names[..depth].to_vec())
                .or_default()
                .0
                .push(facts);
        }
    }
    for finding in findings
        .iter()
        .filter(|finding| finding["rule"] != "missing-part")
    {
        let names = match finding["page"]
            .as_str()
            .filter(|page| pages.contains_key(*page))
        {
            Some(page) => folders(page),
            None => vec!["shop.example".to_owned()],
        };
        for depth in 1..=names.len() {
            let counts = &mut tree.get_mut(&names[..depth]).unwrap().1;
            counts[0] += u64::from(finding["severity"] == "error");
            counts[1] += u64::from(finding["severity"] == "warning");
        }
    }
    for (names, (inside, [errors, warnings])) in &tree {
        let count = inside.len() as u64;
        let dates: Vec<_> = inside
            .iter()
            .filter_map(|page| page.lastmod.as_deref())
            .collect();
        page.takes(&format!("[{count}]"));
        page.takes(&format!(
            "{} | Pages | {} | Share | {} | Dated | {} | Newest | {} | Errors | {errors} | Warnings | {warnings}",
            names.last().unwrap(),
            grouped(count),
            share(count, total),
            share(dates.len() as u64, count),
            newest(dates.iter().copied()).map_or("none", day),
        ));
    }
    assert_eq!(
        page.takes_all(|line| line.ends_with("on 1% of the pages or more")),
        2
    );

    // Dates.
    let mut months: BTreeMap<String, u64> = BTreeMap::new();
    let mut days: BTreeMap<&str, u64> = BTreeMap::new();
    for date in &dates {
        if !is_possible(date) {
            *months.entry("impossible".to_owned()).or_default() += 1;
            continue;
        }
        *months
            .entry(date.get(..7).unwrap_or(date).to_owned())
            .or_default() += 1;
        *days.entry(day(date)).or_default() += 1;
    }
    for (month, count) in &months {
        page.takes(&format!(
            "{month} | {} | {} | |",
            grouped(*count),
            share(*count, dated)
        ));
    }
    let mut days: Vec<_> = days.into_iter().collect();
    days.sort_by_key(|(day, count)| (*count, start(day)));
    for (day, count) in days.iter().rev().take(10) {
        page.takes(&format!(
            "{day} | {} | {} | |",
            grouped(*count),
            share(*count, dated)
        ));
    }

    // Languages.
    let links: BTreeMap<&str, &Vec<(String, String)>> = (entries.iter())
        .filter(|entry| !entry.alternates.is_empty())
        .map(|entry| (entry.loc.as_str(), &entry.alternates))
        .collect();
    let links_back = |from: &str, to: &str| {
        links
            .get(to)
            .is_some_and(|links| links.iter().any(|(_, href)| href == from))
    };
    let mut languages: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
    let mut unlisted = 0;
    for entry in entries {
        let from = entry.loc.as_str();
        for (language, to) in &entry.alternates {
            let [all, unreturned] = languages.entry(language).or_default();
            *all += 1;
            let is_listed = pages.contains_key(to);
            *unreturned += u64::from(to != from && is_listed && !links_back(from, to));
            unlisted += u64::from(!is_listed);
        }
    }
    for (language, [all, unreturned]) in &languages {
        page.takes(&format!("{language} | {all} | {unreturned} | |"));
    }
    let unreturned = languages.values().map(|[_, unreturned]| unreturned).sum();
    // A sitemap that is missing may list them.
    let unlisted = match missing {
        0 => format!(
            " {} to pages that no sitemap lists.",
            count(unlisted, "link", "links")
        ),
        _ => String::new(),
    };
    page.takes(&format!(
        "{} with alternates (hreflang). {} to pages that do not link back: search engines ignore an alternate without a return link.{unlisted}",
        count(links.len() as u64, "page", "pages"),
        count(unreturned, "link", "links"),
    ));

    // Extensions.
    let with = |has: fn(&Facts) -> bool| pages.values().filter(|page| has(page)).count() as u64;
    let [images, videos] = [|page: &Facts| page.images, |page: &Facts| page.videos]
        .map(|of| pages.values().map(of).sum::<u64>());
    let news = with(|page| page.news.is_some());
    for (name, number, with) in [
        ("Images", images, with(|page| page.images > 0)),
        ("Videos", videos, with(|page| page.videos > 0)),
        ("News", news, news),
    ] {
        page.takes(&format!(
            "{name} | {number} | {with} | {} |",
            share(with, total)
        ));
    }
    let recent = pages
        .values()
        .filter(|page| page.news.as_ref() >= Some(&days_ago(2)))
        .count();
    page.takes(&format!(
        "{recent} of {news} from the last two days. News search ignores older ones."
    ));

    // The opening.
    let hosts: BTreeSet<_> = tree.keys().map(|names| &names[0]).collect();
    let earlier = earlier.map(pages_of);
    let delta = |now: u64, of: fn(&Facts) -> bool| {
        let before = earlier.as_ref().map_or(now, |earlier| {
            earlier.values().filter(|page| of(page)).count() as u64
        });
        delta(before, now)
    };
    let more = delta(total, |_| true);
    page.takes(&format!(
        "Pages | {}{more} | on {} hosts |",
        grouped(total),
        hosts.len()
    ));
    let read = match missing {
        0 => "all read to their end".to_owned(),
        missing => format!("{missing} more not read"),
    };
    page.takes(&format!("Sitemaps | 4 | {read} |"));
    let more = delta(dated, |page| page.lastmod.is_some());
    let of_pages = share(dated, total);
    page.takes(&format!(
        "With a date | {}{more} | {of_pages} of the pages |",
        grouped(dated)
    ));
    let newest = newest(dates.iter().copied()).unwrap();
    assert_eq!(newest, days_ago(100));
    page.takes(&format!(
        "Newest date | {newest} | 3 months before this report |"
    ));
    let table = match missing {
        0 => "4 sitemaps read, broken ones first".to_owned(),
        missing => format!("4 sitemaps read, {missing} not read, broken ones first"),
    };
    page.takes(&table);
}

/// A text of the table of rules.
fn words<'t>(rules: &'t str, rule: &str, field: &str) -> &'t str {
    let (_, section) = rules.split_once(&format!("\n## {rule}\n")).unwrap();
    first(&format!("\n- {field}: ([^\n]*)"), section).unwrap()
}

/// The number of findings by rule that the others do not have: by rule, sitemap and page.
fn more_than(findings: &[Value], others: &[Value]) -> BTreeMap<String, u64> {
    let key = |finding: &Value| ["rule", "file", "page"].map(|name| finding[name].to_string());
    let mut left: BTreeMap<_, u64> = BTreeMap::new();
    for other in others {
        *left.entry(key(other)).or_default() += 1;
    }
    let mut more: BTreeMap<String, u64> = BTreeMap::new();
    for finding in findings {
        match left.get_mut(&key(finding)) {
            Some(count) if *count > 0 => *count -= 1,
            _ => {
                *more
                    .entry(finding["rule"].as_str().unwrap().to_owned())
                    .or_default() += 1
            }
        }
    }
    more
}

/// The lines of the page that are about findings.
fn counts_findings(page: &mut Page, findings: &[Value], earlier: Option<&[Value]>) {
    let new = earlier.map_or(BTreeMap::new(), |earlier| more_than(findings, earlier));
    let rules = include_str!("../../src/judge/rules.md");
    let mut by_rule: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for finding in findings {
        by_rule
            .entry(finding["rule"].as_str().unwrap())
            .or_default()
            .push(finding);
    }
    let plain = |finding: &Value| {
        // The page has the cost in another place.
        let message = finding["message"].as_str().unwrap().replace('`', "");
        let costs = ["; value dropped", "; entry skipped"];
        let cut = costs.iter().find_map(|cost| message.strip_suffix(cost));
        cut.unwrap_or(&message).to_owned()
    };
    let place = |finding: &Value, name: &str| grouped(finding["position"][name].as_u64().unwrap());
    let mut headings: BTreeMap<&str, Vec<(usize, String)>> = BTreeMap::new();
    for (rule, found) in &by_rule {
        let field = if found.len() == 1 { "One" } else { "Several" };
        let heading = format!("{} {}", found.len(), words(rules, rule, field));
        let severity = found[0]["severity"].as_str().unwrap();
        headings
            .entry(severity)
            .or_default()
            .push((found.len(), heading.clone()));
        let files: BTreeSet<_> = found
            .iter()
            .map(|finding| finding["file"].as_str().unwrap())
            .collect();
        let sitemaps = count(files.len() as u64, "sitemap", "sitemaps");
        let why = words(rules, rule, "Why");
        let new = new
            .get(*rule)
            .map_or(String::new(), |new| format!(" {new} new"));
        page.takes(&format!("{severity} {heading} {why}{new} {rule}"));
        let of_rule = format!(
            "{} of the rule {rule} in {sitemaps}.",
            count(found.len() as u64, "finding", "findings")
        );
        assert_eq!(
            page.takes_all(|line| line.starts_with(&of_rule)),
            1,
            "{of_rule}"
        );
        if page.takes_all(|line| line == format!("All {} in {sitemaps}", found.len())) == 1 {
            page.takes(&heading);
            for finding in found {
                let of = finding["page"].as_str().unwrap();
                let (file, line) = (finding["file"].as_str().unwrap(), place(finding, "line"));
                let mark = if new.is_empty() { "" } else { " new" };
                let row =
                    |mark: &str| format!("{of}{mark} | {} | {file} | {line} |", plain(finding));
                if !page.0.contains(&row(mark)) {
                    page.takes(&row(""));
                } else {
                    page.takes(&row(mark));
                }
            }
        }
    }
    let places: BTreeSet<String> = (findings.iter())
        .map(|finding| {
            let file = finding["file"].as_str().unwrap();
            format!(
                "{file}, line {}, column {}",
                place(finding, "line"),
                place(finding, "column")
            )
        })
        .collect();
    let messages: BTreeSet<String> = findings.iter().map(plain).collect();
    page.takes_all(|line| places.contains(line.strip_suffix(" new").unwrap_or(line)));
    page.takes_all(|line| messages.contains(line) || line.starts_with("What to do: "));
    for (severity, name) in [("error", "Errors"), ("warning", "Warnings")] {
        let mut headings = headings.remove(severity).unwrap_or_default();
        headings.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        let total: usize = headings.iter().map(|(count, _)| count).sum();
        let word = match headings.as_slice() {
            [] => format!("no {severity}s"),
            [(one, _), (other, _), ..] if one == other => "of several kinds".to_owned(),
            [(_, first), ..] => format!("most often: {first}"),
        };
        let is_it = |finding: &&Value| finding["severity"] == severity;
        let before = earlier.map_or(total, |earlier| earlier.iter().filter(is_it).count());
        let more = delta(before as u64, total as u64);
        page.takes(&format!("{name} | {total}{more} | {word} |"));
    }
}

fn findings_of(root: &Path) -> Vec<Value> {
    let lines = run(root, "check public --advice --format jsonl --all");
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The number of findings of a rule.
fn of_rule(findings: &[Value], rule: &str) -> u64 {
    findings
        .iter()
        .filter(|finding| finding["rule"] == rule)
        .count() as u64
}

#[test]
fn every_number_of_the_page_is_right() {
    let root = TempDir::new().unwrap();
    let root = root.path();
    write_site(&root.join("public"), 0, true);
    run(root, "report public -o page.html");
    let mut page = Page::read(&root.join("page.html"));
    let entries = read(&root.join("public"), &FILES);
    let findings = findings_of(root);
    for (rule, planted) in [
        ("invalid-url", 2),
        ("missing-part", 1),
        ("invalid-priority", 4),
        ("hreflang-without-return", 1),
        ("several-hosts", 2),
        ("implausible-lastmod", 5),
        ("old-news", 1),
    ] {
        assert_eq!(of_rule(&findings, rule), planted, "{rule}");
    }
    counts_pages(&mut page, root, [Some(&entries), None], &findings, 1);
    counts_findings(&mut page, &findings, None);
    page.takes("https://shop.example/gone.xml | not readable | there is no file with that name in the folder | 0 | | none | 0 | 0 | 0 |");
    page.takes("Search engines cannot read 1 of 5 sitemaps to the end: 1 sitemap that your index names is missing.");
    page.takes("2 URLs cannot be used. Search engines skip a page, an image or a video whose URL they cannot use.");
    page.takes("7 problems cost no pages yet: 4 priorities are not numbers from 0.0 to 1.0, 2 sitemaps list pages of several sites and 1 link between languages is not returned.");
    assert_eq!(page.takes_all(|line| line.starts_with("Made 20")), 1);
    page.ends();
}

#[test]
fn every_number_of_the_changes_is_right() {
    let root = TempDir::new().unwrap();
    let root = root.path();
    write_site(&root.join("public"), 0, false);
    let listing = |root: &Path| read(&root.join("public"), &FILES);
    let (before, old) = (listing(root), findings_of(root));
    run(root, "report public -o before.html --history runs.jsonl");
    write_site(&root.join("public"), 1, false);
    let (now, findings) = (listing(root), findings_of(root));
    let mut probed = String::new();
    let verdicts = ["ok", "missing", "missing", "redirect", "ok"];
    for (entry, verdict) in now.iter().zip(verdicts) {
        let loc = &entry.loc;
        writeln!(probed, r#"{{"url":"{loc}","sitemap":"s","status":200,"location":null,"noindex":false,"canonical":null,"disallowed":false,"bytes":1,"ms":2,"verdict":"{verdict}"}}"#).unwrap();
    }
    fs::write(root.join("probed.jsonl"), probed).unwrap();
    run(
        root,
        "report public -o now.html --against before.html --probe probed.jsonl --history runs.jsonl",
    );
    let mut page = Page::read(&root.join("now.html"));
    counts_pages(&mut page, root, [Some(&now), Some(&before)], &findings, 0);
    counts_findings(&mut page, &findings, Some(&old));
    let today = days_ago(0);

    // Pages.
    let [mut before_of, now_of] = [&before, &now].map(|entries| by_section(&pages_of(entries)));
    let all = |sections: &BTreeMap<String, BTreeSet<String>>| {
        sections
            .values()
            .flatten()
            .cloned()
            .collect::<BTreeSet<String>>()
    };
    let (were, are) = (all(&before_of), all(&now_of));
    let difference =
        |one: &BTreeSet<String>, other: &BTreeSet<String>| one.difference(other).count() as u64;
    let (added, removed) = (difference(&are, &were), difference(&were, &are));
    assert_eq!((added, removed), (9, 2));
    let more = delta(were.len() as u64, are.len() as u64);
    page.takes(&format!(
        "Compared with the report of {today} on before.html: {} pages before, {} now ({}).",
        grouped(were.len() as u64),
        grouped(are.len() as u64),
        more.trim(),
    ));
    for (name, own) in &now_of {
        let old = before_of.remove(name).unwrap_or_default();
        let (before, now) = (old.len() as u64, own.len() as u64);
        let more = if before == now {
            " 0".to_owned()
        } else {
            delta(before, now)
        };
        page.takes(&format!(
            "{name} | {} | {} |{more} |",
            grouped(before),
            grouped(now),
        ));
    }
    assert!(before_of.is_empty(), "{before_of:?}");
    for name in FILES {
        let [before, now] = [&before, &now].map(|entries| {
            grouped(entries.iter().filter(|entry| entry.file == name).count() as u64)
        });
        if before != now {
            page.takes(&format!(
                "public/{name} | other entries | {before} | {now} |"
            ));
        }
    }

    // Findings.
    let (new, fixed) = (more_than(&findings, &old), more_than(&old, &findings));
    let sum = |counts: &BTreeMap<String, u64>| counts.values().sum::<u64>();
    assert_eq!((sum(&new), sum(&fixed)), (1, 1));
    page.takes(&format!("Since {today}, 1 problem is new and 1 is fixed."));
    page.takes(&format!(
        "1 new problem, 1 fixed, {} still there.",
        findings.len() - 1
    ));
    let rules = include_str!("../../src/judge/rules.md");
    for rule in new.keys().chain(fixed.keys()) {
        let of = |counts: &BTreeMap<String, u64>| counts.get(rule).copied().unwrap_or(0);
        let several = words(rules, rule, "Several");
        let (before, now) = (of_rule(&old, rule), of_rule(&findings, rule));
        page.takes(&format!(
            "warning {several} | {before} | {now} | {} | {} |",
            of(&new),
            of(&fixed)
        ));
        if of(&fixed) > 0 {
            page.takes(&format!("{} fixed: {several}", of(&fixed)));
        }
    }
    page.takes("https://shop.example/priority/2 | priority `1.5` is not a number from 0.0 to 1.0 | public/sitemap-1.xml |");
    page.takes("7 problems cost no pages yet: 3 priorities are not numbers from 0.0 to 1.0, 2 sitemaps list pages of several sites, 1 link between languages is not returned and 1 of other kinds.");

    // The probe, and the runs.
    page.takes("3 of 5 requested pages should not be listed: 2 missing and 1 redirecting.");
    page.takes("5 pages were requested.");
    let requested = now.iter().zip(verdicts).collect::<Vec<_>>();
    let mut sections: BTreeMap<String, BTreeMap<&str, u64>> = BTreeMap::new();
    for (entry, verdict) in &requested {
        let name = by_section(&pages_of(&[(*entry).clone()]))
            .into_keys()
            .next()
            .unwrap();
        *sections
            .entry(name)
            .or_default()
            .entry(verdict)
            .or_default() += 1;
        if *verdict != "ok" {
            page.takes(&format!("{verdict} | 200 | {} | |", entry.loc));
        }
    }
    let known = "missing error unread redirect noindex canonical-elsewhere wrong-target home-page temporary-redirect unlisted redirect-chain disallowed robots other-host ok";
    for name in known.split(' ') {
        let pages = verdicts.iter().filter(|verdict| **verdict == name).count() as u64;
        page.takes(&format!("{name} | {pages} | {} | |", share(pages, 5)));
    }
    for (name, counts) in &sections {
        let counts = known
            .split(' ')
            .map(|name| counts.get(name).copied().unwrap_or(0).to_string());
        page.takes(&format!(
            "{name} | {} |",
            counts.collect::<Vec<_>>().join(" | ")
        ));
    }
    page.takes("2 runs, the latest first");
    for (entries, findings) in [(&before, &old), (&now, &findings)] {
        let warnings = findings
            .iter()
            .filter(|finding| finding["severity"] == "warning")
            .count();
        let run = format!(
            " UTC | {} | | 4 | 0 | {warnings} |",
            grouped(pages_of(entries).len() as u64)
        );
        assert_eq!(
            page.takes_all(|line| line.starts_with(&today) && line.ends_with(&run)),
            1
        );
    }
    assert_eq!(page.takes_all(|line| line.starts_with("Made 20")), 1);
    page.ends();
}
