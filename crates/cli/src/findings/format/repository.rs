//! The names of files in the repository, as code hosting services know them.

use std::borrow::Cow;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::judge::page_key::plain;

/// The name of a file below the root of the repository that the working folder is in; other names as they are. A name has
/// slashes and no `./`.
pub(super) fn in_repository(file: &str) -> Cow<'_, str> {
    /// The working folder, and the root.
    static PLACE: LazyLock<(PathBuf, PathBuf)> = LazyLock::new(|| {
        let here = env::current_dir().unwrap_or_default();
        let named = env::var_os("GITHUB_WORKSPACE").map(|root| here.join(root));
        let mut folders = here.ancestors();
        let root = folders.find(|folder| folder.join(".git").exists());
        let root = named.unwrap_or_else(|| root.unwrap_or(&here).to_owned());
        (here, root)
    });
    below(file, &PLACE.0, &PLACE.1)
}

fn below<'f>(file: &'f str, here: &Path, root: &Path) -> Cow<'f, str> {
    if file.contains("://") || file.starts_with('<') {
        return file.into();
    }
    let (path, root) = (plain(&here.join(file)), plain(root));
    match path.strip_prefix(root) {
        Ok(path) => {
            let names = path.iter().map(|name| name.to_string_lossy());
            names.collect::<Vec<_>>().join("/").into()
        }
        Err(_) => file.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_from_the_root() {
        for (file, expected) in [
            ("./sitemap.xml", "public/sitemap.xml"),
            ("a/b.xml", "public/a/b.xml"),
            ("../c.xml", "c.xml"),
            ("../../d.xml", "../../d.xml"),
            ("/src/repo/e.xml", "e.xml"),
            ("/other/f.xml", "/other/f.xml"),
            ("https://e.com/g.xml", "https://e.com/g.xml"),
            ("<stdin>", "<stdin>"),
        ] {
            let (here, root) = (Path::new("/src/repo/public"), Path::new("/src/repo/x/.."));
            assert_eq!(below(file, here, root), expected, "{file}");
        }
    }
}
