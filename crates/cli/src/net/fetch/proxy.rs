//! The proxies that the environment names.
//!
//! | variable, also in capital letters | its proxy is for |
//! |---|---|
//! | `http_proxy` | http |
//! | `https_proxy` | https |
//! | `all_proxy` | a scheme whose variable is not set |
//! | `no_proxy` | the hosts that are requested directly, separated by commas |

use std::ffi::OsString;

use anyhow::{Context, anyhow};
use percent_encoding::percent_decode_str;
use quick_sitemap::url::Url;
use ureq::http::Uri;
use ureq::{Proxy, ProxyProtocol};

use crate::term::address::hidden;

const KINDS: &str = "http, https, socks4, socks4a, socks5 or socks5h";

#[derive(Debug, Default)]
pub(super) struct Proxies {
    http: Option<NamedProxy>,
    https: Option<NamedProxy>,
}

/// A proxy, and the variable that has named it.
#[derive(Clone, Debug)]
pub(super) struct NamedProxy {
    pub(super) proxy: Proxy,
    variable: String,
}

impl Proxies {
    /// # Errors
    ///
    /// If a value names no proxy: a request must not go out directly because a name was misspelt.
    pub(super) fn from_environment(
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> anyhow::Result<Self> {
        let set = |name: &str| {
            let names = [name.to_owned(), name.to_ascii_uppercase()];
            names.into_iter().find_map(|name| {
                let value = variable(&name).filter(|value| !value.is_empty())?;
                Some((name, value.to_string_lossy().into_owned()))
            })
        };
        let direct = set("no_proxy").map(|(_, hosts)| hosts);
        let of_scheme = |name: &str| -> anyhow::Result<Option<NamedProxy>> {
            let found = set(name).or_else(|| set("all_proxy"));
            found
                .map(|(variable, value)| {
                    let proxy = parse(&value, direct.as_deref().unwrap_or_default());
                    let name = || format!("{variable}: `{}` is no proxy", hidden(&value));
                    let proxy = proxy.with_context(name)?;
                    Ok(NamedProxy { proxy, variable })
                })
                .transpose()
        };
        Ok(Self {
            http: of_scheme("http_proxy")?,
            https: of_scheme("https_proxy")?,
        })
    }

    /// The proxy that requests to the URL go through.
    pub(super) fn of(&self, url: &Url) -> Option<&NamedProxy> {
        let proxy = match url.scheme() {
            "https" => self.https.as_ref(),
            _ => self.http.as_ref(),
        }?;
        let uri: Uri = url.as_str().parse().ok()?;
        (!proxy.proxy.is_no_proxy(&uri)).then_some(proxy)
    }
}

/// Without user and password.
impl std::fmt::Display for NamedProxy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (host, port) = (self.proxy.host(), self.proxy.port());
        write!(f, "the proxy {host}:{port} ({})", self.variable)
    }
}

fn parse(value: &str, direct: &str) -> anyhow::Result<Proxy> {
    let text = if value.contains("://") {
        value.to_owned()
    } else {
        format!("http://{value}")
    };
    let url: Url = text.parse()?;
    let protocol = ProxyProtocol::try_from(url.scheme())
        .map_err(|_| anyhow!("it must begin with {KINDS}, and ://"))?;
    let host = url.host_str().filter(|host| !host.is_empty());
    let host = host.ok_or_else(|| anyhow!("it has no host"))?;
    if !matches!(url.path(), "" | "/") || url.query().is_some() {
        return Err(anyhow!("more follows than a host and a port"));
    }
    let mut builder = Proxy::builder(protocol).host(host);
    if let Some(port) = url.port() {
        builder = builder.port(port);
    }
    let decoded = |text| percent_decode_str(text).decode_utf8();
    if !url.username().is_empty() {
        builder = builder.username(&decoded(url.username())?);
    }
    if let Some(password) = url.password() {
        builder = builder.password(&decoded(password)?);
    }
    for host in direct.split(',').map(str::trim) {
        builder = builder.no_proxy(host);
    }
    Ok(builder.build()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxies(variables: &[(&str, &str)]) -> anyhow::Result<Proxies> {
        Proxies::from_environment(|name| {
            let mut variables = variables.iter();
            let found = variables.find(|(known, _)| *known == name);
            found.map(|(_, value)| value.into())
        })
    }

    fn of(variables: &[(&str, &str)], url: &str) -> Option<String> {
        let proxies = proxies(variables).unwrap();
        let proxy = proxies.of(&url.parse().unwrap())?;
        Some(proxy.to_string())
    }

    #[test]
    fn a_scheme_has_its_own_proxy() {
        let both = [
            ("HTTP_PROXY", "http://a.example:8080"),
            ("https_proxy", "b.example:3128"),
        ];
        let (http, https) = ("http://e.com/", "https://e.com/");
        let a = "the proxy a.example:8080 (HTTP_PROXY)";
        assert_eq!(of(&both, http).as_deref(), Some(a));
        let b = "the proxy b.example:3128 (https_proxy)";
        assert_eq!(of(&both, https).as_deref(), Some(b));
        let of_https = [("HTTPS_PROXY", "http://a.example:8080")];
        assert_eq!(of(&of_https, http), None);
        let all = [
            ("ALL_PROXY", "socks5h://u:p%40@s.example"),
            ("http_proxy", "http://a.example"),
        ];
        let a = "the proxy a.example:80 (http_proxy)";
        assert_eq!(of(&all, http).as_deref(), Some(a));
        let s = "the proxy s.example:1080 (ALL_PROXY)";
        assert_eq!(of(&all, https).as_deref(), Some(s));
        assert_eq!(of(&[("ALL_PROXY", "")], http), None);
        let direct = [
            ("ALL_PROXY", "socks4://s.example"),
            ("NO_PROXY", "localhost, .e.com"),
        ];
        assert_eq!(of(&direct, "http://localhost:8000/"), None);
        assert_eq!(of(&direct, "http://www.e.com/"), None);
        assert!(of(&direct, "http://e.org/").is_some());
    }

    #[test]
    fn a_value_that_is_no_proxy_is_an_error_that_hides_the_password() {
        for value in [
            "http:/127.0.0.1:9",
            "nonsense proxy",
            "http://",
            "ftp://u:secret@e.com",
            "socks6://e.com",
            "http://e.com/path",
            "http://e.com:99999",
        ] {
            for variable in ["HTTP_PROXY", "all_proxy"] {
                let error = proxies(&[(variable, value)]).unwrap_err().to_string();
                assert!(error.starts_with(&format!("{variable}: `")), "{error}");
                assert!(!error.contains("secret"), "{error}");
            }
        }
    }
}
