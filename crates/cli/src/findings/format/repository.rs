//! The names of files in the repository, as code hosting services know them.

use std::borrow::Cow;
use std::env;
use std::path::Path;

use crate::judge::page_key::plain;

/// The name of a file below the root of the repository that the working folder is in; other names as they are. A name has
/// slashes and no `./`.
pub(super) fn in_repository(file: &str) -> Cow<'_, str> {
    let here = env::current_dir().unwrap_or_default();
    let root = env::var_os("GITHUB_WORKSPACE").map(|root| here.join(root));
    let root = root.or_else(|| {
        let mut folders = here.ancestors();
        folders
            .find(|folder| folder.join(".git").exists())
            .map(Path::to_owned)
    });
    below(file, &here, &root.unwrap_or_else(|| here.clone()))
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
