//! Validates written files by the schemas of `tests/schemas`.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Checks that the schema accepts the text. Without xmllint, prints a note.
pub(crate) fn validate(xml: &[u8], schema: &str) {
    if let Some(Err(why)) = verdict(xml, schema) {
        panic!("{why}");
    }
}

/// The output of the validation, or `None` if it could not run.
#[allow(clippy::print_stderr)]
pub(crate) fn verdict(xml: &[u8], schema: &str) -> Option<Result<(), String>> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let mut schemas = above.map(|folder| folder.join("tests/schemas").join(schema));
    let schema = schemas.find(|schema| schema.exists()).unwrap();
    let child = Command::new("xmllint")
        .args(["--noout", "--schema"])
        .args([&*schema, Path::new("-")])
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
