//! Filters and edits sitemaps of any size and format, and writes them split into a directory.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};
use quick_sitemap::url::Url;
use quick_sitemap::{Directory, Effect, Entry, Error, Reader, SplitWriter, UrlEntry, W3cDatetime};

const HELP: &str = "\
Filters and edits sitemaps, and writes what is left as sitemap-1.xml and so on with their index, sitemap.xml.

Usage: transform [OPTIONS] --out DIRECTORY --base URL FILE...

Arguments:
  FILE                 urlset, text, RSS or Atom, gzipped or not; `-` reads standard input

Options:
  --out DIRECTORY      where the files go; it is made if need be
  --base URL           where the directory is on the web
  --include TEXT       keep only pages with this in their URL; given more than once: with any of them
  --exclude TEXT       leave out pages with this in their URL; given more than once: with any of them
  --since DATE         keep only pages whose lastmod is this or later (2024, 2024-05-06T07:08Z, ...)
  --replace-host HOST  put this host, and its port if it has one, in place of the pages' own (alternates,
                       images and videos keep theirs)
  --gzip               gzip the parts
  --append             add to the sitemaps in the directory instead of replacing them
  --help               this text

Filters look at a URL as the file spells it. Pages that do not lie below the base URL are refused. Nothing in the
directory changes before all is written, and nothing at all if no page is left.

Exit status: 0 all done; 1 done, but some entries were broken or refused (standard error says which);
2 nothing was changed: an input that cannot be read to its end, an error when writing, wrong usage.
";

#[derive(Default)]
struct Options {
    out: Option<PathBuf>,
    base: Option<Url>,
    include: Vec<String>,
    exclude: Vec<String>,
    since: Option<W3cDatetime>,
    host: Option<(String, Option<u16>)>,
    gzip: bool,
    append: bool,
    inputs: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let outcome = match options() {
        Ok(Some(options)) => transform(&options),
        Ok(None) => io::stdout()
            .write_all(HELP.as_bytes())
            .map(|()| 0)
            .map_err(|error| error.to_string()),
        Err(error) => Err(format!("{error}; see --help")),
    };
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            let _ = writeln!(io::stderr(), "transform: {message}");
            ExitCode::from(2)
        }
    }
}

/// `None`: only help is wanted.
fn options() -> Result<Option<Options>, lexopt::Error> {
    use lexopt::prelude::*;
    let mut options = Options::default();
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("out") => options.out = Some(arguments.value()?.into()),
            Long("base") => options.base = Some(arguments.value()?.parse()?),
            Long("include") => options.include.push(arguments.value()?.string()?),
            Long("exclude") => options.exclude.push(arguments.value()?.string()?),
            Long("since") => options.since = Some(arguments.value()?.parse()?),
            Long("replace-host") => options.host = Some(arguments.value()?.parse_with(host)?),
            Long("gzip") => options.gzip = true,
            Long("append") => options.append = true,
            Short('h') | Long("help") => return Ok(None),
            Value(file) => options.inputs.push(file.into()),
            _ => return Err(argument.unexpected()),
        }
    }
    if options.inputs.is_empty() {
        return Err("a FILE is missing".into());
    }
    Ok(Some(options))
}

/// A host and, perhaps, a port.
fn host(text: &str) -> Result<(String, Option<u16>), String> {
    let url = Url::parse(&format!("http://{text}/")).map_err(|error| error.to_string())?;
    match url.host_str() {
        // What is not a host ends up elsewhere in the URL.
        Some(host) if url.path() == "/" && url.username().is_empty() && url.query().is_none() => {
            Ok((host.to_owned(), url.port()))
        }
        _ => Err("not a host".to_owned()),
    }
}

/// The exit status.
fn transform(options: &Options) -> Result<u8, String> {
    let out = options
        .out
        .as_deref()
        .ok_or("--out is missing; see --help")?;
    let base = options
        .base
        .as_ref()
        .ok_or("--base is missing; see --help")?;
    let directory = match options.append {
        true => Directory::open(out, base),
        false => Directory::create(out, base),
    };
    let directory = directory.map_err(|error| error.to_string())?;
    let directory = match options.gzip {
        true => directory.gzip(true),
        false => directory,
    };
    let mut site = Site {
        options,
        writer: SplitWriter::new(directory),
        progress: progress(&options.inputs),
        read: 0,
        written: 0,
        complaints: 0,
    };
    for input in &options.inputs {
        site.file(input)
            .map_err(|error| format!("{}: {:#}", input.display(), error))?;
    }
    let index = site.writer.finish().map_err(|error| format!("{error:#}"))?;
    site.progress.finish_and_clear();
    let (read, written) = (site.read, site.written);
    let _ = writeln!(io::stdout(), "{index}: {written} of {read} entries written");
    Ok(u8::from(site.complaints > 0))
}

struct Site<'o> {
    options: &'o Options,
    writer: SplitWriter<Directory>,
    progress: ProgressBar,
    read: u64,
    written: u64,
    complaints: u64,
}

impl Site<'_> {
    fn file(&mut self, path: &Path) -> Result<(), Error> {
        let input: Box<dyn Read> = match path.as_os_str() == "-" {
            true => Box::new(io::stdin()),
            false => Box::new(File::open(path)?),
        };
        // Bytes as they are in the file, so that the bar is right for gzip too.
        let mut reader = Reader::new(self.progress.wrap_read(input));
        loop {
            let wanted = match reader.read_raw()? {
                None => break,
                // Filtered before anything is allocated for it.
                Some(raw) => raw.loc().is_none_or(|loc| self.is_wanted(loc)),
            };
            self.read += 1;
            if !wanted {
                self.complain(path, &reader);
                continue;
            }
            let entry = reader.to_entry()?;
            self.complain(path, &reader);
            match entry {
                Some(Entry::Url(page)) => self.page(path, page)?,
                Some(Entry::Sitemap(part)) => {
                    let message = "a sitemap, not a page: give that to transform as a FILE";
                    self.say(path, &format!("{}: {message}", part.loc));
                }
                None => {}
            }
        }
        self.complain(path, &reader);
        Ok(())
    }

    fn is_wanted(&self, loc: &str) -> bool {
        let has = |text: &String| loc.contains(text.as_str());
        let Options {
            include, exclude, ..
        } = self.options;
        (include.is_empty() || include.iter().any(has)) && !exclude.iter().any(has)
    }

    fn page(&mut self, path: &Path, mut page: UrlEntry) -> Result<(), Error> {
        if let Some(since) = self.options.since {
            if page.lastmod.is_none_or(|date| date.start() < since.start()) {
                return Ok(());
            }
        }
        if let Some((host, port)) = &self.options.host {
            // Neither fails: the host was parsed, and every loc is http or https.
            let _ = page.loc.set_host(Some(host));
            let _ = page.loc.set_port(*port);
        }
        match self.writer.write(&page) {
            Ok(()) => self.written += 1,
            Err(error) if error.is_fatal() => return Err(error),
            Err(error) => self.say(path, &format!("{}: {error:#}", page.loc)),
        }
        Ok(())
    }

    /// What is only noted is of no consequence here.
    fn complain<R: Read>(&mut self, path: &Path, reader: &Reader<R>) {
        for issue in reader.issues() {
            if issue.effect != Effect::Noted {
                self.say(path, &issue.to_string());
            }
        }
    }

    fn say(&mut self, path: &Path, message: &str) {
        self.complaints += 1;
        self.progress.suspend(|| {
            let _ = writeln!(io::stderr(), "{}: {message}", path.display());
        });
    }
}

/// A bar where the size is known, a spinner where it is not, nothing where there is no terminal.
fn progress(inputs: &[PathBuf]) -> ProgressBar {
    let size = |path: &PathBuf| match std::fs::metadata(path) {
        Ok(file) if file.is_file() => Some(file.len()),
        _ => None,
    };
    let total = inputs.iter().map(size).sum::<Option<u64>>();
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(10))
        .with_finish(ProgressFinish::AndClear);
    let template = match total {
        Some(_) => "{wide_bar} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left",
        None => "{spinner} {bytes}, {bytes_per_sec}",
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
