//! The rules: the name and the message of each, the [`Violation`] of one, the [`Issue`] that a reader reports, and the
//! [`Policy`] that decides which of them are errors.

mod detail;
mod issue;
mod policy;

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

pub(crate) use self::detail::{Case, Detail, case};
pub use self::issue::{Effect, Issue};
pub use self::policy::Policy;
use crate::limits::{LOC_CHARS, MAX_FOREIGN};
use crate::text::position::{is_padded, pad};
use crate::text::printable::{Printable, without_logins};
#[cfg(feature = "serde")]
use crate::text::serde::is_default;
use crate::text::span::TakePart;
use crate::vocabulary::{by_prefix, meant_by};

macro_rules! rules {
    ($($(#[$doc:meta])* $rule:ident = $name:literal, $text:literal $($detail:pat => $special:literal)*;)*) => {
        /// A rule of the protocol, of XML, of gzip or of an extension.
        ///
        /// The enum has no fields, so that a [`Policy`] can store a verdict for each rule. The [`Violation`] holds the
        /// text that breaks the rule. The rules have no order, because later versions add rules between others; as a key of
        /// a `BTreeMap`, take the [`name`](Rule::name).
        ///
        /// # Examples
        ///
        /// ```
        /// use quick_sitemap::Rule;
        ///
        /// assert_eq!(Rule::MissingLoc.name(), "missing-loc");
        /// assert!(Rule::ALL.contains(&Rule::InvalidPriority));
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum Rule {
            $($(#[$doc])* #[cfg_attr(feature = "serde", serde(rename = $name))] $rule,)*
        }

        impl Rule {
            /// All rules, in the order of the documentation.
            pub const ALL: &'static [Rule] = &[$(Rule::$rule,)*];

            /// Returns the name of the rule in kebab case, for reports and command lines.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Rule::$rule => $name,)*
                }
            }

            /// The usual message. `{}` is the quotation of what was found, and each other name a text of the violation.
            const fn text(self) -> &'static str {
                match self {
                    $(Rule::$rule => $text,)*
                }
            }

            /// The message that replaces the usual one, if there is one for this detail.
            fn special_text(self, detail: &Detail) -> Option<&'static str> {
                use Detail::{Advised, Case, Location, Reason};
                match (self, detail) {
                    $($((Rule::$rule, $detail) => Some($special),)*)*
                    _ => None,
                }
            }
        }
    };
}

rules! {
    /// An entry without a `<loc>`, or with an empty one. If the `<loc>` is empty, the violation has the position of the
    /// `<loc>`. The entry is skipped.
    MissingLoc = "missing-loc", "{} has no loc"
        Case(case::EMPTY) => "{} is empty"
        Case(case::LINK) => "{} has no link";
    /// A text that is not an absolute http or https URL. In a loc, the entry is skipped; elsewhere, the value is
    /// dropped.
    InvalidUrl = "invalid-url", "{} is not an absolute http or https URL"
        Case(case::USER) => "{} has a user or a password";
    /// A relative URL. It is resolved against the URL of the sitemap; in a feed, against `xml:base`, if there is one.
    RelativeUrl = "relative-url", "{} is a relative URL; the protocol requires an absolute one";
    /// A URL with a scheme other than http or https. In a loc, the entry is skipped; elsewhere, the value is dropped.
    UnsupportedScheme = "unsupported-scheme", "{} has a scheme other than http or https";
    /// A URL of 2,048 Unicode characters or more.
    UrlTooLong = "url-too-long", "URL {} has {most} characters or more";
    /// A URL with a character that must be percent-encoded: white space, non-ASCII and others that [`Url`](url::Url)
    /// encodes or removes; `[` and `]` outside of a host, a `%` without two hexadecimal digits, and a second `#`, which
    /// `Url` keeps ([`UrlEntry::escaped`](crate::UrlEntry::escaped) encodes them). The message names the first such
    /// character.
    UrlNotEscaped = "url-not-escaped", "URL {} contains a character that must be percent-encoded"
        Advised { advice: case::PUNYCODE, .. } => "the host in URL {} must be written in Punycode: `{detail}`"
        Advised { advice: case::INVISIBLE, .. } => "URL {} contains an invisible character that must be removed ({detail})"
        Advised { advice: case::SLASH, .. } => "URL {} contains a character in place of `/` ({detail})";
    /// A URL that a sitemap at this place may not list. The message contains the location without its file name. This is
    /// checked only if a location is set.
    OutsideLocation = "outside-location", "{} is outside the location of the sitemap"
        Case(case::USER) => "{} has a user or a password"
        Location { .. } => "{} is outside `{location}` ({detail})";
    /// A text that is not a W3C Datetime and cannot be understood as one. The value is dropped.
    InvalidDatetime = "invalid-datetime", "{} is not a W3C Datetime like 2024-03-04 or 2024-03-04T05:06:07Z"
        Case(case::RFC_822) => "{} is not an RFC 822 date like Mon, 04 Mar 2024 05:06:07 GMT"
        Case(case::OUT_OF_RANGE | case::OFFSET_OUT_OF_RANGE) => "{} is out of range: years go from 1 to 9999, offsets to 14:00"
        Case(case::NO_SUCH_DAY) => "{} has the form of a date, but there is no such day"
        Case(case::NO_ZONE) => "{} has an offset from UTC of more than 14:00"
        Case(case::NO_TIME) => "{} has the form of a date, but there is no such time or zone"
        Case(case::NO_OFFSET) => "{} has a time without an offset such as Z or +01:00";
    /// A date that is understood, but is not in the W3C Datetime format (in RSS, the format of RFC 822); a date with more than
    /// nine digits in the fraction of its second, of which nine are kept; a date of a video or of news without a day, or a
    /// date of a video to the minute.
    NonStandardDatetime = "non-standard-datetime", "{} is not written as a W3C Datetime like 2024-03-04T05:06:07Z"
        Case(case::NO_OFFSET) => "{} has a time without an offset such as Z or +01:00, and is read as UTC"
        Case(case::DIGITS) => "{} has more than nine digits in the fraction of its second, which is the limit of this library"
        Case(case::WEEKDAY) => "{} has another weekday than its date, or none of RFC 822"
        Case(case::RFC_822) => "{} is not written as an RFC 822 date like Mon, 04 Mar 2024 05:06:07 GMT"
        Reason(_) => "{} is not {detail}";
    /// A text other than `always hourly daily weekly monthly yearly never`. The value is dropped.
    InvalidChangefreq = "invalid-changefreq", "changefreq {} is not one of always, hourly, daily, weekly, monthly, yearly or never";
    /// A changefreq that is not in lower case.
    NonStandardChangefreq = "non-standard-changefreq", "changefreq {} is not in lower case";
    /// A text that is not a number from 0.0 to 1.0. The value is dropped, never clamped.
    InvalidPriority = "invalid-priority", "priority {} is not a number from 0.0 to 1.0";
    /// A priority with a clear meaning in another form: `0,8`, `.5`.
    NonStandardPriority = "non-standard-priority", "priority {} is not written as a decimal number like 0.8";
    /// An element of the base format without a text: `<lastmod></lastmod>`, `<priority/>`. The value is absent. Reported once
    /// per document.
    EmptyElement = "empty-element", "element {} is empty; an element without a value must be left out";
    /// A second element where only one is allowed. The first one is kept, the second one is dropped.
    DuplicateElement = "duplicate-element", "a second {} in one entry"
        Case(case::WITHIN) => "a second {} in one `{owner}`";
    /// A second `<loc>` in one entry. The first entry ends there, and another one starts. If the rule is denied, the
    /// first entry is not returned.
    SecondLoc = "second-loc", "a second {} in one entry; it starts a new entry";
    /// An element that is not allowed at this place (a `<loc>` outside a `<url>`), or that starts before another one has
    /// ended. It is ignored. Inside a value, the value is dropped; inside a loc, the entry is skipped.
    UnknownElement = "unknown-element", "unknown element {}"
        Case(case::EXTENSION) => "{} is an element of an extension"
        Case(case::OPENED) => "element {} is opened before `</{owner}>`"
        Case(case::OPENED_AGAIN) => "element {} is opened again before `</{owner}>`"
        Case(case::NO_NAMESPACE) => "{} has no namespace of its own; a foreign element must have one"
        Reason(_) => "{} is not allowed {detail}";
    /// A `<sitemap>` in a urlset or a `<url>` in an index. If there are several roots, the innermost
    /// one decides which of the two is allowed.
    MisplacedEntry = "misplaced-entry", "{} is not the entry of this root: a urlset contains `url`, a sitemapindex `sitemap`";
    /// A namespace that is accepted in place of the standard one: with another scheme or none, with another version, or
    /// with a final slash; for XHTML, also `http://www.w3.org/TR/xhtml11/xhtml11_schema.html`. On a root element, any
    /// other namespace is accepted, or none. Elements without a namespace are treated as elements in the namespace of
    /// the root. Each such namespace is reported once per document, up to 1,024 namespaces. An unknown namespace of a
    /// conventional prefix (`xhtml`, `image`, `video`, `news`) is reported too, but not accepted: the elements are foreign.
    WrongNamespace = "wrong-namespace", "namespace {} is not the standard one, `{standard}`"
        Case(case::EXTENSION) => "namespace {} is read as that of an extension"
        Case(case::NOT_THE_ROOTS) => "namespace {} is not that of the root"
        Case(case::NOT_THE_PREFIXS) => "prefix `{owner}` is bound to {} instead of `{standard}`; its elements are not read"
        Reason(_) => "no namespace; the standard one is `{detail}`";
    /// The root is in a namespace of Google's sitemaps from before the common protocol, such as
    /// `http://www.google.com/schemas/sitemap/0.84`. It is accepted, and reported once per document.
    HistoricNamespace = "historic-namespace", "namespace {} is from before the protocol; the standard one is `{standard}`";
    /// An element name in the wrong case. Reported once per document.
    WrongCase = "wrong-case", "element name {} is in the wrong case";
    /// A prefix without an `xmlns:` declaration. Each prefix is reported once per document, up to 1,024 prefixes.
    UndeclaredPrefix = "undeclared-prefix", "prefix {} is not declared";
    /// An `&` that does not start a reference. It is read as `&`.
    BareAmpersand = "bare-ampersand", "a bare ampersand in {}";
    /// A named reference that XML does not define. It is read as it is written.
    UnknownEntity = "unknown-entity", "unknown entity {}";
    /// An end tag that does not match the innermost open element.
    MismatchedTag = "mismatched-tag", "end tag {} does not match a start tag"
        Reason(_) => "end tag {} does not match the open element `{detail}`";
    /// An entry that ends without its end tag.
    UnclosedEntry = "unclosed-entry", "the entry is not closed before the start tag {}"
        Case(case::END_TAG) => "the entry is not closed before the end tag {}";
    /// Invalid markup. Inside an entry, the entry is skipped; a broken attribute only drops its element. An XML
    /// declaration that is not closed by `?>` costs nothing.
    MalformedMarkup = "malformed-markup", "malformed markup {}";
    /// A character that XML forbids, or bytes that are not in the encoding; read as U+FFFD. In a loc, the entry is
    /// skipped. Such bytes are reported once per line of an entry, unless later ones have a worse effect.
    InvalidCharacter = "invalid-character", "invalid character {}"
        Reason(_) => "bytes that are not {detail}";
    /// A document type declaration. It is ignored: nothing is expanded, fetched or opened.
    Doctype = "doctype", "document type declaration {}, which a sitemap does not need";
    /// Text at a place where only elements are allowed. A `<` that cannot start markup is text there too. In an entry and
    /// between two entries, it is reported once per line.
    StrayText = "stray-text", "stray text {}";
    /// A line of a text sitemap that begins with `#`. It is not an entry. Reported once per document.
    CommentInText = "comment-in-text", "comment {}; a text sitemap can contain only URLs";
    /// Text or elements after the end of the root element.
    ContentAfterRoot = "content-after-root", "content after the root element: {}"
        Case(case::END_TAG) => "end tag {} after the root element";
    /// White space, comments or text before an XML declaration, except byte order marks. The message quotes the start of
    /// the document. This is reported once; the issue covers what is before the declaration, except a document type.
    ContentBeforeDeclaration = "content-before-declaration", "content before the XML declaration: {}";
    /// Another root element in the same file. Its entries are returned too.
    SecondRoot = "second-root", "another root element {}";
    /// A `<urlset>` or a `<sitemapindex>` inside another element, such as `html` or a SOAP envelope. Its entries are
    /// returned. Nothing else is reported about the elements around the root and the text in them.
    WrappedRoot = "wrapped-root", "the root element is inside {}; it must be the outermost element";
    /// More than 50,000 entries. Reported once.
    TooManyEntries = "too-many-entries", "more than {n} entries"
        Case(case::SINGLE) => "more than {n} entry";
    /// More than 52,428,800 bytes. Reported once.
    TooManyBytes = "too-many-bytes", "more than {n} bytes";
    /// An entry beyond a limit of the reader (bytes, elements, attributes, texts, namespaces). The entry is skipped. Videos
    /// beyond 1,024 and words of lists beyond 65,536 are dropped.
    EntryTooLarge = "entry-too-large", "{} is too large"
        Case(case::NAMESPACES) => "namespace {} is one too many (a file can have {namespaces} foreign namespaces)";
    /// An entry with more than 64 levels of elements. The entry is skipped.
    TooDeep = "too-deep", "{} is nested too deeply";
    /// Bytes after the last gzip member that are not a gzip member.
    TrailingGzipData = "trailing-gzip-data", "{} after the gzip data";
    /// A declared encoding that is unknown or does not match the bytes. The declaration is ignored.
    EncodingConflict = "encoding-conflict", "the declared encoding {} is not that of the bytes"
        Case(case::UNKNOWN) => "the declared encoding {} is not supported; it is ignored"
        Reason(_) => "the declared encoding {} is not that of the bytes, which are read as {detail}";
    /// An element of an extension without a required child, or with an empty one. If the child is empty, the violation
    /// has the position of the child. An image without its loc is dropped; videos and news are kept.
    MissingElement = "missing-element", "{} is missing"
        Case(case::EMPTY) => "{} is empty"
        Case(case::NEITHER) => "{} is missing; one of them is required";
    /// An element without a required attribute. (A link with `rel="alternate"` and without `hreflang` is not meant to be an
    /// [`Alternate`](crate::extension::Alternate) if it has `media`, or a URL of another scheme than http or https.)
    MissingAttribute = "missing-attribute", "attribute {} is missing"
        Detail::None => "`{owner}` has no attribute {}"
        Case(case::SEVERAL) => "`{owner}` has no attributes {}";
    /// A text that is not a number, or a number outside the range that the extension allows. The value is dropped.
    InvalidNumber = "invalid-number", "{} is not a number in the allowed range"
        Case(case::DECIMAL) => "{} is not a decimal number like 1.99"
        Reason(_) => "{} is not {detail}";
    /// A text that is not one of the allowed keywords.
    InvalidKeyword = "invalid-keyword", "{} is not one of the words allowed here"
        Case(case::COMMA) => "{} is not a valid keyword: commas separate keywords"
        Case(case::CURRENCY) => "{} is not an ISO 4217 currency code like EUR"
        Case(case::TICKER) => "{} is not a stock ticker like NASDAQ:AMAT: ASCII letters and digits before and after a colon"
        Case(case::RULE_NAME) => "there is no rule {}";
    /// A text that is not an allowed language code.
    InvalidLanguage = "invalid-language", "{} is not a language code like de or de-CH"
        Case(case::NEWS_LANGUAGE) => "{} is not an ISO 639 code of two or three lower-case letters, zh-cn or zh-tw";
    /// A text that is not an ISO 3166 country code. The value is dropped.
    InvalidCountry = "invalid-country", "{} is not an ISO 3166 country code like DE";
    /// A text with more characters than its field allows, such as [`Video::title`](crate::extension::Video::title). The
    /// message contains the limit.
    TextTooLong = "text-too-long", "text {} is too long";
    /// More images in one entry than [`UrlEntry::images`](crate::UrlEntry::images) allows.
    TooManyImages = "too-many-images", "more than {n} images in one entry";
    /// More tags in one video than [`Video::tags`](crate::extension::Video::tags) allows.
    TooManyTags = "too-many-tags", "more than {n} tags in one video";
    /// More stock tickers than [`News::stock_tickers`](crate::extension::News::stock_tickers) allows.
    TooManyTickers = "too-many-tickers", "more than {n} stock tickers";
    /// More news articles in one file than [`UrlEntry::news`](crate::UrlEntry::news) allows.
    TooManyNews = "too-many-news", "more than {n} news articles";
    /// More than 1,000 issues in one call. The others are counted, but not listed. The [`Effect`] is the worst
    /// one among them.
    IssuesOmitted = "issues-omitted", "{n} more issues";
    /// A mistake in this crate: a place in the entry that does not exist. The entry is skipped, so that nothing wrong is
    /// returned. Please report it, with the document.
    Internal = "internal", "{} cannot be read because of a mistake in quick-sitemap; please report it with the document";
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses the [`name`](Rule::name) of a rule.
///
/// # Examples
///
/// ```
/// use quick_sitemap::Rule;
///
/// assert_eq!("missing-loc".parse(), Ok(Rule::MissingLoc));
/// let error = "MissingLoc".parse::<Rule>().unwrap_err();
/// assert_eq!(error.to_string(), "there is no rule `MissingLoc`");
/// ```
impl FromStr for Rule {
    type Err = Violation;

    fn from_str(name: &str) -> Result<Self, Violation> {
        let mut rules = Self::ALL.iter().copied();
        let found = rules.find(|rule| rule.name() == name);
        let unknown = || Violation::with_detail(Rule::InvalidKeyword, name, case::RULE_NAME);
        found.ok_or_else(unknown)
    }
}

/// A rule that was broken, and the text that breaks it.
///
/// # Examples
///
/// ```
/// use quick_sitemap::{Priority, Rule, UrlEntry};
///
/// let violation = "1.5".parse::<Priority>().unwrap_err();
/// assert_eq!(violation.rule(), Rule::InvalidPriority);
/// assert_eq!(violation.found(), "1.5");
/// assert_eq!(violation.to_string(), "priority `1.5` is not a number from 0.0 to 1.0");
///
/// // As the `main` of a program prints it.
/// let violation = UrlEntry::try_from("/a").unwrap_err();
/// assert_eq!(format!("{violation:?}"), "Violation(`/a` is not an absolute http or https URL; `Url::join` makes a \
///     relative URL absolute)");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Written", into = "Written"))]
pub struct Violation {
    rule: Rule,
    found: Box<str>,
    detail: Detail,
    /// The element or the attribute that has the value; empty if the message does not name it.
    owner: Box<str>,
    /// `true` if the offending text is longer than `found`.
    is_cut: bool,
}

/// A violation as it is serialized.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    rule: Rule,
    found: Box<str>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    detail: Box<str>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    case: Box<str>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    owner: Box<str>,
    #[serde(default, skip_serializing_if = "is_default")]
    cut: bool,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    location: Box<str>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    advice: Box<str>,
}

#[cfg(feature = "serde")]
impl From<Violation> for Written {
    fn from(violation: Violation) -> Self {
        let [detail, case, location, advice] = violation.detail.written().map(Box::from);
        Self {
            rule: violation.rule,
            found: violation.found,
            detail,
            case,
            owner: violation.owner,
            cut: violation.is_cut,
            location,
            advice,
        }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Written> for Violation {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let texts = [
            written.detail,
            written.case,
            written.location,
            written.advice,
        ];
        let detail = Detail::of_written(texts)?;
        let special = written.rule.special_text(&detail);
        if written.owner.is_empty() && special.is_some_and(|text| text.contains("{owner}")) {
            return Err("a message that names the `owner`, which is missing");
        }
        Ok(Self {
            rule: written.rule,
            found: written.found,
            detail,
            owner: written.owner,
            is_cut: written.cut,
        })
    }
}

/// A value, with the violation that must be reported if it is understood although it breaks a rule.
pub(crate) type Salvaged<T> = Result<(T, Option<Violation>), Violation>;

/// Quotation of bytes that are not in the encoding.
const UNDECODABLE: &str = "\u{FFFD}";

/// Separates the words of a list.
pub(crate) const BETWEEN_WORDS: &str = ", ";

/// Characters of the offending text that a violation quotes at most.
pub(crate) const QUOTED: usize = 80;

/// Characters of a text of which it is known whether it is longer than what is quoted of it.
const QUOTABLE: usize = 100;

impl Violation {
    pub(crate) fn new(rule: Rule, found: &str) -> Self {
        Self::with_detail(rule, found, "")
    }

    pub(crate) fn with_detail(rule: Rule, found: &str, detail: impl Into<Detail>) -> Self {
        let shown = without_logins(found, QUOTED);
        let quoted = quote(&shown);
        Self {
            rule,
            found: decoded(quoted).into(),
            is_cut: quoted.len() < shown.len(),
            detail: detail.into(),
            owner: Box::default(),
        }
    }

    /// A URL, written as `found`, that a sitemap at this location may not list.
    pub(crate) fn outside_location(found: &str, location: &str, reason: Case) -> Self {
        let location = shortened(&without_logins(location, QUOTED)).into();
        let detail = Detail::Location { location, reason };
        Self::with_detail(Rule::OutsideLocation, found, detail)
    }

    /// A word that is not one of `allowed`, which the message lists.
    pub(crate) fn keyword(found: &str, allowed: &[&str]) -> Self {
        Self::with_detail(Rule::InvalidKeyword, found, &*allowed.join(BETWEEN_WORDS))
    }

    /// Bytes that are not in this encoding.
    pub(crate) fn undecodable(encoding: &'static str) -> Self {
        Self::with_detail(Rule::InvalidCharacter, UNDECODABLE, encoding)
    }

    /// Prints the text that has this name in a message.
    fn print(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match name {
            "" if self.found.is_empty() => return f.write_str("(none)"),
            "" if self.is_cut => return write!(f, "`{}…`", Printable(&self.found)),
            "" => return write!(f, "`{}`", Printable(&self.found)),
            // A limit or a count is not part of the document, so it is not quoted.
            "n" => (self.found.parse()).map_or((&*self.found).into(), |n| grouped(n).into()),
            "most" => grouped(LOC_CHARS as u64).into(),
            "namespaces" => grouped(MAX_FOREIGN as u64).into(),
            "standard" => {
                let known = by_prefix(&self.owner).unwrap_or_else(|| meant_by(&self.found));
                known.uri.into()
            }
            "owner" => Cow::Borrowed(&*self.owner),
            "location" => self.detail.location().into(),
            _ => self.detail.text().into(),
        };
        write!(f, "{}", Printable(&text))
    }

    /// Adds the element of the value, unless the detail names it already.
    pub(crate) fn owned_by(mut self, owner: &str) -> Self {
        if self.owner.is_empty() && self.rule != Rule::TextTooLong {
            self.owner = shortened(owner).into();
        }
        self
    }

    /// Returns `true` in this case of the rule.
    pub(crate) fn is(&self, case: Case) -> bool {
        self.detail == Detail::Case(case)
    }

    /// Returns the call that helps if a writer rejects a value because of this violation, as a short sentence, or
    /// `None` if there is no such call. An [`Error`](crate::Error) of a writer or of a constructor of a value ends with
    /// it. The page [Rejected entries](crate::guide::refused) has an example of each.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{UrlEntry, UrlsetWriter};
    ///
    /// let page = UrlEntry::try_from("https://example.com/?filter[color]=red")?;
    /// let error = UrlsetWriter::new(Vec::new()).write(&page).unwrap_err();
    /// assert_eq!(error.violation().unwrap().help(), Some("`UrlEntry::escaped` encodes it"));
    /// assert!(error.to_string().ends_with("; `UrlEntry::escaped` encodes it"));
    /// # Ok::<(), quick_sitemap::Violation>(())
    /// ```
    #[must_use]
    pub fn help(&self) -> Option<&'static str> {
        const SPLIT: &str = "`SplitWriter` continues in another file";
        let is_plain = self.detail == Detail::None && self.owner.is_empty();
        Some(match (self.rule, self.detail.case()) {
            (Rule::InvalidUrl, _) if is_plain => "`Url::join` makes a relative URL absolute",
            (Rule::UrlNotEscaped, _) => "`UrlEntry::escaped` encodes it",
            (Rule::InvalidUrl | Rule::OutsideLocation, Some(case::USER)) => {
                "`Url::set_username` and `Url::set_password` remove it"
            }
            (Rule::OutsideLocation, Some(case::OTHER_DIRECTORY)) => {
                "`WriterBuilder::any_directory` allows it"
            }
            (Rule::OutsideLocation, _) => "`WriterBuilder::allow_site` allows it",
            (Rule::InvalidDatetime, Some(case::OFFSET_OUT_OF_RANGE)) => {
                "`date.start().to_utc()` has no offset"
            }
            (Rule::InvalidDatetime, case) if is_plain || case == Some(case::NO_OFFSET) => {
                "`W3cDatetime::parse_lenient` reads other forms"
            }
            (Rule::TooManyNews, _) | (Rule::TooManyEntries, Some(case::SINGLE)) => SPLIT,
            (Rule::TooManyEntries | Rule::TooManyBytes, _) if is_plain => SPLIT,
            (Rule::TooManyImages, _) => "`images.truncate` keeps the first ones",
            (Rule::TooManyTags, _) => "`tags.truncate` keeps the first ones",
            (Rule::TooManyTickers, _) => "`stock_tickers.truncate` keeps the first ones",
            (Rule::InvalidCharacter, Some(case::WHITE_SPACE)) => "`str::trim` removes it",
            (Rule::UnknownElement | Rule::WrongNamespace, Some(case::EXTENSION)) => {
                "`UrlEntry` has a field for it"
            }
            _ => return None,
        })
    }

    /// Returns the rule that was broken.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns the text that breaks the rule: at most its first 80 characters. If it is longer, the message ends
    /// the quotation with `…`.
    ///
    /// The user and the password of a URL are replaced by `***`, so that no log contains them. The position of an
    /// [`Issue`] or an [`Error`](crate::Error) leads to the original text.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::UrlEntry;
    ///
    /// let violation = UrlEntry::try_from("ftp://user:word@example.com/").unwrap_err();
    /// assert_eq!(violation.found(), "ftp://***@example.com/");
    /// ```
    #[must_use]
    pub fn found(&self) -> &str {
        &self.found
    }

    /// Returns what distinguishes the violation from others of its rule, for example the limit or the reason. Empty if there
    /// is no such detail.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{ReaderBuilder, url::Url};
    ///
    /// let builder = ReaderBuilder::new().location(Url::parse("https://example.com/sitemap.txt")?);
    /// let mut reader = builder.from_bytes("https://www.example.com/a\n");
    /// reader.next().unwrap()?;
    /// let violation = &reader.issues()[0].violation;
    /// assert_eq!(violation.detail(), "another host");
    /// assert_eq!(violation.to_string(), "`https://www.example.com/a` is outside `https://example.com/` (another host)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn detail(&self) -> &str {
        self.detail.text()
    }
}

/// With a comma between the thousands.
pub(crate) fn grouped(number: u64) -> String {
    match number {
        ..1_000 => number.to_string(),
        _ => format!("{},{:03}", grouped(number / 1_000), number % 1_000),
    }
}

/// The name of a character in a message that cannot contain the character itself.
pub(crate) fn spelt_code_point(c: char) -> String {
    format!("U+{:04X}", u32::from(c))
}

/// The beginning of what was found, as far as it is quoted.
pub(crate) fn quote(found: &str) -> &str {
    first_chars(found, QUOTED)
}

/// The part of a text that must be read to quote it, without the white space around it.
pub(crate) fn quotable(text: &str) -> &str {
    first_chars(text.trim_start(), QUOTABLE).trim_end()
}

fn first_chars(text: &str, most: usize) -> &str {
    match text.char_indices().nth(most) {
        Some((end, _)) => text.part(..end),
        None => text,
    }
}

/// A name in a message: the quoted part, and `…` if that is not all.
pub(crate) fn shortened(name: &str) -> String {
    let quoted = quote(name);
    let mut text = decoded(quoted);
    if quoted.len() < name.len() {
        text.push('…');
    }
    text
}

/// Replaces U+FFFF, which represents bytes that are not in the encoding.
fn decoded(text: &str) -> String {
    text.replace('\u{FFFF}', "\u{FFFD}")
}

/// Prints `Violation(`, the message and the call that helps, so that the output of a `main` or an `unwrap` is readable.
impl fmt::Debug for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.help() {
            Some(help) => write!(f, "Violation({self}; {help})"),
            None => write!(f, "Violation({self})"),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_padded(f) {
            return pad(self, f);
        }
        let special = self.rule.special_text(&self.detail);
        let template = special.unwrap_or_else(|| self.rule.text());
        let pieces = template.split(['{', '}']);
        for (number, piece) in pieces.enumerate() {
            match piece {
                text if number % 2 == 0 => f.write_str(text)?,
                name => self.print(name, f)?,
            }
        }
        let detail = special.map_or_else(|| self.detail.text(), |_| "");
        let is_named = template.contains("{owner}");
        match (detail, if is_named { "" } else { &*self.owner }) {
            ("", "") => Ok(()),
            (text, "") | ("", text) => write!(f, " ({})", Printable(text)),
            (detail, owner) => write!(f, " ({}; {})", Printable(detail), Printable(owner)),
        }
    }
}

impl std::error::Error for Violation {}
