//! `--replace-host`: a site has moved, or is requested elsewhere.

use std::borrow::Cow;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use clap::Args;
use quick_sitemap::UrlEntry;
use quick_sitemap::url::{Position, Url};

use super::links;
use crate::term::count::Count;
use crate::term::messages::Messages;

#[derive(Args, Clone, Debug, Default)]
#[group(skip)]
pub(crate) struct HostChanges {
    /// Replace the host FROM by TO in all URLs of a page, including those of alternates, other links, images and videos
    ///
    /// FROM and TO can have a scheme and a port. If FROM has a scheme, only URLs with that scheme are changed; if TO has
    /// one, the scheme is changed as well. If the option is given several times, the first that matches a URL is applied.
    #[arg(long, value_name = "FROM=TO")]
    replace_host: Vec<HostChange>,
}

#[derive(Clone, Debug)]
struct HostChange {
    text: String,
    from: Host,
    to: Host,
    /// A URL had the host.
    is_used: Arc<AtomicBool>,
    /// Other elements with the host, which is not changed there.
    kept: Arc<AtomicU64>,
}

impl HostChanges {
    #[cfg(test)]
    pub(crate) fn of(changes: &[&str]) -> Self {
        let changes = changes.iter().map(|text| text.parse().unwrap());
        Self {
            replace_host: changes.collect(),
        }
    }

    pub(crate) fn apply(&self, entry: &mut UrlEntry) {
        if self.is_empty() {
            return;
        }
        for url in entry.urls_mut() {
            self.apply_to(url);
        }
        for element in &mut entry.foreign {
            if links::is_link(element) {
                let mut attributes = element.attributes.iter_mut();
                if let Some(href) = attributes.find(|attribute| attribute.name == "href") {
                    href.value = self.done(&href.value).into_owned();
                }
                continue;
            }
            for change in &self.replace_host {
                let is_kept = links::holds(element, change.from.name());
                change.kept.fetch_add(is_kept.into(), Ordering::Relaxed);
            }
        }
    }

    pub(crate) fn apply_to(&self, url: &mut Url) {
        self.change(url, |change| (&change.from, &change.to));
    }

    /// Returns `true` if the URL has one of the hosts, each of which is given with the one that replaces it.
    fn change(&self, url: &mut Url, hosts: impl Fn(&HostChange) -> (&Host, &Host)) -> bool {
        let mut changes = self.replace_host.iter();
        let Some(change) = changes.find(|change| hosts(change).0.is_of(url)) else {
            return false;
        };
        change.is_used.store(true, Ordering::Relaxed);
        hosts(change).1.put_into(url);
        true
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.replace_host.is_empty()
    }

    /// The URL of a page or a sitemap after the change; any other text as it is.
    pub(crate) fn done<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.moved(text, |change| (&change.from, &change.to))
    }

    /// The URL of a page or a sitemap before the change; any other text as it is.
    pub(crate) fn undone<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.moved(text, |change| (&change.to, &change.from))
    }

    fn moved<'t>(
        &self,
        text: &'t str,
        hosts: impl Fn(&HostChange) -> (&Host, &Host),
    ) -> Cow<'t, str> {
        if self.is_empty() || !text.contains("://") {
            return text.into();
        }
        let Ok(mut url) = text.parse() else {
            return text.into();
        };
        if self.change(&mut url, hosts) {
            Cow::Owned(url.into())
        } else {
            text.into()
        }
    }

    /// A host with its port, as it is after the change.
    pub(crate) fn host<'t>(&'t self, name: &'t str) -> &'t str {
        let mut changes = self.replace_host.iter();
        let change = changes.find(|change| change.from.name() == name);
        change.map_or(name, |change| change.to.name())
    }

    /// Names the changes that no URL had the host for, and those whose host is still in other elements. `of` are the things
    /// whose URLs were changed.
    pub(crate) fn print_unused(&self, of: &str, messages: &Messages) {
        for change in &self.replace_host {
            let (text, kept) = (&change.text, change.kept.load(Ordering::Relaxed));
            if kept > 0 {
                messages.warning(format_args!(
                    "--replace-host {text}: {} of other namespaces still contain{} the host",
                    Count(kept, "element"),
                    if kept == 1 { "s" } else { "" }
                ));
            } else if !change.is_used.load(Ordering::Relaxed) {
                messages.warning(format_args!(
                    "--replace-host {text}: no URL of {of} has this host, with this scheme and port"
                ));
            }
        }
    }
}

impl FromStr for HostChange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (from, to) = text.split_once('=').ok_or("there is no `=` in it")?;
        Ok(Self {
            text: text.to_owned(),
            from: host(from)?,
            to: host(to)?,
            is_used: Arc::default(),
            kept: Arc::default(),
        })
    }
}

/// `www.example.com`, `https://www.example.com:8443`.
#[derive(Clone, Debug)]
struct Host {
    has_scheme: bool,
    url: Url,
}

fn host(text: &str) -> Result<Host, String> {
    let scheme = text.split_once("://").map(|(scheme, _)| scheme);
    // URLs omit the default port of their scheme. Without a scheme, no port is a default.
    let url = match scheme {
        Some("http" | "https") => Url::parse(text),
        Some(_) => return Err(format!("`{text}` has a scheme other than http or https")),
        None => Url::parse(&format!("http://{text}")),
    };
    let url = url.map_err(|error| format!("`{text}` is no host: {error}"))?;
    // A text that is not a host ends up in another part of the URL.
    if url.as_str().strip_suffix('/') != Some(&url.origin().ascii_serialization()) {
        return Err(format!("`{text}` is no host"));
    }
    let has_scheme = scheme.is_some();
    Ok(Host { has_scheme, url })
}

impl Host {
    fn name(&self) -> &str {
        &self.url[Position::BeforeHost..Position::AfterPort]
    }

    fn is_of(&self, url: &Url) -> bool {
        matches!(url.scheme(), "http" | "https")
            && url.host() == self.url.host()
            && url.port() == self.url.port()
            && (!self.has_scheme || url.scheme() == self.url.scheme())
    }

    fn put_into(&self, url: &mut Url) {
        // None fails: the host was parsed, and all URLs are http or https.
        let _ = url.set_host(self.url.host_str());
        if self.has_scheme {
            let _ = url.set_scheme(self.url.scheme());
        }
        let _ = url.set_port(self.url.port());
    }
}

#[cfg(test)]
mod tests {
    use quick_sitemap::Extension;
    use quick_sitemap::extension::foreign::Element;

    use super::*;

    fn moved(changes: &[&str], loc: &str) -> String {
        let mut url = loc.parse().unwrap();
        HostChanges::of(changes).apply_to(&mut url);
        url.into()
    }

    #[test]
    fn hosts_schemes_and_ports() {
        for (change, before, after) in [
            (
                "a.com=b.com",
                "https://a.com/x?a.com",
                "https://b.com/x?a.com",
            ),
            ("a.com=b.com", "https://www.a.com/", "https://www.a.com/"),
            ("a.com=b.com", "https://a.com:8443/", "https://a.com:8443/"),
            ("a.com:8443=b.com", "https://a.com:8443/", "https://b.com/"),
            ("A.com=https://b.com", "http://a.com/", "https://b.com/"),
            (
                "http://a.com=https://a.com",
                "http://a.com/x",
                "https://a.com/x",
            ),
        ] {
            assert_eq!(moved(&[change], before), after, "{change}");
        }
        // Each URL is changed once: two hosts can be exchanged.
        let both = ["a.com=b.com", "b.com=a.com"];
        assert_eq!(moved(&both, "https://a.com/"), "https://b.com/");
        for wrong in [
            "a.com",
            "a.com/x=b.com",
            "a.com=",
            "ftp://a.com=b.com",
            "a.com=u@b.com",
        ] {
            assert!(wrong.parse::<HostChange>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn links_are_changed_and_other_elements_are_counted() {
        let link = |href: &str| {
            Element::new("link", Extension::Alternate.namespace()).with_attribute("href", href)
        };
        let other = |text: &str| {
            Element::new("a", "urn:x").with_child(Element::new("b", "urn:x").with_text(text))
        };
        let page = |links: [&str; 3], texts: [&str; 3]| {
            let foreign = links.map(link).into_iter().chain(texts.map(other));
            let page = UrlEntry::try_from("https://e.com/").unwrap();
            foreign.fold(page, UrlEntry::with_foreign)
        };
        let texts = [
            "see https://a.com/x",
            "https://www.a.com/ a.com.au",
            "b.com",
        ];
        let mut entry = page(["https://a.com/m?x", "/m", "android-app://a.com/x"], texts);
        let hosts = HostChanges::of(&["a.com=b.com"]);
        hosts.apply(&mut entry);
        assert_eq!(
            entry,
            page(["https://b.com/m?x", "/m", "android-app://a.com/x"], texts)
        );
        let [change] = &*hosts.replace_host else {
            unreachable!()
        };
        assert!(change.is_used.load(Ordering::Relaxed));
        assert_eq!(change.kept.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn names_are_moved_there_and_back() {
        let hosts = HostChanges::of(&["http://a.com:8080=https://b.com"]);
        let (before, after) = ("http://a.com:8080/s.xml", "https://b.com/s.xml");
        assert_eq!(
            (&*hosts.done(before), &*hosts.undone(after)),
            (after, before)
        );
        for name in ["public/s.xml", "http://a.com/s.xml", "-", "b.com"] {
            assert_eq!((&*hosts.done(name), &*hosts.undone(name)), (name, name));
        }
        assert_eq!(
            (hosts.host("a.com:8080"), hosts.host("a.com")),
            ("b.com", "a.com")
        );
    }
}
