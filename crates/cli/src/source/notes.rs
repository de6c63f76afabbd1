//! Prints what the commands that work on pages lose of their inputs, while they are read.

use quick_sitemap::Entry;

use crate::source::account::Account;
use crate::source::empty::Empty;
use crate::source::not_read::{NotRead, Why};
use crate::source::sink::About;
use crate::source::walk::{Content, End, Item};
use crate::term::address::without_logins;
use crate::term::clipped::clipped;
use crate::term::count::{Count, Grouped};
use crate::term::messages::Messages;

pub(crate) struct Notes<'m> {
    messages: &'m Messages,
    /// What happens to the pages, as a message ends: `read`, `written`.
    done: &'static str,
    /// A part of an index in a file is not there.
    lacks_part: bool,
    empty: Empty,
}

impl<'m> Notes<'m> {
    pub(crate) fn new(messages: &'m Messages, done: &'static str) -> Self {
        Self {
            messages,
            done,
            lacks_part: false,
            empty: Empty::default(),
        }
    }

    /// Names a sitemap among pages.
    pub(crate) fn item(&self, about: &About<'_>, item: &Item<'_>) {
        if let (Ok(Entry::Sitemap(sitemap)), Some(Content::Sitemap(_))) =
            (&item.entry, about.content)
            && !about.is_index()
        {
            self.messages.warning(format_args!(
                "{}: the sitemap {} is listed among pages, and is not read",
                about.listed_name(),
                clipped(&without_logins(sitemap.loc.as_str()))
            ));
        }
    }

    /// The end of a document. If its pages are not kept, they are not counted.
    pub(crate) fn end(&mut self, about: &About<'_>, end: &End<'_>, is_kept: bool) {
        let messages = self.messages;
        let name = clipped(about.listed_name());
        if end.sitemaps > 0 && about.is_list() {
            messages.warning(format_args!(
                "{name}: {} of the list {} not read; use `sitemap crawl` for the pages of an index",
                Count(end.sitemaps, "sitemap"),
                if end.sitemaps == 1 { "is" } else { "are" },
            ));
        }
        for lost in end.lost.sentences() {
            messages.warning(format_args!("{name}: {lost}"));
        }
        if let Some(failure) = &end.failure {
            let before = match if is_kept { end.pages } else { 0 } {
                0 => String::new(),
                1 => format!("; the page before that was {}", self.done),
                pages => format!(
                    "; the {} before that were {}",
                    Count(pages, "page"),
                    self.done
                ),
            };
            messages.error(format_args!("{failure}{before}"));
        } else if end.is_empty() {
            self.empty.add(name, messages);
        }
    }

    pub(crate) fn not_read(&mut self, not_read: &NotRead<'_>) {
        if !not_read.why.is_lost() {
            return;
        }
        // A redirect to another host was tried, unlike a part that is listed there.
        let is_redirect = not_read.why == Why::OtherHost && !not_read.is_at_entry;
        let has_failed = not_read.why.is_failure() || is_redirect;
        self.lacks_part |= not_read.why == Why::Missing && not_read.is_at_entry;
        not_read.print(has_failed && !not_read.is_at_entry, self.messages);
    }

    /// Prints what concerns all inputs.
    pub(crate) fn finish(self, account: &Account) {
        if self.lacks_part {
            self.messages.note(
                "parts of an index in a file are looked for in its folder; use `sitemap crawl` to fetch them from the web",
            );
        }
        match account.left_out() {
            0 => {}
            1 => self.messages.note("1 sitemap is left out by the options"),
            more => self.messages.note(format_args!(
                "{} sitemaps are left out by the options",
                Grouped(more)
            )),
        }
        self.empty.finish(self.messages);
    }
}
