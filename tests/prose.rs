//! The words of everything that users read (README, guide, cookbook, reference, help texts), and of the comments inside.
//! The style is in CONTRIBUTING.md, *Style*. [`WORDS`] lists the words to avoid, each with a replacement; the shorter list
//! [`INSIDE_WORDS`] applies to every comment of the folders in [`INSIDE`].
//!
//! A sentence for which a word is right after all belongs in [`RIGHT`].

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]
#![allow(missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};

use regex_lite::Regex;

/// A word or a pattern to avoid.
struct Word {
    /// A regular expression, for one sentence. Code spans are reduced to `` `…` ``, links to their text.
    find: &'static str,
    /// A regular expression for phrases in which the word is right; empty if there are none.
    except: &'static str,
    instead: &'static str,
}

const fn word(find: &'static str, instead: &'static str) -> Word {
    Word {
        find,
        except: "",
        instead,
    }
}

const fn word_except(find: &'static str, except: &'static str, instead: &'static str) -> Word {
    Word {
        find,
        except,
        instead,
    }
}

const WORDS: &[Word] = &[
    // Words of everyday speech that readers stumble over.
    word(
        r"(?i)\b(mis)?spel(t|ls)\b",
        "written, in the form that …, identical to; for URLs: in normalized form",
    ),
    word(r"(?i)\bbehind\b", "after (order, text), appended to"),
    word_except(
        r"(?i)\b(stands?|stood)\b",
        r"(?i)\bstands? (for|in for)\b|\bstand-in\b",
        "is, is at, appears, is written",
    ),
    word(r"(?i)\b(lies?|lying)\b", "is, is outside, is nested"),
    word(
        r"(?i)\bbeside\b",
        "next to (files), in addition to, relative to (benchmarks)",
    ),
    word(
        r"(?i)\b(replaced|published|used|displayed) as one\b",
        "atomically, together, as a text",
    ),
    word_except(
        r"(?i)\bwhole\b",
        r"(?i)\bwhole (seconds?|numbers?|files?|document)\b",
        "complete, entire, completely; whole or not at all: all or nothing",
    ),
    word(r"(?i)\b(lends?|lent)\b", "borrows, returns a borrowed …"),
    word(r"(?i)\bby turns\b", "alternately"),
    word(
        r"(?i)\bcarr(y|ies|ied) (\w+ )?(on|through)\b",
        "continued, extended (a set); kept, preserved (elements)",
    ),
    word_except(
        r"(?i)\b(is|are|was|were|be|been) given\b|\bgiven back\b",
        r"(?i)\b(is|are|be) given (again|several|more|twice|once|together|with|in|at|as)\b|(`…`|--[a-z-]+|\boptions?|\barguments?|\bneither|\bnone|\bboth) (is|are) given\b",
        "is returned (values), is reported (issues), is produced (output)",
    ),
    word_except(
        r"(?i)\bgives\b",
        r"(?i)\bgives (access|the (reason|number|rule|line|position))\b",
        "returns (values), reports (issues), produces (output)",
    ),
    word(
        r"(?i:\bwhoever\b)|\bWho (reads?|leaves?|asks?|gets?|takes?|wants?)\b",
        "anyone who, a client that, you",
    ),
    word_except(
        r"(?i)\b(pass(es|ed|ing)?) over\b|\blet pass\b",
        r"(?i)\b(an?|one|each|another|the|single|second) pass over\b",
        "ignored (data), skipped (entries)",
    ),
    word(r"(?i)\bbelieved\b", "accepted, trusted"),
    word(r"(?i)\bbreach(es|ed)?\b", "violation"),
    word(
        r"(?i)\bfaults?\b",
        "problem (for the user), violation (of a rule)",
    ),
    word(
        r"(?i)\b(is|are|was|were|be|been|also) noted\b|\bnotes (a|an|each|the|every|it)\b",
        "reported (keep the name of the effect, noted)",
    ),
    word_except(
        r"(?i)\brefus(e|es|ed|ing|als?)\b",
        r"(?i)\b(connections?|servers?) (is |are |was )?refus(es?|ed)\b",
        "rejects, is rejected, fails",
    ),
    word_except(
        r"(?i)\bcounts? (as|for|only|all)\b",
        r"(?i)\bcallgrind counts for\b",
        "is treated as, applies to, is used",
    ),
    word(
        r"(?i)\b(is|are|was|be) called (`|as|the|sitemap|otherwise|elsewhere)|\bwhatever \w+ (is|are) called\b",
        "is named, has the name",
    ),
    word(r"(?i)\btold\b", "detected from, distinguished by, informed"),
    word_except(
        r"(?i)\b(says?|said)\b",
        r"(?i)\bmessages? (\w+ ){0,3}says?\b|\bthat is to say\b",
        "reports, contains, is listed in, specifies, describes",
    ),
    word(r"(?i)\bwants\b", "requires, needs"),
    word(
        r"(?i)\basks\b|\b(is|are|be|been|was|were|not|never) asked\b",
        "is checked, is requested, calls",
    ),
    word(r"(?i)\bmet\b", "found, encountered"),
    word(r"(?i)\bceased?\b", "no longer"),
    word(
        r"(?i)\b(so many|in as many)\b",
        "the number (up to N), that many",
    ),
    word(r"(?i)\bone's own\b", "your own, a custom …"),
    word(r"(?i)\bround (it|its|a|an|the|them|this|these)\b", "around"),
    word(r"(?i)\bupon\b", "on"),
    word(r"(?i)\bat hand\b", "current, available"),
    word(r"(?i)\bin the midst\b", "midway"),
    word(r"(?i)\bby way of\b", "through"),
    word(r"(?i)\bin earnest\b", "in production"),
    word(
        r"(?i)\b(put|puts|putting) (it |them )?right\b|\bmend(s|ed|ing)?\b",
        "fix",
    ),
    word(r"(?i)\bat will\b", "freely"),
    word_except(
        r"(?i)\bdoubles\b",
        r"(?i)\bdoubles (the|its)\b",
        "duplicates",
    ),
    word(
        r"(?i)\b(speaks|thinks|listens)\b",
        "code does not speak: writes, supports, accepts",
    ),
    word(
        r"(?i)\b(whatever|wherever) (its|it|the|is|was|they)\b|\bhowever (large|long|many|much|slow|fast|often|deep|small|big)\b",
        "regardless of, no matter how",
    ),
    word(
        r"(?i)\b(whence|thereof|wherein|thereby|lest)\b",
        "a plain conjunction",
    ),
    // Turns of sentences.
    word(
        r"(?i)\bbut for\b|\b(nothing|none) but\b|\bsave for\b",
        "except, only",
    ),
    word_except(
        r"(?i)\b(is|are|was) none\b",
        r"(?i)\b(there|default) (is|are|was) none\b",
        "is not a, no … is",
    ),
    word_except(
        r"(?i)\b(is|are|was|were) no\b",
        r"(?i)\b(there|here) (is|are|was|were) no\b|\b(is|are|was|were) no (longer|more|less|later)\b",
        "is not a (a sentence with the verb negated)",
    ),
    word(
        r"(^|[;.] )`(None|false|true)`: |; `None` (at|for|if|when|until|after) ",
        "Returns `None` if …",
    ),
    word(
        r"(?i)[,;:(] ?of (which|what|each|these|those)\b",
        "whose, from which; or two sentences",
    ),
    word(
        r"(?i)[;:] (what|that of|who)\b",
        "name the thing: the text before the declaration, problems, entries that …",
    ),
    word_except(
        r"(?i)\bonce an? (document|thread|file|entry|call|line)\b",
        r"(?i)\bonce an? \w+ (is|are|has|have|was|can|ends|starts)\b",
        "once per document, once per line",
    ),
    word(
        r"(?i)\b(times|entries|bytes|pages|files|rows|URLs?|entry|issues|allocations?|objects?|sitemaps?|[kMG]i?B|[0-9]+) an? (document|thread|file|entry|call|line|second|minute|hour|page|core|site|batch|block|part|level|prefix)\b",
        "per document, per thread, per file, …",
    ),
];

/// Patterns for the beginning of a sentence that is not a question or a heading.
const STARTS: &[Word] = &[
    word(
        r"^(What|Whose|Who|Whatever|That of|Those of|That which) ",
        "name the thing: Text before the declaration, Problems, Entries that …",
    ),
    word(
        r"^Of (each|what|which|two|such|an?|the|these|those|all|it|them|one|every|several|equal) ",
        "subject first; whose, from which; or two sentences",
    ),
    word(
        r"^To \w+ [^,.;:]*\b(is|gives|costs|takes|adds|needs)\b",
        "-ing: Removing is safe only if …",
    ),
    word(
        r"^Where (there|nothing|no|it|one|that|this|none|only|an?|the) ",
        "if, when",
    ),
    word(
        r"^(Neither|Nor|None|Nothing) (is|are|does|has|comes) it\b",
        "subject first",
    ),
];

/// Sentences (or parts of them) in which a word of the lists is right.
const RIGHT: &[&str] = &[
    // The rule itself.
    "do not start a sentence with",
];

#[test]
fn texts_for_users_use_plain_words() {
    let root = Path::new(ROOT);
    let mut texts = Vec::new();
    let mut pages: Vec<PathBuf> = PAGES.iter().map(|page| root.join(page)).collect();
    files_below(&root.join("src/guide"), "md", &mut pages);
    for page in pages {
        // A package contains neither the other packages nor their pages.
        if let Ok(text) = fs::read_to_string(&page) {
            texts.extend(paragraphs(&name_of(&page), &numbered(&text)));
        }
    }
    assert!(texts.len() > 200, "{} paragraphs on pages", texts.len());

    let mut files = Vec::new();
    files_below(&root.join("src"), "rs", &mut files);
    for file in &files {
        let name = name_of(file);
        for comment in public_comments(&name, &fs::read_to_string(file).unwrap()) {
            texts.extend(paragraphs(&name, &comment));
        }
    }
    assert!(texts.len() > 1_000, "{} paragraphs", texts.len());

    let mut files = Vec::new();
    files_below(&root.join("examples"), "rs", &mut files);
    files_below(&root.join("crates/integration/examples"), "rs", &mut files);
    for file in &files {
        let name = name_of(file);
        for comment in comments(&fs::read_to_string(file).unwrap()) {
            texts.extend(paragraphs(&name, &comment.lines));
        }
    }

    check(&texts);
}

/// `--help` and `--explain` of the program.
#[test]
fn the_help_of_the_program_uses_plain_words() {
    let root = Path::new(ROOT);
    let mut texts = Vec::new();
    let mut files = Vec::new();
    files_below(&root.join("crates/cli/src"), "rs", &mut files);
    for file in &files {
        for comment in help_texts(&fs::read_to_string(file).unwrap()) {
            texts.extend(paragraphs(&name_of(file), &comment));
        }
    }
    let rules = root.join("crates/cli/src/judge/rules.md");
    if let Ok(text) = fs::read_to_string(&rules) {
        texts.extend(paragraphs(&name_of(&rules), &numbered(&text)));
        assert!(texts.len() > 300, "{} paragraphs of help", texts.len());
    }
    check(&texts);
}

/// The reference of the Arrow package, and the docstrings of the Python package.
#[test]
fn the_other_packages_use_plain_words() {
    let root = Path::new(ROOT);
    let mut texts = Vec::new();
    let mut files = Vec::new();
    files_below(&root.join("crates/arrow/src"), "rs", &mut files);
    for file in &files {
        let name = name_of(file);
        for comment in public_comments(&name, &fs::read_to_string(file).unwrap()) {
            texts.extend(paragraphs(&name, &comment));
        }
    }

    let mut files = Vec::new();
    files_below(&root.join("crates/python/src"), "rs", &mut files);
    for file in &files {
        for comment in comments(&fs::read_to_string(file).unwrap()) {
            texts.extend(paragraphs(
                &name_of(file),
                &without_sessions(&comment.lines),
            ));
        }
    }
    let mut files = Vec::new();
    files_below(&root.join("crates/python/python"), "py", &mut files);
    for file in &files {
        for docstring in docstrings(&fs::read_to_string(file).unwrap()) {
            texts.extend(paragraphs(&name_of(file), &without_sessions(&docstring)));
        }
    }
    // A package has none of the others.
    if root.join("python").is_dir() {
        assert!(texts.len() > 150, "{} paragraphs", texts.len());
    }
    check(&texts);
}

/// Folders (and files) whose comments are checked, private ones too.
const INSIDE: &[&str] = &[
    "crates/arrow/benches",
    "crates/arrow/datafusion",
    "crates/arrow/examples",
    "crates/arrow/src",
    "crates/arrow/tests",
    "benches",
    "examples",
    "fuzz",
    "integration",
    "crates/python/src",
    "src",
    "tests",
    "crates/cli/src",
    "crates/cli/tests",
];

/// Openings of a sentence in a comment.
const INSIDE_STARTS: &[(&str, &str)] = &[
    (
        "What",
        "name the thing: the text before the declaration, problems, entries that …",
    ),
    ("Whoever", "a caller that, a client that"),
    ("Whatever", "any, every, for every"),
    ("Where", "if; or the noun: the position, the start"),
    ("Whether", "Returns `true` if; `true` if"),
    (
        "As for",
        "repeat the sentence that matters; Like `name`, except that …",
    ),
    ("Nearly", "how often, as a number"),
    ("Of", "subject first"),
];

/// Words after an opening "The same" that refers to the comment before. With a noun after it, it is a plain subject.
const AFTER_SAME: &[&str] = &[
    "as", "at", "but", "by", "except", "for", "from", "if", "in", "of", "to", "when", "with",
];

/// Words in a comment.
const INSIDE_WORDS: &[(&str, &str)] = &[
    ("at hand", "current"),
    ("says", "contains, reports, specifies"),
    ("said", "reported"),
    ("knows", "has, supports, recognizes"),
    ("wants", "requires, needs"),
    ("asks", "calls, requests, checks"),
    ("but for", "except"),
    ("nothing but", "only"),
    ("none but", "only"),
    (
        "odd",
        "how it is odd: it needs decoding, it is unusual, it is general",
    ),
    ("lend", "borrow"),
    ("lends", "borrows"),
    ("lent", "borrowed"),
    ("met", "found, encountered"),
];

/// Comments of the code, private ones too.
#[test]
fn comments_inside_use_plain_words() {
    let root = Path::new(ROOT);
    let mut files = Vec::new();
    for place in INSIDE {
        let path = root.join(place);
        if path.is_file() {
            files.push(path);
        } else {
            files_below(&path, "rs", &mut files);
        }
    }
    let code = Regex::new(CODE).unwrap();
    let mut found = Vec::new();
    for file in files {
        if file.components().any(|part| part.as_os_str() == "target") {
            continue;
        }
        let name = name_of(&file);
        let comments = all_comments(&fs::read_to_string(&file).unwrap());
        for paragraph in comments.iter().flat_map(|lines| paragraphs(&name, lines)) {
            found.extend(check_inside(&paragraph, &code));
        }
    }
    assert!(
        found.is_empty(),
        "{} comments to write in other words (see CONTRIBUTING.md, Style):\n\n{}",
        found.len(),
        found.join("\n")
    );
}

/// The lines of each comment of any kind, except those at the end of a line of code.
fn all_comments(source: &str) -> Vec<Vec<Line>> {
    let mut found: Vec<Vec<Line>> = Vec::new();
    let mut last = None;
    for (number, line) in numbered(source) {
        let line = line.trim_start();
        let mark = ["///", "//!", "//"]
            .into_iter()
            .find(|mark| line.starts_with(mark));
        if let Some(mark) = mark {
            if last != Some(mark) {
                found.push(Vec::new());
            }
            let text = line.trim_start_matches(mark);
            let text = text.strip_prefix(' ').unwrap_or(text).to_owned();
            if let Some(comment) = found.last_mut() {
                comment.push((number, text));
            }
        }
        last = mark;
    }
    found
}

fn check_inside(paragraph: &Paragraph, code: &Regex) -> Vec<String> {
    let text = code.replace_all(&paragraph.text, "`…`");
    let mut found = Vec::new();
    for sentence in sentences(&text) {
        if paragraph.is_heading
            || sentence.ends_with('?')
            || RIGHT.iter().any(|right| sentence.contains(right))
        {
            continue;
        }
        let starts = INSIDE_STARTS
            .iter()
            .filter(|(start, _)| begins_with_word(sentence, start));
        let words = INSIDE_WORDS
            .iter()
            .filter(|(word, _)| contains_word(&sentence.to_lowercase(), word));
        let same = refers_back(sentence).then_some(&(
            "The same",
            "repeat the sentence that matters; Like `name`, except that …",
        ));
        for (word, instead) in starts.chain(words).chain(same) {
            found.push(format!(
                "{}:{}: \"{word}\" -> {instead}\n    {sentence}",
                paragraph.file, paragraph.line
            ));
        }
    }
    found
}

fn refers_back(sentence: &str) -> bool {
    sentence.strip_prefix("The same").is_some_and(|rest| {
        rest.starts_with(['.', ',', ':', ';'])
            || rest
                .split_whitespace()
                .next()
                .is_some_and(|word| AFTER_SAME.contains(&word))
    })
}

fn is_part_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '`')
}

fn begins_with_word(sentence: &str, word: &str) -> bool {
    let rest = sentence.strip_prefix(word);
    rest.is_some_and(|rest| !rest.starts_with(is_part_of_word))
}

fn contains_word(sentence: &str, word: &str) -> bool {
    sentence.match_indices(word).any(|(at, _)| {
        let (before, after) = (&sentence[..at], &sentence[at + word.len()..]);
        !before.ends_with(is_part_of_word) && !after.starts_with(is_part_of_word)
    })
}

#[test]
fn a_bad_comment_is_found() {
    // `%` in place of `//`, so that these lines are not comments of this file.
    let source = "\
%! What follows is private.

%/ A field. Whether it is set.
a: bool,
% As for `b`: the entry at hand,
% which the parser knows.
%/ The same for `c`.
"
    .replace('%', "//");
    let code = Regex::new(CODE).unwrap();
    let found: Vec<String> = all_comments(&source)
        .iter()
        .flat_map(|lines| paragraphs("a.rs", lines))
        .flat_map(|paragraph| check_inside(&paragraph, &code))
        .collect();
    let places: Vec<&str> = found
        .iter()
        .filter_map(|text| text.split(" ->").next())
        .collect();
    assert_eq!(
        places,
        [
            "a.rs:1: \"What\"",
            "a.rs:3: \"Whether\"",
            "a.rs:5: \"As for\"",
            "a.rs:5: \"at hand\"",
            "a.rs:5: \"knows\"",
            "a.rs:7: \"The same\"",
        ]
    );
    let source =
        "// Returns whether it is odd_text, `odd` or an Offset. If so, what remains is returned.";
    for lines in all_comments(source) {
        for paragraph in paragraphs("a.rs", &lines) {
            assert_eq!(check_inside(&paragraph, &code), [""; 0]);
        }
    }
}

fn check(texts: &[Paragraph]) {
    let list = Checks::new();
    let found: Vec<_> = texts.iter().flat_map(|text| list.check(text)).collect();
    assert!(
        found.is_empty(),
        "{} sentences to write in other words (see CONTRIBUTING.md, Style):\n\n{}",
        found.len(),
        found.join("\n")
    );
}

const PAGES: &[&str] = &[
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs/cheatsheet.md",
    "docs/generators.md",
    "docs/releasing.md",
    "DESIGN.md",
    "docs/recipes.md",
    "benches/README.md",
    "fuzz/README.md",
    "tests/data/README.md",
    "crates/cli/README.md",
    "crates/arrow/README.md",
    "crates/arrow/datafusion/README.md",
    "crates/python/README.md",
];

/// Private modules are not in the reference, so the documentation of these modules alone is public.
const MODULES: &[&str] = &[
    "src",
    "src/guide.rs",
    "src/guide/cookbook.rs",
    "src/extension/mod.rs",
    "src/robots.rs",
    "crates/arrow/src/lib.rs",
];

/// A paragraph, a list item, a heading or a row of a table.
#[derive(Debug, PartialEq)]
struct Paragraph {
    file: String,
    line: usize,
    text: String,
    is_heading: bool,
}

/// A line of a text, with its number from 1.
type Line = (usize, String);

fn numbered(text: &str) -> Vec<Line> {
    (1..).zip(text.lines().map(str::to_owned)).collect()
}

/// The paragraphs of Markdown, without code.
fn paragraphs(file: &str, lines: &[Line]) -> Vec<Paragraph> {
    let mut found: Vec<Paragraph> = Vec::new();
    let mut goes_on = false;
    let mut fence = None;
    for (line, text) in lines {
        let trimmed = text.trim();
        let marks = trimmed.len() - trimmed.trim_start_matches('`').len();
        if marks >= 3 {
            fence = match fence {
                Some(open) if marks >= open => None,
                None => Some(marks),
                open => open,
            };
            goes_on = false;
            continue;
        }
        let is_code = fence.is_some() || (!goes_on && text.starts_with("    "));
        let is_rule = trimmed.starts_with("|--") || trimmed.starts_with("|:-");
        if is_code || is_rule || trimmed.is_empty() {
            goes_on = false;
            continue;
        }
        let is_heading = trimmed.starts_with('#');
        let is_row = trimmed.starts_with('|');
        let item = ["* ", "- ", "+ "]
            .iter()
            .find_map(|mark| trimmed.strip_prefix(mark));
        let item = item.or_else(|| {
            let (number, rest) = trimmed.split_once(". ")?;
            number.bytes().all(|b| b.is_ascii_digit()).then_some(rest)
        });
        if is_row {
            for cell in trimmed.replace("\\|", "/").split('|') {
                found.push(Paragraph {
                    file: file.to_owned(),
                    line: *line,
                    text: cell.trim().to_owned(),
                    is_heading: true,
                });
            }
            goes_on = false;
        } else if is_heading || item.is_some() || !goes_on {
            found.push(Paragraph {
                file: file.to_owned(),
                line: *line,
                text: item
                    .unwrap_or(trimmed.trim_start_matches('#'))
                    .trim()
                    .to_owned(),
                is_heading,
            });
            goes_on = !is_heading;
        } else if let Some(last) = found.last_mut() {
            last.text.push(' ');
            last.text.push_str(trimmed);
        }
    }
    found.retain(|paragraph| !paragraph.text.is_empty());
    found
}

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The path of a file in the repository.
fn name_of(file: &Path) -> String {
    file.strip_prefix(ROOT).unwrap().display().to_string()
}

fn files_below(folder: &Path, kind: &str, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, kind, files);
        } else if path.extension().is_some_and(|extension| extension == kind) {
            files.push(path);
        }
    }
    files.sort();
}

/// The comments that are on the pages of the reference: those of public items, of their members, and of their
/// implementations.
fn public_comments(file: &str, source: &str) -> Vec<Vec<Line>> {
    let is_module = MODULES.contains(&file.replace('\\', "/").as_str());
    comments(source)
        .into_iter()
        .filter(|comment| match comment.outer.as_str() {
            _ if comment.is_inner => is_module,
            _ if comment.item.starts_with("pub(") => false,
            _ if comment.item.starts_with("pub ") || comment.item.starts_with("impl") => true,
            _ if !comment.is_indented => false,
            outer if outer.starts_with("pub enum") => {
                comment.item.starts_with(|c: char| c.is_ascii_uppercase())
            }
            outer if outer.starts_with("pub trait") => true,
            // Macros that declare public items: `rules! {`, but not `macro_rules!`.
            outer => outer.contains("! {") && !outer.starts_with("macro_rules!"),
        })
        .map(|comment| comment.lines)
        .collect()
}

/// The comments that the program prints as help: those of the members of types that derive clap's traits.
fn help_texts(source: &str) -> Vec<Vec<Line>> {
    comments(source)
        .into_iter()
        .filter(|comment| comment.is_help && !comment.is_inner)
        .map(|comment| comment.lines)
        .collect()
}

/// The texts between `"""` in a Python file.
fn docstrings(source: &str) -> Vec<Vec<Line>> {
    let mut found = vec![Vec::new()];
    let mut is_text = false;
    for (number, line) in numbered(source) {
        for (n, piece) in line.split("\"\"\"").enumerate() {
            if n > 0 {
                is_text = !is_text;
                found.push(Vec::new());
            }
            if let (true, Some(lines)) = (is_text, found.last_mut()) {
                lines.push((number, piece.trim().to_owned()));
            }
        }
    }
    found.retain(|lines| !lines.is_empty());
    found
}

/// A docstring without its examples: `>>>` to the next empty line.
fn without_sessions(lines: &[Line]) -> Vec<Line> {
    let mut is_session = false;
    let text = lines.iter().map(|(number, line)| {
        is_session = line.starts_with(">>>") || is_session && !line.is_empty();
        if is_session {
            (*number, String::new())
        } else {
            (*number, line.clone())
        }
    });
    text.collect()
}

#[derive(Debug)]
struct Comment {
    lines: Vec<Line>,
    /// The line after the comment and its attributes.
    item: String,
    /// The first line of the item at the left margin that contains it.
    outer: String,
    is_indented: bool,
    is_inner: bool,
    is_help: bool,
}

fn comments(source: &str) -> Vec<Comment> {
    let lines: Vec<&str> = source.lines().collect();
    let mut found: Vec<Comment> = Vec::new();
    let (mut outer, mut is_help) = (String::new(), false);
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        if line.starts_with("#[cfg(test)]") {
            break;
        }
        let trimmed = line.trim_start();
        let Some(mark) = ["///", "//!"]
            .into_iter()
            .find(|mark| trimmed.starts_with(mark))
        else {
            if line.starts_with("#[derive(") {
                is_help = ["Args", "Parser", "Subcommand", "ValueEnum"]
                    .iter()
                    .any(|name| line.contains(name));
            } else if line.starts_with('}') {
                (outer, is_help) = (String::new(), false);
            } else if line.starts_with(|c: char| c.is_ascii_lowercase()) {
                outer = line.to_owned();
            }
            at += 1;
            continue;
        };
        let first = at;
        while at < lines.len() && lines[at].trim_start().starts_with(mark) {
            at += 1;
        }
        let text = |line: &str| {
            let text = line.trim_start().trim_start_matches(mark);
            text.strip_prefix(' ').unwrap_or(text).to_owned()
        };
        let comment: Vec<Line> = (first + 1..=at)
            .map(|number| (number, text(lines[number - 1])))
            .collect();
        let item = lines[at..].iter().map(|line| line.trim());
        let mut item = item
            .skip_while(|line| line.is_empty() || line.starts_with("#[") || line.ends_with(")]"));
        found.push(Comment {
            lines: comment,
            item: item.next().unwrap_or_default().to_owned(),
            outer: outer.clone(),
            is_indented: line.starts_with(' '),
            is_inner: mark == "//!",
            is_help,
        });
    }
    found
}

/// A code span.
const CODE: &str = r"``.*?``|`[^`]*`";

/// The compiled lists.
struct Checks {
    words: Vec<(Regex, Option<Regex>, &'static str)>,
    starts: Vec<(Regex, Option<Regex>, &'static str)>,
    code: Regex,
    link: Regex,
}

impl Checks {
    fn new() -> Self {
        let compiled = |list: &[Word]| {
            let regex = |pattern: &str| Regex::new(pattern).expect(pattern);
            list.iter()
                .map(|word| {
                    let except = (!word.except.is_empty()).then(|| regex(word.except));
                    (regex(word.find), except, word.instead)
                })
                .collect()
        };
        Self {
            words: compiled(WORDS),
            starts: compiled(STARTS),
            code: Regex::new(CODE).unwrap(),
            link: Regex::new(r"\]\([^)]*\)|\]\[[^\]]*\]").unwrap(),
        }
    }

    /// The messages about a paragraph, with the replacements.
    fn check(&self, paragraph: &Paragraph) -> Vec<String> {
        let text =
            self.code.replace_all(
                &paragraph.text,
                |found: &regex_lite::Captures<'_>| match &found[0] {
                    keyword @ ("`None`" | "`true`" | "`false`") => keyword.to_owned(),
                    _ => "`…`".to_owned(),
                },
            );
        let text = self
            .link
            .replace_all(&text, "]")
            .replace(['[', ']', '*'], "");
        let mut found = Vec::new();
        for sentence in sentences(&text) {
            if RIGHT.iter().any(|right| sentence.contains(right)) {
                continue;
            }
            let starts = if paragraph.is_heading || sentence.ends_with('?') {
                &[][..]
            } else {
                &self.starts
            };
            for (find, except, instead) in self.words.iter().chain(starts) {
                let rest = match except {
                    Some(except) => except.replace_all(sentence, "…"),
                    None => sentence.into(),
                };
                if let Some(word) = find.find(&rest) {
                    found.push(format!(
                        "{}:{}: \"{}\" -> {instead}\n    {sentence}",
                        paragraph.file,
                        paragraph.line,
                        word.as_str().trim()
                    ));
                }
            }
        }
        found
    }
}

/// Split after `.`, `!` and `?`; parentheses stay in their sentence.
fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(['.', '!', '?']) {
        let end = at + 1;
        let rest = text[end..].trim_start_matches(')');
        let next = rest.trim_start();
        let begins = next.starts_with(|c: char| c.is_uppercase() || c == '`' || c == '(');
        if rest.starts_with(' ') && begins {
            let end = text.len() - rest.len();
            found.push(text[start..end].trim());
            start = end;
        }
    }
    found.push(text[start..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

// The check itself.

fn found_in(text: &str) -> Vec<String> {
    let list = Checks::new();
    let paragraphs = paragraphs("page.md", &numbered(text));
    paragraphs
        .iter()
        .flat_map(|text| list.check(text))
        .collect()
}

#[test]
fn a_bad_sentence_is_found_with_its_replacement() {
    for (sentence, instead) in [
        ("An entry as it is spelt.", "written"),
        (
            "Of each rule the first five findings are shown.",
            "subject first",
        ),
        ("What is wrong is counted.", "name the thing"),
        (
            "The file is fine. What is wrong is counted.",
            "name the thing",
        ),
        (
            "`None`: it has to be skipped, for what `issues` says.",
            "Returns `None` if",
        ),
        ("Bytes that are no gzip member.", "is not a"),
        ("It is reported once a document.", "once per document"),
        ("A writer refuses the\nnext entry.", "rejects"),
        ("* it is believed,\n* and\n  passed over.", "ignored (data)"),
        (
            "| header | what it says |\n|---|---|\n| a | the file is told by its content |",
            "detected from",
        ),
        ("Whoever reads the index gets the set.", "anyone who"),
        ("To remove pages is safe only then.", "-ing"),
        ("Where there is no date, it may have changed.", "if, when"),
        ("All rules are denied but for this one.", "except, only"),
        (
            "Files hold 50,000 entries a file.",
            "per document, per thread, per file",
        ),
        (
            "[Behind](https://example.com/) the root.",
            "after (order, text)",
        ),
    ] {
        let found = found_in(sentence);
        assert!(
            found.iter().any(|message| message.contains(instead)),
            "{sentence}: {found:?}"
        );
        assert!(found[0].starts_with("page.md:"), "{found:?}");
    }
}

#[test]
fn a_plain_sentence_is_not_found() {
    for text in [
        "Returns `None` if there is no such rule.",
        "There is none, and it is no longer listed.",
        "What is the plain parser?",
        "# What it does",
        "`behind` is the name of a variable.",
        "```text\nbehind what stands\n```",
        "    cargo test # whoever says so",
        "`…/x` stands for `https://example.com/x`.",
        "The duration in whole seconds.",
        "See [the list](https://example.com/behind/whoever).",
        "If the option is given several times, matching one of them is enough.",
    ] {
        assert_eq!(found_in(text), [""; 0], "{text}");
    }
}

#[test]
fn comments_of_public_items_are_found() {
    let source = "\
//! Private module.

/// Public.
#[derive(Debug)]
pub struct A {
    /// Public field.
    pub a: u8,
    /// Private field.
    b: u8,
}

/// Private.
pub(crate) enum B {
    /// Private variant.
    C,
}

/// Public enum.
pub enum D {
    /// Public variant.
    E,
}

rules! {
    /// Public rule.
    MissingLoc = \"missing-loc\", \"{} has no loc\";
}

/// Public implementation.
impl From<A> for D {
    /// Private function.
    fn from(_: A) -> Self {}
}

#[cfg(test)]
/// Public, but of tests.
pub fn test() {}
";
    let found = public_comments("src/a.rs", source);
    let texts: Vec<&str> = found.iter().map(|comment| &*comment[0].1).collect();
    assert_eq!(
        texts,
        [
            "Public.",
            "Public field.",
            "Public enum.",
            "Public variant.",
            "Public rule.",
            "Public implementation."
        ]
    );
    assert_eq!(found[0][0].0, 3);
    assert_eq!(public_comments("src/robots.rs", source).len(), 7);

    let source = "\
/// Not shown.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Help.
    #[arg(long)]
    all: bool,
}

struct Other {
    /// No help.
    all: bool,
}
";
    let found = help_texts(source);
    assert_eq!(found, [[(4, "Help.".to_owned())]]);
}

#[test]
fn docstrings_are_found() {
    let source = "\
\"\"\"One line.\"\"\"

class A:
    \"\"\"First line.

    >>> is_code()
    what is printed

    Last line.
    \"\"\"
    behind = 1
";
    let found: Vec<Vec<String>> = docstrings(source)
        .iter()
        .map(|lines| paragraphs("a.py", &without_sessions(lines)))
        .map(|found| found.into_iter().map(|paragraph| paragraph.text).collect())
        .collect();
    assert_eq!(
        found,
        [vec!["One line."], vec!["First line.", "Last line."]]
    );
}
