//! Nothing but tests and examples: see `Cargo.toml`.
