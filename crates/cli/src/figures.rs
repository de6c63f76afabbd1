//! Pages by folder and by month: counted in bounded memory; they are part of a report.

pub(crate) mod dates;
pub(crate) mod names;
pub(crate) mod tree;
