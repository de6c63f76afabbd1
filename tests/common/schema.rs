//! What the schemas say of what was written.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The schema accepts it. Where there is no xmllint or no schema (they are not in this repository), it says so.
pub(crate) fn validate(xml: &[u8], schema: &str) {
    if let Some(Err(why)) = verdict(xml, schema) {
        panic!("{why}");
    }
}

/// What the schema says of it. `None` where it could not be asked.
#[allow(clippy::print_stderr)]
pub(crate) fn verdict(xml: &[u8], schema: &str) -> Option<Result<(), String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/xsd");
    let schema = folder.join(schema);
    if !schema.exists() {
        eprintln!("NOT validated: there is no {}", schema.display());
        return None;
    }
    let child = Command::new("xmllint")
        .args(["--noout", "--schema"])
        .args([&schema, Path::new("-")])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        eprintln!("NOT validated: there is no xmllint");
        return None;
    };
    child.stdin.take().unwrap().write_all(xml).unwrap();
    let output = child.wait_with_output().unwrap();
    Some(if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    })
}
