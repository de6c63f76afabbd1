//! Code that the fuzz targets share. The ways of reading are those of the crate's own tests.

#[path = "../../tests/common/mod.rs"]
pub mod common;

pub mod checks;
