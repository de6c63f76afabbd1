//! An entry of a urlset: `UrlEntry`, and the elements of other vocabularies that it may hold.

use url::Url;

use super::base::write_base;
use super::common::entry;
use crate::extension::foreign::Element;
use crate::extension::{self, Alternate, Extension, Field, Image, Part, Visit, Visited, visited};
use crate::interpret::Interpreter;
use crate::raw::RawElement;
use crate::value::{ChangeFreq, Priority, W3cDatetime};
use crate::violation::Violation;
use crate::vocabulary::{Vocabulary, extensions};
use crate::xml::writer::{XmlWriter, tag};

/// The type of the field that holds the elements of an extension.
macro_rules! field {
    (many $name:ident) => { Vec<extension::$name> };
    (one $name:ident) => { Option<Box<extension::$name>> };
}

/// Makes the entry: each row of the table of extensions is a field, and a part of the methods.
macro_rules! url_entry {
    ($($(#[$doc:meta])* $name:ident {
        $(#[$field_doc:meta])* $field:ident: $number:ident,
        $(#[$with_doc:meta])* $with:ident,
        element: $prefix:literal $local:literal,
        $($columns:tt)*
    })*) => {
        /// A page: `<url>` in a `<urlset>`, a line of a text sitemap, or an item of a feed.
        ///
        /// The fields are public and can be changed freely. A writer checks every rule when the entry is written.
        ///
        /// # Examples
        ///
        /// ```
        /// use quick_sitemap::extension::{Alternate, Image};
        /// use quick_sitemap::{ChangeFreq, Priority, UrlEntry};
        ///
        /// let page = UrlEntry::try_from("https://example.com/")?
        ///     .try_lastmod("2024-03-04")?
        ///     .with_changefreq(ChangeFreq::Weekly)
        ///     .with_priority(Priority::tenths(8))
        ///     .with_alternate(Alternate::new("de", "https://example.com/de/".parse().unwrap()))
        ///     .with_image(Image::try_from("https://example.com/a.jpg")?);
        /// assert_eq!(page.images.len(), 1);
        /// # Ok::<(), quick_sitemap::Violation>(())
        /// ```
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        #[doc(alias = "SitemapUrl")]
        #[doc(alias = "EntryRecord")]
        pub struct UrlEntry {
            /// The URL of the page: absolute, http or https, fewer than 2,048 characters. (The schema of the protocol requires
            /// at least 12 characters; the text of the protocol does not. So validators reject a file with `http://a.b/`.)
            #[cfg_attr(
                feature = "serde",
                serde(deserialize_with = "crate::value::url::serialize::required")
            )]
            pub loc: Url,
            /// The date of the last change of the page.
            #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
            pub lastmod: Option<W3cDatetime>,
            /// How often the page is likely to change. This is only a hint.
            #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
            pub changefreq: Option<ChangeFreq>,
            /// The priority of the page relative to other pages of its site. An absent priority means 0.5.
            #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
            pub priority: Option<Priority>,
            $(
                $(#[$field_doc])*
                #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::text::serde::is_default"))]
                pub $field: field!($number $name),
            )*
            /// Elements from other namespaces than those of the protocol and the extensions, in document order. The schema of
            /// the protocol has a strict wildcard for them, so validators reject a file with such an element unless they have a
            /// schema of its namespace.
            #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
            pub foreign: Vec<Element>,
        }

        impl UrlEntry {
            /// Creates an entry for the page at `loc`, without other values.
            #[must_use]
            pub const fn new(loc: Url) -> Self {
                Self {
                    loc,
                    lastmod: None,
                    changefreq: None,
                    priority: None,
                    $($field: <field!($number $name) as Field>::EMPTY,)*
                    foreign: Vec::new(),
                }
            }

            $(
                $(#[$with_doc])*
                #[must_use]
                pub fn $with(mut self, element: extension::$name) -> Self {
                    self.$field.put(Some(element.into()));
                    self
                }
            )*

            /// Returns all URLs of the page: the loc, and those in its extensions, such as alternates, images and
            /// videos. The URLs in [`foreign`](Self::foreign) elements are text, and are not returned.
            ///
            /// # Examples
            ///
            /// ```
            /// use quick_sitemap::{Alternate, Image, UrlEntry};
            ///
            /// let mut page = UrlEntry::try_from("http://example.com/")?
            ///     .with_alternate(Alternate::new("de", "http://example.com/de".parse().unwrap()))
            ///     .with_image(Image::try_from("http://example.com/a.jpg")?);
            /// for url in page.urls_mut() {
            ///     url.set_scheme("https").unwrap();
            /// }
            /// assert_eq!(page.loc.as_str(), "https://example.com/");
            /// assert_eq!(page.alternates[0].href.as_str(), "https://example.com/de");
            /// assert_eq!(page.images[0].loc.as_str(), "https://example.com/a.jpg");
            /// # Ok::<(), quick_sitemap::Violation>(())
            /// ```
            pub fn urls_mut(&mut self) -> impl Iterator<Item = &mut Url> {
                let mut urls = Vec::new();
                self.urls(&mut urls);
                urls.into_iter()
            }

            /// Removes everything of an extension.
            ///
            /// # Examples
            ///
            /// ```
            /// use quick_sitemap::{Extension, Image, UrlEntry};
            ///
            /// let mut page = UrlEntry::try_from("https://example.com/")?
            ///     .with_image(Image::try_from("https://example.com/a.jpg")?);
            /// page.clear(Extension::Image);
            /// assert!(page.images.is_empty());
            /// # Ok::<(), quick_sitemap::Violation>(())
            /// ```
            pub fn clear(&mut self, extension: Extension) {
                match extension {
                    $(Extension::$name => self.$field = Default::default(),)*
                }
            }

            /// Visits every part of the page, in the order of the fields, for code that treats all parts alike: a table, a
            /// dictionary, a comparison. A new part of the format is visited without a change of the visitor.
            ///
            /// `visitor` gets the names of the fields that lead to a part, outermost first, which are also those of the
            /// `serde` form, and the [`Part`] itself. Fields without a value are visited, too. The items of a list
            /// and the parts of a structure follow it; the first part is the page itself.
            ///
            /// # Examples
            ///
            /// ```
            /// use quick_sitemap::extension::{Image, Part};
            /// use quick_sitemap::UrlEntry;
            ///
            /// let image = Image::try_from("https://example.com/a.jpg")?.with_title("A");
            /// let page = UrlEntry::try_from("https://example.com/")?.try_lastmod("2024-03-04")?.with_image(image);
            ///
            /// let mut rows = Vec::new();
            /// page.visit(&mut |names, part| match part {
            ///     Part::Absent | Part::List(_) | Part::Struct => {}
            ///     Part::Url(url) => rows.push(format!("{} = {url}", names.join("."))),
            ///     Part::Date(date) => rows.push(format!("{} = {date}", names.join("."))),
            ///     Part::Text(text) => rows.push(format!("{} = {text}", names.join("."))),
            ///     other => rows.push(format!("{} = {other:?}", names.join("."))),
            /// });
            /// assert_eq!(rows, [
            ///     "loc = https://example.com/",
            ///     "lastmod = 2024-03-04",
            ///     "images.loc = https://example.com/a.jpg",
            ///     "images.title = A",
            /// ]);
            /// # Ok::<(), quick_sitemap::Violation>(())
            /// ```
            pub fn visit(&self, visitor: &mut dyn FnMut(&[&'static str], Part<'_>)) {
                Visited::visit(self, &mut Visit::new(visitor));
            }

            /// Returns the number of its elements of an extension.
            pub(crate) fn count(&self, extension: Extension) -> usize {
                match extension {
                    $(Extension::$name => self.$field.values().len(),)*
                }
            }

            fn read_extension(
                &mut self,
                extension: Extension,
                element: RawElement<'_>,
                cx: &mut Interpreter<'_>,
            ) {
                match extension {
                    $(Extension::$name => extension.read_into(&mut self.$field, element, cx, |element, cx| {
                        extension::$name::read(None, element, cx)
                    }),)*
                }
            }

            fn write_extensions(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
                $(Extension::$name.check_count(self.$field.values().len())?;)*
                $(for element in self.$field.values() {
                    xml.start(tag!($prefix, ":", $local));
                    xml.declare_for(Extension::$name)?;
                    element.write_parts(xml)?;
                    xml.end(tag!($prefix, ":", $local));
                })*
                Ok(())
            }
        }

        visited!(UrlEntry: loc, lastmod, changefreq, priority, $($field,)* foreign);
    };
}
extensions!(url_entry);

impl UrlEntry {
    /// Sets how often the page is likely to change.
    #[must_use]
    pub const fn with_changefreq(mut self, changefreq: ChangeFreq) -> Self {
        self.changefreq = Some(changefreq);
        self
    }

    /// Sets the priority of the page relative to other pages of its site.
    #[must_use]
    pub const fn with_priority(mut self, priority: Priority) -> Self {
        self.priority = Some(priority);
        self
    }

    /// Returns the extensions of the page, each with the number of its elements, in the order of [`Extension::ALL`].
    /// Extensions that the page does not have are omitted.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Extension, Image, UrlEntry, WriterBuilder};
    ///
    /// let image = |name| Image::new(format!("https://example.com/{name}").parse().unwrap());
    /// let page = UrlEntry::try_from("https://example.com/")?
    ///     .with_image(image("a.jpg"))
    ///     .with_image(image("b.jpg"));
    /// assert_eq!(page.extensions().collect::<Vec<_>>(), [(Extension::Image, 2)]);
    ///
    /// let needed = page.extensions().map(|(extension, _)| extension);
    /// let xml = WriterBuilder::new().declare(needed).urlset(Vec::new()).finish()?;
    /// assert!(String::from_utf8(xml).unwrap().contains(Extension::Image.namespace()));
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn extensions(&self) -> impl Iterator<Item = (Extension, usize)> {
        let counts = Extension::ALL.iter();
        let counts = counts.map(|extension| (*extension, self.count(*extension)));
        counts.filter(|(_, count)| *count > 0)
    }

    /// Reads an element of another vocabulary: of an extension, or a foreign one.
    #[inline]
    pub(super) fn read_foreign(&mut self, element: RawElement<'_>, cx: &mut Interpreter<'_>) {
        let judgement = element.judgement();
        let may_be_usual = !judgement.is_misspelt && !element.node.broken;
        // Links and images of the usual form are read first, without the table of their places.
        if may_be_usual
            && judgement.vocabulary == Vocabulary::Alternate
            && let Some(alternate) = Alternate::read_usual(element)
        {
            self.alternates.push(alternate);
        } else if may_be_usual
            && judgement.vocabulary == Vocabulary::Image
            && let Some(image) = Image::read_usual(element)
        {
            self.images.push(image);
            Extension::Image.note_excess(self.images.len(), element, cx);
        } else {
            self.read_general(element, cx);
        }
    }

    /// Like `read_foreign`, for any element.
    #[inline(never)]
    fn read_general(&mut self, element: RawElement<'_>, cx: &mut Interpreter<'_>) {
        let (vocabulary, is_broken) = (element.judgement().vocabulary, element.node.broken);
        // The other attributes of a broken link are not certain.
        let attribute = |name| {
            element
                .attribute(name)
                .filter(|_| !is_broken || name == "rel")
        };
        let Some(extension) = Extension::of(vocabulary, element.name(), attribute) else {
            cx.check_prefix(element);
            return self.foreign.extend(Element::kept(element, cx));
        };
        cx.check_namespace(element);
        if !is_broken {
            self.read_extension(extension, element, cx);
        }
    }

    /// Writes the entry as XML, in the order of the schema. Fails at the first value that breaks a rule.
    pub(crate) fn encode(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        xml.start(tag!("url"));
        write_base(xml, &self.loc, self.lastmod)?;
        xml.optional_leaf(tag!("changefreq"), self.changefreq)?;
        xml.optional_leaf(tag!("priority"), self.priority)?;
        self.write_extensions(xml)?;
        for element in &self.foreign {
            element.encode(xml)?;
        }
        xml.end(tag!("url"));
        xml.end_line();
        Ok(())
    }
}

entry!(UrlEntry);
