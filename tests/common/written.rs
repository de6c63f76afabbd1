//! Files of the repository that a test writes, and otherwise compares with what is there.

use std::fs;

/// Compares a file with the text that the test makes. With `WRITE_TABLES=1` the file is written instead: read the difference
/// before you commit it.
pub fn compare(path: &str, text: &str, test: &str) {
    if std::env::var_os("WRITE_TABLES").is_some() {
        fs::write(path, text).unwrap();
        return;
    }
    let found = fs::read_to_string(path).unwrap();
    let mut lines = found.lines().zip(text.lines());
    let differs = lines.find(|(found, made)| found != made);
    assert!(
        found == text,
        "{path} is not what the test makes; `WRITE_TABLES=1 cargo test --test {test}` writes it again; the first of both that \
         differ: {differs:#?}"
    );
}
