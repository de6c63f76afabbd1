//! What both kinds of entries have: they are created from a loc, and get a date and foreign elements.

/// Implements the constructors from a URL and from the text of a loc, borrowed or owned, and the methods for the values that
/// both kinds have.
macro_rules! entry {
    ($entry:ident) => {
        impl $entry {
            /// Sets the date of the last change. A `DateTime` is written with all its digits of a second; use
            /// [`with_precision`](W3cDatetime::with_precision) for fewer digits.
            #[must_use]
            pub fn with_lastmod(mut self, lastmod: impl Into<W3cDatetime>) -> Self {
                self.lastmod = Some(lastmod.into());
                self
            }

            /// Sets the date of the last change, from text in one of the forms that [`W3cDatetime`] parses.
            /// [`W3cDatetime::parse_lenient`] also understands other forms.
            ///
            /// # Errors
            ///
            /// [`Rule::InvalidDatetime`](crate::Rule::InvalidDatetime) if the text has another form.
            ///
            /// # Examples
            ///
            /// ```
            /// use quick_sitemap::{Rule, UrlEntry};
            ///
            /// let page = UrlEntry::try_from("https://example.com/")?.try_lastmod("2024-03-04")?;
            /// assert_eq!(page.lastmod, Some("2024-03-04".parse()?));
            /// assert_eq!(page.try_lastmod("4 March").unwrap_err().rule(), Rule::InvalidDatetime);
            /// # Ok::<(), quick_sitemap::Violation>(())
            /// ```
            pub fn try_lastmod(self, text: &str) -> Result<Self, Violation> {
                Ok(self.with_lastmod(text.parse::<W3cDatetime>()?))
            }

            /// Adds an element from another namespace.
            #[must_use]
            pub fn with_foreign(mut self, element: Element) -> Self {
                self.foreign.push(element);
                self
            }

            /// Percent-encodes characters that [`Url`] keeps but a sitemap may not contain: `[` and `]` outside of a host, a
            /// `%` without two hexadecimal digits, and a second `#`. This applies to the loc and, in a page, to the URLs of
            /// alternates, images and videos.
            ///
            /// Writers reject such a URL ([`UrlNotEscaped`](crate::Rule::UrlNotEscaped)). They do not encode it themselves
            /// because the result is a different URL, which a few servers distinguish from the original. Characters that are
            /// already encoded are not changed.
            ///
            /// # Examples
            ///
            /// ```
            /// use quick_sitemap::{Image, Rule, UrlEntry, UrlsetWriter};
            ///
            /// let image = Image::try_from("https://example.com/a[1].jpg")?;
            /// let page = UrlEntry::try_from("https://example.com/?filter[color]=100%&a=%20")?.with_image(image);
            ///
            /// let mut writer = UrlsetWriter::new(Vec::new());
            /// let refused = writer.write(&page).unwrap_err();
            /// assert_eq!(refused.violation().map(|violation| violation.rule()), Some(Rule::UrlNotEscaped));
            ///
            /// let page = page.escaped();
            /// assert_eq!(page.loc.as_str(), "https://example.com/?filter%5Bcolor%5D=100%25&a=%20");
            /// assert_eq!(page.images[0].loc.as_str(), "https://example.com/a%5B1%5D.jpg");
            /// writer.write(&page)?;
            /// # Ok::<(), quick_sitemap::Error>(())
            /// ```
            #[must_use]
            pub fn escaped(mut self) -> Self {
                let mut urls = Vec::new();
                self.urls(&mut urls);
                urls.into_iter().for_each(crate::value::url::escape_url);
                self
            }
        }

        impl From<Url> for $entry {
            fn from(loc: Url) -> Self {
                Self::new(loc)
            }
        }

        /// Reads a loc: an absolute http or https URL. White space around it is ignored.
        ///
        /// # Errors
        ///
        /// [`InvalidUrl`](crate::Rule::InvalidUrl), [`UnsupportedScheme`](crate::Rule::UnsupportedScheme) or
        /// [`UrlTooLong`](crate::Rule::UrlTooLong) if the text is not an absolute http or https URL of fewer
        /// than 2,048 characters.
        impl std::str::FromStr for $entry {
            type Err = crate::violation::Violation;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                crate::value::url::parse_url(text).map(Self::new)
            }
        }

        entry!($entry, &str, String);
    };
    ($entry:ident, $($text:ty),*) => {
        $(
            /// Reads a loc, as [`FromStr`](std::str::FromStr) does.
            ///
            /// # Errors
            ///
            /// The errors of [`FromStr`](std::str::FromStr).
            impl TryFrom<$text> for $entry {
                type Error = crate::violation::Violation;

                fn try_from(text: $text) -> Result<Self, Self::Error> {
                    text.parse()
                }
            }
        )*
    };
}

pub(super) use entry;
