//! Reads a directory of sitemaps with every core, and writes their pages as JSON Lines.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use quick_sitemap::{Decoder, Entry};
use rayon::prelude::*;
use serde_json::{Value, json};

const HELP: &str = "\
Reads all files of a directory, and of those below it, as sitemaps, and writes JSON Lines to standard output:
an object a page or sitemap with file, loc, lastmod, changefreq and priority. The order of the files is not kept.

Usage: parallel [OPTIONS] DIRECTORY

Arguments:
  DIRECTORY    what is in it may be of any format, gzipped or not

Options:
  --threads N  so many files at once [default: one a core]
  --compare    write nothing; read all with one thread, then with N, and say how long it took
  --help       this text

What takes over from there reads JSON Lines, DuckDB for one:

  parallel sitemaps > pages.jsonl
  duckdb -c \"select lastmod[:7] as month, count(*) from 'pages.jsonl' group by all order by all\"

Files that are no sitemap, or cut off, are named on standard error.

Exit status: 0 all was read, 1 some file was not, 2 none was, or wrong usage.
";

struct Options {
    directory: PathBuf,
    threads: usize,
    compare: bool,
}

fn main() -> ExitCode {
    let outcome = match options() {
        Ok(Some(options)) => run(&options),
        Ok(None) => io::stdout().write_all(HELP.as_bytes()).map(|()| 0),
        Err(error) => {
            let _ = writeln!(io::stderr(), "parallel: {error}; see --help");
            Ok(2)
        }
    };
    match outcome {
        Ok(code) => ExitCode::from(code),
        // Whoever was reading has seen enough: `parallel … | head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "parallel: {error}");
            ExitCode::from(2)
        }
    }
}

/// `None`: only help is wanted.
fn options() -> Result<Option<Options>, lexopt::Error> {
    use lexopt::prelude::*;
    let (mut directory, mut threads, mut compare) = (None, 0, false);
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("threads") => threads = arguments.value()?.parse()?,
            Long("compare") => compare = true,
            Short('h') | Long("help") => return Ok(None),
            Value(path) if directory.is_none() => directory = Some(PathBuf::from(path)),
            _ => return Err(argument.unexpected()),
        }
    }
    let directory = directory.ok_or("a DIRECTORY is missing")?;
    Ok(Some(Options {
        directory,
        threads,
        compare,
    }))
}

fn run(options: &Options) -> io::Result<u8> {
    let mut files = Vec::new();
    find(&options.directory, &mut files)?;
    let out = Mutex::new(io::stdout());
    let count = if options.compare {
        let one = timed(1, &files, None)?;
        let all = timed(options.threads, &files, None)?;
        let mut out = io::stdout();
        for (count, time) in [&one, &all] {
            writeln!(
                out,
                "{} threads: {} entries of {} files in {:.2} s, {:.1} MB/s",
                count.threads,
                count.entries,
                count.files,
                time.as_secs_f64(),
                count.bytes as f64 / 1e6 / time.as_secs_f64()
            )?;
        }
        writeln!(
            out,
            "speed-up: {:.2}",
            one.1.as_secs_f64() / all.1.as_secs_f64()
        )?;
        all.0
    } else {
        timed(options.threads, &files, Some(&out))?.0
    };
    let _ = writeln!(
        io::stderr(),
        "{} entries of {} files",
        count.entries,
        count.files
    );
    Ok(match count.files {
        0 => 2,
        files => u8::from(files < count.tried),
    })
}

/// All files below a directory; symbolic links are not followed.
fn find(directory: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            find(&entry.path(), files)?;
        } else if kind.is_file() {
            files.push(entry.path());
        }
    }
    Ok(())
}

struct Count {
    threads: usize,
    tried: u64,
    files: u64,
    entries: u64,
    bytes: u64,
}

fn timed(
    threads: usize,
    files: &[PathBuf],
    out: Option<&Mutex<io::Stdout>>,
) -> io::Result<(Count, Duration)> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(io::Error::other)?;
    let (whole, entries, bytes) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    // Drawn on standard error, if that is a terminal.
    let bar = ProgressBar::new(files.len() as u64);
    let begin = Instant::now();
    pool.install(|| {
        files.par_iter().try_for_each(|path| {
            let outcome = WORKER.with_borrow_mut(|worker| worker.read(path, out))?;
            entries.fetch_add(outcome.entries, Ordering::Relaxed);
            bytes.fetch_add(outcome.bytes, Ordering::Relaxed);
            match outcome.error {
                None => {
                    whole.fetch_add(1, Ordering::Relaxed);
                }
                Some(error) => bar.suspend(|| {
                    let _ = writeln!(io::stderr(), "{}: {error:#}", path.display());
                }),
            }
            bar.inc(1);
            io::Result::Ok(())
        })
    })?;
    bar.finish_and_clear();
    let count = Count {
        threads: pool.current_num_threads(),
        tried: files.len() as u64,
        files: whole.into_inner(),
        entries: entries.into_inner(),
        bytes: bytes.into_inner(),
    };
    Ok((count, begin.elapsed()))
}

thread_local! {
    /// Each thread has a decoder for all of its files: its buffers are used again.
    static WORKER: RefCell<Worker> = RefCell::new(Worker {
        decoder: Decoder::new(),
        input: vec![0; 64 << 10],
        lines: Vec::new(),
    });
}

struct Worker {
    decoder: Decoder,
    input: Vec<u8>,
    lines: Vec<u8>,
}

struct Outcome {
    entries: u64,
    bytes: u64,
    error: Option<String>,
}

/// So much is collected before it is written, so that threads seldom wait for each other.
const LINES: usize = 1 << 20;

impl Worker {
    /// Reads a file; the error is one of the output's.
    fn read(&mut self, path: &Path, out: Option<&Mutex<io::Stdout>>) -> io::Result<Outcome> {
        let mut outcome = Outcome {
            entries: 0,
            bytes: 0,
            error: None,
        };
        self.decoder.reset();
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(error) => {
                outcome.error = Some(error.to_string());
                return Ok(outcome);
            }
        };
        loop {
            let read = match file.read(&mut self.input) {
                Ok(read) => read,
                Err(error) => {
                    outcome.error = Some(error.to_string());
                    break;
                }
            };
            outcome.bytes += read as u64;
            match self.input.get(..read) {
                Some([]) | None => self.decoder.finish(),
                Some(bytes) => self.decoder.push(bytes),
            }
            match self.take(path, out, &mut outcome.entries)? {
                Some(error) => {
                    outcome.error = Some(error.to_string());
                    break;
                }
                None if read == 0 => break,
                None => {}
            }
        }
        self.write(out)?;
        Ok(outcome)
    }

    /// Takes out what there is. The inner error is one of the document's: lenient reading has only fatal ones.
    fn take(
        &mut self,
        path: &Path,
        out: Option<&Mutex<io::Stdout>>,
        entries: &mut u64,
    ) -> io::Result<Option<quick_sitemap::Error>> {
        loop {
            match self.decoder.next_entry() {
                Ok(Some(entry)) => {
                    *entries += 1;
                    if out.is_some() {
                        serde_json::to_writer(&mut self.lines, &object(path, &entry))?;
                        self.lines.push(b'\n');
                        if self.lines.len() > LINES {
                            self.write(out)?;
                        }
                    }
                }
                Ok(None) => return Ok(None),
                Err(error) => return Ok(Some(error)),
            }
        }
    }

    fn write(&mut self, out: Option<&Mutex<io::Stdout>>) -> io::Result<()> {
        if let Some(Ok(mut out)) = out.map(Mutex::lock) {
            out.write_all(&self.lines)?;
        }
        self.lines.clear();
        Ok(())
    }
}

/// With the crate's feature `serde` this is `serde_json::to_value(entry)`, extensions included.
fn object(path: &Path, entry: &Entry) -> Value {
    let page = entry.as_url();
    json!({
        "file": path.to_string_lossy(),
        "loc": entry.loc().as_str(),
        "lastmod": entry.lastmod().map(|lastmod| lastmod.to_string()),
        "changefreq": page.and_then(|page| page.changefreq).map(|changefreq| changefreq.as_str()),
        // By way of its text: an f32 would make 0.8 a 0.800000011920929.
        "priority": page.and_then(|page| page.priority).and_then(|priority| priority.to_string().parse::<f64>().ok()),
    })
}
