//! The extension `news:news`.

use url::Url;

use super::field::{Claim, ExtensionField};
use super::{Extension, check_text, keywords, required, tidy, write_text};
use crate::extension::encode::datetime_leaf;
use crate::interpret::{Interpreter, ValueText};
use crate::raw::RawElement;
use crate::value::W3cDatetime;
use crate::violation::{Rule, Violation, case};
use crate::vocabulary::Vocabulary;
use crate::xml::writer::{XmlWriter, tag};

/// Stock tickers one article may have.
const MAX_TICKERS: usize = 5;

/// The data of a page as a news article: `news:news`.
///
/// A file can contain at most 1,000 entries with news. A writer rejects further ones.
///
/// # Examples
///
/// ```
/// use quick_sitemap::W3cDatetime;
/// use quick_sitemap::extension::{News, Publication};
///
/// let published: W3cDatetime = "2024-03-04".parse()?;
/// let news = News::new(Publication::new("The Example Times", "en"), published, "Cats, again")
///     .with_keyword("cats")
///     .with_stock_ticker("NASDAQ:AMAT");
/// assert_eq!(news.keywords, ["cats"]);
/// # Ok::<(), quick_sitemap::Violation>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct News {
    /// The publication in which the article appeared; required.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub publication: Option<Publication>,
    /// The access that a reader needs to see the article; absent if it is open to all.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub access: Option<Access>,
    /// The kinds of the article (no longer used by Google).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub genres: Vec<Genre>,
    /// The date of the first publication; required.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub publication_date: Option<W3cDatetime>,
    /// The headline; required.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub title: Option<String>,
    /// The topics of the article, without commas (no longer used by Google).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub keywords: Vec<String>,
    /// At most five stocks that the article is about, as `EXCHANGE:SYMBOL`. Both parts can contain only ASCII letters
    /// and digits, because the schema allows no other characters.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub stock_tickers: Vec<String>,
}

/// The newspaper or site in which an article appeared.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Publication {
    /// The name of the publication, exactly as it appears on the articles; required.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub name: Option<String>,
    /// The language of the publication: two or three lower-case letters of ISO 639, `zh-cn` or `zh-tw`; required. A
    /// reader keeps other language tags (`en-US`); a writer rejects them.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub language: Option<String>,
}

keywords! {
    /// The access that a reader needs to see an article.
    Access {
        /// A paid or free subscription.
        Subscription = "Subscription",
        /// A free registration.
        Registration = "Registration",
    } other
}

keywords! {
    /// The kind of an article.
    Genre {
        /// An official press release.
        PressRelease = "PressRelease",
        /// Satire.
        Satire = "Satire",
        /// An article of a blog.
        Blog = "Blog",
        /// An opinion piece from the page opposite to the editorial.
        OpEd = "OpEd",
        /// Any other opinion piece.
        Opinion = "Opinion",
        /// Written by users, and edited.
        UserGenerated = "UserGenerated",
    } other
}

impl News {
    /// Creates an article with all required values.
    #[must_use]
    pub fn new(
        publication: Publication,
        publication_date: impl Into<W3cDatetime>,
        title: impl Into<String>,
    ) -> Self {
        Self {
            publication: Some(publication),
            publication_date: Some(publication_date.into()),
            title: tidy(title),
            ..Self::EMPTY
        }
    }

    /// An article without values, with which reading begins.
    pub(crate) const EMPTY: Self = Self {
        publication: None,
        access: None,
        genres: Vec::new(),
        publication_date: None,
        title: None,
        keywords: Vec::new(),
        stock_tickers: Vec::new(),
    };

    /// Sets the access that a reader needs to see the article.
    #[must_use]
    pub fn with_access(mut self, access: Access) -> Self {
        self.access = Some(access);
        self
    }

    /// Adds a genre.
    #[must_use]
    pub fn with_genre(mut self, genre: Genre) -> Self {
        self.genres.push(genre);
        self
    }

    /// Adds a keyword.
    #[must_use]
    pub fn with_keyword(mut self, keyword: impl Into<String>) -> Self {
        self.keywords.extend(tidy(keyword));
        self
    }

    /// Adds a stock, as `EXCHANGE:SYMBOL`.
    #[must_use]
    pub fn with_stock_ticker(mut self, ticker: impl Into<String>) -> Self {
        self.stock_tickers.extend(tidy(ticker));
        self
    }

    /// Reads an article; what is incomplete is kept.
    fn read(element: RawElement<'_>, cx: &mut Interpreter<'_>) -> Self {
        let mut news = Self::EMPTY;
        for part in cx.children(element) {
            match cx.part_of(Vocabulary::News, part) {
                Some("publication") if news.publication.is_some() => {
                    cx.refuse(Rule::DuplicateElement, part.tag(), "publication");
                }
                Some("publication") => news.publication = Some(Publication::read(part, cx)),
                Some("access") => cx.once(&mut news.access, part, |cx, text| {
                    let access: Access = cx.keyword(text)?;
                    cx.check(access.allowed("news:access"), text);
                    Some(access)
                }),
                Some("genres") => words(part, cx, &mut news.genres, |cx, word| {
                    let genre: Genre = cx.keyword(word)?;
                    cx.check(genre.allowed("news:genres"), word);
                    Some(genre)
                }),
                Some("publication_date") => {
                    cx.once(&mut news.publication_date, part, Interpreter::datetime);
                }
                Some("title") => cx.once(&mut news.title, part, Interpreter::text),
                Some("keywords") => words(part, cx, &mut news.keywords, |cx, word| cx.text(word)),
                Some("stock_tickers") => words(part, cx, &mut news.stock_tickers, |cx, word| {
                    cx.check(check_ticker(word.text), word);
                    cx.text(word)
                }),
                _ => cx.unknown(part),
            }
        }
        if news.stock_tickers.len() > MAX_TICKERS {
            cx.note(Rule::TooManyTickers, element.tag(), "5");
        }
        for name in ["publication", "publication_date", "title"] {
            cx.require(Extension::News, element, name);
        }
        news
    }

    fn write(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        let publication = required(&self.publication, "news:publication")?;
        let date = required(&self.publication_date, "news:publication_date")?;
        let title = required(&self.title, "news:title")?;
        xml.start_in(Extension::News)?;
        publication.write(xml)?;
        if let Some(access) = &self.access {
            xml.leaf("news:access", access.allowed("news:access")?)?;
        }
        let genres = self.genres.iter().map(|genre| genre.allowed("news:genres"));
        write_list(xml, "news:genres", genres)?;
        datetime_leaf(xml, tag!("news:publication_date"), *date)?;
        write_text(xml, "news:title", Some(title))?;
        let keywords = self.keywords.iter().map(|keyword| check_keyword(keyword));
        write_list(xml, "news:keywords", keywords)?;
        if self.stock_tickers.len() > MAX_TICKERS {
            return Err(Violation::new(Rule::TooManyTickers, "5"));
        }
        let tickers = self.stock_tickers.iter().map(|ticker| check_ticker(ticker));
        write_list(xml, "news:stock_tickers", tickers)?;
        xml.end(Extension::News.element());
        Ok(())
    }
}

impl ExtensionField for Option<Box<News>> {
    fn read(&mut self, element: RawElement<'_>, cx: &mut Interpreter<'_>) -> Claim {
        cx.count_news(element);
        if self.is_some() {
            cx.refuse(Rule::DuplicateElement, element.tag(), "news:news");
        } else {
            *self = Some(Box::new(News::read(element, cx)));
        }
        Claim::Taken
    }

    #[inline]
    fn write(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        self.iter().try_for_each(|news| news.write(xml))
    }

    /// News have none.
    fn urls_mut(&mut self) -> impl Iterator<Item = &mut Url> {
        std::iter::empty()
    }
}

impl Publication {
    /// Creates a publication with its name and language.
    #[must_use]
    pub fn new(name: impl Into<String>, language: impl Into<String>) -> Self {
        Self {
            name: tidy(name),
            language: tidy(language),
        }
    }

    fn read(element: RawElement<'_>, cx: &mut Interpreter<'_>) -> Self {
        let (mut name, mut language) = Default::default();
        for part in cx.children(element) {
            match cx.part_of(Vocabulary::News, part) {
                Some("name") => cx.once(&mut name, part, Interpreter::text),
                Some("language") => cx.once(&mut language, part, |cx, text| {
                    cx.check(check_language(text.text), text);
                    cx.text(text)
                }),
                _ => cx.unknown(part),
            }
        }
        // An empty one has been reported.
        if !element.is_blank() {
            for name in ["name", "language"] {
                cx.require(Extension::News, element, name);
            }
        }
        Self { name, language }
    }

    fn write(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        let name = required(&self.name, "news:name")?;
        let language = required(&self.language, "news:language")?;
        xml.start("news:publication");
        write_text(xml, "news:name", Some(name))?;
        xml.leaf("news:language", check_language(language)?)?;
        xml.end("news:publication");
        Ok(())
    }
}

/// The words with commas between them; no element where there are none.
fn write_list<'a>(
    xml: &mut XmlWriter,
    name: &'static str,
    words: impl Iterator<Item = Result<&'a str, Violation>>,
) -> Result<(), Violation> {
    let mut started = false;
    for word in words {
        if std::mem::replace(&mut started, true) {
            xml.text(", ")?;
        } else {
            xml.start(name);
        }
        xml.text(word?)?;
    }
    if started {
        xml.end(name);
    }
    Ok(())
}

/// Adds the words of a list that commas divide.
fn words<T>(
    element: RawElement<'_>,
    cx: &mut Interpreter<'_>,
    list: &mut Vec<T>,
    read: impl FnMut(&mut Interpreter<'_>, ValueText<'_>) -> Option<T>,
) {
    if let Some(text) = cx.plain(element) {
        cx.list(list, text, |c| c == ',', read);
    }
}

fn check_keyword(keyword: &str) -> Result<&str, Violation> {
    if keyword.as_bytes().contains(&b',') {
        return Err(Violation::with_detail(
            Rule::InvalidKeyword,
            keyword,
            case::COMMA,
        ));
    }
    check_text(keyword, "news:keywords")
}

/// `EXCHANGE:SYMBOL`, letters and digits.
fn check_ticker(ticker: &str) -> Result<&str, Violation> {
    let word = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric());
    match ticker.split_once(':') {
        Some((exchange, symbol)) if word(exchange) && word(symbol) => Ok(ticker),
        _ => Err(Violation::with_detail(
            Rule::InvalidKeyword,
            ticker,
            case::TICKER,
        )),
    }
}

/// ISO 639, or Chinese in one of its two scripts.
fn check_language(language: &str) -> Result<&str, Violation> {
    let iso = matches!(language.len(), 2 | 3) && language.bytes().all(|b| b.is_ascii_lowercase());
    if iso || matches!(language, "zh-cn" | "zh-tw") {
        Ok(language)
    } else {
        Err(Violation::with_detail(
            Rule::InvalidLanguage,
            language,
            "news:language",
        ))
    }
}
