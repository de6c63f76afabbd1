//! The rules: the name and the message of each, the [`Violation`] of one, the [`Issue`] that a reader reports, and the
//! [`Policy`] that decides which of them are errors.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::text::excerpt::Excerpt;
use crate::text::position::{Position, is_padded, pad};
use crate::text::printable::{Printable, without_logins};
#[cfg(feature = "serde")]
use crate::text::serde::is_default;
use crate::text::span::TakePart;

macro_rules! rules {
    ($($(#[$doc:meta])* $rule:ident = $name:literal, $text:literal;)*) => {
        /// A rule of the protocol, of XML, of gzip or of an extension.
        ///
        /// The enum has no fields, so that a [`Policy`] can store a verdict for each rule. The [`Violation`] holds the
        /// text that breaks the rule.
        ///
        /// # Examples
        ///
        /// ```
        /// use quick_sitemap::Rule;
        ///
        /// assert_eq!(Rule::MissingLoc.name(), "missing-loc");
        /// assert!(Rule::ALL.contains(&Rule::InvalidPriority));
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
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

            /// The message, with `{}` for the quotation of the offending text, or `{n}` for a number.
            const fn text(self) -> &'static str {
                match self {
                    $(Rule::$rule => $text,)*
                }
            }
        }
    };
}

rules! {
    /// An entry without a `<loc>`, or with an empty one. If the `<loc>` is empty, the violation has the position of the
    /// `<loc>`. The entry is skipped.
    MissingLoc = "missing-loc", "{} has no loc";
    /// A text that is not an absolute http or https URL. In a loc, the entry is skipped; elsewhere, the value is
    /// dropped.
    InvalidUrl = "invalid-url", "{} is not an absolute http or https URL";
    /// A relative URL. It is resolved against the URL of the sitemap; in a feed, against `xml:base`, if there is one.
    RelativeUrl = "relative-url", "{} is a relative URL; the protocol requires an absolute one";
    /// A URL with a scheme other than http or https. In a loc, the entry is skipped; elsewhere, the value is dropped.
    UnsupportedScheme = "unsupported-scheme", "{} has a scheme other than http or https";
    /// A URL of 2,048 Unicode characters or more.
    UrlTooLong = "url-too-long", "URL {} has 2,048 characters or more";
    /// A URL with a character that must be percent-encoded: white space, non-ASCII and others that [`Url`](url::Url)
    /// encodes or removes; `[` and `]` outside of a host, a `%` without two hexadecimal digits, and a second `#`, which
    /// `Url` keeps ([`UrlEntry::escaped`](crate::UrlEntry::escaped) encodes them). The message names the first such
    /// character.
    UrlNotEscaped = "url-not-escaped", "URL {} contains a character that must be percent-encoded";
    /// A URL that a sitemap at this place may not list. The message contains the location without its file name. This is
    /// checked only if a location is set.
    OutsideLocation = "outside-location", "{} is outside the location of the sitemap";
    /// A text that is not a W3C Datetime and cannot be understood as one. The value is dropped.
    InvalidDatetime = "invalid-datetime", "{} is not a W3C Datetime like 2024-03-04 or 2024-03-04T05:06:07Z";
    /// A date that is understood, but is not in the W3C Datetime format (in RSS, the format of RFC 822).
    NonStandardDatetime = "non-standard-datetime", "{} is not written as a W3C Datetime like 2024-03-04T05:06:07Z";
    /// A text other than `always hourly daily weekly monthly yearly never`. The value is dropped.
    InvalidChangefreq = "invalid-changefreq", "changefreq {} is not one of always, hourly, daily, weekly, monthly, yearly or never";
    /// A changefreq that is not in lower case.
    NonStandardChangefreq = "non-standard-changefreq", "changefreq {} is not in lower case";
    /// A text that is not a number from 0.0 to 1.0. The value is dropped, never clamped.
    InvalidPriority = "invalid-priority", "priority {} is not a number from 0.0 to 1.0";
    /// A priority with a clear meaning in another form: `0,8`, `.5`.
    NonStandardPriority = "non-standard-priority", "priority {} is not written as a decimal number like 0.8";
    /// A second element where only one is allowed. The first one is kept, the second one is dropped.
    DuplicateElement = "duplicate-element", "a second {} in one entry";
    /// A second `<loc>` in one entry. The first entry ends there, and another one starts. If the rule is denied, the
    /// first entry is not returned.
    SecondLoc = "second-loc", "a second {} in one entry; it starts a new entry";
    /// An element that is not allowed at this place (a `<loc>` outside a `<url>`), or that starts before another one has
    /// ended. It is ignored. Inside a value, the value is dropped; inside a loc, the entry is skipped.
    UnknownElement = "unknown-element", "unknown element {}";
    /// A `<sitemap>` in a urlset or a `<url>` in an index. If there are several roots, the innermost
    /// one decides which of the two is allowed.
    MisplacedEntry = "misplaced-entry", "{} is not allowed in this document";
    /// A namespace that is accepted in place of the standard one: with another scheme or none, with another version, or
    /// with a final slash; for XHTML, also `http://www.w3.org/TR/xhtml11/xhtml11_schema.html`. On a root element, any
    /// other namespace is accepted, or none. Elements without a namespace are treated as elements in the namespace of
    /// the root. Each such namespace is reported once per document, up to 1,024 namespaces.
    WrongNamespace = "wrong-namespace", "namespace {} is not the standard one";
    /// An element name in the wrong case. Reported once per document.
    WrongCase = "wrong-case", "element name {} is in the wrong case";
    /// A prefix without an `xmlns:` declaration. Each prefix is reported once per document, up to 1,024 prefixes.
    UndeclaredPrefix = "undeclared-prefix", "prefix {} is not declared";
    /// An `&` that does not start a reference. It is read as `&`.
    BareAmpersand = "bare-ampersand", "a bare ampersand in {}";
    /// A named reference that XML does not define. It is read as it is written.
    UnknownEntity = "unknown-entity", "unknown entity {}";
    /// An end tag that does not match the innermost open element.
    MismatchedTag = "mismatched-tag", "end tag {} does not match a start tag";
    /// An entry that ends without its end tag.
    UnclosedEntry = "unclosed-entry", "the entry is not closed before the start tag {}";
    /// Invalid markup. Inside an entry, the entry is skipped; a broken attribute only drops its element. An XML
    /// declaration that is not closed by `?>` costs nothing.
    MalformedMarkup = "malformed-markup", "malformed markup {}";
    /// A character that XML forbids, or bytes that are not in the encoding; read as U+FFFD. In a loc, the entry is
    /// skipped. Such bytes are reported once per line of an entry, unless later ones have a worse effect.
    InvalidCharacter = "invalid-character", "invalid character {}";
    /// A document type declaration. It is ignored: nothing is expanded, fetched or opened.
    Doctype = "doctype", "document type declaration {}, which a sitemap does not need";
    /// Text at a place where only elements are allowed. A `<` that cannot start markup is text there too. In an entry and
    /// between two entries, it is reported once per line.
    StrayText = "stray-text", "stray text {}";
    /// Text or elements after the end of the root element.
    ContentAfterRoot = "content-after-root", "content after the root element: {}";
    /// White space, comments or text before the XML declaration. The message quotes them. (If a declaration is more
    /// than 64 KiB after the start, or is a second one, the message quotes the declaration.)
    ContentBeforeDeclaration = "content-before-declaration", "content before the XML declaration: {}";
    /// Another root element in the same file. Its entries are returned too.
    SecondRoot = "second-root", "another root element {}";
    /// More than 50,000 entries. Reported once.
    TooManyEntries = "too-many-entries", "more than {n} entries";
    /// More than 52,428,800 bytes. Reported once.
    TooManyBytes = "too-many-bytes", "more than {n} bytes";
    /// An entry beyond a limit of the reader (bytes, elements, attributes, texts, namespaces). The entry is skipped. Videos
    /// beyond 1,024 and words of lists beyond 65,536 are dropped.
    EntryTooLarge = "entry-too-large", "{} is too large";
    /// An entry with more than 64 levels of elements. The entry is skipped.
    TooDeep = "too-deep", "{} is nested too deeply";
    /// Bytes after the last gzip member that are not a gzip member.
    TrailingGzipData = "trailing-gzip-data", "{} after the gzip data";
    /// A declared encoding that is unknown or does not match the bytes. The declaration is ignored.
    EncodingConflict = "encoding-conflict", "the declared encoding {} is not that of the bytes";
    /// An element of an extension without a required child, or with an empty one. If the child is empty, the violation
    /// has the position of the child. An image without its loc is dropped; videos and news are kept.
    MissingElement = "missing-element", "{} is missing";
    /// An element without a required attribute. (A link with `rel="alternate"` and without `hreflang` is not meant to be an
    /// [`Alternate`](crate::extension::Alternate) if it has `media`, or a URL of another scheme than http or https.)
    MissingAttribute = "missing-attribute", "attribute {} is missing";
    /// A text that is not a number, or a number outside the range that the extension allows. The value is dropped.
    InvalidNumber = "invalid-number", "{} is not a number in the allowed range";
    /// A text that is not one of the allowed keywords.
    InvalidKeyword = "invalid-keyword", "{} is not one of the words allowed here";
    /// A text that is not an allowed language code.
    InvalidLanguage = "invalid-language", "{} is not a language code like de or de-CH";
    /// A text that is not an ISO 3166 country code. The value is dropped.
    InvalidCountry = "invalid-country", "{} is not an ISO 3166 country code like DE";
    /// A title of more than 100, a category of more than 256 or a description of more than 2,048 characters.
    TextTooLong = "text-too-long", "text {} is too long";
    /// More than 1,000 images in one entry.
    TooManyImages = "too-many-images", "more than {n} images in one entry";
    /// More than 32 tags in one video.
    TooManyTags = "too-many-tags", "more than {n} tags in one video";
    /// More than 5 stock tickers.
    TooManyTickers = "too-many-tickers", "more than {n} stock tickers";
    /// More than 1,000 news articles in one file.
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
    type Err = UnknownRule;

    fn from_str(name: &str) -> Result<Self, UnknownRule> {
        let mut rules = Self::ALL.iter().copied();
        let found = rules.find(|rule| rule.name() == name);
        found.ok_or_else(|| UnknownRule(shortened(name).into()))
    }
}

/// The error for a name that is not the name of a [`Rule`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no rule `{}`", Printable(.0))]
pub struct UnknownRule(Box<str>);

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

/// What distinguishes a violation from others of its rule.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Detail {
    None,
    /// A case that has a message or a help of its own.
    Case(Case),
    /// The limit, the reason, or a name of which the message of the rule speaks.
    Reason(Cow<'static, str>),
    /// The location that a URL is outside of, as it is quoted, and in what it differs.
    Location {
        location: Box<str>,
        reason: Case,
    },
}

impl From<Case> for Detail {
    fn from(case: Case) -> Self {
        Self::Case(case)
    }
}

impl From<Option<Case>> for Detail {
    fn from(case: Option<Case>) -> Self {
        case.map_or(Self::None, Self::Case)
    }
}

/// A reason, or none if the text is empty.
impl From<&'static str> for Detail {
    fn from(reason: &'static str) -> Self {
        Self::from(Cow::Borrowed(reason))
    }
}

impl From<String> for Detail {
    fn from(reason: String) -> Self {
        Self::from(Cow::Owned(reason))
    }
}

impl From<Cow<'static, str>> for Detail {
    fn from(reason: Cow<'static, str>) -> Self {
        if reason.is_empty() {
            Self::None
        } else {
            Self::Reason(reason)
        }
    }
}

impl Detail {
    /// The text that stands in a message, or distinguishes a case.
    fn text(&self) -> &str {
        match self {
            Self::None => "",
            Self::Case(case) | Self::Location { reason: case, .. } => case.name(),
            Self::Reason(reason) => reason,
        }
    }
}

/// A violation as it is serialized.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    rule: Rule,
    found: Box<str>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    detail: Cow<'static, str>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    owner: Box<str>,
    #[serde(default, skip_serializing_if = "is_default")]
    cut: bool,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    location: Box<str>,
}

#[cfg(feature = "serde")]
impl From<Violation> for Written {
    fn from(violation: Violation) -> Self {
        let (detail, location) = match violation.detail {
            Detail::None => (Cow::Borrowed(""), Box::default()),
            Detail::Case(case) => (Cow::Borrowed(case.name()), Box::default()),
            Detail::Reason(reason) => (reason, Box::default()),
            Detail::Location { location, reason } => (Cow::Borrowed(reason.name()), location),
        };
        Self {
            rule: violation.rule,
            found: violation.found,
            detail,
            owner: violation.owner,
            cut: violation.is_cut,
            location,
        }
    }
}

/// A location needs one of the reasons for which a URL is outside of it.
#[cfg(feature = "serde")]
impl TryFrom<Written> for Violation {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let detail = match Case::named(&written.detail) {
            Some(reason) if !written.location.is_empty() => Detail::Location {
                location: written.location,
                reason,
            },
            None if !written.location.is_empty() => {
                return Err("a location without a known reason in `detail`");
            }
            Some(case) => Detail::Case(case),
            None => Detail::from(written.detail),
        };
        Ok(Self {
            rule: written.rule,
            found: written.found,
            detail,
            owner: written.owner,
            is_cut: written.cut,
        })
    }
}

/// Quotation of bytes that are not in the encoding.
const UNDECODABLE: &str = "\u{FFFD}";

/// Separates the words of a list.
pub(crate) const BETWEEN_WORDS: &str = ", ";

/// Characters of the offending text that a violation quotes at most.
pub(crate) const QUOTED: usize = 80;

/// Characters of a text of which it is known whether it is longer than what is quoted of it.
const QUOTABLE: usize = 100;

/// Defines the cases that a rule distinguishes, and for each its message with the rules that have it.
macro_rules! cases {
    ($($(#[$doc:meta])* $constant:ident $case:ident = $name:literal { $($rule:ident: $text:literal)* })*) => {
        /// A special case of a rule.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum Case {
            $($(#[$doc])* $case,)*
        }

        pub(crate) mod case {
            use super::Case;

            /// An element of an entry that is outside of one: before the name of that entry.
            pub(crate) const OUTSIDE: &str = "outside a ";
            $($(#[$doc])* pub(crate) const $constant: Case = Case::$case;)*
        }

        impl Case {
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$case => $name,)*
                }
            }

            #[cfg(feature = "serde")]
            fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$case),)*
                    _ => None,
                }
            }

            /// The message of the rule in this case.
            const fn text(self, rule: Rule) -> Option<&'static str> {
                match (rule, self) {
                    $($((Rule::$rule, Self::$case) => Some($text),)*)*
                    _ => None,
                }
            }
        }
    };
}

cases! {
    /// The required element is present, but blank.
    EMPTY Empty = "empty" {
        MissingLoc: "{} is empty"
        MissingElement: "{} is empty"
    }
    /// The entry of a feed has no link.
    LINK Link = "link" { MissingLoc: "{} has no link" }
    /// A keyword with a comma.
    COMMA Comma = "separated by commas" { InvalidKeyword: "{} is not a valid keyword (news:keywords are separated by commas)" }
    /// A date where RFC 822 is the standard.
    RFC_822 Rfc822 = "RFC 822" {
        InvalidDatetime: "{} is not an RFC 822 date like Mon, 04 Mar 2024 05:06:07 GMT"
        NonStandardDatetime: "{} is not written as an RFC 822 date like Mon, 04 Mar 2024 05:06:07 GMT"
    }
    /// A date that could be read, but not be written.
    OUT_OF_RANGE OutOfRange = "out of range" { InvalidDatetime: "{} is out of range: years go from 1 to 9999, offsets to 14:00" }
    /// A date that could be written with another offset.
    OFFSET_OUT_OF_RANGE OffsetOutOfRange = "offset out of range" { InvalidDatetime: "{} is out of range: years go from 1 to 9999, offsets to 14:00" }
    /// A date of the right form, without such a day in the calendar.
    NO_SUCH_DAY NoSuchDay = "no such day" { InvalidDatetime: "{} has the form of a date, but there is no such day" }
    /// A date of the right form, whose time or zone does not exist.
    NO_TIME NoTime = "no such time" { InvalidDatetime: "{} has the form of a date, but there is no such time or zone" }
    /// A date of the right form, except that its time has no zone.
    NO_OFFSET NoOffset = "no offset" { InvalidDatetime: "{} has a time without an offset such as Z or +01:00" }
    /// A page whose URL has a user or a password.
    USER User = "a user or a password" {
        InvalidUrl: "{} has a user or a password"
        OutsideLocation: "{} has a user or a password"
    }
    /// A text that would be read back without its ends.
    WHITE_SPACE WhiteSpace = "white space at the ends of a text is not kept" {}
    /// A foreign element that a reader would take for an extension.
    EXTENSION Extension = "known extensions have fields of their own" {
        WrongNamespace: "namespace {} is read as that of an extension"
        UnknownElement: "{} is an element of an extension"
    }
    /// The standard namespace, under a root in another one.
    NOT_THE_ROOTS NotTheRoots = "not the namespace of the root" { WrongNamespace: "namespace {} is not that of the root" }
    /// An end tag.
    END_TAG EndTag = "end tag" {
        UnclosedEntry: "the entry is not closed before the end tag {}"
        ContentAfterRoot: "end tag {} after the root element"
    }
    /// An element that begins before its owner, an end tag.
    OPENED Opened = "opened" { UnknownElement: "element {} is opened before `</{owner}>`" }
    OPENED_AGAIN OpenedAgain = "opened again" { UnknownElement: "element {} is opened again before `</{owner}>`" }
    /// One of two elements must be present.
    NEITHER Neither = "neither" { MissingElement: "neither {} is present" }
    /// Several attributes of the owner.
    SEVERAL Several = "several" { MissingAttribute: "`{owner}` has no attributes {}" }
    /// A limit of one entry.
    SINGLE Single = "one" { TooManyEntries: "more than {n} entry" }
    /// The language of news has another form than that of an alternate.
    NEWS_LANGUAGE NewsLanguage = "news:language" { InvalidLanguage: "{} is not a language code like en or zh-cn (news:language)" }
    /// A foreign element without a namespace, or in that of sitemaps.
    NO_NAMESPACE NoNamespace = "no namespace" { UnknownElement: "{} has no namespace of its own; a foreign element must have one" }
    /// Not three capital letters.
    CURRENCY Currency = "currency" { InvalidKeyword: "{} is not an ISO 4217 currency code like EUR" }
    /// A namespace for which a file has no room, but another file may have.
    NAMESPACES Namespaces = "a file can have 64 foreign namespaces" { EntryTooLarge: "namespace {} is one too many ({detail})" }
    /// A page of which another part of the URL differs from that of the sitemap.
    OTHER_HOST OtherHost = "another host" {}
    OTHER_SCHEME OtherScheme = "another scheme" {}
    OTHER_PORT OtherPort = "another port" {}
    /// A page in a directory that the sitemap is not in. A writer can allow it.
    OTHER_DIRECTORY OtherDirectory = "another directory" {}
    /// Not `EXCHANGE:SYMBOL`.
    TICKER Ticker = "news:stock_tickers" { InvalidKeyword: "{} is not a stock ticker like NASDAQ:AMAT: ASCII letters and digits before and after a colon" }
}

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
        Self::with_detail(Rule::InvalidKeyword, found, allowed.join(BETWEEN_WORDS))
    }

    /// Bytes that are not in this encoding.
    pub(crate) fn undecodable(encoding: &'static str) -> Self {
        Self::with_detail(Rule::InvalidCharacter, UNDECODABLE, encoding)
    }

    /// The message, in which `{}` is what was found, as are `{n}` (a number), `{detail}`, `{owner}` and `{location}`; and
    /// `true` if the detail and the owner are appended to it.
    fn message(&self) -> (&'static str, bool) {
        let of_case = match (self.rule, &self.detail) {
            // The parser reports it by its name alone.
            (Rule::MisplacedEntry, _) if self.found.eq_ignore_ascii_case("url") => {
                Some("{} is not allowed in a sitemapindex")
            }
            (Rule::MisplacedEntry, _) => Some("{} is not allowed in a urlset"),
            (Rule::MissingAttribute, Detail::None) if !self.owner.is_empty() => {
                Some("`{owner}` has no attribute {}")
            }
            (_, Detail::None) => None,
            (rule, Detail::Case(case)) => case.text(rule),
            (_, Detail::Location { .. }) => Some("{} is outside {location} ({detail})"),
            (rule, Detail::Reason(_)) => text_with_reason(rule),
        };
        (
            of_case.unwrap_or_else(|| self.rule.text()),
            of_case.is_none(),
        )
    }

    /// Adds the element of the value, unless the detail names one already.
    pub(crate) fn owned_by(mut self, owner: &str) -> Self {
        let takes_owner = match (self.rule, &self.detail) {
            (_, Detail::None) => true,
            (_, Detail::Case(Case::Opened | Case::OpenedAgain | Case::Several)) => true,
            // The reason is the character or the allowed words.
            (Rule::UrlNotEscaped | Rule::InvalidKeyword, Detail::Reason(_)) => true,
            _ => false,
        };
        if takes_owner && self.owner.is_empty() {
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
        let is_plain = self.detail == Detail::None && self.owner.is_empty();
        let case = match &self.detail {
            Detail::Case(case) | Detail::Location { reason: case, .. } => Some(*case),
            _ => None,
        };
        Some(match (self.rule, case) {
            (Rule::InvalidUrl, _) if is_plain => "`Url::join` makes a relative URL absolute",
            (Rule::UrlNotEscaped, _) => "`UrlEntry::escaped` encodes it",
            (Rule::InvalidUrl | Rule::OutsideLocation, Some(Case::User)) => {
                "`Url::set_username` and `Url::set_password` remove it"
            }
            (Rule::OutsideLocation, Some(Case::OtherDirectory)) => {
                "`WriterBuilder::any_directory` allows it"
            }
            (Rule::OutsideLocation, _) => "`WriterBuilder::allow_host` allows it",
            (Rule::InvalidDatetime, Some(Case::NoOffset)) => {
                "`W3cDatetime::parse_lenient` reads other forms"
            }
            (Rule::InvalidDatetime, _) if is_plain => {
                "`W3cDatetime::parse_lenient` reads other forms"
            }
            (Rule::InvalidDatetime, Some(Case::OffsetOutOfRange)) => {
                "`date.start().to_utc()` has no offset"
            }
            (Rule::TooManyEntries, Some(Case::Single)) | (Rule::TooManyNews, _) => {
                "`SplitWriter` continues in another file"
            }
            (Rule::TooManyEntries | Rule::TooManyBytes, _) if is_plain => {
                "`SplitWriter` continues in another file"
            }
            (Rule::TooManyImages, _) => "`images.truncate(1_000)` keeps the first ones",
            (Rule::TooManyTags, _) => "`tags.truncate(32)` keeps the first ones",
            (Rule::TooManyTickers, _) => "`stock_tickers.truncate(5)` keeps the first ones",
            (Rule::InvalidCharacter, Some(Case::WhiteSpace)) => "`str::trim` removes it",
            (Rule::UnknownElement | Rule::WrongNamespace, Some(Case::Extension)) => {
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

/// The message of a rule that speaks of the reason.
const fn text_with_reason(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::WrongNamespace => "no namespace; the standard one is `{detail}`",
        Rule::MismatchedTag => "end tag {} does not match the open element `{detail}`",
        Rule::EncodingConflict => {
            "the declared encoding {} is not that of the bytes, which are read as {detail}"
        }
        Rule::UnknownElement => "{} is not allowed {detail}",
        Rule::InvalidCharacter => "bytes that are not {detail}",
        _ => return None,
    })
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
        let (mut rest, is_general) = self.message();
        while let Some((before, (name, behind))) = rest
            .split_once('{')
            .and_then(|(before, behind)| Some((before, behind.split_once('}')?)))
        {
            f.write_str(before)?;
            match (name, &self.detail, self.found.parse()) {
                ("detail", detail, _) => write!(f, "{}", Printable(detail.text()))?,
                ("owner", ..) => write!(f, "{}", Printable(&self.owner))?,
                ("location", Detail::Location { location, .. }, _) => {
                    write!(f, "`{}`", Printable(location))?;
                }
                // A limit or a count is not part of the document, so it is not quoted.
                ("n", _, Ok(number)) => f.write_str(&grouped(number))?,
                ("n", ..) => write!(f, "{}", Printable(&self.found))?,
                _ if self.found.is_empty() => f.write_str("(none)")?,
                _ if self.is_cut => write!(f, "`{}…`", Printable(&self.found))?,
                // Each of the two elements is quoted.
                (_, Detail::Case(Case::Neither), _) => {
                    let found = self.found.replace(" or ", "` nor `");
                    write!(f, "`{}`", Printable(&found))?;
                }
                _ => write!(f, "`{}`", Printable(&self.found))?,
            }
            rest = behind;
        }
        f.write_str(rest)?;
        if !is_general {
            return Ok(());
        }
        match (self.detail.text(), &*self.owner) {
            ("", "") => Ok(()),
            (detail, "") => write!(f, " ({})", Printable(detail)),
            ("", owner) => write!(f, " ({})", Printable(owner)),
            (detail, owner) => write!(f, " ({}; {})", Printable(detail), Printable(owner)),
        }
    }
}

impl std::error::Error for Violation {}

/// The part of the result that is lost because of a violation. Displayed as `noted`, `value dropped` or `entry skipped`.
///
/// The enum can be matched without a wildcard, because no variants will be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Effect {
    /// Nothing is lost: the intended value is clear, or does not matter.
    Noted,
    /// One value (or one element of an extension) is missing from the entry.
    ValueDropped,
    /// The entry is missing from the result.
    EntrySkipped,
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Noted => "noted",
            Self::ValueDropped => "value dropped",
            Self::EntrySkipped => "entry skipped",
        })
    }
}

/// A violation that was not returned as an error, with its position and its effect.
///
/// If an entry has denied violations, one of them is returned as an error instead of the entry. The other denied
/// violations, and all allowed ones, are issues. [`Policy::denies`] distinguishes the two.
///
/// Displayed as `line:column: violation`, followed by the effect unless it is `noted`. With the feature `serde`, the
/// [`span`](Self::span) is represented by its length in bytes, the field `len`, which is left out if the span is empty.
/// The [excerpt](Self::excerpt) is not serialized, because it is a copy of the document at the position. An issue that has
/// been deserialized has no excerpt.
///
/// # Examples
///
/// ```
/// use quick_sitemap::{Effect, Reader, Rule};
///
/// let text = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">
/// <url><loc>https://example.com/</loc>
///    <priority>1.5</priority></url></urlset>";
/// let mut reader = Reader::new(text.as_bytes());
/// let entry = reader.next().unwrap()?;
/// let issue = &reader.issues()[0];
/// assert_eq!(issue.violation.rule(), Rule::InvalidPriority);
/// assert_eq!(issue.effect, Effect::ValueDropped);
/// assert_eq!(issue.to_string(), "3:14: priority `1.5` is not a number from 0.0 to 1.0; value dropped");
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Issue {
    /// The violation.
    pub violation: Violation,
    /// The first character of the value, or the `<` of the element.
    pub position: Position,
    /// The effect of the violation.
    pub effect: Effect,
    /// Number of bytes of the offending text, starting at `position`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_default"))]
    pub(crate) len: u64,
    /// The line of the issue, if excerpts are enabled.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) excerpt: Option<Box<Excerpt>>,
}

impl Issue {
    /// Returns the rule that was broken. Short for `issue.violation.rule()`.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.violation.rule()
    }

    /// Returns the byte range of the offending text, for tools that underline it: the complete value as it is written,
    /// the character, or the beginning of the tag (`<` and the name). For text between two entries, it is the part that
    /// the violation quotes. The range is empty if only a position is known, as for `too-many-bytes`. Bytes are counted
    /// as in [`Position::byte`], in the decoded text.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::Reader;
    ///
    /// let text = "https://example.com/a\nnonsense\n";
    /// let mut reader = Reader::from_bytes(text);
    /// while reader.next().is_some() {
    ///     for issue in reader.issues() {
    ///         let span = issue.span();
    ///         assert_eq!(&text[span.start as usize..span.end as usize], "nonsense");
    ///     }
    /// }
    /// ```
    #[must_use]
    pub const fn span(&self) -> Range<u64> {
        let start = self.position.byte();
        start..start.saturating_add(self.len)
    }

    /// Returns the line that the issue is on, if [`ReaderBuilder::excerpts`](crate::ReaderBuilder::excerpts) is set.
    ///
    /// The text is as it is written in the document, decoded, and without its line end. It can contain control characters,
    /// so escape it before you print it. At most 256 bytes of the line before the [`position`](Self::position) are kept,
    /// and at most 768 bytes from there on. `…` replaces the part that is left out at either end.
    ///
    /// The line is taken when the issue is found. If the issue is more than 15 KiB after the start of an entry, the last
    /// part of the line may not have been read by then, and is missing. Nothing else in an issue depends on how the bytes
    /// were divided. See [`ReaderBuilder::excerpts`](crate::ReaderBuilder::excerpts) for an example.
    #[must_use]
    pub fn excerpt(&self) -> Option<&str> {
        Some(self.excerpt.as_ref()?.text())
    }

    /// Returns the byte range of the offending text in the [excerpt](Self::excerpt): the [`span`](Self::span), as far as
    /// it is on this line and in the excerpt.
    #[must_use]
    pub fn excerpt_span(&self) -> Option<Range<usize>> {
        Some(self.excerpt.as_ref()?.span())
    }
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_padded(f) {
            return pad(self, f);
        }
        write!(f, "{}: {}", self.position, self.violation)?;
        match self.effect {
            Effect::Noted => Ok(()),
            effect if self.rule() == Rule::IssuesOmitted => {
                write!(f, " (worst effect: {effect})")
            }
            effect => write!(f, "; {effect}"),
        }
    }
}

/// The set of violations that are errors: a verdict for every [`Rule`].
///
/// If an entry violates a denied rule, an `Err` is returned instead of the entry; violations of allowed rules are
/// [`Issue`]s. Reading continues in both cases. Only one violation per entry is returned as an error: the first one,
/// where violations of the markup come before those of values. Other denied violations are issues. The policy does not
/// change the effect of a violation.
///
/// With the feature `serde`, a policy is represented as `{"base": "strict", "allow": ["stray-text"]}`. The base is
/// `"lenient"` (the default) or `"strict"`; `deny` and `allow` are the rules in which the policy differs.
///
/// # Examples
///
/// ```
/// use quick_sitemap::{Policy, Rule};
///
/// const MINE: Policy = Policy::STRICT.allow(Rule::UrlNotEscaped).allow(Rule::StrayText);
/// assert!(MINE.denies(Rule::MissingLoc));
/// assert!(!MINE.denies(Rule::StrayText));
/// assert_eq!(Policy::default(), Policy::LENIENT);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Exceptions", into = "Exceptions"))]
pub struct Policy {
    denied: RuleSet,
}

impl Policy {
    /// Denies no rule, so every violation is an issue. The default.
    pub const LENIENT: Self = Self {
        denied: RuleSet::NONE,
    };
    /// Denies every rule, including rules added in later versions. (A policy that denies each rule in [`Rule::ALL`]
    /// does not include those.)
    pub const STRICT: Self = Self {
        denied: RuleSet::ALL,
    };

    /// Returns the same policy, except that a violation of `rule` is an error.
    #[must_use]
    pub const fn deny(self, rule: Rule) -> Self {
        Self {
            denied: self.denied.with(rule),
        }
    }

    /// Returns the same policy, except that a violation of `rule` is an issue.
    #[must_use]
    pub const fn allow(self, rule: Rule) -> Self {
        Self {
            denied: self.denied.without(rule),
        }
    }

    /// Returns `true` if a violation of `rule` is an error.
    #[must_use]
    pub const fn denies(self, rule: Rule) -> bool {
        self.denied.contains(rule)
    }
}

impl fmt::Debug for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Exceptions { base, deny, allow } = Exceptions::from(*self);
        f.debug_struct("Policy")
            .field("base", &base)
            .field("deny", &deny)
            .field("allow", &allow)
            .finish()
    }
}

/// A policy as it is printed and serialized: one of the constants, and the rules in which it differs.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[derive(Default)]
struct Exceptions {
    base: Base,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    deny: Vec<Rule>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    allow: Vec<Rule>,
}

#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
enum Base {
    #[default]
    Lenient,
    Strict,
}

impl Base {
    const fn policy(self) -> Policy {
        match self {
            Self::Lenient => Policy::LENIENT,
            Self::Strict => Policy::STRICT,
        }
    }
}

impl From<Exceptions> for Policy {
    fn from(exceptions: Exceptions) -> Self {
        let base = exceptions.base.policy();
        let allowed = exceptions.allow.into_iter().fold(base, Self::allow);
        exceptions.deny.into_iter().fold(allowed, Self::deny)
    }
}

impl From<Policy> for Exceptions {
    fn from(policy: Policy) -> Self {
        let base = if policy.denied.has_later_rules() {
            Base::Strict
        } else {
            Base::Lenient
        };
        let of_base = base.policy();
        Self {
            base,
            deny: policy.denied.minus(of_base.denied),
            allow: of_base.denied.minus(policy.denied),
        }
    }
}

/// A set of rules is one word, whose last bit stands for the rules of later versions: a rule more must not compile.
const _: () = assert!(Rule::ALL.len() < 64);

/// Some of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct RuleSet(u64);

impl RuleSet {
    pub(crate) const NONE: Self = Self(0);
    /// With those to come.
    const ALL: Self = Self(u64::MAX);

    pub(crate) const fn with(self, rule: Rule) -> Self {
        Self(self.0 | 1 << rule as u8)
    }

    pub(crate) const fn without(self, rule: Rule) -> Self {
        Self(self.0 & !(1 << rule as u8))
    }

    pub(crate) const fn contains(self, rule: Rule) -> bool {
        self.0 >> rule as u8 & 1 == 1
    }

    const fn has_later_rules(self) -> bool {
        self.0 >> 63 == 1
    }

    fn minus(self, other: Self) -> Vec<Rule> {
        let rules = Rule::ALL.iter().copied();
        rules
            .filter(|rule| self.contains(*rule) && !other.contains(*rule))
            .collect()
    }
}
