//! Sitemaps over HTTP.

use std::io::Read;
use std::time::Duration;

use anyhow::Context;
use quick_sitemap::url::Url;
use ureq::ResponseExt;

#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// Of each response, to its end.
    pub(crate) timeout: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(30),
        }
    }
}

pub(crate) struct Response {
    /// After redirects.
    pub(crate) location: Url,
    pub(crate) body: Box<dyn Read + Send>,
}

pub(crate) struct Fetcher {
    agent: ureq::Agent,
}

impl Fetcher {
    pub(crate) fn new(options: &Options) -> anyhow::Result<Self> {
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(options.timeout))
            .user_agent(concat!("quick-sitemap/", env!("CARGO_PKG_VERSION")))
            .build();
        Ok(Self {
            agent: config.into(),
        })
    }

    pub(crate) fn get(&self, url: &Url) -> anyhow::Result<Response> {
        let response = self
            .agent
            .get(url.as_str())
            .call()
            .with_context(|| url.to_string())?;
        let location = response
            .get_uri()
            .to_string()
            .parse()
            .unwrap_or_else(|_| url.clone());
        Ok(Response {
            location,
            body: Box::new(response.into_body().into_reader()),
        })
    }
}
