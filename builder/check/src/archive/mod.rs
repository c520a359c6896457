//! Rules for the archive and its files, which are read only.

mod additions;
pub mod binary;
pub mod content;
pub mod files;
pub mod related_files;
mod source_files;
pub mod symbols;
pub mod zip;
