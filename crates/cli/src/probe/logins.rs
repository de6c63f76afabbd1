//! The credentials for pages: those of the URLs among the inputs, or else of the one origin of all pages.

use quick_sitemap::url::Url;

use crate::net::fetch::{Login, one_origin};
use crate::source::input::Input;
use crate::term::address::{Address, Credentials, bare};
use crate::term::messages::Messages;

/// Passwords and headers, which are sent to the origins of these addresses.
#[derive(Default)]
pub(crate) struct Logins {
    addresses: Vec<Address>,
    /// For the origin of the first page, if no input is a URL.
    of_pages: Option<Credentials>,
    /// They are sent with pages.
    is_used: bool,
}

impl Logins {
    /// Prompts for a password, as [`Login::give`] does.
    ///
    /// # Errors
    ///
    /// Those of [`Login::give`], except that no input need be a URL.
    pub(crate) fn of(inputs: &mut [Input], login: &Login) -> anyhow::Result<Self> {
        let mut urls: Vec<&mut Address> = inputs.iter_mut().filter_map(Input::address).collect();
        let mut logins = Self::default();
        if urls.is_empty() && !login.is_empty() {
            logins.of_pages = Some(login.credentials("the pages")?);
        } else {
            login.give(urls.iter_mut().map(|url| &mut **url))?;
        }
        logins.addresses = urls.into_iter().map(|url| url.clone()).collect();
        Ok(logins)
    }

    /// A page will be requested.
    ///
    /// # Errors
    ///
    /// If its origin is another one than that of the first page, and there are credentials for one.
    pub(crate) fn see(&mut self, page: &Url) -> anyhow::Result<()> {
        self.is_used |= self.for_origin_of(page).is_some();
        match (&self.of_pages, self.addresses.first()) {
            (Some(_), Some(first)) => one_origin(first.url(), page, "pages"),
            (Some(credentials), None) => {
                let mut address = Address::new(bare(page.clone()));
                address.give(credentials);
                self.addresses.push(address);
                Ok(())
            }
            (None, _) => Ok(()),
        }
    }

    /// Names the origin of the pages, which no argument names, or says that no page gets the credentials.
    pub(crate) fn note(&self, messages: &Messages) {
        let mut given = self
            .addresses
            .iter()
            .filter(|address| address.has_secrets());
        if let (false, None, Some(address)) = (self.is_used, &self.of_pages, given.next()) {
            let origin = address.url().origin().ascii_serialization();
            messages.warning(format_args!(
                "no page gets the user or the headers, because none is at {origin}; --replace-host requests pages of another host there"
            ));
        }
        if let (Some(_), [address]) = (&self.of_pages, self.addresses.as_slice()) {
            let origin = address.url().origin().ascii_serialization();
            messages.note(format_args!("--user and --header are sent to {origin}"));
        }
    }

    pub(super) fn for_origin_of(&self, url: &Url) -> Option<&Address> {
        let mut addresses = self.addresses.iter();
        addresses.find(|address| address.is_origin_of(url))
    }
}
