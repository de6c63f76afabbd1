//! The extension `news:news`.

use super::keywords::keywords;
use super::part::{self, Required, element};
use super::tidy;
use crate::value::W3cDatetime;
use crate::violation::{Rule, Violation, case};

element! {
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
    News: News "news" "news" {
        /// The publication in which the article appeared; required.
        publication: Option<Publication> = child "publication" { required: Required::Always };
        /// The access that a reader needs to see the article; absent if it is open to all.
        access: Option<Access> = child "access" => with_access(Access);
        /// The kinds of the article (not on Google's page any more).
        genres: Vec<Genre> = words "genres" => with_genre(Genre) { separator: ',' };
        /// The date of the first publication; required.
        publication_date: Option<W3cDatetime> = child "publication_date" { required: Required::Always, has_minutes: true };
        /// The headline; required.
        title: Option<String> = child "title" { required: Required::Always };
        /// The topics of the article, without commas (not on Google's page any more).
        keywords: Vec<String> = words "keywords" => with_keyword(text) { separator: ',', check: Some((|keyword| !keyword.contains(','), Rule::InvalidKeyword, Some(case::COMMA))) };
        /// At most five stocks that the article is about, as `EXCHANGE:SYMBOL`. Both parts can contain only ASCII letters
        /// and digits, because the schema allows no other characters.
        stock_tickers: Vec<String> = words "stock_tickers" => with_stock_ticker(text) { most_items: Some((5, Rule::TooManyTickers)), separator: ',', check: Some((is_ticker, Rule::InvalidKeyword, Some(case::TICKER))) };
    }
}

element! {
    /// The newspaper or site in which an article appeared.
    Publication: News "news" "publication" {
        /// The name of the publication, exactly as it appears on the articles; required.
        name: Option<String> = child "name" { required: Required::Always };
        /// The language of the publication: two or three lower-case letters of ISO 639, `zh-cn` or `zh-tw`; required. A
        /// reader keeps other language tags (`en-US`); a writer rejects them.
        language: Option<String> = child "language" { required: Required::Always, check: Some((is_language, Rule::InvalidLanguage, Some(case::NEWS_LANGUAGE))) };
    }
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
            ..Self::empty()
        }
    }
}

impl Publication {
    /// Creates a publication with its name and language.
    #[must_use]
    pub fn new(name: impl Into<String>, language: impl Into<String>) -> Self {
        let mut publication = Self::empty();
        publication.name = tidy(name);
        publication.language = tidy(language);
        publication
    }
}

/// `EXCHANGE:SYMBOL`, letters and digits.
fn is_ticker(ticker: &str) -> bool {
    let word = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric());
    ticker
        .split_once(':')
        .is_some_and(|(exchange, symbol)| word(exchange) && word(symbol))
}

/// ISO 639, or Chinese in one of its two scripts.
fn is_language(language: &str) -> bool {
    let iso = matches!(language.len(), 2 | 3) && language.bytes().all(|b| b.is_ascii_lowercase());
    iso || matches!(language, "zh-cn" | "zh-tw")
}
