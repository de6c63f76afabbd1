//! This package contains only tests and examples: see `Cargo.toml`.
