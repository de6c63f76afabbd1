//! What the schemas say of what was written.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The schema accepts it. Where there is no xmllint or no schema (they are not in this repository), it says so.
#[allow(clippy::print_stderr)]
pub(crate) fn validate(xml: &[u8], schema: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/xsd");
    let schema = folder.join(schema);
    if !schema.exists() {
        eprintln!("NOT validated: there is no {}", schema.display());
        return;
    }
    let child = Command::new("xmllint")
        .args(["--noout", "--schema"])
        .args([&schema, Path::new("-")])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        eprintln!("NOT validated: there is no xmllint");
        return;
    };
    child.stdin.take().unwrap().write_all(xml).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
