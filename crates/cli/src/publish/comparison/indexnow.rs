//! The bodies of requests to IndexNow, which inform search engines about pages.
//!
//! <https://www.indexnow.org/documentation>: a request names at most 10,000 URLs, all of one host. Added and changed pages
//! are named, and removed ones, so that they are dropped sooner.

use std::collections::BTreeMap;
use std::io::Write;
use std::str::FromStr;

use quick_sitemap::url::{Position, Url};
use serde_json::json;

use super::Differences;
use crate::term::json;

/// URLs of a request.
const URLS: usize = 10_000;

/// 8 to 128 letters, digits and dashes, as the protocol requires.
#[derive(Clone, Debug)]
pub(crate) struct Key(String);

impl FromStr for Key {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        if (8..=128).contains(&text.len()) && text.bytes().all(is_allowed) {
            Ok(Self(text.to_owned()))
        } else {
            Err("must have 8 to 128 letters, digits and dashes".to_owned())
        }
    }
}

impl Differences {
    /// Prints one body per line.
    pub(super) fn print_requests(&mut self, key: &Key, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut hosts = BTreeMap::<String, Vec<String>>::new();
        let mut put = |host: &str, urls: &[String]| -> anyhow::Result<()> {
            let body = json!({ "host": host, "key": key.0, "urlList": urls });
            Ok(writeln!(out, "{}", json::text(&body)?)?)
        };
        self.each(&mut |difference| {
            // Nobody knows whether it is removed.
            if difference.change == "not-in-b" {
                return Ok(());
            }
            let Ok(url) = Url::parse(difference.loc) else {
                return Ok(());
            };
            // With a port that is not the usual one.
            let host = &url[Position::BeforeHost..Position::AfterPort];
            let urls = hosts.entry(host.to_owned()).or_default();
            urls.push(url.to_string());
            if urls.len() == URLS {
                put(host, urls)?;
                urls.clear();
            }
            Ok(())
        })?;
        for (host, urls) in hosts.iter().filter(|(_, urls)| !urls.is_empty()) {
            put(host, urls)?;
        }
        Ok(())
    }
}
