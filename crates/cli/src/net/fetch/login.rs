//! Credentials: a user, a password and headers, which are for one origin and are not shown.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use console::Term;
use quick_sitemap::url::Url;
use ureq::http::header::{HeaderName, HeaderValue};

use super::headers::Headers;
use crate::term::address::{Address, Credentials};

/// The password of `--user`.
const VARIABLE: &str = "SITEMAP_PASSWORD";
/// Bytes of a password.
const LONGEST: u64 = 64 << 10;
/// Headers that frame a request or belong to its connection, in lower case: a server waits for an announced body.
/// `Host` is not one of them, so that a server can be tested before the name of a site leads there.
const OF_CONNECTION: [&str; 9] = [
    "connection",
    "content-length",
    "expect",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Network")]
pub(crate) struct Login {
    /// A header of each request to the origin of the URL, such as 'Cookie: a=b'; can be given several times. It is never
    /// sent to another origin, and never printed or stored
    #[arg(long, value_name = "NAME: VALUE")]
    header: Vec<Secret>,

    /// The user for HTTP authentication; the password is read from --password-file or $SITEMAP_PASSWORD, or asked for at
    /// the terminal. Both are sent to the origin of the URL, never to another origin, and never printed or stored
    #[arg(long, value_name = "NAME")]
    user: Option<Secret>,

    /// File that contains the password of --user; a newline at its end is removed
    #[arg(long, value_name = "FILE", requires = "user")]
    password_file: Option<PathBuf>,
}

/// A text that is not shown.
#[derive(Clone)]
struct Secret(String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// The header is checked later, because clap would repeat an invalid one in its message.
impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Login {
    /// Adds the credentials to the URLs of the command line. This prompts for the password, so it must be called before
    /// Ctrl-C is handled.
    ///
    /// # Errors
    ///
    /// If there is no URL, or if there are several origins, because a secret is for one of them; if there is no
    /// password; if a header is invalid. The message repeats none of that.
    pub(crate) fn give<'a>(
        &self,
        addresses: impl IntoIterator<Item = &'a mut Address>,
    ) -> anyhow::Result<()> {
        if self.is_empty() {
            return Ok(());
        }
        let addresses: Vec<&mut Address> = addresses.into_iter().collect();
        let Some((first, others)) = addresses.split_first() else {
            bail!("--user and --header are for a URL, and no input is a URL");
        };
        for other in others {
            one_origin(first.url(), other.url(), "inputs")?;
        }
        if self.user.is_some() && addresses.iter().any(|address| address.has_login()) {
            bail!("there is a user in the URL and in --user")
        }
        let credentials = self.credentials(&first.url().origin().ascii_serialization())?;
        let addresses = addresses.into_iter();
        addresses.for_each(|address| address.give(&credentials));
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.user.is_none() && self.header.is_empty()
    }

    /// Prompts for the password, as that of `whose`, if it is nowhere else.
    ///
    /// # Errors
    ///
    /// Those of [`give`](Self::give) except for URLs.
    pub(crate) fn credentials(&self, whose: &str) -> anyhow::Result<Credentials> {
        let login = match &self.user {
            Some(Secret(user)) if user.is_empty() || user.contains(':') => {
                bail!(
                    "--user takes a name without a colon; the password is read from ${VARIABLE} or --password-file"
                )
            }
            Some(Secret(user)) => Some([user.as_bytes(), b":", &self.password(whose)?].concat()),
            None => None,
        };
        Ok(Credentials {
            headers: self.headers()?,
            login,
        })
    }

    /// The headers that the user has set. Those of the connection itself are rejected.
    fn headers(&self) -> anyhow::Result<Headers> {
        let mut headers = Headers::new();
        for (number, Secret(text)) in (1..).zip(&self.header) {
            let Some((name, value)) = parsed(text) else {
                bail!("--header number {number} is not a header, such as 'Cookie: a=b'");
            };
            if OF_CONNECTION.contains(&name.as_str()) {
                bail!(
                    "--header cannot set {name}: only the program sets headers of the connection and of the length of a \
                     request, because a server may wait forever after a wrong one"
                );
            }
            headers.push((name, value));
        }
        Ok(headers)
    }

    /// The password: from the file, the variable or the terminal, in this order.
    fn password(&self, whose: &str) -> anyhow::Result<Vec<u8>> {
        let (name, password) = if let Some(path) = &self.password_file {
            let name = format!("--password-file: {}", path.display());
            let password = in_file(path).with_context(|| name.clone())?;
            (name, password)
        } else if let Some(password) = std::env::var_os(VARIABLE) {
            (format!("${VARIABLE}"), password.into_encoded_bytes())
        } else if console::user_attended_stderr() {
            let terminal = Term::stderr();
            terminal.write_str(&format!("Password for {whose}: "))?;
            let line = terminal.read_secure_line();
            let line = line.context("the password cannot be read from the terminal")?;
            ("the password".to_owned(), line.into_bytes())
        } else {
            bail!(
                "--user needs a password: set ${VARIABLE}, or use --password-file FILE (there is no terminal to ask at)"
            );
        };
        if password.is_empty() {
            bail!("{name} is empty");
        }
        Ok(password)
    }
}

/// # Errors
///
/// If the two are not of one origin, to which alone credentials are sent.
pub(crate) fn one_origin(first: &Url, other: &Url, what: &str) -> anyhow::Result<()> {
    if other.origin() == first.origin() {
        return Ok(());
    }
    bail!(
        "--user and --header are for one origin, but the {what} are at {} and {}; put a user and a password into the \
         URLs, as in https://user:password@example.com",
        first.origin().ascii_serialization(),
        other.origin().ascii_serialization()
    )
}

fn parsed(text: &str) -> Option<(HeaderName, HeaderValue)> {
    let (name, value) = text.split_once(':')?;
    let mut value = HeaderValue::from_str(value.trim()).ok()?;
    value.set_sensitive(true);
    Some((name.trim().parse().ok()?, value))
}

/// It may be a pipe.
fn in_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut password = Vec::new();
    let mut file = File::open(path)?.take(LONGEST + 1);
    if file.read_to_end(&mut password)? as u64 > LONGEST {
        return Err(io::Error::other("it is longer than a password"));
    }
    if let Some(line) = password.strip_suffix(b"\n") {
        password.truncate(line.strip_suffix(b"\r").unwrap_or(line).len());
    }
    Ok(password)
}
